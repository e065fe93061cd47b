"""The JSON schemas of the reports, as ``sereval schema`` prints them.

Each schema describes the report with this number of its ``format``: every key, with the type of its
value. The keys that are columns come from the columns of the reports, so a new column is in the
report and in its schema. The tests hold every report in JSON to its schema.

Source: JSON Schema, draft 2020-12.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ..analysis import (
    agreement,
    alignment,
    annotators,
    blame_report,
    compare_report,
    doctor,
    gate,
    measured,
    references,
    stability_report,
    stats,
    sweep,
)
from ..documents.model import FATES
from ..errors import SerevalError, nearest
from ..evaluation import report as slots
from ..measures.figures import Figure
from ..measures.slots import Costs, Counts
from ..render.report import schema as schema_of
from ..schemes import report as schemes
from ..schemes.report import EQUAL
from . import audit_tables, responses, templates
from .columns import COUNTS, Column
from .schema_types import (
    ENDS,
    NOTES,
    NUMBER,
    RATE,
    SENTENCES,
    SPAN,
    TEXT,
    WHOLE,
    Schema,
    either,
    of_columns,
    or_null,
    record,
    rows,
    table,
)

DIALECT = "https://json-schema.org/draft/2020-12/schema"


# Parts of several reports

_ROW = of_columns(COUNTS, Counts(), Costs())
_NEUTRAL = {"neutral": table(WHOLE), "right_levels": WHOLE}
_ERRORS = {"reference": WHOLE, "S": WHOLE, "D": WHOLE, "I": WHOLE, "wer": RATE}
_ELEMENTS = record({**_ERRORS, "border_insertions": WHOLE})
_WORDS = record({**_ERRORS, "weights": TEXT, "entities": _ELEMENTS, "labels": table(_ELEMENTS)})
_RESAMPLES = {"resamples": WHOLE, "seed": WHOLE, "confidence": NUMBER}
_INPUT = record({"name": TEXT, "files": table(TEXT)}, {"documents": WHOLE, "elements": WHOLE})
_PROVENANCE = record(
    {"command": TEXT, "options": SENTENCES, "inputs": table(rows(_INPUT))},
    {"settings": record({"file": TEXT, "options": SENTENCES})},
)


def _report(
    required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None, format: int = 1
) -> Schema:
    """A report: it has the number of its format, and as output of a command its provenance."""
    return record(
        {"format": {"const": format}, **required}, {**(optional or {}), "provenance": _PROVENANCE}
    )


# The reports


def _audit() -> Schema:
    """A line of the JSON lines: an element, or the last line."""
    row = dict.fromkeys(audit_tables.FIELDS, or_null(WHOLE)) | {
        **dict.fromkeys(("document", "side", "label"), TEXT),
        **dict.fromkeys(("class", "partner_label", "why"), or_null(TEXT)),
        **dict.fromkeys(("labels", "words"), SENTENCES),
        **dict.fromkeys(("starts", "ends"), rows(WHOLE)),
        **dict.fromkeys(("span", "strict", "placement"), SPAN),
        "time": or_null(rows(NUMBER, 2)),
        "cost": NUMBER,
        "figures": table(TEXT),
    }
    last = record({"signature": TEXT}, {"notes": either(NOTES, SENTENCES), "words": _WORDS})
    return either(record(row), last)


def _templates() -> Schema:
    slot = {"type": TEXT, "slot": TEXT, "templates": WHOLE, "entropy": NUMBER}
    values = {"values": table(WHOLE), "none": WHOLE}
    return either(
        *map(_aligned, TEMPLATE_COLUMNS),
        _report({"slots": rows(record({**slot, **values}))}),
        _responses(),
    )


TEMPLATE_COLUMNS = (templates.COLUMNS, templates.WITH_PARTIAL)
"""The columns of a score of templates, without and with partial credit."""


def _aligned(columns: Iterable[Column[Figure, float]]) -> Schema:
    """The score of one response."""
    row = of_columns(columns, Figure(), EQUAL)
    ranges = {"range": record(dict.fromkeys(("precision", "recall", "f"), ENDS))}
    fill = {"outcome": TEXT, **dict.fromkeys(("slot", "key", "response"), or_null(TEXT))}
    listed = record(
        {
            "type": TEXT,
            **dict.fromkeys(("key", "response"), or_null(TEXT)),
            "fills": rows(record(fill)),
        }
    )
    return _report(
        {
            "signature": TEXT,
            "notes": SENTENCES,
            "beta": NUMBER,
            **row,
            **ranges,
            "types": table(record(row)),
            "slots": table(record(row)),
            "documents": rows(record({"id": TEXT, **row, **ranges}, {"templates": rows(listed)})),
        }
    )


def _responses() -> Schema:
    """Several responses under several criteria."""
    row = either(*(record(of_columns(each, Figure(), EQUAL)) for each in TEMPLATE_COLUMNS))
    spread = {"number": WHOLE, **dict.fromkeys(("least", "greatest", "mean"), RATE)}
    flip = dict.fromkeys(("first", "second"), TEXT)
    flip |= dict.fromkeys(("base", "other", "difference"), NUMBER)
    contrast = {
        "f": table(rows(NUMBER, 2)),
        **dict.fromkeys(("lower", "higher"), record(spread)),
        "pairs": WHOLE,
        "flips": record(
            {
                **spread,
                "bands": record(dict.fromkeys(responses.BANDS, WHOLE)),
                "pairs": rows(record(flip)),
            }
        ),
    }
    parts = dict.fromkeys(("lower", "higher", "flips"), record({**spread, "documents": WHOLE}))
    documents = record({"number": WHOLE, **parts, "by_id": table(record(contrast))})
    names = dict.fromkeys(("criterion", "alignment", "signature"), TEXT)
    return _report(
        {
            "beta": NUMBER,
            "notes": SENTENCES,
            "criteria": rows(record({**names, "responses": table(row)})),
            "contrasts": rows(
                record({"base": TEXT, "other": TEXT, **contrast, "documents": documents})
            ),
        }
    )


def _document() -> Schema:
    """A document in sereval's own format, or a fuzzy reference."""
    frontiers, index = rows(WHOLE), or_null(WHOLE)
    common = {"id": TEXT, "words": SENTENCES}
    times = {"times": or_null(rows(rows(NUMBER, 2)))}
    element = record({"label": TEXT, "start": WHOLE, "end": WHOLE}, {"parent": index})
    stretch = record({"start": WHOLE, "end": WHOLE, "readings": rows(SENTENCES)})
    exact = {
        "breaks": frontiers,
        "elements": rows(element),
        "mentions": rows(rows(TEXT, 2)),
        "alternatives": rows(stretch),
    }
    placed = {"starts": frontiers, "ends": frontiers}
    apart = {"parent": index, "strict": SPAN}
    named = {"label": TEXT}, {"labels": SENTENCES}
    lost = {"fate": {"enum": list(FATES)}}
    fuzzy = {
        "projection": TEXT,
        "elements": rows(either(*(record({**label, **placed}, apart) for label in named))),
        "unplaceable": rows(
            either(
                *(record({**label, **placed, **lost}, {**apart, "into": index}) for label in named)
            )
        ),
    }
    return either(record(common, {**times, **exact}), record(common, {**times, **fuzzy}))


