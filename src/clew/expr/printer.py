"""Expressions as text for people: infix, with a bound on length.

    show(e)  ->  "(x + 2*y + -3) <s zext32(b)"

Shared nodes are written out again at each use until ``limit`` characters are spent; then "..."
stands for what is left. So a DAG whose tree is exponential costs no more than ``limit``.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from clew.expr.node import Expr, Value
from clew.expr.op import Op
from clew.expr.rewrite import fpmath
from clew.expr.sort import BOOL, SortKind

_INFIX: Final = {
    Op.ADD: " + ",
    Op.MUL: " * ",
    Op.UDIV: " /u ",
    Op.SDIV: " /s ",
    Op.UREM: " %u ",
    Op.SREM: " %s ",
    Op.AND: " & ",
    Op.OR: " | ",
    Op.XOR: " ^ ",
    Op.SHL: " << ",
    Op.LSHR: " >>u ",
    Op.ASHR: " >>s ",
    Op.EQ: " == ",
    Op.ULT: " <u ",
    Op.ULE: " <=u ",
    Op.SLT: " <s ",
    Op.SLE: " <=s ",
    Op.LAND: " && ",
    Op.FADD: " +. ",
    Op.FSUB: " -. ",
    Op.FMUL: " *. ",
    Op.FDIV: " /. ",
    Op.FEQ: " ==. ",
    Op.FLT: " <. ",
    Op.FLE: " <=. ",
}
_PREFIX: Final = {Op.NEG: "-", Op.NOT: "~", Op.LNOT: "!", Op.FNEG: "-."}


def show(e: Value, limit: int = 2000) -> str:
    """``e`` as text of about ``limit`` characters at most."""
    out: list[str] = []
    spent = 0
    # What is still to write, the next on top: texts and nodes.
    stack: list[str | Value] = [e]
    while stack:
        item = stack.pop()
        if isinstance(item, Expr):
            parts = _parts(item)
            if len(parts) > 1 and spent > limit:
                parts = ["..."]
            if len(parts) > 1:
                stack.extend(reversed(parts))
                continue
            item = parts[0]
        text = item if isinstance(item, str) else repr(item)
        out.append(text)
        spent += len(text)
    text = "".join(out)
    return text[1:-1] if isinstance(e, Expr) and _parts(e)[0] == "(" else text


def _parts(e: Expr) -> list[str | Value]:
    """One level of ``e``: texts and arguments in writing order; a leaf is one text."""
    op = e.op
    if op is Op.CONST:
        return [_constant(e)]
    if op is Op.SYMBOL:
        return [str(e.value)]
    if op is Op.LNOT and e.args[0].op is Op.LAND:
        return ["(", *_separated([_opposite(arg) for arg in e.args[0].args], " || "), ")"]
    if op is Op.LNOT and e.args[0].op is Op.EQ:
        a, b = e.args[0].args
        return ["(", a, " != ", b, ")"]
    if op in _INFIX:
        return ["(", *_separated([[arg] for arg in e.args], _INFIX[op]), ")"]
    if op in _PREFIX:
        return [_PREFIX[op], e.args[0]]
    if op is Op.ITE:
        return ["(", e.args[0], " ? ", e.args[1], " : ", e.args[2], ")"]
    if op is Op.EXTRACT and isinstance(e.value, tuple):
        return [e.args[0], f"[{e.value[0]}:{e.value[1]}]"]
    if op is Op.SELECT:
        return [e.args[0], "[", e.args[1], "]"]
    return [_name(e) + "(", *_separated([[arg] for arg in e.args], ", "), ")"]


def _opposite(e: Expr) -> list[str | Value]:
    return [e.args[0]] if e.op is Op.LNOT else ["!", e]


def _separated(items: list[list[str | Value]], separator: str) -> list[str | Value]:
    parts: list[str | Value] = []
    for item in items:
        if parts:
            parts.append(separator)
        parts.extend(item)
    return parts


def _name(e: Expr) -> str:
    name = e.op.name.lower()
    if e.op in (Op.ZEXT, Op.SEXT, Op.FP_TO_SBV, Op.FP_TO_UBV, Op.FP_FROM_SBV, Op.FP_FROM_UBV, Op.FP_TO_FP):
        return f"{name}{e.width}"
    if e.op is Op.ARRAY_BYTES and isinstance(e.value, bytes):
        return f"bytes[{len(e.value)}]"
    return f"{name}.{e.value}" if e.op is Op.FROUND else name


def _constant(e: Expr) -> str:
    """Small numbers in decimal, those just below 2**width as negative, the rest in hexadecimal."""
    value = e.value
    if isinstance(value, Fraction):
        return f"bits {fpmath.to_bits(value, e.sort):#x}"
    if e.sort is BOOL or e.sort.kind is SortKind.FLOAT or not isinstance(value, int):
        return str(value)
    if e.width > 8 and value > e.mask - 1000:
        return str(value - e.mask - 1)
    return str(value) if value < 1000 else hex(value)
