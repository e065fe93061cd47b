"""Measures as values: a measure is printed in the form that it is read from.

A measure is one figure of a scheme, with the options that differ from their defaults and the
tolerance::

    measure     NAME [(option=value,...)] [@TOLERANCE]
    NAME        SER, F1, P, R     figures of the definition
                F2, F0.5          F-measure with this beta
                WER, CER          word error rate, character error rate
                entity-wer        word error rate inside elements
                entity-wer.LABEL  word error rate inside elements of a label
                survival          share of elements that a recogniser left whole
                survival.LABEL    share of elements of a label
                leak, leak.LABEL  share of elements that are not covered whole
                exposed           share of documents with a leak; exposed.bound: its certificate
                overredaction     share of other words that are covered
                spans             F1 of spans without labels; spans.P, spans.R
                B-WER, U-WER      word error rate of the words in a biasing list; of the others
                SCHEME.FIGURE     figure of another scheme; SCHEME alone: its first figure
    TOLERANCE   0.3 or 0.3,0.5    seconds, for starts and for ends
                1w                words, where words are aligned

The command line has the same options (module ``options``): ``--scheme mitre --extent-tolerance 2``
is another spelling of ``mitre(extent=2)``. Each cost is a separate option, such as ``S_T=1``.
Options that hold for the whole run, such as changes of labels, are not part of a measure.

Source of the idea: ``ir_measures`` (MacAvaney, Macdonald and Ounis, ECIR 2022).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import cast

from ..alignment.blocks import UNIT, WEIGHTS
from ..alignment.normalise import EXACT, LETTERS, normalisation
from ..errors import SerevalError, nearest
from ..evaluation.settings import BY_WORDS, OWNERS, ByWords, Settings
from ..measures.slots import Costs, beta_of, decimal
from ..projection.project import tolerance_text
from .options import (
    OPTIONS,
    InWords,
    Option,
    Tolerance,
    Value,
    any_tolerance,
    check_alignment,
    filled,
)
from .table import (
    BY_LIST,
    BY_UNITS,
    CHARACTERS,
    COVERAGE,
    EXTENTS,
    LEAK,
    OF_ELEMENTS,
    SCHEMES,
    TABLE,
    WORDS,
    Scheme,
)

DEFINITION = TABLE[0]
"""The scheme whose figures are measures without the scheme's name."""

FAMILIES = {
    **SCHEMES,
    **{family.name: family for family in COVERAGE},
    **{family.name: family for family in (WORDS, CHARACTERS, *OF_ELEMENTS, *BY_LIST)},
}
"""The schemes and the word error rates, by name."""

LABELLED = (*OF_ELEMENTS, LEAK)
"""The families whose figures are labels."""

COSTS = ("S_S", "S_T", "S_ST", "D", "I")

OF_NAMES = ("scheme", "figure", "tolerance")
"""The options that another part of a measure's name gives than its brackets."""

OF_RUN = (
    *("documents", "missing", "altered_words", "is_bound", "max_states", "neutral", "aligned"),
)
"""The options that fill fields of ``Settings`` for all measures of a run."""

OF_LABELS = ("label_map", "only", "level", "grammar")
"""The options that change labels for all measures of a run."""


@cache
def own_options(family: Scheme) -> Mapping[str, Option]:
    """The options that a measure of a family can have, by their name."""
    return {
        name: option
        for name, option in OPTIONS.items()
        if family.takes(name) and name not in (*OF_NAMES, *OF_RUN, *OF_LABELS)
        if option.commands or name in family.options
    }


@cache
def usual_options(family: Scheme) -> Mapping[str, Value]:
    """The default values of ``own_options``."""
    found = {
        name: getattr(Settings(), name) if option.is_flag else option.default
        for name, option in own_options(family).items()
    }
    own = {
        "costs": Costs(),
        "by": ByWords().by if family.aligns_words else "time",
        "extent": EXTENTS.get(family.name),
        "normalise": (LETTERS if family.has_places else EXACT).name,
        "weights": (UNIT if family in BY_UNITS else ByWords().weights).name,
    }
    return found | {name: value for name, value in own.items() if name in found}


