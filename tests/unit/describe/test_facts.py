"""Linear constraints as text: short forms, and the same meaning."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.analysis.absint.linear import Constraint, Linear, at_least, at_most, equal
from clew.describe.facts import constraints_of, facts_of
from clew.report.facts import Fact, FactKind, Term

INT = (-(2**31), 2**31 - 1)
X, Y, Z, P, II, J, K = (Term(name, FactKind.VARIABLE, *INT) for name in ("x", "y", "z", "p", "i", "j", "k"))
Y0 = Term("y@entry", FactKind.INPUT, *INT)
U = Term("u", FactKind.VARIABLE, 0, 255)
N = Term("#loop1", FactKind.COUNTER, 0, None)


def v(term: Term, factor: int = 1) -> Linear:
    return Linear.of(term, factor)


def texts(*constraints: Constraint) -> list[str]:
    return [fact.text for fact in facts_of(constraints)]


@pytest.mark.parametrize(
    ("constraint", "text"),
    [
        (equal(v(X, 2), v(Y0) - v(Y)), "2*x == y@entry - y"),
        (equal(v(X), v(N) + v(P)), "x == p + #loop1"),
        (equal(v(II), v(N, 4) + 3), "i == 4*#loop1 + 3"),
        (equal(v(X) + v(Y), 10), "x + y == 10"),
        (equal(v(X), -7), "x == -7"),
        (equal(v(N), v(Y0)), "#loop1 == y@entry"),
        (at_least(v(K), v(J, 5)), "k >= 5*j"),
        (at_least(v(K), 1000), "k >= 1000"),
        (at_most(v(X), v(Y)), "x <= y"),
        (at_most(v(X) + 1, v(Y)), "x < y"),
        (at_least(v(X), v(Y) + 1), "x > y"),
        (at_most(v(X), v(Y) + 3), "x <= y + 3"),
        (at_least(v(X), v(Y) + 3), "x >= y + 3"),
        (at_most(v(X) + v(Y), v(Z) - 4), "z >= x + y + 4"),
        (at_most(v(X) + v(Y), 9), "x + y <= 9"),
        (at_least(v(X, -2) - v(Y, 3), 5), "2*x + 3*y <= -5"),
        (at_most(v(U), 9), "0 <= u <= 9"),
        (at_most(v(N), 19), "0 <= #loop1 <= 19"),
        (at_least(v(N), 3), "#loop1 >= 3"),
    ],
)
def test_single_constraints(constraint: Constraint, text: str) -> None:
    assert texts(constraint) == [text]


def test_bounds_are_paired() -> None:
    assert texts(at_least(v(Y), -1), at_most(v(Y), 0)) == ["-1 <= y <= 0"]
    assert texts(at_least(v(X) - v(Y), -2), at_most(v(X) - v(Y), 3)) == ["-2 <= x - y <= 3"]
    assert texts(at_least(v(X), 4), at_most(v(X), 4)) == ["x == 4"]
    assert texts(at_most(v(X), 4), at_most(v(X), 6)) == ["x <= 4"]


def test_ranges_go_without_saying() -> None:
    assert texts(at_least(v(U), 0), at_most(v(U), 255), at_least(v(N), 0), at_least(v(X), INT[0])) == []
    assert texts(at_most(v(U), v(N) + 255)) == []
    assert texts(at_least(v(X), INT[0]), at_most(v(X), 5)) == ["x <= 5"]


def test_equalities_have_few_terms_and_few_counters() -> None:
    """However a domain chooses among all equalities that follow from each other."""
    wanted = ["x == #loop1", "2*x == y@entry - y"]
    assert texts(equal(v(X), v(N)), equal(v(N, 2), v(Y0) - v(Y))) == wanted
    assert texts(equal(v(Y), v(Y0) - v(N, 2)), equal(v(X, 3), v(N) + v(Y0) - v(Y))) == wanted
    listing = ["i == 4*#loop1 + 3", "x == p + #loop1"]
    assert texts(equal(v(II), v(X, 4) - v(P, 4) + 3), equal(v(X), v(N) + v(P))) == listing


def test_inequalities_use_the_equalities() -> None:
    equalities = (equal(v(X), v(N)), equal(v(X, 2), v(Y0) - v(Y)))
    assert texts(*equalities, at_least(v(Y0) - v(N, 2), -1)) == ["x == #loop1", "2*x == y@entry - y", "y >= -1"]
    assert texts(equal(v(II), v(N, 4) + 3), at_most(v(N), 20), at_least(v(N), 20)) == ["i == 83", "#loop1 == 20"]


def test_structure() -> None:
    (fact,) = facts_of([at_most(v(X, 2) - v(Y), 7)])
    assert fact.to_json() == {"text": "2*x <= y + 7", "terms": {"x": 2, "y": -1}, "low": None, "high": 7}
    assert list(constraints_of(fact)) == [at_most(v(X, 2) - v(Y), 7)]
    assert list(constraints_of(Fact(((X, 1),), 3, 3))) == [equal(v(X), 3)]
    assert Fact(((N, 1),), None, 3).is_count and not Fact(((X, 1), (N, 1)), None, 3).is_count


LETTERS = [Term("a", FactKind.VARIABLE, -8, 7), Term("b", FactKind.INPUT, 0, 15), Term("c", FactKind.COUNTER, 0, None)]
LINEARS = st.builds(
    lambda factors, constant: Linear(dict(zip(LETTERS, factors, strict=True)), constant),
    st.tuples(*[st.integers(-3, 3)] * 3),
    st.integers(-9, 9),
)
CONSTRAINTS = st.lists(st.builds(Constraint, LINEARS, st.booleans()), max_size=4)
POINTS = st.tuples(st.integers(-8, 7), st.integers(0, 15), st.integers(0, 20))


@given(CONSTRAINTS, st.lists(POINTS, min_size=1, max_size=60))
def test_texts_mean_what_the_constraints_mean(
    constraints: list[Constraint], points: list[tuple[int, int, int]]
) -> None:
    constraints = [constraint for constraint in constraints if not constraint.is_false]
    facts = facts_of(constraints)
    for point in points:
        names = dict(zip("abc", point, strict=True))
        valuation = dict(zip(LETTERS, point, strict=True))
        expected = all(constraint.holds(valuation) for constraint in constraints)
        assert all(eval(fact.text, {}, names) for fact in facts) is expected
        assert all(c.holds(valuation) for fact in facts for c in constraints_of(fact)) is expected


@pytest.mark.parametrize(
    ("terms", "low", "high", "text"),
    [
        (((X, 1),), 0, 100, "(long long)x >= 0 && (long long)x <= 100"),
        (((X, 1), (Y, -1)), 0, 0, "(long long)x - (long long)y == 0"),
        (((X, 2), (U, -3)), None, -7, "2 * (long long)x - 3 * (long long)u <= -7"),
        (((X, -1),), 5, None, "-1 * (long long)x >= 5"),
        (((Term("a.b[2]", FactKind.VARIABLE, 0, 9), 1),), 1, None, "(long long)a.b[2] >= 1"),
        (((Y0, 1),), 0, None, None),
        (((X, 1), (N, -1)), 0, 0, None),
        (((Term("*p", FactKind.VARIABLE, 0, 9), 1),), 1, None, None),
        (((Term("w", FactKind.VARIABLE, 0, 2**64 - 1), 1),), 1, None, None),
        (((X, 2**40),), 1, None, None),
    ],
)
def test_conditions_in_c(
    terms: tuple[tuple[Term, int], ...], low: int | None, high: int | None, text: str | None
) -> None:
    assert Fact(terms, low, high).c_text == text
