"""Loop header marks: calls that tell the engine, and who listens to a run, that control is at the header of a loop.

With a bound on iterations, every header also counts its visits, and the path is cut beyond the bound:

    before:                              before:
      br label %header                     call void @clew.loop.enter(<loop>)
                                           br label %header
    header:                              header:
      %i = phi ...                         %i = phi ...
      ...                                  call void @clew.loop.header(<loop>, i1 false, %i)

    or, counted,                           %clew.count = phi i32 [ 0, ... ], [ %clew.next, latch ]
                                           %clew.next = add i32 %clew.count, 1
                                           call void @clew.loop.header(<loop>, i32 %clew.count, %i)

For those who find loops by themselves, every block is marked as if it were a header. Generated code makes the call
only while the loop's ``Watch`` is on.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from clew.analysis.graph import ControlFlow, Loop, control_flow, loop_forest, may_loop
from clew.analysis.model_effect import READS
from clew.execute.ends import Lost
from clew.execute.events import Visit
from clew.execute.extensions import Extension
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.program import instructions as ir
from clew.program.editing import call_to
from clew.program.module import Block, Function, Program
from clew.program.types import I1, I32
from clew.program.values import ConstInt, GlobalRef, MetadataArg, Register, Value

HEADER = "clew.loop.header"
ENTER = "clew.loop.enter"


def loop_name(function: Function, header: Block) -> str:
    """A name for a loop that stays the same from run to run and says where it is."""
    place = next((i.location for i in header.instructions if i.location and i.location.line), function.location)
    if place is not None:
        return f"{function.source_name} loop at {place}"
    number = 1 + [block.name for block in function.blocks].index(header.name)
    return f"{function.source_name} loop at block {number}"


def name_of_loop(program: Program, function: str, header: str) -> str:
    """The same, by the names of function and header."""
    body = program.functions[function]
    return loop_name(body, next(block for block in body.blocks if block.name == header))


def mark_loops(program: Program, counted: bool = True) -> Program:
    """The program with a mark at the header of every natural loop, which may count its visits.

    One mark serves all who listen: a header that has one gets no second one, unless it is to count.
    """
    functions = {
        name: _with_marks(function, counted) if may_loop(function) else function
        for name, function in program.functions.items()
    }
    return dataclasses.replace(program, functions=functions)


def marked_loops(program: Program) -> Iterator[str]:
    """The names that headers of loops are marked with."""
    for function in filter(may_loop, program.functions.values()):
        for block in function.blocks:
            name = mark_of(block)
            if name is not None:
                yield name


def mark_of(header: Block) -> str | None:
    """The name that a header is marked with; None if it is not."""
    for instruction in header.instructions:
        if isinstance(instruction, ir.Call) and instruction.callee == GlobalRef(HEADER):
            name = instruction.arguments[0].value
            return name.text if isinstance(name, MetadataArg) else None
    return None


def mark_blocks(program: Program) -> Program:
    """The program with a mark in every block: for those who want to find its loops while it runs."""
    functions = {
        name: function
        if function.is_declaration
        else dataclasses.replace(function, blocks=tuple(_marked_block(function, block) for block in function.blocks))
        for name, function in program.functions.items()
    }
    return dataclasses.replace(program, functions=functions)


def _marked_block(function: Function, block: Block) -> Block:
    return _marked(block, ConstInt(I1, 0), (), f"{function.name}:{block.name}")


def is_own(register: str) -> bool:
    """Whether a register was added here."""
    return register.startswith(("clew.count.", "clew.next."))


def _with_marks(function: Function, counted: bool) -> Function:
    graph = control_flow(function)
    blocks = {block.name: block for block in function.blocks}
    for loop in loop_forest(graph).loops:
        if loop.irreducible:
            continue
        header = blocks[graph.names[loop.header]]
        name = loop_name(function, header)
        if not counted and mark_of(header) is not None:
            continue
        if counted:
            blocks[header.name] = _count_header(header, loop, graph, name)
        else:
            blocks[header.name] = _marked(header, ConstInt(I1, 0), (), name)
            for source in set(graph.predecessors[loop.header]) - loop.blocks:
                before = blocks[graph.names[source]]
                last = len(before.instructions) - 1
                blocks[before.name] = before.inserted({last: (call_to(ENTER, MetadataArg(name)),)})
    return dataclasses.replace(function, blocks=tuple(blocks[block.name] for block in function.blocks))


def _count_header(header: Block, loop: Loop, graph: ControlFlow, name: str) -> Block:
    count = Register(f"clew.count.{header.name}", I32)
    following = Register(f"clew.next.{header.name}", I32)
    incoming: list[tuple[Value, str]] = [
        (following if source in loop.blocks else ConstInt(I32, 0), graph.names[source])
        for source in graph.predecessors[loop.header]
    ]
    counting = ir.Binary(following, None, "add", count, ConstInt(I32, 1))
    counted = _marked(header, count, (counting,), name)
    return counted.inserted({0: (ir.Phi(count, None, tuple(incoming)),)})


def _marked(header: Block, count: Value, added: tuple[ir.Instruction, ...], name: str) -> Block:
    """The header with a mark that passes a count and the values of its phis."""
    phis = tuple(phi.result for phi in header.phis if phi.result is not None)
    place = next((i.location for i in header.instructions if i.location), None)
    return _insert(header, (*added, call_to(HEADER, MetadataArg(name), count, *phis, location=place)))


def _insert(block: Block, added: tuple[ir.Instruction, ...]) -> Block:
    """The block with instructions added after its phis."""
    return block.inserted({len(block.phis): added})


@dataclasses.dataclass(frozen=True, slots=True)
class LoopEntry(Extension):
    """The loop that control may be about to enter, with the depth of the frame."""

    loop: str
    depth: int


@model(HEADER, overrides=True, watched=True, effect=READS)
def header(call: Invocation, _: Any, count: int, *values: Any) -> None:
    """Control is at a loop header. ``count``: how often it was before, in this activation, if that is counted."""
    state = call.state
    run = state.run
    if isinstance(count, bool):
        entry = state.extension(LoopEntry)
        first = entry is not None and (entry.loop, entry.depth) == (_loop(call), call.frame.depth)
        state.forget(LoopEntry)
    else:
        first = count == 0
    bound = run.loop_bounds.get(_loop(call), run.options.loop_bound)
    if bound is not None and count > bound:
        raise Lost("bounded", f"{_loop(call)} runs more than {bound} times")
    for listener in run.events.loop_header:
        listener(Visit(state, call.frame, call.point, call.live, _loop(call), first, values))


@model(ENTER, overrides=True, watched=True, effect=READS)
def enter(call: Invocation, _: Any) -> None:
    """Control is outside of a loop, and may be about to enter it."""
    call.state.extend(LoopEntry(_loop(call), call.frame.depth))


def _loop(call: Invocation) -> str:
    first = call.argument(0)
    assert isinstance(first, MetadataArg)
    return first.text
