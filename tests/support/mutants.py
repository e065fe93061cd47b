"""Whether the tests would notice: small changes to the code of the core, one at a time.

Each *mutant* is one change in one function of a room: a comparison turned round, a sum made a
difference, a number one more, an argument left out, by the operators of mutmut. It is *killed* if
a test fails with it, or *never ends*, else it *survives*: then a test is missing, or the change is
none. Those that are none stand in ``mutants.toml``, each with the reason; the tests that are to
notice the others stand in ``mutants_tests.toml``. Texts of errors, annotations, defaults,
decorators and assertions are left as they are, and so is what is no function.

    python mutants.py mapping.assignment measures.slots  # these rooms, or all
    python mutants.py mapping.clusters._latest  # one function
    python mutants.py documents.recut --again LOG  # what an earlier run printed into LOG

The tests are collected once and tried once as they are, to see which lines each of them comes upon,
and once more, to see how long they take. Then each mutant has a process of its own, which puts the
changed code into the function and tries the tests that come upon it: the quickest first, sooner
those that killed others, and no more than so many seconds of them. Prints a line for each survivor
that is not in the list, and for each line of the list that is killed or is not found; then the
sums. The status is 1 if there is any of these.
"""

import argparse
import functools
import gc
import importlib
import inspect
import json
import math
import os
import resource
import signal
import sys
import time
import tomllib
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate
from os.path import commonprefix
from pathlib import Path
from types import CodeType, FunctionType
from typing import NamedTuple

import coverage
import libcst
import pytest
from _pytest.runner import runtestprotocol
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators
from paths import ROOT, TESTS

TESTS_OF = tomllib.loads((TESTS / "support" / "mutants_tests.toml").read_text("utf-8"))
ROOMS: dict[str, list[str]] = TESTS_OF["rooms"]
SLOW: list[str] = TESTS_OF["slow"]["tests"]
ACCEPTED = tomllib.loads((TESTS / "support" / "mutants.toml").read_text("utf-8"))
ENOUGH = 2  # seconds of tests for a mutant, the quickest first, if nobody says otherwise
ASSERTED = "strict=True"  # of zip: says what always holds, as the text of an error does
PATIENCE = 1  # seconds of work for a test, besides three times what it takes without a change
SLEEP = 30  # times as many seconds may pass, where others work on the same machine
MEMORY = 3 << 30


class Mutant(NamedTuple):
    """One change: in what function, the text before and after, the new code; lines of both."""

    function: str
    change: str
    code: CodeType
    lines: range
    all_lines: range


def path_of(room: str) -> Path:
    """The file of a room."""
    folder, name = room.split(".")
    return ROOT / "sereval" / folder / f"{name}.py"


def accepted(room: str) -> dict[str, dict[str, str]]:
    """The changes of a room that change nothing, by function, each with its reason."""
    folder, name = room.split(".")
    return ACCEPTED.get(folder, {}).get(name, {})


def outer_functions(room: str) -> dict[str, FunctionType]:
    """The functions of a room and the methods of its classes, by name within it."""
    module = importlib.import_module(f"sereval.{room}")
    found = {}
    spaces = [("", vars(module))]
    spaces += [
        (f"{name}.", vars(one))
        for name, one in vars(module).items()
        if inspect.isclass(one) and one.__module__ == module.__name__
    ]
    for prefix, space in spaces:
        for name, one in space.items():
            one = getattr(one, "fget", None) or getattr(one, "__func__", one)
            one = inspect.unwrap(one) if callable(one) else one
            if isinstance(one, FunctionType) and one.__module__ == module.__name__:
                found[prefix + name] = one
    return found


LEFT_ALONE = (
    libcst.Raise,
    libcst.Assert,
    libcst.Annotation,
    libcst.Parameters,
    libcst.Decorator,
)


class _Places(libcst.CSTVisitor):
    """Nodes of a function's body that may be changed."""

    def __init__(self) -> None:
        self.nodes: list[libcst.CSTNode] = []

    def on_visit(self, node: libcst.CSTNode) -> bool:
        if isinstance(node, LEFT_ALONE):
            return False
        self.nodes.append(node)
        return True


def mutants(room: str) -> Iterator[Mutant]:
    """All mutants of a room, from its first line to its last."""
    functions = outer_functions(room)
    whole = MetadataWrapper(libcst.parse_module(path_of(room).read_text("utf-8")))
    places, tree = whole.resolve(PositionProvider), whole.module
    for prefix, body in [("", tree.body), *_classes(tree)]:
        for function in body:
            name = prefix + function.name.value if isinstance(function, libcst.FunctionDef) else ""
            if name in functions:
                yield from _changed(name, functions[name], function, places)


def _classes(tree: libcst.Module) -> Iterator[tuple[str, list[libcst.CSTNode]]]:
    for one in tree.body:
        if isinstance(one, libcst.ClassDef):
            yield f"{one.name.value}.", list(one.body.body)


