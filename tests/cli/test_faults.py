"""Faults from outside: full disks, readers who leave, signals, clocks, machines of other habits.

What is written is whole or is not there, and the same input is the same bytes.
"""

import ctypes
import io
import itertools
import os
import resource
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from cli_files import REFERENCE, everything, put, put_recordings
from paths import ROOT

from sereval.cli import outputs
from sereval.cli.outputs import handle_termination

pytestmark = pytest.mark.check

THROUGH_TIME = "--align said.ctm --words words.ctm --tolerance 0.1"
SAID = "show 1 0.00 0.20 à\nshow 1 0.20 0.40 Dol\n"

WRITING = [  # all commands that write files, more than one at a time among them
    "score ref hyp -o out",
    "score ref hyp --format json -o out",
    "score ref.iob hyp.iob --scheme evalita2011 --name show --aligned second -o out",
    f"sweep ref heard {THROUGH_TIME.replace('0.1', '0,0.1')} --plot second.svg -o out",
    f"sweep ref heard {THROUGH_TIME.replace('0.1', '0,0.1')} --plot second.svg",
    "audit ref hyp -o out",
    "audit ref hyp --format html -o out.html",
    "audit ref hyp --format html --split 1 -o pages",
    f"audit ref heard {THROUGH_TIME} --format textgrid -o pages",
    f"project ref {THROUGH_TIME} -o out",
    "agreement ref hyp -o out",
    f"blame ref hyp heard {THROUGH_TIME} --resamples 9 -o out",
    "doctor ref hyp -o out",
    "show ref -o out",
    "convert ref out.jsonl",
    "convert ref out.ann",
    "convert ref pages/ --to brat",
]
ALONE = [one for one in WRITING if " -o out" in one and "second" not in one]
PRINTING = [
    *(command for command in WRITING if "-o " not in command and "convert" not in command),
    *dict.fromkeys(command.partition(" -o ")[0] for command in WRITING if " -o out" in command),
    "convert ref - --to native",
    "stats ref --grammar quaero",
    "--help",
    "score --help",
    "--version",
]


@pytest.fixture
def places(files):
    """Inputs for every command, and files that stand where results go."""
    columns = "à\tO\nDol\tB-loc\n\n"
    put("said.ctm", SAID)
    put("ref.iob", columns)
    put("hyp.iob", f"{columns}\n")
    for name in ("out", "out.html", "out.svg", "out.jsonl", "second", "second.html", "second.csv"):
        put(name, "older")
    for name in ("second.svg", "pages/index.html", "pages/show.txt", "pages/show.TextGrid"):
        put(name, "older")
    return files


def command_line(command, *, stdout=subprocess.PIPE, **options):
    """A command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "sereval", *command.split()],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=stdout,
        stderr=subprocess.PIPE,
        **options,
    )


def limit_files(size):
    """A disk that is full after so many bytes, for the process that begins."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.parametrize("command", WRITING)
def test_a_full_disk(command, places):
    """What does not fit is said in one line with its name; no file is new, changed or half."""
    before = everything(places)
    running = command_line(command, preexec_fn=limit_files(10))
    out, err = running.communicate()
    assert (1, b"") == (running.returncode, out)
    assert len(err.splitlines()) == 1, err
    assert err.startswith((b"sereval: out", b"sereval: second", b"sereval: pages")), err
    assert before == everything(places)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="a folder that nobody can write to")
@pytest.mark.parametrize("command", ALONE)
def test_a_folder_that_is_read_only(command, places, run):
    """The file is named, and nothing is written."""
    before = everything(places)
    status, out, err = run(command.replace("-o out", "-o /proc/out"))
    assert (1, "") == (status, out)
    assert err.splitlines()[-1].startswith("sereval: /proc/out")
    assert before == everything(places)


def nothing_is_allowed():
    """Also root may read and write what its rights say, and no more."""
    for right in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        ctypes.CDLL(None).prctl(24, right, 0, 0, 0)  # PR_CAPBSET_DROP


@pytest.mark.skipif(sys.platform != "linux", reason="rights as Linux has them")
@pytest.mark.parametrize("command", ["score ref hyp", "check ref --grammar quaero", "show ref"])
def test_a_file_that_may_not_be_read(command, places):
    """It is an error with its name, not a document less; so is a folder."""
    put("ref/more.ne", REFERENCE)
    for locked, name in [("ref/more.ne", "ref/more.ne"), ("ref", "ref")]:
        os.chmod(locked, 0)
        running = command_line(command, preexec_fn=nothing_is_allowed)
        expected = (b"", f"sereval: {name}: Permission denied\n".encode())
        assert expected == running.communicate()
        assert running.returncode == 1
        os.chmod(locked, 0o755)


