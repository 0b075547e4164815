"""The fCFG: which ways through the graph are still worth trying, as a propositional formula.

One variable per node and edge of the unrolled graph. A model is a path from the entry to a goal that no
learned clause rules out:

    1  the entry is on the path
    2  an end that is no goal is not
    3  an edge is on it only with both its ends
    4  a node only with an edge that leads to it
    5  a node only with an edge that leads on, and with one alone
    6  a goal only if its property is asked for

(Conflict-driven symbolic execution, rules 1 to 6 of section 3.2.1; we add "one alone".) What is not
in the graph yet is assumed away: frontiers, targets of calls through pointers that execution has not
found, and what was lost. A refutation tells which of these assumptions it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random

from pysat.solvers import Solver

from clew.analysis.graph import NONE
from clew.explain.memory import guarded
from clew.explain.unrolled import Edge, Status, Unrolled, UnrolledNode
from clew.techniques.conflicts.limits import USUAL, Limits

SOLVER = "minisat22"


class Formula:
    """Grows with the graph and with what is learned."""

    def __init__(self, graph: Unrolled, goals: int, look: Callable[[], None], limits: Limits = USUAL) -> None:
        self._graph = graph
        self._limits = limits
        self._solver = Solver(name=SOLVER)
        self._look = look
        self.goal_vars = [graph.new_var() for _ in range(goals)]
        """Per property: whether the path ends at one of its goals."""
        self._joined: set[UnrolledNode] = set()
        """Joins whose edges are all known, and in a clause."""
        self._model: list[int] = []
        self._guided: set[int] = set()
        self._random: Random | None = None
        self._varied = 0
        """The last variable that has a choice at random to begin with."""
        self._solver.add_clause([graph.first.var])
        self.grow()

    # Rules

    def grow(self) -> None:
        """Take in what the graph has got since the last time."""
        fresh, self._graph.fresh = self._graph.fresh, []
        joins: dict[UnrolledNode, None] = {}
        for node in fresh:
            self._leads_on(node)
            joins.update(dict.fromkeys(edge.target for edge in node.outs.values()))
        for node in joins:
            self._leads_here(node)
            if node.status is Status.FRONTIER:
                self.leads_to([node.var], self._graph.ahead(node))

    def leads_to(self, variables: list[int], goals: int) -> None:
        """What lies beyond the end of the graph can only lead to the goals of a mask."""
        reached = [variable for number, variable in enumerate(self.goal_vars) if goals >> number & 1]
        self._solver.add_clause([*(-variable for variable in variables), *reached])

    def _leads_on(self, node: UnrolledNode) -> None:
        add = self._solver.add_clause
        if node.status is Status.EXIT:
            add([-node.var])
        elif node.status is Status.GOAL:
            add([-node.var, self.goal_vars[node.goal]])
        edges = list(node.outs.values())
        for edge in edges:
            self.connect(edge)
        if node.open:
            add([-node.open, node.var])
            add([-node.var, node.open])
            self.leads_to([node.open], self._graph.ahead(node))
        elif len(edges) > 1:
            add([-node.var, *(edge.var for edge in edges)])
            self._one_alone([edge.var for edge in edges])

    def connect(self, edge: Edge) -> None:
        """Rule 3 for one edge."""
        if edge.var != edge.source.var:
            self._solver.add_clause([-edge.var, edge.source.var])
        self._solver.add_clause([-edge.var, edge.target.var])

    def _one_alone(self, variables: Sequence[int]) -> None:
        if len(variables) <= 6:
            for position, first in enumerate(variables):
                for second in variables[position + 1 :]:
                    self._solver.add_clause([-first, -second])
            return
        # Cut in two: at most one of each half, and not one of both.
        half = len(variables) // 2
        left, right = variables[:half], variables[half:]
        side = self._graph.new_var()
        for variable in left:
            self._solver.add_clause([-variable, side])
        for variable in right:
            self._solver.add_clause([-variable, -side])
        self._one_alone(left)
        self._one_alone(right)

    def _leads_here(self, node: UnrolledNode) -> None:
        """Rule 4, as far as all edges to a node are known."""
        if len(node.ins) == 1 and not guarded(node.ins[0]):
            if node.ins[0].var != node.var:
                self._solver.add_clause([-node.var, node.ins[0].var])
        elif self._complete(node) and node not in self._joined:
            self._joined.add(node)
            self._solver.add_clause([-node.var, *(edge.var for edge in node.ins)])

    @staticmethod
    def _complete(node: UnrolledNode) -> bool:
        """Whether no further edge can come to lead here."""
        shape, scope = node.scope.shape, node.scope
        loop = shape.loop_of[node.block]
        if node.piece or (loop != NONE and shape.header[loop] == node.block):
            return False
        sources = shape.sources[node.block]
        return scope.loop == loop and len(sources) == len(node.ins) and all(shape.loop_of[s] == loop for s in sources)

    def target_found(self, node: UnrolledNode, edge: Edge) -> None:
        """A call through a pointer turned out to lead along ``edge`` as well: one target less is unknown."""
        before, node.open = node.open, self._graph.new_var()
        for clause in (
            [-before, edge.var, node.open], [-edge.var, -node.open], [-edge.var, before], [-node.open, before],
        ):  # fmt: skip
            self._solver.add_clause(clause)
        self.connect(edge)
        self.grow()

    # Learning and deciding

    def add(self, clause: list[int]) -> None:
        """Something that was learned."""
        self._solver.add_clause(clause)

    def settle(self, goal: int) -> None:
        """No further path to this property's goals is wanted."""
        self._solver.add_clause([-self.goal_vars[goal]])

    def solve(self, assumptions: list[int]) -> bool:
        """Whether there is a path; ``chosen`` and ``needed`` tell more."""
        self._vary()
        while True:
            self._solver.conf_budget(self._limits.sat_conflicts)
            answer = self._solver.solve_limited(assumptions=assumptions)
            if answer is not None:
                break
            self._look()
        if answer:
            self._model = self._solver.get_model()
        return bool(answer)

    def vary(self, random: Random) -> None:
        """Prefer choices at random, where nothing else is preferred: other paths than those of other searches."""
        self._random = random

    def _vary(self) -> None:
        last = self._graph.last_var
        if self._random is not None and self._varied < last:
            fresh = range(self._varied + 1, last + 1)
            self._solver.set_phases([variable if self._random.random() < 0.5 else -variable for variable in fresh])
            self._varied = last

    def chosen(self, variable: int) -> bool:
        """Whether a variable is true in the path found last."""
        return variable <= len(self._model) and self._model[variable - 1] > 0

    def needed(self) -> set[int]:
        """The assumptions that the last refutation rests on."""
        return set(self._solver.get_core() or ())

    def guide(self, literals: Iterable[int]) -> None:
        """Prefer these choices, and no others, from now on."""
        wanted = {literal for literal in literals if literal > 0}
        phases = [*wanted, *(-variable for variable in self._guided - wanted)]
        if phases:
            self._solver.set_phases(phases)
        self._guided = wanted

    def close(self) -> None:
        self._solver.delete()
