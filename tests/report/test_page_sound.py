"""Sound on the page: wave form, cursor, words that play; and zoom."""

import shutil
import sys
import wave
from array import array

import pytest
from pages import DOCUMENTS, draw, pages, render, scored, until
from paths import CORPORA, TESTS

from sereval.report.page.recordings import links, peaks, undecoded

pytestmark = pytest.mark.check

RATE = 8000

TONES = TESTS / "report" / "sounds"
"""Half a second of silence and half a second of a tone, made for these tests, in three formats."""


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
    assert peaks(str(tmp_path), ["a", "b"]) == {"a": "0940"}


def test_peaks_keep_time(tmp_path):
    """After a second there are 50 peaks, whatever the rate; of two channels the greater one."""
    rate = 11025  # of which 20 ms are no whole number
    second = [0] * 2 * rate
    record(tmp_path / "a.wav", second * 60 + [0, 9] * 221, channels=2, rate=rate)
    assert peaks(str(tmp_path), ["a"]) == {"a": "0" * 3000 + "99"}


@pytest.mark.parametrize("suffix", [".flac", ".mp3", ".ogg"])
def test_peaks_of_other_formats(tmp_path, suffix):
    """Half of the recording is silent, half of it is as loud throughout."""
    shutil.copy(TONES / f"tone{suffix}", tmp_path)
    found = peaks(str(tmp_path), ["tone"])["tone"]
    assert len(found) == 50
    assert {*found[:23]} == {"0"}
    assert {*found[27:48]} <= {*"89"}


def test_the_wave_form_is_that_of_the_recording_that_plays(tmp_path):
    """Of several recordings of a document the page plays the WAV file."""
    shutil.copy(TONES / "tone.flac", tmp_path / "marshall.flac")
    record(tmp_path / "marshall.wav", [5] * 320)
    folder = str(tmp_path)
    assert links(folder, DOCUMENTS, folder) == {"marshall": "./marshall.wav"}
    assert peaks(folder, DOCUMENTS) == {"marshall": "99"}


def test_real_speech_has_its_wave_form(tmp_path):
    """A FLAC file has that of the same samples in a WAV file: loud and silent in turn."""
    folder = CORPORA / "speech/audio_samples"
    if not folder.exists():
        pytest.skip("the shared corpora are not here")
    [(name, found)] = peaks(str(folder), ["lj001b_LJ001-0031"]).items()
    miniaudio = pytest.importorskip("miniaudio")
    samples = miniaudio.decode_file(str(folder / f"{name}.flac"), nchannels=1, sample_rate=16000)
    record(tmp_path / "a.wav", samples.samples, rate=16000)
    assert peaks(str(tmp_path), ["a"]) == {"a": found}
    assert len(found) == 393
    assert {"0", "1", "9"} <= {*found}


def test_without_the_package_the_page_has_no_wave_form(here, run, tmp_path, monkeypatch):
    """A line says of how many recordings, and how to install it; the page has their sound."""
    for name in ("one.flac", "two.mp3", "three.m4a"):
        (tmp_path / name).write_bytes(b"")
    record(tmp_path / "four.wav", [5] * 320)
    ids = ["one", "two", "three", "four"]
    assert undecoded(str(tmp_path), ids) == []
    monkeypatch.setitem(sys.modules, "miniaudio", None)
    assert undecoded(str(tmp_path), ids) == ["one.flac", "two.mp3"]
    shutil.copy(TONES / "tone.flac", tmp_path / "one.flac")
    assert peaks(str(tmp_path), ids) == {"four": "99"}
    (here / "one.ne").write_text("<loc> Dol </loc>\n", "utf-8")
    line = "audit one.ne one.ne --audio . --format html -o page.html"
    status, out, err = run(line)
    assert (status, out) == (0, "")
    assert err.startswith(
        "sereval: no wave form of 1 recording in ., such as one.flac: it needs the package "
        "miniaudio, which is not installed: pip install 'sereval[sound]'\n"
    )
    assert '"sound":"./one.flac"' in (here / "page.html").read_text("utf-8")


def test_no_wave_form_without_sound(tmp_path):
    """Silence, an empty file, and what is no sound have no wave form."""
    record(tmp_path / "silent.wav", [0] * 800)
    record(tmp_path / "none.wav", [])
    (tmp_path / "text.wav").write_text("no sound")
    (tmp_path / "empty.wav").touch()
    (tmp_path / "other.flac").touch()
    ids = ["silent", "none", "text", "empty", "other", "../silent"]
    assert peaks(str(tmp_path), ids) == {}


@pytest.fixture
def heard(visit, tmp_path):
    """The page of a document with a recording, which is drawn, and its links."""
    seconds = 90
    record(tmp_path / "marshall.wav", [20000, -20000] * (RATE * seconds // 2))
    folder = str(tmp_path)
    audio, waves = links(folder, DOCUMENTS, folder), peaks(folder, DOCUMENTS)
    assert {*audio} == {*waves} == {"marshall"}
    page = visit(render(scored("asr"), audio=audio, peaks=waves))
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


def test_space_plays_what_is_in_view(heard):
    """Without a case at hand in view, space plays the stretch in view, and stops it."""
    heard.evaluate("document.querySelector('#marshall').scrollIntoView()")
    heard.keyboard.press("n")
    heard.wait_for_selector("#marshall .entry.here")
    heard.evaluate("document.querySelector('#marshall-l4').scrollIntoView()")
    heard.keyboard.press(" ")
    assert heard.locator("#marshall-l4 h3 a.playing").count() == 1
    heard.keyboard.press(" ")
    assert heard.locator(".playing").count() == 0


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


def test_nothing_is_cut_on_paper(visit):
    """Tables and drawings have no bars to scroll, and the matrix is no wider than a page."""
    page = visit(pages("asr"), viewport={"width": 740, "height": 960})
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    boxes = page.locator(".wide, .flow")
    assert boxes.count() > 3
    scrolls = "all => all.filter(one => getComputedStyle(one).overflowX != 'visible').length"
    assert boxes.evaluate_all(scrolls) == 0
    matrix = page.locator("#matrix").bounding_box()
    assert matrix["x"] + matrix["width"] <= 740
    stuck = "all => all.filter(one => getComputedStyle(one).position == 'sticky').length"
    assert page.locator(".matrix th, .matrix td").evaluate_all(stuck) == 0


def test_a_dark_page_is_printed_light(visit):
    """Paper is white, whatever theme the page has."""
    page = visit(pages("asr"), color_scheme="dark")
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    colours = "[document.body, document.querySelector('.matrix-box')].map(one => {"
    colours += "const style = getComputedStyle(one); return [style.backgroundColor, style.color] })"
    dark = page.evaluate(colours)
    page.emulate_media(media="print")
    white, ink = "rgb(255, 255, 255)", "rgb(28, 32, 36)"
    assert page.evaluate(colours) == [[white, ink], [white, ink]]
    assert dark == [
        ["rgb(21, 24, 27)", "rgb(228, 231, 234)"],
        ["rgb(27, 31, 35)", "rgb(228, 231, 234)"],
    ]
