"""Expressions -> Bitwuzla terms, without recursion and with a memo per term manager.

Two forms are written so that the solver never sees what it is slow at:

- Reading a constant table, also through a few stores, becomes a tree of ``ite`` over the bits of the
  index, and no array at all (over a hundred times faster than stores onto a constant array).
- ``FP_TO_BITS``, which SMT-LIB lacks, is a fresh constant with a side condition that defines it. The
  conditions always have a solution, so they are given along with any query that mentions the constant.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import bitwuzla  # type: ignore[import-not-found]
from bitwuzla import Kind, RoundingMode

from clew.expr.node import Expr
from clew.expr.op import Op
from clew.expr.ranges import interval
from clew.expr.rewrite import fpmath
from clew.expr.sort import BOOL, FLOAT_FORMAT, Sort
from clew.expr.sort import SortKind as SortKind

Term = Any
"""``bitwuzla.Term``; the extension module carries no types."""

MAX_STORES: Final = 64
"""Reads through at most so many stores are expanded; beyond, the array theory is the lesser evil."""
MAX_TABLE: Final = 1 << 16


def stores_over_constant(node: Expr) -> tuple[list[Expr], Expr] | None:
    """The stores a SELECT looks through, newest first, and the constant array at the bottom."""
    stores: list[Expr] = []
    base = node.args[0]
    while base.op is Op.STORE and len(stores) < MAX_STORES:
        stores.append(base)
        base = base.args[0]
    if base.op is Op.CONST_ARRAY:
        return stores, base
    if base.op is Op.ARRAY_BYTES and isinstance(base.value, bytes) and len(base.value) <= MAX_TABLE:
        return stores, base
    return None


def children(node: Expr) -> tuple[Expr, ...]:
    """The nodes whose terms are needed to build the term of ``node``."""
    if node.op is not Op.SELECT:
        return node.args
    plan = stores_over_constant(node)
    if plan is None:
        return node.args
    needed = [node.args[1]]
    for store in plan[0]:
        needed += store.args[1:]
    return (*needed, *plan[1].args)


class Terms:
    """One term manager and what was translated into it. The memo keeps the expressions alive."""

    def __init__(self) -> None:
        self.manager = bitwuzla.TermManager()
        self.memo: dict[Expr, Term] = {}
        self._sorts: dict[Sort, Any] = {}
        self._sides: dict[Expr, Term] = {}
        self._side_memo: dict[Expr, list[Term]] = {}
        self._rounding: dict[str, Term] = {}

    def term(self, root: Expr) -> Term:
        """The term of ``root``."""
        memo = self.memo
        found = memo.get(root)
        if found is not None:
            return found
        stack = [root]
        while stack:
            node = stack[-1]
            if node in memo:
                stack.pop()
                continue
            pending = [arg for arg in children(node) if arg not in memo]
            if pending:
                stack.extend(pending)
                continue
            stack.pop()
            memo[node] = self._translate(node)
        return memo[root]

    def side_conditions(self, root: Expr) -> list[Term]:
        """The definitions of the fresh constants below ``root``."""
        if not self._sides:
            return []
        found = self._side_memo.get(root)
        if found is None:
            found = []
            seen = {root}
            stack = [root]
            while stack:
                node = stack.pop()
                if node.op is Op.FP_TO_BITS:
                    found.append(self._sides[node])
                for arg in children(node):
                    if arg not in seen:
                        seen.add(arg)
                        stack.append(arg)
            self._side_memo[root] = found
        return found

    def sort(self, sort: Sort) -> Any:
        """The Bitwuzla sort."""
        found = self._sorts.get(sort)
        if found is None:
            found = self._sorts[sort] = self._make_sort(sort)
        return found

    def _make_sort(self, sort: Sort) -> Any:
        manager = self.manager
        if sort is BOOL:
            return manager.mk_bool_sort()
        if sort.kind is SortKind.BV:
            return manager.mk_bv_sort(sort.width)
        if sort.kind is SortKind.FLOAT:
            return manager.mk_fp_sort(*FLOAT_FORMAT[sort.width])
        return manager.mk_array_sort(manager.mk_bv_sort(sort.index_width), manager.mk_bv_sort(sort.element_width))

    def _translate(self, node: Expr) -> Term:
        op = node.op
        kind = _DIRECT.get(op)
        if kind is not None:
            return self.manager.mk_term(kind, [self.memo[arg] for arg in node.args])
        kind = _ROUNDED.get(op)
        if kind is not None:
            return self.manager.mk_term(kind, [self._mode("rne"), *[self.memo[arg] for arg in node.args]])
        return _SPECIAL[op](self, node)

    def _mode(self, name: str) -> Term:
        found = self._rounding.get(name)
        if found is None:
            found = self._rounding[name] = self.manager.mk_rm_value(RoundingMode[name.upper()])
        return found

    def _bits(self, value: int, width: int) -> Term:
        return self.manager.mk_bv_value(self.manager.mk_bv_sort(width), value)

    # -- leaves ---------------------------------------------------------------------------------

    def _constant(self, node: Expr) -> Term:
        value = node.value
        if node.sort is BOOL:
            return self.manager.mk_true() if value else self.manager.mk_false()
        if node.sort.kind is SortKind.BV:
            return self.manager.mk_bv_value(self.sort(node.sort), value)
        bits = self._bits(fpmath.to_bits(value, node.sort), node.width)
        return self.manager.mk_term(Kind.FP_TO_FP_FROM_BV, [bits], list(FLOAT_FORMAT[node.width]))

    def _symbol(self, node: Expr) -> Term:
        return self.manager.mk_const(self.sort(node.sort), str(node.value))

    # -- bit-vectors ----------------------------------------------------------------------------

    def _extend(self, node: Expr) -> Term:
        arg = node.args[0]
        kind = Kind.BV_ZERO_EXTEND if node.op is Op.ZEXT else Kind.BV_SIGN_EXTEND
        return self.manager.mk_term(kind, [self.memo[arg]], [node.width - arg.width])

    def _extract(self, node: Expr) -> Term:
        assert isinstance(node.value, tuple)
        return self.manager.mk_term(Kind.BV_EXTRACT, [self.memo[node.args[0]]], list(node.value))

    # -- arrays ---------------------------------------------------------------------------------

    def _const_array(self, node: Expr) -> Term:
        return self.manager.mk_const_array(self.sort(node.sort), self.memo[node.args[0]])

    def _array_bytes(self, node: Expr) -> Term:
        assert isinstance(node.value, bytes)
        manager = self.manager
        index_sort = manager.mk_bv_sort(node.sort.index_width)
        element_sort = manager.mk_bv_sort(node.sort.element_width)
        array = manager.mk_const_array(self.sort(node.sort), manager.mk_bv_value(element_sort, 0))
        for index, byte in enumerate(node.value):
            if byte:
                place, element = manager.mk_bv_value(index_sort, index), manager.mk_bv_value(element_sort, byte)
                array = manager.mk_term(Kind.ARRAY_STORE, [array, place, element])
        return array

    def _select(self, node: Expr) -> Term:
        manager, memo = self.manager, self.memo
        plan = stores_over_constant(node)
        index = node.args[1]
        if plan is None:
            return manager.mk_term(Kind.ARRAY_SELECT, [memo[node.args[0]], memo[index]])
        stores, base = plan
        value = memo[base.args[0]] if base.op is Op.CONST_ARRAY else self._table(base, index)
        for store in reversed(stores):
            same = manager.mk_term(Kind.EQUAL, [memo[store.args[1]], memo[index]])
            value = manager.mk_term(Kind.ITE, [same, memo[store.args[2]], value])
        return value

    def _table(self, base: Expr, index: Expr) -> Term:
        """Element ``index`` of a constant table: one level of ``ite`` per bit of the index, equal subtrees once."""
        manager, width = self.manager, base.sort.element_width
        assert isinstance(base.value, bytes)
        highest = interval(index)[1]
        data = base.value[: highest + 1]
        depth = min(max(len(data) - 1, 0).bit_length(), index.width)
        level = list(data) + [0] * ((1 << depth) - len(data))
        nodes = {byte: self._bits(byte, width) for byte in set(level)}
        for position in range(depth):
            bit = manager.mk_term(Kind.BV_EXTRACT, [self.memo[index]], [position, position])
            taken = manager.mk_term(Kind.EQUAL, [bit, self._bits(1, 1)])
            level = self._halved(level, nodes, taken)
        value = nodes[level[0]]
        if highest < 1 << depth:
            return value
        inside = manager.mk_term(Kind.BV_ULT, [self.memo[index], self._bits(1 << depth, index.width)])
        return manager.mk_term(Kind.ITE, [inside, value, self._bits(0, width)])

    def _halved(self, level: list[int], nodes: dict[int, Term], bit: Term) -> list[int]:
        """One level up the tree: numbers of the nodes for each pair; new nodes are added to ``nodes``."""
        known: dict[tuple[int, int], int] = {}
        result: list[int] = []
        for low, high in zip(level[::2], level[1::2], strict=True):
            number = low if low == high else known.get((low, high))
            if number is None:
                number = known[low, high] = len(nodes) + 256  # 0..255 number the bytes themselves
                nodes[number] = self.manager.mk_term(Kind.ITE, [bit, nodes[high], nodes[low]])
            result.append(number)
        return result

    # -- floats ---------------------------------------------------------------------------------

    def _round(self, node: Expr) -> Term:
        return self.manager.mk_term(Kind.FP_RTI, [self._mode(str(node.value)), self.memo[node.args[0]]])

    def _from_bits(self, node: Expr) -> Term:
        return self.manager.mk_term(
            Kind.FP_TO_FP_FROM_BV, [self.memo[node.args[0]]], list(FLOAT_FORMAT[node.sort.width])
        )

    def _to_bits(self, node: Expr) -> Term:
        manager = self.manager
        number, width = self.memo[node.args[0]], node.width
        bits = manager.mk_const(self.sort(node.sort))
        back = manager.mk_term(Kind.FP_TO_FP_FROM_BV, [bits], list(FLOAT_FORMAT[width]))
        same = manager.mk_term(Kind.EQUAL, [back, number])
        quiet = manager.mk_term(Kind.EQUAL, [bits, self._bits(fpmath.NAN_BITS[width], width)])
        canonical = manager.mk_term(Kind.IMPLIES, [manager.mk_term(Kind.FP_IS_NAN, [number]), quiet])
        self._sides[node] = manager.mk_term(Kind.AND, [same, canonical])
        return bits

    def _convert(self, node: Expr) -> Term:
        """Conversions to a float format, rounding to nearest even."""
        kind = _TO_FLOAT[node.op]
        arguments = [self._mode("rne"), self.memo[node.args[0]]]
        return self.manager.mk_term(kind, arguments, list(FLOAT_FORMAT[node.sort.width]))

    def _to_integer(self, node: Expr) -> Term:
        kind = Kind.FP_TO_SBV if node.op is Op.FP_TO_SBV else Kind.FP_TO_UBV
        return self.manager.mk_term(kind, [self._mode("rtz"), self.memo[node.args[0]]], [node.width])


_DIRECT: Final[dict[Op, Any]] = {
    Op.ADD: Kind.BV_ADD,
    Op.NEG: Kind.BV_NEG,
    Op.MUL: Kind.BV_MUL,
    Op.UDIV: Kind.BV_UDIV,
    Op.SDIV: Kind.BV_SDIV,
    Op.UREM: Kind.BV_UREM,
    Op.SREM: Kind.BV_SREM,
    Op.AND: Kind.BV_AND,
    Op.OR: Kind.BV_OR,
    Op.XOR: Kind.BV_XOR,
    Op.NOT: Kind.BV_NOT,
    Op.SHL: Kind.BV_SHL,
    Op.LSHR: Kind.BV_SHR,
    Op.ASHR: Kind.BV_ASHR,
    Op.CONCAT: Kind.BV_CONCAT,
    Op.EQ: Kind.EQUAL,
    Op.ULT: Kind.BV_ULT,
    Op.ULE: Kind.BV_ULE,
    Op.SLT: Kind.BV_SLT,
    Op.SLE: Kind.BV_SLE,
    Op.LNOT: Kind.NOT,
    Op.LAND: Kind.AND,
    Op.ITE: Kind.ITE,
    Op.STORE: Kind.ARRAY_STORE,
    Op.FNEG: Kind.FP_NEG,
    Op.FABS: Kind.FP_ABS,
    Op.FEQ: Kind.FP_EQUAL,
    Op.FLT: Kind.FP_LT,
    Op.FLE: Kind.FP_LEQ,
    Op.FISNAN: Kind.FP_IS_NAN,
    Op.FISINF: Kind.FP_IS_INF,
}

_ROUNDED: Final[dict[Op, Any]] = {
    Op.FADD: Kind.FP_ADD,
    Op.FSUB: Kind.FP_SUB,
    Op.FMUL: Kind.FP_MUL,
    Op.FDIV: Kind.FP_DIV,
    Op.FSQRT: Kind.FP_SQRT,
    Op.FFMA: Kind.FP_FMA,
}

_TO_FLOAT: Final[dict[Op, Any]] = {
    Op.FP_TO_FP: Kind.FP_TO_FP_FROM_FP,
    Op.FP_FROM_SBV: Kind.FP_TO_FP_FROM_SBV,
    Op.FP_FROM_UBV: Kind.FP_TO_FP_FROM_UBV,
}

_SPECIAL: Final[dict[Op, Callable[[Terms, Expr], Term]]] = {
    Op.CONST: Terms._constant,
    Op.SYMBOL: Terms._symbol,
    Op.ZEXT: Terms._extend,
    Op.SEXT: Terms._extend,
    Op.EXTRACT: Terms._extract,
    Op.CONST_ARRAY: Terms._const_array,
    Op.ARRAY_BYTES: Terms._array_bytes,
    Op.SELECT: Terms._select,
    Op.FROUND: Terms._round,
    Op.FP_FROM_BITS: Terms._from_bits,
    Op.FP_TO_BITS: Terms._to_bits,
    Op.FP_TO_FP: Terms._convert,
    Op.FP_FROM_SBV: Terms._convert,
    Op.FP_FROM_UBV: Terms._convert,
    Op.FP_TO_SBV: Terms._to_integer,
    Op.FP_TO_UBV: Terms._to_integer,
}