@pytest.mark.skipif(sys.platform == "win32", reason="a folder in use cannot be deleted")
def test_a_working_directory_that_was_deleted(places):
    """Files with whole names are scored; where the folder is needed, one line says that it is not
    there."""
    gone, here, data = places / "gone", str(places), f"{ROOT}/data"
    command = f"score {here}/ref {here}/hyp"
    for line, expected in [
        (command, 0),
        (f"{command} -o {here}/whole", 0),
        (f"{command} -o out", 1),
        (f"score {data}/ref {data}/hyp/gazetteer/manual --jobs 2", 0),
    ]:
        gone.mkdir()
        running = command_line(line, cwd=gone, preexec_fn=gone.rmdir)
        out, err = running.communicate()
        said = b"sereval: working directory: it was deleted, expected one that exists\n"
        if expected:
            assert err == said, line
        assert running.returncode == expected, line
        assert bool(out) == (expected == 0 and " -o " not in line)


@pytest.mark.parametrize("command", PRINTING)
def test_standard_output_that_is_full(command, places):
    """It is said in one line, after the files that were written before; each of them is whole."""
    before = everything(places)
    with open("/dev/full", "wb") as full:
        running = command_line(command, stdout=full)
        _, err = running.communicate()
    assert running.returncode == 1
    assert err.splitlines()[-1] == b"sereval: standard output: No space left on device"
    after = everything(places)
    assert before.keys() == after.keys()
    assert "second" in command or before == after


@pytest.mark.parametrize("command", PRINTING)
def test_a_reader_who_has_seen_enough(command, places):
    """No word about it, and the status of SIGPIPE; files beside the result are whole."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        running = command_line(command, stdout=pipe)
    _, err = running.communicate()
    assert running.returncode == 141
    assert b"Traceback" not in err
    assert b"standard output" not in err
    assert not list(places.rglob(".sereval-*"))
    for name in ("second.html", "second.csv", "second.svg"):
        assert (name in command) == (Path(name).read_bytes() != b"older")


@pytest.mark.parametrize("closed", ["stdin", "stdout", "stderr", "all"])
@pytest.mark.parametrize("command", ["score ref hyp --jobs 2", "score both both --jobs 2 -o out"])
def test_streams_that_are_closed(closed, command, places):
    """A stream that is not there is missed by those alone that want it."""
    put("both/a.ne", REFERENCE)
    put("both/b.ne", REFERENCE)
    shut = {"stdin": "<&-", "stdout": ">&-", "stderr": "2>&-", "all": "<&- >&- 2>&-"}[closed]
    line = f"{sys.executable} -m sereval {command} {shut}"
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["bash", "-c", line], capture_output=True, env=env, check=False)
    is_missed = "-o" not in command and closed in ("stdout", "all")
    assert int(is_missed) == done.returncode
    assert (b"closed" in done.stderr) == (is_missed and closed == "stdout")
    assert b"Traceback" not in done.stderr


# --- signals -------------------------------------------------------------------------------------

FILES = {f"{k}.txt": f"new {k}" for k in range(3)}


@pytest.fixture
def heard():
    """Signals are heard, which they are not where the tests run in the background or by nohup."""
    handlers = {
        signal.SIGINT: signal.default_int_handler,
        signal.SIGTERM: signal.SIG_DFL,
        signal.SIGHUP: signal.SIG_DFL,
    }
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("step", range(3))
@pytest.mark.usefixtures("heard")
def test_a_signal_while_files_are_written(number, step, tmp_path, monkeypatch):
    """Each of them is whole, and nothing else is left."""
    put(tmp_path / "0.txt", "older")

    step_of, steps = os.replace, itertools.count()

    def stepped(*arguments):
        """A signal comes after so many files."""
        step_of(*arguments)
        if next(steps) == step:
            signal.raise_signal(number)

    monkeypatch.setattr(os, "replace", stepped)
    handle_termination()
    with pytest.raises(KeyboardInterrupt):
        outputs.write_files(FILES.items(), str(tmp_path))
    written = [*FILES.items()][: step + 1]
    assert {tmp_path / name: text.encode() for name, text in written} == everything(tmp_path)


@pytest.mark.usefixtures("heard")
def test_signals_that_are_ignored_stay_so():
    """Who began the command with nohup does not want it to end."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    handle_termination()
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    assert callable(signal.getsignal(signal.SIGTERM))


# --- the same input, the same bytes --------------------------------------------------------------


