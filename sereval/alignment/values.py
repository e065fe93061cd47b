"""The normalisation ``values``: texts that say the same value have the same form.

*36* and *thirty six*, *$115* and *one hundred fifteen dollars*, *8:55 a.m.* and *eight fifty five
am*, *ZK3FFW* and *Z K three F F W* are equal as values. Each kind of value has a rule, which
rewrites a text in lower case; the rules follow one another, and what no rule knows stays. A text
that can say two values keeps its form: ``3/4`` is no date, and *one fifty* without a currency is
not *1.50*.

Numbers in words are read by the package text2num; in other languages than English they are the
only rule besides spelling, groups of digits and marks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from functools import cache
from unicodedata import normalize

from ..errors import SerevalError

LANGUAGES = ("en", "fr", "de", "es", "it", "nl", "pt")
"""The languages in which numbers are read; the first is that of ``values``, with all rules."""

Step = tuple[str, str | Callable[[re.Match[str]], str]]
"""A regular expression, and what replaces a match of it."""

ALPHABET = {
    word: word[0]
    for word in [
        "alpha", "alfa", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india",
        "juliet", "juliett", "kilo", "lima", "mike", "november", "oscar", "papa", "quebec", "romeo",
        "sierra", "tango", "uniform", "victor", "whiskey", "whisky", "xray", "x-ray", "yankee",
        "zulu",
    ]
}  # fmt: skip
"""The words of the NATO alphabet."""

MONTHS = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
]  # fmt: skip
SHORT_MONTHS = {month[:3]: month for month in MONTHS} | {"sept": "september"}
CURRENCIES = {"dollar": "$", "buck": "$", "usd": "$", "euro": "€", "eur": "€", "gbp": "£"}
POWERS = {"k": 3, "m": 6, "mm": 6, "mn": 6, "b": 9, "bn": 9, "t": 12}
DECADES = {
    "twenties": "20s", "thirties": "30s", "forties": "40s", "fifties": "50s", "sixties": "60s",
    "seventies": "70s", "eighties": "80s", "nineties": "90s",
}  # fmt: skip
UNITS = {
    "kilomet(?:re|er)|km": "km", "centimet(?:re|er)|cm": "cm", "millimet(?:re|er)|mm": "mm",
    "met(?:re|er)": "m", "kilogram|kilo|kg": "kg", "milligram|mg": "mg", "gram": "g",
    "pound|lb": "lb", "ounce|oz": "oz", "foot|feet|ft": "ft", "mile|mi": "mi", "hour|hr": "h",
    "minute|min": "min", "second|sec": "s",
}  # fmt: skip
CONTRACTED = {
    "won't": "will not", "can't": "can not", "cannot": "can not", "let's": "let us",
    "gonna": "going to", "wanna": "want to", "gotta": "got to", "'cause": "because",
    "cuz": "because", "y'all": "you all",
}  # fmt: skip
ENDINGS = {"n't": " not", "'re": " are", "'ll": " will", "'ve": " have", "'m": " am"}
DOMAIN = r"(?:com|org|net|edu|gov|mil|int|info|biz|io|ai|co|[a-z]{2})\b"
"""The last part of the name of a domain."""


def one_of(words: Iterable[str]) -> str:
    """A regular expression of one of some words."""
    return f"(?:{'|'.join(words)})"


# --- numbers -------------------------------------------------------------------------------------


def numbers(text: str, language: str) -> str:
    """*Thirty six* is *36*, *five million* is *5000000*, *three point oh* is *3.0*."""
    from text_to_num import alpha2digit

    if language != LANGUAGES[0]:
        return re.sub(r"(?<=\d),(?=\d)", ".", alpha2digit(text, language, 0))
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    text = re.sub(r"\bo\b(?!')", "\0", text)  # the letter is no zero
    return rewritten(alpha2digit(text, language, 0).replace("\0", "o"), NUMBERS)


def decimal(value: Decimal) -> str:
    """A number without zeros at its end."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


ROUND = r"1(?:000|0{6}|0{9}|0{12})\b"
"""A power of a thousand, as numbers in words are read."""

NUMBERS: list[Step] = [
    (rf"\ba (?=100\b|{ROUND})", ""),
    (one_of(DECADES), lambda found: DECADES[found[0]]),
    (r"\bdouble (\d)\b", r"\1 \1"),
    (r"\btriple (\d)\b", r"\1 \1 \1"),
    (r"(?<=\d) oh\b", " 0"),
    (r"\b(\d+) point (\d+(?: \d+)*)\b", lambda found: f"{found[1]}.{found[2].replace(' ', '')}"),
    (rf"(\d+(?:\.\d+)?)[ -]({ROUND})", lambda found: decimal(Decimal(found[1]) * int(found[2]))),
    (r"\b(?:minus|negative) (?=\d)", "-"),
]

