"""What needs an extra that is not installed is skipped, and says which."""

import doctest
import re
from importlib.util import find_spec

import pytest

EXTRAS = {
    "miniaudio": "sound",
    "panphon": "phones",
    "matplotlib": "plot",
    "pandas": "pandas",
    "pyarrow": "arrow",
    "spacy": "spacy",
    "text_to_num": "values",
    "whisper_normalizer": "whisper",
}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Skip a test that failed for want of extras alone."""
    try:
        return (yield)
    except Exception as error:
        missing = {_missing(one) for one in _errors(error)}
        if None in missing:
            raise
        pytest.skip("needs " + ", ".join(f"sereval[{one}]" for one in sorted(missing)))


def _errors(error):
    if isinstance(error, ExceptionGroup):
        return [one for each in error.exceptions for one in _errors(each)]
    return [error.exc_info[1] if isinstance(error, doctest.UnexpectedException) else error]


def _missing(error):
    module = error.name if isinstance(error, ModuleNotFoundError) else None
    return EXTRAS[module] if module in EXTRAS else missing_extra(str(error))


def missing_extra(message):
    """The extra that a message names and that is not there."""
    named = re.search(r"sereval\[(\w+)\]", message)
    for package, extra in EXTRAS.items():
        if named and named[1] == extra and find_spec(package) is None:
            return extra
    return None
