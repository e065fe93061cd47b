"""The JSON schemas of the reports, made from their tables."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib import resources

from ..analysis import (
    agreement,
    alignment,
    audit,
    blame,
    compare,
    doctor,
    gate,
    measured,
    stability,
    stats,
    strata,
    sweep,
)
from ..errors import SerevalError, nearest
from ..evaluation import report as slots
from ..render.report import Forms
from ..render.report import schema as schema_of
from ..schemes import result as schemes
from ..templates import entropy
from ..templates import report as of_templates

FORMS: Mapping[str, Sequence[Forms]] = {
    "score": [
        slots.FORMS,
        {**slots.FORMS, **strata.STRATA},
        *(schemes.forms(own) for own, _ in (schemes.PLAIN, *schemes.LAYOUTS.values())),
        measured.FORMS,
    ],
    "sweep": [sweep.FORMS, sweep.MEASURE_FORMS, sweep.THRESHOLD_FORMS],
    "templates": [of_templates.FORMS, entropy.FORMS, of_templates.RESPONSE_FORMS],
    "audit": [audit.FORMS],
    "blame": [blame.FORMS, blame.BLAMES],
    "align": [alignment.FORMS],
    "compare": [compare.FORMS, stability.FORMS, of_templates.RESPONSE_FORMS],
    "agreement": [agreement.FORMS, agreement.SEVERAL_FORMS],
    "doctor": [doctor.FORMS],
    "gate": [gate.FORMS],
    "stats": [stats.FORMS],
}
"""The tables that the reports of each command have."""

COMMANDS = (*FORMS, "project")


def schema(name: str) -> dict[str, object]:
    """The JSON schema of the report of a command.

    Args:
        name: the name of the command; ``audit``: of a line of ``--format jsonl``; ``project``: of a
            document in sereval's own format.

    Returns:
        A schema in the dialect 2020-12 of JSON Schema, as a dictionary with ``$id`` and ``title``.

    Raises:
        SerevalError: no command of this name has a report in JSON.

    >>> schema("score")["$id"]
    'urn:sereval:schema:score'
    """
    if name not in COMMANDS:
        expected = f"expected one of {', '.join(COMMANDS)}"
        raise SerevalError(f"command is {name!r}{nearest(name, COMMANDS)}, {expected}")
    if name == "project":
        path = resources.files(__package__) / "document.schema.json"
        return dict(json.loads(path.read_text("utf-8")))
    return schema_of(name, FORMS[name], has_lines=name == "audit")
