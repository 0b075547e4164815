"""The command line as a whole: help, versions, bench, and what must not be imported."""

from __future__ import annotations

import subprocess
import sys

import pytest

from clew import __version__
from support.command_line import Clew


def test_version(clew: Clew) -> None:
    assert clew("--version").out == f"clew {__version__}\n"
    assert clew("version").out.startswith(f"clew {__version__}\npython ")


def test_help(clew: Clew) -> None:
    outcome = clew("--help")
    assert outcome.code == 0
    assert all(name in outcome.out for name in ("test", "bench", "version"))
    for name in ("test", "bench", "version"):
        assert clew(name, "-h").code == 0


def test_unknown_command(clew: Clew) -> None:
    outcome = clew("tset")
    assert outcome.code == 2
    assert outcome.err.count("\n") == 1
    assert "No such command 'tset'" in outcome.err


def test_no_command_shows_help(clew: Clew) -> None:
    outcome = clew()
    assert "Usage: clew" in outcome.out + outcome.err


@pytest.mark.slow
def test_start_up_is_light() -> None:
    """Interpreter start decides how a small run feels: nothing heavy may be loaded to parse a command line."""
    program = (
        "import sys, clew.cli.app as app\n"
        "assert app.run(['test', '--help']) == 0\n"
        "import clew.cli.session, clew.base.options\n"
        "heavy = {'rich', 'z3', 'llvmlite', 'bitwuzla', 'ziglang', 'xml', 'asyncio', 'importlib.metadata'}\n"
        "heavy |= {'clew.frontend', 'clew.program', 'clew.execute'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-S", "-c", _PATH + program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_techniques_are_imported_where_they_are_asked_for() -> None:
    program = (
        "import sys, clew.jobs.test\n"
        "heavy = {'absint', 'chains', 'invariants', 'summaries', 'merging', 'conflicts'}\n"
        "names = [name for name in sys.modules if name.startswith('clew.') and heavy & {*name.split('.')}]\n"
        "print(sorted(name for name in names if name.split('.')[-1] not in heavy | {'statistics'}))\n"
    )
    done = subprocess.run([sys.executable, "-S", "-c", _PATH + program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]", "but for the counters, which summary.json always has"


_PATH = f"import sys; sys.path[:] = {sys.path!r}\n"
"""With -S (no site packages of its own) so that start-up files of the environment do not blur the picture."""