@dataclass(frozen=True, slots=True, repr=False)
class Measure:
    """A figure of a scheme, with its options and its tolerance.

    ``repr`` and ``str`` give its name, which :func:`parse_measure` reads.

    Args:
        scheme: a name of ``FAMILIES``.
        figure: one of the scheme's figures; empty: the first. For ``entity-wer`` and ``survival`` a
            label; empty: all elements.
        options: names and values; options with their default value are removed. All costs are
            one value, ``costs``.
        tolerance: of starts and of ends in ms, or in words (``InWords``); ``None``: both sides have
            the same words.

    Raises:
        SerevalError: an unknown scheme or figure; options that contradict each other.

    >>> Measure("quaero", "SER", (("pairing", "half"),), (300, 300))
    SER(pairing=half)@0.3
    >>> Measure("mitre"), Measure("WER", options=(("weights", "unit"),))
    (mitre.all, WER)
    """

    scheme: str = DEFINITION.name
    figure: str = ""
    options: tuple[tuple[str, Value], ...] = ()
    tolerance: Tolerance | None = None

    def __post_init__(self) -> None:
        family = FAMILIES[_spelling(self.scheme, FAMILIES, "scheme")]
        figure = _figure(family, self.figure) if self.figure else family.figures[0]
        usual = usual_options(family)
        values = {**usual, **dict(self.options)}
        options = {name: values[name] for name in usual if values[name] != usual[name]}
        object.__setattr__(self, "scheme", family.name)
        object.__setattr__(self, "figure", figure)
        object.__setattr__(self, "options", tuple(options.items()))
        object.__setattr__(self, "tolerance", self.tolerance or None)  # 0w is none
        if self.tolerance is not None and not family.takes("tolerance"):
            raise SerevalError(f"{self.name} takes no tolerance")
        if "by" in values:
            check_alignment(str(values["by"]), options, self.tolerance)
        elif isinstance(self.tolerance, InWords):
            raise SerevalError(f"{self.name} takes a tolerance in seconds, found one in words")

    def __repr__(self) -> str:
        usual, at = str(Costs()).split(","), self.tolerance
        parts = (
            str(value).split(",") if name == "costs" else [f"{name}={value}"]
            for name, value in self.options
        )
        options = ",".join(one for own in parts for one in own if one not in usual)
        shown = f"{self.name}({options})" if options else self.name
        if at is None:
            return shown
        return f"{shown}@{at}w" if isinstance(at, InWords) else f"{shown}@{tolerance_text(at)}"

    @property
    def family(self) -> Scheme:
        """The record of its scheme."""
        return FAMILIES[self.scheme]

    @property
    def name(self) -> str:
        """The name without options and tolerance."""
        if self.family is DEFINITION:
            return self.figure
        is_only = self.family.figures == (self.figure,)
        return self.scheme if is_only else f"{self.scheme}.{self.figure}"

    @property
    def values(self) -> dict[str, Value]:
        """The values of all its options, defaults included, by name."""
        return {**usual_options(self.family), **dict(self.options)}

    @property
    def given(self) -> dict[str, Value]:
        """What it says itself: scheme, figure, the options that are not as usual, tolerance."""
        found: dict[str, Value] = {
            "scheme": self.scheme,
            "figure": self.figure,
            **dict(self.options),
        }
        return found if self.tolerance is None else {**found, "tolerance": self.tolerance}

    def takes(self, option: str) -> bool:
        """Whether an option has an effect on the measure.

        Args:
            option: the name of its parameter.

        >>> parse_measure("SER(by=text)").takes("cut"), parse_measure("SER@0.3").takes("cut")
        (True, False)
        """
        by = self.values.get("by", "text")
        return self.family.takes(option) and by in OWNERS.get(option, (by,))

    def beside(self, values: Mapping[str, Value]) -> Measure:
        """The same measure with values of options that it takes and does not give itself.

        Args:
            values: values of options and the tolerance, by name; others are ignored.

        >>> [one.beside({"unplaceable": "miss"}) for one in parse_measures("WER,SER@0.3")]
        [WER, SER(unplaceable=miss)@0.3]
        """
        by = {**self.values, **values, **self.given}.get("by")
        usual = usual_options(self.family)
        options = {
            name: value
            for name, value in values.items()
            if name in usual and ("by" not in usual or by in OWNERS.get(name, (by,)))
        }
        tolerance = values.get("tolerance") if self.family.takes("tolerance") else None
        return replace(
            self,
            options=(*{**options, **dict(self.options)}.items(),),
            tolerance=self.tolerance or cast(Tolerance | None, tolerance),
        )

    def settings(self, run: Settings) -> Settings:
        """The settings with which the measure scores documents.

        Args:
            run: the settings of the whole run.

        >>> parse_measure("SER(pairing=half)@0.3").settings(Settings()).pairing
        'half'
        """
        family, words = self.family, {"by", *OWNERS}
        own = {name: value for name, value in self.options if name not in {*words, "blanks"}}
        if not family.has_places:
            own["texts"] = normalisation(str(self.values["normalise"]))
            if "normalise" in self.given:
                own["normalise"] = own["texts"]  # of the word errors beside it
        tolerance, through = self.tolerance, None
        is_usual = family.aligns_words and words.isdisjoint(self.given)
        by, weights, form, language, cut = (str(self.values.get(name)) for name in ("by", *OWNERS))
        if by in BY_WORDS and not is_usual:
            through = ByWords(
                by,
                WEIGHTS[weights],
                language,
                tolerance if isinstance(tolerance, int) else 0,
                normalise=normalisation(form),
                cut=cut,
            )
        own |= {
            "scheme": self.scheme,
            "tolerance": tolerance if isinstance(tolerance, tuple) else None,
            "through": through,
        }
        return filled(run, **own)


