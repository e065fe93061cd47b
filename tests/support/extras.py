"""Which extras are here: what needs another one is skipped, and says which."""

import re
from importlib.util import find_spec

import pytest

MODULES = {
    "dask": "distributed",
    "pandas": "pandas",
    "phones": "panphon",
    "plot": "matplotlib",
    "sound": "miniaudio",
    "spacy": "spacy",
    "values": "text_to_num",
    "whisper": "whisper_normalizer",
}


def skip_without(message):
    """Skip a test to which an extra was named that is not installed."""
    found = re.search(r"sereval\[(\w+)\]", message)
    if found and find_spec(MODULES[found[1]]) is None:
        pytest.skip(f"needs {found[0]}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call():
    """A test of what needs a package that is not installed is skipped, and says which."""
    try:
        return (yield)
    except Exception as error:
        for one in getattr(error, "failures", [error]):  # those of a docstring
            cause = getattr(one, "exc_info", (None, one))[1]
            skip_without(str(cause))
            name = getattr(cause, "name", None)
            if isinstance(cause, ModuleNotFoundError) and find_spec(name.partition(".")[0]) is None:
                pytest.skip(f"needs {name}")
        raise
