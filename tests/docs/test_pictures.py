"""The chart of docs/howto/tolerance.md is what its command draws."""

import re
import shlex
from xml.etree import ElementTree

import pytest
from paths import ROOT

from sereval.cli import main

pytestmark = pytest.mark.check

CHART = ROOT / "docs" / "images" / "sweep.svg"
SVG = "{http://www.w3.org/2000/svg}"


def command():
    """The page's command that draws a chart, which may be on several lines."""
    page = (ROOT / "docs" / "howto" / "tolerance.md").read_text("utf-8")
    found = re.findall(r"`(sereval sweep [^`]+--plot [^`]+)`", page)
    assert len(found) == 1
    return shlex.split(found[0])[1:]


def drawn(path):
    """What a chart shows: its texts, and its curves and areas as numbers, in points."""
    root = ElementTree.parse(path).getroot()
    texts = re.findall(r"<!-- (.*?) -->", path.read_text("utf-8"))  # their letters are paths
    paths = [path for path in root.iter(f"{SVG}path") if "DejaVu" not in path.get("id", "")]
    return texts, [[float(n) for n in re.findall(r"-?[\d.]+", path.get("d"))] for path in paths]


def test_chart_is_what_its_command_draws(tmp_path, monkeypatch, capsys):
    """The picture has the texts and the curves that the command makes now."""
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(ROOT)
    arguments = command()
    made = tmp_path / "sweep.svg"
    arguments[arguments.index("--plot") + 1] = str(made)
    assert main(arguments) == 0
    (texts, paths), (made_texts, made_paths) = drawn(CHART), drawn(made)
    assert {"compromise", "gazetteer"} < set(texts)
    assert made_texts == texts
    assert [len(path) for path in made_paths] == [len(path) for path in paths]
    for made_path, path in zip(made_paths, paths, strict=True):
        assert made_path == pytest.approx(path, abs=0.2)  # as releases of matplotlib may differ
