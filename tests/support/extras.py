"""Which extras are here: what needs another one is skipped, and says which."""

import re
from importlib.util import find_spec

import pytest

MODULES = {
    "arrow": "pyarrow",
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
