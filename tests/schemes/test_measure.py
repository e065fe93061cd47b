"""A measure is read from its printed form; everything else is refused with its place."""

from hypothesis import assume, given
from hypothesis import strategies as st

from sereval.alignment.normalise import NORMALISATIONS
from sereval.errors import SerevalError
from sereval.evaluation.settings import OWNERS, Settings
from sereval.measures import Costs
from sereval.schemes.measure import (
    COSTS,
    FAMILIES,
    own_options,
    parse_measure,
    parse_measures,
    usual_options,
)

TABLE_OF_WORDS = "own/words.tsv"

DECIMALS = st.from_regex(r"[0-9]{1,4}(\.[0-9]{1,3})?", fullmatch=True)
LABEL = st.sampled_from(["loc", "pers.ind", "a/b:c", "Événement", "x-1", "-", ".", "WER"])
SECONDS = st.integers(0, 60_000).map(lambda ms: f"{ms / 1000:.3f}")


def texts(family, name):
    """Values of an option, as they can be written."""
    if name in COSTS:
        return DECIMALS
    option = own_options(family)[name]
    if option.least is not None:
        return st.integers(option.least, 10**8).map(str)
    if option.is_flag:
        return st.sampled_from([getattr(Settings(), name), option.value])
    if name in ("threshold", "certainty"):
        return st.sampled_from(["0", "0.30", "0.299", "1.0"])
    if name == "normalise":
        return st.sampled_from([*NORMALISATIONS, TABLE_OF_WORDS])
    choices = [each for each in option.choices if not (family.aligns_words and each == "time")]
    return st.sampled_from(choices) if choices else st.sampled_from(["en-us", "fr-fr", "de"])


@st.composite
def measures(draw):
    """Measures of all families, with options and a tolerance that go together."""
    family = draw(st.sampled_from(list(FAMILIES.values())))
    known = [*own_options(family).keys() - {"costs"}]
    known += COSTS if family.takes("costs") else ()
    names = draw(st.lists(st.sampled_from(sorted(known)), unique=True)) if known else []
    options = {name: draw(texts(family, name)) for name in names}
    by = ({**usual_options(family)} | options).get("by")
    for name, owners in OWNERS.items():
        if by is not None and by not in owners:
            options.pop(name, None)
    tolerance = ""
    if family.takes("tolerance") and draw(st.booleans()):
        words = st.integers(0, 999).map("{}w".format)
        pair = st.one_of(SECONDS, st.tuples(SECONDS, SECONDS).map(",".join))
        tolerance = draw(pair if by in (None, "time") else words)
    figure = draw(st.sampled_from(["", *family.figures]))
    if family.name == "entity-wer":
        figure = draw(st.one_of(st.just(""), LABEL))
    name = f"{family.name}.{figure}" if figure else family.name
    between = ",".join(f"{name}={value}" for name, value in options.items())
    return parse_measure(name + f"({between})" * bool(between) + f"@{tolerance}" * bool(tolerance))


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


@given(measures())
def test_settings_are_those_of_the_options(measure):
    """The values that the command line would have fill what documents are scored with."""
    assume(measure.values.get("normalise") != TABLE_OF_WORDS)  # there is no such file
    settings, values = measure.settings(Settings(max_states=7)), measure.given
    assert 7 == settings.max_states
    assert settings.costs == measure.values.get("costs", Costs())
    assert settings.pairing == values.get("pairing", "word")
    assert settings.unplaceable == values.get("unplaceable", "drop")
    is_usual = measure.family.aligns_words and not values.keys() & {"by", *OWNERS}
    assert (settings.through is None) == (is_usual or measure.values.get("by", "time") == "time")
    assert settings.extent == values.get("extent")


@given(st.text("SERF1mitre.type(),=@0.3w pairing half", max_size=20))
def test_any_text_is_read_or_refused(text):
    """Nothing else comes of it."""
    try:
        found = parse_measures(text)
    except SerevalError:
        return
    assert found == parse_measures(",".join(map(repr, found)))