DOCUMENTS = ("librivox", "mandela")


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    """Some of the bundled recordings, and the places of a Turkish machine and a German one."""
    folder = tmp_path_factory.mktemp("recordings")
    put_recordings(folder / "data", *DOCUMENTS)
    for language in ("tr_TR", "de_DE") if shutil.which("localedef") else ():
        target = folder / "locales" / f"{language}.UTF-8"
        target.parent.mkdir(exist_ok=True)
        command = ["localedef", "-i", language, "-f", "UTF-8", str(target)]
        subprocess.run(command, check=False, capture_output=True)
    return folder


HERE = f"""
import locale, os, random, sys
sys.path[:0] = {[str(ROOT), str(ROOT / "tests/support")]!r}
import every_output
from pathlib import Path
listed = os.listdir
def shuffled(*arguments):
    names = listed(*arguments)
    random.Random(int(sys.argv[3])).shuffle(names)
    return names
os.listdir = shuffled
locale.setlocale(locale.LC_ALL, "")
Path(sys.argv[1]).mkdir()
every_output.write(Path(sys.argv[1]), int(sys.argv[2]))
"""

MACHINES = {
    "ascii": {
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONHASHSEED": "1",
    },
    "latin": {"PYTHONIOENCODING": "latin-1", "PYTHONHASHSEED": "7", "COLUMNS": "40", "JOBS": "2"},
    "turkish": {"LC_ALL": "tr_TR.UTF-8", "TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "2"},
    "german": {"LC_ALL": "de_DE.UTF-8", "PYTHONUTF8": "0", "TZ": "America/New_York"},
}


def written(recordings, name):
    """Every output as it comes on a machine."""
    target = recordings / f"out-{name}"
    if not target.exists():
        number = list(MACHINES).index(name) + 1 if name in MACHINES else 0
        env = {"PYTHONHASHSEED": "0", **os.environ, **MACHINES.get(name, {})}
        env["LOCPATH"] = str(recordings / "locales")
        arguments = [target, env.get("JOBS", "1"), str(number)]
        done = subprocess.run(
            [sys.executable, "-c", HERE, *arguments],
            cwd=recordings / "data",
            env=env,
            capture_output=True,
            check=False,
        )
        if b"unsupported locale" in done.stderr:
            pytest.skip(f"no locale {env['LC_ALL']} here")
        assert done.returncode == 0, done.stderr
    return {path.relative_to(target): of for path, of in everything(target).items()}


@pytest.mark.parametrize("name", MACHINES)
def test_same_input_same_bytes(name, recordings):
    """No output depends on hashing, locale, time zone, order of files or number of processes."""
    expected, found = written(recordings, "here"), written(recordings, name)
    assert len(expected) > 30
    assert [path for path in expected if expected[path] != found.get(path)] == []
    assert expected.keys() == found.keys()


def test_text_goes_out_as_utf_8(places):
    """Standard output is the same bytes whatever the encoding of the terminal."""
    found = []
    for encoding in ("utf-8", "latin-1", "ascii"):
        env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": encoding}
        command = [sys.executable, "-m", "sereval", "convert", "ref", "-", "--to", "inline"]
        found.append(subprocess.run(command, capture_output=True, env=env, check=True).stdout)
    assert [REFERENCE.encode()] * 3 == found


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="no such device")
def test_conversion_into_a_pipe(files):
    """A pipe, a device or a link is written to, and never replaced."""
    os.mkfifo("pipe.jsonl")
    os.symlink("target.jsonl", "link.jsonl")
    reading = os.open("pipe.jsonl", os.O_RDONLY | os.O_NONBLOCK)  # what is written fits into it
    with open(reading, encoding="utf-8") as pipe:
        for target in ("pipe.jsonl", "link.jsonl"):
            out, err = command_line(f"convert ref/show.ne {target}").communicate()
            wrote = b"" if target.startswith("pipe") else b"sereval: wrote link.jsonl\n"
            assert (b"", wrote) == (out, err)
        assert pipe.read().startswith('{"id":"show"')
    assert Path("pipe.jsonl").is_fifo()
    assert Path("link.jsonl").is_symlink()
    assert Path("target.jsonl").read_text("utf-8").startswith('{"id":"show"')


def test_a_name_that_is_not_utf_8(files, run):
    """A file whose name no encoding explains is refused in one line that can be printed."""
    name = os.fsdecode(b"caf\xe9.ne")
    put(name, REFERENCE)
    status, out, err = run(f"score {name} hyp")
    assert (1, "", 1) == (status, out, len(err.splitlines()))
    assert err.isascii()
    assert io.StringIO(err).readline().startswith("sereval: ")
