"""Reports as text, JSON, CSV and data frames; tables, numbers and cells of a terminal.

It knows no entity: results make reports of tables (``report``).
"""

from collections.abc import Callable

page: Callable[[object], str]
"""Makes the page of a result. The package sets it; neither results nor this room know pages."""
