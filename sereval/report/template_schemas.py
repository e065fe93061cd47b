"""The JSON schemas of the reports about templates."""

from __future__ import annotations

from collections.abc import Iterable

from ..measures.figures import Figure
from . import responses, templates
from .columns import Column
from .schema_parts import (
    ENDS,
    NUMBER,
    RATE,
    SENTENCES,
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
from .scheme import EQUAL


def schema_of_templates() -> Schema:
    """The reports of ``sereval templates``: a score, the values of slots, several responses."""
    slot = {"type": TEXT, "slot": TEXT, "templates": WHOLE, "entropy": NUMBER}
    values = {"values": table_of(WHOLE), "none": WHOLE}
    return either(
        *map(_of_one_response, TEMPLATE_COLUMNS),
        report_of({"slots": list_of(members({**slot, **values}))}),
        schema_of_responses(),
    )


TEMPLATE_COLUMNS = (templates.COLUMNS, templates.WITH_PARTIAL)
"""The columns of a score of templates, without and with partial credit."""


def _of_one_response(columns: Iterable[Column[Figure, float]]) -> Schema:
    """The score of one response."""
    row = columns_of(columns, Figure(), EQUAL)
    ranges = {
        "range": members({**dict.fromkeys(("precision", "recall", "f"), ENDS), "complete": TRUTH})
    }
    fill = {"outcome": TEXT, **dict.fromkeys(("slot", "key", "response"), or_null(TEXT))}
    listed = members(
        {
            "type": TEXT,
            **dict.fromkeys(("key", "response"), or_null(TEXT)),
            "fills": list_of(members(fill)),
        }
    )
    return report_of(
        {
            "signature": TEXT,
            "notes": SENTENCES,
            "beta": NUMBER,
            **row,
            **ranges,
            "types": table_of(members(row)),
            "slots": table_of(members(row)),
            "documents": list_of(
                members({"id": TEXT, **row, **ranges}, {"templates": list_of(listed)})
            ),
        }
    )


def schema_of_responses() -> Schema:
    """The report on several responses under several criteria."""
    row = either(*(members(columns_of(each, Figure(), EQUAL)) for each in TEMPLATE_COLUMNS))
    spread = {"number": WHOLE, **dict.fromkeys(("least", "greatest", "mean"), RATE)}
    flip = dict.fromkeys(("first", "second"), TEXT)
    flip |= dict.fromkeys(("base", "other", "difference"), NUMBER)
    contrast = {
        "f": table_of(list_of(NUMBER, 2)),
        **dict.fromkeys(("lower", "higher"), members(spread)),
        "pairs": WHOLE,
        "flips": members(
            {
                **spread,
                "bands": members(dict.fromkeys(responses.BANDS, WHOLE)),
                "pairs": list_of(members(flip)),
            }
        ),
    }
    parts = dict.fromkeys(("lower", "higher", "flips"), members({**spread, "documents": WHOLE}))
    documents = members({"number": WHOLE, **parts, "by_id": table_of(members(contrast))})
    names = dict.fromkeys(("criterion", "alignment", "signature"), TEXT)
    return report_of(
        {
            "beta": NUMBER,
            "notes": SENTENCES,
            "criteria": list_of(members({**names, "responses": table_of(row)})),
            "contrasts": list_of(
                members({"base": TEXT, "other": TEXT, **contrast, "documents": documents})
            ),
        }
    )
