"""The documentation is checked: links lead somewhere, runnable blocks run, the map is complete.

A fenced block whose info string says ``run`` is executed: ``sh run`` in bash (``-e``), ``python run`` in Python, each
in a folder of its own that holds a copy of ``examples/``. ``exit=N`` names the expected exit code (default 0). A block
with ``file=NAME`` is a file there, for the runnable blocks of the same page.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "clew"
FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<body>.*?)^```\s*$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)\s]+)\)")
SKIPPED = {".git", ".venv", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", "__pycache__", "clew-out"}


@dataclass(frozen=True)
class Runnable:
    page: Path
    line: int
    language: str
    exit_code: int
    body: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def pages() -> list[Path]:
    return [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def runnable_blocks() -> list[Runnable]:
    found = []
    for page in pages():
        text = page.read_text(encoding="utf-8")
        for match in FENCE.finditer(text):
            words = match["info"].split()
            if "run" not in words[1:]:
                continue
            exits = [int(word.removeprefix("exit=")) for word in words if word.startswith("exit=")]
            line = text.count("\n", 0, match.start()) + 1
            found.append(Runnable(page, line, words[0], exits[0] if exits else 0, match["body"]))
    return found


def files_of(page: Path) -> dict[str, str]:
    """The files that a page shows."""
    blocks = FENCE.finditer(page.read_text(encoding="utf-8"))
    return {
        word.removeprefix("file="): block["body"]
        for block in blocks
        for word in block["info"].split()
        if word.startswith("file=")
    }


def environment(folder: Path) -> dict[str, str]:
    """The caller's environment, with a ``clew`` and a ``python`` that are the ones under test."""
    shims = folder / ".bin"
    shims.mkdir()
    for name, arguments in {"clew": "-m clew", "clew-cc": "-m clew.cli.cc", "python": ""}.items():
        script = shims / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments} "$@"\n', encoding="utf-8")
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
    source = str(PACKAGE.parent)
    known = os.environ.get("PYTHONPATH")
    return os.environ | {
        "PATH": f"{shims}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": f"{source}{os.pathsep}{known}" if known else source,
    }


def sampled(block: Runnable) -> object:
    """A parameter set: every example of a plug-in runs each time, of the others a sample."""
    marks = [] if block.page.name == "extending.md" else [pytest.mark.sample(12)]
    return pytest.param(block, id=str(block), marks=marks)


@pytest.mark.slow
@pytest.mark.parametrize("block", [sampled(block) for block in runnable_blocks()])
def test_runnable_block(block: Runnable, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for name, text in files_of(block.page).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = {"sh": ["bash", "-ec", block.body], "python": [sys.executable, "-c", block.body]}[block.language]
    run = subprocess.run(
        command, cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True, timeout=120, check=False
    )
    assert run.returncode == block.exit_code, f"{block}\n{run.stdout}\n{run.stderr}"


@pytest.mark.parametrize("page", pages(), ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    targets = [m["target"].split("#")[0] for m in LINK.finditer(text)]
    local = [t for t in targets if t and "://" not in t and not t.startswith("mailto:")]
    missing = [t for t in local if not (page.parent / t).exists()]
    assert not missing, f"{page.name} links to {missing}"


def source_folders() -> set[str]:
    """Folders of the package as the map writes them, such as ``solver/layers/``."""
    folders = (p for p in PACKAGE.rglob("*") if p.is_dir() and not SKIPPED & set(p.relative_to(PACKAGE).parts))
    return {f"{p.relative_to(PACKAGE).as_posix()}/" for p in folders if any(f.is_file() for f in p.iterdir())}


def test_the_map_has_a_line_for_every_folder() -> None:
    text = (ROOT / "docs" / "map.md").read_text(encoding="utf-8")
    section = text.split("## src/clew", 1)[1].split("\n## ", 1)[0]
    mapped = set(re.findall(r"^\| `([\w/]+/)` \|", section, re.MULTILINE))
    assert source_folders() - mapped == set(), "folders without a line in docs/map.md"
    assert mapped - source_folders() == set(), "lines of docs/map.md without a folder"


def test_the_map_has_a_line_for_every_file() -> None:
    """``scripts/make_map.py`` writes these lines; a docstring may have changed since."""
    listed, folder = set(), Path()
    for line in (ROOT / "docs" / "map.md").read_text(encoding="utf-8").partition("## Files of")[2].splitlines():
        if line.startswith("### "):
            folder = Path(line.removeprefix("### ").removeprefix("clew"))
        elif row := re.match(r"\| `(\w+\.py)` \| \S", line):
            listed.add((folder / row[1]).as_posix())
    there = {p.relative_to(PACKAGE).as_posix() for p in PACKAGE.rglob("*.py") if p.name != "__init__.py"}
    assert listed == there, "run: python scripts/make_map.py"


def named_files(page: Path) -> set[str]:
    """Python files that a page names; in the map, those of a line are in the folder that the line begins with."""
    named = set()
    for line in FENCE.sub("", page.read_text(encoding="utf-8")).partition("## Files of")[0].splitlines():
        row = re.match(r"\| `([\w/]+/)` \|", line)
        folder = row[1] if row and page.name == "map.md" else ""
        named |= {name if "/" in name else folder + name for name in re.findall(r"`([\w./]+\.py)`", line)}
    return named


@pytest.mark.parametrize("page", pages(), ids=lambda p: str(p.relative_to(ROOT)))
def test_files_that_a_page_names_exist(page: Path) -> None:
    missing = {file for file in named_files(page) if not any((at / file).is_file() for at in (ROOT, PACKAGE))}
    assert missing == set(), f"{page.name} names files that are not there"


@pytest.mark.slow
def test_the_files_of_the_walk_take_part() -> None:
    """Architecture follows one run through at most forty files, and the run really goes through them."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    walk = text.split("## One run, file by file", 1)[1].split("\n## ", 1)[0]
    files = set(re.findall(r"`([\w/]+\.py)`", walk))
    assert 30 <= len(files) <= 40
    code = "import sys; import clew.cli.process; from clew.cli.app import run\n"
    code += "run(['test', 'examples/sheets.c', '--time', '20', '--out', sys.argv[1]]); print(*sys.modules)"
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-c", code, f"{folder}/out"]
        run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    assert {f"clew.{file.removesuffix('.py').replace('/', '.')}" for file in files} <= set(run.stdout.split())


def text_files() -> list[Path]:
    suffixes = {".py", ".md", ".toml", ".c", ".h", ".sh", ".yml", ".json", ""}
    files = (p for p in ROOT.rglob("*") if not SKIPPED & set(p.relative_to(ROOT).parts))
    return [p for p in files if p.is_file() and p.suffix in suffixes]


@pytest.mark.slow
def test_no_path_of_one_machine() -> None:
    """A checkout works anywhere: no home folder, no build folder of whoever wrote a file."""
    here = {str(ROOT), str(Path.home())} - {"/"}
    places = "|".join([r"/(?:root|Users|work)", *map(re.escape, sorted(here))])
    absolute = re.compile(rf"(?<![\w.<-])(?:{places})/\w")
    hits = []
    for path in text_files():
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            if absolute.search(line):
                hits.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}")
    assert not hits, hits


def test_decisions_are_numbered_without_gaps() -> None:
    numbers = sorted(int(p.name[:4]) for p in (ROOT / "docs" / "decisions").glob("[0-9]*.md"))
    assert numbers == list(range(1, len(numbers) + 1))
