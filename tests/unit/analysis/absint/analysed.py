"""Programs in C or LLVM text with their invariants, for tests that look at what is known where."""

from __future__ import annotations

from typing import Any

from clew.analysis.absint.analyse import Invariants
from clew.analysis.absint.domain import Bounds
from clew.analysis.absint.frames import Reach, Supergraph, supergraph
from clew.analysis.absint.linear import Linear
from clew.analysis.absint.transfer import Transfer
from clew.analysis.absint.variables import Held
from clew.analysis.callees import Callees
from clew.analysis.mod_ref import ModRef
from clew.execute.helpers import build_machine
from clew.models.registry import all_models
from clew.program import instructions as ir
from clew.program.module import Program
from clew.program.values import ConstInt, GlobalRef
from clew.techniques.invariants.find import find
from unit.execute.support import c_program


def invariants(program: Program | str, entry: str = "main", **options: Any) -> Invariants:
    """Of a program (text is C)."""
    if isinstance(program, str):
        program = c_program(program)
    found = find(build_machine(program, all_models()), entry, **options)
    assert found is not None
    return found


def graph_of(program: Program, entry: str = "main", others: tuple[str, ...] = (), **reach: int) -> Supergraph:
    return supergraph(ModRef(program, Callees(program, all_models())), entry, others, Reach(**reach))


def transfer_of(program: Program, entry: str = "main") -> tuple[Supergraph, Transfer]:
    effects = ModRef(program, Callees(program, all_models()))
    graph = supergraph(effects, entry, (), Reach())
    return graph, Transfer(graph, effects, lambda *_: frozenset())


def calls_of(known: Invariants, name: str) -> list[tuple[int, str, int]]:
    """Frame, block and index of the calls of a function, in all frames."""
    return [
        (frame.number, block.name, index)
        for frame in known.frames
        for block in frame.function.blocks
        for index, i in enumerate(block.instructions)
        if isinstance(i, ir.Call) and isinstance(i.callee, GlobalRef) and i.callee.name == name
    ]


def passed(known: Invariants, name: str) -> list[Bounds]:
    """Between what the argument lies, of all calls of a function that may be come to."""
    found = []
    for frame, block, index in calls_of(known, name):
        state = known.at(frame, block, index)
        call = known.outline(frame).blocks[block].instructions[index]
        assert isinstance(call, ir.Call)
        value = call.arguments[0].value
        linear = Linear.number(value.value) if isinstance(value, ConstInt) else Linear.of(Held(frame, str(value)[1:]))
        if not state.is_bottom:
            found.append(state.bounds(linear))
    return found


HOLDS = "extern void abort(void);\n#define HOLDS(c) if (!(c)) abort()\n#line 1\n"


def agrees(code: str, entry: str = "main", **options: Any) -> None:
    """Check ``HOLDS(condition); // yes`` (it is known to hold) and ``// no`` (it does not), one per line of C code."""
    known = invariants(HOLDS + code, entry, **options)
    expected = {}
    for number, line in enumerate(code.splitlines(), 1):
        if "HOLDS(" in line:
            expected[number] = line.partition("//")[2].strip()
    assert set(expected.values()) <= {"yes", "no"} and expected
    fails: set[int] = set()
    for frame, block, index in calls_of(known, "abort"):
        location = known.outline(frame).blocks[block].instructions[index].location
        assert location is not None
        if not known.at(frame, block, index).is_bottom:
            fails.add(location.line)
    lines = code.splitlines()
    wrong = [lines[number - 1].strip() for number, word in expected.items() if (word == "no") != (number in fails)]
    assert not wrong, f"it is the other way round: {wrong}"
