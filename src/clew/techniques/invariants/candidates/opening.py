"""Loops opened: a program with one iteration of every loop, from any state; and one that shows the heads as it runs.

    before:                 opened:
      outside:                outside: br enter
        br header             enter:   probe "enter", with the values of the head's terms
                                       new values for all that the loop changes; assume what is known of them
                                       probe "any", with these; br header
      header: ...             header:  ...
      latch:                  latch:   br again
        br header             again:   probe "again", with the values that the next iteration begins with; stop

All paths between two probes together are what one iteration, or the way to a loop, can do: ``segments`` collects them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from clew.base.dataclass import dataclass
from clew.execute.instrument.constraint_code import place_in
from clew.execute.instrument.havoc import renew
from clew.execute.instrument.loop_marks import HEADER
from clew.execute.instrument.loop_surgery import LoopSurgery
from clew.expr.node import Expr
from clew.program import instructions as ir
from clew.program.editing import Draft, call_to
from clew.program.module import Program
from clew.program.types import I1
from clew.program.values import ConstInt, MetadataArg, Value
from clew.techniques.invariants.candidates.code import assume_all
from clew.techniques.invariants.candidates.heads import Head, read

OWN = "clew."
"""How the names of blocks and registers begin that are added here."""


@dataclass(frozen=True, slots=True)
class Probe:
    """Where control is when a probe is run."""

    head: int
    """A position in the list of heads."""
    what: str
    """``enter``, ``any`` or ``again``; ``at`` in a program that is not opened."""

    @property
    def name(self) -> str:
        return f"{OWN}{self.what} {self.head}"

    @staticmethod
    def named(name: str) -> Probe | None:
        """The probe of a name, if it is one."""
        what, _, head = name.removeprefix(OWN).partition(" ")
        return Probe(int(head), what) if name.startswith(OWN) else None


def opened(program: Program, heads: Sequence[Head], facts: Sequence[Sequence[Expr]]) -> Program:
    """The program with loops opened, and facts assumed at their heads."""
    surgeries = {head.function: LoopSurgery(program.functions[head.function]) for head in heads}
    for number, head in enumerate(heads):
        opening = _Opening(surgeries[head.function], head, number, facts[number])
        surgeries[head.function].open(head.loop, opening.enter, opening.leave)
    functions = {name: surgery.function() for name, surgery in surgeries.items()}
    return dataclasses.replace(program, functions={**program.functions, **functions})


def shown(program: Program, heads: Sequence[Head]) -> Program:
    """The program as it is, with a probe at every head."""
    functions = dict(program.functions)
    for number, head in enumerate(heads):
        function = functions[head.function]
        blocks = {block.name: block for block in function.blocks}
        header = blocks[head.header]
        draft = Draft("")
        values = read(draft, head.terms, {}, Names(f"{OWN}{number}."))
        draft.add(probe_call(Probe(number, "at"), values))
        blocks[head.header] = header.inserted({len(header.phis): tuple(draft.instructions)})
        functions[head.function] = dataclasses.replace(function, blocks=tuple(blocks.values()))
    return dataclasses.replace(program, functions=functions)


class Names:
    """Names that no function has."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._serial = 0

    def __call__(self, what: str) -> str:
        self._serial += 1
        return f"{self._prefix}{what}.{self._serial}"


def probe_call(probe: Probe, values: Sequence[Value]) -> ir.Call:
    """The call that shows where control is, and values."""
    return call_to(HEADER, MetadataArg(probe.name), ConstInt(I1, 0), *values)


@dataclass(frozen=True, slots=True)
class _Opening:
    """Writes the code of one loop that is opened."""

    surgery: LoopSurgery
    head: Head
    number: int
    facts: Sequence[Expr]

    def enter(self, draft: Draft, given: Mapping[str, Value]) -> Mapping[str, Value]:
        """Any state at the head; its phis."""
        name = self.surgery.name
        self._probe(draft, "enter", given)
        objects = [(place_in(draft, name, thing, 0), size) for thing, size in self.head.objects]
        renewed = renew(draft, name, self.surgery.phis(self.head.header), objects)
        assume_all(draft, self.head, self.facts, renewed, name)
        self._probe(draft, "any", renewed)
        return renewed

    def leave(self, draft: Draft, following: Mapping[str, Value], stop: str) -> tuple[Draft, ...]:
        """What the next iteration begins with; the path ends."""
        self._probe(draft, "again", following)
        draft.add(ir.Jump(None, None, stop))
        return ()

    def _probe(self, draft: Draft, what: str, registers: Mapping[str, Value]) -> None:
        values = read(draft, self.head.terms, registers, self.surgery.name)
        draft.add(probe_call(Probe(self.number, what), values))
