"""Template files as the inputs of ``sereval templates`` and ``sereval compare``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from ..analysis.campaign import campaign
from ..render.report import Report
from ..runs.groups import check_groups, read_groups
from ..runs.pairs import system_names
from ..runs.scoring import workers_of
from ..templates.align import ALGORITHMS
from ..templates.model import TemplateDocument
from ..templates.reader import read_templates
from ..templates.responses import criteria, score_responses
from ..templates.responses_report import report_of
from ..templates.score import FILLS, TemplateSettings
from .inputs import check_paths
from .outputs import with_progress
from .scoring import on_command_line, take_resampling

TAKEN = (
    *("ref", "hyps", "names", "stability", "missing", "encoding", "groups", "format", "output"),
    *("resamples", "seed", "confidence", "jobs", "scheduler"),
)
"""The options of ``compare`` that have an effect on template files."""

DRAWN = ("groups", "resamples", "seed", "confidence")
"""Those of them that have none with ``--stability``."""


def read_responses(
    key: str, responses: Mapping[str, str], encoding: str
) -> tuple[list[TemplateDocument], dict[str, list[TemplateDocument]]]:
    """The documents of a key, and those of each response.

    Args:
        key: the path of the key.
        responses: the path of each response, by its name.
        encoding: the encoding of the files.

    Raises:
        InputError: as for ``read_templates``.
    """
    check_paths([key, *responses.values()])
    keys = read_templates(key, key=True, encoding=encoding)
    found = {
        name: read_templates(path, key=False, encoding=encoding) for name, path in responses.items()
    }
    return keys, found


def compare_responses(
    key: str,
    paths: Sequence[str],
    names: Sequence[str],
    format: str,
    *,
    stability: bool,
    groups: str | None,
    **values: Any,
) -> Report:
    """The report of ``compare`` on template files.

    With ``--stability`` the responses are scored under each criterion and algorithm of alignment;
    without it, their F has intervals and tests, as that of any scheme.

    Args:
        key: the path of the key.
        paths: the paths of the responses.
        names: their names; none: names are made from the paths.
        format: the format of the report.
        stability: whether ``--stability`` is set.
        groups: the file of groups of documents; ``None``: there are no groups.
        values: the values of the other options.

    Raises:
        click.UsageError: an option has no effect on template files; no response.
        SerevalError: as for ``score_responses``.
    """
    for name, flag in on_command_line(click.get_current_context()).items():
        if name not in TAKEN or (stability and name in DRAWN):
            what = "--stability" if name in TAKEN else "template files"
            raise click.UsageError(f"{flag} has no effect with {what}, expected it without")
    if format == "html":
        raise click.UsageError("--format html is not for template files, expected text, json, csv")
    if not paths:
        raise click.UsageError("expected REF and at least one HYP, or --campaign")
    asked = dict(zip(system_names(paths, names), paths, strict=True))
    keys, responses = read_responses(key, asked, values["encoding"])
    settings = TemplateSettings(missing=values["missing"] or "error")
    ways = criteria(settings, ALGORITHMS) if stability else [settings]
    resampling, values = take_resampling({**values, "unit": "document"})
    found = score_responses(keys, responses, ways, workers=workers_of(values), watch=with_progress)
    if stability:
        return report_of(found)
    scores = {name: own[0].by(FILLS) for name, own in found.scores.items()}
    grouped = {} if groups is None else read_groups(groups)
    check_groups(groups, grouped, {("ref", key): keys})
    return campaign({"templates": scores}, [], resampling, grouped).report()
