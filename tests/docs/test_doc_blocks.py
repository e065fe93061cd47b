"""No code block of the documents escapes: what nothing else runs or reads has a test here.

``test_docs`` runs blocks of Python and of commands, ``test_readers`` reads the files of
docs/reference/formats.md in the format that they are marked with.
"""

import configparser
import re
import tomllib
from functools import partial
from pathlib import Path

import pytest
from click.shell_completion import get_completion_class
from test_docs import FENCE, FILES, ROOT, Block

from sereval.alignment.normalise import load_table
from sereval.alignment.phones import align_phones
from sereval.alignment.text import align_text
from sereval.cli import main
from sereval.formats import FORMATS, native
from sereval.formats.file import File
from sereval.labels.grammar import load_grammar
from sereval.labels.relabel import load_map
from sereval.templates.reader import read_templates

pytestmark = pytest.mark.check

LANGUAGES = {*FORMATS, "txt", "hipe"}  # see test_readers.test_manual


def in_file(name, text):
    """A block in a file of its own."""
    Path(name).write_text(text, "utf-8")
    return name


def a_map(text):
    """It is a map of labels, and renames some."""
    assert load_map(in_file("map.toml", text)).hypothesis


def a_grammar(text):
    """It is a grammar, and has types."""
    assert load_grammar(in_file("grammar.toml", text)).types


def settings(text):
    """Every key is an option, which takes the value; ``--help`` reads them too."""
    assert main(["--config", in_file("sereval.toml", text), "sweep", "--help"]) == 0
    in_file("sereval.toml", text.replace("unplaceable", "misplaceable"))
    assert main(["--config", "sereval.toml", "sweep", "--help"]) == 1


def a_campaign(text):
    """It is the file that the command beside it takes."""
    assert (ROOT / "docs/examples/campaign.toml").read_text("utf-8") == text


def of_conditions(text):
    """Each of its systems has a folder for each of its conditions."""
    campaign = tomllib.loads(text)
    assert {*campaign} == {"reference", "conditions", "systems"}
    assert all(
        system.keys() == campaign["conditions"].keys() for system in campaign["systems"].values()
    )


def templates(suffix, text):
    """They are a key."""
    [document] = read_templates(in_file(f"key.{suffix}", text), key=True)
    assert len(document.templates) > 1


def a_scorer(text):
    """The scorer is one that the package announces to spaCy."""
    config = configparser.ConfigParser()
    config.read_string(text)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = config["components.ner.scorer"]["@scorers"].strip('"')
    assert named in project["entry-points"]["spacy_scorers"]


def a_pipeline(text):
    """Its commands have the options that it gives them."""
    for line in text.splitlines():
        program, *arguments = line.removeprefix("- run: ").split()
        assert program in {"pip", "sereval"}
        assert program == "pip" or main([*arguments, "--help"]) == 0


def completion(text):
    """Each shell has a script."""
    for line in text.splitlines():
        [shell] = re.findall(r"_SEREVAL_COMPLETE=(\w+)_source sereval", line)
        assert get_completion_class(shell)
        assert f".{shell}rc" in line or f"config.{shell}" in line


def two_files(text):
    """The two files of the example, side by side."""
    rows = [re.split(" {3,}", line) for line in text.splitlines() if line]
    for name, *lines in zip(*rows, strict=True):
        file = ROOT / "docs" / "examples" / "first" / name
        assert file.read_text("utf-8").splitlines() == lines


def installs(text):
    """The commands are those that the demo names, and make can do what it is asked for."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for line in text.splitlines():
        words = line.partition("  ")[0]
        if words.startswith("make "):
            assert f"\n{words.split()[1]}:" in makefile
        else:
            assert words in (ROOT / "data" / "demo.py").read_text("utf-8")


def targets(text):
    """make can do what it is asked for."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for line in text.splitlines():
        program, target = line.split()[:2]
        assert program == "make"
        assert f"\n{target}:" in makefile


def a_citation(text):
    """The paper is the one that reference managers find."""
    title = re.search(r"title = {(.*)}", text)[1]
    assert f"title: {title}" in (ROOT / "CITATION.cff").read_text("utf-8")


def shown(text):
    """Cells of a table in which words stand above those that they answer to, a star for none."""
    lines = text.splitlines()
    begins = [{match.start() for match in re.finditer(r"(?<!\S)\S", line)} for line in lines]
    columns = sorted(set.intersection(*begins))
    return [
        [[word for word in line[a:b].split() if word != "*"] for line in lines]
        for a, b in zip(columns, [*columns[1:], None], strict=True)
    ]