SCHEMAS: dict[str, Callable[[], Schema]] = {
    "score": lambda: schema_of(
        "score",
        [slots.FORMS, *schemes.FORMS.values(), measured.FORMS, references.FORMS],
    ),
    "sweep": lambda: schema_of("sweep", [sweep.FORMS, sweep.MEASURE_FORMS]),
    "templates": _templates,
    "audit": _audit,
    "blame": lambda: schema_of("blame", [blame_report.FORMS, compare_report.BLAMES]),
    "align": lambda: schema_of("align", [alignment.FORMS]),
    "compare": lambda: either(
        schema_of("compare", [compare_report.FORMS, stability_report.FORMS]), _responses()
    ),
    "agreement": lambda: schema_of("agreement", [agreement.FORMS, annotators.FORMS]),
    "doctor": lambda: schema_of("doctor", [doctor.FORMS]),
    "gate": lambda: schema_of("gate", [gate.FORMS]),
    "stats": lambda: schema_of("stats", [stats.FORMS]),
    "project": _document,
}
"""The schema of each command's report in JSON; of ``audit``, of a line of ``--format jsonl``; of
``project``, of a line, which is a document in sereval's own format."""


def schema(name: str) -> Schema:
    """The JSON schema of the report of a command.

    Args:
        name: the name of the command, a key of ``SCHEMAS``.

    Returns:
        A schema in the dialect 2020-12 of JSON Schema, as a dictionary with ``$id`` and ``title``.

    Raises:
        SerevalError: no command of this name has a report in JSON.

    >>> schema("score")["$id"]
    'urn:sereval:schema:score'
    """
    if name not in SCHEMAS:
        known = ", ".join(SCHEMAS)
        raise SerevalError(f"command is {name!r}{nearest(name, SCHEMAS)}, expected one of {known}")
    titles = {
        "audit": "A line of sereval audit --format jsonl",
        "project": "A line of sereval project --format json, a document in sereval's own format",
    }
    title = titles.get(name, f"A report of sereval {name} --format json")
    return {
        "$schema": DIALECT,
        "title": title,
        "$id": f"urn:sereval:schema:{name}",
        **SCHEMAS[name](),
    }
