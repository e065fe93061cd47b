"""Measures as values: a measure is printed in the form that it is read from.

A measure is one figure of a scheme, with the options that differ from their defaults and the
tolerance::

    measure     NAME [(option=value,...)] [@TOLERANCE]
    NAME        SER, F1, P, R     figures of the definition
                F2, F0.5          F-measure with this beta
                WER               word error rate
                entity-wer        word error rate inside elements
                entity-wer.LABEL  word error rate inside elements of a label
                B-WER, U-WER      word error rate of the words in a biasing list; of the others
                SCHEME.FIGURE     figure of another scheme; SCHEME alone: its first figure
    TOLERANCE   0.3 or 0.3,0.5    seconds, for starts and for ends
                1w                words, where words are aligned

The command line has the same options (module ``options``). Each cost is a separate option, such as
``S_T=1``. Options that hold for the whole run, such as changes of labels, are not part of a
measure.

Source of the idea: ``ir_measures`` (MacAvaney, Macdonald and Ounis, ECIR 2022).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

from ..alignment.blocks import WEIGHTS
from ..alignment.normalise import normalisation
from ..errors import SerevalError, nearest
from ..evaluation.aligned import GivenAlignment
from ..evaluation.settings import CUTS, OWNERS, ByWords, Settings
from ..measures.rates import beta_of
from ..measures.slots import DEPTH, Costs, decimal
from ..projection.project import tolerance_text
from .options import OPTIONS, InWords, Option, any_tolerance, fields_of
from .table import EXTENTS, SCHEMES, TABLE, Scheme
from .word_rates import BIASED_WORDS, ENTITY_WORDS, UNBIASED_WORDS, WORD_WEIGHTS, WORDS

DEFINITION = TABLE[0]
"""The scheme whose figures are measures without the scheme's name."""

FAMILIES = {
    **SCHEMES,
    **{family.name: family for family in (WORDS, ENTITY_WORDS, BIASED_WORDS, UNBIASED_WORDS)},
}
"""The schemes and the word error rates, by name."""

COSTS = ("S_S", "S_T", "S_ST", "D", "I", DEPTH)

OF_RUN = (
    *(
        "scheme",
        "figure",
        "tolerance",
        "aligned",
        "given",
        "is_bound",
        "subset",
        "missing",
        "max_states",
        "placement",
        "max_placements",
    ),
    *("label_map", "only", "level", "grammar", "neutral"),
)
"""The options that cannot stand between the brackets of a measure. They hold for the whole run, or
another part of the measure's name gives them."""


@cache
def own_options(family: Scheme) -> Mapping[str, Option]:
    """The options that a measure of a family can have, by their name between the brackets.

    >>> list(own_options(SCHEMES["muc"])), list(own_options(SCHEMES["evalita2011"]))
    (['by', 'weights', 'normalise', 'language', 'cut', 'extent', 'mapping'], ['elements', 'mode'])
    """
    found: dict[str, Option] = {}
    for option in OPTIONS.values():
        if family.takes(option.name) and option.name not in OF_RUN:
            names = COSTS if option.name == "costs" else (option.field or option.name,)
            found |= dict.fromkeys(names, option)
    return found


@cache
def usual_options(family: Scheme) -> Mapping[str, str]:
    """The default values of ``own_options``, as text.

    >>> usual_options(WORDS), usual_options(SCHEMES["muc"])["by"]
    ({'weights': 'unit', 'normalise': 'letters'}, 'text')
    """
    found: dict[str, str] = {}
    for name, option in own_options(family).items():
        default = getattr(Settings(), name) if option.is_flag else option.default
        found[name] = (
            _decimal(Costs(), name) if name in COSTS else "" if default is None else str(default)
        )
    if family.aligns_words:
        found["by"] = ByWords().by
    if family.name in EXTENTS:
        found["extent"] = str(EXTENTS[family.name])
    return found | ({"weights": WORD_WEIGHTS[family.name]} if family.counts == "words" else {})


