"""A program with its loops replaced: by their closures, by any state that an invariant allows, or left as they are.

Loops are cut open (``clew.execute.instrument.loop_surgery``), each by the best that is known about it:

- *exact*: a closure that is exact, of iterations that read no inputs. The paths of the cut loop are those of the loop,
  with the same inputs: what they show is real, and what they do not show does not happen.
- *general*: a closure that is not exact, or of iterations that read inputs, which nobody knows then, or an invariant,
  or both. What no path shows does not happen; what one shows may not be real (``generalize`` marks such a path).
- *left*: as it was. Its paths are real, but there may be too many of them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from enum import Enum
from functools import partial
from typing import Protocol

from clew.analysis.graph import Loop, control_flow, dominators, loop_forest
from clew.analysis.loops.arrays import ArrayLoop, array_loop
from clew.analysis.loops.closure import Closure, Refusal
from clew.analysis.mod_ref import ModRef
from clew.base.dataclass import dataclass
from clew.execute.instrument.loop_surgery import LoopSurgery
from clew.program import instructions as ir
from clew.program.editing import Draft
from clew.program.module import Function, Program
from clew.program.values import Value
from clew.techniques.acceleration.array_cutting import ArrayCutting
from clew.techniques.acceleration.closure_cutting import AlsoAssume, ClosureCutting, is_exact

Closures = Callable[[str, str], Closure | Refusal]
"""Of the loop of a function that has a header."""


class Cutting(Protocol):
    """Something else that is known about the loops of a function."""

    def cut(self, loop: Loop, bound: int) -> bool:
        """Cut a loop by that alone; whether it was possible."""

    def assume(self, loop: Loop, rest: Draft, renewed: Mapping[str, Value]) -> None:
        """Write assumptions where a loop is cut, in which phis have new values."""


Cuttings = Callable[[LoopSurgery, str], Cutting | None]
"""What else is known about the loops of the function with a name; None if nothing is."""
NOT_FOLLOWED = "what would have ended it in earlier rounds is not followed"
"""Why a loop over arrays is not exact."""


class Treatment(Enum):
    """What has become of a loop."""

    EXACT = "replaced by its closure, exact"
    CLOSED = "replaced by its closure"
    ARRAY = "replaced by what it writes to arrays"
    CUT = "replaced by its invariant"
    LEFT = "left as it is"


@dataclass(frozen=True, slots=True)
class TreatedLoop:
    """One loop, by its function and header."""

    function: str
    header: str
    treatment: Treatment
    reason: str
    """Why it is not exact, or exact but of no use for tests; empty if it is."""
    exact: bool = False
    """Whether it was replaced by a closure that is exact, of iterations that may read inputs."""


@dataclass(frozen=True, slots=True)
class Accelerated:
    """A program with its loops replaced."""

    program: Program
    loops: tuple[TreatedLoop, ...]

    @property
    def replaced(self) -> tuple[TreatedLoop, ...]:
        """Those that are not as they were."""
        return tuple(loop for loop in self.loops if loop.treatment is not Treatment.LEFT)


def accelerate(
    effects: ModRef,
    entry: str,
    closures: Closures,
    cuttings: Cuttings = lambda surgery, name: None,
    bound: int = 0,
    exact_only: bool = False,
) -> Accelerated:
    """Replace the loops of all functions that ``entry`` leads to.

    Iterations up to the bound are as they were. ``exact_only``: loops for which nothing exact is known are left.
    """
    program = effects.program
    functions = dict(program.functions)
    loops: list[TreatedLoop] = []
    for name in sorted(effects.calls.reachable(entry)):
        if name in functions and not functions[name].is_declaration:
            replacing = _Replacing(effects, functions[name], closures, cuttings, bound, exact_only)
            loops += replacing.all()
            functions[name] = replacing.surgery.function()
    return Accelerated(dataclasses.replace(program, functions=functions), tuple(loops))


class _Replacing:
    """Replaces the loops of one function."""

    def __init__(
        self,
        effects: ModRef,
        function: Function,
        closures: Closures,
        cuttings: Cuttings,
        bound: int,
        exact_only: bool,
    ) -> None:
        self._name = name = function.name
        self._effects = effects
        self._function = function
        self._graph = control_flow(function)
        self._forest = loop_forest(self._graph)
        self._tree = dominators(self._graph)
        self._closures = closures
        self._bound = bound
        self._exact_only = exact_only
        self.surgery = LoopSurgery(function)
        self._by_closures = ClosureCutting(self.surgery, function, effects.calls.is_recursive(name))
        self._by_arrays = ArrayCutting(self.surgery, function, self._graph, effects.program.layout)
        self._otherwise = cuttings(self.surgery, name)

    def all(self) -> list[TreatedLoop]:
        """Replace those that can be."""
        return [self._replace(loop) for loop in self._forest.loops]

    def _replace(self, loop: Loop) -> TreatedLoop:
        header = self._graph.names[loop.header]
        if self._by_arrays.is_cut(loop):
            return TreatedLoop(self._name, header, Treatment.ARRAY, NOT_FOLLOWED)
        closure = self._closures(self._name, header)
        if not (isinstance(closure, Closure) and is_exact(closure)) and self._is_array(loop):
            return TreatedLoop(self._name, header, Treatment.ARRAY, NOT_FOLLOWED)
        reason = closure.reason if isinstance(closure, Refusal) else self._by_closures.obstacle(loop, closure)
        treatment, exact = Treatment.LEFT, False
        if isinstance(closure, Closure) and not reason:
            reason = self._by_closures.doubt(closure)
            if not (reason and self._exact_only):
                self._by_closures.cut(loop, closure, self._bound, self._also(loop))
                treatment, exact = Treatment.CLOSED if reason else Treatment.EXACT, is_exact(closure)
        elif self._otherwise is not None and not self._exact_only and self._otherwise.cut(loop, self._bound):
            treatment = Treatment.CUT
        return TreatedLoop(self._name, header, treatment, reason, exact)

    def _is_array(self, loop: Loop) -> bool:
        """Replace a loop over arrays, if that can be done. (What only counts has a closure, or an invariant.)"""
        inside = (i for number in loop.blocks for i in self._function.blocks[number].instructions)
        if self._exact_only or not any(isinstance(i, ir.Load | ir.Store | ir.Call) for i in inside):
            return False
        shape = array_loop(self._effects, self._function, self._graph, self._tree, self._forest, loop)
        return isinstance(shape, ArrayLoop) and not self._by_arrays.cut(loop, shape)

    def _also(self, loop: Loop) -> AlsoAssume | None:
        return None if self._otherwise is None else partial(self._otherwise.assume, loop)
