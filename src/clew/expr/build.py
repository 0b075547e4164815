"""All smart constructors under one roof.

Each takes plain values (int, bool, float) and nodes alike, folds what it can, brings the rest into
a canonical form, and returns a plain value exactly if the result is constant. See the modules of
``clew.expr.rewrite`` for the forms.
"""

# ruff: noqa: F401
# mypy: implicit-reexport

from __future__ import annotations

from clew.expr import operators as _operators  # gives nodes their operators
from clew.expr import pickling as _pickling  # and their pickled form
from clew.expr.comprehension import comprehend, select, select_word, store, store_word
from clew.expr.node import BV, FP, Bool, Expr, Value, symbol
from clew.expr.rewrite.arith import mul, sdiv, srem, udiv, urem
from clew.expr.rewrite.arrays import array_from_bytes, const_array
from clew.expr.rewrite.bits import and_, ashr, lshr, not_, or_, shl, xor
from clew.expr.rewrite.boolean import conjunction, disjunction, iff, implies, land, lnot, lor, lxor
from clew.expr.rewrite.choice import ite
from clew.expr.rewrite.conversions import (
    fp_from_bits,
    fp_from_sbv,
    fp_from_ubv,
    fp_to_bits,
    fp_to_fp,
    fp_to_sbv,
    fp_to_ubv,
)
from clew.expr.rewrite.counting import (
    abs_,
    bitreverse,
    bswap,
    clz,
    ctz,
    fshl,
    fshr,
    popcount,
    smax,
    smin,
    umax,
    umin,
)
from clew.expr.rewrite.equality import eq, ne, trunc
from clew.expr.rewrite.floats import (
    fabs,
    fadd,
    fdiv,
    feq,
    ffma,
    fisinf,
    fisnan,
    fle,
    flt,
    fmax,
    fmin,
    fmul,
    fneg,
    frem,
    fround,
    fsqrt,
    fsub,
)
from clew.expr.rewrite.linear import add, neg, sub
from clew.expr.rewrite.order import sge, sgt, sle, slt, uge, ugt, ule, ult
from clew.expr.rewrite.overflow import (
    sadd_overflow,
    smul_overflow,
    ssub_overflow,
    uadd_overflow,
    umul_overflow,
    usub_overflow,
)
from clew.expr.rewrite.slices import bool_to_bv, concat, extract, sext, zext
