"""The JSON schemas of the reports, as ``sereval schema`` prints them.

Each schema describes the report with this number of its ``format``: every key, with the type of its
value. The keys that are columns come from the columns of the reports, so a new column is in the
report and in its schema. The tests hold every report in JSON to its schema.

Source: JSON Schema, draft 2020-12.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from ..analysis.agreement import Agreement
from ..analysis.annotators import Coefficients, PairOfAnnotators
from ..measures.figures import Figure
from ..measures.lists import ErrorFigure, ListFigure, OrderedFigure
from ..measures.slots import Costs, Counts
from . import agreement, annotators, audit_tables, templates
from .columns import COUNTS, Column
from .scheme import COLUMNS, EQUAL
from .stability import GROUPS

Schema: TypeAlias = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
TRUTH: Schema = {"type": "boolean"}
OBJECT: Schema = {"type": "object"}


def _or_null(schema: Schema) -> Schema:
    """A value that may be undefined."""
    kinds = schema.get("type")
    if isinstance(kinds, str):
        return {**schema, "type": [kinds, "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def _list(items: Schema, length: int | None = None) -> Schema:
    ends = {} if length is None else {"minItems": length, "maxItems": length}
    return {"type": "array", "items": items, **ends}


def _table(values: Schema) -> Schema:
    """An object with any keys."""
    return {"type": "object", "additionalProperties": values}


def _members(
    required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None
) -> Schema:
    """An object with these keys and no others."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": sorted(required),
        "additionalProperties": False,
    }


def _either(*schemas: Schema) -> Schema:
    return {"anyOf": list(schemas)}


RATE = _or_null(NUMBER)
ENDS = _list(RATE, 2)
SPAN = _or_null(_list(WHOLE, 2))
NOTES = _table(_table(WHOLE))
SENTENCES = _list(TEXT)


def _of_columns(columns: Iterable[Column[Any, Any]], row: Any, setting: Any) -> dict[str, Schema]:
    """The members that columns make in the JSON of a row.

    Args:
        columns: the columns.
        row: a row in which nothing is counted: rates are undefined.
        setting: what all rows share.
    """
    found: dict[str, Any] = {}
    for column in columns:
        if column.json:
            *groups, name = column.json
            place = found
            for group in groups:
                place = place.setdefault(group, _members({}))["properties"]
            place[name] = _type_of(column.value(row, setting))
    for group in found.values():
        if "properties" in group:
            group["required"] = sorted(group["properties"])
    return found


def _type_of(value: object) -> Schema:
    if isinstance(value, tuple):
        return ENDS
    return WHOLE if isinstance(value, int) else RATE if value is None else NUMBER


# Parts of several reports

_ROW = _of_columns(COUNTS, Counts(), Costs())
_NEUTRAL = {"neutral": _table(WHOLE), "right_levels": WHOLE}
_FIGURES = _table(
    _either(
        *(
            _members(_of_columns(COLUMNS[kind].columns, kind(), EQUAL))
            for kind in (Figure, ListFigure, OrderedFigure, ErrorFigure)
        )
    )
)
_ERRORS = {"reference": WHOLE, "S": WHOLE, "D": WHOLE, "I": WHOLE, "wer": RATE}
_ELEMENTS = _members({**_ERRORS, "border_insertions": WHOLE})
_WORDS = _members({**_ERRORS, "weights": TEXT, "entities": _ELEMENTS, "labels": _table(_ELEMENTS)})
_RESAMPLES = {"resamples": WHOLE, "seed": WHOLE, "confidence": NUMBER}
_INTERVAL = _members(
    {
        "measure": TEXT,
        "low": RATE,
        "high": RATE,
        "undefined": WHOLE,
        "unit": {"enum": ["document", "utterance"]},
        "units": WHOLE,
        **_RESAMPLES,
    }
)
_INPUT = _members({"name": TEXT, "files": _table(TEXT)}, {"documents": WHOLE, "elements": WHOLE})
_PROVENANCE = _members(
    {"command": TEXT, "options": SENTENCES, "inputs": _table(_list(_INPUT))},
    {"settings": _members({"file": TEXT, "options": SENTENCES})},
)


