"""Walks over the DAG, without recursion: each node once, arguments before users."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from clew.expr.node import Expr, Value, as_bv, lower, postorder, reintern
from clew.expr.op import CONST, ITE, SYMBOL, Op
from clew.expr.rewrite import arith, arrays, bits, boolean, choice, conversions, equality, floats, linear, order, slices

_HARD: Final = frozenset({Op.UDIV, Op.SDIV, Op.UREM, Op.SREM, Op.FMUL, Op.FDIV, Op.FSQRT, Op.FFMA})


def hard_parts(expressions: Iterable[Expr]) -> Iterator[Expr]:
    """Operations in some expressions that solvers find hard: products of unknowns, divisions."""
    for node in postorder(expressions):
        if node.op in _HARD or is_product(node):
            yield node


def is_product(node: Expr) -> bool:
    """Whether unknowns are multiplied with each other."""
    return node.op is Op.MUL and all(arg.op is not CONST for arg in node.args)


def is_hard(expressions: Iterable[Expr]) -> bool:
    """Whether there are such operations in some expressions."""
    return any(True for _ in hard_parts(expressions))


def substitute(e: Value, mapping: Mapping[Expr, Value]) -> Value:
    """``e`` with nodes replaced by values, all at once; the result is simplified anew.

    The keys may be any nodes; what a replacement contains is not replaced again.
    """
    return _replaced(e, dict(mapping), lambda node: False)


def substituted_parts(e: Expr, mapping: Mapping[Expr, Value]) -> dict[Expr, Value]:
    """What ``substitute`` makes of ``e``, and of each part of it that it looks into."""
    done = dict(mapping)
    _replaced(e, done, lambda node: False)
    return done


def instantiate(e: Value, symbol: Expr, value: Value) -> Value:
    """``e`` with a value for one symbol. What does not have the symbol in it is not looked into, large as it may be."""
    return _replaced(e, {symbol: value}, lambda node: symbol not in node.symbols)


def _replaced(e: Value, done: dict[Expr, Any], stays: Callable[[Expr], bool]) -> Value:
    """``e`` with what is ``done`` in place; a node that ``stays`` is not looked into."""
    if type(e) is not Expr:
        return e
    stack = [e]
    while stack:
        node = stack[-1]
        if node in done:
            stack.pop()
        elif stays(node):
            done[stack.pop()] = lower(node)
        elif pending := _pending(node, done):
            stack.extend(pending)
        else:
            done[stack.pop()] = _rebuilt(node, done)
    result: Value = done[e]
    return result


def _pending(node: Expr, done: Mapping[Expr, Any]) -> list[Expr]:
    """What is looked into before a node is: of two arms, one that will not be chosen is not."""
    if node.op is ITE:
        condition, then, other = node.args
        if condition not in done:
            return [condition]
        decided = done[condition]
        if type(decided) is not Expr:
            arm = then if decided else other
            return [] if arm in done else [arm]
    return [arg for arg in node.args if arg not in done]


def _rebuilt(node: Expr, done: Mapping[Expr, Any]) -> Any:
    if node.op is CONST:
        return node.value
    if node.op is SYMBOL:
        return node
    if node.op is ITE:
        condition, then, other = node.args
        decided = done[condition]
        if type(decided) is not Expr:
            return done[then if decided else other]
    args = [done[arg] for arg in node.args]
    if all(new is old for new, old in zip(args, node.args, strict=True)):
        return node
    return rebuild(node, args)


def rebuild(node: Expr, args: list[Any]) -> Any:
    """The smart constructor of ``node``'s operator, applied to other arguments."""
    return _REBUILD[node.op](node, *args)


def _sum(e: Expr, *args: Any) -> Any:
    total = args[0]
    for arg in args[1:]:
        total = linear.add(total, arg, e.width)
    return total


def _guard_free(op: Op) -> Callable[..., Any]:
    """Conversions to integers sit below their guard already; only constants are computed."""
    convert = conversions.fp_to_sbv if op is Op.FP_TO_SBV else conversions.fp_to_ubv

    def rebuilt(e: Expr, a: Any) -> Any:
        if type(a) is Expr:
            return reintern(op, e.sort, (a,), e.value)
        return convert(a, e.args[0].sort, e.width)

    return rebuilt


