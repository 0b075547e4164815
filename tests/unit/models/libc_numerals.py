"""Floating-point numerals in symbolic text, by the model of ``strtod`` and by the real one."""

from __future__ import annotations

import ctypes
from functools import cache
from random import Random
from typing import Any

from clew.expr import build
from clew.expr.sort import bv
from unit.models.typed import DOUBLE, FLOAT, PTR, TypedDriver, same_float

SHAPES = (b"1e5 -2.5E-3x 1e+ 0x1p4 0x.8 0x -inf INFINITYx infin nan nan(a1) nan( 9e99 1e999 1e-999 0e999 .5e1 e5 "
          b"1.5e-22 123456789012345678 0x1.8p-3").split()  # fmt: skip


@cache
def libc() -> ctypes.CDLL:
    """With ``errno``."""
    return ctypes.CDLL(None, use_errno=True)


def real(name: str, text: bytes, base: int | None, result: type) -> tuple[Any, int, int]:
    """Value, end and errno of the real function."""
    function = getattr(libc(), name)
    function.restype = result
    buffer = ctypes.create_string_buffer(text)
    end = ctypes.c_void_p()
    start = ctypes.addressof(buffer)
    ctypes.set_errno(0)
    rest = [] if base is None else [ctypes.c_int(base)]
    value = function(ctypes.c_void_p(start), ctypes.byref(end), *rest)
    return value, (end.value or 0) - start, ctypes.get_errno()


def random_numeral(random: Random) -> bytes:
    """Something that is close to one."""
    return bytes(random.choice(b"0123456789..eE+-xpinf") for _ in range(random.randrange(1, 8)))


def differences(random: Random, count: int, name: str, result: type) -> list[str]:
    """What model and function do not agree about, of so many random numerals and of some that are known to be hard."""
    found = []
    for text in [*SHAPES, b" \t12e2", *(random_numeral(random) for _ in range(count))]:
        mine, expected = modelled(name, text), real(name, text, None, result)
        if not same_float(mine[0], expected[0]) or mine[1:] != expected[1:]:
            found.append(f"{name}({text!r}): {mine}, not {expected}")
    return found


def modelled(name: str, text: bytes) -> tuple[float, int, int]:
    """Value, end and errno of the model, which is given symbols that have the text as their values."""
    values: Any = {build.symbol(f"s{n}", bv(8)): byte for n, byte in enumerate(text)}
    driver = TypedDriver(values)
    start, end = driver.buffer([*values, 0]), driver.buffer([0] * 8)
    value = driver.typed(name, DOUBLE if name == "strtod" else FLOAT, (PTR, start), (PTR, end))
    model = driver.state.model
    return float(model.eval(value)), int(model.eval(driver.state.memory.load_bits(end, 8))) - start, driver.errno()
