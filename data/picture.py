"""The pictures of the README, from what the demo left: a stretch of the page, and the chart.

`make picture` makes them anew. It needs Chromium: the one that is installed, or Playwright's own.
"""

import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

BUILD = Path("build/demo")
IMAGES = Path("docs/images")
PAGE = BUILD / "gazetteer.html"
STRETCH = "moonlanding-l2"
SIZE = {"width": 1180, "height": 760}
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)


def picture() -> None:
    """Photograph the page with a stretch on top, light, and copy the chart."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        page.goto(f"{PAGE.resolve().as_uri()}#{STRETCH}")
        page.locator(f"#{STRETCH}").wait_for()  # raises if there is none
        page.screenshot(path=IMAGES / "audit.png")
        browser.close()
    shutil.copy(BUILD / "sweep.svg", IMAGES)
    print(*(IMAGES / name for name in ("audit.png", "sweep.svg")), sep="\n")


if __name__ == "__main__":
    picture()
