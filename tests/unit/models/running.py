"""Programs explored with standard input and arguments, every path replayed with the inputs it predicts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from clew.base.budget import Budget
from clew.base.randomness import Randomness
from clew.execute.context import RunOptions
from clew.execute.coverage import Coverage
from clew.execute.ends import Exited, Failed
from clew.execute.engine import Engine
from clew.execute.input_values import input_values
from clew.execute.policy import ExplorePolicy, Finished
from clew.execute.run import Run
from clew.execute.state import State
from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.jobs.prepare import make_machine
from clew.jobs.reexecution import execute, find_entry
from clew.report.values import InputValue
from clew.search.registry import SearchContext, make_searcher
from clew.solver.chain import build_chain
from clew.solver.interface import SolverOptions
from clew.solver.stats import SolverStats
from unit.execute.support import X86_64, c_program

HEADERS = "#include <stdio.h>\n#include <string.h>\n#include <stdlib.h>\n#include <stdarg.h>\n#include <unistd.h>\n"


@dataclass(frozen=True)
class Ran:
    """All paths of a program: how each ended and with which inputs."""

    ends: list[tuple[str | int, tuple[InputValue, ...], bytes]]
    losses: list[str]

    @property
    def codes(self) -> list[int]:
        return sorted(end for end, _, _ in self.ends if isinstance(end, int))

    @property
    def bugs(self) -> list[str]:
        return sorted({end for end, _, _ in self.ends if isinstance(end, str)})

    def inputs(self, end: str | int) -> dict[str, object]:
        """The inputs of the first path that ended so, by name."""
        found = next(inputs for how, inputs, _ in self.ends if how == end)
        return {value.name: value.value for value in found}


def run_all(
    body: str, stdin: int | None = None, args: tuple[bytes | int, ...] = (), target: str = X86_64, seconds: float = 600
) -> Ran:
    """Explore ``main`` with this body; each path must end as its inputs, run concretely, do."""
    code = body if "main(" in body else f"int main(int argc, char **argv) {{ {body} }}"
    program = c_program(HEADERS + code, target)
    options = RunOptions(stdin=stdin, argv=(b"program", *args))
    machine = make_machine(program, options)
    coverage = Coverage(machine.program, machine.compiler)
    searcher = make_searcher("dfs", SearchContext(machine.program, coverage, Randomness(0)))
    run = Run(machine, build_chain(SolverOptions(), SolverStats()), searcher, coverage, options)
    entry = find_entry(machine.program, None)
    ends: list[tuple[str | int, tuple[InputValue, ...], bytes]] = []

    def ended(path: Finished) -> None:
        state = path.state
        assert all(state.model.eval(constraint) is True for constraint in state.path)
        if isinstance(path.end, Exited):
            for model in _models_by_code(run, state, path.end.code):
                inputs = input_values(state, model)
                outcome = execute(machine, entry, inputs, options=options)
                code = int(model.eval(path.end.code)) & 0xFF
                assert (outcome.end, outcome.exit_code) == ("exit", code), (code, outcome)
                ends.append((code, inputs, outcome.stdout))
        elif isinstance(path.end, Failed):
            inputs = input_values(state)
            outcome = execute(machine, entry, inputs, options=options)
            assert (outcome.end, outcome.kind) == ("bug", path.end.kind), (path.end, outcome)
            run.reported.add((path.end.kind, *_where(path)))
            ends.append((path.end.kind, inputs, outcome.stdout))

    engine = Engine(run, Budget(seconds=seconds), ExplorePolicy(ended))
    engine.explore(entry.start(run))
    assert engine.stopped is None
    return Ran(ends, [what for _, what, _ in run.losses])


def _models_by_code(run: Run, state: State, code: Any) -> Iterator[Model]:
    """A model for every exit code a path can have: one path may stand for several."""
    path, model = state.path, state.model
    yield model
    while isinstance(code, Expr):
        other = build.ne(code, model.eval(code), code.width)
        if not isinstance(other, Expr):
            return
        result = run.solver.feasible(path, other, None)
        if result.model is None:
            return
        path, model = path.add(other), result.model
        yield model


def _where(path: Finished) -> tuple[str, str, int]:
    assert path.place is not None
    return path.place.function, path.place.block, path.place.position