# Checks of names and values


def _spelling(name: str, known: Mapping[str, object], what: str) -> str:
    """The spelling of a known name; the case of ``name`` does not matter."""
    names = {each.casefold(): each for each in known}
    if name.casefold() not in names:
        raise SerevalError(
            f"unknown {what} {name!r}{nearest(name, known)}, expected one of {', '.join(known)}"
        )
    return names[name.casefold()]


def _figure(family: Scheme, name: str) -> str:
    if family in LABELLED:
        if not re.fullmatch(_VALUE, name):
            raise SerevalError(f"label {name!r}, expected one without a blank or any of , ( ) = @")
        return name
    beta = beta_of(name) if family.counts == "slots" else None
    if beta is not None:
        return f"F{decimal(beta)}"
    return _spelling(name, dict.fromkeys(family.figures), f"figure of {family.name}")


def _value(family: Scheme, name: str, text: str) -> Value:
    """The value of an option between the brackets."""
    option = own_options(family)[name]
    if option.is_flag:
        option = option._replace(
            is_flag=False, choices=(str(usual_options(family)[name]), option.value)
        )
    if family.aligns_words and name == "by":
        option = option._replace(choices=BY_WORDS)
    try:
        found: Value = option.value_of(text)
        return found
    except SerevalError as error:
        raise SerevalError(f"{name}: {error}") from None


# Parsing

_VALUE = r"[^\s,()=@]+"
_OF_LABELS = "|".join(family.name for family in LABELLED)
_NAME = rf"(?i:{_OF_LABELS})\.{_VALUE}|[A-Za-z][\w+-]*(?:\.[\w.+-]+)?"  # labels may hold any mark
_OPTION = rf" *([A-Za-z_][\w.]*)=({_VALUE})"
_TIMES = r"[0-9][\w.]*(?:,[0-9][\w.]*)?"
_MEASURE = rf" *(?P<name>{_NAME})(?:\((?P<options>[^()]*)\))?(?:@(?P<at>{_TIMES}))? *"


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
    found, at = [], 0
    while True:
        part = re.compile(_MEASURE).match(text, at)
        if part is None:
            raise _wrong(text, at, "expected the name of a measure, such as SER or mitre.type")
        try:
            found.append(_measure(**part.groupdict()))
        except SerevalError as error:
            raise _wrong(text, part.start("name"), str(error)) from None
        at = part.end()
        if at == len(text):
            return tuple(dict.fromkeys(found))
        if text[at] != ",":
            raise _wrong(text, at, "expected (option=value), @0.3 or @1w, a comma or the end")
        at += 1


def _wrong(text: str, at: int, message: str) -> SerevalError:
    """An error that names the place of what is wrong."""
    found = f"character {at + 1} ({text[at : at + 20]!r})" if at < len(text) else "the end"
    return SerevalError(f"measure {text!r}: at {found}: {message}")


def _measure(name: str, options: str | None, at: str | None) -> Measure:
    scheme, dot, figure = name.partition(".")
    if beta_of(name) is not None or name.casefold() in map(str.casefold, DEFINITION.figures):
        scheme, figure = DEFINITION.name, name
    known = FAMILIES if dot else {**dict.fromkeys(DEFINITION.figures), **FAMILIES}
    family = FAMILIES[_spelling(scheme, known, "measure")]
    values = {} if options is None else _options(options, family)
    tolerance = None if at is None else any_tolerance(at)
    return Measure(family.name, figure, tuple(values.items()), tolerance)


def _options(text: str, family: Scheme) -> dict[str, Value]:
    """The options between brackets."""
    found: dict[str, Value] = {}
    costs: dict[str, str] = {}
    known = [each for one in own_options(family) for each in (COSTS if one == "costs" else (one,))]
    for part in text.split(","):
        option = re.fullmatch(_OPTION, part)
        if option is None:
            raise SerevalError(f"found {part!r}, expected an option and its value, such as D=1")
        name, value = option.groups()
        if name in found or name in costs:
            raise SerevalError(f"option {name} is given twice")
        if name not in known:
            raise SerevalError(
                f"unknown option {name!r} of {family.name}{nearest(name, known)}, "
                f"expected one of {', '.join(known) or 'none'}"
            )
        if name in COSTS:
            costs[name] = value
        else:
            found[name] = _value(family, name, value)
    made = Costs.of(costs)
    return found if str(made) == str(Costs()) else {**found, "costs": made}