def _concat(e: Expr, *args: Any) -> Any:
    return slices.glue([(new, old.width) for new, old in zip(args, e.args, strict=True)])


def _layer(e: Expr, older: Expr, *parts: Any) -> Expr:
    nodes = (as_bv(new, old.width) for new, old in zip(parts, e.args[1:], strict=True))
    return reintern(e.op, e.sort, (older, *nodes), e.value)


def _binary(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda e, a, b: function(a, b, e.width)


def _comparison(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda e, a, b: function(a, b, e.args[0].width)


def _float(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda e, *args: function(*args, e.sort)


_REBUILD: Final[dict[Op, Callable[..., Any]]] = {
    Op.ADD: _sum,
    Op.NEG: lambda e, a: linear.neg(a, e.width),
    Op.MUL: _binary(arith.mul),
    Op.UDIV: _binary(arith.udiv),
    Op.SDIV: _binary(arith.sdiv),
    Op.UREM: _binary(arith.urem),
    Op.SREM: _binary(arith.srem),
    Op.AND: _binary(bits.and_),
    Op.OR: _binary(bits.or_),
    Op.XOR: _binary(bits.xor),
    Op.NOT: lambda e, a: bits.not_(a, e.width),
    Op.SHL: _binary(bits.shl),
    Op.LSHR: _binary(bits.lshr),
    Op.ASHR: _binary(bits.ashr),
    Op.ZEXT: lambda e, a: slices.zext(a, e.args[0].width, e.width),
    Op.SEXT: lambda e, a: slices.sext(a, e.args[0].width, e.width),
    Op.EXTRACT: lambda e, a: slices.extract(a, *e.value),
    Op.CONCAT: _concat,
    Op.EQ: lambda e, a, b: equality.eq(a, b, e.args[0].width) if e.args[0].width else boolean.iff(a, b),
    Op.ULT: _comparison(order.ult),
    Op.ULE: _comparison(order.ule),
    Op.SLT: _comparison(order.slt),
    Op.SLE: _comparison(order.sle),
    Op.LNOT: lambda e, a: boolean.lnot(a),
    Op.LAND: lambda e, *args: boolean.conjunction(args),
    Op.ITE: lambda e, c, a, b: choice.ite(c, a, b, e.sort),
    Op.CONST_ARRAY: lambda e, a: arrays.const_array(a, e.sort.index_width, e.sort.element_width),
    Op.ARRAY_BYTES: lambda e: e,
    Op.STORE: lambda e, arr, idx, val: arrays.store(arr, idx, val),
    Op.SELECT: lambda e, arr, idx: arrays.select(arr, idx),
    Op.FADD: _float(floats.fadd),
    Op.FSUB: _float(floats.fsub),
    Op.FMUL: _float(floats.fmul),
    Op.FDIV: _float(floats.fdiv),
    Op.FNEG: _float(floats.fneg),
    Op.FABS: _float(floats.fabs),
    Op.FSQRT: _float(floats.fsqrt),
    Op.FFMA: _float(floats.ffma),
    Op.FROUND: lambda e, a: floats.fround(a, e.value, e.sort),
    Op.FEQ: lambda e, a, b: floats.feq(a, b),
    Op.FLT: lambda e, a, b: floats.flt(a, b),
    Op.FLE: lambda e, a, b: floats.fle(a, b),
    Op.FISNAN: lambda e, a: floats.fisnan(a),
    Op.FISINF: lambda e, a: floats.fisinf(a),
    Op.FP_FROM_BITS: lambda e, a: conversions.fp_from_bits(a, e.sort),
    Op.FP_TO_BITS: lambda e, a: conversions.fp_to_bits(a, e.args[0].sort),
    Op.FP_TO_FP: lambda e, a: conversions.fp_to_fp(a, e.args[0].sort, e.sort),
    Op.FP_TO_SBV: _guard_free(Op.FP_TO_SBV),
    Op.FP_TO_UBV: _guard_free(Op.FP_TO_UBV),
    Op.FP_FROM_SBV: lambda e, a: conversions.fp_from_sbv(a, e.args[0].width, e.sort),
    Op.FP_FROM_UBV: lambda e, a: conversions.fp_from_ubv(a, e.args[0].width, e.sort),
    Op.COMPREHENSION: _layer,
}
