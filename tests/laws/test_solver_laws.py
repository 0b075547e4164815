"""Laws of the solver, on random formulas over tiny domains: the chain agrees with plain enumeration."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from clew.expr import build as b
from clew.expr.evaluate import EMPTY_MODEL, Model
from clew.expr.node import Expr
from clew.expr.sort import BOOL, bv
from clew.solver.backends.bitwuzla import BitwuzlaSolver
from clew.solver.chain import build_chain
from clew.solver.interface import Answer, Result, SolverOptions, symbols_of, unknown
from clew.solver.layers.repair import Repair
from clew.solver.layers.shortcuts import Shortcuts
from clew.solver.path import EMPTY_PATH
from clew.solver.stats import SolverStats
from depth import examples
from support.exhaustive import ExhaustiveSolver

WIDTH = 3
SYMBOLS = [b.symbol(name, bv(WIDTH)) for name in "xy"]
FLAG = b.symbol("flag", BOOL)
TABLE = b.array_from_bytes(bytes((3, 1, 4, 1, 5, 0, 2)), WIDTH)
BINARY = [b.add, b.sub, b.mul, b.udiv, b.sdiv, b.urem, b.srem, b.and_, b.or_, b.xor, b.shl, b.lshr, b.ashr]
COMPARISONS = [b.eq, b.ne, b.ult, b.ule, b.slt, b.sle]

ORACLE = ExhaustiveSolver(2 * WIDTH + 1)
# One chain for all examples: its caches must never make it wrong.
CHAIN = build_chain(SolverOptions(cache_entries=64), SolverStats())


def _flat(pair: tuple[Any, Any, Any]) -> Any:
    function, left, right = pair
    return function(left, right, WIDTH)


def _table(index: Any) -> Any:
    return b.extract(b.select(TABLE, index), WIDTH - 1, 0)


def _mixed(parts: tuple[Any, Any]) -> Any:
    return b.concat(b.extract(parts[0], 1, 0), 2, b.extract(parts[1], 2, 2), 1)


terms = st.recursive(
    st.sampled_from(SYMBOLS) | st.integers(0, 7),
    lambda inner: (
        st.tuples(st.sampled_from(BINARY), inner, inner).map(_flat)
        | st.tuples(inner, inner).map(_mixed)
        | inner.map(_table)
        | st.tuples(st.sampled_from(COMPARISONS), inner, inner, inner).map(
            lambda t: b.ite(t[0](t[1], t[2], WIDTH), t[3], t[1], bv(WIDTH))
        )
    ),
    max_leaves=5,
)
atoms = st.tuples(st.sampled_from(COMPARISONS), terms, terms).map(_flat) | st.just(FLAG)
formulas = st.recursive(
    atoms,
    lambda inner: st.tuples(inner, inner).map(lambda p: b.lor(*p)) | inner.map(b.lnot),
    max_leaves=3,
)
conjunctions = st.lists(formulas, min_size=1, max_size=6)
models = st.tuples(*[st.integers(0, 7) for _ in SYMBOLS], st.booleans()).map(
    lambda values: Model(dict(zip([*SYMBOLS, FLAG], values, strict=True)))
)
FEW = settings(max_examples=examples(100), deadline=None)


def proper(constraints: list[Any]) -> frozenset[Expr]:
    """Without the parts that folded to a constant."""
    return frozenset(c for c in constraints if isinstance(c, Expr))


def agrees(result: Result, query: frozenset[Expr], hint: Model | None) -> None:
    assert result.answer is ORACLE.check(query).answer
    if result.answer is Answer.SAT:
        assert result.model is not None
        fresh = Model(result.model.values)
        assert all(fresh.eval(c) is True for c in query)
        if hint is not None:
            outside = {*SYMBOLS, FLAG} - symbols_of(query)
            assert all(fresh.eval(s) == hint.eval(s) for s in outside)
    if result.core is not None:
        assert result.core <= query
        assert ORACLE.check(result.core).answer is Answer.UNSAT


@FEW
@given(conjunctions, st.none() | models)
def test_the_chain_agrees_with_enumeration(constraints: list[Any], hint: Model | None) -> None:
    query = proper(constraints)
    agrees(CHAIN.check(query, hint), query, hint)


@FEW
@given(conjunctions)
def test_bitwuzla_agrees_with_enumeration(constraints: list[Any]) -> None:
    query = proper(constraints)
    agrees(BitwuzlaSolver().check(query), query, None)


@FEW
@given(conjunctions, models)
def test_walking_a_path(constraints: list[Any], start: Model) -> None:
    """Like the engine: one feasible constraint after the other, the model carried along."""
    path, model = EMPTY_PATH, start
    for constraint in constraints:
        result = CHAIN.feasible(path, constraint, model)
        if not isinstance(constraint, Expr):
            assert result.answer is (Answer.SAT if constraint else Answer.UNSAT)
            continue
        assert result.answer is ORACLE.check(frozenset((*path, constraint))).answer
        if result.answer is Answer.SAT:
            assert result.model is not None
            path, model = path.add(constraint), result.model
            assert all(Model(model.values).eval(c) is True for c in path)


class _Nothing:
    def check(self, constraints: frozenset[Expr], hint: Model | None = None) -> Result:
        return unknown("nothing below", "nothing")


@FEW
@given(conjunctions, st.none() | models)
def test_repair_and_shortcuts_are_never_wrong(constraints: list[Any], hint: Model | None) -> None:
    query = proper(constraints)
    for layer in (Repair(_Nothing(), 12), Shortcuts(_Nothing())):
        result = layer.check(query, hint)
        if result.answer is not Answer.UNKNOWN:
            agrees(result, query, hint)


@FEW
@given(conjunctions)
def test_cores_are_unsatisfiable(constraints: list[Any]) -> None:
    query = sorted(proper(constraints), key=lambda c: c.key)
    core = CHAIN.unsat_assumptions((), query)
    unsat = ORACLE.check(frozenset(query)).answer is Answer.UNSAT
    assert (core is not None) == unsat
    if core is not None:
        assert set(core) <= set(query)
        assert ORACLE.check(frozenset(core)).answer is Answer.UNSAT
        blamed = CHAIN.unsat_assumptions(query[:1], query[1:])
        assert blamed is not None
        assert ORACLE.check(frozenset((*query[:1], *blamed))).answer is Answer.UNSAT


@FEW
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=30), st.integers(0, 9))
def test_slices_are_connected_components(edges: list[tuple[int, int]], start: int) -> None:
    nodes = [b.symbol(f"n{i}", bv(8)) for i in range(10)]
    path = EMPTY_PATH
    for left, right in edges:
        constraint = b.ult(nodes[left], b.mul(nodes[right], 3, 8), 8)
        if isinstance(constraint, Expr):
            path = path.add(constraint)
    reached, grew = {nodes[start]}, True
    while grew:
        before = len(reached)
        for constraint in path:
            if constraint.symbols & reached:
                reached |= constraint.symbols
        grew = len(reached) > before
    probe = b.eq(nodes[start], 200, 8)
    assert isinstance(probe, Expr)
    assert path.slice(probe) == {c for c in path if c.symbols & reached}
    assert EMPTY_MODEL.values == {}
