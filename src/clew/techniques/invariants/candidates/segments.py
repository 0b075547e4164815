"""What one iteration of every loop can do: all paths of the opened program, from probe to probe.

A segment is a path that arrives at the head of a loop, from outside or after an iteration, with what the terms of that
head are there. On its way it may have gone through heads of other loops: there it went on from *any* state, and the
conditions that hold at those heads may be assumed of that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from clew.base.dataclass import dataclass
from clew.execute.ends import Failed, Lost
from clew.execute.extensions import Extension
from clew.execute.instrument.loop_marks import mark_loops
from clew.execute.policy import Finished
from clew.execute.state import State
from clew.expr.node import Expr
from clew.program.module import Program
from clew.solver.path import EMPTY_PATH
from clew.techniques.invariants.candidates.heads import Point
from clew.techniques.invariants.candidates.limits import Limits
from clew.techniques.invariants.candidates.opening import OWN, Probe
from clew.techniques.invariants.candidates.runs import Effort, Setting, Values, explore, machine_of


@dataclass(frozen=True, slots=True)
class Segment:
    """A way to the head of a loop."""

    head: int
    """Where it ends."""
    first: bool
    """Whether it comes from outside of the loop; else one iteration is over."""
    values: Values
    """Of the terms there."""
    path: tuple[Expr, ...]
    """What holds on the way, from the start of the program."""
    through: tuple[tuple[int, Values], ...]
    """The heads from which it went on in any state, and their terms there."""

    def assumed(self, heads: Sequence[Point], known: Callable[[int], Iterable[Expr]]) -> Iterator[Expr]:
        """What holds in those states, given what is known at each head."""
        for head, values in self.through:
            conditions = (heads[head].at(condition, values) for condition in known(head))
            yield from (condition for condition in conditions if isinstance(condition, Expr))


@dataclass(frozen=True, slots=True)
class _Through(Extension):
    """The heads that a path has gone through."""

    heads: tuple[tuple[int, Values], ...] = ()


def segments_of(opened: Program, setting: Setting, limits: Limits) -> list[Segment] | None:
    """All segments; None if that would be too many, or not all that the program does can be followed."""
    found: list[Segment] = []
    lost: list[Finished] = []

    def probed(probe: Probe, state: State, values: Values) -> None:
        known = state.extension(_Through) or _Through()
        if probe.what == "any":
            state.extend(_Through((*known.heads, (probe.head, values))))
        else:
            path = tuple(state.path.since(EMPTY_PATH))
            found.append(Segment(probe.head, probe.what == "enter", values, path, known.heads))

    def finished(path: Finished) -> None:
        own = path.place is not None and path.place.block.startswith(OWN)
        if isinstance(path.end, Lost) or (isinstance(path.end, Failed) and own):
            lost.append(path)

    def is_enough() -> bool:
        return bool(lost) or len(found) > limits.segments

    # Loops that could not be opened are gone through, if they are short.
    bounded = replace(setting, options=replace(setting.options, loop_bound=limits.iterations))
    effort = Effort(limits.instructions, limits.forks, is_enough)
    is_all = explore(machine_of(mark_loops(opened)), bounded, probed, effort, finished)
    return found if is_all and not is_enough() else None
