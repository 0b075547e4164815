"""Clauses move through the iterations of loops, unless they rest on how the loop was entered."""

from __future__ import annotations

from collections.abc import Iterable

from clew.explain.unrolled import Unrolled
from clew.techniques.conflicts.clause_shift import Shifter
from clew.techniques.conflicts.limits import USUAL, Limits
from unit.explain.graphs import CALLS, LOOP, NESTED, grow, main, node, nodes_of, unrolled

Clause = frozenset[str]

CALL_IN_LOOP = """
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
  br label %head
head:
  %x = call i1 @pick()
  br i1 %x, label %head, label %after
after:
  call void @goal()
  ret i32 0
}
"""
OUTSIDE = main("""
entry:
  %z = call i1 @any()
  br i1 %z, label %left, label %right
left:
  br label %head
right:
  br label %head
head:
  %a = call i1 @any()
  br i1 %a, label %body, label %after
body:
  br label %head
after:
  call void @goal()
  ret i32 0
""")


class Shifted:
    """A shifter, and the clauses it has added by name."""

    def __init__(self, text: str, times: int, limits: Limits = USUAL) -> None:
        self.graph = grow(unrolled(text), times)
        self.clauses: list[list[int]] = []
        self.shifter = Shifter(self.graph, self.clauses.append, limits)

    def learned(self, *names: str, entered: Iterable[str] = ()) -> None:
        scopes = {node(self.graph, name).scope for name in entered}
        clause = [self.literal(name) for name in names]
        self.shifter.is_known(clause)
        self.shifter.learned(clause, scopes)

    def literal(self, name: str) -> int:
        """Of a node or an edge with a variable of its own; ``!`` before it negates."""
        sign, name = (-1, name[1:]) if name.startswith("!") else (1, name)
        return sign * next(var for var, owner in self.graph.owner.items() if repr(owner) == name)

    def grow(self) -> None:
        for frontier in list(self.graph.frontiers):
            self.graph.expand(frontier)
            self.shifter.grown(frontier)

    @property
    def added(self) -> list[Clause]:
        return [
            frozenset(("!" if literal < 0 else "") + repr(self.graph.owner[abs(literal)]) for literal in clause)
            for clause in self.clauses
        ]


def test_a_clause_moves_as_far_as_the_graph_goes() -> None:
    shifted = Shifted(LOOP, 2)
    shifted.learned("!main:#0:head -> main:#0:body", "main:#0:body -> main:#0:one")
    assert shifted.added == [{f"!main:#{i}:head -> main:#{i}:body", f"main:#{i}:body -> main:#{i}:one"} for i in (1, 2)]
    assert shifted.shifter.copies == 2


def test_it_waits_for_iterations_to_come() -> None:
    shifted = Shifted(LOOP, 0)
    shifted.learned("!main:#0:head -> main:#0:body")
    assert shifted.added == []
    shifted.grow()
    shifted.grow()
    assert shifted.added == [{"!main:#1:head -> main:#1:body"}, {"!main:#2:head -> main:#2:body"}]


def test_it_moves_onwards_only() -> None:
    shifted = Shifted(LOOP, 2)
    shifted.learned("!main:#1:body -> main:#1:one")
    assert shifted.added == [{"!main:#2:body -> main:#2:one"}]


def test_what_spans_iterations_moves_as_a_whole() -> None:
    shifted = Shifted(LOOP, 3)
    shifted.learned("!main:#0:body -> main:#0:one", "!main:#2:body -> main:#2:one")
    assert shifted.added == [{"!main:#1:body -> main:#1:one", "!main:#3:body -> main:#3:one"}]


def test_what_is_known_is_not_added_again() -> None:
    shifted = Shifted(LOOP, 2)
    shifted.learned("!main:#1:body -> main:#1:one")
    shifted.learned("!main:#0:body -> main:#0:one")
    assert shifted.added == [{"!main:#2:body -> main:#2:one"}]
    assert shifted.shifter.is_known([shifted.literal("!main:#2:body -> main:#2:one")])


def test_what_rests_on_the_way_into_the_loop_stays() -> None:
    shifted = Shifted(LOOP, 2)
    shifted.learned("!main:#0:head -> main:#0:body", entered=["main:#0:head"])
    shifted.grow()
    assert shifted.added == []


def test_what_is_outside_stays_as_it_is() -> None:
    shifted = Shifted(OUTSIDE, 1)
    shifted.learned("!main:entry -> main:left", "!main:#0:head -> main:#0:body")
    assert shifted.added == [{"!main:entry -> main:left", "!main:#1:head -> main:#1:body"}]


def test_what_is_not_about_loops_stays() -> None:
    shifted = Shifted(CALLS, 0)
    shifted.learned("!main:entry(pick:entry -> main:entry(pick:yes")
    assert shifted.added == []


def test_inner_and_outer_loops() -> None:
    shifted = Shifted(NESTED, 1)
    shifted.learned("!main:#0:#0:inner -> main:#0:latch")
    assert set(shifted.added) == {
        frozenset({"!main:#0:#1:inner -> main:#0:latch"}), frozenset({"!main:#1:#0:inner -> main:#1:latch"}),
    }  # fmt: skip


def test_entering_the_inner_loop_binds_to_that_alone() -> None:
    shifted = Shifted(NESTED, 1)
    shifted.learned("!main:#0:#0:inner -> main:#0:latch", entered=["main:#0:#0:inner"])
    assert shifted.added == [{"!main:#1:#0:inner -> main:#1:latch"}]


def test_entering_the_outer_loop_binds_to_that_alone() -> None:
    shifted = Shifted(NESTED, 1)
    shifted.learned("!main:#0:#0:inner -> main:#0:latch", entered=["main:#0:outer"])
    assert shifted.added == [{"!main:#0:#1:inner -> main:#0:latch"}]


def test_calls_move_with_their_loops() -> None:
    shifted = Shifted(CALL_IN_LOOP, 2)
    inside = "main:#{0}:head(pick:"
    edge = f"!{inside}entry -> {inside}yes"
    shifted.learned(edge.format(0), "!main:#0:head.1 -> main:after")
    assert shifted.added[0] == {edge.format(1), "!main:#1:head.1 -> main:after"}


def test_variables_that_are_not_the_graphs_keep_a_clause_where_it_is() -> None:
    shifted = Shifted(LOOP, 2)
    private = shifted.graph.new_var()
    shifted.shifter.learned([-private, shifted.literal("!main:#0:head -> main:#0:body")], set())
    assert shifted.added == []


def test_long_clauses_are_left_alone() -> None:
    shifted = Shifted(LOOP, 2, Limits(shifted_literals=1))
    shifted.learned("!main:#0:head -> main:#0:body", "!main:#0:body -> main:#0:one")
    assert shifted.added == []
    shifted.learned("!main:#0:head -> main:#0:body")
    assert len(shifted.added) == 2


def test_copies_end_somewhere() -> None:
    shifted = Shifted(LOOP, 3, Limits(shifted_clauses=1))
    shifted.learned("!main:#0:head -> main:#0:body")
    before = len(shifted.added)
    shifted.learned("!main:#0:body -> main:#0:one")
    assert len(shifted.added) == before > 1


def test_names_are_unambiguous() -> None:
    """The tests above take nodes and edges by name."""
    for text in (LOOP, NESTED, CALL_IN_LOOP, OUTSIDE):
        graph: Unrolled = grow(unrolled(text), 2)
        assert len({repr(n) for n in nodes_of(graph)}) == graph.nodes
