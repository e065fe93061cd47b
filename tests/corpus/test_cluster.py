"""A Dask cluster on this machine: the same bytes, also where a worker is killed in the middle."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from operator import itemgetter
from pathlib import Path
from threading import Thread

import pytest
from paths import ROOT, TESTS
from test_executor import PATIENCE, SIDES, SYSTEMS, until

from sereval.corpus.executor import Workers, each
from sereval.errors import SerevalError
from sereval.version import __version__

pytestmark = [pytest.mark.check, pytest.mark.usefixtures("four_recordings")]

pytest.importorskip("distributed")
SLOW = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": f"{PATIENCE} s"}
"""What processes of a cluster are told on a machine of any speed."""


class Cluster:
    """A scheduler and workers, processes of their own that end with the test.

    Args:
        folder: where they work.
        settings: more of what they are told, as environment variables of Dask.
    """

    def __init__(self, folder, **settings):
        self.folder = folder
        self.settings = settings
        self.workers = []
        found = folder / "scheduler.json"
        options = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self.scheduler = self.begin("dask_scheduler", "--scheduler-file", found, *options)
        assert until(lambda: found.exists() and found.read_text())
        self.address = json.loads(found.read_text())["address"]

    def begin(self, program, *arguments, path=(ROOT, TESTS / "support", TESTS / "corpus")):
        return subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{program}", *map(str, arguments)],
            env={
                **os.environ,
                **SLOW,
                **self.settings,
                "PYTHONPATH": os.pathsep.join(map(str, path)),
            },
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def add(self, *options, **how):
        """One more worker with one thread; not the scheduler's nanny, so that it stays dead."""
        options = ("--nthreads", "1", "--no-dashboard", *(options or ("--no-nanny",)))
        where = ("--local-directory", self.folder / f"worker{len(self.workers)}")
        self.workers.append(self.begin("dask_worker", self.address, *options, *where, **how))
        return self.workers[-1]

    def wait(self):
        """Wait until all workers are there, however slow the machine is."""
        from distributed import Client

        with Client(self.address, timeout=PATIENCE, set_as_default=False) as client:
            client.wait_for_workers(len(self.workers), timeout=PATIENCE)

    def end(self):
        """Kill them with their children: asked to end, each would wait for the others."""
        for process in (*self.workers, self.scheduler):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture(scope="module")
def machines(tmp_path_factory):
    """A cluster with two workers."""
    found = Cluster(tmp_path_factory.mktemp("cluster"))
    found.add()
    found.add()
    found.wait()
    yield found
    found.end()


@pytest.mark.filterwarnings("default")  # Dask's own
@pytest.mark.parametrize(
    "command",
    [
        f"score {SIDES} --tolerance 0.3 --format json",
        f"score {SIDES} --tolerance 0.3 --format text",
        f"score {SIDES.split(' --')[0]} --scheme evalita2011 --elements innermost --format json",
        f"score {SIDES} --tolerance 0.3 --scheme semeval2013 --format json",
        f"audit {SIDES} --tolerance 0.3 --format jsonl",
        f"compare {SYSTEMS} --tolerance 0.3 --resamples 100 --format json",
        f"sweep {SYSTEMS} --tolerance 0,0.1,0.3 --format csv",
    ],
)
def test_a_cluster_changes_nothing(run, machines, command):
    """Two workers of a cluster give the same bytes as one process, on both streams."""
    one = run(command)
    assert one[0] == 0
    assert one == run(f"{command} --scheduler {machines.address}")


@pytest.mark.filterwarnings("default")
def test_a_cluster_fails_as_one_process_does(run, machines, here):
    """Bad input is the same line, whether reading finds it here or scoring on another machine."""
    lines = ['{"id": "a", "words": ["x"]}', '{"id": "b", "words": ["x"]}']
    for wrong in ('{"id": "b", "words": [1]}', '{"id": "b", "words": ["y"]}'):
        Path("ref.jsonl").write_text("\n".join(lines), "utf-8")
        Path("hyp.jsonl").write_text("\n".join([lines[0], wrong]), "utf-8")
        one = run("score ref.jsonl hyp.jsonl")
        assert (1, "") == one[:2]
        assert one == run(f"score ref.jsonl hyp.jsonl --scheduler {machines.address}")


@contextlib.contextmanager
def killed(process, when):
    """A process is killed as soon as a file is there."""

    def kill():
        assert until(when.exists)
        process.kill()

    killer = Thread(target=kill)
    killer.start()
    try:
        yield
    finally:
        when.touch()
        killer.join()


def doomed_or_not(item):
    """Work that ends nowhere on one worker, and elsewhere when that one has begun it."""
    name, folder, doomed = item
    begun = Path(folder, "begun")
    if os.getpid() == doomed:
        begun.touch()
        until(lambda: False)
    assert until(begun.exists)
    return name.upper()


