"""``long double`` by our arithmetic, printing and reading, and by the machine's, in the format this machine has."""

from __future__ import annotations

import ctypes
import platform
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

from clew.expr.rewrite import fpmath
from clew.expr.rewrite.fpmath import Real
from clew.memory.floats import decoded, encoded, sort_of_float
from clew.models import reals
from clew.models.conversion import parse_float
from clew.models.parsing import LIMIT
from clew.program.types import FloatKind

KIND = {"x86_64": FloatKind.X86_FP80, "aarch64": FloatKind.FP128}.get(platform.machine(), FloatKind.DOUBLE)
SORT = sort_of_float(KIND)
BYTES = -(-SORT.width // 8)


class LongDouble(ctypes.c_longdouble):
    """Of a class of its own: what functions return is then not made a double."""


@cache
def _function(name: str, arity: int) -> Any:
    for library in ("libm.so.6", "libgcc_s.so.1"):
        function = getattr(ctypes.CDLL(library), name, None)
        if function is not None:
            function.restype, function.argtypes = LongDouble, [LongDouble] * arity
            return function
    return None


def native(value: Real) -> LongDouble:
    """A number as the machine has it."""
    bits: int = encoded(value, KIND)
    return LongDouble.from_buffer_copy(bits.to_bytes(ctypes.sizeof(LongDouble), "little"))


def read(value: LongDouble) -> Real:
    """The number that the machine has."""
    number: Real = decoded(int.from_bytes(bytes(value)[:BYTES], "little"), KIND)
    return number


def random_number(random: Random) -> Real:
    """Of all sizes; often near others, of few digits, or special."""
    kind = random.randrange(8)
    if kind == 0:
        return random.choice((0.0, -0.0, 1.0, -1.0, fpmath.INF, -fpmath.INF, fpmath.NAN, 0.5, 10.0))
    bits = random.getrandbits(SORT.width)
    if kind < 5:  # an exponent near 0
        digits = fpmath.limits(SORT)[0]
        middle = (fpmath.limits(SORT)[2] - 1 + random.randrange(-70, 70)) << (digits - 1)
        bits = bits & (1 << (SORT.width - 1) | (1 << (digits - 1)) - 1) | middle
    if kind in (3, 4):  # few digits
        bits &= -1 << random.randrange(20, SORT.width - 20)
    return fpmath.from_bits(bits, SORT)


_QUADRUPLE: dict[str, tuple[int, Callable[..., Real]]] = {
    "__addtf3": (2, lambda a, b: fpmath.add(a, b, SORT)),
    "__subtf3": (2, lambda a, b: fpmath.sub(a, b, SORT)),
    "__multf3": (2, lambda a, b: fpmath.mul(a, b, SORT)),
    "__divtf3": (2, lambda a, b: fpmath.div(a, b, SORT)),
}
"""What libgcc has where no instruction does it; elsewhere these take another type than ``long double``."""
_ARITHMETIC: dict[str, tuple[int, Callable[..., Real]]] = {
    **(_QUADRUPLE if KIND is FloatKind.FP128 else {}),
    "sqrtl": (1, lambda a: fpmath.sqrt(a, SORT)),
    "fmodl": (2, fpmath.rem),
    "fmal": (3, lambda a, b, c: fpmath.fma(a, b, c, SORT)),
    "rintl": (1, lambda a: fpmath.integral(a, "rne")),
    "roundl": (1, lambda a: fpmath.integral(a, "rna")),
    "floorl": (1, lambda a: fpmath.integral(a, "rtn")),
    "ceill": (1, lambda a: fpmath.integral(a, "rtp")),
}


def differences(random: Random, count: int) -> list[str]:
    """What arithmetic, printing and reading do not agree about, of so many random numbers."""
    found = []
    for _ in range(count):
        numbers = [random_number(random) for _ in range(3)]
        for name, (arity, ours) in _ARITHMETIC.items():
            function = _function(name, arity)
            if function is not None:
                mine, theirs = ours(*numbers[:arity]), read(function(*map(native, numbers[:arity])))
                if not fpmath.same(mine, theirs) and (mine == mine or theirs == theirs):
                    found.append(f"{name}{tuple(numbers[:arity])}: {mine}, not {theirs}")
        found += _text_differences(random, numbers[0])
    return found


def _text_differences(random: Random, number: Real) -> list[str]:
    """Of printing a number, and of reading what was printed."""
    if number != number:
        return []
    precision, letter = random.choice((None, 0, 1, 3, 15, 20, 40)), random.choice("fFeEgGaA")
    point = random.random() < 0.2
    ours = "-" * (fpmath.sign(number) < 0) + reals.known(reals.RealForm(letter, point, precision), number, SORT)
    form = f"%{'#' * point}{'' if precision is None else f'.{precision}'}L{letter}"
    buffer = ctypes.create_string_buffer(12000)
    ctypes.CDLL(None).snprintf(buffer, ctypes.c_size_t(len(buffer)), form.encode(), native(number))
    theirs = buffer.value.decode()
    if ours != theirs:
        return [f"printf {form}: {ours}, not {theirs}"]
    if len(theirs) > LIMIT:
        return []
    target = native(0.0)
    ctypes.CDLL(None).sscanf(buffer, b"%Lf", ctypes.byref(target))
    value = parse_float(buffer.value, SORT)[0]
    return [] if fpmath.same(value, read(target)) else [f"strtold {theirs}: {value}, not {read(target)}"]
