"""The reports of comparisons and campaigns: of systems on several words, of groups of documents.

``report_of`` is the report of ``sereval compare``, ``report_of_blames`` that of ``sereval blame
--campaign``. Both show the same tables of what the recognisers cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..errors import one_line
from ..evaluation.report import (
    WORDS,
    reading_notes,
    word_rows,
    words_cells,
    words_lines,
)
from ..measures.figures import Figure
from ..measures.rates import Rate
from ..render.report import (
    Look,
    Report,
    Table,
    columns,
    filled,
    prefixed,
    row,
    rows,
    stacked,
    values,
)
from ..render.text import (
    TERMINAL,
    chance,
    clip,
    counted,
    lines,
    percent,
    points,
    side_by_side,
    signed,
)
from ..schemes.report import EQUAL, LAYOUTS
from ..schemes.result import SchemeScore
from .blame_report import FORMS as BLAME
from .blame_report import PARTS, bracket, in_percent, signature
from .blame_report import table_rows as blame_rows
from .compare import Comparison, Condition, Difference, Interval, LabelDifference, System
from .rates import Score, exact_rate
from .resampling import FEW, Resampling
from .significance import least_p

if TYPE_CHECKING:
    from .blame import Blame
    from .campaign import Campaign, SystemBlame

COUNTED = {
    one.name: one._replace(type=f"{one.type}?")
    for own, _ in LAYOUTS.values()
    for one in own
    if one.name not in ("f1", "error_rate", "errors")
}
"""The counts of other schemes, those of the figure that is compared."""

COMPARED = {
    "systems": Table(
        (
            *columns("condition text", "system text", "value", "low", "high", "undefined integer"),
            *columns("errors", "size", "loss number?", "unplaceable integer?"),
            *COUNTED.values(),
        )
    ),
    "differences": rows(
        *("condition text", "first text", "second text", "value", "low", "high"),
        *("undefined integer", "p", "holm", "exact boolean", "arrangements integer"),
        *("finds", "needs integer?"),
    ),
    "labels": rows(
        *("condition text", "first text", "second text", "label text", "size_first", "size_second"),
        *("errors", "D", "I", "S"),
    ),
    "documents": rows("condition text", "system text", "document text", "value")._replace(
        kind="detail"
    ),
    "conditions": rows(
        *("condition text", "measure text", "better text", "documents integer", "unit text"),
        *("units integer", "signature text"),
    ),
    "identical": rows("condition text", "systems texts"),
    **prefixed(WORDS, "condition text", "system text"),
}
"""The tables of a comparison; differences by label are of errors."""


def _compared(comparison: Comparison) -> dict[str, Iterable[Sequence[Any]]]:
    """The rows of ``COMPARED``."""
    conditions = comparison.conditions
    every = [(one, system) for one in conditions for system in one.systems]
    pairs = [(one, pair) for one in conditions for pair in one.differences]
    words = (
        ((one.name, system.name), word_rows(system.evaluation.word_score)) for one, system in every
    )
    return {
        "systems": (_system(comparison, one, system) for one, system in every),
        "differences": (_difference(one, pair) for one, pair in pairs),
        "labels": (
            (
                *(one.name, pair.first, pair.second, label.label, *label.refs, label.total),
                *_kinds(label),
            )
            for one, pair in pairs
            for label in pair.labels
        ),
        "documents": (
            (one.name, system.name, id, one.measure.of(errors))
            for one, system in every
            for id, errors in system.evaluation.each_document()
        ),
        "conditions": (
            (
                *(one.name, one.measure.title, one.measure.is_better, one.documents),
                *(one.unit, one.units, str(comparison.signature(one))),
            )
            for one in conditions
        ),
        "identical": ((one.name, names) for one in conditions for names in one.identical),
        **stacked(words),
    }


def _system(comparison: Comparison, condition: Condition, system: System) -> list[Any]:
    """A system under the columns of ``systems``."""
    score, ends = system.evaluation, system.interval
    errors = score.errors
    loss = comparison.loss(condition, system.name) if _has_loss(comparison, condition) else None
    counts = getattr(score, "counts", None)
    own: dict[str, Any] = {}
    if isinstance(score, SchemeScore):
        figure = score.total.get(score.rate.figure, Figure())
        layout, _ = LAYOUTS[type(figure)]
        cells = values(layout, figure, EQUAL)
        own = {one.name: cell for one, cell in zip(layout, cells, strict=True)}
    return [
        *(condition.name, system.name, exact_rate(score)),
        *(ends.low, ends.high, ends.undefined),
        *(errors.total, errors.size, loss, counts and counts.unplaceable),
        *(own.get(name) for name in COUNTED),
    ]


def _difference(condition: Condition, pair: Difference) -> tuple[Any, ...]:
    """A pair under the columns of ``differences``."""
    ends, test = pair.interval, pair.test
    tested = (None, None, None) if test is None else (test.p, test.exact, test.arrangements)
    return (
        *(condition.name, pair.first, pair.second, pair.rate, ends.low, ends.high),
        *(ends.undefined, tested[0], pair.holm, *tested[1:]),
        *((pair.power.finds, pair.power.needs) if pair.power else (None, None)),
    )


def _all_notes(comparison: Comparison) -> list[str]:
    """The notes of all systems, each once."""
    every = (system for one in comparison.conditions for system in one.systems)
    found = (
        f"{one_line(system.name)}: {note}" for system in every for note in _notes(system.evaluation)
    )
    return [*dict.fromkeys(found)]


OF_BLAME = ("corners", "intervals", "labels", "outcomes", "words", "word_elements", "resampling")
"""The tables of a blame that a comparison has, under names that begin with ``blame_``."""

BLAMES = prefixed(BLAME, "system text", "condition text")
"""The tables of several blames."""

FORMS = {
    **prefixed({**COMPARED, **{f"blame_{name}": BLAMES[name] for name in OF_BLAME}}, "group text?"),
    "groups": rows("group text", "documents texts"),
    "resampling": row("resamples integer", "seed integer", "confidence"),
}
"""The tables of a campaign; rows without a group are of all documents."""


def report_of(
    comparison: Comparison, blames: Sequence[SystemBlame], groups: Mapping[str, Campaign]
) -> Report:
    """The comparison, with what the recognisers cost; then the same for each group."""
    sampled = comparison.resampling
    parts: list[tuple[tuple[str | None], Any]] = [((None,), _rows(comparison, blames))]
    parts += [((name,), _rows(one.comparison, one.blames)) for name, one in groups.items()]
    tables = filled(
        FORMS,
        **stacked(parts),
        groups=((name, one.documents) for name, one in groups.items()),
        resampling=[(sampled.resamples, sampled.seed, sampled.confidence)],
    )
    signed = "; ".join(_signatures(comparison, blames))
    return Report(
        "compare",
        tables,
        lambda _: _text(comparison, blames, groups),
        signed,
        _all_notes(comparison),
        sentences(comparison),
    )


def _rows(
    comparison: Comparison, blames: Sequence[SystemBlame]
) -> dict[str, Iterable[Sequence[Any]]]:
    """The rows of a campaign or of a group."""
    found = _of_blames(blames, comparison.resampling)
    own = {f"blame_{name}": found[name] for name in OF_BLAME if name in found}
    return {**_compared(comparison), **own}


def _of_blames(
    blames: Sequence[SystemBlame], resampling: Resampling
) -> dict[str, list[Sequence[Any]]]:
    return stacked(
        ((one.system, one.condition), blame_rows(one.blame, resampling)) for one in blames
    )


def report_of_blames(rows: Sequence[SystemBlame], resampling: Resampling) -> Report:
    """The tables of the costs of each system on the words of each recogniser."""
    signed = cost_signatures(rows, resampling)

    def text(_: Look) -> list[str]:
        return [*cost_lines(rows, resampling), *signed]

    tables = filled(BLAMES, **_of_blames(rows, resampling))
    return Report("blame", tables, text, "; ".join(signed))


# The comparison

LABELS = 5  # labels that the text shows for each pair; JSON and CSV have all labels


def body(comparison: Comparison, beside: Iterable[str] = ()) -> list[str]:
    """A table of systems by conditions, then the differences in each condition."""
    resampling, measure = comparison.resampling, comparison.measure
    is_higher = measure.is_better == "higher" and comparison.has_one_measure
    better = ", higher is better" if is_higher else ""
    title = f"{measure.title} in percent" if comparison.has_one_measure else "In percent"
    parts = [
        f"{title}{better}, with {resampling.confidence * 100:g} % intervals "
        f"(expanded bootstrap, {counted(resampling.resamples, 'resample')}).",
        "",
        *_systems(comparison),
        *([] if comparison.has_one_measure else _better(comparison)),
        *beside,
    ]
    for condition in comparison.conditions:
        parts += ["", *_condition(condition, resampling)]
    return parts


def _better(comparison: Comparison) -> Iterator[str]:
    """Under which measures a higher value is better, and under which a lower one."""
    yield ""
    for better in ("lower", "higher"):
        names = [one.name for one in comparison.conditions if one.measure.is_better == better]
        if names:
            yield f"{better.capitalize()} is better: {'; '.join(map(one_line, names))}."


def signatures(comparison: Comparison) -> list[str]:
    """The signature of each condition, after its name."""
    return [
        f"{one_line(condition.name)}: {comparison.signature(condition)}"
        for condition in comparison.conditions
    ]


def _systems(comparison: Comparison) -> Iterator[str]:
    """Tables with a row for each system and a column for each condition."""
    columns: list[list[str]] = []
    words: set[tuple[str, ...]] = set()
    for condition in comparison.conditions:
        rates, *beside = _columns(comparison, condition)
        columns.append(rates)
        for column in beside:  # measures share the words
            if comparison.has_one_measure or tuple(column[1:]) not in words:
                columns.append(column)
            words.add(tuple(column[1:]))
    tables = side_by_side([["", *map(one_line, comparison.systems)]], columns)
    for k, table in enumerate(tables):
        yield from [""] if k else []
        yield from lines(table)


def _columns(comparison: Comparison, condition: Condition) -> Iterator[list[str]]:
    """The columns of a condition: its rate, its loss, and word error rates if a word is wrong."""
    name, names = one_line(condition.name), comparison.systems
    yield [name, *_column(condition, names)]
    if _has_loss(comparison, condition):
        losses = (comparison.loss(condition, system) for system in names)
        yield [f"{name}: loss", *map(points, losses)]
    words = {system.name: system.evaluation.word_errors for system in condition.systems}
    if any(words.values()):
        cells = (words_cells(words.get(system))("", "all") or [""] for system in names)
        yield [f"{name}: WER", *(cell for [cell] in cells)]


def _column(condition: Condition, names: Iterable[str]) -> Iterator[str]:
    """The cells of a condition, one for each system."""
    of = {system.name: system for system in condition.systems}
    rates = {name: _rate(of[name]) for name in of}
    wide = [max(map(len, parts)) for parts in zip(*rates.values(), strict=True)]
    for name in names:
        parts = rates.get(name, ("n/a", "", ""))
        ser, low, high = map(str.rjust, parts, wide)
        yield f"{ser} [{low}, {high}]" if parts[1] else f"{ser}{' ' * (sum(wide[1:]) + 5)}"


def _rate(system: System) -> tuple[str, str, str]:
    """The rate of a system and the ends of its interval, which are empty if it has none."""
    low, high = system.interval.low, system.interval.high
    rate = percent(exact_rate(system.evaluation))
    return (rate, "", "") if low is None else (rate, percent(low), percent(high))


def _condition(condition: Condition, resampling: Resampling) -> Iterator[str]:
    """The resampled units, the difference of each pair, and the labels that differ most."""
    measure = condition.measure
    yield from _units(condition, resampling, measure)
    for names in map(list, condition.identical):
        every = f"{', '.join(map(one_line, names[:-1]))} and {one_line(names[-1])}"
        yield f"{every} are identical: they have the same output in every document."
    if condition.differences:
        yield ""
        yield from _tests(condition, resampling)
    if any(pair.labels for pair in condition.differences):
        yield ""
        yield from _by_label(condition, measure)


def _units(condition: Condition, resampling: Resampling, measure: Rate) -> Iterator[str]:
    """The resampled units, and what limits the intervals and the tests."""
    yield f"{one_line(condition.name)}: {_resampling(condition)}"
    is_tested = bool(condition.differences)
    if condition.units < 2:
        yield f"A single {condition.unit} gives no interval and no significant difference."
    elif condition.unit == "utterance" and condition.units == condition.documents:
        yield "The reference has no utterance boundaries: each document is one utterance."
    elif condition.unit == "utterance":
        small = " and p too small" if is_tested else ""
        yield f"Utterances of one document are alike: intervals may be too narrow{small}."
    if 2 <= condition.units < FEW:
        least = f", and p cannot be below {chance(least_p(condition.units, resampling))}"
        yield (
            f"Fewer than {FEW} {condition.unit}s: intervals are too narrow"
            f"{least if is_tested else ''}."
        )
    known = {one_line(system.name): _notes(system.evaluation) for system in condition.systems}
    for note in dict.fromkeys(note for of_system in known.values() for note in of_system):
        systems = [name for name, of_system in known.items() if note in of_system]
        has_all = len(systems) == len(known)
        yield from [note] if has_all else (f"{name}: {note}" for name in systems)
    left_out = {s.name: s.interval.undefined for s in condition.systems if s.interval.undefined}
    for name, undefined in left_out.items():
        yield (
            f"{counted(undefined, 'resample')} of {one_line(name)} left out: "
            f"{measure.nothing} in them"
        )


def _notes(score: Score) -> tuple[str, ...]:
    """The notes of a score."""
    return (*score.remarks, *reading_notes(score), *words_lines(score.word_errors))


def sentences(comparison: Comparison) -> list[str]:
    """The difference of each pair of systems in words, with its interval and its p."""
    found = []
    for condition in comparison.conditions:
        where = f"{one_line(condition.name)}: " if len(comparison.conditions) > 1 else ""
        for pair in condition.differences:
            if pair.rate is None or pair.test is None:
                continue
            more, less = map(one_line, (pair.first, pair.second))
            low, high = pair.interval.low, pair.interval.high
            if pair.rate < 0:
                more, less = less, more
                low, high = (None if one is None else -one for one in (high, low))
            number = points(abs(pair.rate)).lstrip("+")
            bounds = " to ".join(points(one).lstrip("+") for one in (low, high))
            p = chance(pair.test.p)
            sure = f"{100 * comparison.resampling.confidence:g} % interval {bounds}"
            found.append(
                f"{where}{less} has {number} points less {condition.measure.short} than {more} "
                f"({sure}, p {p if p.startswith('<') else f'= {p}'})."
            )
    return found


def _tests(condition: Condition, resampling: Resampling) -> Iterator[str]:
    """The difference of each pair, with its interval and its p-values."""
    rows = [("", "points", "interval", "p", "Holm", "finds", "needs", "")]
    for pair in condition.differences:
        rows.append(
            (
                _pair(pair),
                points(pair.rate),
                _bracket(pair.interval),
                chance(pair.test.p if pair.test else None),
                chance(pair.holm),
                points(pair.power.finds).lstrip("+") if pair.power else "",
                str(pair.power.needs) if pair.power else "",
                f"exact ({pair.test.arrangements})" if pair.test and pair.test.exact else "",
            )
        )
    yield from lines(rows)
    tests = [pair.test for pair in condition.differences if pair.test]
    every, some = (any(test.exact is is_exact for test in tests) for is_exact in (True, False))
    random = counted(resampling.resamples, "random exchange")
    ways = [*(["all exchanges (exact)"] if every else []), *([random] if some else [])]
    if ways:
        yield (
            f"p from {' or '.join(ways)} of {condition.unit}s: paired permutation test, two-sided."
        )
    if len(tests) > 1:
        yield f"Holm: p adjusted for the {len(tests)} pairs of this condition."
    if any(pair.power for pair in condition.differences):
        yield (
            f"finds: the points that {condition.units} {condition.unit}s show with 80 % power; "
            f"needs: the {condition.unit}s for 1 point."
        )


def _by_label(condition: Condition, measure: Rate) -> Iterator[str]:
    """The labels with the largest differences of errors."""
    yield f"Largest differences of {measure.errors_are} by label: in all, by {measure.kinds}."
    rows: list[tuple[str, ...]] = [("", measure.errors_are, *measure.classes, measure.ref_is)]
    for pair in condition.differences:
        rows += [("",) * 6, (_pair(pair), *([""] * 5)), *_labels(pair)]
    yield from lines(rows)


def _resampling(condition: Condition) -> str:
    documents = counted(condition.documents, "document")
    if condition.unit == "document":
        return f"resampled over {documents}"
    few = " (few)" if condition.documents < FEW else ""
    return f"resampled over {counted(condition.units, 'utterance')} of {documents}{few}"


def _pair(pair: Difference) -> str:
    return f"{one_line(pair.first)} − {one_line(pair.second)}"


def _bracket(interval: Interval) -> str:
    """The interval of a difference, in percentage points."""
    if interval.low is None:
        return "n/a"
    return f"[{points(interval.low)}, {points(interval.high)}]"


def _labels(pair: Difference) -> Iterator[tuple[str, ...]]:
    """The labels that differ most, then the number of other labels that differ."""
    differing = [label for label in pair.labels if label.total or label.D or label.I or label.S]
    for label in differing[:LABELS]:
        costs = (label.total, *_kinds(label))
        yield ("  " + one_line(label.label), *map(signed, costs), _refs(label))
    if len(differing) > LABELS:
        yield (f"  … {counted(len(differing) - LABELS, 'more label')}", *([""] * 5))


def _refs(label: LabelDifference) -> str:
    return "/".join(map(str, dict.fromkeys(label.refs)))


def _has_loss(comparison: Comparison, condition: Condition) -> bool:
    manual = comparison.manual_for(condition)
    return manual is not None and condition is not manual


def _kinds(label: LabelDifference) -> tuple[Fraction, Fraction, Fraction]:
    return label.D, label.I, label.S


# What the recognisers cost

PIECES = {
    "manual": ("perfect words", "█"),
    "interaction": ("misheard", "░"),
    "perfect": ("no word", "▓"),
}
"""The heads and the signs of the parts of a cost, in the order of ``PARTS``."""

BAR = 40
"""How many signs the longest bar has."""


# What the recognisers cost


def cost_lines(rows: Sequence[SystemBlame], resampling: Resampling) -> list[str]:
    """Tables with a row for each system on the words of each recogniser, and a bar for each."""
    first = [["system", *(clip(row.system) for row in rows)]]
    first.append(["words", *(clip(row.condition) for row in rows)])
    tables = [
        "\n".join(lines(table, left=(0, 1)))
        for columns in (_costs(rows), _shares(rows, resampling))
        for table in side_by_side(first, columns, width=TERMINAL)
    ]
    bars = [*first, ["", *_bars([row.blame for row in rows])]]
    tables.append("\n".join(lines(zip(*bars, strict=True), left=(0, 1, 2))))
    return [
        *"\n\n".join(tables).split("\n"),
        "",
        "In percent of the reference elements: errors even on perfect words (█), errors added by",
        "misheard words (░), elements left without a word (▓). The system's share has the first,",
        "the recogniser's the last; each has half of what misheard words add.",
        "WER: of all words of the reference, and of the words in its elements (entities);",
        "survival: the share of its elements without a word error.",
    ]


def _costs(rows: Sequence[SystemBlame]) -> list[list[str]]:
    """The columns of the costs, and of the errors of words."""
    heads = {"SER %": "recognised", **{head: name for name, (head, _) in PIECES.items()}}
    found = [
        [head, *(in_percent(_part(row.blame, name)) for row in rows)]
        for head, name in heads.items()
    ]
    words = [row.blame.words for row in rows]
    found.append(["WER %", *(percent(one.total.rate) for one in words)])
    found.append(["entities", *(percent(one.total_parts.entities.rate) for one in words)])
    return found


def _shares(rows: Sequence[SystemBlame], resampling: Resampling) -> list[list[str]]:
    """The columns of the shares, and of the elements lost, found and left whole."""
    found = [
        ["system's share", *(in_percent(_part(row.blame, "system")) for row in rows)],
        ["recogniser's share", *(_share(row.blame, resampling) for row in rows)],
    ]
    for group in ("lost", "found"):
        found.append([group, *(str(row.blame.balance.outcomes[group]) for row in rows)])
    words = [row.blame.words.total_parts.entities for row in rows]
    found.append(["survival", *(percent(one.survival) for one in words)])
    return found


def _part(blame: Blame, name: str) -> Fraction | None:
    return blame.corners.rate(blame.corners.costs[name])


def _share(blame: Blame, resampling: Resampling) -> str:
    """The recogniser's share with its interval."""
    rate = in_percent(_part(blame, "recogniser"))
    return f"{rate} {bracket(blame.intervals(resampling)['recogniser'])}"


