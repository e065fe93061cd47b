"""Windows, as far as it can be told from here: its line ends, its paths, and what it has not."""

import json
import ntpath
import os
import shutil
import subprocess
import sys
import types
from functools import partial
from pathlib import Path, PureWindowsPath

import pytest
from case_folders import arguments, commands, comparable, folders
from cli_files import everything, put
from paths import CASES as PACKAGED
from paths import ROOT, TESTS

from sereval.cli import convert, main, outputs, provenance
from sereval.errors import InputError
from sereval.formats import File, build
from sereval.report.page import recordings as page
from sereval.runs import pairs

pytestmark = pytest.mark.check

CASES = [*folders(PACKAGED), *folders(TESTS / "templates")]

WINDOWS = types.SimpleNamespace(**{**vars(os), "path": ntpath, "sep": "\\", "altsep": "/"})
"""Its paths, for functions that only look at names."""


# --- paths ----------------------------------------------------------------------------------------


def test_systems_are_told_apart(monkeypatch):
    """Names of systems come from paths with either separator, and from drives."""
    monkeypatch.setattr(pairs, "os", WINDOWS)
    names = partial(pairs.distinct_names, what="systems")
    assert ["crf", "gaz"] == names([r"D:\hyp\crf\asr", "D:/hyp/gaz/asr/"])
    assert ["crf/asr", "crf/manual", "gaz/asr"] == names(
        [r"C:\crf\asr", r"C:\crf\manual", r"C:\gaz\asr"]
    )
    assert ["C:", "D:"] == names([r"C:\asr", r"D:\asr"])
    assert ["crf", "gaz"] == names([r"C:\hyp\crf.NE", r"C:\hyp\gaz.ne"])


def test_a_folder_is_told_by_its_end(monkeypatch):
    """``made\\`` and ``made/`` are folders, ``made`` and nothing are not."""
    monkeypatch.setattr(convert, "os", WINDOWS)
    names = ["made\\", "made/", "C:\\", "made", "made.ne", "-", ""]
    assert [True] * 3 + [False] * 4 == [convert.names_a_folder(name) for name in names]


def test_documents_are_named_after_files(monkeypatch):
    """The id of a document and the name of an input have neither drive nor folder."""
    monkeypatch.setattr("sereval.formats.file.os", WINDOWS)
    assert "show" == File(r"C:\ref\show.ne", "inline").id
    path = r"\ref" + "\\"
    monkeypatch.setattr(provenance, "os", WINDOWS)
    monkeypatch.setattr(provenance, "is_read_once", lambda _path: True)
    assert {"name": "ref", "files": {}} == provenance._input(f"C:{path}", None)


@pytest.mark.filterwarnings("ignore:pathlib.PurePath.as_uri")  # of 3.14, about this test
def test_recordings_on_another_drive(monkeypatch):
    """What no relative link reaches is linked as a whole, and names are one way everywhere."""
    here = types.SimpleNamespace(**{**vars(WINDOWS), "listdir": lambda _folder: ["a b.wav"]})
    monkeypatch.setattr(page, "os", here)
    monkeypatch.setattr(page, "Path", PureWindowsPath)
    assert {"a b": "../son%20s/a%20b.wav"} == page.links(r"C:\x\son s", ["a b"], r"C:\x\page")
    assert {"a b": "file:///D:/son/a%20b.wav"} == page.links("D:\\son", ["a b"], r"C:\page")


@pytest.mark.parametrize("id", ["con", "NUL", "aux.fr", "com1", "LPT9.a", "Prn"])
def test_names_of_devices(id):
    """No file of a document is a device, and no other name is changed for that."""
    name = build.file_name(id, ".ne")
    assert f"%{ord(id[0]):02X}{id[1:]}.ne" == name
    for other in ("console", "com", "com10", "a.con", "auxiliary"):
        assert f"{other}.ne" == build.file_name(other, ".ne")


def test_big_and_small_letters(files, monkeypatch):
    """Where they are the same, two documents do not go into one file."""
    monkeypatch.setattr(outputs.os.path, "normcase", ntpath.normcase)
    before = everything(files)
    with pytest.raises(InputError, match="Show.ne: it is the same file as show.ne"):
        outputs.write_all({"show.ne": "1", "Show.ne": "2"})
    assert before == everything(files)


# --- line ends ------------------------------------------------------------------------------------


def with_windows_line_ends(folder, copy):
    """A copy of a folder in which every line of every file ends as on Windows."""
    shutil.copytree(folder, copy)
    for path in filter(Path.is_file, copy.rglob("*")):
        data = path.read_bytes()
        path.write_bytes(data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_every_file_with_other_line_ends(folder, tmp_path, monkeypatch, capsysbinary):
    """Annotations, times, maps, grammars and campaigns are read alike, and give the same bytes."""
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    with_windows_line_ends(folder, tmp_path / "copy")
    monkeypatch.chdir(tmp_path / "copy")
    for command, *_ in commands(folder):
        assert main(arguments(command)) == 0
        out = capsysbinary.readouterr().out
        assert b"\r" not in out
        assert expected[command] == comparable(json.loads(out))


def test_settings_with_other_line_ends(files, run):
    """Options, maps and grammars in files are the same, and what is wrong is on the same line."""
    put("map.toml", '[both.rename]\n"loc" = "place"\n')
    put("own.toml", 'name = "own"\nextends = "quaero"\nsource = """\nmine\n"""\n')
    put("set.toml", 'map = "map.toml"\n\n[score]\ncosts = "S_T=0.3"\n')
    put("bad.toml", "[score]\n\ntolerance = x\n")
    lines = [
        "--config set.toml score ref hyp",
        "check ref --grammar own.toml",
        "--config bad.toml score ref hyp",
    ]
    before = [run(line) for line in lines]
    assert [0, 0, 1] == [status for status, _, _ in before]
    assert "bad.toml:3" in before[2][2]
    for path in files.glob("*.toml"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert before == [run(line) for line in lines]


# --- what there is not ----------------------------------------------------------------------------

ABSENT = """
import os, select, signal, sys, types
import multiprocessing.resource_tracker
sys.modules.update(dict.fromkeys(("fcntl", "grp", "pwd", "resource", "termios")))
for module, names in [
    (signal, "SIGHUP SIGALRM SIGUSR1 sigwait setitimer"),
    (os, "fork getuid geteuid mkfifo pidfd_open statvfs uname killpg"),
    (select, "epoll"),
]:
    for name in names.split():
        delattr(module, name)
from sereval.corpus import workers as processes  # others ask for the system, not for this function
processes.signal = types.SimpleNamespace(**vars(signal))
del processes.signal.pthread_sigmask
from sereval.__main__ import main
sys.exit(main())
"""
"""Runs a command where nothing is that Windows has not."""


@pytest.mark.parametrize(
    "command",
    [
        "score data/ref data/hyp/gazetteer/manual --jobs 2",
        "audit data/ref data/hyp/gazetteer/manual --format html",
        "sweep data/ref data/hyp/gazetteer/asr --align data/align --words data/asr --tolerance 0,1",
        "convert data/ref - --to native",
    ],
)
def test_without_what_windows_has_not(command):
    """The same bytes come of it, with processes too."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    there, absent = (
        subprocess.run(
            [sys.executable, *how, *command.split()], env=env, cwd=ROOT, capture_output=True
        )
        for how in (["-m", "sereval"], ["-c", ABSENT])
    )
    assert (0, b"") == (absent.returncode, absent.stderr)
    assert there.stdout == absent.stdout
