"""Plain pip finds wheels of every dependency, on both processors, for every Python the package supports.

It takes the newest version of a range, and builds it from source where that has no wheel. So the newest version must
have wheels. The complete resolution reads wheels of hundreds of megabytes; the daily question is about packages with
compiled code alone, and reads the index only.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from repo.wheels import MACHINES, PYTHONS, platform_options

COMPILED = (
    "z3-solver",
    "bitwuzla",
    "greenlet",
    "immutables",
    "passagemath-ppl",
    "ziglang",
    "llvmlite",
    "python-sat",
    "islpy",
    "minijinja",
)
OFFLINE = re.compile(r"connection|network is unreachable|resolve|timed out|ProxyError|HTTP error", re.IGNORECASE)
VERSIONS = re.compile(r"\(from versions: (.*)\)")


def requirements(repository: Path, extras: bool = True) -> dict[str, Requirement]:
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    texts = [*project["dependencies"], *(project["optional-dependencies"]["dev"] if extras else ())]
    return {needed.name: needed for needed in map(Requirement, texts)}


def index(name: str) -> dict[str, list[Version]]:
    """The versions there are, newest first, by kind of machine; none at all without an index."""
    command = [sys.executable, str(Path(__file__).with_name("wheels.py")), name]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False
    )
    found = {}
    for part in done.stdout.split("== ")[1:]:
        kind, _, said = part.partition("\n")
        listed = VERSIONS.search(said)
        versions = listed[1].split(", ") if listed and listed[1] != "none" else []
        found[kind] = sorted(map(Version, versions), reverse=True)
    return found


def test_what_is_compiled_is_a_dependency(repository: Path) -> None:
    assert set(COMPILED) <= set(requirements(repository, extras=False))


@pytest.mark.slow
@pytest.mark.sample(12)
@pytest.mark.parametrize("name", COMPILED)
def test_the_newest_version_that_is_allowed_has_a_wheel(name: str, repository: Path) -> None:
    found = index(name)
    if not any(found.values()):
        pytest.skip("no package index in reach")
    allowed = requirements(repository)[name].specifier
    newest = next(iter(allowed.filter(found["any"], prereleases=allowed.prereleases)))
    missing = [machine for machine in MACHINES if newest not in found[machine]]
    assert missing == [], f"pip would build {newest} from source"


@pytest.mark.thorough
@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("machine", MACHINES)
def test_everything_resolves_to_wheels(machine: str, python: str, repository: Path, tmp_path: Path) -> None:
    """With what the dependencies need themselves, and the tools of developers."""
    wanted = [str(needed) for needed in requirements(repository).values()]
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--target", str(tmp_path)]
    command += [*platform_options(machine, python), "hatchling>=1.24", *wanted]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200, check=False)
    if done.returncode and OFFLINE.search(done.stderr) and "No matching distribution" not in done.stderr:
        pytest.skip("no package index in reach")
    assert done.returncode == 0, done.stderr[-2000:]
    assert "z3-solver-" in done.stdout
