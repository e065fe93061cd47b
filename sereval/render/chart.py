"""Charts of curves, drawn by matplotlib."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, NamedTuple

from ..errors import SerevalError, one_line
from ..measures import Slot

CHARTS = ("svg", "png", "pdf")
"""The kinds of chart, by the suffix of the file."""

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
"""The palette of Okabe and Ito without its palest colour; the colour-blind can distinguish it."""

MARKERS = "osD^vP"
"""One less than colours: lines of one colour have different markers."""

ERRORS = {
    "deletions": (Slot.DELETION,),
    "substitutions": (Slot.SPAN, Slot.TYPE, Slot.SPAN_AND_TYPE),
    "insertions": (Slot.INSERTION,),
}
"""The parts of stacked areas, in this order; their colours are ``GREYS``."""

GREYS = ("#4d4d4d", "#999999", "#d9d9d9")

STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so it is the same everywhere
    "font.size": 9.0,
    "axes.axisbelow": True,
    "axes.labelsize": 9.0,
    "axes.prop_cycle": f"cycler(color={COLOURS * 6}, marker={(*MARKERS * 7,)})",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 9.0,
    "legend.frameon": False,
    "lines.markersize": 4.5,
    "pdf.fonttype": 42,  # TrueType: text can be searched, and publishers accept it
    "savefig.dpi": 200,
    "svg.hashsalt": "sereval",  # makes the ids in the file deterministic
    "text.parse_math": False,
}
SIGNED: dict[str, tuple[str, dict[str, object]]] = {
    "svg": ("Description", {"Date": None}),
    "pdf": ("Subject", {"CreationDate": None}),
    "png": ("Description", {}),
}
"""For each kind, the metadata field of the signature, and fields that suppress the date."""


class Panel(NamedTuple):
    """Curves of a chart, by name; stacked ones are drawn as areas."""

    title: str
    axis: str
    curves: Mapping[str, Sequence[Fraction | float | None]]
    is_stacked: bool = False
    # the name and, by curve, the values of an axis of its own, in percent
    across: tuple[str, Mapping[str, Sequence[float | None]]] | None = None


def check_matplotlib() -> None:
    """Check that matplotlib is installed and can be loaded, or raise a SerevalError."""
    try:
        import matplotlib  # noqa: F401 - slow to import, wanted by charts only
    except ImportError:
        raise SerevalError(
            "a plot needs matplotlib, which is not installed: pip install 'sereval[plot]'"
        ) from None
    except ValueError as error:  # such as MPLBACKEND in the environment
        reason = one_line(str(error).partition(";")[0])
        raise SerevalError(f"matplotlib: {reason}, expected a known value or none") from None


def curves(
    axis: str, x: Sequence[float], panels: Sequence[Panel], signatures: Iterable[object]
) -> Any:
    """Panels of curves in percent, one below the other."""
    with _style():
        from matplotlib.figure import Figure

        figure = Figure(figsize=(6.8, 2.6 * len(panels)), layout="constrained")
        every = figure.subplots(len(panels), squeeze=False)[:, 0]
        for own, panel in zip(every, panels, strict=True):
            for name, values in () if panel.is_stacked else panel.curves.items():
                along = x if panel.across is None else _percent(panel.across[1][name])
                places = max(1, len(x) // 25)
                own.plot(along, _percent(values), label=_label(name), markevery=places)
            if panel.is_stacked:
                areas = map(_percent, panel.curves.values())
                own.stackplot(x, *areas, colors=GREYS, labels=panel.curves)
                own.sharey(every[-1])  # those of all systems
            own.grid(axis="y", color="#e5e5e5", linewidth=0.6)
            own.legend(bbox_to_anchor=(1, 1), loc="upper left", reverse=panel.is_stacked)
            own.set_title(_wrapped(panel.title, 60))
            own.set_ylabel(_wrapped(panel.axis, 24))
            own.set_xlabel(panel.across[0] if panel.across else axis)
            own.xaxis.set_major_formatter("{x:g}")
        for own in every:
            if own.dataLim.ymin >= 0:
                own.set_ylim(bottom=0)
        # the signatures, in lines that end after | where that is possible
        lines = re.findall(r".{1,129}(?:\||$)|.{130}", "\n".join(map(str, signatures)), re.M)
        figure.supxlabel("\n".join(lines), x=0.005, ha="left", fontsize=6, color="#404040")
    return figure


def drawn(figure: Any, kind: str, signature: str) -> bytes:
    """A figure as a file of a kind, with the signature in its metadata."""
    out = io.BytesIO()
    field, other = SIGNED[kind]
    with _style():
        figure.savefig(out, format=kind, metadata={**other, field: signature})
    return out.getvalue()


@contextmanager
def _style() -> Iterator[None]:
    """The style of all charts in place of the user's, which is restored."""
    check_matplotlib()
    from matplotlib import rc_context, rcdefaults, rcParams

    with rc_context():
        rcdefaults()
        rcParams.update(STYLE)
        yield


def _percent(values: Iterable[Fraction | float | None]) -> list[float]:
    return [float("nan") if value is None else float(100 * value) for value in values]


def _label(name: str) -> str:
    """A name on lines; matplotlib leaves out those that begin with an underscore."""
    text = _wrapped(name, 24)
    return f" {text}" if text.startswith("_") else text


def _wrapped(text: str, width: int) -> str:
    """A text on at most four lines."""
    from textwrap import fill  # wanted by charts only

    return "\n".join(
        fill(one_line(line), width, max_lines=4, placeholder="…") for line in text.split("\n")
    )
