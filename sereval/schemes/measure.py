"""Measures, and the table of the options that they may have.

**Options.** Each is declared once. The options of the command line with their help, the fields that
they fill and the refusal of an option that a scheme does not take are derived from this table. A
new option is a record in this table, a field of ``Settings``, its name in the records of the
schemes that take it (``table``), and the code that reads the field.

**Measures** are values; a measure is printed in the form that it is read from. It is one figure of
a scheme, with the options that differ from their defaults and the tolerance::

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

The command line has the same options: ``--scheme mitre --extent-tolerance 2`` is another spelling
of ``mitre(extent=2)``. Each cost is a separate option, such as ``S_T=1``. Options that hold for the
whole run, such as changes of labels, are not part of a measure.

Source of the idea: ``ir_measures`` (MacAvaney, Macdonald and Ounis, ECIR 2022).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from typing import Any, NamedTuple, TypeAlias, cast

from ..alignment.blocks import UNIT, WEIGHTS
from ..alignment.normalise import (
    EXACT,
    LETTERS,
    NORMALISATIONS,
    SUFFIX,
    Normalisation,
    check_normalisation,
    normalisation,
)
from ..documents.tags import KEPT
from ..errors import SerevalError, UsageFault, nearest
from ..evaluation.settings import (
    ALTERED_WORDS,
    BY_WORDS,
    CUTS,
    MISSING,
    OWNERS,
    ByWords,
    Settings,
)
from ..labels import Grammar, LabelMap, bundled_grammars
from ..mapping.best import PAIRINGS
from ..measures import Costs, beta_of, decimal
from ..projection import POLICIES, tolerance_pair, tolerance_text
from .table import (
    BY_LIST,
    BY_UNITS,
    CHARACTERS,
    COVERAGE,
    EXTENTS,
    LEAK,
    MAPPINGS,
    OF_ELEMENTS,
    SCHEMES,
    TABLE,
    WORDS,
    Scheme,
    schemes_with,
)


class InWords(int):
    """A tolerance in words."""


Tolerance: TypeAlias = tuple[int, int] | InWords
"""A tolerance of starts and of ends, in ms, or a tolerance in words."""


def any_tolerance(text: str) -> Tolerance:
    """Parse a tolerance in time or in words."""
    words = text.strip().removesuffix("w")
    if words != text.strip():
        if not (words.isascii() and words.isdecimal() and len(words) < 4):
            raise SerevalError(f"found {text!r}, expected a number of words such as 1w")
        return InWords(words)
    return tolerance_pair(text)


def share(text: str) -> str:
    """Parse a decimal from 0 to 1; the result is its plain form."""
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text) or Fraction(text) > 1:
        raise SerevalError(f"found {text!r}, expected a decimal from 0 to 1, such as 0.3")
    return decimal(Fraction(text))


def names(text: str) -> tuple[str, ...]:
    """Parse names with commas between them."""
    return tuple(part.strip() for part in text.split(","))


Value: TypeAlias = (
    str
    | int
    | Tolerance
    | Iterable[str]
    | Costs
    | LabelMap
    | Grammar
    | Normalisation
    | ByWords
    | None
)
"""The value of an option of schemes, or of a field of ``Settings``."""


def check_alignment(by: str, named: Iterable[str], tolerance: Tolerance | None) -> None:
    """Refuse options for another way to align words, and a tolerance of the other kind."""
    for name in named:
        if by not in OWNERS.get(name, (by,)):
            ways = " or ".join(f"--by {owner}" for owner in OWNERS[name])
            raise UsageFault(f"--{name} goes with {ways}")
    if by == "time" and isinstance(tolerance, InWords):
        ways = " or ".join(f"--by {way}" for way in BY_WORDS)
        raise UsageFault(f"a tolerance in words goes with {ways}")
    if by != "time" and isinstance(tolerance, tuple):
        raise UsageFault(f"--by {by} takes a tolerance in words, such as 1w")


class Option(NamedTuple):
    """A scoring option.

    Args:
        name: the name of its parameter, and of the field of ``Settings`` that it fills.
        help: what it does, for ``--help``.
        commands: the commands that have it, with spaces between them; empty: only measures whose
            record names it, or the command that declares it.
        group: its group in ``--help``.
        letter: its short spelling on the command line; empty: it has none.
        flag: its spelling on the command line; empty: the name with hyphens.
        default: its value if the user does not set it.
        choices: its possible values, if they are few.
        least: the smallest value of an option that takes an integer.
        parse: makes its value from a text; it raises ``SerevalError`` if it cannot.
        metavar: the placeholder of its value in ``--help``.
        is_flag: whether it takes no value.
        value: the value of the field if the flag is set.
        is_multiple: whether it may be repeated.
        is_common: whether the short ``--help`` shows it although it has no letter.
    """

    name: str
    help: str
    commands: str = ""
    group: str = "Other options"
    letter: str = ""
    flag: str = ""
    default: Any = None
    choices: Collection[str] = ()
    least: int | None = None
    parse: Callable[[str], Any] | None = None
    metavar: str | None = None
    is_flag: bool = False
    value: Any = True
    is_multiple: bool = False
    is_common: bool = False

    def value_of(self, given: Any) -> Any:
        """The value that a user gives, as text or in Python; or its default."""
        if given is None:
            if not self.is_multiple:
                return None
            given = ()
        expected = ""
        if self.is_flag:
            expected = "" if isinstance(given, bool) else "True or False"
        elif self.choices:
            expected = "" if given in [*self.choices] else f"one of {', '.join(self.choices)}"
        elif self.least is not None:
            is_number = not isinstance(given, bool) and re.fullmatch("[0-9]{1,9}", str(given))
            if not is_number or int(given) < self.least:
                expected = f"a whole number of {self.least} or more"
        elif self.parse is not None:
            return self.parse(given)
        if expected:
            raise SerevalError(f"found {given!r}, expected {expected}")
        return given if self.least is None else int(given)

    @property
    def on_command_line(self) -> str:
        """Its spelling on the command line."""
        return self.flag or f"--{self.name.replace('_', '-')}"


TOLERANCE_HELP = (
    "Project REF onto HYP's words by their times, with this tolerance on either side of a "
    "boundary: in seconds, or with a unit (300ms); START,END for two."
)

ALL_COMMANDS = "score compare audit agreement blame project doctor"
SCORING = "score compare audit agreement sweep"
LABELS = f"{ALL_COMMANDS} sweep check stats baseline"

_of_projection = partial(Option, commands=f"{ALL_COMMANDS} align", group="Projection")
_of_scoring = partial(Option, group="Scoring")
_of_schemes = partial(Option, commands="score compare audit", group="Scheme")
_of_labels = partial(Option, commands=LABELS, group="Labels")

_OPTIONS = (
    _of_projection(
        "tolerance",
        f"{TOLERANCE_HELP} In words (1w) with --by text or phones. "
        "Without it both sides must have the same words.",
        commands=ALL_COMMANDS,
        letter="-t",
        metavar="SECONDS|Nw",
        parse=any_tolerance,
    ),
    _of_projection(
        "by",
        "How the words of REF and HYP are aligned.",
        is_common=True,
        choices=("time", *BY_WORDS),
        default="time",
    ),
    _of_projection(
        "weights",
        "Costs of word errors in the alignment, with --by text.",
        choices=WEIGHTS,
        default=ByWords().weights.name,
    ),
    _of_projection(
        "normalise",
        "In which form words are compared: "
        f"{', '.join(NORMALISATIONS)}; or a table of words, FILE{SUFFIX}.",
        commands=f"{ALL_COMMANDS} align baseline",
        metavar="NAME|FILE",
        parse=check_normalisation,
        default=ByWords().normalise.name,
    ),
    _of_schemes(
        "merge",
        "Whether spans are one if only marks stand between them.",
        commands="",
        choices=("none", "adjacent"),
    ),
    _of_schemes(
        "certainty",
        "The certainty of the bound of exposed documents.",
        commands="",
        parse=share,
    ),
    Option(
        "blanks",
        "Whether CER counts a blank between two words.",
        commands="",  # of a measure alone
        group="Projection",
        choices=("dropped", "kept"),
        default="dropped",
    ),
    _of_projection(
        "language",
        "Language of the words, by its name in espeak-ng, with --by phones.",
        metavar="NAME",
        default=ByWords().language,
    ),
    _of_projection(
        "cut",
        "Where both texts are cut into pieces that are aligned one by one, with --by text or "
        "phones: long documents at runs of equal words (words); or all documents where equal words "
        "were said at the same time (times), which needs the times of both sides.",
        choices=CUTS,
        default=ByWords().cut,
    ),
    _of_projection(
        "unplaceable",
        "What to do with reference elements that have no place in HYP's words: drop them, "
        "count them as deletions (miss), or merge each with the element that shares most of its "
        "time.",
        commands=f"{SCORING} project",
        choices=POLICIES,
    ),
    _of_scoring(
        "documents",
        "Score only these documents of REF: ids with commas between them, or a file with an "
        "id on each line.",
        commands="score compare sweep audit blame",
        metavar="LIST",
    ),
    _of_scoring(
        "missing",
        "What to do about a reference without a hypothesis: stop, count all its elements as "
        "deletions (empty), or leave out all documents that only one side has (drop).",
        commands=f"{SCORING} blame doctor",
        choices=MISSING,
    ),
    _of_scoring(
        "altered_words",
        "What to do about a hypothesis with other words than the reference: stop, or pair as "
        "many words in as many sentences by their position, as conlleval does.",
        commands=SCORING,
        choices=ALTERED_WORDS,
    ),
    _of_scoring(
        "pairing",
        "Which elements may be paired: those that share a word, as the definition says; those "
        "that share half the words of the longer one (half); or those that share a word and have "
        "the right label or span (label).",
        commands=f"{SCORING} blame",
        choices=PAIRINGS,
    ),
    _of_scoring(
        "scheme",
        "The scorer whose figures are computed; quaero is the slot error rate of "
        "docs/why/definition.md.",
        commands=SCORING,
        is_common=True,
        metavar="SCHEME",
        choices=SCHEMES,
    ),
    _of_scoring(
        "costs",
        "Costs of errors, any of S_S=0.5,S_T=0.5,S_ST=1,D=1,I=1 (the defaults).",
        commands=f"{SCORING} blame",
        metavar="COSTS",
        parse=Costs.parse,
    ),
    _of_labels(
        "label_map",
        "First rename, merge or remove labels, by the rules of a TOML file.",
        flag="--map",
        metavar="FILE",
    ),
    _of_labels(
        "only",
        "Keep only elements with these labels; all others are removed from all files first. "
        "LABELS is types or components, of the --grammar; or labels with commas between them, each "
        "with all labels below it; or outermost, the elements that no other one contains.",
        metavar="LABELS",
        parse=names,
    ),
    _of_labels(
        "level",
        "First cut labels at this level of their hierarchy: loc.adm.town becomes loc at level 1.",
        metavar="N",
        least=1,
    ),
    _of_labels(
        "grammar",
        "Grammar of the labels, which distinguishes types from components and gives the "
        f"hierarchy of labels: a bundled one ({', '.join(bundled_grammars())}), or a TOML file.",
        commands=LABELS,
        letter="-g",
        metavar="GRAMMAR",
    ),
    Option(
        "max_states",
        "Limit of the search for the best mapping of overlapping elements, for words of "
        "mentions, and for words that share time. A document that needs more is refused. The "
        "limit changes no figure.",
        commands=f"{SCORING} blame doctor align",
        group="Work",
        metavar="N",
        least=1,
    ),
    _of_scoring(
        "neutral",
        "Elements with this label cost nothing, on either side, paired or not; they are still "
        "counted. May be repeated.",
        commands="score compare audit sweep blame",
        metavar="LABEL",
        is_multiple=True,
        parse=frozenset,
    ),
    _of_schemes(
        "extent",
        "Number of words by which a boundary may be wrong, if all of them are errors of the "
        "recogniser; by default "
        + ", ".join(f"{words} under {name}" for name, words in EXTENTS.items())
        + ".",
        flag="--extent-tolerance",
        metavar="N",
        least=0,
    ),
    _of_schemes(
        "mapping",
        "How entities are paired.",
        choices=MAPPINGS,
    ),
    _of_schemes(
        "threshold",
        "Largest edit distance of a correct text, over the length of the reference's text.",
        metavar="DECIMAL",
        parse=share,
    ),
    _of_schemes(
        "elements",
        "Which elements are scored where they are nested; by default nested elements are refused.",
        choices=KEPT,
    ),
    _of_schemes(
        "mode",
        "Do not let an inserted word split an entity in two.",
        flag="--repair",
        is_flag=True,
        value="repair",
    ),
    _of_schemes(
        "aligned",
        "Write the aligned columns to this file.",
        commands="",  # score declares it, as a file to be written
        metavar="FILE",
    ),
    _of_scoring(
        "is_bound",
        "Score what a perfect tagger would find on HYP's words, instead of HYP's elements. "
        "Unplaceable elements are missed, unless --unplaceable says otherwise.",
        commands="score compare sweep",
        flag="--upper-bound",
        is_flag=True,
    ),
    _of_schemes(
        "figure",
        "The figure of a scheme that has several: "
        + "; ".join(
            f"{', '.join(SCHEMES[name].figures)} ({name})" for name in schemes_with("figure")
        )
        + ". The first of each is the default.",
        commands="compare audit",
        metavar="NAME",
    ),
)


def _with_default(option: Option) -> Option:
    """The option with the default of its field, if this is a text or a number."""
    usual = getattr(Settings(), option.name, None)
    is_plain = isinstance(usual, str | int) and not option.is_flag
    return option._replace(default=usual) if is_plain else option


OPTIONS = {option.name: _with_default(option) for option in _OPTIONS}
"""All scoring options by name, in the order of ``--help``."""


filled: Callable[..., Settings] = replace
"""Makes settings of others, with other values of some fields, which are of their types."""


def fields_of(values: Mapping[str, Value], scheme: Scheme) -> dict[str, Value]:
    """The fields of ``Settings`` that the values of options fill, by name."""
    found: dict[str, Value] = {}
    for name, value in values.items():
        option = OPTIONS.get(name)
        if option and scheme.takes(name) and value is not None and value is not False:
            found[name] = option.value if option.is_flag else value
    return found


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
