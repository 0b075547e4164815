"""What holds in one iteration of a loop holds in all later ones.

The unrolled graph looks the same from every iteration. So a clause whose reason does not rest on how the
loop was entered may be moved: all its nodes and edges in the loop as many iterations further, those
outside as they are. One conflict thus teaches about the whole loop, also about iterations that are
not in the graph yet: the clause waits for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from clew.analysis.graph import NONE
from clew.explain.unrolled import Edge, Scope, Unrolled, UnrolledNode
from clew.techniques.conflicts.limits import USUAL, Limits

Loop = tuple[Scope, int]
"""A loop: the scope around all its iterations, its number in the function."""


class _Template(NamedTuple):
    clause: tuple[int, ...]
    last: int
    """The latest iteration it speaks of."""


class Shifter:
    """Moves clauses through the iterations of loops."""

    def __init__(self, graph: Unrolled, add: Callable[[list[int]], None], limits: Limits = USUAL) -> None:
        self._graph = graph
        self._limits = limits
        self._add = add
        self._waiting: dict[Loop, list[_Template]] = {}
        self._seen: set[frozenset[int]] = set()
        self.copies = 0

    def is_known(self, clause: Iterable[int]) -> bool:
        """Whether a clause was learned before, here or by a move. Notes it."""
        key = frozenset(clause)
        if key in self._seen:
            return True
        self._seen.add(key)
        return False

    def learned(self, clause: list[int], entered: set[Scope]) -> None:
        """Move a clause as far as the graph goes, and keep it for when it has grown."""
        if len(clause) > self._limits.shifted_literals or self.copies > self._limits.shifted_clauses:
            return
        fixed = {(scope.parent, scope.loop) for scope in entered}
        for loop, last in self._loops_of(clause).items():
            if loop not in fixed:
                template = _Template(tuple(clause), last)
                self._waiting.setdefault(loop, []).append(template)
                parent, number = loop
                index = last + 1
                while (number, index) in parent.inner and self._place(template, loop, index):
                    index += 1

    def grown(self, frontier: UnrolledNode) -> None:
        """An iteration has come into the graph."""
        scope = frontier.scope
        if scope.loop == NONE or scope.parent is None:
            return
        loop = (scope.parent, scope.loop)
        for template in self._waiting.get(loop, ()):
            self._place(template, loop, scope.index)

    def _loops_of(self, clause: list[int]) -> dict[Loop, int]:
        """The loops a clause speaks of, with the latest iteration; none if it is not about the graph alone."""
        found: dict[Loop, int] = {}
        for literal in clause:
            owner = self._graph.owner.get(abs(literal))
            if owner is None:
                return {}
            scope: Scope | None = owner.scope if isinstance(owner, UnrolledNode) else owner.source.scope
            while scope is not None:
                if scope.loop != NONE:
                    assert scope.parent is not None
                    loop = (scope.parent, scope.loop)
                    found[loop] = max(found.get(loop, 0), scope.index)
                    scope = scope.parent
                else:
                    scope = scope.caller.scope if scope.caller is not None else None
        return found

    def _place(self, template: _Template, loop: Loop, index: int) -> bool:
        """A copy of a clause whose latest iteration is ``index``; False if the graph does not reach that far."""
        distance = index - template.last
        if distance <= 0:
            return True
        move = _Move(loop, distance)
        copy = []
        for literal in template.clause:
            variable = move.variable(self._graph.owner[abs(literal)])
            if variable == 0:
                return False
            copy.append(variable if literal > 0 else -variable)
        if not self.is_known(copy):
            self.copies += 1
            self._add(copy)
        return True


class _Move:
    """Where things are some iterations of one loop later."""

    def __init__(self, loop: Loop, distance: int) -> None:
        self._parent, self._loop = loop
        self._distance = distance
        self._scopes: dict[Scope, Scope | None] = {}

    def variable(self, owner: UnrolledNode | Edge) -> int:
        """0 if the graph does not have it."""
        if isinstance(owner, UnrolledNode):
            node = self._node(owner)
            return 0 if node is None else node.var
        source = self._node(owner.source)
        edge = None if source is None else source.outs.get(owner.key)
        return 0 if edge is None else edge.var

    def _node(self, node: UnrolledNode) -> UnrolledNode | None:
        scope = self._scope(node.scope)
        return None if scope is None else scope.nodes.get((node.block, node.piece))

    def _scope(self, scope: Scope) -> Scope | None:
        if scope not in self._scopes:
            self._scopes[scope] = self._moved(scope)
        return self._scopes[scope]

    def _moved(self, scope: Scope) -> Scope | None:
        if scope.loop != NONE:
            assert scope.parent is not None
            if scope.parent is self._parent and scope.loop == self._loop:
                return self._parent.inner.get((self._loop, scope.index + self._distance))
            around = self._scope(scope.parent)
            return None if around is None else around.inner.get((scope.loop, scope.index))
        if scope.caller is None:
            return scope
        caller = self._node(scope.caller)
        if caller is None:
            return None
        edge = caller.outs.get(scope.shape.name)
        return None if edge is None else edge.target.scope
