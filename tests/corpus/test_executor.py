"""Several processes: the same bytes as one, and a clean end whatever happens to them."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli_files import put
from paths import ROOT

from sereval.corpus.workers import each
from sereval.errors import InputError, SerevalError

pytestmark = pytest.mark.check

SIDES = "ref hyp/compromise/asr --align align --words asr"
SYSTEMS = "ref hyp/compromise/asr hyp/gazetteer/asr --align align --words asr"
COMMANDS = [
    f"score {SIDES} --tolerance 0.3 --format text",
    f"score {SIDES} --by text --tolerance 1w --format csv",
    "score ref hyp/compromise/asr --scheme mitre --words asr --format json",
    "score ref hyp/compromise/asr --scheme evalita2011 --elements innermost --only types "
    "--grammar quaero --format json",
    f"audit {SIDES} --tolerance 0.3 --format jsonl",
    f"audit {SIDES} --tolerance 0.3 --format html",
    f"agreement {SIDES} --tolerance 0.3 --format json",
    f"compare {SYSTEMS} --tolerance 0.3 --resamples 100 --format json",
    f"sweep {SYSTEMS} --tolerance 0,0.1,0.3 --format json",
]
MORE = [
    f"score {SIDES} --tolerance 0.3 --scheme quaero-lne --format json",
    f"score {SIDES} --tolerance 0.3 --scheme semeval2013 --format text",
    "score ref hyp/compromise/manual --scheme conll --elements outermost",
    "stats ref --words asr --only types --grammar quaero",
    f"compare {SYSTEMS} --tolerance 0.3 --stability --format json",
]


@pytest.mark.usefixtures("four_recordings")
@pytest.mark.parametrize(
    "command", [*COMMANDS, *(pytest.param(one, marks=pytest.mark.long) for one in MORE)]
)
def test_jobs_change_nothing(run, command):
    """Two and three processes write the same bytes as one, on both streams."""
    one = run(command)
    assert one[0] == 0
    assert [one, one] == [run(f"{command} --jobs {jobs}") for jobs in (2, 3)]


@pytest.mark.parametrize("command", ["score", "sweep", "audit"])
def test_jobs_fail_as_one_process_does(run, files, command):
    """Of two bad documents the first one is named, in the words of one process."""
    for name in ("other", "third"):
        put(f"ref/{name}.ne", "à Dol\n")
        put(f"hyp/{name}.ne", "à Dol\n")
    one = run(f"{command} ref hyp --tolerance 0.5")
    assert (
        1,
        "",
        "sereval: other: the reference has no times, a tolerance needs them: --align reads some\n",
    ) == one
    assert one == run(f"{command} ref hyp --tolerance 0.5 --jobs 2")


def upper(text):
    """An item of work that may go wrong in several ways."""
    if text == "bad":
        raise InputError("found it, expected another", path="a.ne", line=3)
    if text == "wait":
        time.sleep(3600)
    if text == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if text == "bug":
        raise TypeError(text)
    return text.upper()


def done(*texts, jobs=2):
    return list(each(upper, texts, name=str, jobs=jobs))


@pytest.fixture(
    params=[
        pytest.param(True, marks=pytest.mark.skipif(sys.platform != "linux", reason="never so")),
        False,
    ],
    ids=["copies", "made anew"],
)
def kind(request, monkeypatch):
    """Processes that are copies of this one, or are made anew."""
    monkeypatch.setattr("sereval.corpus.workers.can_be_copied", lambda: request.param)


copied = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")


@copied
@pytest.mark.usefixtures("kind")
def test_results_come_in_order():
    """What comes back is ``map``, however many processes there are."""
    texts = [f"d{number}" for number in range(50)]
    assert list(map(upper, texts)) == done(*texts) == done(*texts, jobs=3) == done(*texts, jobs=1)


@copied
@pytest.mark.usefixtures("kind")
@pytest.mark.parametrize("jobs", [1, 2])
def test_the_first_error_ends_the_work(jobs):
    """An error is raised when its turn comes; an hour's work behind it is called off."""
    with pytest.raises(SerevalError, match=r"a\.ne:3: found it, expected another"):
        done("a", "bad", "wait", "wait", "wait", jobs=jobs)


@copied
@pytest.mark.usefixtures("kind")
@pytest.mark.parametrize(("text", "cause"), [("die", "SIGKILL(-9)"), ("bug", "EXIT(1)")])
def test_a_dead_process_is_named_with_its_document(text, cause):
    """The work ends at once, though another document takes an hour."""
    with pytest.raises(SerevalError) as caught:
        done("a", "wait", text, "b", jobs=3)
    assert str(caught.value) == (
        f"document {text}: the process that worked on it died of {cause}, expected a result; "
        "is there memory enough for so many --jobs?"
    )


@copied
@pytest.mark.usefixtures("kind")
def test_large_documents_and_results():
    """What is larger than any buffer between processes arrives whole."""
    texts = [letter * 3_000_000 for letter in "abcde"]
    assert [text.upper() for text in texts] == done(*texts)


# --- processes of their own ----------------------------------------------------------------------

PATIENCE = 600
"""Seconds after which something hangs: more than any machine takes."""