def _changed(
    name: str,
    function: FunctionType,
    tree: libcst.FunctionDef,
    places: Mapping[libcst.CSTNode, CodeRange],
) -> Iterator[Mutant]:
    body = _Places()
    tree.body.visit(body)
    bare = tree.with_changes(decorators=(), leading_lines=())
    before = libcst.Module([bare]).code
    times: Counter[str] = Counter()
    for node in body.nodes:
        for kind, operator in mutation_operators:
            for other in operator(node) if isinstance(node, kind) else ():
                text = libcst.Module([bare.deep_replace(node, other)]).code
                code = _compiled(text)
                if code is None or code.co_freevars != function.__code__.co_freevars:
                    continue
                if text.count(ASSERTED) < before.count(ASSERTED):
                    continue
                change = _difference(before, text)
                times[change] += 1
                change += f" ({times[change]})" if times[change] > 1 else ""
                yield Mutant(name, change, code, _lines(places[node]), _lines(places[tree]))


def _lines(place: CodeRange) -> range:
    return range(place.start.line, place.end.line + 1)


def _difference(before: str, after: str) -> str:
    """The lines that differ: what is changed is known by them wherever it moves to in its file."""
    lines, others = before.splitlines(), after.splitlines()
    ahead = len(commonprefix([lines, others]))
    lines, others = lines[ahead:][::-1], others[ahead:][::-1]
    behind = len(commonprefix([lines, others]))
    was, now = (" ".join(" ".join(ls[behind:][::-1]).split()) for ls in (lines, others))
    return f"{was} -> {now}"


def _compiled(text: str) -> CodeType | None:
    """The code of the one function of a text; ``None`` if it is no Python."""
    try:
        whole = compile(f"from __future__ import annotations\n{text}", "mutant", "exec")
    except SyntaxError:
        return None
    return next(c for c in whole.co_consts if isinstance(c, CodeType))


class Trial:
    """A plugin of pytest: tries the tests as they are, then each mutant."""

    def __init__(self, room: str, only: str, enough: float, every: int, again: str | None) -> None:
        self.room, self.only, self.enough, self.every = room, only, enough, every
        self.again = again
        self.sums: Counter[str] = Counter()
        self.accepted = {
            (function, change)
            for function, changes in accepted(room).items()
            for change in changes
            if function.startswith(only)
        }
        self.wrong = 0
        self.tests_of: dict[int, set[int]] = {}
        self.takes: list[float] = []
        self.kills: Counter[int] = Counter()
        self.fail: Callable[[], None] | None = None  # what is done at once when a test fails

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, call: pytest.CallInfo) -> None:
        """Ahead of pytest's own report of a failure, which takes longer than most tests."""
        failed = call.excinfo and not call.excinfo.errisinstance(pytest.skip.Exception)
        if failed and self.fail is not None:
            self.fail()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In the place of pytest's own loop."""
        functions = outer_functions(self.room)
        self.items = session.items
        gc.unfreeze()  # what a room before this one has left
        see_caches()
        self._see_lines()
        see_caches()
        gc.freeze()  # what is there is left where it is: processes share it
        self._see_times()
        found = set()
        for mutant in mutants(self.room):
            if mutant.function.startswith(self.only):
                found.add(mutant[:2])
                name = f": {self.room}.{mutant.function}: {mutant.change}\n"
                if len(found) % self.every or not (self.again is None or name in self.again):
                    self.sums["not tried"] += 1
                else:
                    self._judge(mutant, self._try(mutant, functions[mutant.function]))
        for function, change in sorted(self.accepted - found):
            self._say("accepted, but there is none", function, change)
        return True

    def _judge(self, mutant: Mutant, what: str) -> None:
        is_accepted = mutant[:2] in self.accepted
        if is_accepted and what == "survived":
            what = "explained"
        elif is_accepted or what in ("survived", "not reached"):
            self._say(f"accepted, but {what}" if is_accepted else what, *mutant[:2])
        self.sums[what] += 1

    def _say(self, what: str, function: str, change: str) -> None:
        self.wrong += 1
        print(f"{what}: {self.room}.{function}: {change}", flush=True)

    def _see_lines(self) -> None:
        """Which tests come upon which lines."""
        path = str(path_of(self.room))
        seen = coverage.Coverage(data_file=None, config_file=False, include=[path])
        seen.start()
        for place, item in enumerate(self.items):
            example = getattr(item, "dtest", None)
            names = dict(example.globs) if example else {}
            forget()
            seen.switch_context(str(place))
            reports = runtestprotocol(item, log=False)
            if example:
                example.globs.update(names)  # doctest clears them, and there is a second time
            if any(report.failed for report in reports):
                raise SystemExit(f"{item.nodeid} fails without a change")
        seen.stop()
        for line, places in seen.get_data().contexts_by_lineno(path).items():
            self.tests_of[line] = {int(place) for place in places if place}

    def _see_times(self) -> None:
        """How long each test takes, which must hold a second time as well."""

        def work(tell: Callable[[object], None]) -> None:
            takes = []
            for item in self.items:
                begin = time.process_time()
                forget()
                if any(report.failed for report in runtestprotocol(item, log=False)):
                    tell(item.nodeid)
                takes.append(round(time.process_time() - begin, 4))
            tell(takes)

        self.takes = in_a_process(work)
        if not isinstance(self.takes, list):
            raise SystemExit(f"{self.takes} fails without a change, tried a second time")

    def _tests(self, lines: range) -> set[int]:
        return set().union(*(self.tests_of.get(line, ()) for line in lines))

    def _try(self, mutant: Mutant, function: FunctionType) -> str:
        tests = self._tests(mutant.lines) or self._tests(mutant.all_lines)
        if not tests:
            return "not reached"
        tests = sorted(tests, key=lambda place: self.takes[place] / (1 + self.kills[place]))
        last = bisect_right(list(accumulate(self.takes[place] for place in tests)), self.enough)
        tests = tests[: max(1, last)]

        def work(tell: Callable[[object], None]) -> None:
            function.__code__ = mutant.code
            forget()
            for place in tests:
                limit_work(PATIENCE + 3 * self.takes[place])
                self.fail = functools.partial(tell, place)
                item = self.items[place]
                handle = getattr(getattr(item, "obj", None), "hypothesis", None)
                if handle is not None:
                    handle.inner_test = _hasty(handle.inner_test, self.fail)
                runtestprotocol(item, log=False)
            tell("survived")

        told = in_a_process(work)
        if isinstance(told, int):
            self.kills[told] += 1
            return "killed"
        return told or "never ended"


