"""Programs whose last line is behind checksums and comparisons of computed values: concolic runs get there in seconds,
mutation alone does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.base.cache import Cache
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.jobs.concolic.search import ConcolicSearch
from clew.native.executor import End
from clew.native.program import NativeProgram
from clew.native.trace import TracedProgram
from clew.program.module import Program
from clew.solver.chain import build_chain
from clew.solver.interface import SolverOptions
from clew.solver.stats import SolverStats

pytestmark = pytest.mark.native

HERE = Path(__file__).resolve().parent / "concolic"
PROGRAMS = sorted(HERE.glob("*.c"))


def loaded(source: Path) -> Program:
    return load([source], CompileOptions(), None)


@pytest.mark.sample(2)
@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_flips_lead_to_the_last_line(source: Path) -> None:
    program = loaded(source)
    with TracedProgram(program, program.functions["main"], cache=Cache.default()).executor() as executor:
        search = ConcolicSearch(executor, build_chain(SolverOptions(), SolverStats()), 20_000, 64)
        search.add(b"")
        ends = (executor.run(data) for data in search.run(3_000_000))
        assert any((run.end, run.detail) == (End.BUG, "abort") for run in ends)
    assert search.statistics.diverged == search.statistics.lost == 0


@pytest.mark.sample(2)
@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_mutation_alone_does_not(source: Path) -> None:
    program = loaded(source)
    with NativeProgram(program, program.functions["main"], cache=Cache.default()).executor() as executor:
        shown = executor.mutate(0, 16, 20_000, 1 << 40, 20_000_000, 60.0)
        assert shown.runs > 5_000
        assert End.BUG not in {executor.run(data).end for data in shown.found}
