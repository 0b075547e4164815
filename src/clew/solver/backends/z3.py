"""Z3: the second opinion where Bitwuzla gives up, and a cross-check in ``--validate``.

Its Python API is slow (tens of microseconds per term, a second to import), so it is imported when first
asked, and every query is translated from scratch, into a context of its own. Float functions must be told that
context: they would build in the global one, and mixing the two crashes the process.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import Any, Final

from immutables import Map

from clew.base.watchdog import held
from clew.expr.evaluate import Model
from clew.expr.node import Expr, postorder
from clew.expr.op import Op
from clew.expr.rewrite import fpmath
from clew.expr.semantics import ArrayValue
from clew.expr.sort import BOOL, FLOAT_FORMAT, Sort
from clew.expr.sort import SortKind as SortKind
from clew.solver.backends.registry import BACKENDS
from clew.solver.interface import Query, Result, SolverOptions, ordered, sat, symbols_of, unknown, unsat
from clew.solver.stats import SolverStats

NAME = "z3"
_POLL: Final = 0.05
"""Seconds between two looks at the limits while Z3 works."""


@BACKENDS.register(NAME, "a second opinion, from scratch for each query")
class Z3Solver:
    """The backend; stateless between queries."""

    def __init__(self, options: SolverOptions | None = None, stats: SolverStats | None = None) -> None:
        self._options = options or SolverOptions()
        self._stats = stats or SolverStats()

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        """Decide from scratch."""
        # An exception out of nowhere, in one of Z3's own destructors, would be printed and lost.
        with held():
            return self._check(ordered(constraints), hint)

    def clear(self) -> None:
        """There is nothing to forget."""

    def _check(self, query: Sequence[Expr], hint: Model | None) -> Result:
        translation = _Translation()
        solver = self._solver(translation)
        started = perf_counter()
        try:
            for constraint in query:
                solver.add(translation.term(constraint))
            with self._limited(translation):
                answer = str(solver.check())
            if answer == "sat":
                found = solver.model()
                values = {symbol: translation.value(found, symbol) for symbol in ordered(symbols_of(query))}
                return sat(Model(values) if hint is None else hint.updated(values), NAME)
            return unsat(NAME) if answer == "unsat" else unknown(f"Z3: {solver.reason_unknown()}", NAME)
        except translation.z3.Z3Exception as error:
            return unknown(f"Z3 failed: {error}", NAME)
        finally:
            self._stats.solver_checks += 1
            self._stats.seconds += perf_counter() - started

    @contextmanager
    def _limited(self, translation: _Translation) -> Iterator[None]:
        """Z3 keeps its own time limit only at certain points; a thread that interrupts it is heard sooner."""
        done = threading.Event()
        watcher = threading.Thread(target=self._watch, args=(translation.context, done), daemon=True)
        watcher.start()
        try:
            yield
        finally:
            done.set()
            watcher.join()

    def _watch(self, context: Any, done: threading.Event) -> None:
        deadline = perf_counter() + self._options.time_limit
        stop = self._options.stop
        while not done.wait(_POLL):
            if perf_counter() > deadline or (stop is not None and stop()):
                context.interrupt()

    def _solver(self, translation: _Translation) -> Any:
        solver = translation.z3.Solver(ctx=translation.context)
        solver.set("timeout", max(1, int(self._options.time_limit * 1000)))
        solver.set("random_seed", self._options.seed)
        return solver


class _Translation:
    """Expressions -> Z3 terms in a context of their own."""

    def __init__(self) -> None:
        import z3

        self.z3: Any = z3
        self.context = z3.Context()
        self.memo: dict[Expr, Any] = {}
        self.nearest = z3.RNE(self.context)

    def term(self, root: Expr) -> Any:
        """The term of ``root``."""
        memo = self.memo
        for node in postorder([root]):
            if node not in memo:
                memo[node] = _HANDLERS[node.op](self, node, [memo[arg] for arg in node.args])
        return memo[root]

    def value(self, model: Any, symbol: Expr) -> Any:
        """The plain value of a symbol; what the model leaves open is zero."""
        return self._plain(model.eval(self.term(symbol), model_completion=True), symbol.sort)

    def _plain(self, value: Any, sort: Sort) -> Any:
        if sort is BOOL:
            return bool(self.z3.is_true(value))
        if sort.kind is SortKind.BV:
            return int(value.as_long())
        if sort.kind is SortKind.FLOAT:
            if self.z3.is_true(self.z3.simplify(self.z3.fpIsNaN(value, self.context))):
                return float("nan")
            return fpmath.from_bits(int(self.z3.simplify(self.z3.fpToIEEEBV(value, self.context)).as_long()), sort)
        return self._plain_array(value)

    def _plain_array(self, value: Any) -> ArrayValue:
        entries: dict[int, int] = {}
        while self.z3.is_store(value):
            entries.setdefault(value.arg(1).as_long(), value.arg(2).as_long())
            value = value.arg(0)
        if not self.z3.is_K(value):
            raise self.z3.Z3Exception("the model of an array is not a table")
        return ArrayValue(value.arg(0).as_long(), b"", Map(entries))

    def sort(self, sort: Sort) -> Any:
        """The Z3 sort."""
        z3, context = self.z3, self.context
        if sort is BOOL:
            return z3.BoolSort(context)
        if sort.kind is SortKind.BV:
            return z3.BitVecSort(sort.width, context)
        if sort.kind is SortKind.FLOAT:
            return z3.FPSort(*FLOAT_FORMAT[sort.width], context)
        return z3.ArraySort(z3.BitVecSort(sort.index_width, context), z3.BitVecSort(sort.element_width, context))

    def bits(self, value: int, width: int) -> Any:
        """A bit-vector constant."""
        return self.z3.BitVecVal(value, width, self.context)

    def mode(self, name: str) -> Any:
        """A rounding mode."""
        return getattr(self.z3, name.upper())(self.context)


def _constant(t: _Translation, node: Expr, args: list[Any]) -> Any:
    value: Any = node.value
    if node.sort is BOOL:
        return t.z3.BoolVal(bool(value), t.context)
    if node.sort.kind is SortKind.BV:
        return t.bits(value, node.width)
    return t.z3.fpBVToFP(t.bits(fpmath.to_bits(value, node.sort), node.width), t.sort(node.sort), t.context)


def _array_bytes(t: _Translation, node: Expr, args: list[Any]) -> Any:
    assert isinstance(node.value, bytes)
    index_width, element_width = node.sort.index_width, node.sort.element_width
    array = t.z3.K(t.z3.BitVecSort(index_width, t.context), t.bits(0, element_width))
    for index, byte in enumerate(node.value):
        if byte:
            array = t.z3.Store(array, t.bits(index, index_width), t.bits(byte, element_width))
    return array


def _to_bits(t: _Translation, node: Expr, args: list[Any]) -> Any:
    """Z3 leaves the bits of a NaN open."""
    nan = t.bits(fpmath.NAN_BITS[node.width], node.width)
    return t.z3.If(t.z3.fpIsNaN(args[0], t.context), nan, t.z3.fpToIEEEBV(args[0], t.context), t.context)


def _sum(t: _Translation, node: Expr, args: list[Any]) -> Any:
    total = args[0]
    for arg in args[1:]:
        total = total + arg
    return total


def _extract(t: _Translation, node: Expr, args: list[Any]) -> Any:
    assert isinstance(node.value, tuple)
    return t.z3.Extract(*node.value, args[0])


def _integer_sort(t: _Translation, node: Expr) -> Any:
    return t.z3.BitVecSort(node.width, t.context)


_HANDLERS: Final[dict[Op, Callable[[_Translation, Expr, list[Any]], Any]]] = {
    Op.CONST: _constant,
    # A name ends at a NUL for Z3, and must be plain text.
    Op.SYMBOL: lambda t, e, a: t.z3.Const(ascii(e.value), t.sort(e.sort)),
    Op.ADD: _sum,
    Op.NEG: lambda t, e, a: -a[0],
    Op.MUL: lambda t, e, a: a[0] * a[1],
    Op.UDIV: lambda t, e, a: t.z3.UDiv(a[0], a[1]),
    Op.SDIV: lambda t, e, a: a[0] / a[1],
    Op.UREM: lambda t, e, a: t.z3.URem(a[0], a[1]),
    Op.SREM: lambda t, e, a: t.z3.SRem(a[0], a[1]),
    Op.AND: lambda t, e, a: a[0] & a[1],
    Op.OR: lambda t, e, a: a[0] | a[1],
    Op.XOR: lambda t, e, a: a[0] ^ a[1],
    Op.NOT: lambda t, e, a: ~a[0],
    Op.SHL: lambda t, e, a: a[0] << a[1],
    Op.LSHR: lambda t, e, a: t.z3.LShR(a[0], a[1]),
    Op.ASHR: lambda t, e, a: a[0] >> a[1],
    Op.ZEXT: lambda t, e, a: t.z3.ZeroExt(e.width - e.args[0].width, a[0]),
    Op.SEXT: lambda t, e, a: t.z3.SignExt(e.width - e.args[0].width, a[0]),
    Op.EXTRACT: _extract,
    Op.CONCAT: lambda t, e, a: t.z3.Concat(*a),
    Op.EQ: lambda t, e, a: a[0] == a[1],
    Op.ULT: lambda t, e, a: t.z3.ULT(a[0], a[1]),
    Op.ULE: lambda t, e, a: t.z3.ULE(a[0], a[1]),
    Op.SLT: lambda t, e, a: a[0] < a[1],
    Op.SLE: lambda t, e, a: a[0] <= a[1],
    Op.LNOT: lambda t, e, a: t.z3.Not(a[0]),
    Op.LAND: lambda t, e, a: t.z3.And(*a),
    Op.ITE: lambda t, e, a: t.z3.If(a[0], a[1], a[2]),
    Op.CONST_ARRAY: lambda t, e, a: t.z3.K(t.z3.BitVecSort(e.sort.index_width, t.context), a[0]),
    Op.ARRAY_BYTES: _array_bytes,
    Op.STORE: lambda t, e, a: t.z3.Store(a[0], a[1], a[2]),
    Op.SELECT: lambda t, e, a: t.z3.Select(a[0], a[1]),
    Op.FADD: lambda t, e, a: t.z3.fpAdd(t.nearest, a[0], a[1], t.context),
    Op.FSUB: lambda t, e, a: t.z3.fpSub(t.nearest, a[0], a[1], t.context),
    Op.FMUL: lambda t, e, a: t.z3.fpMul(t.nearest, a[0], a[1], t.context),
    Op.FDIV: lambda t, e, a: t.z3.fpDiv(t.nearest, a[0], a[1], t.context),
    Op.FNEG: lambda t, e, a: t.z3.fpNeg(a[0], t.context),
    Op.FABS: lambda t, e, a: t.z3.fpAbs(a[0], t.context),
    Op.FSQRT: lambda t, e, a: t.z3.fpSqrt(t.nearest, a[0], t.context),
    Op.FFMA: lambda t, e, a: t.z3.fpFMA(t.nearest, a[0], a[1], a[2], t.context),
    Op.FROUND: lambda t, e, a: t.z3.fpRoundToIntegral(t.mode(str(e.value)), a[0], t.context),
    Op.FEQ: lambda t, e, a: t.z3.fpEQ(a[0], a[1], t.context),
    Op.FLT: lambda t, e, a: t.z3.fpLT(a[0], a[1], t.context),
    Op.FLE: lambda t, e, a: t.z3.fpLEQ(a[0], a[1], t.context),
    Op.FISNAN: lambda t, e, a: t.z3.fpIsNaN(a[0], t.context),
    Op.FISINF: lambda t, e, a: t.z3.fpIsInf(a[0], t.context),
    Op.FP_FROM_BITS: lambda t, e, a: t.z3.fpBVToFP(a[0], t.sort(e.sort), t.context),
    Op.FP_TO_BITS: _to_bits,
    Op.FP_TO_FP: lambda t, e, a: t.z3.fpFPToFP(t.nearest, a[0], t.sort(e.sort), t.context),
    Op.FP_TO_SBV: lambda t, e, a: t.z3.fpToSBV(t.mode("rtz"), a[0], _integer_sort(t, e), t.context),
    Op.FP_TO_UBV: lambda t, e, a: t.z3.fpToUBV(t.mode("rtz"), a[0], _integer_sort(t, e), t.context),
    Op.FP_FROM_SBV: lambda t, e, a: t.z3.fpSignedToFP(t.nearest, a[0], t.sort(e.sort), t.context),
    Op.FP_FROM_UBV: lambda t, e, a: t.z3.fpUnsignedToFP(t.nearest, a[0], t.sort(e.sort), t.context),
}
