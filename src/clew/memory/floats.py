"""Floats in memory: which sort a type of LLVM's is, and how its values are encoded.

All formats but one are encoded as IEEE has it. x87's (``x86_fp80``, the ``long double`` of x86) writes the
leading one of a normal number as well, between exponent and fraction. Where that bit is not what the exponent says, the
processor takes the number for a NaN, but for an exponent of 0, which then means 1.
"""

from __future__ import annotations

from typing import Any, Final

from clew.base.errors import Unsupported
from clew.expr import build
from clew.expr.rewrite.fpmath import NAN
from clew.expr.sort import F16, F32, F64, F79, F128, Sort
from clew.program.types import FloatKind

SORTS: Final = {
    FloatKind.HALF: F16,
    FloatKind.FLOAT: F32,
    FloatKind.DOUBLE: F64,
    FloatKind.X86_FP80: F79,
    FloatKind.FP128: F128,
}
_FRACTION: Final = 63
"""Bits of x87's fraction."""
_EXPONENT: Final = 15


def sort_of_float(kind: FloatKind) -> Sort:
    """The sort of a float type that Clew models."""
    sort = SORTS.get(kind)
    if sort is None:
        raise Unsupported(f"floating-point type {kind.value}")
    return sort


def encoded(value: Any, kind: FloatKind) -> Any:
    """A float as the integer that memory holds for it."""
    bits = build.fp_to_bits(value, sort_of_float(kind))
    if kind is not FloatKind.X86_FP80:
        return bits
    head, fraction = _cut(bits, _FRACTION)
    normal = build.bool_to_bv(build.ne(build.extract(bits, 77, _FRACTION), 0, _EXPONENT), 1)
    return build.concat(build.concat(head, _EXPONENT + 1, normal, 1), _EXPONENT + 2, fraction, _FRACTION)


def decoded(bits: Any, kind: FloatKind) -> Any:
    """The float that an integer in memory stands for."""
    sort = sort_of_float(kind)
    if kind is not FloatKind.X86_FP80:
        return build.fp_from_bits(bits, sort)
    head, fraction = _cut(bits, _FRACTION + 1)[0], build.extract(bits, _FRACTION - 1, 0)
    zero = build.eq(build.extract(bits, 78, _FRACTION + 1), 0, _EXPONENT)
    leading = build.eq(build.extract(bits, _FRACTION, _FRACTION), 1, 1)
    packed = build.concat(head, _EXPONENT + 1, fraction, _FRACTION)
    raised = build.fp_from_bits(build.or_(packed, 1 << _FRACTION, sort.width), sort)
    unusual = build.ite(zero, raised, NAN, sort)
    return build.ite(build.iff(leading, zero), unusual, build.fp_from_bits(packed, sort), sort)


def _cut(bits: Any, low: int) -> tuple[Any, Any]:
    """Sign and exponent, and what is below them."""
    return build.extract(bits, low + _EXPONENT, low), build.extract(bits, low - 1, 0)
