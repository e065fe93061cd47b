"""Files of columns as other programs write them: what is read, what is refused, what is said."""

import pytest
from paths import FORMATS
from tables import tables

from sereval.formats import read

TABLES = tables(__file__)


def real(name):
    """A file of another program."""
    path = FORMATS / name
    if not path.exists():
        pytest.skip("without the shared files")
    return path


# --- files of other programs ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "columns", "words", "count", "elements"),
    TABLES["programs"],
)
def test_files_of_other_programs(name, columns, words, count, elements):
    """Comments are skipped, and the words are in the column that has words."""
    [found] = read(real(name), columns=columns)

    assert (words, count) == (found.words[:3], len(found.words))
    assert list(elements) == [(e.label, e.start, e.end) for e in found.elements[: len(elements)]]


# --- the scheme of tags --------------------------------------------------------------------------
