"""The pictures of the report in the docs, from a real run: ``python scripts/make_screenshots.py``; needs Chromium."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "figures"
SIZES = {"report": (1180, 760, ()), "report-source": (1180, 700, ("overview", "bugs", "functions", "timeline"))}
"""By name: width, height, and the parts of the page that are left out."""


def main() -> int:
    browser = shutil.which("chromium")
    if browser is None:
        print("Chromium is not there: make browser installs it", file=sys.stderr)
        return 1
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        shutil.copy(ROOT / "examples" / "settings.c", folder)
        command = [sys.executable, "-m", "clew", "test", "settings.c", "--stdin", "8", "--quiet", "--out", "o"]
        subprocess.run(command, cwd=folder, check=False)
        text = (Path(folder) / "o" / "report.html").read_text(encoding="utf-8")
        for name, (width, height, hidden) in SIZES.items():
            page = Path(folder) / f"{name}.html"
            style = "".join(f"#{part} {{ display: none }} " for part in hidden)
            page.write_text(text.replace("</head>", f"<style>{style}</style></head>", 1), encoding="utf-8")
            target = FOLDER / f"{name}.png"
            words = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
            words += [f"--window-size={width},{height}", f"--screenshot={target}", page.as_uri()]
            subprocess.run([browser, *words], check=True, capture_output=True, timeout=120)
            print(target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
