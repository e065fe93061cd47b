"""A measure is read from its printed form; everything else is refused with its place."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tables import tables

from sereval.alignment.normalise import NORMALISATIONS
from sereval.errors import SerevalError
from sereval.evaluation.settings import OWNERS, ByWords, Settings
from sereval.measures.slots import Costs
from sereval.schemes.measure import (
    COSTS,
    FAMILIES,
    OF_RUN,
    Measure,
    own_options,
    parse_measure,
    parse_measures,
    usual_options,
)
from sereval.schemes.options import OPTIONS

TABLES = tables(__file__)
TABLE_OF_WORDS = "own/words.tsv"

DECIMALS = st.from_regex(r"[0-9]{1,4}(\.[0-9]{1,3})?", fullmatch=True)
LABEL = st.sampled_from(["loc", "pers.ind", "a/b:c", "Événement", "x-1", "-", ".", "WER"])
SECONDS = st.integers(0, 60_000).map(lambda ms: f"{ms / 1000:.3f}")


def texts(family, name):
    """Values of an option, as they can be written."""
    option = own_options(family)[name]
    if name == "S_T.depth":
        return st.integers(1, 99).map(str)
    if name in COSTS:
        return DECIMALS
    if option.least is not None:
        return st.integers(option.least, 10**8).map(str)
    if option.is_flag:
        return st.sampled_from([getattr(Settings(), name), option.value])
    if name == "threshold":
        return st.sampled_from(["0", "0.30", "0.299", "1.0"])
    if name == "normalise":
        return st.sampled_from([*NORMALISATIONS, TABLE_OF_WORDS])
    choices = [each for each in option.choices if not (family.aligns_words and each == "time")]
    return st.sampled_from(choices) if choices else st.sampled_from(["en-us", "fr-fr", "de"])


@st.composite
def measures(draw):
    """Measures of all families, with options and a tolerance that go together."""
    family = draw(st.sampled_from(list(FAMILIES.values())))
    names = (
        draw(st.lists(st.sampled_from([*own_options(family)]), unique=True))
        if own_options(family)
        else []
    )
    options = {name: draw(texts(family, name)) for name in names}
    by = ({**usual_options(family)} | options).get("by")
    for name, owners in OWNERS.items():
        if by is not None and by not in owners:
            options.pop(name, None)
    tolerance = ""
    if family.takes("tolerance") and draw(st.booleans()):
        words = st.integers(0, 999).map("{}w".format)
        pair = st.one_of(SECONDS, st.tuples(SECONDS, SECONDS).map(",".join))
        tolerance = draw(pair if by == "time" else words)
    figure = draw(st.sampled_from(["", *family.figures]))
    if family.name == "entity-wer":
        figure = draw(st.one_of(st.just(""), LABEL))
    return Measure(family.name, figure, tuple(options.items()), tolerance)


@given(measures())
def test_a_measure_is_read_from_its_printed_form(measure):
    """`parse(repr(m)) == m`, and what is read prints the same; so names can be keys."""
    again = parse_measure(repr(measure))
    assert measure == again
    assert hash(measure) == hash(again)
    assert repr(measure) == str(measure) == repr(again) == f"{measure}"


@given(st.lists(measures(), min_size=1, max_size=5))
def test_several_are_read_with_commas_between(found):
    """Each once, in their order; a tolerance of two durations is not taken for two measures."""
    assert tuple(dict.fromkeys(found)) == parse_measures(",".join(map(repr, found)))
    assert tuple(dict.fromkeys(found)) == parse_measures(" , ".join(map(repr, found)))


@given(measures(), measures())
def test_measures_are_equal_if_their_names_are(one, other):
    """What a name does not say makes no difference."""
    assert (one == other) == (repr(one) == repr(other))


@given(measures())
def test_settings_are_those_of_the_options(measure):
    """The values that the command line would have fill what documents are scored with."""
    assume(measure.values.get("normalise") != TABLE_OF_WORDS)  # there is no such file
    settings, values = measure.settings(Settings(max_states=7)), measure.command_line
    assert 7 == settings.max_states
    assert settings.costs == values.get("costs", Costs())
    assert settings.pairing == values.get("pairing", "word")
    assert settings.unplaceable == values.get("unplaceable", "drop")
    assert (settings.through is None) == (values.get("by", "time") == "time")
    assert settings.extent == values.get("extent")


NAMES = TABLES["names"]


@pytest.mark.parametrize("text", NAMES)
def test_names(text):
    """What is as usual is left out, and values have one form."""
    assert NAMES[text] == repr(parse_measure(text))


WRONG = TABLES["wrong"]


@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_measure_is_refused(text):
    """One line with the place, what is there, and what is expected."""
    with pytest.raises(SerevalError) as error:
        parse_measures(text)
    message = str(error.value)
    assert message.startswith(f"measure {text!r}: at ")
    assert WRONG[text] in message
    assert "\n" not in message


@given(st.text("SERF1mitre.type(),=@0.3w pairing half", max_size=20))
def test_any_text_is_read_or_refused(text):
    """Nothing else comes of it."""
    try:
        found = parse_measures(text)
    except SerevalError:
        return
    assert found == parse_measures(",".join(map(repr, found)))


def test_one_measure_is_asked_for():
    """Several are too many."""
    with pytest.raises(SerevalError, match="found 2 measures in 'SER,F1', expected one"):
        parse_measure("SER,F1")


def test_values_made_by_hand_are_held_to_the_same():
    """A value is what its name says, however it is made."""
    assert Measure() == parse_measure("SER")
    assert Measure("Mitre", "TYPE") == parse_measure("mitre.type")
    assert Measure("entity-wer", "loc") == parse_measure("entity-wer.loc")
    with pytest.raises(SerevalError, match="unknown scheme 'x'"):
        Measure("x")
    with pytest.raises(SerevalError, match="label 'a b', expected one without a blank"):
        Measure("entity-wer", "a b")
    with pytest.raises(SerevalError, match="option D is given twice"):
        Measure(options=(("D", "1"), ("D", "2")))


def test_a_tolerance_for_all():
    """Who takes one has it, unless it has another."""
    assert "SER@0.3" == repr(parse_measure("SER").at("0.3"))
    assert "SER@0.3" == repr(parse_measure("SER@0.3").at("300ms"))
    assert "mitre.all" == repr(parse_measure("mitre").at("0.3"))
    with pytest.raises(SerevalError, match="measure SER@0.3, expected it at the tolerance 0.5"):
        parse_measure("SER@0.3").at("0.5")


def test_schemes_that_align_words_by_themselves():
    """The alignment that they have anyway is not asked for."""
    assert parse_measure("mitre").settings(Settings()).through is None
    by_phones = parse_measure("mitre(by=phones)").settings(Settings()).through
    assert ByWords("phones") == by_phones


def test_every_scoring_option_is_decided():
    """It belongs to measures, or to a run as a whole; the scheme's name says the scheme."""
    of_measures = {option.name for one in FAMILIES.values() for option in own_options(one).values()}
    assert set() == of_measures & {*OF_RUN}
    assert OPTIONS.keys() == of_measures | {*OF_RUN}
