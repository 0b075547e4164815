"""Clauses of one search in terms of the graph of another."""

from __future__ import annotations

import pickle

import pytest

from clew.explain.unrolled import Scope, Unrolled
from clew.techniques.conflicts.clause_exchange import LONGEST, Activation, Clause, ClauseExchange, Correspondence, Names
from clew.techniques.conflicts.clause_exchange import NodeName as At
from unit.explain.graphs import CALLS, LOOP, NESTED, grow, unrolled


class Search:
    """One end, and what it has learned from others."""

    def __init__(self, graph: Unrolled) -> None:
        self.graph = graph
        self.learned: list[tuple[list[int], set[Scope]]] = []
        self.exchange = ClauseExchange(0, 2)
        self.post = Correspondence(graph, self.exchange, lambda clause, entered: self.learned.append((clause, entered)))


def texts(graph: Unrolled, literals: list[int]) -> list[str]:
    """What variables stand for, in any graph of the same program."""
    return [f"{'' if literal > 0 else '-'}{graph.owner[abs(literal)]}" for literal in literals]


def send(sender: Search, receiver: Search) -> None:
    receiver.exchange.arrive(pickle.loads(pickle.dumps(sender.exchange.taken())))


@pytest.mark.parametrize("program", [LOOP, NESTED, CALLS])
def test_every_variable_has_a_name_that_is_known_in_another_graph(program: str) -> None:
    one, other = Search(grow(unrolled(program), 4)), Search(unrolled(program))
    other.graph.new_var()  # so that numbers differ from here on
    grow(other.graph, 4)
    for variable in one.graph.owner:
        one.post.learned([variable, -variable], set())
    send(one, other)
    other.post.read()
    assert [texts(other.graph, clause) for clause, _ in other.learned] == [
        texts(one.graph, [variable, -variable]) for variable in one.graph.owner
    ]
    if one.graph.frontiers:
        assert [clause for clause, _ in other.learned] != [[variable, -variable] for variable in one.graph.owner]


def test_a_clause_waits_for_what_is_not_in_the_graph_yet() -> None:
    one, other = Search(grow(unrolled(LOOP), 4)), Search(unrolled(LOOP))
    latest = max(one.graph.owner)
    scope = max((node.scope for node in one.graph.frontiers), key=lambda scope: scope.index)
    one.post.learned([latest], {scope})
    send(one, other)
    other.post.read()
    assert not other.learned
    grow(other.graph, 4)
    other.post.read()
    ((clause, entered),) = other.learned
    assert texts(other.graph, clause) == texts(one.graph, [latest])
    assert [str(scope) for scope in entered] == [str(scope)]
    other.post.read()
    assert len(other.learned) == 1


def test_what_is_long_or_not_of_the_graph_is_not_sent() -> None:
    search = Search(grow(unrolled(LOOP), 4))
    search.post.learned([search.graph.new_var()], set())
    search.post.learned([1] * (LONGEST + 1), set())
    assert search.exchange.taken() == ()


def test_what_is_no_clause_of_this_program_is_never_learned() -> None:
    """Nothing at all would rule out everything."""
    search = Search(grow(unrolled(LOOP), 2))
    first = Names(search.graph).clause([search.graph.first.var], ())
    assert first is not None
    ((name, made),) = first.literals
    assert isinstance(name, At)
    other = Activation(0, "other")
    for wrong in (
        Clause((), ()),
        Clause(((name._replace(block="nowhere"), made),), ()),
        Clause(((name._replace(scope=other), made),), ()),
        Clause(((name._replace(scope=Activation(7, "main")), made),), ()),
        Clause(first.literals, (other,)),
    ):
        search.exchange.arrive([wrong])
    search.post.read()
    assert not search.learned
