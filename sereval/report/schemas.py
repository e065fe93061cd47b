"""The JSON schemas of the reports, as ``sereval schema`` prints them.

Each schema describes the report with this number of its ``format``: every key, with the type of its
value. The keys that are columns come from the columns of the reports, so a new column is in the
report and in its schema. The tests hold every report in JSON to its schema.

Source: JSON Schema, draft 2020-12.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ..analysis import agreement, alignment, annotators, doctor, gate, measured, references, stats
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
    TRUTH,
    WHOLE,
    Schema,
    either,
    of_columns,
    or_null,
    record,
    rows,
    table,
)
from .stability import GROUPS

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


def _compare() -> Schema:
    of_interval = {"interval": ENDS, "undefined": WHOLE}
    system = {
        **record(
            {"name": TEXT, **of_interval}, {"notes": either(NOTES, SENTENCES), "words": _WORDS}
        ),
        "additionalProperties": either(RATE, ENDS),  # the counts of the measure
    }
    label = {**record({"label": TEXT}), "additionalProperties": either(RATE, rows(WHOLE))}
    difference = {
        **record(
            {
                "first": TEXT,
                "second": TEXT,
                **of_interval,
                "p": RATE,
                "holm": RATE,
                "exact": or_null(TRUTH),
                "arrangements": or_null(WHOLE),
                "labels": rows(label),
            }
        ),
        "additionalProperties": RATE,  # the rate
    }
    condition = {
        "name": TEXT,
        "documents": WHOLE,
        "unit": TEXT,
        "units": WHOLE,
        "signature": TEXT,
        "systems": rows(system),
        "differences": rows(difference),
    }
    measure = {"measure": TEXT, "better": TEXT}
    copies = {"identical": rows(rows(TEXT))}
    one = {**measure, **_RESAMPLES, "conditions": rows(record(condition, copies))}
    several = {**_RESAMPLES, "conditions": rows(record({**condition, **measure}, copies))}
    return either(_compared(one), _compared(several), _stability(), _responses())


def _compared(own: dict[str, Schema]) -> Schema:
    """The report of a comparison, with groups and costs of recognisers."""
    names = {"system": TEXT, "condition": TEXT}
    blame = {"blame": rows(record({**names, **_BLAMED}))}
    group = record({"name": TEXT, "documents": SENTENCES, **own}, blame)
    return _report(own, {**blame, "groups": rows(group)})


def _stability() -> Schema:
    criterion = {"tolerance": TEXT, "pairing": TEXT, "unplaceable": TEXT}
    flips = {"flipped": WHOLE, "pairs": WHOLE, "share": RATE}
    end = or_null(record({**criterion, "ser": RATE}))
    condition = record(
        {
            "name": TEXT,
            "signature": TEXT,
            "asked": record(criterion),
            "criteria": rows(
                record(
                    {
                        **criterion,
                        "systems": table(RATE),
                        "order": rows(SENTENCES),
                        "flips": record(flips),
                    }
                )
            ),
            "pairs": rows(
                record(
                    {
                        "first": TEXT,
                        "second": TEXT,
                        "asked": RATE,
                        "swing": RATE,
                        "flips": record(dict.fromkeys(GROUPS, TRUTH)),
                        "least": end,
                        "greatest": end,
                    }
                )
            ),
            "flips": record({**dict.fromkeys(GROUPS, WHOLE), **flips}),
            "credit": table(record({"word": NUMBER, "label": NUMBER, "rate": RATE, "share": RATE})),
        },
        {"notes": SENTENCES},
    )
    return _report({"conditions": rows(condition)})


def _sweep() -> Schema:
    place = {
        "tolerance": either(NUMBER, {"type": "string", "pattern": "^[0-9]+w$"}),
        "extent": WHOLE,
    }
    counts = record({"signature": TEXT, **_ROW}, {**_NEUTRAL, **place})
    values = record({"measures": table(record({"value": RATE, "signature": TEXT}))}, place)
    return either(
        _report(
            {"signature": TEXT, "systems": table(rows(counts)), "notes": SENTENCES},
            {"words": table(_WORDS)},
        ),
        _report(
            {
                "measures": table(record({"signature": TEXT})),
                "systems": table(rows(values)),
                "notes": SENTENCES,
            }
        ),
    )


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


_BALANCE = {
    "reference": WHOLE,
    "ser": RATE,
    "corners": record(dict.fromkeys(("manual", "perfect", "recognised"), NUMBER)),
    "interaction": NUMBER,
    "shares": record(dict.fromkeys(("recogniser", "system"), NUMBER)),
    "outcomes": table(WHOLE),
    "table": table(table(WHOLE)),
    "causes": table(WHOLE),
    "causes_of_found": table(WHOLE),
    "insertions": table(WHOLE),
}
_BLAMED = {
    "signature": TEXT,
    **_BALANCE,
    "manual_without_tolerance": NUMBER,
    "labels": table(record(_BALANCE)),
    "words": _WORDS,
    "intervals": table(ENDS),
    "undefined": WHOLE,
    "unit": TEXT,
    "units": WHOLE,
    **_RESAMPLES,
}


def _blame() -> Schema:
    document = {
        "id": TEXT,
        **_BALANCE,
        "manual_without_tolerance": NUMBER,
        "words": _WORDS,
    }
    case = {
        **dict.fromkeys(("document", "side", "label"), TEXT),
        **dict.fromkeys(("manual", "recognised", "group", "cause"), or_null(TEXT)),
        **dict.fromkeys(("words", "heard"), SENTENCES),
        "index": WHOLE,
        "span": SPAN,
        "time": or_null(rows(NUMBER, 2)),
        "costs": rows(NUMBER, 2),
    }
    mishearing = {
        **dict.fromkeys(("words", "heard"), either(TEXT, SENTENCES)),
        "labels": either(SENTENCES, table(WHOLE)),
        "count": WHOLE,
        "change": NUMBER,
    }
    members = {
        **_BLAMED,
        "documents": rows(record(document)),
        "cases": rows(record(case)),
        "mishearings": rows(record(mishearing)),
        "notes": NOTES,
    }
    system = record({"system": TEXT, "condition": TEXT, **members})
    return either(_report(members), _report({"systems": rows(system)}))


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
    "sweep": _sweep,
    "templates": _templates,
    "audit": _audit,
    "blame": _blame,
    "align": lambda: schema_of("align", [alignment.FORMS]),
    "compare": _compare,
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