def _report(
    required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None, format: int = 1
) -> Schema:
    """A report: it has the number of its format, and as output of a command its provenance."""
    return _members(
        {"format": {"const": format}, **required}, {**(optional or {}), "provenance": _PROVENANCE}
    )


# The reports


def _score() -> Schema:
    row = _members(_ROW, _NEUTRAL)
    of_slots = _report(
        {
            "signature": TEXT,
            **_ROW,
            "labels": _table(row),
            "documents": _list(_members({"id": TEXT, **_ROW}, _NEUTRAL)),
        },
        {
            **_NEUTRAL,
            "alignment_slack": WHOLE,
            "definition": row,
            "extremes": _members({"lowest": row, "highest": row}),
            "notes": NOTES,
            "words": _WORDS,
            "neutral_labels_of_nothing": SENTENCES,
            "kinds": _table(row),
            "interval": _INTERVAL,
        },
    )
    of_scheme = _report(
        {
            "scheme": TEXT,
            "signature": TEXT,
            "notes": SENTENCES,
            "figures": _FIGURES,
            "labels": _table(_FIGURES),
            "documents": _list(
                _members({"id": TEXT, "figures": _FIGURES, "labels": _table(_FIGURES)})
            ),
        },
        {"words": _WORDS, "accuracy": RATE, "interval": _INTERVAL},
    )
    of_measures = _report(
        {
            "measures": _table(_members({"value": RATE, "signature": TEXT})),
            "documents": _list(_members({"id": TEXT, "measures": _table(RATE)})),
            "notes": SENTENCES,
        }
    )
    return _either(of_slots, of_scheme, of_measures)


def _compare() -> Schema:
    of_interval = {"interval": ENDS, "undefined": WHOLE}
    system = {
        **_members(
            {"name": TEXT, **of_interval}, {"notes": _either(NOTES, SENTENCES), "words": _WORDS}
        ),
        "additionalProperties": _either(RATE, ENDS),  # the counts of the measure
    }
    label = {**_members({"label": TEXT}), "additionalProperties": _either(RATE, _list(WHOLE))}
    difference = {
        **_members(
            {
                "first": TEXT,
                "second": TEXT,
                **of_interval,
                "p": RATE,
                "holm": RATE,
                "exact": _or_null(TRUTH),
                "arrangements": _or_null(WHOLE),
                "labels": _list(label),
            }
        ),
        "additionalProperties": RATE,  # the rate
    }
    condition = _members(
        {
            "name": TEXT,
            "documents": WHOLE,
            "unit": TEXT,
            "units": WHOLE,
            "signature": TEXT,
            "systems": _list(system),
            "differences": _list(difference),
        }
    )
    names = {"system": TEXT, "condition": TEXT}
    own = {"measure": TEXT, "better": TEXT, **_RESAMPLES, "conditions": _list(condition)}
    blame = {"blame": _list(_members({**names, **_BLAMED}))}
    group = _members({"name": TEXT, "documents": SENTENCES, **own}, blame)
    return _either(_report(own, {**blame, "groups": _list(group)}), _stability())


def _stability() -> Schema:
    criterion = {"tolerance": TEXT, "pairing": TEXT, "unplaceable": TEXT}
    flips = {"flipped": WHOLE, "pairs": WHOLE, "share": RATE}
    end = _or_null(_members({**criterion, "ser": RATE}))
    condition = _members(
        {
            "name": TEXT,
            "signature": TEXT,
            "asked": _members(criterion),
            "criteria": _list(
                _members(
                    {
                        **criterion,
                        "systems": _table(RATE),
                        "order": _list(SENTENCES),
                        "flips": _members(flips),
                    }
                )
            ),
            "pairs": _list(
                _members(
                    {
                        "first": TEXT,
                        "second": TEXT,
                        "asked": RATE,
                        "swing": RATE,
                        "flips": _members(dict.fromkeys(GROUPS, TRUTH)),
                        "least": end,
                        "greatest": end,
                    }
                )
            ),
            "flips": _members({**dict.fromkeys(GROUPS, WHOLE), **flips}),
            "credit": _table(
                _members({"word": NUMBER, "label": NUMBER, "rate": RATE, "share": RATE})
            ),
        },
        {"notes": SENTENCES},
    )
    return _report({"conditions": _list(condition)})


