"""Invariants of a whole program: the front of this package.

``analyse`` gives, for every point of every frame, an abstract value that contains all states in which control can be
there, on any input and after any number of iterations. Where the domain that was asked for turns out to be too
expensive, the next cheaper one is used, and ``notes`` say so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field

from clew.analysis.absint.domain import Abstract
from clew.analysis.absint.domains import cheaper, make_domain
from clew.analysis.absint.fixpoint import Fixpoint, Pace, TooExpensive
from clew.analysis.absint.frames import CallString, FunctionOutline, Reach, Supergraph, supergraph
from clew.analysis.absint.linear import Linear
from clew.analysis.absint.thresholds import Thresholds
from clew.analysis.absint.transfer import Kept, Transfer
from clew.analysis.absint.variables import Cell, Count, Held, Initial
from clew.analysis.escape import Object
from clew.analysis.mod_ref import ModRef
from clew.base.dataclass import dataclass
from clew.program import instructions as ir
from clew.program.module import FINISH


@dataclass(frozen=True, slots=True)
class Limits:
    """How much an analysis may cost."""

    reach: Reach = field(default_factory=Reach)
    pace: Pace = field(default_factory=Pace)
    nodes: int = 6000
    """Of the whole graph, followed calls aside: a larger program is not analysed."""


@dataclass(frozen=True, slots=True)
class Invariants:
    """What holds where."""

    _graph: Supergraph
    _transfer: Transfer
    _states: list[Abstract]
    _bottom: Abstract
    domain: str
    """The one that was used in the end."""
    notes: tuple[str, ...]
    """What should be known about how this came about, for people."""

    @property
    def frames(self) -> tuple[CallString, ...]:
        return tuple(self._graph.frames)

    def frames_of(self, function: str) -> tuple[int, ...]:
        """The frames of a function; none if no call leads there."""
        return tuple(self._graph.of_function.get(function, ()))

    def outline(self, frame: int) -> FunctionOutline:
        """Control flow, loops and definitions of a frame's function."""
        return self._graph.frame_outline(frame)

    @property
    def ghosts(self) -> tuple[Held | Initial, ...]:
        """Variables that are the values of inputs."""
        return tuple(self._transfer.ghosts)

    def signed(self, variable: Held | Cell | Initial) -> bool:
        """Whether a variable is the number that its bits stand for with a sign."""
        return self._transfer.numbers.is_signed(variable)

    def width(self, variable: Held | Cell | Initial) -> int:
        """Bits of what a variable stands for."""
        return self._transfer.numbers.width(variable)

    def before(self, frame: int, block: str) -> Abstract:
        """At the start of a block, its phis assigned."""
        return self._states[self._graph.starts[frame, block]]

    def at(self, frame: int, block: str, index: int) -> Abstract:
        """Before an instruction."""
        for node in self._graph.segments(frame, block):
            if index <= node.stop:
                return self._transfer.after(self._states[node.number], node, max(index, node.first))
        return self._bottom

    def on_edge(self, frame: int, source: str, target: str) -> Abstract:
        """Where a block has chosen a successor: its condition is assumed, the successor's phis are not assigned."""
        *_, node = self._graph.segments(frame, source)
        return self._transfer.chosen(self._transfer.after(self._states[node.number], node), node, target)

    def on_edge_again(self, frame: int, header: str, target: str) -> Abstract:
        """The same on the way from a loop's head, when control was there before since it entered the loop."""
        outline = self._graph.frame_outline(frame)
        loop = outline.forest.headed_by(outline.graph.numbers[header])
        assert loop is not None
        state = self._bottom
        for latch in loop.latches:
            state = state.join(self.into(frame, outline.graph.names[latch], header))
        first, *rest = self._graph.segments(frame, header)
        if rest or state.is_bottom:
            return self._bottom if not rest else self.on_edge(frame, header, target)
        return self._transfer.chosen(self._transfer.after(state, first), first, target)

    def into(self, frame: int, source: str, target: str) -> Abstract:
        """The same, with phis assigned."""
        *_, node = self._graph.segments(frame, source)
        state = self.on_edge(frame, source, target)
        to = self._graph.nodes[self._graph.starts[frame, target]]
        return state if state.is_bottom else self._transfer.arrived(state, node, to)

    def written(self, frame: int, blocks: Iterable[str]) -> tuple[set[tuple[int, Object]], int]:
        """What blocks of a frame may write, with the calls that are followed from there.

        Objects that are known by their places, with the frames these are of (``GLOBAL`` for globals); and for all
        else a mask of ``clew.analysis.mod_ref``.
        """
        known: set[tuple[int, Object]] = set()
        mask = 0
        work = [(frame, name) for name in blocks]
        while work:
            at, name = work.pop()
            outline = self._graph.frame_outline(at)
            for index, instruction in enumerate(outline.blocks[name].instructions):
                inner = self._graph.followed.get((at, name, index))
                if inner is not None:
                    work += [(inner, block.name) for block in self._graph.frames[inner].function.blocks]
                    continue
                place = None
                if isinstance(instruction, ir.Store | ir.AtomicUpdate | ir.CompareExchange):
                    place = self._transfer.places.of(at, instruction.pointer)
                if place is not None:
                    known.add((place.frame, place.object))
                else:
                    mask |= self._transfer.effects.written_by(outline.function.name, instruction)
        return known, mask

    def most_rounds(self, function: str, header: str) -> int | None:
        """Rounds of a loop before any time that control is at its head, at most; None if no number is known."""
        most = None
        for frame in self.frames_of(function):
            state = self.before(frame, header)
            count = 0 if state.is_bottom else state.bounds(Linear.of(Count(frame, header)))[1]
            if count is None:
                return None
            most = max(count, most or 0)
        return most

    def is_dead(self, function: str, block: str, index: int = 0) -> bool:
        """Whether control never comes to an instruction, on no chain of calls."""
        return all(self.at(frame, block, index).is_bottom for frame in self.frames_of(function))

    def is_dead_edge(self, function: str, source: str, target: str) -> bool:
        """Whether control never goes from one block to another."""
        return all(self.on_edge(frame, source, target).is_bottom for frame in self.frames_of(function))