@dataclass(frozen=True, slots=True, repr=False)
class Measure:
    """A figure of a scheme, with its options and its tolerance.

    ``repr`` and ``str`` give its name, which :func:`parse_measure` reads.

    Args:
        scheme: a name of ``FAMILIES``.
        figure: one of the scheme's figures; empty: the first. For ``entity-wer`` a label; empty:
            all elements.
        options: names and values, as text; options with their default value are removed.
        tolerance: as text, in seconds or in words; empty: both sides have the same words.

    Raises:
        SerevalError: an unknown scheme, figure, option or value; options that contradict each
            other.

    >>> Measure("quaero", "SER", (("pairing", "half"),), "300ms")
    SER(pairing=half)@0.3
    >>> Measure("mitre"), Measure("WER", options=(("weights", "unit"),))
    (mitre.all, WER)
    """

    scheme: str = DEFINITION.name
    figure: str = ""
    options: tuple[tuple[str, str], ...] = ()
    tolerance: str = ""

    def __post_init__(self) -> None:
        family = _family(self.scheme)
        figure = _figure(family, self.figure) if self.figure else family.figures[0]
        options = _options(family, self.options)
        object.__setattr__(self, "scheme", family.name)
        object.__setattr__(self, "figure", figure)
        object.__setattr__(self, "options", options)
        object.__setattr__(self, "tolerance", _tolerance(self, self.tolerance))

    def __repr__(self) -> str:
        options = ",".join(f"{name}={value}" for name, value in self.options)
        at = f"@{self.tolerance}" if self.tolerance else ""
        return f"{self.name}({options}){at}" if options else f"{self.name}{at}"

    __str__ = __repr__

    @property
    def family(self) -> Scheme:
        """The record of its scheme."""
        return FAMILIES[self.scheme]

    @property
    def name(self) -> str:
        """The name without options and tolerance."""
        if self.family is DEFINITION:
            return self.figure
        is_only = self.figure == self.family.figures[0] and len(self.family.figures) == 1
        return self.scheme if is_only else f"{self.scheme}.{self.figure}"

    @property
    def values(self) -> dict[str, str]:
        """The values of all its options, defaults included, by name."""
        return {**usual_options(self.family), **dict(self.options)}

    def at(self, tolerance: str) -> Measure:
        """The same measure at a tolerance; itself if its scheme takes no tolerance.

        Args:
            tolerance: as text, in seconds (``0.3``) or in words (``1w``).

        Raises:
            SerevalError: the measure has another tolerance, or takes the other unit.

        >>> parse_measure("SER").at("0.3"), parse_measure("WER").at("0.3")
        (SER@0.3, WER)
        """
        if not self.family.takes("tolerance"):
            return self
        found = replace(self, tolerance=tolerance)
        if self.tolerance and found != self:
            raise SerevalError(f"measure {self}, expected it at the tolerance {found.tolerance}")
        return found

    def with_option(self, name: str, value: str) -> Measure:
        """The same measure with a value of an option.

        A measure that gives this option itself, or does not take it, stays unchanged.

        Args:
            name: the name of the option, as between the brackets.
            value: its value, as text.

        >>> [one.with_option("unplaceable", "miss") for one in parse_measures("WER,SER@0.3")]
        [WER, SER(unplaceable=miss)@0.3]
        """
        if name in dict(self.options) or name not in self.values:
            return self
        return replace(self, options=(*self.options, (name, value)))

    def with_normalisation(self, name: str) -> Measure:
        """The same measure with another normalisation of words.

        A measure that names a normalisation itself, or aligns no text, stays unchanged.

        Args:
            name: the name of a normalisation, or the path of a table.

        >>> [one.with_normalisation("exact") for one in parse_measures("WER,SER@0.3")]
        [WER(normalise=exact), SER@0.3]
        """
        values = self.values
        has_own = "normalise" in dict(self.options)
        if has_own or "normalise" not in values or values.get("by", "text") != "text":
            return self
        return replace(self, options=(*self.options, ("normalise", name)))

    @property
    def command_line(self) -> dict[str, Any]:
        """The values of the command line's options that give this measure, by option name."""
        found: dict[str, Any] = {"scheme": self.scheme}
        values = self.values
        for name, option in own_options(self.family).items():
            if option.is_flag:
                found[option.name] = values[name] == option.value
            elif option.least is not None:
                found[option.name] = int(values[name])
            elif name not in COSTS:
                found[option.name] = values[name] or None
        if self.family.takes("costs"):
            unusual = {name: text for name, text in self.options if name in COSTS}
            found["costs"] = Costs.of(unusual) if unusual else Costs()
        if self.family.takes("figure"):
            found["figure"] = self.figure
        if self.tolerance:
            found["tolerance"] = any_tolerance(self.tolerance)
        is_aligned_as_usual = self.family.aligns_words and not _ALIGNMENT & {*dict(self.options)}
        by = values.get("by", "text")
        return {
            name: value
            for name, value in found.items()
            if not (is_aligned_as_usual and name in _ALIGNMENT or by not in OWNERS.get(name, by))
        }

    @property
    def aligns_text(self) -> bool:
        """Whether the measure aligns words by text, so that another alignment may be given.

        >>> parse_measure("SER(by=text)").aligns_text, parse_measure("SER@0.3").aligns_text
        (True, False)
        """
        is_cut = self.values.get("cut", CUTS[0]) != CUTS[0]
        return self.family.takes("given") and self.values.get("by", "text") == "text" and not is_cut

    def given(self, run: Settings) -> GivenAlignment | None:
        """The alignment of words that the user gives, if the measure can use it; else ``None``.

        Args:
            run: the settings of the whole run; ``run.through.given`` is the user's alignment.
        """
        return run.through.given if run.through is not None and self.aligns_text else None

    def settings(self, run: Settings) -> Settings:
        """The settings with which the measure scores documents.

        Args:
            run: the settings of the whole run, as for :meth:`given`.

        >>> parse_measure("SER(pairing=half)@0.3").settings(Settings()).pairing
        'half'
        """
        values, given = self.command_line, self.given(run)
        tolerance, by = values.get("tolerance"), values.get("by", "time")
        through = None
        if by == "time" and given is not None and self.family.takes("by"):
            through = ByWords(given=given)
        elif by != "time":
            through = ByWords(
                by,
                WEIGHTS[self.values["weights"]],
                self.values["language"],
                int(tolerance or 0),
                normalise=normalisation(self.values["normalise"]),
                given=given,
                cut=self.values["cut"],
            )
        fields = fields_of(values, self.family)
        own = {name: value for name, value in fields.items() if name in _FIELDS}
        own["tolerance"] = None if through is not None else tolerance
        own["given"] = None if self.family.takes("by") else given
        own["scheme"] = self.scheme if self.family.counts == "slots" else DEFINITION.name
        return replace(run, **own, through=through)


