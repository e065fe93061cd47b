"""``sereval compare`` and ``sereval sweep``: several systems on one reference."""

from __future__ import annotations

import logging
from dataclasses import replace

from ..analysis.stability import report_of
from ..errors import UsageFault
from ..render.chart import CHARTS, check_matplotlib, drawn
from ..render.text import counted
from ..runs import api
from ..runs.options import FILES
from ..runs.scoring import Request, refuse
from ..runs.sides import ALIGNMENT_OPTIONS, read_campaign
from ..schemes.options import Option
from ..templates.reader import is_templates
from .line import Line, Shown, command, write_page
from .outputs import OutputPath, suffix_of
from .parameters import DeclaredOption, output_options

HTML = "html"


def campaign_of(line: Line) -> Request:
    """The run of a campaign, whose file replaces arguments and options."""
    if line.ref is not None:
        raise UsageFault("found REF and --campaign, expected one of them")
    refuse(line.flags, ("names", "align", "words", *ALIGNMENT_OPTIONS), "with --campaign")
    asked = line.asked()
    line.request = replace(asked, conditions=read_campaign(line.campaign, asked.sides))
    return line.request


@command(
    "[ref] [hyps]...",
    Option(
        "campaign",
        is_common=True,
        group=FILES,
        metavar="FILE",
        help="A TOML file that names the reference, the conditions and the systems, instead of "
        "REF and HYP.",
    ),
    Option(
        "stability",
        group="Output",
        is_flag=True,
        help="Report instead whether the systems keep their order under other alignment criteria.",
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
    if ref is not None and is_templates(ref):
        from .templates import compare_responses

        return compare_responses(line)
    asked = _asked(line)
    if line.stability:
        return report_of(api.stability(asked))
    needs = f"--format {HTML}" if is_page else ""
    if line.table == "elements":
        needs = "--table elements"
    if needs:
        api.check_outcomes(asked, needs)
    found, scores = api.compare(asked, keeps_outcomes=bool(needs))
    report = found.report()
    if not is_page:
        return report
    title = line.campaign or f"{counted(len(hyps), 'system')} against {ref}"
    shown = {name: {s: [one] for s, one in its.items()} for name, its in scores.items()}
    costs = {(one.condition, one.system): one.blame for one in found.blames}
    write_page(line, shown, title, report=report.lines(), blames=costs, compared=found)
    return None


def _asked(line: Line) -> Request:
    """The run of the reference and the systems, or of a campaign."""
    if line.campaign is not None:
        return campaign_of(line)
    if line.ref is None or not line.hyps:
        raise UsageFault("expected REF and at least one HYP, or --campaign")
    return line.asked(line.ref, line.systems)


@command(
    "ref hyps...",
    DeclaredOption(
        Option(
            "plot",
            is_common=True,
            group="Output",
            metavar="FILE",
            help="Draw a chart of SER, or of each measure, against tolerance, as .svg, .png or "
            ".pdf; needs sereval[plot].",
        ),
        OutputPath(CHARTS),
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
        logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it warns about its caches
        check_matplotlib()
        points = line.grid_text or line.extent_points or ()
        if len(points) == 1 and line.thresholds is None:
            raise UsageFault("found one tolerance, expected two or more for a curve")
    is_page = line.format == HTML
    found, scores = api.sweep(line.asked(line.ref, line.systems), keeps_outcomes=is_page)
    report = found.report()
    if line.plot is not None:
        line.beside[line.plot] = drawn(found.plot(), suffix_of(line.plot), str(report.signature))
    if not is_page:
        return report
    title = f"{counted(len(line.hyps), 'system')} against {line.ref}"
    write_page(line, {"": scores}, title, report=report.lines())
    return None
