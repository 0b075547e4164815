"""What code may do that nobody here foresees: undefined functions, assembly, jumps between frames.

Where such a thing may happen, static techniques have nothing to say about what comes after it.
"""

from __future__ import annotations

from clew.analysis.callees import Callee, CalleeKind, Callees
from clew.analysis.callgraph import CallGraph
from clew.execute.codegen.intrinsics import handler_of
from clew.program import instructions as ir
from clew.program.module import Program


class Unmodelled:
    """Of one program."""

    def __init__(self, program: Program, callees: Callees, calls: CallGraph | None = None) -> None:
        self._program = program
        self._calls = calls if calls is not None else CallGraph(program, callees)
        self._known: dict[str, tuple[str, ...]] = {}

    def of(self, call: ir.Call) -> tuple[str, ...]:
        """Why a call may do what is not known here: in itself, or in functions that it leads to."""
        targets = self._calls.possible_targets(call)
        if not targets:
            return ("a call through a pointer that fits no function",)
        found: dict[str, None] = {}
        for target in targets:
            if target.kind is CalleeKind.FUNCTION:
                found.update(dict.fromkeys(self.below(target.name)))
            elif (doubt := _doubt(target)) is not None:
                found[doubt] = None
        return tuple(found)

    def below(self, function: str) -> tuple[str, ...]:
        """The same, of everything that may run because of a function, itself included."""
        found: dict[str, None] = {}
        for name in sorted(self._calls.reachable(function)):
            found.update(dict.fromkeys(self.within(name)))
        return tuple(found)

    def within(self, function: str) -> tuple[str, ...]:
        """The same, of one function without those it calls."""
        known = self._known.get(function)
        if known is None:
            found: dict[str, None] = {}
            for block in self._program.functions[function].blocks:
                for instruction in block.instructions:
                    if isinstance(instruction, ir.UnsupportedInstruction):
                        found[f"an instruction that is not supported: {instruction.text}"] = None
                    elif isinstance(instruction, ir.Call):
                        for target in self._calls.possible_targets(instruction):
                            if (doubt := _doubt(target)) is not None:
                                found[doubt] = None
            known = self._known[function] = tuple(found)
        return known


def _doubt(target: Callee) -> str | None:
    """Why what a call goes to may do anything; None if that is known, or it is a function to look into."""
    name = target.name
    match target.kind:
        case CalleeKind.UNDEFINED:
            return f"{name}() is not defined anywhere"
        case CalleeKind.ASSEMBLY:
            return "inline assembly"
        case CalleeKind.MODEL if target.effect.diverts:
            return f"{name}() on the way"
        case CalleeKind.INTRINSIC if handler_of(name) is None:
            return f"{name} is not supported"
    return None