_ALIGNMENT = {"by", *OWNERS}

_FIELDS = Settings.__dataclass_fields__.keys() - {"figure"}
"""What a measure says of settings; its figure is read from the counts."""

# Checks of names and values


def _spelling(name: str, known: Mapping[str, object], what: str) -> str:
    """The spelling of a known name; the case of ``name`` does not matter."""
    names = {each.casefold(): each for each in known}
    if name.casefold() not in names:
        raise SerevalError(
            f"unknown {what} {name!r}{nearest(name, known)}, expected one of {', '.join(known)}"
        )
    return names[name.casefold()]


def _family(name: str) -> Scheme:
    return FAMILIES[_spelling(name, FAMILIES, "scheme")]


def _figure(family: Scheme, name: str) -> str:
    if family is ENTITY_WORDS:
        if not re.fullmatch(_VALUE, name):
            raise SerevalError(f"label {name!r}, expected one without a blank or any of , ( ) = @")
        return name
    beta = beta_of(name) if family.counts == "slots" else None
    if beta is not None:
        return f"F{decimal(beta)}"
    return _spelling(name, dict.fromkeys(family.figures), f"figure of {family.name}")


def _options(family: Scheme, options: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """The options that differ from their defaults, in a fixed order."""
    usual = usual_options(family)
    found: dict[str, str] = {}
    for name, text in options:
        if name in found:
            raise SerevalError(f"option {name} is given twice")
        found[name] = _value(family, name, text)
    values = {**usual, **found}
    for name, owners in OWNERS.items():
        is_unusual = found.get(name, usual.get(name)) != usual.get(name)
        if is_unusual and values.get("by", owners[0]) not in owners:
            ways = " or ".join(f"by={owner}" for owner in owners)
            raise SerevalError(f"{name} goes with {ways}")
    if family.takes("costs"):
        Costs.of({name: values[name] for name in COSTS})
    return tuple((name, values[name]) for name in usual if values[name] != usual[name])


def _value(family: Scheme, name: str, text: str) -> str:
    """The printed value of an option."""
    known = own_options(family)
    if name not in known:
        near = nearest(name, known)
        raise SerevalError(
            f"unknown option {name!r} of {family.name}{near}, expected one of {', '.join(known)}"
        )
    option, usual = known[name], usual_options(family)[name]
    if name in COSTS:
        return _decimal(Costs.of({name: text}), name)
    if option.least is not None:
        if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) < option.least:
            raise SerevalError(f"{name} is {text!r}, expected {option.least} or more")
        return str(int(text))
    choices = [usual, option.value] if option.is_flag else list(option.choices)
    if family.aligns_words and name == "by":
        choices.remove("time")
    if choices and text not in choices:
        raise SerevalError(f"{name} is {text!r}, expected one of {', '.join(choices)}")
    if option.parse is not None:
        text = option.parse(text)
    if not re.fullmatch(_VALUE, text):
        raise SerevalError(f"{name} is {text!r}, expected a name such as {usual}")
    return text