@pytest.mark.filterwarnings("default")
def test_a_worker_that_dies_changes_nothing(machines, tmp_path):
    """A worker is killed in the middle: what it was on is done again, and nothing is lost."""
    doomed = machines.add()
    machines.wait()
    items = [(f"d{number}", str(tmp_path), doomed.pid) for number in range(24)]
    workers = Workers(scheduler=machines.address)
    with killed(doomed, tmp_path / "begun"):
        found = list(each(doomed_or_not, items, name=itemgetter(0), workers=workers))
    assert [name.upper() for name, *_ in items] == found
    assert doomed.wait(PATIENCE) == -signal.SIGKILL


def endless(folder):
    """Work that says that it has begun, and takes until it is called off."""
    Path(folder, "begun").touch()
    until(lambda: False)


@pytest.mark.filterwarnings("default")
def test_a_scheduler_that_dies_ends_the_work(tmp_path):
    """Without its scheduler a cluster is no more: one line, and nobody waits for ever."""
    machines = Cluster(tmp_path)
    machines.add()
    workers = Workers(scheduler=machines.address, patience=PATIENCE)
    try:
        with (
            killed(machines.scheduler, tmp_path / "begun"),
            pytest.raises(SerevalError, match="it is gone, expected it to stay to the end"),
        ):
            list(each(endless, [str(tmp_path)] * 24, name=str, workers=workers))
    finally:
        machines.end()


STRICT = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}
"""A scheduler gives up every document that a worker had when it died."""


@pytest.fixture
def strict(tmp_path):
    """A strict cluster of one worker, which has two threads and is begun again when it dies."""
    found = Cluster(tmp_path, **STRICT)
    found.add("--nanny", "--nthreads", "2")
    yield found
    found.end()


def together(item):
    """Work that ends a worker while it is on another document too."""
    name, folder = item
    begun, died = Path(folder, "begun"), Path(folder, "died")
    if name == "wait" and not died.exists():
        begun.touch()
        until(lambda: False)
    if name == "die" or name == "die once" and not died.exists():
        until(begun.exists)
        died.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return name.upper()


def done(machines, *names, patience=PATIENCE):
    """What becomes of documents on a cluster."""
    items = [(name, str(machines.folder)) for name in names]
    workers = Workers(scheduler=machines.address, patience=patience)
    return list(each(together, items, name=itemgetter(0), workers=workers))


@pytest.mark.filterwarnings("default")
def test_a_document_that_no_worker_survives(strict):
    """It is named, and none of those that its workers had too."""
    with pytest.raises(SerevalError) as caught:
        done(strict, "wait", "die", "b")
    assert str(caught.value) == (
        "document die: the workers that it was given to died, one after another, expected a "
        "result; is there memory enough?"
    )


OTHERS = [f"d{number}" for number in range(38)]
"""So many that five short documents are a task."""


def refused(item):
    """Work that refuses one item."""
    if item == "d7":
        raise SerevalError("refused")
    return item


@pytest.mark.filterwarnings("default")
def test_an_error_is_that_of_its_document(machines):
    """The documents before it are done, also those of its task."""
    results = each(refused, OTHERS, name=str, workers=Workers(scheduler=machines.address))
    assert OTHERS[:7] == [next(results) for _ in range(7)]
    with pytest.raises(SerevalError, match="^refused$"):
        next(results)


# --- no cluster ----------------------------------------------------------------------------------


def refusal(address, patience):
    """The message about a cluster on which nothing can be done."""
    with pytest.raises(SerevalError) as caught:
        list(each(str.upper, "a", name=str, workers=Workers(1, address, patience)))
    return str(caught.value)


def test_no_scheduler():
    """A scheduler that does not answer is one line, after a bounded time."""
    expected = r"scheduler tcp://127\.0\.0\.1:9: no answer in 1 s \(.*\)"
    assert re.fullmatch(expected, refusal("tcp://127.0.0.1:9", patience=1))


@pytest.mark.filterwarnings("default")
def test_another_version(tmp_path):
    """A worker with another version of sereval is refused before any work."""
    other = tmp_path / "other" / "sereval"
    other.mkdir(parents=True)
    other.joinpath("__init__.py").write_text('__version__ = "9.9"\n', "utf-8")
    machines = Cluster(tmp_path)
    machines.add(path=(other.parent,))
    try:
        found = refusal(machines.address, PATIENCE)
    finally:
        machines.end()
    expected = rf"scheduler .*: worker .* has sereval 9\.9, expected {re.escape(__version__)}"
    assert re.fullmatch(expected, found)
