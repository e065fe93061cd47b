"""Normalisations: in which form the words of two texts are compared.

A normalisation makes *forms* of the words of a text. An alignment by text compares nothing but
forms, and the word error rate counts them. There are two kinds of normalisation:

* Most of them change each word by itself. A word whose form is empty is ignored.
* The others rewrite the text. One word may become several forms (``won't``: ``will not``), and
  several words may become one form (``twenty twenty``: ``2020``).

Each form knows the words that it comes from, so that an alignment of forms is also an alignment of
words. The words of a text that is rewritten fall into stretches, and all forms of a stretch come
from all its words::

    words   I   won't      in   twenty  twenty
    forms   I   will not   in   2020

**Whisper's normalisers and values** take a whole text and give a whole text. The forms are the
words of that text, so an error rate is exactly that of the two normalised texts. Which words a form
comes from is found by a second reading: each word is normalised by itself too, and the two lists of
forms are compared. Where they agree, a form comes from its word. Where they disagree, the words and
the forms between two agreements are one stretch. So stretches are as short as the comparison finds,
and no form is without a word.

Sources: Radford et al., Robust Speech Recognition via Large-Scale Weak Supervision, 2022, appendix
C; NIST, sclite, whose GLM files are tables of words.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from itertools import compress, groupby, pairwise
from typing import NamedTuple

from ..documents.files import read_text, short_hash
from ..documents.model import Span, canonical
from ..documents.words import significant as folded
from ..errors import InputError, SerevalError, nearest
from .values import LANGUAGES, canonical_value, rules, rules_between


class Forms(NamedTuple):
    """The forms of the words of a text, in order."""

    texts: list[str]  # none is empty
    spans: list[Span]  # the words of each form; two spans are equal or have no word in common

    @property
    def places(self) -> list[int]:
        """One word for each form: the words of a stretch are dealt out evenly among its forms."""
        found = [start for start, _ in self.spans]
        if len({*found}) == len(found):
            return found  # the same, and most normalisations give a stretch one form
        found = []
        for (start, end), same in groupby(self.spans):
            size = len([*same])
            found += [start + x * (end - start) // size for x in range(size)]
        return found


@dataclass(frozen=True, slots=True)
class Normalisation:
    """A normalisation.

    Args:
        name: its value in signatures; normalisations with the same name are equal.
        form: gives the form of a word by itself; empty: the word is ignored.
        rewrite: gives the forms of a text; ``None``: a text has the forms of its words.

    >>> NORMALISATIONS["exact"].form("U.S."), NORMALISATIONS["letters"].form("U.S.")
    ('U.S.', 'us')
    """

    name: str
    form: Callable[[str], str] = field(compare=False, repr=False)
    rewrite: Callable[[Sequence[str]], Forms] | None = field(
        default=None, compare=False, repr=False
    )

    def forms(self, words: Sequence[str]) -> Forms:
        """The forms of a text.

        Args:
            words: the words of the text.

        Returns:
            Each form, with the words that it comes from.

        >>> NORMALISATIONS["letters"].forms(["U.S.", "-"]).texts
        ['us']
        """
        if self.rewrite is not None:
            return self.rewrite(words)
        found = [*map(self.form, words)]
        spans = pairwise(range(len(found) + 1))
        return Forms([*filter(None, found)], [*compress(spans, found)])


@lru_cache(maxsize=1 << 16)  # words recur
def significant(word: str) -> str:
    """The letters, marks and numbers of a word, case folded; empty if it is all punctuation."""
    if word.isascii() and word.isalnum():
        return word.casefold()  # the same result, and most words are such
    return canonical(folded(word))


def _caseless(word: str) -> str:
    return canonical(canonical(word).casefold())


@lru_cache(maxsize=1 << 16)
def _alphanumeric(word: str) -> str:
    return "" if re.fullmatch("<.*>", word) else re.sub(r"\W", "", word.lower())


# ---------------------------------------------------------------------------- Whisper's normalisers


@cache
def _whisper(name: str) -> Callable[[str], str]:
    """A normaliser of the package."""
    try:
        with warnings.catch_warnings():  # Python warns of a text in the package when it compiles it
            warnings.simplefilter("ignore")
            from whisper_normalizer.basic import BasicTextNormalizer
            from whisper_normalizer.english import EnglishTextNormalizer
    except ImportError as error:
        raise SerevalError(
            f"the normalisation {name} needs the package {error.name}, which is not installed: "
            "pip install 'sereval[whisper]'"
        ) from None
    made: Callable[[str], str] = {
        "whisper-english": EnglishTextNormalizer,
        "whisper-basic": BasicTextNormalizer,
    }[name]()
    return made


# --------------------------------------------------------------- normalisations of a whole text


def _of_text(name: str) -> Callable[[str], str]:
    """What gives the form of a whole text."""
    if name.startswith("whisper-"):
        return _whisper(name)
    language = name.removeprefix("values").removeprefix("-") or LANGUAGES[0]
    rules(language)  # refuse before anything is read
    return partial(canonical_value, language=language)


@lru_cache(maxsize=1 << 16)
def _whole_form(word: str, name: str) -> str:
    """The forms of a word that is a text of its own, as one."""
    return " ".join(_of_text(name)(word).split())


def _by_text(words: Sequence[str], name: str) -> Forms:
    """The forms of a text by a normalisation of whole texts."""
    from rapidfuzz.distance import Levenshtein

    texts = _of_text(name)(" ".join(words)).split()
    owned = [(form, k) for k, word in enumerate(words) for form in _whole_form(word, name).split()]
    steps = Levenshtein.opcodes([form for form, _ in owned], texts)
    spans: list[Span] = []
    for is_equal, group in groupby(steps, key=lambda step: step.tag == "equal"):
        run = [*group]
        owners = [k for _, k in owned[run[0].src_start : run[-1].src_end]]
        if is_equal:
            spans += [(k, k + 1) for k in owners]
            continue
        size = run[-1].dest_end - run[0].dest_start
        before = spans[-1] if spans else (0, len(words))
        # forms that no word has by itself come from the words of the form before
        spans += [(owners[0], owners[-1] + 1) if owners else before] * size
    return Forms(texts, disjoint(spans))


def disjoint(spans: Sequence[Span]) -> list[Span]:
    """Spans in order, where those with a word in common are replaced by their union."""
    runs: list[tuple[Span, int]] = []
    for start, end in spans:
        size = 1
        if runs and start < runs[-1][0][1]:
            (start, last), more = runs.pop()
            end, size = max(last, end), size + more
        runs.append(((start, end), size))
    return [span for span, size in runs for _ in range(size)]


# -------------------------------------------------------------------------------- tables of words

FormRules = Mapping[tuple[str, ...], tuple[str, ...]]
"""The forms that stand for a sequence of forms."""


def load_table(path: str) -> Normalisation:
    """The normalisation of a table: words are compared by their letters, after replacement."""
    # Each line of the table has one word or more, a tab, and the words that replace them, or
    # nothing if the words are passed over. Case and punctuation do not matter on either side. Empty
    # lines and lines that begin with ``#`` are comments. A text is read from its front, and at each
    # word the longest sequence of the table is replaced. What replaces it is not replaced again.
    rules: dict[tuple[str, ...], tuple[str, ...]] = {}
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            parts = line.split("\t")
            if len(parts) != 2:
                raise SerevalError(f"found {len(parts) - 1} tabs, expected words, a tab, words")
            old, new = (tuple(filter(None, map(significant, part.split()))) for part in parts)
            if not old:
                raise SerevalError(f"found {parts[0]!r} before the tab, expected a word")
            if parts[1].strip() and not new:
                raise SerevalError(f"found {parts[1]!r} after the tab, expected words or nothing")
            if old in rules:
                raise SerevalError(f"found {' '.join(old)} a second time, expected it once")
        except SerevalError as error:
            raise InputError(str(error), path=path, line=number) from None
        rules[old] = new
    if not rules:
        raise InputError("found no line with a tab, expected words, a tab, words", path=path)
    longest = max(map(len, rules))
    lines = sorted(f"{' '.join(old)}\t{' '.join(new)}" for old, new in rules.items())
    name = "table-" + short_hash("\n".join(lines))
    return Normalisation(name, significant, partial(_by_table, rules=rules, longest=longest))


def _by_table(words: Sequence[str], rules: FormRules, longest: int) -> Forms:
    """The forms of a text by a table."""
    texts, spans = Normalisation("", significant).forms(words)
    found = Forms([], [])
    k = 0
    while k < len(texts):
        sizes = range(longest, 0, -1)
        old = next((old for n in sizes if (old := tuple(texts[k : k + n])) in rules), (texts[k],))
        new = rules.get(old, old)
        found.texts.extend(new)
        found.spans.extend([(spans[k][0], spans[k + len(old) - 1][1])] * len(new))
        k += len(old)
    return found


# -------------------------------------------------------------------------------------- the names

OF_TEXTS = (
    "whisper-english",
    "whisper-basic",
    "values",
    *(f"values-{language}" for language in LANGUAGES[1:]),
)
"""The normalisations that take whole texts, and need a package."""

LETTERS = Normalisation("letters", significant)
EXACT = Normalisation("exact", str)

NORMALISATIONS = {
    one.name: one
    for one in (
        LETTERS,
        EXACT,
        Normalisation("caseless", _caseless),
        Normalisation("alphanumeric", _alphanumeric),
        *(
            Normalisation(name, partial(_whole_form, name=name), partial(_by_text, name=name))
            for name in OF_TEXTS
        ),
    )
}
"""The normalisations by name; the first is the default. ``letters``: the letters, marks and numbers
of a word, without case. ``exact``: the word as it is written. ``caseless``: the word without case,
with its punctuation. ``alphanumeric``: the letters, digits and ``_`` of a word, in lower case; a
word ``<…>`` is passed over. ``whisper-…``: Whisper's for English and for any language. ``values``:
texts that say the same value are equal; ``values-fr``: numbers in French."""

SUFFIX = ".tsv"
"""The suffix of the name of a table."""


def normalisation(name: str) -> Normalisation:
    """The normalisation of a name or of a table.

    Args:
        name: a name of ``NORMALISATIONS``, or the path of a table, with the suffix ``.tsv``.

    Returns:
        The normalisation; the name of one from a table ends with a hash of the rules, by which
        signatures tell tables apart.

    Raises:
        SerevalError: neither; a package that is not installed.
        InputError: as :func:`load_table`.

    >>> normalisation("exact").forms(["dog."]).texts
    ['dog.']
    """
    check_normalisation(name)
    if name in OF_TEXTS:
        _of_text(name)  # refuse before anything is read
    return NORMALISATIONS[name] if name in NORMALISATIONS else load_table(name)


def equal_by(name: str, one: str, other: str) -> list[str]:
    """The rules by which texts with other words are equal under a normalisation of values."""
    kind, _, language = name.partition("-")
    if kind != "values" or significant(one) == significant(other):
        return []
    return rules_between(one, other, language or LANGUAGES[0])


def check_normalisation(name: str) -> str:
    """A name of ``NORMALISATIONS``, or a name that a table may have; nothing is read."""
    if name not in NORMALISATIONS and not name.lower().endswith(SUFFIX):
        raise SerevalError(
            f"normalise is {name!r}{nearest(name, NORMALISATIONS)}, expected one of "
            f"{', '.join(NORMALISATIONS)}, or a table {SUFFIX}"
        )
    return name
