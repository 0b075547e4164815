"""string.h and strings.h: models against the real libc, on concrete and on symbolic bytes; errors; no forks."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Sequence
from typing import Any

import pytest

from clew.base.errors import PathEnd
from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from unit.models.drive import Driver, native, symbol

SIZE = 8
ROOM = 40
ALPHABET = b"abAB, \0\xe9"

# Arguments: s a string, d a string with room to grow, m a block, c a character, n a count.
FUNCTIONS = {
    "strlen": ("s", "size"), "strnlen": ("sn", "size"),
    "strcmp": ("ss", "sign"), "strncmp": ("ssn", "sign"), "strcoll": ("ss", "sign"), "memcmp": ("mmn", "sign"),
    "bcmp": ("mmn", "zero"), "strcasecmp": ("ss", "sign"), "strncasecmp": ("ssn", "sign"),
    "strchr": ("sc", "pointer"), "index": ("sc", "pointer"), "strrchr": ("sc", "pointer"),
    "rindex": ("sc", "pointer"), "strchrnul": ("sc", "pointer"), "memchr": ("mcn", "pointer"),
    "memrchr": ("mcn", "pointer"), "strspn": ("ss", "size"), "strcspn": ("ss", "size"),
    "strpbrk": ("ss", "pointer"), "strstr": ("ss", "pointer"), "strcasestr": ("ss", "pointer"),
    "memmem": ("mnmn", "pointer"), "strcpy": ("ds", "pointer"), "stpcpy": ("ds", "pointer"),
    "strncpy": ("dsn", "pointer"), "stpncpy": ("dsn", "pointer"), "strcat": ("ds", "pointer"),
    "strncat": ("dsn", "pointer"), "strxfrm": ("dsn", "size"), "memcpy": ("dmn", "pointer"),
    "memmove": ("dmn", "pointer"), "mempcpy": ("dmn", "pointer"), "memset": ("dcn", "pointer"),
    "memccpy": ("dmcn", "pointer"), "bzero": ("dn", "none"), "bcopy": ("mdn", "none"),
    "explicit_bzero": ("dn", "none"),
}  # fmt: skip
RESULTS: dict[str, type | None] = {
    "size": ctypes.c_size_t, "sign": ctypes.c_int, "zero": ctypes.c_int, "pointer": ctypes.c_void_p, "none": None,
}  # fmt: skip


def argument(kind: str, rng: random.Random) -> Any:
    match kind:
        case "s":
            return bytes(rng.choices(ALPHABET, k=rng.randrange(1, SIZE))).ljust(SIZE, b"\0")
        case "m":
            return bytes(rng.choices(ALPHABET, k=SIZE))
        case "d":
            start = bytes(rng.choices(b"xyz", k=rng.randrange(4))) + b"\0"
            return start + bytes(rng.choices(ALPHABET, k=ROOM - len(start)))
        case "c":
            return rng.choice(ALPHABET) + rng.choice((0, 256))
    return rng.randrange(SIZE + 1)


def seen(value: Any, how: str, bases: list[int]) -> Any:
    """A result in a form that does not depend on addresses."""
    if how == "none":
        return None
    if how in ("sign", "zero"):
        signed = value - (1 << 32) if value >= 1 << 31 else value
        return signed != 0 if how == "zero" else (signed > 0) - (signed < 0)
    if how == "pointer":
        near = [(which, value - base) for which, base in enumerate(bases) if 0 <= value - base <= ROOM]
        return near[-1] if value else None
    return value


def expected(name: str, arguments: list[Any], offsets: Sequence[int] = ()) -> tuple[Any, list[bytes]]:
    """What the real function returns, and its buffers afterwards."""
    how = FUNCTIONS[name][1]
    real = [(ctypes.c_char * len(a)).from_buffer_copy(a) if isinstance(a, bytes) else a for a in arguments]
    result = native(name, RESULTS[how], real, offsets)
    buffers = [a for a in real if not isinstance(a, int)]
    shown = seen(result or 0, how, [ctypes.addressof(buffer) for buffer in buffers])
    return shown, [bytes(buffer) for buffer in buffers]


def modelled(name: str, driver: Driver, places: list[Any], model: Model, result: Any) -> tuple[Any, list[bytes]]:
    kinds, how = FUNCTIONS[name]
    bases = [place for kind, place in zip(kinds, places, strict=True) if kind in "smd"]
    sizes = [ROOM if kind == "d" else SIZE for kind in kinds if kind in "smd"]
    shown = seen(model.eval(result), how, bases) if result is not None else None
    return shown, [driver.contents(base, size, model) for base, size in zip(bases, sizes, strict=True)]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_concrete_arguments_give_what_libc_gives(name: str) -> None:
    rng = random.Random(name)
    for _ in range(25):
        arguments = [argument(kind, rng) for kind in FUNCTIONS[name][0]]
        driver = Driver()
        places = [driver.buffer(a) if isinstance(a, bytes) else a for a in arguments]
        result = driver.call(name, *places)
        assert not isinstance(result, Expr)
        assert modelled(name, driver, places, Model({}), result) == expected(name, arguments), arguments
        assert len(driver.state.path) == 0


def mixed(kind: str, value: Any, label: str, rng: random.Random, values: dict[Expr, int]) -> Any:
    """Some of an argument's bytes become symbols."""
    if kind == "n" and rng.random() < 0.4:
        return symbol(label, 64, value, values)
    if kind == "c" and rng.random() < 0.5:
        return symbol(label, 32, value, values)
    if not isinstance(value, bytes):
        return value
    share = rng.choice((0.0, 0.3, 1.0))
    return [symbol(f"{label}{at}", 8, b, values) if rng.random() < share else b for at, b in enumerate(value)]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_formulas_agree_with_libc_for_all_inputs_of_the_path(name: str) -> None:
    """One call with symbols; then other inputs that the path allows must agree, too."""
    rng, compared = random.Random(name), 0
    kinds, _ = FUNCTIONS[name]
    for _ in range(12):
        arguments = [argument(kind, rng) for kind in kinds]
        values: dict[Expr, int] = {}
        shapes = [mixed(k, a, f"{k}{at}_", rng, values) for at, (k, a) in enumerate(zip(kinds, arguments, strict=True))]
        driver = Driver(values)
        places = [driver.buffer(shape) if isinstance(shape, list) else shape for shape in shapes]
        result = driver.call(name, *places)
        for attempt in range(12):
            others = arguments if attempt == 0 else [argument(kind, rng) for kind in kinds]
            model = Model(assignment(kinds, shapes, others, values))
            if not driver.allows(model):
                assert attempt, "the path excludes the inputs it was run with"
                continue
            actual = [instance(shape, model) for shape in shapes]
            at = [model.eval(place) for place in places]
            assert modelled(name, driver, at, model, result) == expected(name, actual), actual
            compared += 1
    assert compared >= 24


