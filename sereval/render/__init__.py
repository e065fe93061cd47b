"""Reports as text, JSON, CSV and data frames; tables, numbers and cells of a terminal.

It knows no entity: results make reports of tables (``report``).
"""
