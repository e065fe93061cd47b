"""The pages of the commands for all readers: axe finds nothing to object to, at any width."""

import wave

import pytest
from cli_files import put_recordings

pytestmark = pytest.mark.check

HYP = "data/hyp/compromise/asr", "data/hyp/gazetteer/asr"
TIMES = "--align data/align --words data/asr --audio audio --format html -o index.html"
COMMANDS = {
    "audit": f"audit data/ref {HYP[0]} --tolerance 0.3",
    "blame": f"blame data/ref data/hyp/compromise/manual {HYP[0]} --tolerance 0.3",
    "compare": f"compare data/ref {HYP[0]} {HYP[1]} --tolerance 0.3 --resamples 5",
    "sweep": f"sweep data/ref {HYP[0]} {HYP[1]} --tolerance 0,0.3",
}


VIEWS = [(400, "light"), (800, "dark"), (1400, "light"), (1400, "dark")]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_reader_can_use_the_page(command, here, run, visit):
    """In windows of all widths, light and dark, with a case at hand; nor is a page too wide."""
    from axe_playwright_python.sync_playwright import Axe

    put_recordings(here / "data", "librivox")
    (here / "audio").mkdir()
    with wave.open(str(here / "audio/librivox.wav"), "wb") as sound:
        sound.setparams((1, 1, 8000, 0, "NONE", ""))
        sound.writeframes(bytes([64, 192]) * 8000)
    assert run(f"{COMMANDS[command]} {TIMES}")[:2] == (0, "")
    text = (here / "index.html").read_text("utf-8")
    page = visit({"index.html": text}, reduced_motion="reduce")
    page.keyboard.press("n")
    page.wait_for_selector(".entry.here")
    assert page.locator(".wave").count() > 0
    found = {}
    for width, scheme in VIEWS:
        page.set_viewport_size({"width": width, "height": 800})
        assert width == page.evaluate("document.documentElement.scrollWidth")
        page.emulate_media(color_scheme=scheme)
        found[width, scheme] = Axe().run(page).generate_snapshot()
    assert dict.fromkeys(found, "") == found