def assignment(kinds: str, shapes: list[Any], others: list[Any], values: dict[Expr, int]) -> dict[Expr, int]:
    result = dict(values)
    for shape, other in zip(shapes, others, strict=True):
        if isinstance(shape, Expr):
            result[shape] = other
        elif isinstance(shape, list):
            result |= {b: other[at] for at, b in enumerate(shape) if isinstance(b, Expr)}
    return result


def instance(shape: Any, model: Model) -> Any:
    return bytes(int(model.eval(b)) for b in shape) if isinstance(shape, list) else int(model.eval(shape))


@pytest.mark.parametrize("name", [name for name, (kinds, _) in FUNCTIONS.items() if set(kinds) & set("sm")])
def test_symbolic_pointers_agree_with_libc(name: str) -> None:
    """Sources are entered at a symbolic offset."""
    rng, compared = random.Random(name), 0
    kinds, _ = FUNCTIONS[name]
    for _ in range(8):
        arguments = [min(argument(kind, rng), 4) if kind == "n" else argument(kind, rng) for kind in kinds]
        moved = [kind in "sm" and rng.random() < 0.7 for kind in kinds]
        values: dict[Expr, int] = {}
        steps = [symbol(f"o{at}", 64, rng.randrange(4), values) if on else 0 for at, on in enumerate(moved)]
        shapes = [mixed(k, a, f"{k}{at}_", rng, values) for at, (k, a) in enumerate(zip(kinds, arguments, strict=True))]
        driver = Driver(values)
        places = [driver.buffer(shape) if isinstance(shape, list) else shape for shape in shapes]
        starts = [
            build.add(place, step, 64) if on else place for place, step, on in zip(places, steps, moved, strict=True)
        ]
        result = driver.call(name, *starts)
        for attempt in range(10):
            chosen = assignment(kinds, shapes, arguments if attempt == 0 else [argument(k, rng) for k in kinds], values)
            chosen |= {step: rng.randrange(4) for step in steps if isinstance(step, Expr) and attempt}
            model = Model(chosen)
            if not driver.allows(model):
                assert attempt, "the path excludes the inputs it was run with"
                continue
            actual = [instance(shape, model) for shape in shapes]
            bases = [model.eval(place) for place in places]
            wanted = expected(name, actual, [int(model.eval(step)) for step in steps])
            assert modelled(name, driver, bases, model, result) == wanted, (actual, chosen)
            compared += 1
    assert compared >= 8


def test_models_end_paths_only_as_paths_end() -> None:
    """Whatever is thrown at a model, it answers or ends the path."""
    rng = random.Random(7)
    for name, (kinds, _) in FUNCTIONS.items():
        for _ in range(10):
            driver = Driver()
            good = [driver.buffer(argument(k, rng)) if k in "smd" else argument(k, rng) for k in kinds]
            bad = [rng.choice((0, 5, place + SIZE, place + 10**6, (1 << 64) - 1, place)) for place in good]
            try:
                driver.call(name, *bad)
            except PathEnd:
                continue
