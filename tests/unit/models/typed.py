"""Calls models that look at the types of a call: ``Driver`` with types, and comparisons of floats."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any, cast

from clew.base.cache import Cache
from clew.execute.invocation import Invocation
from clew.frontend.options import CompileOptions
from clew.models.registry import all_models
from clew.program.module import Program
from clew.program.types import FloatKind, FloatType, IntType, PointerType, Type
from clew.runtime import link
from unit.execute.support import Exploration, c_program, explore
from unit.models.drive import Driver

I32, I64, PTR = IntType(32), IntType(64), PointerType()
FLOAT, DOUBLE = FloatType(FloatKind.FLOAT), FloatType(FloatKind.DOUBLE)


class TypedDriver(Driver):
    """A fresh state in which models can be called with a result type and parameter types."""

    def typed(self, name: str, result: Type, *arguments: tuple[Type, Any]) -> Any:
        """Run a model; ``arguments`` are pairs of type and value."""
        frame = self.state.frame
        assert frame is not None
        passed = tuple(SimpleNamespace(value=SimpleNamespace(type=type)) for type, _ in arguments)
        signature = SimpleNamespace(result=result)
        call = cast(Any, SimpleNamespace(location=None, result=None, type=signature, arguments=passed))
        invocation = Invocation(self.state, frame, 0, (), call, name)
        return all_models()[name].run(invocation, *(value for _, value in arguments))

    def errno(self) -> Any:
        return self.state.memory.load_bits(self.typed("__errno_location", PTR), 4)

    def losses(self) -> list[str]:
        return [what for _, what, _ in self.run.losses]


def same_float(a: float, b: float) -> bool:
    """Equal, the sign of zero included; any NaN is like another."""
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return a == b and math.copysign(1.0, a) == math.copysign(1.0, b)


def linked(code: str, target: str = "x86_64-linux-gnu") -> Program:
    """A C program together with the parts of the runtime it needs."""
    return link(c_program(code, target), CompileOptions(target=target), Cache.default())


def explore_linked(code: str) -> Exploration:
    return explore(linked(code))


def outputs(exploration: Exploration) -> list[bytes]:
    """What the paths printed, sorted."""
    return sorted(way.output for way in exploration.ways)


__all__ = [
    "DOUBLE", "FLOAT", "I32", "I64", "PTR", "TypedDriver", "explore_linked", "linked", "outputs", "same_float",
]  # fmt: skip
