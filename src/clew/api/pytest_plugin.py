"""The pytest plug-in: tests that fail when a C function has a bug. Installed with ``pip install clew[pytest]``.

def test_parse(clew_check):
    clew_check("src/parse.c", function="parse", time=5)

def test_sum(clew_prove):
    clew_prove("src/sum.c", function="sum")

pytest loads this module whether or not a test uses it, so it imports nothing of the engine.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from clew.api.options import Files
    from clew.api.results import Result

_SECONDS = "10"
Call = Callable[..., "Result"]


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    parser.addini("clew_time", "Seconds that a call of clew_check or clew_prove may take.", default=_SECONDS)
    # pytest would rewrite the assertions of everything that is installed with a plug-in: seconds for the whole engine.
    getattr(pluginmanager.rewrite_hook, "_must_rewrite", set()).discard("clew")


class Checker:
    """What the fixtures are: a function that runs Clew, and fails the test in the light of the result."""

    def __init__(self, run: Call, judge: Callable[[Result], str], config: pytest.Config) -> None:
        self._run = run
        self._judge = judge
        self._config = config

    def __call__(self, files: Files = (), **options: Any) -> Result:
        """Take the arguments of ``clew.test``; files are relative to pytest's root folder."""
        __tracebackhide__ = True
        from clew.base.errors import UserError

        try:
            result = self._run(self._found(files), **{"time": self._seconds(), **options})
            problem = self._judge(result)
        except UserError as error:
            problem = f"{error}\n{error.details}".rstrip()
        if problem:
            pytest.fail(problem)
        return result

    def _seconds(self) -> float:
        text = self._config.getini("clew_time")
        try:
            return float(text)
        except ValueError:
            raise pytest.UsageError(f"clew_time must be a number of seconds, not {text!r}") from None

    def _found(self, files: Files) -> tuple[Path, ...]:
        """The files, by names that are short from where pytest was started."""
        from clew.api.options import paths_of

        here = Path.cwd()
        paths = [self._config.rootpath / file for file in paths_of(files)]
        return tuple(path.relative_to(here) if path.is_relative_to(here) else path for path in paths)


@pytest.fixture
def clew_check(pytestconfig: pytest.Config) -> Checker:
    """Calls ``clew.test``; the test fails if it finds a bug, or if not a single path comes to its end."""
    import clew

    return Checker(clew.test, found_bugs, pytestconfig)


@pytest.fixture
def clew_prove(pytestconfig: pytest.Config) -> Checker:
    """Calls ``clew.verify``; the test fails unless every property is shown to hold."""
    import clew

    return Checker(clew.verify, not_proved, pytestconfig)


def found_bugs(result: Result) -> str:
    """Why a test fails that asks for no bugs; empty if it does not."""
    if result.bugs:
        return _told(result)
    if not result.statistics.paths_completed:
        return f"no path was run to its end: {result.reason}"
    return ""


def not_proved(result: Result) -> str:
    """Why a test fails that asks for a proof; empty if it does not."""
    if result.verdict == "TRUE":
        return ""
    return "\n".join([f"{result.verdict}: {result.reason}", _told(result)]).rstrip()


def _told(result: Result) -> str:
    """All bugs, as in the report."""
    return "\n".join(result.describe(bug) for bug in result.bugs)
