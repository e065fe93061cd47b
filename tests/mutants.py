"""Whether the tests would notice: small changes to the code of the core, one at a time.

Each *mutant* is one change in one function of a room: a comparison turned round, a sum made a
difference, a number one more, an argument left out, by the operators of mutmut. It is *killed* if
a test fails with it or never ends, else it *survives*: then a test is missing, or the change is
none (``docs/trust.md`` tells which are which). Texts of errors, annotations and defaults are left
as they are, and so is what is no function.

    python tests/mutants.py prices score     # these rooms, or all
    python tests/mutants.py clusters._latest # one function

The tests are collected once and tried once as they are, to see which functions each of them calls.
Then each mutant has a process of its own, which puts the changed code into the function and tries
the tests that call it, the quickest first. Prints a line for each survivor, and the sums.
"""

import functools
import gc
import importlib
import inspect
import os
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import NamedTuple

import libcst
import pytest
from _pytest.runner import runtestprotocol
from mutmut.mutation.mutators import mutation_operators

ROOT = Path(__file__).parents[1]
LAWS = ("test_definition", "test_trust", "test_lne")
ROOMS = {  # and the tests that are to notice, besides the examples in the room
    "prices": ("test_prices",),
    "score": ("test_score",),
    "project": ("test_definition", "test_align", "test_trust"),
    "clusters": (*LAWS, "test_exact"),
    "mapping": (*LAWS, "test_exact"),
    "dues": ("test_search",),
    "search": ("test_search", *LAWS, "test_exact"),
    "words": ("test_words",),
    "outcomes": LAWS,
    "upper_bound": ("test_align", "test_definition"),
    "settings": (*LAWS, "test_labels", "test_align"),
    "totals": (*LAWS, "test_labels", "test_python"),
    "evaluate": (*LAWS, "test_labels", "test_align", "test_python"),
    "model": ("test_python", *LAWS),
}
PATIENCE = 2  # seconds of work besides three times what the tests take without a change
MEMORY = 4 << 30
SURVIVED, KILLED = 0, 1


class Mutant(NamedTuple):
    """One change: where, in what function, what it was and is, and the function's new code."""

    line: int
    function: str
    change: str
    code: CodeType


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


class _Places(libcst.CSTVisitor):
    """Nodes of a function's body that may be changed."""

    def __init__(self) -> None:
        self.nodes: list[libcst.CSTNode] = []

    def on_visit(self, node: libcst.CSTNode) -> bool:
        if isinstance(node, libcst.Raise | libcst.Annotation | libcst.Parameters):
            return False
        self.nodes.append(node)
        return True


def mutants(room: str) -> Iterator[Mutant]:
    """All mutants of a room, from its first line to its last."""
    functions = outer_functions(room)
    tree = libcst.parse_module((ROOT / "sereval" / f"{room}.py").read_text("utf-8"))
    for prefix, body in [("", tree.body), *_classes(tree)]:
        for function in body:
            name = prefix + function.name.value if isinstance(function, libcst.FunctionDef) else ""
            if name in functions:
                yield from _changed(name, functions[name], function)


def _classes(tree: libcst.Module) -> Iterator[tuple[str, list[libcst.CSTNode]]]:
    for one in tree.body:
        if isinstance(one, libcst.ClassDef):
            yield f"{one.name.value}.", list(one.body.body)


def _changed(name: str, function: FunctionType, tree: libcst.FunctionDef) -> Iterator[Mutant]:
    places = _Places()
    tree.body.visit(places)
    bare = tree.with_changes(decorators=())
    for node in places.nodes:
        for kind, operator in mutation_operators:
            for other in operator(node) if isinstance(node, kind) else ():
                text = libcst.Module([bare.deep_replace(node, other)]).code
                code = _compiled(text)
                if code is None or code.co_freevars != function.__code__.co_freevars:
                    continue
                was, now = (libcst.Module([]).code_for_node(n).strip() for n in (node, other))
                line = function.__code__.co_firstlineno
                yield Mutant(line, name, f"{was}  ->  {now}", code)


def _compiled(text: str) -> CodeType | None:
    """The code of the one function of a text; ``None`` if it is no Python."""
    try:
        whole = compile(f"from __future__ import annotations\n{text}", "mutant", "exec")
    except SyntaxError:
        return None
    return next(c for c in whole.co_consts if isinstance(c, CodeType))


