"""The page: a score, or several systems, with every element in a time line.

A page is one file that needs no network. It holds a line of JSON for each document (``scene``) and
the JSON of all figures (``tables``); the script draws both. Style and script are files of this
package, and the content security policy allows no others. A corpus that is too large for one file
is split: into pages of some documents each, and an index with the figures.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import resources
from itertools import chain, count, islice
from typing import Any, NamedTuple

from ...analysis.audit import (
    NAMES,
    Audit,
    Audits,
    SlotCase,
    audit,
)
from ...analysis.blame import Blame
from ...analysis.compare import Comparison, with_interval
from ...analysis.rates import with_outcomes
from ...analysis.resampling import Resampling
from ...analysis.strata import Strata
from ...analysis.sweep import Sweep
from ...errors import SerevalError
from ...schemes.table import schemes_that_count
from .recordings import Recording
from .scene import scene
from .tables import (
    BADGES,
    Cells,
    Confusion,
    Runs,
    figures,
    kinds,
    of_strata,
    section,
    tolerances,
)

SCRIPT = ("dom", "tables", "figures")
"""The parts of the script that draw the figures, in order; they share their names."""

LATE = ("data", "scale", "draw", "entries", "strip", "page", "sound", "chart", "notes", "start")
"""The parts that draw the documents. They run after the page is first painted."""


class Extras(NamedTuple):
    """What a page shows besides scores."""

    title: str = ""
    report: str = ""  # the text of a report, which the page quotes
    recordings: Mapping[str, Recording] = {}  # by a document's id
    # of a system in a condition; that of the only system has a section
    blames: Mapping[tuple[str, str], Blame] = {}
    resampling: Resampling = Resampling()  # for the interval beside the rate
    strata: Strata | None = None
    compared: Comparison | None = None  # is told on top and beside the rates of the systems
    command: str = ""  # the command line that made the page


NOTHING = Extras()


def page(of: object) -> str:
    """The page of a result in one file."""
    [(_, text)] = pages(*contents(of))
    return "".join(text)


def contents(of: object) -> tuple[Runs, Extras]:
    """The scores that the page of a result shows, and what it shows besides."""
    if isinstance(of, Comparison):
        systems = {
            condition.name: {one.name: [with_outcomes(one.evaluation)] for one in condition.systems}
            for condition in of.conditions
        }
        costs = {(one.condition, one.system): one.blame for one in of.blames}
        return systems, Extras(report=of.report().lines(), blames=costs, compared=of)
    if isinstance(of, Sweep):
        few = Resampling(resamples=1000)  # for each of many tolerances
        scores = {
            name: [with_interval(score, few) for score in its] for name, its in of.scores().items()
        }
        return {"": scores}, Extras(report=of.report().lines())
    if isinstance(of, Blame):
        return {"": {"": [of.score()]}}, Extras(blames={("", ""): of}, resampling=of.resampling)
    return {"": {"": [with_outcomes(of.score if isinstance(of, Audits) else of)]}}, NOTHING


def pages(
    runs: Runs, extras: Extras = NOTHING, size: int | None = None
) -> Iterator[tuple[str, Iterator[str]]]:
    """The files of a page: their names and the pieces of their texts, to be written in order."""
    number, first = count(), [next(iter(systems.values())) for systems in runs.values()]
    places = [{id: 1 + next(number) // size if size else 0 for id in s[0].ids} for s in first]
    last = max(chain.from_iterable(its.values() for its in places), default=0)
    confusion: Confusion = {}
    articles = _articles(runs, extras, places, confusion)
    score = first[0][0]
    systems = dict.fromkeys(chain.from_iterable(runs.values()))
    shared: dict[str, object] = {
        "title": extras.title,
        "names": NAMES,
        "badges": BADGES,
        "systems": [*systems],
        "conditions": list(runs),
        "tolerances": tolerances(first[0]),
        "kinds": kinds(score),
        # whether labels and texts are compared, not places
        "lists": score.signature[0][0] in schemes_that_count("lists"),
        "signature": str(score.signature),
        "last": last,
    }
    for at in range(1, last + 1):
        yield f"{at}.html", _file(islice(articles, size), dict, **shared, page=at)
    blame = extras.blames.get(("", "")) if len(systems) == 1 else None
    shared["places"] = places if size else None
    shared["report"], shared["command"] = extras.report, extras.command
    shared["summary"] = extras.compared.report().headline if extras.compared else ()
    shared["intervals"] = extras.compared.intervals if extras.compared else {}
    shared["strata"] = of_strata(extras.strata) if extras.strata else []
    shared["blame"] = section(blame) if blame else None
    yield (
        "index.html",
        _file(articles, lambda: figures(runs, confusion, extras.resampling), **shared),
    )


def _articles(
    runs: Runs, extras: Extras, places: Sequence[Mapping[str, int]], confusion: Confusion
) -> Iterator[dict[str, object]]:
    """The data of each document in each condition; only one is in memory. Counts its cases."""
    for condition, (name, systems) in enumerate(runs.items()):
        width = len(systems)
        known = [extras.blames.get((name, system)) for system in systems]
        blames = [{one.id: one for one in blame.documents} if blame else {} for blame in known]
        scores = chain.from_iterable(zip(*systems.values(), strict=True))
        for row in zip(*map(audit, scores), strict=True):
            audits = [row[k : k + width] for k in range(0, len(row), width)]
            id = row[0].id
            heard = extras.recordings.get(id, Recording())
            _check_words(audits[0], name, list(systems))
            for setting, at in enumerate(audits):
                for system, its in enumerate(at):
                    cells = confusion.setdefault((condition, setting, system), {})
                    _count(its.cases, cells, places[condition][id])
            yield {
                "condition": condition,
                **scene(audits, [of.get(id) for of in blames]),
                "sound": heard.sound,
                "peaks": heard.peaks,
            }


def _count(cases: Iterable[SlotCase], cells: Cells, page: int) -> None:
    """Count the cases of a document, which stands on a page."""
    for (cell, letter), number in Counter((case.cell, case.letter) for case in cases).items():
        if cell is not None:
            letters, first = cells.get(cell, (Counter(), page))
            is_first = letter != "C" and letters.keys() <= {"C"}
            cells[cell] = letters, page if is_first else first
            letters[letter] += number


def _check_words(audits: Sequence[Audit], name: str, systems: Sequence[str]) -> None:
    """Refuse systems of different words."""
    first = audits[0].hypothesis_words
    for system, its in zip(systems, audits, strict=True):
        own = its.hypothesis_words
        if (own.words, own.times) != (first.words, first.times):
            raise SerevalError(
                f"{name}: {system} has other words than {systems[0]} in {its.id}, "
                "expected the same words for one drawing"
            )


# --- the file ------------------------------------------------------------------------------------


def _file(
    rows: Iterable[object], figures: Callable[[], dict[str, object]], **shared: Any
) -> Iterator[str]:
    """The pieces of a file: a line for each row; the figures are asked for after them."""
    title, script = shared["title"], _script()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    parts: dict[str, Iterable[str]] = {
        "digest": [digest],
        "title": [html.escape(f"{title} · sereval" if title else "sereval")],
        # without the spaces that only help who writes it
        "style": [re.sub(r"\s*([{};,])\s*|(?<=:) ", r"\1", "\n".join(_lines("page.css")))],
        "rows": (f"{embedded(row)}\n" for row in rows),
        "data": (embedded({**shared, **of_all()}) for of_all in [figures]),
        "script": [script],
    }
    for k, piece in enumerate(re.split(r"\{\{(\w+)\}\}", _text("page.html"))):
        yield from parts[piece] if k % 2 else [piece]


def embedded(value: object) -> str:
    """A value as JSON that can stand in an HTML page."""
    found = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return found.replace("<", "\\u003c")


def _script() -> str:
    early, late = (
        chain.from_iterable(_lines(f"{name}.js") for name in part) for part in (SCRIPT, LATE)
    )
    lines = ["(() => {", '"use strict";', *early, "afterPaint(() => {", *late, "});", "})();"]
    return "\n".join(lines)


def _lines(name: str) -> Iterator[str]:
    """The lines of a template file, without indents, empty lines and whole-line comments."""
    for line in map(str.strip, _text(name).splitlines()):
        if line and not line.startswith(("//", "/*")):
            yield line


def _text(name: str) -> str:
    return resources.files(__name__).joinpath("templates", name).read_text("utf-8")
