"""A measure is read from its printed form; everything else is refused with its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from sereval.schemes.result import Options

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
        return st.sampled_from([getattr(Options(), name), option.value])
    if name == "normalise":
        return st.sampled_from([*NORMALISATIONS, "own/words.tsv"])
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
    for name, owner in OWNERS.items():
        if by is not None and by != owner:
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
    settings, values = measure.settings(Settings(max_states=7)), measure.command_line
    assert 7 == settings.max_states
    assert settings.costs == values.get("costs", Costs())
    assert settings.pairing == values.get("pairing", "word")
    assert settings.unplaceable == values.get("unplaceable", "drop")
    assert (settings.through is None) == (values.get("by", "time") == "time")
    assert measure.scheme_options.extent == values.get("extent", 1)


NAMES = {
    "ser": "SER",
    "Quaero": "SER",
    "quaero.f1": "F1",
    "SER(pairing=word)": "SER",
    "SER(pairing=half)@300ms": "SER(pairing=half)@0.3",
    "SER(S_T=1.0,S_S=0.50)": "SER(S_T=1)",
    "SER@0.3,0.5": "SER@0.3,0.5",
    "SER@0.3,0.3s": "SER@0.3",
    "SER@0": "SER@0",
    "SER(by=text)@1w": "SER(by=text)@1w",
    "SER(by=text)@0w": "SER(by=text)",
    "F1(language=fr-fr,by=phones)": "F1(by=phones,language=fr-fr)",
    "wer": "WER",
    "WER(weights=unit)": "WER",
    "WER(weights=sclite)": "WER(weights=sclite)",
    "Entity-WER": "entity-wer",
    "entity-wer.pers.ind": "entity-wer.pers.ind",
    "ENTITY-WER.Loc(weights=sclite)": "entity-wer.Loc(weights=sclite)",
    "b-wer(weights=sclite)": "B-WER",
    "u-wer(weights=unit)": "U-WER(weights=unit)",
    "quaero-lne": "quaero-lne.SER",
    "muc.text": "muc.text",
    "mitre": "mitre.all",
    "mitre.content(mapping=optimal,extent=2)": "mitre.content(extent=2,mapping=optimal)",
    "mitre(by=text,weights=unit)": "mitre.all(weights=unit)",
    "semeval2013.strict": "semeval2013.strict",
    "slue.entity": "slue.entity",
    "conll": "conll",
    "conll(elements=outermost)": "conll(elements=outermost)",
    "evalita2011.type+content(mode=repair)": "evalita2011.type+content(mode=repair)",
}


@pytest.mark.parametrize("text", NAMES)
def test_names(text):
    """What is as usual is left out, and values have one form."""
    assert NAMES[text] == repr(parse_measure(text))


WRONG = {
    "": "at the end: expected the name of a measure",
    "ser,": "at the end: expected the name of a measure",
    "foo": "at character 1 ('foo'): unknown measure 'foo', expected one of SER, F1, P, R, quaero",
    "F1,serr": "at character 4 ('serr'): unknown measure 'serr', the nearest known is SER",
    "mitre.typ": "at character 1 ('mitre.typ'): unknown figure of mitre 'typ', the nearest known",
    "SER(": "at the end: expected an option of quaero: by, weights",
    "slue(": "at the end: expected no (, slue has none",
    "SER(pairing": "at the end: expected = and the value of pairing",
    "SER(pairing=": "at the end: expected the value of pairing",
    "SER(pairing=half": "at the end: expected a comma or )",
    "SER(pairing=half;": "at character 13 ('half;'): pairing is 'half;', expected one of",
    "SER(pairng=half)": "at character 5 ('pairng=half)'): unknown option 'pairng' of quaero, the",
    "SER(pairing=haf)": "at character 13 ('haf)'): pairing is 'haf', expected one of word, half",
    "SER(extent=1)": "at character 5 ('extent=1)'): unknown option 'extent' of quaero, expected",
    "mitre(extent=x)": "at character 14 ('x)'): extent is 'x', expected 0 or more",
    "mitre(by=time)": "at character 10 ('time)'): by is 'time', expected one of text, phones",
    "SER(S_T=x)": "at character 9 ('x)'): cost S_T=x, expected a decimal",
    "SER(D=1,D=2)": "at character 11 ('2)'): option D is given twice",
    "SER(weights=unit)": "weights goes with by=text",
    "SER(by=text,language=fr-fr)": "language goes with by=phones",
    "SER@": "at the end: expected a tolerance, such as 0.3 or 1w",
    "SER@x": "at character 5 ('x'): expected a tolerance, such as 0.3 or 1w",
    "SER@0,3": "at character 5 ('0,3'): found '0,3', expected 0.3; or, if two are meant",
    "SER@1w": "a tolerance in words goes with by=text or by=phones",
    "SER(by=text)@0.3": "by=text takes a tolerance in words, such as 1w",
    "WER@0.3": "WER takes no tolerance",
    "entity-wer.loc@0.3": "entity-wer.loc takes no tolerance",
    "entity-wer.": "label '', expected one without a blank or any of , ( ) = @",
    "entity-wer.a=b": "at character 13 ('=b'): expected (, @, a comma or the end",
    "B-WER.loc": "unknown figure of B-WER 'loc', expected one of B-WER",
    "mitre@0.3": "mitre.all takes no tolerance",
    "SER)": "at character 4 (')'): expected (, @, a comma or the end",
    "SER F1": "at character 5 ('F1'): expected (, @, a comma or the end",
}


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