def in_a_process(work: Callable) -> object:
    """What some work tells, which then ends; ``None`` if it is ended without a word."""
    ear, mouth = os.pipe()

    def tell(what: object) -> None:
        os.write(mouth, json.dumps(what).encode())
        os._exit(0)

    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        work(tell)
    os.close(mouth)
    os.waitpid(child, 0)
    os.set_blocking(ear, False)  # what the work began may still hold the other end
    try:
        told = os.read(ear, 1 << 20)
    except BlockingIOError:
        told = b""
    os.close(ear)
    return json.loads(told) if told else None


def limit_work(seconds: float) -> None:
    """The process is killed after so many more of work."""
    until = math.ceil(time.process_time() + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (until, resource.RLIM_INFINITY))
    signal.alarm(SLEEP * math.ceil(seconds))


def forget() -> None:
    """Nothing is known from before."""
    for one in CACHES:
        one.cache_clear()


CACHES: list[functools._lru_cache_wrapper] = []


def see_caches() -> None:
    """All caches of the package's functions."""
    CACHES[:] = [
        one
        for one in gc.get_objects()
        if isinstance(one, functools._lru_cache_wrapper) and one.__module__.startswith("sereval")
    ]


def _hasty(test: Callable, tell: Callable[[], None]) -> Callable:
    """A test of hypothesis that ends all at its first failure, which nobody need see smaller."""

    from hypothesis.errors import HypothesisException  # pytest wants to be first to import it

    @functools.wraps(test)
    def tried(*args, **named):
        try:
            return test(*args, **named)
        except (HypothesisException, pytest.skip.Exception):
            raise
        except Exception:  # noqa: BLE001 - whatever it is
            tell()

    return tried


def _place(test: str) -> str:
    """Where pytest finds a file of tests, or one test of it."""
    file, *name = test.split("::")
    [path] = TESTS.glob(f"*/{file}.py")
    return "::".join([str(path), *name])


def main() -> int:
    """Try rooms; the status is whether anything survived that is not explained."""
    given = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    given.add_argument("names", nargs="*", metavar="ROOM[.FUNCTION]", help="all, if there is none")
    given.add_argument("--seconds", type=float, default=ENOUGH, help="of tests for a mutant")
    given.add_argument("--every", type=int, default=1, metavar="N", help="try each Nth change only")
    given.add_argument("--again", type=Path, metavar="FILE", help="what this file has, only")
    options = given.parse_args()
    again = options.again and options.again.read_text("utf-8")
    wrong = 0
    for name in options.names or ROOMS:
        folder, room, *only = name.split(".", 2)
        room = f"{folder}.{room}"
        trial = Trial(room, "".join(only), options.seconds, options.every, again)
        paths = [_place(test) for test in dict.fromkeys(ROOMS[room])]
        paths.append(str(path_of(room)))
        quiet = ["--capture=no", "-p", "no:cacheprovider", "-p", "no:terminal", "--assert=plain"]
        quiet += ["-m", "not long"]
        slow = [f"--deselect={_place(test)}" for test in SLOW]
        status = pytest.main([*quiet, *slow, *paths], plugins=[trial])
        sums = ", ".join(f"{number} {what}" for what, number in sorted(trial.sums.items()))
        print(f"{name}: {trial.sums.total()} changes, {sums}", flush=True)
        wrong += trial.wrong or int(status != pytest.ExitCode.OK)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
