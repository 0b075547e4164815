"""The docs as a site: links, the reference, figures; ``make site`` builds it, with links checked by MkDocs itself."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from types import ModuleType

import pytest

from clew.cli.app import COMMANDS

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def hooks() -> ModuleType:
    found = importlib.util.spec_from_file_location("site_hooks", ROOT / "scripts" / "site_hooks.py")
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("uri", "link", "expected"),
    [
        ("guide/start.md", "[x](../../examples/withdraw.c)", "[x](../repository/examples/withdraw.c.md)"),
        ("guide/start.md", "[x](test.md#options)", "[x](test.md#options)"),
        ("README.md", "[x](../CONTRIBUTING.md)", "[x](repository/CONTRIBUTING.md)"),
        ("architecture.md", "[x](decisions)", "[x](decisions/README.md)"),
        ("map.md", "[x](../Makefile)", "x"),
        ("map.md", "[x](https://example.org)", "[x](https://example.org)"),
        ("techniques.md", "![x](figures/tests.svg)", "![x](figures/tests.svg)"),
        ("repository/examples/README.md", "[x](withdraw.c)", "[x](withdraw.c.md)"),
        ("repository/examples/README.md", "[x](../docs/guide/test.md)", "[x](../../guide/test.md)"),
        ("map.md", "```\n[x](../Makefile)\n```", "```\n[x](../Makefile)\n```"),
    ],
)
def test_links(hooks: ModuleType, uri: str, link: str, expected: str) -> None:
    assert hooks.with_links(link, uri) == expected


def test_the_reference_has_all_commands_and_formats(hooks: ModuleType) -> None:
    options = hooks.options_page()
    assert re.findall(r"^## clew (\w+)$", options, re.MULTILINE) != []
    assert set(re.findall(r"^## clew (\w+)$", options, re.MULTILINE)) == set(COMMANDS)
    assert "| `--baseline FILE` |" in options
    schemas = {path.stem for path in (ROOT / "src/clew/report/schemas").glob("*.json")}
    assert set(re.findall(r"^## (\w+)$", hooks.formats_page(), re.MULTILINE)) == schemas


def test_every_page_has_its_place() -> None:
    """In the navigation, or among those that are left out of it."""
    listed = set(re.findall(r"- ((?:guide/)?[\w-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE))
    pages = {page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")}
    assert {page for page in pages if not page.startswith("decisions/")} <= listed


@pytest.mark.parametrize("name", ["merging", "summaries", "acceleration", "tests"])
def test_figures_are_drawings(name: str) -> None:
    root = ET.parse(ROOT / "docs" / "figures" / f"{name}.svg").getroot()
    assert root.tag.endswith("svg")
    assert f"figures/{name}.svg" in (ROOT / "docs" / "techniques.md").read_text()


@pytest.mark.thorough
def test_the_site_builds(tmp_path: Path) -> None:
    pytest.importorskip("material")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert (tmp_path / "site" / "reference" / "options.html").is_file()