@pytest.fixture
def endless(tmp_path):
    """A corpus of eight documents that takes minutes."""
    places = [(k, k + 1, k % 7) for k in range(3000)]
    both = [
        {
            "id": f"d{number}",
            "words": ["w"] * len(places),
            "times": [[a, b] for a, b, _ in places],
            "elements": [{"label": f"l{x}", "start": a, "end": b} for a, b, x in places],
        }
        for number in range(8)
    ]
    path = tmp_path / "both.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in both), "utf-8")
    return path


@pytest.fixture
def begin():
    """Starts a sweep in a group of its own, of which nothing is left in the end."""
    begun = []
    yield lambda *how: begun.append(sweep(*how)) or begun[-1]
    for running in begun:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)


COMMAND = "-m", "sereval"
WITH_A_THREAD = (  # it cannot be copied
    "-c",
    """
import sys, threading
threading.Thread(target=threading.Event().wait, daemon=True).start()
from sereval.__main__ import main
sys.exit(main())
""",
)
LIBRARY = "-c", "import sys; from sereval.cli import main; main(sys.argv[1:])"  # hears no signals


def hear():
    """Nothing is ignored, as Ctrl-C is in the background, or the end of a terminal by nohup."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def sweep(path, jobs, program):
    return subprocess.Popen(
        [sys.executable, *program, "sweep", path, path, "--tolerance", "0:1:0.001"]
        + ["--system", "x", "--jobs", str(jobs), "-o", path.parent / "out"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=hear,
    )


def ended(running):
    """Status, standard output and standard error, within minutes on a busy machine."""
    out, err = running.communicate(timeout=PATIENCE)
    return running.returncode, out, err


def group(leader):
    """Processes of a group with their command lines, but for those that have ended."""
    found = {}
    for entry in Path("/proc").iterdir():
        try:
            status = (entry / "stat").read_text().rpartition(")")[2].split()
            if int(status[2]) == leader and status[0] != "Z":
                found[int(entry.name)] = (entry / "cmdline").read_bytes()
        except (OSError, ValueError, IndexError):
            continue
    return found


def until(condition):
    """Wait for a condition, for minutes on a busy machine; what it came to."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()) and time.monotonic() < end:
        time.sleep(0.1)
    return found


def worked(process):
    """Seconds of processor time that a process has had: after one or so it is on its document."""
    spent = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return int(spent[11]) / os.sysconf("SC_CLK_TCK")


def hears(process, number):
    """Whether a process has a handler for a signal."""
    [line] = re.findall(r"^SigCgt:\s*(\w+)", Path(f"/proc/{process}/status").read_text(), re.M)
    return bool(int(line, 16) >> number - 1 & 1)


def at_work(running, jobs):
    """Processes that have been on their documents for a while, in the order of these."""
    others = group(running.pid)
    del others[running.pid]
    found = [
        number
        for number, line in others.items()
        if b"resource_tracker" not in line and worked(number) > 1
    ]
    return sorted(found) if len(found) == jobs else []


INTERRUPTED = 130, "", "\nsereval: interrupted\n"


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize(
    ("program", "jobs", "send", "number", "expected"),
    [
        *(
            pytest.param(COMMAND, jobs, *signalled, marks=[pytest.mark.long] if jobs == 1 else [])
            for jobs in (1, 2)
            for signalled in (
                (os.killpg, signal.SIGINT, INTERRUPTED),
                (os.kill, signal.SIGINT, INTERRUPTED),
                (os.killpg, signal.SIGTERM, INTERRUPTED),
                (os.kill, signal.SIGTERM, INTERRUPTED),
                (os.kill, signal.SIGHUP, INTERRUPTED),
            )
        ),
        (WITH_A_THREAD, 2, os.killpg, signal.SIGINT, INTERRUPTED),
        (LIBRARY, 2, os.kill, signal.SIGTERM, (-signal.SIGTERM, "", "")),
        (COMMAND, 2, os.kill, signal.SIGKILL, (-signal.SIGKILL, "", "")),
    ],
)
def test_signals(endless, begin, program, jobs, send, number, expected):
    """A signal to the command, or to all its processes, ends all and leaves nothing behind."""
    running = begin(endless, jobs, program)
    assert program == LIBRARY or until(lambda: hears(running.pid, signal.SIGTERM))
    assert until(lambda: worked(running.pid) > 1.5 if jobs == 1 else at_work(running, jobs))
    send(running.pid, number)
    assert expected == ended(running)
    assert_nothing_is_left(running, endless)


def assert_nothing_is_left(running, path):
    """No process, and no file but the corpus."""
    assert until(lambda: not group(running.pid))
    assert {path} == set(path.parent.rglob("*"))


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("program", [COMMAND, WITH_A_THREAD])
def test_a_killed_process_ends_the_command(endless, begin, program):
    """A process that is killed from outside is one line with its document, and status 1."""
    running = begin(endless, 2, program)
    _, second = until(lambda: at_work(running, 2))
    os.kill(second, signal.SIGKILL)
    status, out, err = ended(running)
    assert (1, "") == (status, out)
    assert err == (
        "sereval: document d1: the process that worked on it died of SIGKILL(-9), "
        "expected a result; is there memory enough for so many --jobs?\n"
    )
    assert_nothing_is_left(running, endless)
