"""Unrolled graphs of small programs in LLVM text: a call of ``goal`` is a goal."""

from __future__ import annotations

from collections.abc import Iterator

from clew.analysis.callees import CalleeKind, Callees
from clew.explain.unrolled import EAGER_NODES, INDIRECT, CodePoint, Unrolled, UnrolledNode
from clew.models.registry import all_models
from clew.program import instructions as ir
from clew.program.module import Program
from unit.execute.support import llvm

Path = tuple[str, ...]


def goals_of(program: Program) -> dict[CodePoint, int]:
    """Calls of ``goal``, numbered as they stand in the text."""
    callees = Callees(program, all_models())
    places = [
        (function.name, block.name, index)
        for function in program.functions.values()
        for block in function.blocks
        for index, instruction in enumerate(block.instructions)
        if isinstance(instruction, ir.Call) and callees.resolve(instruction).name == "goal"
    ]
    return {place: number for number, place in enumerate(places)}


def unrolled(text: str, *roots: str, indirect: tuple[str, ...] = (), eager_nodes: int = EAGER_NODES) -> Unrolled:
    """The graph of a program; ``indirect`` are the functions that pointers may lead to."""
    program = llvm("declare void @goal()\ndeclare i1 @any()\n" + text)
    callees = Callees(program, all_models())

    def enters(instruction: ir.Instruction) -> str | None:
        if not isinstance(instruction, ir.Call):
            return None
        callee = callees.resolve(instruction)
        if callee.kind is CalleeKind.FUNCTION:
            return callee.name
        return INDIRECT if callee.kind is CalleeKind.INDIRECT else None

    return Unrolled(program.functions, roots or ("main",), enters, goals_of(program), frozenset(indirect), eager_nodes)


def main(body: str) -> str:
    """A function ``main`` of the given body."""
    return "define i32 @main() {\n" + body + "\n}\n"


def nodes_of(graph: Unrolled) -> list[UnrolledNode]:
    """All nodes that edges lead to from the first."""
    found = {graph.first: None}
    work = [graph.first]
    while work:
        for edge in work.pop().outs.values():
            if edge.target not in found:
                found[edge.target] = None
                work.append(edge.target)
    return list(found)


def names(nodes: Iterator[UnrolledNode] | list[UnrolledNode] | dict[UnrolledNode, None]) -> set[str]:
    return {repr(node) for node in nodes}


def edges_of(graph: Unrolled) -> set[str]:
    return {repr(edge) for node in nodes_of(graph) for edge in node.outs.values()}


def node(graph: Unrolled, name: str) -> UnrolledNode:
    (found,) = [node for node in nodes_of(graph) if repr(node) == name]
    return found


def grow(graph: Unrolled, times: int) -> Unrolled:
    """Expand all frontiers, ``times`` times over."""
    for _ in range(times):
        for frontier in list(graph.frontiers):
            graph.expand(frontier)
    return graph


DIAMONDS = main("""
entry:
  %a = call i1 @any()
  br i1 %a, label %left, label %right
left:
  br label %middle
right:
  br label %middle
middle:
  %b = call i1 @any()
  br i1 %b, label %bad, label %well
bad:
  call void @goal()
  br label %well
well:
  ret i32 0
""")

LOOP = main("""
entry:
  br label %head
head:
  %a = call i1 @any()
  br i1 %a, label %body, label %after
body:
  %b = call i1 @any()
  br i1 %b, label %one, label %other
one:
  br label %latch
other:
  br label %latch
latch:
  br label %head
after:
  call void @goal()
  ret i32 0
""")

NESTED = main("""
entry:
  br label %outer
outer:
  %a = call i1 @any()
  br i1 %a, label %inner, label %after
inner:
  %b = call i1 @any()
  br i1 %b, label %inner, label %latch
latch:
  br label %outer
after:
  call void @goal()
  ret i32 0
""")

CALLS = """
define i1 @pick() {
entry:
  %a = call i1 @any()
  br i1 %a, label %yes, label %no
yes:
  ret i1 true
no:
  ret i1 false
}
define i32 @main() {
entry:
  %x = call i1 @pick()
  %y = call i1 @pick()
  br i1 %y, label %bad, label %well
bad:
  call void @goal()
  unreachable
well:
  ret i32 0
}
"""

RECURSION = """
define void @down() {
entry:
  %a = call i1 @any()
  br i1 %a, label %more, label %end
more:
  call void @down()
  br label %end
end:
  ret void
}
define i32 @main() {
entry:
  call void @down()
  call void @goal()
  ret i32 0
}
"""

INDIRECT_CALL = """
@table = external global ptr
define void @f() {
entry:
  ret void
}
define void @g() {
entry:
  ret void
}
define i32 @main() {
entry:
  %p = load ptr, ptr @table
  call void %p()
  call void @goal()
  ret i32 0
}
"""


def leading(graph: Unrolled, name: str) -> set[str]:
    """Where a node leads."""
    return {repr(edge.target) for edge in node(graph, name).outs.values()}
