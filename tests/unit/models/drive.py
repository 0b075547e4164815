"""Calls models directly, without a C program around them, and the same functions of the real libc."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any, cast

from clew.base.randomness import Randomness
from clew.execute.context import RunOptions
from clew.execute.coverage import Coverage
from clew.execute.invocation import Invocation
from clew.execute.machine import Machine
from clew.execute.run import Run
from clew.execute.state import State
from clew.expr import build
from clew.expr.evaluate import EMPTY_MODEL, Model
from clew.expr.node import Expr
from clew.expr.sort import bv
from clew.jobs.prepare import make_machine
from clew.jobs.reexecution import find_entry
from clew.models.registry import all_models
from clew.search.registry import SearchContext, make_searcher
from clew.solver.chain import build_chain
from clew.solver.interface import SolverOptions
from clew.solver.stats import SolverStats
from unit.execute.support import X86_64, llvm


@cache
def _machine(target: str) -> Machine:
    program = replace(llvm("define i32 @main() {\nret i32 0\n}\n"), triple=target)
    return make_machine(program, RunOptions(None, None, ()))


class Driver:
    """A fresh state in which models can be called."""

    def __init__(self, values: Mapping[Expr, int] | None = None, target: str = X86_64) -> None:
        machine = _machine(target)
        coverage = Coverage(machine.program, machine.compiler)
        searcher = make_searcher("dfs", SearchContext(machine.program, coverage, Randomness(0)))
        solver = build_chain(SolverOptions(), SolverStats())
        self.run = Run(machine, solver, searcher, coverage, RunOptions(None, None, ()))
        self.state: State = find_entry(machine.program, None).start(self.run)
        self.state.model = Model(dict(values)) if values else EMPTY_MODEL

    def buffer(self, data: Sequence[Any], kind: str = "heap") -> int:
        """A new object with the given bytes, concrete or symbolic; None is a byte nobody wrote."""
        address = self.state.memory.allocate(len(data), kind, "buffer")
        for index, value in enumerate(data):
            if value is not None:
                self.state.memory.store_bits(address + index, value, 1)
        return address

    def call(self, name: str, *arguments: Any) -> Any:
        """Run a model; siblings it asks for stay queued."""
        frame = self.state.frame
        assert frame is not None
        call = cast(Any, SimpleNamespace(location=None, arguments=()))
        return all_models()[name].run(Invocation(self.state, frame, 0, (), call, name), *arguments)

    def contents(self, address: int, count: int, model: Model) -> bytes:
        return bytes(int(model.eval(value)) for value in self.state.memory.read_bytes(address, count))

    def allows(self, model: Model) -> bool:
        """Whether the path still includes these inputs."""
        return all(model.eval(constraint) is True for constraint in self.state.path)


def symbol(name: str, width: int, value: int, values: dict[Expr, int]) -> Expr:
    """A new symbol, and its value among ``values``."""
    made = build.symbol(name, bv(width))
    assert isinstance(made, Expr)
    values[made] = value
    return made


@cache
def libc() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def native(name: str, result: type | None, arguments: Sequence[Any], offsets: Sequence[int] = ()) -> Any:
    """Call a function of the real libc; ``arguments`` are buffers, entered at ``offsets``, and numbers."""
    function = getattr(libc(), name)
    function.restype = result
    function.argtypes = [ctypes.c_size_t if isinstance(a, int) else ctypes.c_void_p for a in arguments]
    starts = [*offsets, *[0] * (len(arguments) - len(offsets))]
    return function(
        *[a if isinstance(a, int) else ctypes.addressof(a) + at for a, at in zip(arguments, starts, strict=True)]
    )
