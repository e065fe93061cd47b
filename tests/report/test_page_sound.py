"""Sound on the page: wave form, cursor, words that play; and zoom."""

import wave
from array import array

import pytest
from pages import DOCUMENTS, draw, pages, render, scored, until
from paths import CORPORA

from sereval.report.page.recordings import recordings

pytestmark = pytest.mark.check

RATE = 8000


def record(path, samples, *, size=2, channels=1, rate=RATE):
    """Write a WAV file of samples."""
    codes = {1: "B", 2: "h", 4: "i"}
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(channels)
        sound.setsampwidth(size)
        sound.setframerate(rate)
        sound.writeframes(array(codes[size], samples).tobytes())


@pytest.mark.parametrize(("size", "low", "high"), [(1, 128, 255), (2, 0, 32767), (4, 0, 2**31 - 1)])
def test_peaks_are_the_greatest_amplitudes(tmp_path, size, low, high):
    """A digit for each 20 ms, relative to the loudest one, whatever the samples are."""
    half = low + (high - low) // 2
    record(tmp_path / "a.wav", [low] * 160 + [high] * 160 + [half] * 160 + [low] * 80, size=size)
    found = recordings(str(tmp_path), ["a", "b"], "")
    assert [(id, own.peaks) for id, own in found.items()] == [("a", "0940")]


def test_real_speech_has_its_wave_form(tmp_path):
    """A FLAC file has that of the same samples in a WAV file: loud and silent in turn."""
    folder = CORPORA / "speech/audio_samples"
    if not folder.exists():
        pytest.skip("the shared corpora are not here")
    name = "lj001b_LJ001-0031"
    found = recordings(str(folder), [name], "")[name].peaks
    miniaudio = pytest.importorskip("miniaudio")
    samples = miniaudio.decode_file(str(folder / f"{name}.flac"), nchannels=1, sample_rate=16000)
    record(tmp_path / "a.wav", samples.samples, rate=16000)
    assert recordings(str(tmp_path), ["a"], "")["a"].peaks == found
    assert len(found) == 393
    assert {"0", "1", "9"} <= {*found}


@pytest.fixture
def heard(visit, tmp_path):
    """The page of a document with a recording, which is drawn, and its links."""
    seconds = 90
    record(tmp_path / "marshall.wav", [20000, -20000] * (RATE * seconds // 2))
    folder = str(tmp_path)
    found = recordings(folder, DOCUMENTS, folder)
    assert {*found} == {"marshall"}
    page = visit(render(scored("asr"), recordings=found))
    draw(page)
    return page


def test_the_wave_form_is_drawn(heard):
    """Each piece of the recorded document has a wave form, those of others have none."""
    pieces = heard.locator("#marshall .piece:not(.gutter)").count()
    assert heard.locator("#marshall path.wave").count() == pieces > 5
    assert heard.locator("path.wave").count() == pieces
    assert heard.locator("path.wave").first.get_attribute("d").count("M") > 20


def test_a_word_plays_under_a_cursor(heard):
    """A click on a word plays its time, a line moves over it, and space stops both."""
    heard.keyboard.press("l")
    heard.locator("#marshall text.w").nth(1).click()
    until(heard, "document.querySelectorAll('.cursor').length === 1")
    place = "document.querySelector('.cursor').getBoundingClientRect().left"
    word = "document.querySelector('.w.playing').getBoundingClientRect()"
    assert heard.evaluate(f"Math.abs({place} - {word}.left) < {word}.width + 40")
    heard.keyboard.press(" ")
    assert heard.locator(".cursor").count() == heard.locator(".playing").count() == 0


def test_zoom(visit):
    """Keys and buttons make the drawings larger and smaller, not the text; 0 undoes it."""
    page = visit(pages("asr"))
    draw(page)
    width = "document.querySelector('.piece:not(.gutter)').getBoundingClientRect().width"
    text = "document.querySelector('.entry').getBoundingClientRect().width"
    before, line = page.evaluate(width), page.evaluate(text)
    page.keyboard.press("+")
    assert page.evaluate(width) == pytest.approx(1.25 * before, rel=0.01)
    assert page.evaluate(text) == line
    page.click("#smaller")
    page.click("#smaller")
    assert page.evaluate(width) == pytest.approx(0.8 * before, rel=0.01)
    page.keyboard.press("0")
    assert page.evaluate(width) == pytest.approx(before, rel=0.01)


@pytest.mark.parametrize("width", [400, 1400])
def test_the_page_is_printed_whole(visit, width):
    """In print all documents are drawn, and the tools are gone."""
    page = visit(pages("asr"), viewport={"width": width, "height": 800})
    assert len(page.pdf()) > 50_000
    assert page.locator(".stretch:not(:has(.flow))").count() == 0
    page.emulate_media(media="print")
    assert not page.locator("#tools").is_visible()
