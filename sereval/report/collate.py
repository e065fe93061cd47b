"""Collated errors as a page and as CSV: what each system did with each element."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

from ..analysis.audit import HYPOTHESIS
from ..analysis.collate import AGREEMENTS, Answer, Collation, Item
from ..documents.model import seconds
from ..errors import one_line
from ..measures.slots import Slot
from .csv import line
from .text import counted

COLUMNS = (
    *("condition", "side", "agreement", "document", "element"),
    *("first_word", "last_word", "start", "end", "labels"),
    *("before", "words", "after", "signature"),
)

FITTING = 4
"""Systems that a screen has room for, so that the heads of a table can stay in sight."""

CLASSES = {
    Slot.CORRECT: "correct",
    Slot.SPAN: "other span",
    Slot.TYPE: "other label",
    Slot.SPAN_AND_TYPE: "other label and span",
    Slot.DELETION: "missed",
    Slot.INSERTION: "inserted",
    None: "no place for it",
}
"""The classes in words; ``None``: the system's words had no place for it."""


def render_csv(collations: Sequence[Collation]) -> str:
    """One element a row, correct ones too, with one column for each system.

    A system's field is the class of the slot, then what it found: ``S_T org "la Russie"``. Times
    are in seconds; ``element`` is the index of a reference element in its document, from 0; words
    are counted from 1 (see ``Item`` for which they are).
    """
    systems = sorted({system for collation in collations for system in collation.systems})
    rows = [line((*COLUMNS, *systems))]
    for collation in collations:
        for item in collation.items:
            start, end = ("", "") if item.time is None else map(seconds, item.time)
            rows.append(
                line(
                    (
                        collation.name,
                        item.side,
                        item.agreement,
                        item.document,
                        "" if item.side == HYPOTHESIS else item.place[0],
                        *(("", "") if item.span is None else (item.span[0] + 1, item.span[1])),
                        start,
                        end,
                        "|".join(item.labels),
                        *map(" ".join, (item.before, item.words, item.after)),
                        str(collation.signature),
                        *(_field(item, s) if s in collation.systems else "" for s in systems),
                    )
                )
            )
    return "".join(rows)


def _field(item: Item, system: str) -> str:
    answer = item.answers.get(system)
    if answer is None:
        return ""
    letter = "unplaceable" if answer.slot is None else answer.slot.value
    if answer.label is None:
        return letter
    return f'{letter} {answer.label} "{" ".join(answer.words)}"'


def render_html(collations: Sequence[Collation]) -> str:
    """A page on its own: no script, no network; every word is escaped.

    Elements that all systems have right are counted, not listed.
    """
    import jinja2  # only for those who ask for a page

    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.from_string(PAGE).render(
        FITTING=FITTING,
        conditions=[_condition(number, one) for number, one in enumerate(collations)],
        legend=_legend(),
    )


def _condition(number: int, collation: Collation) -> dict[str, Any]:
    groups = _groups(collation)
    return {
        "anchor": f"c{number}",
        "name": one_line(collation.name),
        "signature": str(collation.signature),
        "systems": list(map(one_line, collation.systems)),
        "groups": [{**group, "anchor": f"c{number}g{k}"} for k, group in enumerate(groups)],
        "elements": counted(len(collation.references), "reference element"),
        "correct": sum(item.agreement == "correct" for item in collation.references),
    }


def _groups(collation: Collation) -> Iterator[dict[str, Any]]:
    """Items that systems agree on in the same way, under a title."""
    for (agreement, unanimous), items in groupby(
        collation.items, lambda item: (item.agreement, item.is_unanimous)
    ):
        if agreement in AGREEMENTS:
            title = f"Reference elements: {AGREEMENTS[agreement]}"
        else:
            title = f"Insertions {agreement} systems"
        if agreement != "correct":
            rows = [_row(item, collation.systems) for item in items]
            yield {"title": title, "suspicious": unanimous, "rows": rows}


def _row(item: Item, systems: Sequence[str]) -> dict[str, Any]:
    return {
        "document": one_line(item.document),
        "place": _place(item),
        "labels": " or ".join(map(one_line, item.labels)),
        "before": " ".join(item.before),
        "words": " ".join(item.words),
        "after": " ".join(item.after),
        "answers": [_cell(item.answers.get(system)) for system in systems],
    }


def _place(item: Item) -> str:
    """When it was spoken; without times, which words it is, counted from 1."""
    if item.time is not None:
        return f"{seconds(item.time[0])}–{seconds(item.time[1])} s"
    if item.span is None:
        return ""
    first, last = item.span[0] + 1, item.span[1]
    return f"word {first}" if first == last else f"words {first}–{last}"


def _cell(answer: Answer | None) -> dict[str, str]:
    """How a system's answer looks: its class as a colour and in letters, what it found."""
    if answer is None:
        return {"style": "none", "letter": "–", "meaning": "not found", "label": "", "words": ""}
    return {
        "style": "lost" if answer.slot is None else answer.slot.value,
        "letter": "∅" if answer.slot is None else answer.slot.value,
        "meaning": CLASSES[answer.slot],
        "label": one_line(answer.label or ""),
        "words": " ".join(answer.words),
    }


def _legend() -> list[dict[str, str]]:
    return [_cell(Answer(slot)) for slot in CLASSES]


