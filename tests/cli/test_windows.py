"""Windows, as far as it can be told from here: its line ends, its paths, and what it has not."""

import contextlib
import ntpath
import os
import subprocess
import sys
import types
from functools import partial
from pathlib import Path

import pytest
from cli_files import put
from paths import ROOT
from sessions import arguments, sessions, shown

from sereval.cli import line, main
from sereval.cli.prove import CASES as PACKAGED
from sereval.cli.prove import agrees
from sereval.formats import File, build
from sereval.runs import sides

pytestmark = pytest.mark.check

WINDOWS = types.SimpleNamespace(**{**vars(os), "path": ntpath, "sep": "\\", "altsep": "/"})
"""Its paths, for functions that only look at names."""


# --- paths ----------------------------------------------------------------------------------------


def test_systems_are_told_apart(monkeypatch):
    """Names of systems come from paths with either separator, and from drives."""
    monkeypatch.setattr(sides, "os", WINDOWS)
    names = partial(sides.distinct_names, what="systems")
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
    monkeypatch.setattr(line, "os", WINDOWS)
    monkeypatch.setattr(line, "is_read_once", lambda _path: True)
    assert {"name": "ref", "files": {}} == line._input(f"C:{path}", None)


@pytest.mark.parametrize("id", ["con", "NUL", "aux.fr", "com1", "LPT9.a", "Prn"])
def test_names_of_devices(id):
    """No file of a document is a device, and no other name is changed for that."""
    name = build.file_name(id, ".ne")
    assert f"%{ord(id[0]):02X}{id[1:]}.ne" == name
    for other in ("console", "com", "com10", "a.con", "auxiliary"):
        assert f"{other}.ne" == build.file_name(other, ".ne")


# --- line ends ------------------------------------------------------------------------------------


FILES = sorted(PACKAGED.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_file_with_other_line_ends(path, here, capsysbinary):
    """Annotations, times, maps, grammars and campaigns are read alike, and give the same bytes."""
    for name, steps in sessions(path).items():
        for step in steps:
            if step.sign == "==":
                put(Path(name, step.text), step.content.replace(b"\n", b"\r\n"))
            elif step.sign == "$":
                with contextlib.chdir(name):
                    status = main(arguments(step.text))
                out, err = (stream.decode() for stream in capsysbinary.readouterr())
                assert "\r" not in out
                assert agrees(step.shown, shown(status, out, err))


# --- what there is not ----------------------------------------------------------------------------

ABSENT = """
import os, select, signal, sys, types
import multiprocessing.resource_tracker
import numpy  # as built for this system, it asks for the kernel's release when it is imported
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
