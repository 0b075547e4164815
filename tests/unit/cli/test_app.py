"""The command line as a whole: help, versions, bench, and what must not be imported."""

from __future__ import annotations

import json
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path

import pytest

from clew import __version__
from clew.base.errors import UserError
from clew.bench.child import Measured
from clew.bench.comparison import Row, VerdictTable
from clew.bench.request import BenchRequest
from clew.report.figures import Figure, FigureTable

from .conftest import Outcome

Clew = Callable[..., Outcome]


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


def test_bench(clew: Clew, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def run_bench(table: str, request: BenchRequest, say: Callable[[str], None]) -> list[FigureTable]:
        asked.append((table, request.repeat))
        if table == "none":
            raise UserError("unknown table 'none'")
        say("measuring")
        return [FigureTable(table, (Figure("speed", 5.0, "per s"),))]

    module = types.ModuleType("clew.bench.tables")
    module.run_bench = run_bench  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "clew.bench.tables", module)
    text = clew("bench", "engine")
    assert (text.code, text.err) == (0, "clew: measuring\n")
    assert "speed" in text.out
    data = json.loads(clew("bench", "engine", "--json", "--repeat", "3", "--quiet").out)
    assert data[0]["figures"][0]["value"] == 5.0
    assert asked == [("engine", None), ("engine", 3)]
    assert clew("bench", "none").code == 2
    assert clew("bench").code == 2


def test_bench_of_verdicts(clew: Clew, monkeypatch: pytest.MonkeyPatch) -> None:
    """Options become a request; a wrong verdict makes the command fail, with --json on standard error, too."""
    asked: list[BenchRequest] = []
    runs = {"plain": Measured("FALSE", 1.0)}

    def run_bench(table: str, request: BenchRequest, say: Callable[[str], None]) -> list[VerdictTable]:
        asked.append(request)
        return [VerdictTable(table, (Row("door", "TRUE", runs),), ("plain",))]

    monkeypatch.setattr("clew.bench.tables.run_bench", run_bench)
    text = clew(
        "bench", "conflicts", "--tasks", "folder", "--only", "a*", "--only", "b", "--bound", "50", "--time", "9"
    )
    assert text.code == 1 and "WRONG VERDICT: door" in text.out
    assert asked[0] == BenchRequest(tasks=Path("folder"), only=("a*", "b"), bound=50, seconds=9.0)
    data = clew("bench", "conflicts", "--json", "--decide", "guide, learn:5", "--no-plain", "--unroll", "4")
    assert data.code == 1 and "WRONG VERDICT: door" in data.err
    assert json.loads(data.out)[0]["complaints"]
    assert asked[1] == BenchRequest(decide=("guide", "learn:5"), plain=False, unroll="4")
    runs["plain"] = Measured("TRUE", 1.0)
    assert clew("bench", "conflicts", "--decide", "none").code == 0
    assert asked[2] == BenchRequest(decide=())
    assert clew("bench", "conflicts", "--decide", "none", "--no-plain").code == 2
    assert clew("bench", "engine", "--bound", "3").code == 2
    assert len(asked) == 3


@pytest.mark.slow
def test_start_up_is_light() -> None:
    """Interpreter start decides how a small run feels: nothing heavy may be loaded to parse a command line."""
    program = (
        "import sys, clew.cli.app as app\n"
        "assert app.run(['test', '--help']) == 0\n"
        "import clew.cli.session, clew.base.options\n"
        "heavy = {'rich', 'z3', 'llvmlite', 'bitwuzla', 'ziglang', 'xml', 'asyncio', 'importlib.metadata'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-S", "-c", _PATH + program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


_PATH = f"import sys; sys.path[:] = {sys.path!r}\n"
"""With -S (no site packages of its own) so that start-up files of the environment do not blur the picture."""