class Trial:
    """A plugin of pytest: tries the tests as they are, then each mutant."""

    def __init__(self, room: str, only: str) -> None:
        self.room, self.only = room, only
        self.sums: Counter[str] = Counter()
        self.survivors: list[Mutant] = []
        self.calls: dict[str, list[tuple[float, pytest.Item]]] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In the place of pytest's own loop."""
        functions = outer_functions(self.room)
        name_of = {function.__code__: name for name, function in functions.items()}
        for item in session.items:
            self._try_unchanged(item, name_of)
        self._check(functions)
        for mutant in mutants(self.room):
            if mutant.function.startswith(self.only):
                what = self._try(mutant, functions[mutant.function])
                self.sums[what] += 1
                if what in ("survived", "not called"):
                    self.survivors.append(mutant)
                    where = f"{self.room}.{mutant.function}"
                    print(f"{what}: {where}: {' '.join(mutant.change.split())}", flush=True)
        return True

    def _try_unchanged(self, item: pytest.Item, name_of: dict[CodeType, str]) -> None:
        called: set[str] = set()

        def see(frame, event, _):
            if event == "call" and frame.f_code in name_of:
                called.add(name_of[frame.f_code])

        example = getattr(item, "dtest", None)
        names = dict(example.globs) if example else {}
        begin = time.process_time()
        forget()
        sys.setprofile(see)
        reports = runtestprotocol(item, log=False)
        sys.setprofile(None)
        if example:
            example.globs.update(names)  # doctest clears them, and there is a second time
        if any(report.failed for report in reports):
            raise SystemExit(f"{item.nodeid} fails without a change")
        for name in called:
            self.calls.setdefault(name, []).append((time.process_time() - begin, item))

    def _check(self, functions: dict[str, FunctionType]) -> None:
        """See that code which is put in its own place survives: tests may be tried twice."""
        busiest = max(self.calls, key=lambda name: len(self.calls[name]))
        same = Mutant(0, busiest, "", functions[busiest].__code__)
        if self._try(same, functions[busiest]) != "survived":
            raise SystemExit(f"{self.room}: tests fail without a change, tried a second time")

    def _try(self, mutant: Mutant, function: FunctionType) -> str:
        tests = sorted(self.calls.get(mutant.function, ()), key=lambda test: test[0])
        if not tests:
            return "not called"
        child = os.fork()
        if not child:
            limit = int(PATIENCE + 3 * sum(took for took, _ in tests))
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            for stream in (1, 2):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
            function.__code__ = mutant.code
            forget()
            os._exit(_outcome([item for _, item in tests]))
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            return "never ended"
        return "survived" if os.WEXITSTATUS(status) == SURVIVED else "killed"


def forget() -> None:
    """Nothing is known from before."""
    for one in gc.get_objects():
        if isinstance(one, functools._lru_cache_wrapper) and one.__module__.startswith("sereval"):
            one.cache_clear()


def _outcome(items: list[pytest.Item]) -> int:
    for item in items:
        handle = getattr(getattr(item, "obj", None), "hypothesis", None)
        if handle is not None:
            handle.inner_test = _hasty(handle.inner_test)
        if any(report.failed for report in runtestprotocol(item, log=False)):
            return KILLED
    return SURVIVED


def _hasty(test):
    """A test of hypothesis that ends all at its first failure, which nobody need see smaller."""

    from hypothesis.errors import HypothesisException  # pytest wants to be first to import it

    @functools.wraps(test)
    def tried(*args, **named):
        try:
            return test(*args, **named)
        except (HypothesisException, pytest.skip.Exception):
            raise
        except Exception:  # noqa: BLE001 - whatever it is
            os._exit(KILLED)

    return tried


def main(names: list[str]) -> int:
    """Try rooms; the status is whether anything survived."""
    sums: Counter[str] = Counter()
    for name in names or ROOMS:
        room, _, only = name.partition(".")
        trial = Trial(room, only)
        paths = [str(ROOT / "tests" / f"{test}.py") for test in dict.fromkeys(ROOMS[room])]
        paths.append(str(ROOT / "sereval" / f"{room}.py"))
        quiet = ["--capture=no", "-p", "no:cacheprovider", "-p", "no:terminal"]
        pytest.main([*quiet, *paths], plugins=[trial])
        print(f"{name}: {trial.sums.total()} mutants, {dict(sorted(trial.sums.items()))}")
        sums += trial.sums
    return 1 if sums["survived"] or sums["not called"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
