"""The JSON schemas of the reports, as ``sereval schema`` prints them.

Each schema describes the report with this number of its ``format``: every key, with the type of its
value. The keys that are columns come from the columns of the reports, so a new column is in the
report and in its schema. The tests hold every report in JSON to its schema.

Source: JSON Schema, draft 2020-12.
"""

from __future__ import annotations

from collections.abc import Callable

from ..analysis.agreement import Agreement
from ..analysis.annotators import Coefficients, PairOfAnnotators
from ..measures.figures import Figure
from ..measures.lists import ErrorFigure, ListFigure, OrderedFigure
from ..measures.slots import Costs, Counts
from . import agreement, annotators, audit_tables
from .columns import COUNTS
from .schema_parts import (
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
    columns_of,
    either,
    list_of,
    members,
    or_null,
    report_of,
    table_of,
)
from .scheme import COLUMNS, EQUAL
from .stability import GROUPS
from .template_schemas import schema_of_responses, schema_of_templates

DIALECT = "https://json-schema.org/draft/2020-12/schema"

# Parts of several reports

_ROW = columns_of(COUNTS, Counts(), Costs())
_NEUTRAL = {"neutral": table_of(WHOLE), "right_levels": WHOLE}
_FIGURES = table_of(
    either(
        *(
            members(columns_of(COLUMNS[kind].columns, kind(), EQUAL))
            for kind in (Figure, ListFigure, OrderedFigure, ErrorFigure)
        )
    )
)
_ERRORS = {"reference": WHOLE, "S": WHOLE, "D": WHOLE, "I": WHOLE, "wer": RATE}
_ELEMENTS = members({**_ERRORS, "border_insertions": WHOLE})
_WORDS = members({**_ERRORS, "weights": TEXT, "entities": _ELEMENTS, "labels": table_of(_ELEMENTS)})
_RESAMPLES = {"resamples": WHOLE, "seed": WHOLE, "confidence": NUMBER}
_INTERVAL = members(
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


# The reports


def _score() -> Schema:
    row = members(_ROW, _NEUTRAL)
    of_slots = report_of(
        {
            "signature": TEXT,
            **_ROW,
            "labels": table_of(row),
            "documents": list_of(members({"id": TEXT, **_ROW}, _NEUTRAL)),
        },
        {
            **_NEUTRAL,
            "alignment_slack": WHOLE,
            "definition": row,
            "extremes": members({"lowest": row, "highest": row}),
            "notes": NOTES,
            "words": _WORDS,
            "neutral_labels_of_nothing": SENTENCES,
            "kinds": table_of(row),
            "interval": _INTERVAL,
        },
    )
    of_scheme = report_of(
        {
            "scheme": TEXT,
            "signature": TEXT,
            "notes": SENTENCES,
            "figures": _FIGURES,
            "labels": table_of(_FIGURES),
            "documents": list_of(
                members({"id": TEXT, "figures": _FIGURES, "labels": table_of(_FIGURES)})
            ),
        },
        {"words": _WORDS, "accuracy": RATE, "interval": _INTERVAL},
    )
    of_measures = report_of(
        {
            "measures": table_of(members({"value": RATE, "signature": TEXT})),
            "documents": list_of(members({"id": TEXT, "measures": table_of(RATE)})),
            "notes": SENTENCES,
        }
    )
    sums = members({"value": RATE, "errors": NUMBER, "size": WHOLE})
    of_references = report_of(
        {
            "measure": TEXT,
            "signature": TEXT,
            "references": table_of(sums),
            "mean": RATE,
            "best": sums,
            "documents": list_of(members({"id": TEXT, "best": TEXT, "references": table_of(sums)})),
        }
    )
    return either(of_slots, of_scheme, of_measures, of_references)


def _compare() -> Schema:
    of_interval = {"interval": ENDS, "undefined": WHOLE}
    system = {
        **members(
            {"name": TEXT, **of_interval}, {"notes": either(NOTES, SENTENCES), "words": _WORDS}
        ),
        "additionalProperties": either(RATE, ENDS),  # the counts of the measure
    }
    label = {**members({"label": TEXT}), "additionalProperties": either(RATE, list_of(WHOLE))}
    difference = {
        **members(
            {
                "first": TEXT,
                "second": TEXT,
                **of_interval,
                "p": RATE,
                "holm": RATE,
                "exact": or_null(TRUTH),
                "arrangements": or_null(WHOLE),
                "labels": list_of(label),
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
        "systems": list_of(system),
        "differences": list_of(difference),
    }
    measure = {"measure": TEXT, "better": TEXT}
    one = {**measure, **_RESAMPLES, "conditions": list_of(members(condition))}
    several = {**_RESAMPLES, "conditions": list_of(members({**condition, **measure}))}
    return either(_compared(one), _compared(several), _stability(), schema_of_responses())


def _compared(own: dict[str, Schema]) -> Schema:
    """The report of a comparison, with groups and costs of recognisers."""
    names = {"system": TEXT, "condition": TEXT}
    blame = {"blame": list_of(members({**names, **_BLAMED}))}
    group = members({"name": TEXT, "documents": SENTENCES, **own}, blame)
    return report_of(own, {**blame, "groups": list_of(group)})


def _stability() -> Schema:
    criterion = {"tolerance": TEXT, "pairing": TEXT, "unplaceable": TEXT}
    flips = {"flipped": WHOLE, "pairs": WHOLE, "share": RATE}
    end = or_null(members({**criterion, "ser": RATE}))
    condition = members(
        {
            "name": TEXT,
            "signature": TEXT,
            "asked": members(criterion),
            "criteria": list_of(
                members(
                    {
                        **criterion,
                        "systems": table_of(RATE),
                        "order": list_of(SENTENCES),
                        "flips": members(flips),
                    }
                )
            ),
            "pairs": list_of(
                members(
                    {
                        "first": TEXT,
                        "second": TEXT,
                        "asked": RATE,
                        "swing": RATE,
                        "flips": members(dict.fromkeys(GROUPS, TRUTH)),
                        "least": end,
                        "greatest": end,
                    }
                )
            ),
            "flips": members({**dict.fromkeys(GROUPS, WHOLE), **flips}),
            "credit": table_of(
                members({"word": NUMBER, "label": NUMBER, "rate": RATE, "share": RATE})
            ),
        },
        {"notes": SENTENCES},
    )
    return report_of({"conditions": list_of(condition)})


def _sweep() -> Schema:
    place = {
        "tolerance": either(NUMBER, {"type": "string", "pattern": "^[0-9]+w$"}),
        "extent": WHOLE,
    }
    at = either(*(members({name: schema}) for name, schema in place.items()))
    counts = {**members({"signature": TEXT, **_ROW}, {**_NEUTRAL, **place}), **at}
    values = members({"measures": table_of(members({"value": RATE, "signature": TEXT}))}, place)
    del counts["anyOf"]
    return either(
        report_of(
            {"signature": TEXT, "systems": table_of(list_of(counts)), "notes": SENTENCES},
            {"words": table_of(_WORDS)},
        ),
        report_of(
            {
                "measures": table_of(members({"signature": TEXT})),
                "systems": table_of(list_of(values)),
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
        **dict.fromkeys(("starts", "ends"), list_of(WHOLE)),
        **dict.fromkeys(("span", "strict", "placement"), SPAN),
        "time": or_null(list_of(NUMBER, 2)),
        "cost": NUMBER,
        "figures": table_of(TEXT),
    }
    last = members({"signature": TEXT}, {"notes": either(NOTES, SENTENCES), "words": _WORDS})
    return either(members(row), last)


_BALANCE = {
    "reference": WHOLE,
    "ser": RATE,
    "corners": members(dict.fromkeys(("manual", "perfect", "recognised"), NUMBER)),
    "interaction": NUMBER,
    "shares": members(dict.fromkeys(("recogniser", "extractor"), NUMBER)),
    "outcomes": table_of(WHOLE),
    "table": table_of(table_of(WHOLE)),
    "causes": table_of(WHOLE),
    "causes_of_found": table_of(WHOLE),
    "insertions": table_of(WHOLE),
}
_BLAMED = {
    "signature": TEXT,
    **_BALANCE,
    "manual_without_tolerance": NUMBER,
    "labels": table_of(members(_BALANCE)),
    "words": _WORDS,
    "intervals": table_of(ENDS),
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
        "time": or_null(list_of(NUMBER, 2)),
        "costs": list_of(NUMBER, 2),
    }
    mishearing = {
        **dict.fromkeys(("words", "heard"), either(TEXT, SENTENCES)),
        "labels": either(SENTENCES, table_of(WHOLE)),
        "count": WHOLE,
        "change": NUMBER,
    }
    own = {
        **_BLAMED,
        "documents": list_of(members(document)),
        "cases": list_of(members(case)),
        "mishearings": list_of(members(mishearing)),
        "notes": NOTES,
    }
    system = members({"system": TEXT, "condition": TEXT, **own})
    return either(report_of(own), report_of({"systems": list_of(system)}))


def _agreement() -> Schema:
    row = columns_of(agreement.COLUMNS, Agreement(0, 0, 0, 0, 0, ()), None)
    of_two = report_of(
        {"signature": TEXT, **row, "unplaceable": WHOLE, "labels": table_of(members(row))},
        {"notes": NOTES},
    )
    units = members(columns_of(annotators.COLUMNS, Coefficients(0, None, None), None))
    pair = columns_of(annotators.PAIRS, PairOfAnnotators("", "", 0, 0, 0), None)
    of_several = report_of(
        {
            "signature": TEXT,
            "annotators": list_of(members({"name": TEXT, "documents": WHOLE, "elements": WHOLE})),
            "shared": WHOLE,
            **dict.fromkeys(("elements", "words"), units),
            "labels": table_of(units),
            "pairs": list_of(members({"first": TEXT, "second": TEXT, **pair})),
            "F": RATE,
        }
    )
    values = members({**dict.fromkeys(("A", "B", "mean"), RATE), "signature": TEXT})
    of_measures = report_of({"measures": table_of(values), "notes": SENTENCES})
    return either(of_two, of_several, of_measures)


def _gate() -> Schema:
    part = either(
        members({"ser": RATE, "cost": NUMBER, "Ref": WHOLE}),
        members({"f1": RATE, "errors": NUMBER, "size": NUMBER}),
        members({"error_rate": RATE, "errors": NUMBER, "Ref": NUMBER}),
    )
    sides = {"then": part, "now": part}
    return report_of(
        {
            "signature": TEXT,
            "worse": TRUTH,
            "growth": NUMBER,
            "margin": NUMBER,
            **sides,
            "p": RATE,
            "exact": or_null(TRUTH),
            "arrangements": or_null(WHOLE),
            **_RESAMPLES,
            "documents": list_of(members({"id": TEXT, **sides})),
            "labels": list_of(members({"label": TEXT, **sides})),
        },
        {"measure": TEXT},
    )


def _stats() -> Schema:
    errors = {**dict.fromkeys(("correct", "S", "D", "I", "reference"), WHOLE), "wer": RATE}
    group = {
        **members(
            {
                "depths": table_of(WHOLE),
                "labels": table_of(WHOLE),
                "wer": table_of(members(errors)),
                "elements_per_word": RATE,
                "mean_depth": RATE,
            }
        ),
        "additionalProperties": WHOLE,  # the numbers of each kind
    }
    return report_of({"signature": TEXT, "groups": table_of(group)})


def _doctor() -> Schema:
    texts = dict.fromkeys(("check", "message", "advice"), TEXT)
    finding = members({"refused": TRUTH, **texts, "documents": SENTENCES})
    clock = dict.fromkeys(("words", "same"), WHOLE)
    clock |= dict.fromkeys(("drift", "offset", "begin", "change"), RATE)
    system = {
        "documents": WHOLE,
        "unseen": SENTENCES,
        "refused": TRUTH,
        "findings": list_of(finding),
        "clocks": table_of(members(clock)),
        "apart": table_of(WHOLE),
    }
    files = list_of(members({"path": TEXT, "program": TEXT}))  # not in the first reports
    return report_of({"refused": TRUTH, "systems": table_of(members(system, {"files": files}))})


def _align() -> Schema:
    counts = members({**_ERRORS, "correct": WHOLE})
    side = or_null(
        members(
            {"span": list_of(WHOLE, 2), "words": SENTENCES, "time": or_null(list_of(NUMBER, 2))}
        )
    )
    block = members({"operation": TEXT, "reference": side, "hypothesis": side})
    document = members({"id": TEXT, "words": counts, "alignment": list_of(block)})
    return report_of(
        {
            "signature": TEXT,
            "context": or_null(WHOLE),
            "total": counts,
            "documents": list_of(document),
            "notes": SENTENCES,
        }
    )


SCHEMAS: dict[str, Callable[[], Schema]] = {
    "score": _score,
    "sweep": _sweep,
    "templates": schema_of_templates,
    "audit": _audit,
    "blame": _blame,
    "align": _align,
    "compare": _compare,
    "agreement": _agreement,
    "doctor": _doctor,
    "gate": _gate,
    "stats": _stats,
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