def analyse(
    effects: ModRef,
    entry: str,
    domain: str = "polyhedra",
    limits: Limits | None = None,
    kept: Kept = lambda function, block: frozenset(),
    stop: Callable[[], bool] = lambda: False,
) -> Invariants | None:
    """The invariants of a program that starts at ``entry``; None if it is too large, or ``stop`` says so."""
    program = effects.program
    limits = limits or Limits()
    if sum(len(function.blocks) for function in program.functions.values()) > limits.nodes:
        return None
    roots = dict.fromkeys((*program.constructors, *program.destructors, *effects.calls.taken, FINISH))
    others = [name for name in roots if name in program.functions and not program.functions[name].is_declaration]
    graph = supergraph(effects, entry, others, limits.reach)
    transfer = Transfer(graph, effects, kept)
    thresholds = Thresholds(graph, transfer.numbers)
    notes: list[str] = []
    for name in _attempts(domain):
        made = make_domain(name, transfer.numbers.range)
        if made.name != name:
            notes.append(f"{name} are not available, {made.name} are used")
        top, bottom = made.top(), made.bottom()
        fixpoint = Fixpoint(
            graph, transfer, top, bottom, limits.pace, made.effort, thresholds.of, stop, not program.constructors
        )
        try:
            fixpoint.run()
        except TooExpensive:
            if stop():
                return None
            below = cheaper(name)
            if below is not None:
                notes.append(f"{name} are too expensive for this program: {below} are used")
            continue
        return Invariants(graph, transfer, fixpoint.states, bottom, made.name, tuple(notes))
    return None


def _attempts(domain: str) -> Iterator[str]:
    name: str | None = domain
    while name is not None:
        yield name
        name = cheaper(name)
