"""The names generated code can use, and machines whose code uses them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clew.analysis.callees import LibraryModel
from clew.execute import access, bulk, decide, invoke, outputs, traps, undefined, values
from clew.execute.assembly import assembly
from clew.execute.floatmath import (
    concrete_math,
    float_class,
    float_to_int_sat,
    fraction_and_power,
    fraction_and_whole,
    three_way,
)
from clew.execute.frame import Frame
from clew.execute.machine import Machine
from clew.execute.state import State
from clew.expr import build
from clew.memory import floats
from clew.program.module import Program
from clew.program.types import FloatKind

_BUILD = (
    "add sub mul udiv sdiv urem srem and_ or_ xor shl lshr ashr not_ neg eq ne ult ule ugt uge slt sle sgt sge "
    "zext sext trunc extract concat bool_to_bv ite fadd fsub fmul fdiv frem fneg fabs fsqrt ffma fmin fmax "
    "fround feq flt fle fisnan fisinf fp_from_bits fp_to_bits fp_to_fp popcount ctz clz bswap bitreverse umin umax "
    "smin smax abs_ fshl fshr "
    "sadd_overflow uadd_overflow ssub_overflow usub_overflow smul_overflow umul_overflow"
).split()
_ACCESS = (
    "load store load_float store_float load_typed store_typed store_undefined "
    "atomic_update compare_exchange object_size save_stack restore_stack"
).split()
_BULK = "copy_apart copy_memory fill_memory allocate".split()
_DECIDE = ("branch test decided switch concretize divide assume_quietly jump_target").split()
_TRAPS = "trap sanitizer_trap unreachable unsupported".split()
_INVOKE = (
    "activate enter enter_with enter_indirect leave call_model call_undefined start_arguments copy_arguments "
    "next_argument"
).split()
_VALUES = (
    "choose with_element round_single float_to_int int_to_float multiply_add copysign no_such_float no_such_value "
    "low_bit sadd_sat uadd_sat ssub_sat usub_sat"
).split()


def cover(s: State, unit: int, leaf: int) -> None:
    """Called by generated code when a leaf is taken for the first time."""
    if s.run.coverage.leaf(unit, leaf):
        s.covered_new = True


def reinterpret(s: Any, value: Any, source: Any, target: Any) -> Any:
    """``bitcast`` from or to a vector."""
    return values.reinterpret_lanes(value, source, target, s.run.layout)


def build_machine(program: Program, models: Mapping[str, LibraryModel], traced: bool = False) -> Machine:
    """A program made ready to run. ``traced``: its code tells states of the choices and values on their way."""
    return Machine(program, models, helper_names(), traced)


def helper_names() -> dict[str, Any]:
    """The global names of every generated function."""
    table: dict[str, Any] = {
        "Frame": Frame,
        **{repr(sort): sort for sort in floats.SORTS.values()},
        "FloatKind": FloatKind,
        "encoded": floats.encoded,
        "decoded": floats.decoded,
        "SLOW": (KeyError, IndexError, TypeError, ValueError),
    }
    for module, names in (
        (build, _BUILD),
        (access, _ACCESS),
        (bulk, _BULK),
        (decide, _DECIDE),
        (invoke, _INVOKE),
        (traps, _TRAPS),
        (values, _VALUES),
    ):
        for name in names:
            table[name] = getattr(module, name)
    table.update(
        assembly=assembly, undefined=undefined.undefined, returned_code=outputs.returned_code, cover=cover,
        reinterpret=reinterpret, concrete_math=concrete_math, float_class=float_class,
        float_to_int_sat=float_to_int_sat, fraction_and_power=fraction_and_power,
        fraction_and_whole=fraction_and_whole, three_way=three_way,
    )  # fmt: skip
    return table
