"""C functions with loops, as relations and closures."""

from __future__ import annotations

from clew.analysis.callees import Callees
from clew.analysis.graph import control_flow, loop_forest
from clew.analysis.loops.closure import Closure, Refusal
from clew.analysis.loops.limits import USUAL, Limits
from clew.analysis.loops.reading import Loops
from clew.analysis.loops.relation import LoopRelation
from clew.analysis.mod_ref import ModRef
from clew.models.registry import all_models
from clew.program.module import Program
from unit.analysis.loops.text import describe_relation
from unit.execute.support import c_program


def loops_of(program: Program, limits: Limits = USUAL) -> Loops:
    return Loops(ModRef(program, Callees(program, all_models())), limits)


def header(program: Program, function: str, number: int = 0) -> str:
    """The header of a function's loop, outer loops first."""
    graph = control_flow(program.functions[function])
    return graph.names[loop_forest(graph).loops[number].header]


def relation(code: str, function: str = "f", limits: Limits = USUAL, sanitize: tuple[str, ...] = ()) -> LoopRelation:
    """Of the first loop of a function."""
    program = c_program(code, sanitize=sanitize)
    found = loops_of(program, limits).relation(function, header(program, function))
    assert isinstance(found, LoopRelation), found
    return found


def closure(code: str, function: str = "f", limits: Limits = USUAL, sanitize: tuple[str, ...] = ()) -> Closure:
    """Of the first loop of a function."""
    program = c_program(code, sanitize=sanitize)
    found = loops_of(program, limits).closure(function, header(program, function))
    assert isinstance(found, Closure), found
    return found


def refusal(code: str, function: str = "f") -> str:
    """Why nothing can be said about the first loop of a function."""
    program = c_program(code)
    found = loops_of(program).relation(function, header(program, function))
    assert isinstance(found, Refusal), found
    return found.reason


def pieces(code: str, **how: object) -> list[str]:
    """The pieces of a function's first loop as text, in alphabetical order."""
    return sorted(describe_relation(relation(code, **how))[1:])  # type: ignore[arg-type]
