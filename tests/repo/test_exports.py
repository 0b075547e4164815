"""The public Python API is exactly what is listed here: a change of it is a decision, and goes into CHANGELOG.md."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import clew

PUBLIC = {
    "Bug", "Coverage", "Error", "InputValue", "Interrupt", "InvariantReport", "Location", "LoopReport", "LossNote",
    "Property", "Result", "Snapshot", "StopReason", "Summary", "Test", "__version__", "invariants", "loops", "reach",
    "resume", "test", "verify",
}  # fmt: skip


def test_public_names() -> None:
    assert set(clew.__all__) == PUBLIC
    for name in clew.__all__:
        assert getattr(clew, name) is not None
    assert set(dir(clew)) >= PUBLIC
    assert not hasattr(clew, "no_such_name")


def test_version_is_in_the_changelog(repository: Path) -> None:
    text = (repository / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## {re.escape(clew.__version__)}\b", text, re.MULTILINE)


def test_importing_the_package_is_cheap() -> None:
    """The command line starts in a fraction of a second only if `import clew` drags in no solver and no compiler."""
    heavy = {"z3", "bitwuzla", "llvmlite", "ziglang", "rich", "click"}
    code = "import sys, clew; print(*sorted({m.split('.')[0] for m in sys.modules}))"
    source = Path(clew.__file__).parents[1]
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=source)
    assert not heavy & set(run.stdout.split())


def test_typed_marker_and_script(repository: Path) -> None:
    assert (Path(clew.__file__).parent / "py.typed").exists()
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"] == {"clew": "clew.cli:main", "clew-cc": "clew.cli.cc:main"}
    assert project["license"] == "Apache-2.0"


def test_the_benchmarks_come_with_the_sources_only(repository: Path) -> None:
    tools = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    targets = tools["hatch"]["build"]["targets"]
    assert targets["wheel"]["packages"] == ["src/clew"]
    assert "/benchmarks" in targets["sdist"]["include"]
