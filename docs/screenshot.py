"""The picture of the demo's report in the README: `python docs/screenshot.py` (playwright and chromium needed)."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

PICTURE = Path(__file__).parent / "images" / "report.png"
WIDTH, HEIGHT = 1400, 900


def main() -> None:
    """Run the demo, open its report, and take the picture of its first screen."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "gainsayer", "demo", "-o", folder, "--quiet"], check=True, stdout=subprocess.DEVNULL
        )
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
            page.goto((Path(folder) / "report.html").as_uri())
            page.wait_for_selector("html[data-ready]", state="attached")
            PICTURE.parent.mkdir(exist_ok=True)
            page.screenshot(path=PICTURE)
            browser.close()


if __name__ == "__main__":
    main()
