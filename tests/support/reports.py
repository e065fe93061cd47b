"""Reports in JSON, read by tests."""


def named(report, table, key=None):
    """The rows of a table by their first column, or by another one."""
    return {row[key or next(iter(row))]: row for row in report[table]}
