"""``compare`` and ``sweep``, of several systems; ``audit``, ``blame`` and ``align``, of one."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from ..analysis.audit import ROW_CLASSES, UNPLACEABLE, AnyScore, Audit, SlotCase
from ..analysis.audit import audit as rows_of
from ..analysis.audit import report_of as report_of_audits
from ..analysis.stability import report_of as report_of_stability
from ..errors import SerevalError, UsageFault
from ..evaluation.evaluate import Evaluation
from ..evaluation.settings import CUTS
from ..formats import WORDS
from ..render.chart import CHARTS, check_matplotlib, drawn
from ..render.picture import NARROWEST
from ..render.report import counted
from ..runs import api
from ..runs.api import HTML
from ..runs.options import FILES, OPTIONS
from ..runs.scoring import Request, refuse
from ..runs.sides import ALIGNMENT_OPTIONS, check_ids, read_campaign, with_ids
from ..schemes.measure import Option, names
from ..templates.reader import is_templates
from .line import Line, Shown, command, print_reading_notes, warn_of_unknown, write_page
from .outputs import OutputPath, print_notes, suffix_of, warn, write_files
from .parameters import DOCUMENTS, LABELS, DeclaredOption, output_options
from .score import find_sides

if TYPE_CHECKING:
    from ..analysis.strata import Strata

CAMPAIGN = Option(
    "campaign",
    "A TOML file that names the reference, the conditions and the systems, instead of REF and HYP.",
    is_common=True,
    group=FILES,
    metavar="FILE",
)


def campaign_of(line: Line) -> Request:
    """The run of a campaign, whose file replaces arguments and options."""
    if line.ref is not None:
        raise UsageFault("found REF and --campaign, expected one of them")
    refuse(line.flags, ("names", "align", "words", *ALIGNMENT_OPTIONS), "with --campaign")
    asked = line.asked()
    asked.conditions = read_campaign(line.campaign, asked.sides)
    return asked


@command(
    "[ref] [hyps]...",
    CAMPAIGN,
    Option(
        "stability",
        "Report instead whether the systems keep their order under other alignment criteria.",
        group="Output",
        is_flag=True,
    ),
    *output_options(("text", "json", "csv", HTML)),
    examples=(
        "compare data/ref data/hyp/*/manual",
        "compare data/ref data/hyp/*/asr -a data/align -w data/asr -t 0.3",
        "compare data/ref data/hyp/*/manual --measure SER,F1,mitre.type",
    ),
)
def compare(line: Line) -> Shown:
    """Compare several systems on one reference.

    The report has the slot error rate of each system, or other measures, with intervals. It also
    has the differences between systems, with permutation tests and by label. For a campaign
    with manual and recognised words it also has the cost of each recogniser. Template files, as for
    sereval templates, are compared by F.
    """
    ref, hyps, is_page = line.ref, line.hyps, line.format == HTML
    if line.stability and is_page:
        raise UsageFault(f"--format {HTML} is not for --stability, expected one of them")
    if line.campaign is None and (ref is None or not hyps):
        raise UsageFault("expected REF and at least one HYP, or --campaign")
    if ref is not None and is_templates(ref):
        from .templates import compare_responses

        return compare_responses(line)
    asked = line.asked() if line.campaign is None else campaign_of(line)
    if line.stability:
        return report_of_stability(api.stability(asked))
    found = api.compare(asked)
    if not is_page:
        return found.report()
    write_page(line, found, line.campaign or f"{counted(len(hyps), 'system')} against {ref}")
    return None


@command(
    "ref hyps...",
    DeclaredOption(
        Option(
            "plot",
            "Draw a chart of SER, or of each measure, against tolerance, as .svg, .png or "
            ".pdf; needs sereval[plot].",
            is_common=True,
            group="Output",
            metavar="FILE",
        ),
        OutputPath("output"),
    ),
    *output_options(("text", "json", "csv", HTML)),
    examples=(
        "sweep data/ref data/hyp/*/asr -a data/align -w data/asr -t 0:1:0.1",
        "sweep data/ref data/hyp/*/asr -a data/align -w data/asr -t 0.1,0.3",
        "sweep data/ref data/hyp/*/asr -a data/align -w data/asr -t 0.3 -f csv",
    ),
)
def sweep(line: Line) -> Shown:
    """Score HYPs at many tolerances.

    The report has tables of the slot error rate, or of each --measure; --plot draws a chart.
    """
    if line.plot is not None:
        if suffix_of(line.plot) not in CHARTS:
            raise UsageFault(f"--plot {line.plot}: expected a suffix among {', '.join(CHARTS)}")
        logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it warns about its caches
        check_matplotlib()
        points = line.grid_text or line.extent_points or ()
        if len(points) == 1 and line.thresholds is None:
            raise UsageFault("found one tolerance, expected two or more for a curve")
    found = api.sweep(line.asked())
    report = found.report()
    if line.plot is not None:
        line.beside[line.plot] = drawn(found.plot(), suffix_of(line.plot), str(report.signature))
    if line.format != HTML:
        return report
    write_page(line, found, f"{counted(len(line.hyps), 'system')} against {line.ref}")
    return None


def class_names(text: str) -> tuple[str, ...]:
    """Names of classes, with commas between them.

    >>> class_names("S_T,D")
    ('S_T', 'D')
    """
    found = names(text)
    for name in found:
        if name not in ROW_CLASSES:
            raise SerevalError(f"found {name!r}, expected some of {','.join(ROW_CLASSES)}")
    return found


def _is_wanted(
    case: SlotCase,
    classes: tuple[str, ...],
    labels: tuple[str, ...],
    *,
    has_correct: bool,
) -> bool:
    """Whether a case is shown; without classes those of the format."""
    row = case.row
    names = {UNPLACEABLE} if row.why is not None else set()
    if row.slot is not None:
        names.add(row.slot.value)
    own = {label for one in case.rows for label in one.labels}
    return (not names.isdisjoint(classes) if classes else has_correct or row.is_error) and (
        not labels or not own.isdisjoint(labels)
    )


@command(
    "ref [hyp]",
    Option(
        "correct",
        "Show correct elements too, in the format text.",
        flag="--all",
        group="Selection",
        is_flag=True,
    ),
    Option(
        "classes",
        f"Show elements of these classes only, any of {','.join(ROW_CLASSES)}.",
        flag="--class",
        group="Selection",
        metavar="CLASSES",
        parse=class_names,
    ),
    LABELS,
    DOCUMENTS,
    OPTIONS["speakers"],
    Option(
        "notes",
        "Notes on cases that the page saved: count them by kind, and score again without "
        "the cases whose reference is wrong.",
        group="Selection",
        metavar="FILE",
    ),
    *output_options(
        ("text", "jsonl", "csv", "textgrid", "html"),
        "Format of the result. text shows errors, the others show all elements.",
        "PATH",
        "Write to this file, in the format of its suffix; for textgrid, and with --split, to this "
        "folder.",
    ),
    examples=(
        "audit data/ref data/hyp/gazetteer/manual",
        "audit data/ref data/hyp/gazetteer/asr -a data/align -w data/asr -t 0.3",
        "audit data/ref data/hyp/gazetteer/manual -o audit.html",
    ),
)
def audit(line: Line) -> Shown:
    """Explain a score: show each element with its outcome.

    The outcome is its class, its partner, its cost and the places where it may stand. --all,
    --class, --label and --document select the elements to show. They change no score. One file may
    hold the tags of both sides, as for sereval score.
    """
    find_sides(line)
    format, output = line.format, line.output
    wanted = partial(
        _is_wanted,
        classes=line.classes or (),
        labels=line.labels,
        has_correct=line.correct or format != "text",
    )
    if format == "textgrid" and output == "-":
        raise UsageFault(f"--format {format} makes files, expected -o and a folder")
    if format == "html" and (line.classes or line.labels or line.ids):
        raise UsageFault(
            "--format html shows all elements and has its own filters, expected it without "
            "--class, --label and --document"
        )
    if line.notes is not None and format not in ("text", "jsonl", "csv"):
        raise UsageFault("--notes goes with text, jsonl and csv")
    if line.speakers is not None and format != "html":
        raise UsageFault("--speakers goes with html; sereval score has it in text, json and csv")
    score = api.audit(line.asked())
    if format == HTML:
        title = f"{line.hyp} against {line.ref}"
        write_page(line, score, title, strata=_by_speaker(line.speakers, score))
        return None
    check_ids(score.ids, line.ids)
    line.look = line.terminal(width=100)
    shown = _shown(line, score, wanted)
    if format == "textgrid":
        from ..report.audit_textgrid import render  # slow to import

        line.tell()
        write_files(render(shown, score, wanted), output, line.inputs)
        return None
    report = report_of_audits(shown, score, wanted, wanted)
    if line.notes is None:
        return report
    from ..analysis.notes import read_notes, with_notes  # few audits have notes

    return with_notes(report, score, read_notes(line.notes), line.notes)


def _by_speaker(path: str | None, score: AnyScore) -> Strata | None:
    """The score of each speaker, if there is a file of turns."""
    if path is None:
        return None
    if not isinstance(score, Evaluation):
        raise UsageFault(f"--speakers has no effect with --scheme {score.name}")
    from ..analysis.strata import by_speaker, read_turns, strata  # few pages have turns

    return strata(score, {"speaker": by_speaker(read_turns(path))})


def _shown(line: Line, score: AnyScore, wanted: Callable[..., bool]) -> Iterator[Audit]:
    """The audits of the documents to show; then a warning if the filters matched no element."""
    filters = [f"--class {','.join(line.classes)}"] if line.classes else []
    filters += [f"--label {label}" for label in line.labels]
    filters += [f"--document {id}" for id in line.ids]
    known, has_any = set[str](), False
    for one in rows_of(score):
        if line.labels:
            known.update(name for row in one.rows for name in row.labels)
        if not line.ids or one.id in line.ids:
            if filters and not has_any:
                has_any = any(map(wanted, one.cases))
            yield one
    is_known = not warn_of_unknown(line.labels, known)
    if is_known and filters and not has_any:
        warn(f"no element matches {' '.join(filters)}")


@command(
    "[ref] [manual] [recognised]",
    CAMPAIGN._replace(
        help="A TOML file that names the reference, the conditions and the systems, instead of "
        "REF, HYP_MANUAL and HYP_ASR. One of its conditions has the reference's words and no "
        "tolerance.",
    ),
    *output_options(
        ("text", "json", "csv", "html"),
        "Format of the result; html is the page of an audit.",
        "PATH",
        "Write to this file, in the format of its suffix; with --split, to this folder.",
    ),
    examples=(
        "blame data/ref data/hyp/gaz*/manual data/hyp/gaz*/asr --by text",
        "blame data/ref data/hyp/comp*/manual data/hyp/comp*/asr --by text",
        "blame data/ref data/hyp/g*/manual data/hyp/g*/asr --by text -f csv",
    ),
)
def blame(line: Line) -> Shown:
    """Divide errors between the recogniser and the system.

    HYP_MANUAL is the output of the system on the words of REF, HYP_ASR its output on the words of a
    recogniser. The words of HYP_MANUAL take the times of REF's words. Elements without a place on
    the recogniser's words count as deletions.
    """
    is_page = line.format == HTML
    if line.campaign is not None:
        if is_page:
            raise UsageFault("--format html shows one system, expected it without --campaign")
        from ..analysis.blame import report_of_blames

        asked = campaign_of(line)
        return report_of_blames(api.blame(asked))
    if None in (line.ref, line.manual, line.recognised):
        raise UsageFault("expected REF, HYP_MANUAL and HYP_ASR, or --campaign")
    asked = api.with_manual(line.asked(systems={"": line.recognised}), line.manual)
    [(_, _, own)] = api.blame(asked)
    if not is_page:
        return own.report()
    write_page(line, own, f"{line.recognised} against {line.ref}")
    return None


@command(
    "ref hyp",
    DOCUMENTS,
    Option(
        "context",
        "Show only the errors, with N words on either side; by default all words.",
        group="Selection",
        metavar="N",
        least=0,
    ),
    Option(
        "width",
        "Width of a line of text, in characters; by default that of the terminal, or 80.",
        group="Output",
        metavar="N",
        least=NARROWEST,
    ),
    *output_options(("text", "json", "csv", "ctm")),
    examples=(
        "align data/ref data/hyp/gazetteer/asr",
        "align data/ref data/hyp/gazetteer/asr --context 2",
        "align data/ref data/asr --by time -a data/align --document titanic",
    ),
)
def align(line: Line) -> Shown:
    """Show the alignment of the words of HYP with the words of REF.

    By text, its errors are those of the word error rate.
    """
    from ..analysis.alignment import Alignments, alignment_signature, document_alignment

    asked = line.asked()
    how = asked.run
    through = how.settings.through
    is_by_text = through is not None and through.by == "text" and through.cut == CUTS[0]
    if not is_by_text and "alternatives" in line.flags:  # those of a settings file are for others
        raise UsageFault("--alternatives goes with --by text, without --cut times")
    pairs = asked.corpus(how, asked.sides.wanting(ref=WORDS, hyp=WORDS))
    work = partial(document_alignment, through=through, max_states=how.settings.max_states)
    found = [one for _, one in pairs.each(work)]
    aligned = with_ids(found, line.ids)
    print_reading_notes([pairs])
    alternatives = (each for one in aligned for each in one.reference.alternatives)
    shown = Alignments(
        aligned, alignment_signature(through, alternatives=alternatives), line.context
    )
    if line.format == "ctm":
        print_notes(shown.score.notes)
        return shown.ctm()
    line.look = line.terminal()
    return shown.report()
