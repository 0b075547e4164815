"""``clew doctor``: what is there is seen, what is missing is named with what to do."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import metadata

import pytest

from clew.base.errors import UserError
from clew.jobs import doctor
from clew.jobs.doctor import Finding, State, examine


def _rows(*subjects: str) -> dict[str, Finding]:
    return {row.subject: row for row in examine() if row.subject in subjects}


@pytest.mark.slow
def test_this_machine_has_what_is_needed() -> None:
    done = subprocess.run([sys.executable, "-m", "clew", "doctor", "--json"], capture_output=True, text=True)
    rows = {row["subject"]: row for row in json.loads(done.stdout)["rows"]}
    assert done.returncode == 0, done.stdout
    assert rows["engine"]["found"] == "finds both ways through a small program"
    assert {"python", "packages", "compiler", "replay", "containment of tests", "cores", "memory"} <= rows.keys()
    assert all(row["remedy"] for row in rows.values() if row["state"] in ("missing", "absent"))


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    def toolchain(named: str | None) -> object:
        raise UserError("no C compiler")

    monkeypatch.setattr(metadata, "version", version)
    monkeypatch.setattr(metadata, "requires", lambda name: ["z3-solver==4.15.4.0", 'pytest>=8; extra == "pytest"'])
    monkeypatch.setattr(doctor, "find_toolchain", toolchain)
    monkeypatch.setattr(doctor.shutil, "which", lambda name: None)
    for unneeded in ("_engine", "_replay", "_containment"):
        monkeypatch.setattr(doctor, unneeded, lambda: iter(()))
    rows = _rows("package z3-solver", "compiler", "ray", "genhtml")
    assert {name: row.state for name, row in rows.items()} == {
        "package z3-solver": State.MISSING, "compiler": State.MISSING, "ray": State.ABSENT, "genhtml": State.ABSENT,
    }  # fmt: skip
    assert rows["compiler"].found == "UserError: no C compiler"
    assert "pip install z3-solver" in rows["package z3-solver"].remedy


def test_the_compiler_needs_no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a container has it that runs for a user it does not know."""
    monkeypatch.setenv("HOME", "/dev/null/none")
    for name in ("XDG_CACHE_HOME", "ZIG_GLOBAL_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    for unneeded in ("_engine", "_replay", "_containment"):
        monkeypatch.setattr(doctor, unneeded, lambda: iter(()))
    rows = _rows("compiler", "compile cache")
    assert rows["compiler"].state is State.OK, rows["compiler"].found
    assert rows["compile cache"].state is State.LIMITED
