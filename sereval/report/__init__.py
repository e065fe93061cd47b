"""The reports of results that have none of their own yet, charts and pages."""
