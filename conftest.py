"""For the tests and the examples in the package alike."""

from collections import Counter
from itertools import count

pytest_plugins = ["extras"]
_passed = count(1)


def pytest_report_teststatus(report):
    """A point for a hundred tests that pass: a run of thousands stays on a page."""
    if report.when == "call" and report.passed and not hasattr(report, "wasxfail"):
        return "passed", "" if next(_passed) % 100 else ".", "PASSED"
    return None


def pytest_itemcollected(item):
    """A proof takes along what it proves: the first paragraph of its docstring."""
    if item.get_closest_marker("long"):
        sentence, _, _ = item.function.__doc__.partition("\n\n")
        item.user_properties.append(("proves", " ".join(sentence.split())))


def pytest_terminal_summary(terminalreporter):
    """What was proved, each with its number of cases."""
    passed = terminalreporter.getreports("passed")
    proved = Counter(dict(one.user_properties).get("proves") for one in passed)
    for what, cases in proved.items():
        if what is not None:
            terminalreporter.write_line(f"{cases:4} {what}")