def _sweep() -> Schema:
    place = {
        "tolerance": _either(NUMBER, {"type": "string", "pattern": "^[0-9]+w$"}),
        "extent": WHOLE,
    }
    at = _either(*(_members({name: schema}) for name, schema in place.items()))
    counts = {**_members({"signature": TEXT, **_ROW}, {**_NEUTRAL, **place}), **at}
    values = _members({"measures": _table(_members({"value": RATE, "signature": TEXT}))}, place)
    del counts["anyOf"]
    return _either(
        _report(
            {"signature": TEXT, "systems": _table(_list(counts)), "notes": SENTENCES},
            {"words": _table(_WORDS)},
        ),
        _report(
            {
                "measures": _table(_members({"signature": TEXT})),
                "systems": _table(_list(values)),
                "notes": SENTENCES,
            }
        ),
    )


def _audit() -> Schema:
    """A line of the JSON lines: an element, or the last line."""
    row = dict.fromkeys(audit_tables.FIELDS, _or_null(WHOLE)) | {
        **dict.fromkeys(("document", "side", "label"), TEXT),
        **dict.fromkeys(("class", "partner_label", "why"), _or_null(TEXT)),
        **dict.fromkeys(("labels", "words"), SENTENCES),
        **dict.fromkeys(("starts", "ends"), _list(WHOLE)),
        **dict.fromkeys(("span", "strict", "placement"), SPAN),
        "time": _or_null(_list(NUMBER, 2)),
        "cost": NUMBER,
        "figures": _table(TEXT),
    }
    last = _members({"signature": TEXT}, {"notes": _either(NOTES, SENTENCES), "words": _WORDS})
    return _either(_members(row), last)


_BALANCE = {
    "reference": WHOLE,
    "ser": RATE,
    "corners": _members(dict.fromkeys(("manual", "perfect", "recognised"), NUMBER)),
    "interaction": NUMBER,
    "shares": _members(dict.fromkeys(("recogniser", "extractor"), NUMBER)),
    "outcomes": _table(WHOLE),
    "table": _table(_table(WHOLE)),
    "causes": _table(WHOLE),
    "causes_of_found": _table(WHOLE),
    "insertions": _table(WHOLE),
}
_BLAMED = {
    "signature": TEXT,
    **_BALANCE,
    "manual_without_tolerance": NUMBER,
    "labels": _table(_members(_BALANCE)),
    "words": _WORDS,
    "intervals": _table(ENDS),
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
        **dict.fromkeys(("manual", "recognised", "group", "cause"), _or_null(TEXT)),
        **dict.fromkeys(("words", "heard"), SENTENCES),
        "index": WHOLE,
        "span": SPAN,
        "time": _or_null(_list(NUMBER, 2)),
        "costs": _list(NUMBER, 2),
    }
    mishearing = {
        **dict.fromkeys(("words", "heard"), _either(TEXT, SENTENCES)),
        "labels": _either(SENTENCES, _table(WHOLE)),
        "count": WHOLE,
        "change": NUMBER,
    }
    members = {
        **_BLAMED,
        "documents": _list(_members(document)),
        "cases": _list(_members(case)),
        "mishearings": _list(_members(mishearing)),
        "notes": NOTES,
    }
    system = _members({"system": TEXT, "condition": TEXT, **members})
    return _either(_report(members), _report({"systems": _list(system)}))


def _agreement() -> Schema:
    row = _of_columns(agreement.COLUMNS, Agreement(0, 0, 0, 0, 0, ()), None)
    of_two = _report(
        {"signature": TEXT, **row, "unplaceable": WHOLE, "labels": _table(_members(row))},
        {"notes": NOTES},
    )
    units = _members(_of_columns(annotators.COLUMNS, Coefficients(0, None, None), None))
    pair = _of_columns(annotators.PAIRS, PairOfAnnotators("", "", 0, 0, 0), None)
    of_several = _report(
        {
            "signature": TEXT,
            "annotators": _list(_members({"name": TEXT, "documents": WHOLE, "elements": WHOLE})),
            "shared": WHOLE,
            **dict.fromkeys(("elements", "words"), units),
            "labels": _table(units),
            "pairs": _list(_members({"first": TEXT, "second": TEXT, **pair})),
            "F": RATE,
        }
    )
    return _either(of_two, of_several)


