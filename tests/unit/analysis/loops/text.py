"""Relations and closures in words that people can read: ``i < n: i' = i + 2, x' = x - 3``.

A primed name is the value after the iterations. Letters ``k, k1, ...`` are integers that exist. What wraps around does
so by itself: ``x' = x + 2`` is meant modulo the width of ``x`` where nothing keeps it in range.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from clew.analysis.absint.linear import Constraint, Linear, Variable
from clew.analysis.loops.closure import After, Before, Closure, Congruence, Disjunct, Fixed, Place, Refusal, Unknown
from clew.analysis.loops.relation import LoopRelation, Piece
from clew.program.values import Register

Naming = Callable[[Place], str]
"""How a place is called in the source."""


def plain_name(place: Place) -> str:
    """The name of a place as the compiler has it, without the numbers that it adds."""
    if isinstance(place, Register):
        return place.name.partition(".")[0]
    thing = (
        place.object if isinstance(place.object, str) else place.object[1] if isinstance(place.object, tuple) else "?"
    )
    return thing.removesuffix(".addr") + (f"+{place.offset}" if place.offset else "")


def describe_relation(relation: LoopRelation | Refusal, naming: Naming = plain_name) -> list[str]:
    """A line for each piece of a relation, below one that says what it is."""
    if isinstance(relation, Refusal):
        return [f"no relation: {relation.reason}"]
    kind = "exact" if relation.exact else f"not exact: {relation.reason}"
    lines = [f"{len(relation.pieces)} {'piece' if len(relation.pieces) == 1 else 'pieces'}, {kind}"]
    lines += [_piece_text(piece, naming) for piece in relation.pieces]
    return lines + _unsaid(relation.havocked, naming)


def describe_closure(closure: Closure | Refusal, naming: Naming = plain_name) -> list[str]:
    """A line for each disjunct of a closure, below one that says what it is."""
    if isinstance(closure, Refusal):
        return [f"no closure: {closure.reason}"]
    kind = "exact" if closure.exact else f"not exact: {closure.reason}"
    if not closure.disjuncts:
        return [f"no complete iteration, {kind}"]
    if closure.exact_with_congruences:
        kind = "exact"
    congruences = closure.congruences or ((),) * len(closure.disjuncts)
    lines = [
        ", ".join([_disjunct_text(disjunct, naming), *(congruence_text(each, naming) for each in more)])
        for disjunct, more in zip(closure.disjuncts, congruences, strict=True)
    ]
    return [kind, *lines, *_unsaid(closure.havocked, naming)]


def _unsaid(havocked: Iterable[object], naming: Naming) -> list[str]:
    names = sorted({naming(v.place) for v in havocked})  # type: ignore[attr-defined]
    return [f"anything may happen to {', '.join(names)}"] if names else []


def _piece_text(piece: Piece, naming: Naming) -> str:
    guards = [constraint_text(each, naming) for each in piece.guards if not _is_bound(each)]
    updates = [
        f"{naming(v.place)}' = {linear_text(linear, naming)}"
        for v, linear in piece.updates
        if linear != Linear.of(Before(v))
    ]
    return f"{', '.join(guards) or 'always'}: {', '.join(updates) or 'nothing changes'}"


def _disjunct_text(disjunct: Disjunct, naming: Naming) -> str:
    shown = [each for each in disjunct if not _is_bound(each)]
    shown.sort(key=lambda each: not each.equality)
    return ", ".join(constraint_text(each, naming) for each in shown) or "anything"


def _is_bound(constraint: Constraint) -> bool:
    """Whether it just says that an unknown is not larger than numbers are."""
    return len(constraint.linear.terms) == 1 and all(isinstance(v, Unknown) for v in constraint.variables)


def constraint_text(constraint: Constraint, naming: Naming = plain_name) -> str:
    """``n - i - 1 >= 0`` as ``i < n``; an equation by one of the values after, if it has one."""
    linear = constraint.linear
    if constraint.equality:
        for variable, factor in linear.terms.items():
            if isinstance(variable, After) and abs(factor) == 1:
                rest = (Linear.of(variable) - linear * factor) if factor == 1 else Linear.of(variable) + linear
                return f"{variable_text(variable, naming)} = {linear_text(rest, naming)}"
    left = Linear({v: -c for v, c in linear.terms.items() if c < 0})
    right = Linear({v: c for v, c in linear.terms.items() if c > 0})
    sign = "=" if constraint.equality else "<="
    if linear.constant == -1 and sign == "<=":
        sign = "<"
    elif linear.constant < 0:
        left = left + -linear.constant
    else:
        right = right + linear.constant
    if not left.terms and right.terms:  # numbers stand on the right
        turned = {"=": "=", "<=": ">=", "<": ">"}[sign]
        return f"{linear_text(right, naming)} {turned} {linear_text(left, naming)}"
    return f"{linear_text(left, naming)} {sign} {linear_text(right, naming)}"


def congruence_text(congruence: Congruence, naming: Naming = plain_name) -> str:
    """``2*s' = 2*s + k*k - k (mod 2**33)``."""
    after: list[tuple[int, str]] = []
    rest: list[tuple[int, str]] = []
    for factor, variables in congruence.terms:
        product = "*".join(variable_text(v, naming) for v in variables)
        primed = len(variables) == 1 and isinstance(variables[0], After)
        (after if primed else rest).append((-factor if primed else factor, product))
    return f"{_sum_text(after)} = {_sum_text(rest)} (mod 2**{congruence.bits})"


def _sum_text(parts: list[tuple[int, str]]) -> str:
    words = []
    for factor, product in parts:
        size = str(abs(factor)) if not product else product if abs(factor) == 1 else f"{abs(factor)}*{product}"
        words.append(f"{'-' if factor < 0 else '+'} {size}")
    text = " ".join(words) or "+ 0"
    return text[2:] if text.startswith("+") else text.replace("- ", "-", 1)


def linear_text(linear: Linear, naming: Naming = plain_name) -> str:
    """``x + 2*k - 1``."""
    parts = [(factor, variable_text(variable, naming)) for variable, factor in linear.terms.items()]
    if linear.constant:
        parts.append((linear.constant, ""))
    return _sum_text(parts)


def variable_text(variable: Variable, naming: Naming = plain_name) -> str:
    """The name of a variable of constraints."""
    match variable:
        case Before(of=of):
            return naming(of.place)
        case After(of=of):
            return f"{naming(of.place)}'"
        case Fixed(place=place):
            return naming(place)
        case Unknown(number=number):
            return f"k{number or ''}"
    raise TypeError(variable)
