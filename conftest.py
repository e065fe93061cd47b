"""For the tests and the examples in the package alike."""

from itertools import count

pytest_plugins = ["extras"]
_passed = count(1)


def pytest_report_teststatus(report):
    """A point for a hundred tests that pass: a run of thousands stays on a page."""
    if report.when == "call" and report.passed and not hasattr(report, "wasxfail"):
        return "passed", "" if next(_passed) % 100 else ".", "PASSED"
    return None
