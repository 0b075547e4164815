"""Branch queries as a tokenizer over symbolic bytes asks them, timed one by one.

Walks random paths through classifications of bytes (``c == ' '``, ``'0' <= c && c <= '9'``, ...). At each branch the
model decides one side, as in the executor; the chain is asked about the other. Only queries that were answered
without a run of the solver count.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from statistics import median

from clew.expr import build
from clew.expr.evaluate import EMPTY_MODEL, Model
from clew.expr.node import Expr
from clew.expr.sort import bv
from clew.solver.chain import SolverChain, build_chain
from clew.solver.interface import Answer, SolverOptions
from clew.solver.path import EMPTY_PATH, PathCondition
from clew.solver.stats import SolverStats

LENGTH = 12
WALKS = 60
Value = int | bool | float | Expr

_Test = Callable[[Expr], Value]
_TESTS: tuple[_Test, ...] = (
    lambda c: build.eq(c, 0, 8),
    lambda c: build.eq(c, ord(" "), 8),
    lambda c: build.slt(build.sext(c, 8, 32), ord("0"), 32),
    lambda c: build.sgt(build.sext(c, 8, 32), ord("9"), 32),
    lambda c: build.eq(build.or_(build.zext(c, 8, 32), 0x20, 32), ord("x"), 32),
    lambda c: build.ult(build.sub(build.zext(c, 8, 32), ord("a"), 32), 26, 32),
    lambda c: build.ne(build.and_(c, 0x80, 8), 0, 8),
)


def measure(seed: int) -> float:
    """Median microseconds of a query that needed no solver."""
    random = Random(seed)
    stats = SolverStats()
    chain = build_chain(SolverOptions(), stats)
    bytes_ = [symbol for i in range(LENGTH) if isinstance(symbol := build.symbol(f"text{i}", bv(8)), Expr)]
    times: list[float] = []
    for _ in range(WALKS):
        _walk(chain, stats, bytes_, random, times)
    return median(times) * 1e6


def _walk(chain: SolverChain, stats: SolverStats, symbols: list[Expr], random: Random, times: list[float]) -> None:
    path, model = EMPTY_PATH, EMPTY_MODEL
    for symbol in symbols:
        for test in _TESTS:
            condition = test(symbol)
            if not isinstance(condition, Expr):
                continue
            path, model = _branch(chain, stats, path, model, condition, random, times)


def _branch(
    chain: SolverChain,
    stats: SolverStats,
    path: PathCondition,
    model: Model,
    condition: Expr,
    random: Random,
    times: list[float],
) -> tuple[PathCondition, Model]:
    holds = bool(model.eval(condition))
    negated = build.lnot(condition)
    assert isinstance(negated, Expr)
    taken, other = (condition, negated) if holds else (negated, condition)
    checks, begun = stats.solver_checks, time.perf_counter()
    result = chain.feasible(path, other, model)
    took = time.perf_counter() - begun
    if stats.solver_checks == checks:
        times.append(took)
    if result.answer is Answer.SAT and result.model is not None and random.random() < 0.5:
        return path.add(other), result.model
    return path.add(taken), model