def _decimal(costs: Costs, name: str) -> str:
    """The printed value of one cost."""
    if name == DEPTH:
        return str(costs.depth)
    return decimal(Fraction(getattr(costs, name), costs.scale))


def _tolerance(measure: Measure, text: str) -> str:
    """The printed tolerance of a measure."""
    if not text:
        return ""
    if not measure.family.takes("tolerance"):
        raise SerevalError(f"{measure.name} takes no tolerance")
    found = any_tolerance(text)
    by = measure.values["by"]
    if isinstance(found, InWords):
        if by == "time":
            raise SerevalError("a tolerance in words goes with by=text or by=phones")
    elif by != "time":
        raise SerevalError(f"by={by} takes a tolerance in words, such as 1w")
    return tolerance_name(found) if found else ""


def tolerance_name(tolerance: tuple[int, int] | InWords) -> str:
    """A tolerance as text.

    >>> tolerance_name((300, 300)), tolerance_name(InWords(1))
    ('0.3', '1w')
    """
    return f"{int(tolerance)}w" if isinstance(tolerance, InWords) else tolerance_text(tolerance)


# Parsing

_NAME = r"[A-Za-z][\w.+-]*"
_OPTION = r"[A-Za-z_][\w.]*"
_VALUE = r"[^\s,()=@]+"
_TIMES = r"[0-9][\w.]*(?:,[0-9][\w.]*)?"