PAGE = """\
{% macro rows(condition, group) %}
<div class="wide{% if condition.systems|length <= FITTING %} fits{% endif %}" tabindex="0"
role="region" aria-label="{{ group.title }}"><table>
<thead><tr><th>where</th><th>label</th><th>words</th>
{% for system in condition.systems %}<th>{{ system }}</th>{% endfor %}
</tr></thead>
<tbody>
{% for row in group.rows %}
<tr><td class="where">{{ row.document }}{% if row.place %}<br>{{ row.place }}{% endif %}</td>
<td class="label">{{ row.labels }}</td>
<td class="words"><span>{{ row.before }}</span> <b>{{ row.words }}</b>
<span>{{ row.after }}</span></td>
{% for cell in row.answers %}
<td class="{{ cell.style }}"><abbr title="{{ cell.meaning }}">{{ cell.letter }}</abbr>
<span class="label">{{ cell.label }}</span> <span class="said">{{ cell.words }}</span></td>
{% endfor %}
</tr>
{% endfor %}
</tbody>
</table></div>
{% endmacro %}
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Collated errors</title>
<style>
:root { color-scheme: light dark; --bg: #fbfbfa; --fg: #1c2024; --mute: #5d656e; --rule: #dfe2e5;
  --link: #1a5fb4; --C: #1d7a52; --S_S: #8a5a00; --S_T: #6d3fc0; --S_ST: #a3246f; --D: #b3261e;
  --I: #1a5fb4; }
@media (prefers-color-scheme: dark) {
  :root { --bg: #15181b; --fg: #e4e7ea; --mute: #98a2ad; --rule: #30363c; --link: #82b4f5;
    --C: #5cc295; --S_S: #dba843; --S_T: #b79cf5; --S_ST: #f088c2; --D: #f48a80; --I: #7fb2f5; }
}
body { font: 15px/1.4 system-ui, sans-serif; margin: 1.5rem auto; max-width: 84rem; padding: 0 1rem;
  color: var(--fg); background: var(--bg); overflow-wrap: break-word; }
a { color: var(--link); }
h1 { font-size: 1.5rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; }
h3 { font-size: 1rem; } summary { cursor: pointer; margin: 1rem 0; } summary h3 { display: inline; }
code { font-size: .8rem; color: var(--mute); overflow-wrap: anywhere; }
.wide { overflow-x: auto; max-width: 100%; margin-bottom: 1.5rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0;
  border-bottom: 1px solid var(--rule); }
thead th { border-bottom: 2px solid var(--rule); }
td.where { white-space: nowrap; color: var(--mute); font-size: .85rem; }
td.words { min-width: 12rem; }
td.words span { color: var(--mute); } .label { font-weight: 600; }
.said { color: var(--mute); font-size: .85rem; }
abbr { display: inline-block; min-width: 2.2em; text-align: center; text-decoration: none;
  border-radius: .2em; padding: 0 .3em; font-size: .8rem; font-weight: 600; color: var(--bg);
  background: var(--mute); }
{% for slot in ("C", "S_S", "S_T", "S_ST", "D", "I") %}
.{{ slot }} abbr { background: var(--{{ slot }}); }
{% endfor %}
.none abbr { background: none; color: var(--mute); }
h3.suspicious::before { content: "▸ "; color: var(--D); }
ul.legend { list-style: none; padding: 0; }
ul.legend li { display: inline-block; margin: 0 1rem .3rem 0; }
@media (min-width: 70rem) {
  .wide.fits { overflow-x: visible; }
  .wide.fits thead th { position: sticky; top: 0; background: var(--bg); }
}
@media print { .wide { overflow-x: visible; } }
</style>
</head>
<body>
<h1>Collated errors</h1>
<p>What each system did with each element. Where all systems agree with one another against the
reference (▸), look at the reference first: it may be wrong. Without times, words are counted from
1. Through time, two insertions of the same label are one, and two spans are the same, if they share
at least half of the longer one's time.</p>
<ul class="legend">
{% for cell in legend %}
<li class="{{ cell.style }}"><abbr>{{ cell.letter }}</abbr> {{ cell.meaning }}</li>
{% endfor %}
</ul>
<ul>
{% for condition in conditions %}
<li><a href="#{{ condition.anchor }}">{{ condition.name }}</a>
<ul>
{% for group in condition.groups %}
<li><a href="#{{ group.anchor }}">{{ group.title }}</a>: {{ group.rows|length }}</li>
{% endfor %}
</ul></li>
{% endfor %}
</ul>
{% for condition in conditions %}
<h2 id="{{ condition.anchor }}">{{ condition.name }}</h2>
<p>{{ condition.elements }}; every system is right on {{ condition.correct }}, not listed.<br>
<code>{{ condition.signature }}</code></p>
{% for group in condition.groups %}
{% if group.suspicious %}
<h3 id="{{ group.anchor }}" class="suspicious">{{ group.title }} ({{ group.rows|length }})</h3>
{{ rows(condition, group) }}
{% else %}
<details id="{{ group.anchor }}"><summary><h3>{{ group.title }}
({{ group.rows|length }})</h3></summary>
{{ rows(condition, group) }}
</details>
{% endif %}
{% endfor %}
{% endfor %}
</body>
</html>
"""

COLLATIONS: dict[str, Callable[[Sequence[Collation]], str]] = {
    "html": render_html,
    "csv": render_csv,
}
"""What can be written, by suffix."""
