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
from collections.abc import Iterable, Mapping, Sequence

from clew.base.dataclass import dataclass
from clew.execute.instrument.havoc import assume, renew
from clew.execute.instrument.loop_marks import HEADER
from clew.expr.node import Expr
from clew.program import instructions as ir
from clew.program.editing import Draft, call_to, redirected, with_phis
from clew.program.module import Block, Function, Program
from clew.program.types import I1, I32
from clew.program.values import ConstInt, MetadataArg, Register, Value
from clew.techniques.invariants.candidates.code import assume_all
from clew.techniques.invariants.candidates.heads import Head, address, read

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
    functions = dict(program.functions)
    for number, head in enumerate(heads):
        functions[head.function] = _Opening(functions[head.function], head, number).function(facts[number])
    return dataclasses.replace(program, functions=functions)


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
        functions[head.function] = _with_blocks(function, blocks, ())
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


def _with_blocks(function: Function, blocks: Mapping[str, Block], added: Iterable[Block]) -> Function:
    return dataclasses.replace(function, blocks=(*(blocks[block.name] for block in function.blocks), *added))


class _Opening:
    """Opens one loop of a function in which others may be open already."""

    def __init__(self, function: Function, head: Head, number: int) -> None:
        self._function = function
        self._head = head
        self._number = number
        self._name = Names(f"{OWN}{number}.")
        self._blocks = {block.name: block for block in function.blocks}

    def function(self, facts: Sequence[Expr]) -> Function:
        """The function with the loop opened."""
        head = self._head
        phis = self._blocks[head.header].phis
        sources = dict.fromkeys(
            block.name for block in self._function.blocks if head.header in ir.successors(block.terminator)
        )
        inside = self._inside()
        enter, again = Draft(self._name("enter")), Draft(self._name("again"))
        for source in sources:
            target = again if source in inside else enter
            self._blocks[source] = redirected(self._blocks[source], head.header, target.name)
        self._probe(enter, "enter", self._merged(enter, phis, [s for s in sources if s not in inside]))
        renewed = renew(enter, self._name, phis, ((address(thing), size) for thing, size in head.objects))
        assume_all(enter, head, facts, renewed, self._name)
        self._probe(enter, "any", renewed)
        enter.add(ir.Jump(None, None, head.header))
        self._probe(again, "again", self._merged(again, phis, [s for s in sources if s in inside]))
        again.add(assume(ConstInt(I32, 0)))
        again.add(ir.Unreachable(None, None))
        header = self._blocks[head.header]
        changed = [
            dataclasses.replace(phi, incoming=((renewed[phi.result.name], enter.name),)) for phi in phis if phi.result
        ]
        self._blocks[head.header] = with_phis(header, list(changed))
        return _with_blocks(self._function, self._blocks, (enter.block(), again.block()))

    def _inside(self) -> set[str]:
        """The blocks from which control comes back to the header."""
        latches = self._head.loop.latches
        return {block.name for number, block in enumerate(self._function.blocks) if number in latches}

    def _merged(self, draft: Draft, phis: list[ir.Phi], sources: list[str]) -> dict[str, Value]:
        """What the phis of the header would be, for control that comes from some blocks."""
        found: dict[str, Value] = {}
        for phi in phis:
            assert phi.result is not None
            incoming = tuple((value, source) for value, source in phi.incoming if source in sources)
            found[phi.result.name] = draft.add(ir.Phi(Register(self._name("merged"), phi.result.type), None, incoming))
        return found

    def _probe(self, draft: Draft, what: str, registers: Mapping[str, Value]) -> None:
        values = read(draft, self._head.terms, registers, self._name)
        draft.add(probe_call(Probe(self._number, what), values))