class _Cursor:
    """A position in a text that is read from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.place, self.start = text, 0, 0

    def skip(self, mark: str) -> bool:
        """Pass a mark if it is next, and return whether it was."""
        is_here = self.text.startswith(mark, self.place)
        self.place += len(mark) if is_here else 0
        return is_here

    def take(self, pattern: str, expected: str) -> str:
        """Pass the text that matches a pattern, and return it."""
        found = re.compile(pattern).match(self.text, self.place)
        self.start = self.place
        if found is None:
            raise self.wrong(f"expected {expected}")
        self.place = found.end()
        return found[0]

    def take_on(self, pattern: str) -> str:
        """Pass all that matches a pattern from where the last text began, and return it."""
        self.place = self.start
        return self.take(pattern, "a label")

    def wrong(self, message: str) -> SerevalError:
        """An error that names the place of the text that was taken last."""
        rest = self.text[self.start :]
        found = "the end" if not rest else f"character {self.start + 1} ({rest[:20]!r})"
        return SerevalError(f"measure {self.text!r}: at {found}: {message}")

    def blanks(self) -> None:
        """Pass blanks."""
        while self.skip(" "):
            pass


def parse_measure(text: str) -> Measure:
    """Parse the name of a measure.

    Args:
        text: one name, as printed; the case of schemes and figures does not matter.

    Returns:
        The measure. Its text is the name in the form that reports print, with tolerances in seconds
        or in words.

    Raises:
        SerevalError: the text is no measure, or more than one; the message names the place and what
            is expected there.

    >>> parse_measure("ser(S_T=1)@300ms"), parse_measure("mitre.content(mapping=optimal,extent=2)")
    (SER(S_T=1)@0.3, mitre.content(extent=2,mapping=optimal))
    """
    found = parse_measures(text)
    if len(found) > 1:
        raise SerevalError(f"found {len(found)} measures in {text!r}, expected one")
    return found[0]


def parse_measures(text: str) -> tuple[Measure, ...]:
    """Parse the names of measures, with commas between them; a repeated measure is returned once.

    Args:
        text: the names, as printed.

    Returns:
        The measures, in the order in which the text first names them.

    Raises:
        SerevalError: as :func:`parse_measure`.

    >>> parse_measures("ser,F1@0.3,0.5,wer")
    (SER, F1@0.3,0.5, WER)
    """
    cursor = _Cursor(text)
    found = [_measure(cursor)]
    while cursor.skip(","):
        found.append(_measure(cursor))
    if cursor.place < len(text):
        cursor.start = cursor.place
        raise cursor.wrong("expected (, @, a comma or the end")
    return tuple(dict.fromkeys(found))


def _measure(cursor: _Cursor) -> Measure:
    cursor.blanks()
    name = cursor.take(_NAME, "the name of a measure, such as SER or mitre.type")
    if name.casefold().startswith(f"{ENTITY_WORDS.name}."):
        name = cursor.take_on(_VALUE)  # labels may hold any mark
    try:
        scheme, figure = _scheme_and_figure(name)
        options: list[tuple[str, str]] = []
        if cursor.skip("("):
            options = list(_pairs(cursor, _family(scheme)))
        tolerance = ""
        if cursor.skip("@"):
            tolerance = cursor.take(_TIMES, "a tolerance, such as 0.3 or 1w")
        cursor.blanks()
        return Measure(scheme, figure, tuple(options), tolerance)
    except SerevalError as error:
        raise error if str(error).startswith("measure ") else cursor.wrong(str(error)) from None


def _scheme_and_figure(name: str) -> tuple[str, str]:
    """The scheme and the figure of a name."""
    if beta_of(name) is not None:
        return DEFINITION.name, name
    for figure in DEFINITION.figures:
        if figure.casefold() == name.casefold():
            return DEFINITION.name, figure
    scheme, dot, figure = name.partition(".")
    family = FAMILIES[
        _spelling(scheme, {**dict.fromkeys(DEFINITION.figures), **FAMILIES}, "measure")
    ]
    return family.name, _figure(family, figure) if dot else ""


def _pairs(cursor: _Cursor, family: Scheme) -> Iterator[tuple[str, str]]:
    """The options between brackets."""
    known = ", ".join(own_options(family))
    expected = f"an option of {family.name}: {known}" if known else f"no (, {family.name} has none"
    while True:
        cursor.blanks()
        name = cursor.take(_OPTION, expected)
        place = cursor.start
        if not cursor.skip("="):
            cursor.start = cursor.place
            raise cursor.wrong(f"expected = and the value of {name}")
        text = cursor.take(_VALUE, f"the value of {name}")
        if name not in usual_options(family):
            cursor.start = place
        _value(family, name, text)
        yield name, text
        if cursor.skip(")"):
            return
        cursor.start = cursor.place
        if not cursor.skip(","):
            raise cursor.wrong("expected a comma or )")
