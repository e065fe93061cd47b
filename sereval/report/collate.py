"""Collated errors as a page and as CSV: what each system did with each element."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

from ..audit import HYPOTHESIS
from ..collate import AGREEMENTS, Answer, Collation, Item
from ..errors import one_line
from ..model import Time, seconds
from ..score import Slot
from .csv import line
from .text import counted

COLUMNS = ("condition", "side", "agreement", "document", "element", "start", "end", "labels")

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
    are in seconds; ``element`` is the index of a reference element in its document, from 0.
    """
    systems = sorted({system for collation in collations for system in collation.systems})
    rows = [line((*COLUMNS, "before", "words", "after", *systems))]
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
                        start,
                        end,
                        "|".join(item.labels),
                        *map(" ".join, (item.before, item.words, item.after)),
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
        conditions=[_condition(number, one) for number, one in enumerate(collations)],
        legend=_legend(),
    )


def _condition(number: int, collation: Collation) -> dict[str, Any]:
    groups = _groups(collation)
    return {
        "anchor": f"c{number}",
        "name": one_line(collation.name),
        "signature": collation.signature,
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
        "time": _time(item.time),
        "labels": " or ".join(map(one_line, item.labels)),
        "before": " ".join(item.before),
        "words": " ".join(item.words),
        "after": " ".join(item.after),
        "answers": [_cell(item.answers.get(system)) for system in systems],
    }


def _time(time: Time | None) -> str:
    return "" if time is None else f"{seconds(time[0])}–{seconds(time[1])} s"


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
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Collated errors</title>
<style>
body { font: 15px/1.4 system-ui, sans-serif; margin: 1.5rem auto; max-width: 84rem; padding: 0 1rem;
  color: #1c2024; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; } h3 { font-size: 1rem; }
code { font-size: .8rem; color: #555; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; margin-bottom: 1.5rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0;
  border-bottom: 1px solid #dde; }
thead th { position: sticky; top: 0; background: #fff; border-bottom: 2px solid #99a; }
td.where { white-space: nowrap; color: #555; font-size: .85rem; }
td.words span { color: #777; } .label { font-weight: 600; }
.said { color: #555; font-size: .85rem; }
abbr { display: inline-block; min-width: 2.2em; text-align: center; text-decoration: none;
  border-radius: .2em; padding: 0 .3em; font-size: .8rem; font-weight: 600; color: #fff;
  background: #667; }
.C abbr { background: #2b7a3d; } .S_S abbr { background: #8a6500; }
.S_T abbr { background: #a1490c; } .S_ST abbr { background: #a8321f; }
.D abbr { background: #a3123a; } .I abbr { background: #1f5fa8; }
.none abbr { background: none; color: #777; }
h3.suspicious::before { content: "▸ "; color: #a3123a; }
ul.legend { list-style: none; padding: 0; }
ul.legend li { display: inline-block; margin: 0 1rem .3rem 0; }
</style>
</head>
<body>
<h1>Collated errors</h1>
<p>What each system did with each element. Where all systems agree with one another against the
reference (▸), look at the reference first: it may be wrong.</p>
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
<h3 id="{{ group.anchor }}"{% if group.suspicious %} class="suspicious"{% endif %}>{{ group.title }}
({{ group.rows|length }})</h3>
<table>
<thead><tr><th>where</th><th>label</th><th>words</th>
{% for system in condition.systems %}<th>{{ system }}</th>{% endfor %}
</tr></thead>
<tbody>
{% for row in group.rows %}
<tr><td class="where">{{ row.document }}{% if row.time %}<br>{{ row.time }}{% endif %}</td>
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
</table>
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
