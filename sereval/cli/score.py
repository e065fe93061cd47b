"""``sereval score``, ``agreement`` and ``schemes``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace

from ..errors import UsageFault
from ..evaluation.report import VIEWS, WIDEST
from ..render.report import Look, Report
from ..runs import api
from ..runs.options import flag
from ..schemes.measure import OPTIONS, Option
from ..schemes.table import TABLE, Scheme
from .line import Line, command, print_path_notes
from .outputs import OutputPath
from .parameters import DeclaredOption, output_options


@command(
    "ref [hyp]",
    DeclaredOption(OPTIONS["aligned"], OutputPath("output")),
    Option(
        "show",
        "What the text has: the ten labels and three documents that cost most (summary), "
        "every label, every document, or all. JSON and CSV always have all.",
        choices=VIEWS,
        default="summary",
        group="Output",
        is_common=True,
    ),
    *output_options(("text", "json", "csv")),
    examples=(
        "score data/ref data/hyp/gazetteer/manual",
        "score data/ref data/hyp/gazetteer/asr -a data/align -w data/asr -t 0.3",
        "score data/ref data/hyp/gazetteer/asr --by text -o score.json",
    ),
)
def score(line: Line) -> Report:
    """Score HYP against REF.

    The report has the slot error rate, precision, recall and F1, by label and by document. One
    file may hold both sides: tags, as for conlleval (REF --columns REFERENCE,HYPOTHESIS), or words
    in a table or a manifest (REF --measure WER).
    """
    find_sides(line)
    is_seen = line.output == "-" and sys.stdout.isatty()
    look = line.terminal() if is_seen else Look()  # slow
    line.look = look._replace(width=min(look.width, WIDEST), has_bars=is_seen, show=line.show)
    found = api.score(line.asked())
    if line.aligned is not None and line.measure is None:
        from ..schemes.conll import aligned_file

        line.beside[line.aligned] = aligned_file(found.documents)
    report: Report = found.report()
    return report


def find_sides(line: Line) -> None:
    """Without HYP, make both sides of the file of columns that holds the tags of both."""
    if line.hyp is not None:
        return
    columns = line.columns
    if not columns:  # a table or a manifest may have the words of both sides
        from ..formats.file import File, ReadingOptions, recognised  # few scores are of one file
        from ..formats.rows import both_columns

        file = File(line.ref, "", ReadingOptions(encoding=line.encoding))
        known = ("csv", "manifest")
        is_one = line.ref_format in known or line.ref.lower().endswith(".csv")
        columns = both_columns(file) if is_one or recognised(file) in known else ()
    if len(columns) != 2 or line.hyp_columns:
        raise UsageFault(
            "found no HYP, expected one, or the columns of both sides in REF: --columns "
            "REFERENCE,HYPOTHESIS"
        )
    line.values |= {"hyp": line.ref, "columns": columns[:1], "hyp_columns": columns[1:]}


@command(
    "a [b] [others]...",
    Option(
        "places",
        "Number of places where an annotator could have put an element; by default only "
        "places with an element on either side count.",
        group="Scoring",
        metavar="N",
        least=0,
        default=0,
    ),
    Option(
        "is_open",
        "Count a substitution as two missing elements, one on each side, not as a disagreement.",
        flag="--open",
        group="Scoring",
        is_flag=True,
    ),
    *output_options(("text", "json", "csv")),
    examples=(
        "agreement data/ref data/hyp/gazetteer/manual",
        "agreement data/ref data/hyp/gazetteer/asr --by text",
        "agreement data/ref data/hyp/gazetteer/manual --only outermost",
    ),
)
def agreement(line: Line) -> Report:
    """Measure the agreement of two annotators, or of more.

    A and B are their annotations of the same documents. The figures are S, pi, kappa and F. In the
    options, REF is A and HYP is B. For three or more annotators, or one export of Label Studio with
    several, the figures are Fleiss' kappa, Krippendorff's alpha and F.
    """
    if line.b is None or line.others:
        if line.is_open:
            raise UsageFault("--open has no effect with several annotators, expected two")
        paths = [*filter(None, (line.a, line.b)), *line.others]
        return api.agreement_of(paths, line.asked(), line.places, print_path_notes).report()
    found = api.agreement(line.asked(line.a, {"": line.b}))
    return replace(found, places=line.places, is_open=line.is_open).report()


@command(
    "",
    examples=(
        "schemes",
        "score --scheme mitre --help-all",
        "score data/ref data/hyp/gazetteer/manual --scheme muc",
    ),
)
def schemes(_: Line) -> str:
    """List the schemes: what each counts, its figures and its options.

    The options that all schemes take are left out. sereval score --scheme NAME --help-all shows all
    options of one scheme with what they do.
    """
    return "\n\n".join("\n".join(_lines(scheme)) for scheme in TABLE) + "\n"


WIDTH = max(len(scheme.name) for scheme in TABLE) + 2


def _lines(scheme: Scheme) -> Iterator[str]:
    """The lines of a scheme: its name with what it counts, its figures, its options."""
    texts = (
        scheme.description,
        f"figures: {', '.join(scheme.figures)}",
        f"options: {', '.join(map(flag, scheme.options))}",
    )
    from textwrap import wrap  # only this command waits for it

    margin = " " * WIDTH
    for k, text in enumerate(texts):
        yield from wrap(
            text,
            80,
            initial_indent=margin if k else f"{scheme.name:{WIDTH}}",
            subsequent_indent=margin,
            break_on_hyphens=False,
            break_long_words=False,
        )
