"""Formats and texts at random, read by the model of ``scanf`` and by the real one: all that a program sees of it."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from clew.execute.ends import Failed
from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.sort import bv
from clew.models.scanning import Scan
from clew.models.streams import StringSupply, Supply
from clew.models.varargs import PassedArguments
from clew.program.types import PTR
from unit.models.calls import Call

SIZE = 32
CONVERSIONS = [
    "%*[ 1]",
    *"%d %i %u %x %o %hhd %hd %ld %lld %zu %jd %3d %2x %1u %*d %5i %hu %td %p %lf %f %4lf %*f".split(),
    *"%s %3s %1s %*s %*2s %c %3c %*c %n %hhn %[0-9] %3[^:] %[]x] %[^]] %[a-f] %*[^a] %%".split(),
]
BETWEEN = ["", "", "", " ", ":", ",", "\n", "x"]
PIECES = [" ", "\n", "-", "+", "0", "7", "12", "x", "0x", "a", ":", ",", "99999999999999999999", ".", "e", "p", "inf",
          "inity", "nan", "i", "n", "(", "(nil", ")", "1e9", "0.1", "%", "]", "\xff", "word", "\0"]  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """What a call returns and stores; of a stream also how far it has read, and if it saw the end."""

    result: int
    stored: tuple[bytes, ...]
    position: int | None = None
    ended: bool | None = None


@cache
def libc() -> ctypes.CDLL:
    library = ctypes.CDLL(None)
    library.fmemopen.restype = ctypes.c_void_p
    return library


def _function(name: str) -> Any:
    return getattr(libc(), f"__isoc99_{name}", getattr(libc(), name))


def real(text: bytes, form: bytes, count: int, string: bool) -> Outcome:
    """What libc does, with a string or with a stream."""
    targets = [ctypes.create_string_buffer(b"\xaa" * SIZE, SIZE) for _ in range(count)]
    if string:
        result = _function("sscanf")(text, form, *targets)
        return Outcome(int(result), tuple(target.raw for target in targets))
    content = ctypes.create_string_buffer(text, len(text) + 1)
    stream = ctypes.c_void_p(libc().fmemopen(content, ctypes.c_size_t(len(text)), b"r"))
    result = _function("fscanf")(stream, form, *targets)
    position, ended = int(libc().ftell(stream)), bool(libc().feof(stream))
    libc().fclose(stream)
    return Outcome(int(result), tuple(target.raw for target in targets), position, ended)


def modelled(text: bytes, form: bytes, count: int, string: bool, symbolic: bool) -> Outcome:
    """What the model does; ``symbolic``: with symbols that have the text as their values."""
    symbols = [build.symbol(f"t{place}", bv(8)) for place in range(len(text))]
    model = Model(dict(zip(symbols, text, strict=True)))
    call: Any = Call(model)
    targets = tuple(call.put(b"\xaa" * SIZE) for _ in range(count))
    values: list[Any] = list(symbols if symbolic else text)
    source = StringSupply(values) if string else Supply((), values, 0, len(values))
    scan = Scan(call, source, PassedArguments(targets, (PTR,) * count, 64))
    value = int(model.eval(scan.run(form)))
    assert all(model.eval(condition) for condition in call.path)
    stored = tuple(bytes(model.eval(byte) for byte in call.read_bytes(target, SIZE)) for target in targets)
    result = value - (1 << 32) if value >> 31 else value
    if string:
        return Outcome(result, stored)
    return Outcome(result, stored, int(model.eval(scan.position)), bool(model.eval(scan.hit_end)))


def differences(random: Random, count: int) -> list[str]:
    """What model and function do not agree about, of so many formats and texts."""
    found = []
    for _ in range(count):
        parts = [(random.choice(CONVERSIONS), random.choice(BETWEEN)) for _ in range(random.randrange(1, 4))]
        form = "".join(conversion + after for conversion, after in parts).encode()
        targets = sum(conversion[1] not in "*%" for conversion, _ in parts)
        text = "".join(random.choices(PIECES, k=random.randrange(random.randrange(1, 8)))).encode("latin-1")
        text = text.replace(b"-nan", b"nan")  # its sign is not kept
        string = random.random() < 0.5
        if string or not text:  # fmemopen has no empty files
            string, text = True, text.split(b"\0")[0]
        case = text, form, targets, string
        try:
            outcomes = [modelled(*case, symbolic) for symbolic in (False, True)]
        except Failed as failure:
            if any(len(word) < SIZE for word in text.split()):
                found.append(f"{case}: fails: {failure}")
            continue
        expected = real(*case)
        found += [f"{case}: {mine}, not {expected}" for mine in outcomes if mine != expected]
    return found