def _bars(blames: Sequence[Blame]) -> Iterator[str]:
    """A bar for each blame, of its parts one after the other; a part below 0 has no sign."""
    ends = [_ends(blame) for blame in blames]
    longest = max((own[-1] for own in ends), default=Fraction(0)) or Fraction(1)
    for own in ends:
        places = [0, *(int(end * BAR / longest + Fraction(1, 2)) for end in own)]
        yield "".join(
            sign * (places[k + 1] - places[k]) for k, (_, sign) in enumerate(PIECES.values())
        )


def _ends(blame: Blame) -> list[Fraction]:
    """Where each part of a bar ends, as a rate."""
    found, end = [], Fraction(0)
    for name in PARTS:
        end += max(_part(blame, name) or Fraction(0), Fraction(0))
        found.append(end)
    return found


def cost_signatures(rows: Iterable[SystemBlame], resampling: Resampling) -> list[str]:
    """The signatures of blame, each after the names of the recognisers that have it."""
    signed: dict[str, list[str]] = {}
    for one in rows:
        names = signed.setdefault(str(signature(one.blame, resampling)), [])
        names += [] if one.condition in names else [one.condition]
    return [one_line(f"{', '.join(names)}: {line}") for line, names in signed.items()]


# The text of both


def _text(
    comparison: Comparison, blames: Sequence[SystemBlame], groups: Mapping[str, Campaign]
) -> Iterator[str]:
    documents = {id for one in comparison.conditions for id in _documents(one)}
    yield from _head("All documents", len(documents)) if groups else []
    yield from _body(comparison, blames)
    signed = _signatures(comparison, blames)
    for name, one in groups.items():
        head = _head(f"Group {one_line(name)}", len(one.documents))
        yield from ("", *head, *_body(one.comparison, one.blames))
        signed += (f"{one_line(name)}, {line}" for line in _signatures(one.comparison, one.blames))
    if alone := len(documents - {id for one in groups.values() for id in one.documents}):
        yield from ["", f"{counted(alone, 'document')} in no group."] if groups else []
    yield from ("", *signed)


def _documents(condition: Condition) -> Iterable[str]:
    return (id for system in condition.systems for id in system.evaluation.ids)


def _head(title: str, documents: int) -> list[str]:
    return [f"{title}: {counted(documents, 'document')}", ""]


def _body(comparison: Comparison, blames: Sequence[SystemBlame]) -> list[str]:
    if not blames:
        return body(comparison)
    costs = cost_lines(blames, comparison.resampling)
    title = "What the recognisers cost; elements without a place count as deletions:"
    return body(comparison, ["", title, "", *costs])


def _signatures(comparison: Comparison, blames: Sequence[SystemBlame]) -> list[str]:
    return [*signatures(comparison), *cost_signatures(blames, comparison.resampling)]
