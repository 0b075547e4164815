"""The pytest plug-in, in a process of its own: what pytest loads there must not be loaded twice here."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
pytestmark = [pytest.mark.slow, pytest.mark.native]

PROGRAM = """
#include <assert.h>
int half(int n) { return 100 / n; }
int twice(unsigned char n) { assert(n <= 255); return 2 * n; }
int near(int n) { assert(n != 7); return n; }
"""
TESTS = """
def test_half(clew_check):
    clew_check("src/p.c", function="half", time=20)

def test_twice(clew_check):
    assert clew_check("src/p.c", function="twice", time=20).complete

def test_nowhere(clew_check):
    clew_check(source="int main(void) { for (;;) ; }", max_instructions=1000)

def test_mistake(clew_check):
    clew_check("src/p.c", functoin="half")

def test_twice_is_right(clew_prove):
    clew_prove("src/p.c", function="twice")

def test_near_is_not(clew_prove):
    clew_prove("src/p.c", function="near")
"""


def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, body: str) -> pytest.RunResult:
    """No plug-ins but this one, whatever is installed."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    (pytester.mkdir("src") / "p.c").write_text(PROGRAM)
    pytester.makepyfile(body)
    return pytester.runpytest_subprocess("-p", "no:cacheprovider", "-p", "clew.api.pytest_plugin")


def test_a_bug_fails_a_test_and_is_told_with_its_inputs(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = run(pytester, monkeypatch, TESTS)
    result.assert_outcomes(passed=2, failed=4)
    half = [
        '>*clew_check("src/p.c"*',
        "*division-by-zero: division by zero*",
        "*at src/p.c:3:*in half*",
        "*int n = 0;*",
    ]
    nowhere = ["*_ test_nowhere _*", "*no path was run to its end: *"]
    mistake = ["*_ test_mistake _*", "*Failed: no option 'functoin'; did you mean 'function'?"]
    near = ["*_ test_near_is_not _*", "*FALSE: *", "*assert: *n != 7*", "*int n = 7;*"]
    result.stdout.fnmatch_lines([*half, *nowhere, *mistake, *near])
    result.stdout.no_fnmatch_line("*pytest_plugin.py*")


def test_the_time_limit_is_a_setting(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    pytester.makeini("[pytest]\nclew_time = soon\n")
    result = run(pytester, monkeypatch, "def test_half(clew_check): clew_check('src/p.c', function='half')")
    result.stdout.fnmatch_lines(["*clew_time must be a number of seconds, not 'soon'*"])


def test_loading_it_loads_nothing_of_the_engine() -> None:
    code = "import sys, clew.api.pytest_plugin; print(*(name for name in sys.modules if name.startswith('clew')))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert sorted(loaded) == ["clew", "clew.api", "clew.api.pytest_plugin"]


def test_it_is_there_once_the_package_is_installed(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, repository: Path
) -> None:
    """And pytest leaves the assertions of the engine as they are: to rewrite them takes seconds."""
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    ((name, module),) = project["entry-points"]["pytest11"].items()
    installed = pytester.mkdir("clew-9.dist-info")
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: clew\nVersion: 9\n")
    (installed / "entry_points.txt").write_text(f"[pytest11]\n{name} = {module}\n")
    (installed / "RECORD").write_text("clew/__init__.py,,\nclew/api/commands.py,,\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(pytester.path), str(repository / "src")]))
    pytester.makepyfile(
        """
        def test_it(clew_check):
            import clew.api.commands
            assert "Rewriting" not in type(clew.api.commands.__spec__.loader).__name__
        """
    )
    pytester.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)
