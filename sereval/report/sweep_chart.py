"""The charts of a sweep: its curves, and the errors of each system.

A sweep of measures has a chart of curves for each measure.
"""

from __future__ import annotations

import io
import logging
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..analysis.sweep import Sweep
from ..errors import SerevalError, one_line
from ..measures.slots import Slot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CHARTS = ("svg", "png", "pdf")
"""The kinds of chart, by the suffix of the file."""

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
"""The palette of Okabe and Ito without its palest colour; the colour-blind can distinguish it."""

MARKERS = "osD^vPX"
SHARES = (
    ("deletions", (Slot.DELETION,), "#4d4d4d"),
    ("substitutions", (Slot.SPAN, Slot.TYPE, Slot.SPAN_AND_TYPE), "#999999"),
    ("insertions", (Slot.INSERTION,), "#d9d9d9"),
)
"""The stacked areas, from the lowest up: name, classes, and grey."""

STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so it is the same everywhere
    "font.size": 9.0,
    "axes.labelsize": 9.0,
    "axes.titlesize": 9.0,
    "axes.linewidth": 0.7,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "pdf.fonttype": 42,  # TrueType: text can be searched, and publishers accept it
    "savefig.dpi": 200,
    "svg.hashsalt": "sereval",  # makes the ids in the file deterministic
}
SIGNED: dict[str, tuple[str, dict[str, Any]]] = {
    "svg": ("Description", {"Date": None}),
    "pdf": ("Subject", {"CreationDate": None}),
    "png": ("Description", {}),
}
"""For each kind, the metadata field of the signature, and fields that suppress the date."""

MOST_ACROSS = 3
"""The most small charts in a row."""

LONGEST_TITLE = 16
"""The most characters of a title line over a small chart, with ``MOST_ACROSS`` in a row."""

LONGEST_LABEL = 24
"""The most characters of a line of a name at the end of a curve."""

MOST_LINES = 4
"""The most lines of a name."""

LONGEST_SIGNATURE = 130
"""The most characters of a line of a signature under the chart."""


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Silence the warnings of matplotlib about its caches."""
    logger = logging.getLogger("matplotlib")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


def check_matplotlib() -> None:
    """Check that matplotlib can draw a chart.

    Raises:
        SerevalError: matplotlib is not installed, or its configuration is wrong.
    """
    try:
        with _without_warnings():
            import matplotlib  # noqa: F401 - slow to import, wanted by charts only
    except ImportError:
        raise SerevalError(
            "a plot needs matplotlib, which is not installed: pip install 'sereval[plot]'"
        ) from None
    except ValueError as error:  # such as MPLBACKEND in the environment
        reason = one_line(str(error).partition(";")[0])
        raise SerevalError(f"matplotlib: {reason}, expected a known value or none") from None


def chart(sweep: Sweep, kind: str) -> bytes:
    """A chart of the SER against the tolerance, with a small chart of errors for each system.

    Args:
        sweep: the sweep to draw.
        kind: ``svg``, ``png`` or ``pdf``.

    Returns:
        The content of the file, with the sweep's signature in its metadata. Equal sweeps give equal
        bytes under the same version of matplotlib.
    """
    from matplotlib import rc_context, rcdefaults, rcParams

    out = io.BytesIO()
    with _without_warnings(), rc_context():  # restores the settings
        rcdefaults()  # ignores the user's settings
        rcParams.update(STYLE)
        field, other = SIGNED[kind]
        _figure(sweep).savefig(out, format=kind, metadata={**other, field: signed(sweep)})
    return out.getvalue()


def signed(sweep: Sweep) -> str:
    """The signatures of a sweep, one for each measure, each once."""
    return "; ".join(dict.fromkeys(map(str, sweep.signatures.values())))


def figure(sweep: Sweep) -> Figure:
    """The chart of ``chart`` as a figure of matplotlib.

    Args:
        sweep: the sweep to draw.

    Raises:
        SerevalError: as ``check_matplotlib``.
    """
    check_matplotlib()
    from matplotlib import rc_context, rcdefaults, rcParams

    with _without_warnings(), rc_context():
        rcdefaults()
        rcParams.update(STYLE)
        return _figure(sweep)


def _figure(sweep: Sweep) -> Figure:
    """The charts, with the signatures in small type under them."""
    figure = _curves(sweep) if sweep.measures else _rates_and_errors(sweep)
    signatures = dict.fromkeys(map(str, sweep.signatures.values()))
    figure.supxlabel(
        "\n".join(line for one in signatures for line in _signature_lines(one)),
        x=0.005,
        horizontalalignment="left",
        multialignment="left",
        fontsize=6,
        color="#404040",
        parse_math=False,
    )
    return figure


def _signature_lines(signature: str) -> list[str]:
    """A signature on lines that fit under the chart, cut after ``|`` where that is possible."""
    parts = signature.replace("|", "|\0").split("\0")
    lines = [""]
    for part in parts:
        if lines[-1] and len(lines[-1]) + len(part) > LONGEST_SIGNATURE:
            lines.append("")
        lines[-1] += part
    return [piece for line in lines for piece in textwrap.wrap(line, LONGEST_SIGNATURE)]


def _curves(sweep: Sweep) -> Figure:
    """A chart for each measure, one below the other."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.8, 2.6 * len(sweep.curves)), layout="constrained")
    for at, name in enumerate(sweep.curves, 1):
        axes = figure.add_subplot(len(sweep.curves), 1, at)
        _draw_rates(axes, sweep, name)
        axes.set_ylabel(f"{wrap(one_line(name), LONGEST_LABEL)} (%)", parse_math=False)
    return figure


