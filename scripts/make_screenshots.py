"""Take the pictures of the documentation: ``report.html`` of a run, in a real browser.

    python scripts/make_screenshots.py

Needs Debian's ``chromium`` (``make browser`` installs it). The program is one of the examples, so everybody gets the
same pictures, up to times.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
PROGRAM = "withdraw.c"
VIEWS = {
    "report-overview": ("", 1280, 760),
    "report-bugs": ("bugs", 1280, 940),
    "report-uncovered": ("uncovered", 1280, 300),
    "report-source": ("source", 1280, 700),
    "report-narrow": ("", 390, 844),
}
"""Which section of the page, if not all of it, and how large the window is."""


def main() -> int:
    """Exit code 1 where there is no browser."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        print("there is no chromium here: 'make browser' installs it", file=sys.stderr)
        return 1
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(ROOT / "examples" / PROGRAM, folder)
        run = [sys.executable, "-m", "clew", "test", PROGRAM, "--out", "results", "--quiet"]
        subprocess.run(run, cwd=folder, check=False)
        for name, (section, width, height) in VIEWS.items():
            page = _only(Path(folder, "results", "report.html"), section)
            taken = [f"--screenshot={PICTURES / name}.png", f"--window-size={width},{height}"]
            quiet = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=2000"]
            subprocess.run([browser, *quiet, *taken, page.as_uri()], check=True, capture_output=True, timeout=120)
            print(f"docs/pictures/{name}.png")
    return 0


def _only(page: Path, section: str) -> Path:
    """The page, or a copy of it that shows one section."""
    if not section:
        return page
    hidden = f"<style>main > :not(#{section}) {{ display: none !important }}</style></head>"
    copy = page.with_name(f"{section}.html")
    copy.write_text(page.read_text(encoding="utf-8").replace("</head>", hidden, 1), encoding="utf-8")
    return copy


if __name__ == "__main__":
    sys.exit(main())
