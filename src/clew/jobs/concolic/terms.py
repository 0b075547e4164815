"""Nodes of a trace as terms over the bytes of its input: only those that somebody asks for."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from itertools import repeat
from typing import Any

from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Bool, Expr, symbol
from clew.expr.sort import BOOL, Sort, bv
from clew.jobs.concolic.tables import lookup
from clew.native.trace import Node, Trace
from clew.native.trace_ops import BITS, NodeOp


@functools.cache
def input_byte(place: int) -> Expr:
    """The symbol of a byte of the input."""
    return symbol(f"input[{place}]", bv(8))


@functools.cache
def _input_bytes(size: int) -> tuple[Expr, ...]:
    """The symbols of the first bytes."""
    return tuple(map(input_byte, range(size)))


def model_of(data: bytes) -> Model:
    """What an input says of these symbols."""
    return Model(dict(zip(_input_bytes(len(data)), data, strict=True)))


def input_of(model: Model, data: bytes, size: int) -> bytes:
    """The input that a model stands for: ``data``, changed, and as long as the model needs it, up to a size."""
    found = bytes(map(model.values.get, _input_bytes(size), repeat(0)))
    return found[: len(data)] + data[size:] + found[len(data) :].rstrip(b"\0")


class Terms:
    """The terms of one trace. Nodes of one bit are booleans."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._known: dict[int, Any] = {}
        self.work = 0
        """Nodes that were made into terms."""

    def of(self, number: int) -> Any:
        """The term of a node: a plain value if it is constant."""
        known, trace = self._known, self._trace
        waiting = [number]
        while waiting:
            current = waiting[-1]
            if current in known:
                waiting.pop()
                continue
            node = trace.node(current)
            missing = [one for one in (node.a, node.b, node.c) if one and one not in known]
            if missing:
                if max(missing) >= current:
                    raise ValueError("a node before its operands")
                waiting += missing
                continue
            waiting.pop()
            known[current] = self._made(node)
            self.work += 1
        return known[number]

    def condition(self, number: int) -> Bool:
        """The term of a node of one bit."""
        found: Bool = self.of(number)
        return found

    def width(self, number: int) -> int:
        """Bits of what a node gives."""
        node = self._trace.node(number)
        return 1 if node.op in BITS else node.width

    def _made(self, node: Node) -> Any:
        op, known = node.op, self._known
        if op == NodeOp.INPUT:
            return input_byte(node.immediate)
        if op == NodeOp.CONST:
            return _constant(node.immediate, node.width)
        if op == NodeOp.TABLE:
            return lookup(*self._trace.table(node.immediate), known[node.a], node.width // 8)
        if op in _CONVERSIONS:
            return _CONVERSIONS[op](known[node.a], self.width(node.a), node)
        if op == NodeOp.CONCAT:
            low = node.extra
            high, rest = (known[one] if one else node.immediate for one in (node.a, node.b))
            return build.concat(high, node.width - low, rest, low)
        width = node.width
        left: Any = known[node.a] if node.a else _constant(node.immediate, width)
        right: Any = known[node.b] if node.b else _constant(node.immediate, width)
        if op == NodeOp.ITE:
            return build.ite(known[node.c], left, right, _sort(width))
        if op in (NodeOp.FSHL, NodeOp.FSHR):
            return (build.fshl if op == NodeOp.FSHL else build.fshr)(left, right, known[node.c], width)
        if op in _UNARY:
            return _UNARY[op](left, width)
        return self.combined(op, left, right, width)

    @staticmethod
    def combined(op: int, left: Any, right: Any, width: int) -> Any:
        """What an operation of two operands of a width gives."""
        return _ONE_BIT[op](left, right) if width == 1 else _BINARY[op](left, right, width)


def _sort(width: int) -> Sort:
    return BOOL if width == 1 else bv(width)


def _constant(value: int, width: int) -> int | bool:
    return bool(value) if width == 1 else value & ((1 << width) - 1)


def _extract(value: Any, width: int, node: Node) -> Any:
    if width == 1:
        return value
    cut = build.extract(value, node.extra + node.width - 1, node.extra)
    return build.eq(cut, 1, 1) if node.width == 1 else cut


_CONVERSIONS: Mapping[int, Callable[[Any, int, Node], Any]] = {
    NodeOp.ZEXT: lambda value, width, node: build.zext(value, width, node.width),
    NodeOp.SEXT: lambda value, width, node: build.sext(value, width, node.width),
    NodeOp.EXTRACT: _extract,
}

_UNARY: Mapping[int, Callable[[Any, int], Any]] = {
    NodeOp.ABS: build.abs_,
    NodeOp.BSWAP: build.bswap,
    NodeOp.BITREVERSE: build.bitreverse,
    NodeOp.CTPOP: build.popcount,
    NodeOp.CTLZ: build.clz,
    NodeOp.CTTZ: build.ctz,
}

_BINARY: Mapping[int, Callable[[Any, Any, int], Any]] = {
    NodeOp.ADD: build.add,
    NodeOp.SUB: build.sub,
    NodeOp.MUL: build.mul,
    NodeOp.UDIV: build.udiv,
    NodeOp.SDIV: build.sdiv,
    NodeOp.UREM: build.urem,
    NodeOp.SREM: build.srem,
    NodeOp.AND: build.and_,
    NodeOp.OR: build.or_,
    NodeOp.XOR: build.xor,
    NodeOp.SHL: build.shl,
    NodeOp.LSHR: build.lshr,
    NodeOp.ASHR: build.ashr,
    NodeOp.EQ: build.eq,
    NodeOp.NE: build.ne,
    NodeOp.ULT: build.ult,
    NodeOp.ULE: build.ule,
    NodeOp.SLT: build.slt,
    NodeOp.SLE: build.sle,
    NodeOp.SADD_OVERFLOW: build.sadd_overflow,
    NodeOp.UADD_OVERFLOW: build.uadd_overflow,
    NodeOp.SSUB_OVERFLOW: build.ssub_overflow,
    NodeOp.USUB_OVERFLOW: build.usub_overflow,
    NodeOp.SMUL_OVERFLOW: build.smul_overflow,
    NodeOp.UMUL_OVERFLOW: build.umul_overflow,
    NodeOp.UMIN: build.umin,
    NodeOp.UMAX: build.umax,
    NodeOp.SMIN: build.smin,
    NodeOp.SMAX: build.smax,
}

_ONE_BIT: Mapping[int, Callable[[Bool, Bool], Bool]] = {
    NodeOp.ADD: build.lxor,
    NodeOp.SUB: build.lxor,
    NodeOp.MUL: build.land,
    NodeOp.AND: build.land,
    NodeOp.OR: build.lor,
    NodeOp.XOR: build.lxor,
    NodeOp.EQ: build.iff,
    NodeOp.NE: build.lxor,
    NodeOp.ULT: lambda a, b: build.land(build.lnot(a), b),
    NodeOp.ULE: build.implies,
    NodeOp.SLT: lambda a, b: build.land(a, build.lnot(b)),
    NodeOp.SLE: lambda a, b: build.implies(b, a),
    NodeOp.UMIN: build.land,
    NodeOp.UMAX: build.lor,
    NodeOp.SMIN: build.lor,
    NodeOp.SMAX: build.land,
}
"""Arithmetic of single bits; as a signed number, true is -1."""