def _rates_and_errors(sweep: Sweep) -> Figure:
    from matplotlib.figure import Figure

    across = min(len(sweep.systems), MOST_ACROSS)
    down = -(-len(sweep.systems) // across)
    figure = Figure(figsize=(6.8, 3.0 + 1.9 * down), layout="constrained")
    cells = figure.add_gridspec(1 + down, across, height_ratios=[3.0] + [1.1] * down)
    _draw_rates(figure.add_subplot(cells[0, :]), sweep, "SER")
    first: Axes | None = None
    for at, name in enumerate(sweep.systems):
        row, column = divmod(at, across)
        axes = figure.add_subplot(cells[1 + row, column], sharex=first, sharey=first)
        first = first or axes
        title = wrap(one_line(name), LONGEST_TITLE * MOST_ACROSS // across)
        _draw_shares(axes, sweep, name, title, _look(at)["color"])
        axes.tick_params(labelleft=column == 0)
        if column == 0:
            axes.set_ylabel("% of Ref")
        if at + across >= len(sweep.systems):  # the lowest chart of its column
            axes.set_xlabel("tolerance (s)")
        axes.locator_params(axis="x", nbins=2 + 4 // across)
        if at == across - 1:
            _explain(axes)
    return figure


def _draw_rates(axes: Axes, sweep: Sweep, measure: str) -> None:
    """Draw a curve for each system, with the name at its end; the axis of the rate has zero."""
    x = _places(sweep)
    ends: list[tuple[float, str, str]] = []
    for at, name in enumerate(sweep.systems):
        exact = sweep.rates(name, measure)
        rates = [float("nan") if r is None else float(100 * r) for r in exact]
        look = _look(at)
        axes.plot(x, rates, markevery=max(1, len(x) // 25), zorder=3, clip_on=False, **look)
        if exact[-1] is not None:
            ends.append((rates[-1], wrap(one_line(name), LONGEST_LABEL), look["color"]))
    axes.margins(x=0.02, y=0.08)
    _begin_at_zero(axes)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel(f"{sweep.axis.name} ({'s' if sweep.axis.unit == 's' else 'words'})")
    axes.set_ylabel("slot error rate (%)")
    axes.grid(axis="y", color="#e5e5e5", linewidth=0.6)
    low, high = axes.get_ylim()
    ends.sort()
    lines = max((name.count("\n") + 1 for _, name, _ in ends), default=1)
    places = _spread([y for y, _, _ in ends], gap=(high - low) * LABEL * lines)
    for (_, name, colour), y in zip(ends, places, strict=True):
        axes.annotate(
            name,
            (x[-1], y),
            xytext=(8, 0),
            textcoords="offset points",
            color=colour,
            verticalalignment="center",
            annotation_clip=False,
            parse_math=False,
        )


def _begin_at_zero(axes: Axes) -> None:
    """Make 0 the lower end of the vertical axis, or its upper end if no value is above 0."""
    if axes.dataLim.ymin < 0:
        axes.set_ylim(top=max(axes.get_ylim()[1], 0))
    else:
        axes.set_ylim(bottom=0)


LABEL = 0.06
"""The height of a line of text as a share of the height of the upper chart."""


def _spread(places: Sequence[float], gap: float) -> list[float]:
    """Increasing places, moved apart as little as needed to keep a gap between neighbours.

    >>> _spread([1, 2, 8], gap=3)
    [0.0, 3.0, 8.0]
    """
    groups: list[list[float]] = []  # each group is centred on the mean of its places
    for place in places:
        groups.append([place])
        while len(groups) > 1 and _low(groups[-1], gap) < _low(groups[-2], gap) + gap * len(
            groups[-2]
        ):
            after = groups.pop()
            groups[-1] += after
    return [_low(group, gap) + gap * k for group in groups for k in range(len(group))]


def _low(group: Sequence[float], gap: float) -> float:
    return sum(group) / len(group) - gap * (len(group) - 1) / 2


def _look(at: int) -> dict[str, Any]:
    """The line and the marker of a system; when colours repeat, the markers differ."""
    again, colour = divmod(at, len(COLOURS))
    return {
        "color": COLOURS[colour],
        "marker": MARKERS[(colour + again) % len(MARKERS)],
        "markersize": 4.5,
        "markeredgewidth": 0,
        "linewidth": 1.4,
    }


def _draw_shares(axes: Axes, sweep: Sweep, name: str, title: str, colour: str) -> None:
    """Draw deletions, substitutions and insertions in percent of Ref, stacked."""
    points = sweep.systems[name]
    areas = [
        [100 * sum(counts[slot] for slot in slots) / (counts.ref or 1) for counts in points]
        for _, slots, _ in SHARES
    ]
    greys = [grey for _, _, grey in SHARES]
    axes.stackplot(_places(sweep), *areas, colors=greys, linewidth=0)
    axes.set_xlim(_places(sweep)[0], _places(sweep)[-1])
    axes.set_ylim(bottom=0)
    axes.locator_params(axis="y", nbins=4)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_title(
        title,
        color=colour,
        fontweight="bold",
        loc="left",
        pad=25,
        parse_math=False,
    )
    refs = _from_to([counts.ref for counts in points])
    lost = _from_to([counts.unplaceable for counts in points])
    axes.annotate(
        f"Ref {refs}\nunplaceable {lost}",
        (0, 1),
        xytext=(0, 5),
        xycoords="axes fraction",
        textcoords="offset points",
        fontsize=7,
        linespacing=1.3,
        color="#404040",
    ).set_in_layout(False)  # a long text must not make the chart narrow


def wrap(name: str, width: int) -> str:
    """A name on lines of at most ``width`` characters, cut after a separator if it has one.

    >>> wrap("compromise/asr_adapted", 16), wrap("crf", 16)
    ('compromise/\\nasr_adapted', 'crf')
    """
    lines = []
    while len(name) > width:
        cuts = (1 + max(name.rfind(mark, 0, width) for mark in marks) for marks in ("/", " -_."))
        cut = next(filter(None, cuts), width)
        lines.append(name[:cut])
        name = name[cut:]
    lines.append(name)
    if len(lines) > MOST_LINES:
        lines[MOST_LINES - 1 :] = [lines[MOST_LINES - 1][: width - 1] + "…"]
    return "\n".join(lines)


def _explain(axes: Axes) -> None:
    """Draw the legend of the greys beside a chart, in the order of the areas."""
    from matplotlib.patches import Patch

    axes.legend(
        handles=[Patch(color=grey, label=what) for what, _, grey in reversed(SHARES)],
        loc="center left",
        bbox_to_anchor=(1.0, 0.5),
        frameon=False,
        fontsize=7.5,
        handlelength=1,
        handleheight=1,
    )


def _places(sweep: Sweep) -> list[float]:
    """The points, in seconds or in words."""
    unit = 1000 if sweep.axis.unit == "s" else 1
    return [point / unit for point in sweep.tolerances]


def _from_to(numbers: Sequence[int]) -> str:
    """The first and the last number; one number if all are equal."""
    return str(numbers[0]) if len(set(numbers)) == 1 else f"{numbers[0]} → {numbers[-1]}"
