"""Conjunctions of linear constraints, as plain lists: made tidy, taken apart, freed of variables.

Nothing here knows about ranges. Everything is exact or gives more valuations, and works for integers: constraints are
tightened as ``Constraint`` does it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from clew.analysis.absint.linear import Constraint, Linear, Variable

Rows = list[Constraint]


def tidy(rows: Iterable[Constraint]) -> Rows | None:
    """The same without what is plainly redundant, equalities first; None if it is plainly unsatisfiable.

    Equalities are solved; variables that have one value are replaced by it everywhere else; of parallel constraints
    only the strictest stays.
    """
    known: dict[Variable, int] = {}
    left = list(rows)
    while True:
        pending = solved(left)
        found = None if pending is None else merged(pending)
        if found is None:
            return None
        equalities, inequalities = found
        fresh: dict[Variable, int] = {}
        rest: Rows = []
        for row in equalities:
            if len(row.linear.terms) > 1:
                rest.append(row)
                continue
            ((variable, factor),) = row.linear.terms.items()
            fresh[variable] = -row.linear.constant // factor
        if not fresh and len(equalities) == sum(row.equality for row in pending or ()):
            return [Constraint(Linear({v: 1}, -value), True) for v, value in known.items()] + rest + inequalities
        known.update(fresh)
        left = [row.about(row.linear.with_values(fresh)) for row in rest + inequalities]


def merged(rows: Iterable[Constraint]) -> tuple[Rows, Rows] | None:
    """Equalities and inequalities, of parallel ones the strictest; None if two of them contradict each other."""
    equalities: dict[Constraint, None] = {}
    strictest: dict[frozenset[tuple[Variable, int]], Constraint] = {}
    for row in rows:
        if row.is_true:
            continue
        if row.is_false:
            return None
        if row.equality:
            if Constraint(-row.linear, True) not in equalities:
                equalities[row] = None
            continue
        key = frozenset(row.linear.terms.items())
        other = strictest.get(key)
        if other is None or row.linear.constant < other.linear.constant:
            strictest[key] = row
    inequalities: Rows = []
    for key, row in strictest.items():
        opposite = strictest.get(frozenset((v, -c) for v, c in key))
        slack = 1 if opposite is None else row.linear.constant + opposite.linear.constant
        if slack < 0:
            return None
        if slack > 0:
            inequalities.append(row)
        elif Constraint(-row.linear, True) not in equalities:
            equalities[Constraint(row.linear, True)] = None
    return list(equalities), inequalities


def components(rows: Iterable[Constraint]) -> list[Rows]:
    """Rows that have to do with each other, directly or through others, together."""
    group_of: dict[Variable, Rows] = {}
    groups: dict[int, Rows] = {}
    for row in rows:
        together: dict[int, Rows] = {}
        for variable in row.linear.terms:
            group = group_of.get(variable)
            if group is not None:
                together[id(group)] = group
        if together:
            largest = max(together.values(), key=len)
        else:
            largest = []
            groups[id(largest)] = largest
        for key, group in together.items():
            if group is not largest:
                for other in group:
                    for variable in other.linear.terms:
                        group_of[variable] = largest
                largest.extend(group)
                del groups[key]
        largest.append(row)
        for variable in row.linear.terms:
            group_of[variable] = largest
    return list(groups.values())


def variables_of(rows: Iterable[Constraint]) -> tuple[Variable, ...]:
    """In the order in which they occur."""
    return tuple(dict.fromkeys(variable for row in rows for variable in row.linear.terms))


def combined(row: Constraint, factor: int, other: Constraint, other_factor: int) -> Constraint:
    """``factor * row + other_factor * other``, with the relation of ``row``."""
    return row.about((row.linear * factor).plus(other.linear, other_factor))


def eliminated(rows: Sequence[Constraint], variable: Variable, limit: int) -> Rows | None:
    """Without a variable: with any value for it. None if there would be more than ``limit`` rows more than before.

    With an equality by Gauss, otherwise by Fourier and Motzkin.
    """
    kept = [row for row in rows if variable not in row.linear.terms]
    if len(kept) == len(rows):
        return kept
    concerned = [row for row in rows if variable in row.linear.terms]
    equalities = [row for row in concerned if row.equality]
    if equalities:
        pivot = min(equalities, key=lambda row: (abs(row.linear.terms[variable]), len(row.linear.terms)))
        return kept + [substituted(row, pivot, variable) for row in concerned if row is not pivot]
    lower = [row for row in concerned if row.linear.terms[variable] > 0]
    upper = [row for row in concerned if row.linear.terms[variable] < 0]
    if len(lower) * len(upper) > len(concerned) + limit:
        return None
    for low in lower:
        for high in upper:
            kept.append(combined(low, -high.linear.terms[variable], high, low.linear.terms[variable]))
    return kept


def substituted(row: Constraint, pivot: Constraint, variable: Variable) -> Constraint:
    """A constraint without a variable, which an equality is about as well."""
    factor = pivot.linear.terms[variable]
    sign = 1 if factor > 0 else -1
    return combined(row, abs(factor), pivot, -sign * row.linear.terms[variable])


def solved(rows: Sequence[Constraint]) -> Rows | None:
    """The same, with each equality solved for a variable that occurs nowhere else. None if unsatisfiable.

    A variable that the equalities fix is seen to be fixed then, and integers tighten more.
    """
    if not any(row.equality for row in rows):
        return list(rows)
    solutions: dict[Variable, Constraint] = {}
    counts = Counter(variable for row in rows for variable in row.linear.terms)
    for row in rows:
        found = reduced(row, solutions) if row.equality else None
        if found is None or found.is_true:
            continue
        if found.is_false:
            return None
        terms = found.linear.terms
        pivot = min(terms, key=lambda v: (abs(terms[v]), counts[v]))
        for variable, other in solutions.items():
            if pivot in other.linear.terms:
                solutions[variable] = substituted(other, found, pivot)
        solutions[pivot] = found
    if any(row.is_false for row in solutions.values()):
        return None
    return [*solutions.values(), *(reduced(row, solutions) for row in rows if not row.equality)]


def pivots(rows: Iterable[Constraint]) -> dict[Variable, Constraint]:
    """The variables that equalities are solved for, with these equalities."""
    counts = Counter(variable for row in rows for variable in row.linear.terms)
    found: dict[Variable, Constraint] = {}
    for row in rows:
        terms = row.linear.terms
        once = [variable for variable in terms if counts[variable] == 1] if row.equality else None
        if once:
            found[min(once, key=lambda v: abs(terms[v]))] = row
    return found


def reduced(row: Constraint, solutions: Mapping[Variable, Constraint]) -> Constraint:
    """A constraint without the variables that equalities are solved for."""
    for variable in row.linear.terms:
        solution = solutions.get(variable)
        if solution is not None:  # which brings in no other variable that is solved for
            row = substituted(row, solution, variable)
    return row
