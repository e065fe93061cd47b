"""Files of columns as other programs write them: what is read, what is refused, what is said."""

from pathlib import Path

import pytest

from sereval.columns import detect, misplaced
from sereval.errors import InputError
from sereval.readers import read

FORMATS = Path(__file__).parents[2] / "shared" / "corpora" / "formats"


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Files are written, and found, in a folder of the test's own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(name, text):
    """A file of a text, without any change of line ends."""
    Path(name).write_bytes(text.encode())


def real(name):
    """A file of another program."""
    path = FORMATS / name
    if not path.exists():
        pytest.skip("without the shared files")
    return path


# --- the scheme of tags --------------------------------------------------------------------------


def test_the_scheme_with_the_fewest_misplaced_tags():
    """IOB1 with a tag out of place stays IOB1; among equals the first of the table is taken."""
    iob1 = ["I-X", "O"] * 9 + ["B-X"]

    assert "iob1" == detect(iob1)
    assert [18] == misplaced(iob1, (), "iob1")
    assert "iob2" == detect(["B-X", "O"] * 9 + ["I-X"])
    assert "iob2" == detect(["I-X", "O", "B-X", "O"])  # one in either
    assert "iobes" == detect(["B-X", "O", "S-X"])


ILL_FORMED = "I-LOC, of the tags that iob2 does not allow where they stand, read all the same"


def place(line):
    """The file of a line of ``check``, and its line."""
    name, number, _ = line.split(":", 2)
    return name, int(number)


def test_check_sums_equal_complaints_up(files, run):
    """More than three equal complaints about a file are one line; others are not touched."""
    put("a.iob", "Paris O\nvaut I-LOC\n\n" + "une I-LOC\n\n" * 3 + "Dol B-X\nici I-ORG\n")
    put("b.ne", "<x> a </x> <x> b </x>\n<x> c </x>\n<x> d </x>\n<x> e </x>\n")
    put("c.ne", "<x> a </x> <x> b </x>\n" + "<y> a </y>" * 4 + "\n")

    _, out, _ = run("check a.iob b.ne c.ne --grammar conll --read tags=iob2")

    unknown = "unknown label x"
    assert [
        "a.iob:2: " + ILL_FORMED + "; 4 of them, the first on lines 2, 4, 6",
        "a.iob:10: unknown label X",
        "a.iob:11: " + ILL_FORMED.replace("LOC", "ORG"),
        f"b.ne:1: {unknown}; 5 of them, the first on lines 1, 2, 3",
        f"c.ne:1: {unknown}",
        f"c.ne:1: {unknown}",
        "c.ne:2: unknown label y; 4 of them, the first on line 2",
    ] == sorted(out.partition("\n\n")[0].splitlines(), key=place)
