"""Files of columns as other programs write them: what is read, what is refused, what is said."""

import pytest
from cli_files import put
from paths import FORMATS
from tables import tables

from sereval.documents.tags import detect, misplaced
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


@pytest.mark.parametrize("scheme", ["", "--scheme conll"])
def test_the_column_of_the_words_is_said(here, run, scheme):
    """Which column has the words is said with the score, or it stands in its signature."""
    put("r.tsv", "1\tDol\tB-LOC\n2\test\tO\n")

    status, out, _ = run(f"score r.tsv r.tsv {scheme}")
    assert status == 0
    assert "Reference: words, taken from column 2, as the first counts them: 2." in out
    assert "Hypothesis: words, with the tags of column 3, as none was named: 2." in out
    status, out, _ = run(f"score r.tsv r.tsv {scheme} --columns word=2,3")
    assert (0, False, True) == (status, "words, taken" in out, "columns" in out.splitlines()[-1])
    assert "word=2+3" in out.splitlines()[-1]
    [found] = read("r.tsv", columns=["word=1", "3"])
    assert ("1", "2") == found.words


def test_an_aligned_file_is_no_document(here, run):
    """What evalita2011 writes with --aligned is refused as a document, and says what it is."""
    put("r.iob", "serie show B-ORG\nA show I-ORG\n")
    put("h.iob", "serie show B-ORG\neuh show O\nA show I-ORG\n")
    assert 0 == run("score r.iob h.iob --scheme evalita2011 --aligned out5.tsv")[0]

    for command in ("show out5.tsv", "score out5.tsv h.iob --scheme conll"):
        status, out, err = run(command)
        assert (1, "") == (status, out)
        assert (
            "sereval: out5.tsv: columns word, tag, error, word, tag found, which are an aligned "
            "file of evalita2011: two documents on each line, expected one\n" == err
        )


COLUMNS = "1\tDol\tB-LOC\n2\test\tO\n{}1\tOui\tO\n"


@pytest.mark.parametrize("gap", ["\n", "\t\t\n", "  \n", " \t \n\n", "\n# text = Oui\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_of_blanks_part_sentences(here, gap, mark, end):
    """A line of spaces and tabs is an empty one; line ends and a byte order mark are no cells."""
    put("d.tsv", (mark + COLUMNS.format(gap)).replace("\n", end))
    [found] = read("d.tsv", format="columns")

    assert (("Dol", "est", "Oui"), (2,)) == (found.words, found.breaks)
    assert [("LOC", 0, 1)] == [(e.label, e.start, e.end) for e in found.elements]


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


def test_check_sums_equal_complaints_up(here, run):
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
