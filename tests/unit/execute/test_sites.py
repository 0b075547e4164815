"""Decisions of a path: known by their places, whatever numbers these have in a process."""

from __future__ import annotations

from clew.execute.codegen.compiled import CompiledFunction
from clew.execute.context import RunOptions
from clew.execute.sites import Decision
from clew.jobs.prepare import make_machine
from clew.program import instructions as ir
from unit.execute.support import c_program

CODE = """int main(void) {
  int n = klee_int("n");
  if (n > 3) n++;
  if (n > 5) n++;
  return n;
}
"""


def function(backwards: bool) -> tuple[CompiledFunction, list[int]]:
    """``main``, and the numbers of its edges, if they are asked for in an order."""
    found = make_machine(c_program(CODE), RunOptions()).compiler.function("main")
    edges = [(block.name, to) for block in found.function.blocks for to in ir.successors(block.terminator)]
    for edge in reversed(edges) if backwards else edges:
        found.plan.edge(*edge)
    return found, [found.plan.edge(*edge) for edge in edges]


def digest(function: CompiledFunction, choices: list[int]) -> int:
    made: Decision | None = None
    for choice in choices:
        made = Decision(made, function, choice)
    assert made is not None
    return made.digest


def test_a_sequence_has_the_same_digest_whatever_numbers_its_points_have() -> None:
    (one, forwards), (other, backwards) = function(False), function(True)
    assert forwards != backwards and len(set(forwards)) == len(forwards)
    assert digest(one, forwards) == digest(other, backwards)
    assert len({digest(one, [choice]) for choice in forwards}) == len(forwards)
    assert digest(one, forwards) != digest(one, forwards[::-1])