def aligned(align, text):
    """It is how the words are aligned; below an empty line, by the other reading of them."""
    tables = [shown(table) for table in text.split("\n\n")]
    ref, hyp = ([word for cell in tables[0] for word in cell[side]] for side in (0, 1))
    found = align(ref, hyp)
    readings = [found.blocks, *filter(None, [found.otherwise])]
    assert tables == [
        [[ref[slice(*block.ref)], hyp[slice(*block.hyp)]] for block in blocks]
        for blocks in readings
    ]


def a_piece(name, text):
    """It is a piece of a recording's annotation, on other lines."""
    file = (ROOT / f"data/ref/{name}.ne").read_text("utf-8")
    assert " ".join(text.removesuffix("…\n").split()) in " ".join(file.split())


def a_picture(text):
    """It names options that there are."""
    for option in re.findall(r"--\w+", text):
        assert option in {"--map", "--only", "--level"}


def a_table(text):
    """It is a table of words, and joins a year."""
    table = load_table(in_file("words.tsv", text))
    assert ["i", "will", "not", "2020"] == table.forms(["I", "won't", "twenty", "twenty"]).texts


def a_document(text):
    """It is a document with alternatives."""
    [(_, document)] = native.read_native(File("a.jsonl", text=text))
    assert document.alternatives


def commands(text):
    """Each line is a command with options that it has."""
    for line in text.splitlines():
        program, *arguments = line.split()
        assert program == "sereval"
        assert main([*arguments, "--help"]) == 0


CHECKS = {  # page and language: one for each block, in order
    ("README.md", "sh"): [targets, installs],
    ("README.md", "text"): [two_files],
    ("install.md", "sh"): [installs],
    ("annotate.md", "text"): [partial(a_piece, "librivox")],
    ("alternatives.md", "native"): [a_document],
    ("alternatives.md", "sh"): [commands],
    ("blame.md", "sh"): [commands],
    ("campaign.md", "toml"): [a_campaign],
    ("ci.md", "yaml"): [a_pipeline],
    ("cite.md", "bibtex"): [a_citation],
    ("compare.md", "sh"): [commands],
    ("evalita.md", "toml"): [of_conditions],
    ("grammars.md", "toml"): [a_grammar],
    ("labels.md", "text"): [a_picture],
    ("labels.md", "toml"): [a_map],
    ("normalise.md", "text"): [a_table],
    ("projection.md", "text"): [
        partial(aligned, partial(align_text, ties="early")),
        partial(aligned, align_text),
        partial(aligned, align_text),
        partial(aligned, align_text),
        partial(aligned, align_phones),
    ],
    ("python.md", "ini"): [a_scorer],
    ("settings.md", "sh"): [completion],
    ("settings.md", "toml"): [settings],
    ("templates.md", "muc"): [partial(templates, "muc")],
    ("templates.md", "json"): [lambda text: templates("json", "".join(text.splitlines()))],
    ("recording.md", "sh"): [installs],
    ("recording.md", "text"): [partial(a_piece, "lindbergh")],
}


def others():
    """Blocks that nothing else runs or reads, by page and language."""
    found = {}
    for path in FILES:
        for match in FENCE.finditer(path.read_text("utf-8")):
            block = Block(match[1], match[2], 0)
            is_run = block.language == "python" or block.text.startswith("$ sereval ")
            if is_run or (path.name == "formats.md" and block.language in LANGUAGES):
                continue
            found.setdefault((path.name, block.language), []).append(block.text)
    return found


def test_no_block_escapes():
    """Each of them has its check, and a command is in a block that is run."""
    assert {place: len(checks) for place, checks in CHECKS.items()} == {
        place: len(texts) for place, texts in others().items()
    }
    for path in FILES:
        for match in FENCE.finditer(path.read_text("utf-8")):
            has_command = re.search(r"^\$ ", match[2], re.MULTILINE)
            assert not has_command or (
                match[1] == "console" and match[2].startswith("$ sereval ")
            ), f"{path.name}: {match[2][:60]}"


@pytest.mark.parametrize("place", CHECKS, ids=lambda place: " ".join(place))
def test_blocks(place, tmp_path, monkeypatch):
    """What is shown is what it says that it is."""
    monkeypatch.chdir(tmp_path)
    for check, text in zip(CHECKS[place], others()[place], strict=True):
        check(text)