def _gate() -> Schema:
    part = _either(
        _members({"ser": RATE, "cost": NUMBER, "Ref": WHOLE}),
        _members({"f1": RATE, "errors": NUMBER, "size": NUMBER}),
        _members({"error_rate": RATE, "errors": NUMBER, "Ref": NUMBER}),
    )
    sides = {"then": part, "now": part}
    return _report(
        {
            "signature": TEXT,
            "worse": TRUTH,
            "growth": NUMBER,
            "margin": NUMBER,
            **sides,
            "p": RATE,
            "exact": _or_null(TRUTH),
            "arrangements": _or_null(WHOLE),
            **_RESAMPLES,
            "documents": _list(_members({"id": TEXT, **sides})),
            "labels": _list(_members({"label": TEXT, **sides})),
        },
        {"measure": TEXT},
    )


def _templates() -> Schema:
    row = _of_columns(templates.COLUMNS, Figure(), EQUAL)
    ranges = {
        "range": _members({**dict.fromkeys(("precision", "recall", "f"), ENDS), "complete": TRUTH})
    }
    fill = {"outcome": TEXT, **dict.fromkeys(("slot", "key", "response"), _or_null(TEXT))}
    listed = _members(
        {
            "type": TEXT,
            **dict.fromkeys(("key", "response"), _or_null(TEXT)),
            "fills": _list(_members(fill)),
        }
    )
    scored = _report(
        {
            "signature": TEXT,
            "notes": SENTENCES,
            "beta": NUMBER,
            **row,
            **ranges,
            "types": _table(_members(row)),
            "slots": _table(_members(row)),
            "documents": _list(
                _members({"id": TEXT, **row, **ranges}, {"templates": _list(listed)})
            ),
        }
    )
    slot = {"type": TEXT, "slot": TEXT, "templates": WHOLE, "entropy": NUMBER}
    values = {"values": _table(WHOLE), "none": WHOLE}
    return _either(scored, _report({"slots": _list(_members({**slot, **values}))}))


def _doctor() -> Schema:
    texts = dict.fromkeys(("check", "message", "advice"), TEXT)
    finding = _members({"refused": TRUTH, **texts, "documents": SENTENCES})
    clock = dict.fromkeys(("words", "same"), WHOLE)
    clock |= dict.fromkeys(("drift", "offset", "begin", "change"), RATE)
    system = {
        "documents": WHOLE,
        "unseen": SENTENCES,
        "refused": TRUTH,
        "findings": _list(finding),
        "clocks": _table(_members(clock)),
        "apart": _table(WHOLE),
    }
    return _report({"refused": TRUTH, "systems": _table(_members(system))})


def _align() -> Schema:
    counts = _members({**_ERRORS, "correct": WHOLE})
    side = _or_null(
        _members({"span": _list(WHOLE, 2), "words": SENTENCES, "time": _or_null(_list(NUMBER, 2))})
    )
    block = _members({"operation": TEXT, "reference": side, "hypothesis": side})
    document = _members({"id": TEXT, "words": counts, "alignment": _list(block)})
    return _report(
        {
            "signature": TEXT,
            "context": _or_null(WHOLE),
            "total": counts,
            "documents": _list(document),
            "notes": SENTENCES,
        }
    )


SCHEMAS: dict[str, Callable[[], Schema]] = {
    "score": _score,
    "sweep": _sweep,
    "templates": _templates,
    "audit": _audit,
    "blame": _blame,
    "align": _align,
    "compare": _compare,
    "agreement": _agreement,
    "doctor": _doctor,
    "gate": _gate,
}
"""The schema of each command's report in JSON; of ``audit``, of a line of ``--format jsonl``."""


def schema(name: str) -> Schema:
    """The JSON schema of the report of a command.

    Args:
        name: the name of the command, a key of ``SCHEMAS``.

    >>> schema("score")["$id"]
    'urn:sereval:schema:score:1'
    """
    titles = {"audit": "A line of sereval audit --format jsonl"}
    title = titles.get(name, f"A report of sereval {name} --format json")
    return {
        "$schema": DIALECT,
        "$id": f"urn:sereval:schema:{name}:1",
        "title": title,
        **SCHEMAS[name](),
    }
