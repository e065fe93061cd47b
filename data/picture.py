"""The pictures of the README and the documentation, from what the demo left.

They are a stretch of the page, the drawing of a few words for the home page, and the chart.

`make picture` makes them anew. It needs Chromium: the one that is installed, or Playwright's own.
"""

import shutil
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

BUILD = Path("build/demo")
IMAGES = Path("docs/images")
PAGE = BUILD / "gazetteer.html"
STRETCH = "moonlanding-l2"
SIZE = {"width": 1180, "height": 760}
DRAWINGS = {"wide": 840, "narrow": 440}
"""The widths of the window in which the words of the home page are drawn."""

FIRST = "Edwin"
"""The word with which these words begin; in a narrow window its piece is the only one."""

REST = """(flow, [first, alone]) => {
    const pieces = [...flow.children];
    const from = pieces.findIndex(one => one.textContent.includes(first));
    pieces.forEach((one, k) => {
        if (k < from && !one.classList.contains('gutter') || alone && k > from) one.remove();
    });
    for (let one = flow; one; one = one.parentElement) one.style.background = 'none';
}"""
"""Removes the other pieces of a stretch, and what is behind them."""

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)


def picture() -> None:
    """Photograph the page with a stretch on top, light, draw the words, and copy the chart."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        stretch(browser, SIZE, "light").screenshot(path=IMAGES / "audit.png")
        for name, width in DRAWINGS.items():
            for scheme in ("light", "dark"):
                page = stretch(browser, {"width": width, "height": 900}, scheme, scale=2)
                flow = page.locator(f"#{STRETCH} .flow")
                flow.evaluate(REST, [FIRST, name == "narrow"])
                flow.screenshot(path=IMAGES / f"home-{name}-{scheme}.png", omit_background=True)
        browser.close()
    shutil.copy(BUILD / "sweep.svg", IMAGES)


def stretch(browser: Browser, size: dict[str, int], scheme: str, scale: int = 1) -> Page:
    """The page of the demo at the stretch, in a window."""
    page = browser.new_page(viewport=size, color_scheme=scheme, device_scale_factor=scale)
    page.goto(f"{PAGE.resolve().as_uri()}#{STRETCH}")
    page.locator(f"#{STRETCH}").wait_for()  # raises if there is none
    return page


if __name__ == "__main__":
    picture()