# --- the other kinds -----------------------------------------------------------------------------

CONTRACTIONS: list[Step] = [
    ("&", " and "),
    (r"(?<![\w'])'?[\w']+", lambda found: CONTRACTED.get(found[0], found[0])),
    (rf"(?<=\w){one_of(ENDINGS)}\b", lambda found: ENDINGS[found[0]]),
]

SHORT, MONTH = one_of(SHORT_MONTHS), f"({one_of(MONTHS)})"
DATES: list[Step] = [
    (rf"\b{SHORT}\b\.?(?= \d)", lambda found: SHORT_MONTHS[found[0].rstrip(".")]),
    (rf"(?<=\d ){SHORT}\b\.?", lambda found: SHORT_MONTHS[found[0].rstrip(".")]),
    (rf"\b{MONTH} (?:the )?(\d\d?)(?:st|nd|rd|th)\b", r"\1 \2"),
    (rf"\b(?:the )?(\d\d?)(?:st|nd|rd|th)?(?: of)? {MONTH}\b", r"\2 \1"),
]

HOUR = r"(1[0-2]|0?[1-9])"
TIMES: list[Step] = [
    (r"(?:(?<=\d) ?|\b)([ap])(?:\. ?|(?<=\d.) ?| )m\b\.?", r" \1m "),
    (rf"\b{HOUR}(?::00)? o'clock +([ap]m)\b", r"\1 \2"),
    (rf"\b{HOUR}(?::00)? o'clock\b", r"\1:00"),
    (rf"\bhalf past {HOUR}\b", r"\1:30"),
    (rf"\b(?:a )?quarter past {HOUR}\b", r"\1:15"),
    (
        rf"\b(?:a )?quarter (?:to|of) {HOUR}\b",
        lambda found: f"{(int(found[1]) - 2) % 12 + 1}:45",
    ),
    (rf"\b{HOUR}(?:[:.]| ?- ?| )?([0-5])[ -]?(\d) ?(?=[ap]m\b)", r"\1:\2\3 "),
    (r":00 (?=[ap]m\b)", " "),
]

AMOUNT = r"(\d+(?:\.\d+)?|\d(?: \d)+)"
MONEY: list[Step] = [
    (
        rf"([$€£]) ?(\d+(?:\.\d+)?) ?({one_of(POWERS)})\b",
        lambda found: found[1] + decimal(Decimal(found[2]).scaleb(POWERS[found[3]])),
    ),
    (r"\b(usd|eur|gbp) (?=\d)", lambda found: CURRENCIES[found[1]]),
    (
        rf"(?<![\d.$€£]){AMOUNT}[ -](?:us )?({one_of(CURRENCIES)})s?\b",
        lambda found: CURRENCIES[found[2]] + found[1].replace(" ", ""),
    ),
    (r"([$€£]\d+)(?: and)? (\d\d?) cents?\b", lambda found: f"{found[1]}.{found[2]:0>2}"),
    (r"(?<![\d.$€£])\b(\d\d?) cents?\b", lambda found: f"$0.{found[1]:0>2}"),
    (r"(?<=[$€£])\d+\.\d+", lambda found: decimal(Decimal(found[0]))),
]

PERCENT: list[Step] = [
    (
        r"(\d+(?:\.\d+)?) ?(?:percent\b|per cent\b|%)",
        lambda found: f"{decimal(Decimal(found[1]))}%",
    ),
]

ADDRESSES: list[Step] = [
    (rf"(?<=\w) dot (?=(?:\w+ dot )*{DOMAIN})", "."),
    (rf" at (?=[\w-]+(?:\.[\w-]+)*\.{DOMAIN})", "@"),
    (r"(?<=\w) dot (?=(?:\w+ dot )*[\w.]+@)", "."),
    (r"\b(?:https?://)?(?:www|w w w)(?:\.| dot | )(?=\w)|\bhttps?://", ""),
    (rf"(?<=\.){DOMAIN} slash ", lambda found: found[0].removesuffix(" slash ") + "/"),
]

UNITS_OF: list[Step] = [
    (rf"(?<=\d)[ -]?(?:{names})(?:e?s)?\b", f" {unit}") for names, unit in UNITS.items()
]

