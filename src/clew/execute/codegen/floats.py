"""Floating-point operations as Python expressions.

A concrete ``double`` is a Python float, a concrete ``float`` a Python float that single precision
can hold: computing in double and rounding once more gives the correctly rounded single result for
``+ - * /``. Symbolic floats are ``Expr`` objects whose ``+ - *`` are overloaded. Everything else is
a call into ``clew.expr.build``, which folds concrete operands.
"""

from __future__ import annotations

from clew.base.errors import InternalError
from clew.memory import floats
from clew.program.types import FloatKind, FloatType, IntType, Type

_DUCK = {"fadd": "+", "fsub": "-", "fmul": "*"}
SORTS = {kind: repr(sort) for kind, sort in floats.SORTS.items()}


def sort(type: FloatType) -> str:
    """The name of the sort of a supported float type; others are reported where they are met."""
    name = SORTS.get(type.kind)
    if name is None:
        return f"no_such_float({type.kind.value!r})"
    return name


def binary(op: str, a: str, b: str, type: FloatType) -> str:
    """``fadd fsub fmul fdiv frem``."""
    if op in _DUCK and type.kind is FloatKind.DOUBLE:
        return f"{a} {_DUCK[op]} {b}"
    if op in _DUCK and type.kind is FloatKind.FLOAT:
        return f"round_single({a} {_DUCK[op]} {b})"
    return f"{op}({a}, {b}, {sort(type)})"


_ORDERED = {
    "oeq": "feq({a}, {b})",
    "olt": "flt({a}, {b})",
    "ole": "fle({a}, {b})",
    "ogt": "flt({b}, {a})",
    "oge": "fle({b}, {a})",
    "one": "flt({a}, {b}) | flt({b}, {a})",
    "ord": "(fisnan({a}) | fisnan({b})) ^ True",
    "uno": "fisnan({a}) | fisnan({b})",
    "ueq": "(flt({a}, {b}) | flt({b}, {a})) ^ True",
    "une": "feq({a}, {b}) ^ True",
    "ult": "fle({b}, {a}) ^ True",
    "ule": "flt({b}, {a}) ^ True",
    "ugt": "fle({a}, {b}) ^ True",
    "uge": "flt({a}, {b}) ^ True",
    "true": "True",
    "false": "False",
}
_CONCRETE = {"oeq": "==", "olt": "<", "ole": "<=", "ogt": ">", "oge": ">=", "une": "!="}


def compare(predicate: str, a: str, b: str) -> str:
    """``fcmp``."""
    symbolic = _ORDERED[predicate].format(a=a, b=b)
    if predicate not in _CONCRETE:
        return symbolic
    return f"{a} {_CONCRETE[predicate]} {b} if type({a}) is float and type({b}) is float else {symbolic}"


def cast(op: str, a: str, source: Type, target: Type) -> str:
    """Casts from, to and between floats."""
    match op, source, target:
        case (("fptrunc" | "fpext"), FloatType(), FloatType()):
            return f"fp_to_fp({a}, {sort(source)}, {sort(target)})"
        case "fptosi", FloatType(), IntType(width=width):
            return f"float_to_int({a}, {sort(source)}, {width}, True)"
        case "fptoui", FloatType(), IntType(width=width):
            return f"float_to_int({a}, {sort(source)}, {width}, False)"
        case "sitofp", IntType(width=width), FloatType():
            return f"int_to_float({a}, {width}, {sort(target)}, True)"
        case "uitofp", IntType(width=width), FloatType():
            return f"int_to_float({a}, {width}, {sort(target)}, False)"
        case "bitcast", FloatType(kind=kind), IntType():
            return f"encoded({a}, {kind})"
        case "bitcast", IntType(), FloatType(kind=kind):
            return f"decoded({a}, {kind})"
    raise InternalError(f"{op} from {source} to {target}")
