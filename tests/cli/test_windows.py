"""Windows, as far as it can be told from here: its line ends, its paths, and what it has not."""

import json
import ntpath
import os
import shutil
import subprocess
import sys
import types
from functools import partial
from pathlib import Path

import pytest
from case_folders import arguments, commands, comparable, folders
from paths import CASES as PACKAGED
from paths import ROOT, TESTS

from sereval.cli import main, provenance
from sereval.formats import File, build
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


def test_documents_are_named_after_files(monkeypatch):
    """The id of a document and the name of an input have neither drive nor folder."""
    monkeypatch.setattr("sereval.formats.file.os", WINDOWS)
    assert "show" == File(r"C:\ref\show.ne", "inline").id
    path = r"\ref" + "\\"
    monkeypatch.setattr(provenance, "os", WINDOWS)
    monkeypatch.setattr(provenance, "is_read_once", lambda _path: True)
    assert {"name": "ref", "files": {}} == provenance._input(f"C:{path}", None)


@pytest.mark.parametrize("id", ["con", "NUL", "aux.fr", "com1", "LPT9.a", "Prn"])
def test_names_of_devices(id):
    """No file of a document is a device, and no other name is changed for that."""
    name = build.file_name(id, ".ne")
    assert f"%{ord(id[0]):02X}{id[1:]}.ne" == name
    for other in ("console", "com", "com10", "a.con", "auxiliary"):
        assert f"{other}.ne" == build.file_name(other, ".ne")


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
