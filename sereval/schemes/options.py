"""The table of scoring options: each option is declared once.

The options of the command line with their help, the fields that they fill and the refusal of an
option that a scheme does not take are derived from this table. A new option is a record in this
table, a field of ``Settings``, its name in the records of the schemes that take it (``table``), and
the code that reads the field.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from ..alignment.blocks import WEIGHTS
from ..alignment.normalise import NORMALISATIONS, SUFFIX, Normalisation, check_normalisation
from ..documents.tags import KEPT
from ..errors import SerevalError, UsageFault
from ..evaluation.settings import (
    ALTERED_WORDS,
    BY_WORDS,
    CUTS,
    MISSING,
    OWNERS,
    ByWords,
    Settings,
)
from ..labels.grammar import Grammar, bundled_grammars
from ..labels.relabel import LabelMap
from ..mapping.best import PAIRINGS
from ..measures.slots import Costs, decimal
from ..projection.project import POLICIES, tolerance_pair
from .table import EXTENTS, MAPPINGS, SCHEMES, Scheme, schemes_with


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
            expected = "" if given in self.choices else f"one of {', '.join(self.choices)}"
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