SIGN = rf"(?:[a-z]|\d+|{one_of(ALPHABET)})"
SPELLING: list[Step] = [
    (r"\b[a-z](?:\.[a-z])+\b(?!@)\.?", lambda found: found[0].replace(".", "")),
    (
        rf"(?<![\w$€£@.'])(?:{SIGN}(?:[ -]+(?:dash )?{SIGN})+)(?![\w%@']|\.\w)",
        lambda found: spelled(found[0]),
    ),
]


def spelled(text: str) -> str:
    """Letters that are said one by one are one word: *z k 3* is *zk 3*."""
    signs = re.sub(r"\bdash\b|-", " ", text).split()
    if sum(not sign.isdigit() for sign in signs) > 1:
        signs = [ALPHABET.get(sign, sign) for sign in signs]
    letters = {sign for sign in signs if len(sign) == 1 and not sign.isdigit()}
    if letters <= {"a", "i", "o"} or signs[0] == "a" and len(letters) == 1:
        return text  # they are words
    return re.sub(r"\b([^\W\d]) (?=[^\W\d]\b)", r"\1", " ".join(signs))


GROUPS: list[Step] = [
    (r"\b\d(?: \d|-\d-\d)(?:[ -]\d)*\b(?![.:]\d)", lambda found: re.sub("[ -]", "", found[0])),
    (r"\(?\b(\d{3})\)?[-. ]+(\d{3})[-. ]+(\d{4})\b", r"\1\2\3"),
    (r"\b(\d{3})[-. ]+(\d{4})\b", r"\1\2"),
    (r"\b(1[1-9]|20) (0[1-9]|[1-9]\d)\b(?![.:,]\d)", r"\1\2"),  # a year
    (r"\b([1-9]|10) (0[1-9]|[1-9]\d)\b(?![.:,]\d)", r"\1\2"),
    (r"\b([1-9]|1[0-2]):(0[1-9]|[1-5]\d)\b(?! [ap]m|:)", r"\1\2"),
]
"""Digits that are said one by one or in groups: *four one two* is *412*, *2:30* is *230*."""

IN_DOMAIN = r"\.(?=[\w.-]+@|(?:[\w-]+\.)*(?:com|org|net|edu|gov|io|ai|co)\b)"
MARKS: list[Step] = [
    (r"(?<=\d)(?!(?:st|nd|rd|th)\b)(?=[^\W\d_])|(?<=[^\W\d_])(?=\d)", " "),
    (rf"(?<=\w){IN_DOMAIN}", "\0"),
    (r"(?<!\d)[.:]|[.:](?!\d)|(?<!\w)@|@(?!\w)|-(?!\d)|(?<=[\w.])-", " "),
    (r"[^\w\s.:@$€£%'=&+\0-]|_|(?<!\w)'|'(?!\w)", " "),
    ("\0", "."),
]


def rewritten(text: str, steps: Iterable[Step]) -> str:
    """A text after some steps."""
    for pattern, replacement in steps:
        text = re.sub(pattern, replacement, text)
    return text


@cache
def rules(language: str) -> dict[str, list[Step]]:
    """The steps of the rules of a language by name, in order; none: those of numbers."""
    try:
        import text_to_num  # noqa: F401
    except ImportError:
        raise SerevalError(
            "the normalisation values needs the package text2num, which is not installed: "
            "pip install 'sereval[values]'"
        ) from None
    kinds = {
        "contractions": CONTRACTIONS, "numbers": [], "dates": DATES, "times": TIMES,
        "money": MONEY, "percent": PERCENT, "addresses": ADDRESSES, "units": UNITS_OF,
        "spelling": SPELLING, "groups": GROUPS,
    }  # fmt: skip
    names = kinds if language == LANGUAGES[0] else ("numbers", "spelling", "groups")
    return {name: kinds[name] for name in names}


def canonical_value(text: str, language: str = "en", without: str = "") -> str:
    """The form of a text."""
    folded = normalize("NFKC", text).casefold().translate(str.maketrans("’–—", "'--"))
    folded = " ".join(folded.split())
    again = re.fullmatch(
        r"(.{1,80}?) \(([^()]+)\)(.*)", folded
    )  # said again, as in "two thirty (2:30)"
    if again and canonical_value(again[1], language) == canonical_value(again[2], language):
        folded = again[1] + again[3]
    for name, steps in rules(language).items():
        if name != without:
            folded = rewritten(folded, steps) if steps else numbers(folded, language)
    return " ".join(rewritten(folded, MARKS).split())


def rules_between(one: str, other: str, language: str = "en") -> list[str]:
    """The rules without which two texts that are equal as values would not be."""
    return [
        name
        for name in rules(language)
        if canonical_value(one, language, name) != canonical_value(other, language, name)
    ]
