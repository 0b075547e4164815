"""Constructors of booleans: not, and, or, implies, iff.

Everything is written with LNOT, LAND and EQ: ``a or b`` is ``not (not a and not b)``. So there is
one form per formula where two would do, negating twice gives the same node back, and the negation of
a disjunction falls apart into conjuncts that a path condition can split.

Comparisons absorb a negation: ``not (a < b)`` is ``b <= a``.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Final

from clew.expr.node import Bool, Expr, intern, peek
from clew.expr.op import EQ, LAND, LNOT, SLE, SLT, ULE, ULT
from clew.expr.sort import BOOL

MAX_CONJUNCTS: Final = 16
"""Binary ``land`` flattens up to here, so that a long chain does not cost quadratic time."""

_FLIPPED: Final = {ULT: ULE, ULE: ULT, SLT: SLE, SLE: SLT}
_order: Final = attrgetter("key")


def lnot(a: Bool) -> Bool:
    """Not ``a``."""
    return negated(a) if type(a) is Expr else not a


def negated(a: Expr) -> Expr:
    """Not ``a``, for a node; an involution."""
    op = a.op
    if op is LNOT:
        return a.args[0]
    flipped = _FLIPPED.get(op)
    if flipped is not None:
        return intern(flipped, BOOL, (a.args[1], a.args[0]))
    return intern(LNOT, BOOL, (a,))


def land(a: Bool, b: Bool) -> Bool:
    """``a`` and ``b``."""
    if type(a) is not Expr:
        return b if a else False
    if type(b) is not Expr:
        return a if b else False
    if a is b:
        return a
    if a.op is LAND and b.op is LAND:
        if len(a.args) + len(b.args) <= MAX_CONJUNCTS:
            return _conjoined([*a.args, *b.args])
    elif a.op is LAND:
        if len(a.args) < MAX_CONJUNCTS:
            return _conjoined([*a.args, b])
    elif b.op is LAND and len(b.args) < MAX_CONJUNCTS:
        return _conjoined([a, *b.args])
    return _conjoined([a, b])


def lor(a: Bool, b: Bool) -> Bool:
    """``a`` or ``b``."""
    if type(a) is not Expr:
        return True if a else b
    if type(b) is not Expr:
        return True if b else a
    return lnot(land(negated(a), negated(b)))


def lxor(a: Bool, b: Bool) -> Bool:
    """Exactly one of ``a`` and ``b``."""
    return lnot(iff(a, b))


def implies(a: Bool, b: Bool) -> Bool:
    """``b`` wherever ``a``."""
    return lor(lnot(a), b)


def iff(a: Bool, b: Bool) -> Bool:
    """``a`` exactly where ``b``. Negations move outside."""
    if type(a) is not Expr:
        return b if a else lnot(b)
    if type(b) is not Expr:
        return a if b else negated(a)
    a, negative_a = _positive(a)
    b, negative_b = _positive(b)
    negative = negative_a != negative_b
    if a is b:
        return not negative
    pair = (a, b) if a.key <= b.key else (b, a)
    node = intern(EQ, BOOL, pair)
    return intern(LNOT, BOOL, (node,)) if negative else node


def _positive(a: Expr) -> tuple[Expr, bool]:
    """The one of ``a`` and its negation that is not LNOT, <= ; and whether that is the negation."""
    if a.op is LNOT or a.op is ULE or a.op is SLE:
        return negated(a), True
    return a, False


def conjunction(items: Iterable[Bool]) -> Bool:
    """All of ``items``, as one node."""
    nodes: list[Expr] = []
    for item in items:
        if type(item) is not Expr:
            if not item:
                return False
        elif item.op is LAND:
            nodes.extend(item.args)
        else:
            nodes.append(item)
    if not nodes:
        return True
    return _conjoined(nodes)


def disjunction(items: Iterable[Bool]) -> Bool:
    """One of ``items`` at least."""
    return lnot(conjunction([lnot(item) for item in items]))


def _conjoined(nodes: list[Expr]) -> Bool:
    """The conjunction of nodes; nested LANDs in the list count as single conjuncts."""
    members = dict.fromkeys(nodes)
    if any(_denied(node, members) for node in members):
        return False
    while len(members) <= MAX_CONJUNCTS:
        step = _shortened(members)
        if step is None:
            break
        clause, shorter = step
        del members[clause]
        if type(shorter) is Expr:
            new = shorter.args if shorter.op is LAND else (shorter,)
            members.update(dict.fromkeys(new))
            if any(_denied(node, members) for node in new):
                return False
        elif not shorter:
            return False
    kept = sorted(members, key=_order)
    return kept[0] if len(kept) == 1 else intern(LAND, BOOL, tuple(kept))


def _shortened(members: dict[Expr, None]) -> tuple[Expr, Bool] | None:
    """A clause that the other members shorten, and what is left of it."""
    for node in members:
        if node.op is LNOT and node.args[0].op is LAND:
            shorter = _reduced_clause(node, members)
            if shorter is not node:
                return node, shorter
    return None


def _denied(node: Expr, members: dict[Expr, None]) -> bool:
    """Is the negation of ``node`` among ``members``? Makes no node to find out."""
    op = node.op
    if op is LNOT:
        return node.args[0] in members
    flipped = _FLIPPED.get(op)
    other = peek(LNOT, (node,)) if flipped is None else peek(flipped, (node.args[1], node.args[0]))
    return other is not None and other in members


def _reduced_clause(node: Expr, members: dict[Expr, None]) -> Bool:
    """What ``not (l1 and l2 ..)`` still demands under ``members``.

    ``not l1`` among the members satisfies it; ``l1`` among them leaves ``not (l2 and ..)``.
    """
    literals = node.args[0].args
    left: list[Expr] = []
    for literal in literals:
        if literal in members:
            continue
        if _denied(literal, members):
            return True
        left.append(literal)
    if len(left) == len(literals):
        return node
    if len(left) < 2:
        return negated(left[0]) if left else False
    return negated(intern(LAND, BOOL, tuple(left)))
