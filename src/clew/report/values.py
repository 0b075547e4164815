"""Input values: what a test feeds to the program, and their three faces (C value, bytes, JSON).

An ``InputValue`` holds the value as C sees it: an ``int`` of a signed type may be negative, an
unsigned one never is, a floating-point value is a Python ``float``, and anything wider than a
scalar (an array, a struct, an object named by ``klee_make_symbolic``) is its little-endian bytes.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from clew.base.dataclass import dataclass
from clew.base.location import Location
from clew.base.pattern import pattern
from clew.report.formats import present

Value = int | float | bytes
KINDS = ("nondet", "object", "parameter", "made-up", "memory", "cell", "pointer", "call", "returned")
HEAP_KINDS = frozenset(("memory", "cell", "pointer", "call", "returned"))
"""Of inputs that say what memory a function is given, and what functions do that it is given: see ``InputValue``."""
POINTEES = ("null", "object", "global", "function", "callback", "number")

ARRAY = pattern(r"^(?P<element>.*?)\s*\[(?P<count>\d+)\]$")
_SCALAR = pattern(r"(?:(?:const|volatile|signed|unsigned|char|short|int|long|float|double|_Bool)\s*)+")
_UNSIGNED_WORD = pattern(r"unsigned|\*|_Bool|bool|size_t|uintptr_t|u(int)?\d+(_t)?")
_FLOAT_CODES = {32: "<f", 64: "<d"}
_MOST_MEMORY, _MOST_OBJECTS = 1 << 32, 1 << 20
"""Bytes and number of objects in tests: far beyond what there can be."""
_WIDEST = 1 << 23
"""Bits of the largest ``_BitInt`` that Clang has."""
_SPECIAL = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def given(inputs: Sequence[InputValue]) -> tuple[InputValue, ...]:
    """The inputs that a program asks for itself: formats of others know nothing of what is made up."""
    return tuple(value for value in inputs if value.kind != "made-up")


def is_floating(ctype: str) -> bool:
    """Is this spelling one of C's floating-point scalars?"""
    return ctype.split()[-1:] in (["float"], ["double"])


def is_unsigned(ctype: str) -> bool:
    """Does a value of this C spelling read as unsigned? Pointers and sizes do; of plain ``char`` only targets know."""
    return any(_UNSIGNED_WORD.fullmatch(word) for word in ctype.replace("*", " * ").split())


@dataclass(frozen=True, slots=True)
class HeapByte:
    """A byte of the memory that a function is given, or of an object that a callback has come to know."""

    object: int
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Pointee:
    """What a pointer points to: one of ``POINTEES``, which one of them (a number, or a name), and an offset in it."""

    kind: str
    which: int | str = 0
    offset: int = 0

    def shown(self) -> str:
        """For people."""
        if self.kind == "null":
            return "NULL"
        text = f"{self.kind} {self.which}" if isinstance(self.which, int) else f"&{self.which}"
        return f"{text}{self.offset:+d}" if self.offset else text

    @staticmethod
    def from_json(data: Sequence[Any]) -> Pointee:
        """The inverse of a list of the fields; ValueError or TypeError on anything else."""
        kind, which, offset = data
        named = kind in ("global", "function")
        if kind not in POINTEES or not isinstance(which, str if named else int) or not isinstance(offset, int):
            raise ValueError("not a pointee")
        return Pointee(kind, which, offset)


MADE = Pointee("made")
"""Of behaviour: memory that the function itself has made, be it gone by now."""

Route = tuple[str, int | str, tuple[int, ...]]
"""How a callback gets to an object: from an ``argument`` (by number) or a ``global`` (by name), through pointers at
these offsets."""


@dataclass(frozen=True, slots=True)
class InputValue:
    """One input of the program, in the order in which the program asked for it.

    Some inputs of ``--function`` say what memory the function is given: an object (kind ``memory``, its size is the
    value), what is in it (``cell``, at a spot), a pointer that is a parameter (``pointer``). A callback that is called
    (``call``) gives back a value (``returned``), comes to know objects, and changes cells: these bear the number of
    the call.
    """

    name: str
    type: str
    """The C spelling, such as ``unsigned char`` or ``struct point``."""
    bits: int
    value: Value
    kind: str = "nondet"
    """``nondet`` (a call that returns an input), ``object`` (bytes made symbolic), ``parameter`` (of --function),
    ``made-up`` (what a function returns, or a variable holds, that nobody defines)."""
    place: Location | None = field(default=None, compare=False)
    """The call that read it, where that is known; tests do without."""
    at: HeapByte | None = None
    """Where in memory it is; of ``memory``, which object it is."""
    points: Pointee | None = None
    """Of pointers: what they point to."""
    call: int = 0
    """Which call of a callback it belongs to, from 1; 0: it is there from the start."""
    route: Route | None = None
    """Of ``memory`` that a callback has come to know: how."""

    @property
    def in_heap(self) -> bool:
        """Whether it says what a function is given, rather than being read when the program gets to it."""
        return self.kind in HEAP_KINDS

    @staticmethod
    def from_raw(
        name: str, ctype: str, bits: int, raw: Value, kind: str = "nondet", signed: bool | None = None
    ) -> InputValue:
        """From the engine's form (unsigned ints, bools): ``signed`` None means what the spelling says."""
        value: Value = raw
        if isinstance(raw, bool):
            value = int(raw)
        elif isinstance(raw, int):
            value = raw & ((1 << bits) - 1)
            # The value of an object is its size, and that of a call its callback, whatever type it is of.
            if kind not in ("memory", "call") and is_floating(ctype) and bits in _FLOAT_CODES:
                value = float(struct.unpack(_FLOAT_CODES[bits], value.to_bytes(bits // 8, "little"))[0])
            elif bits > 1 and (signed if signed is not None else not is_unsigned(ctype)) and value >> (bits - 1):
                value -= 1 << bits
        return InputValue(name, ctype, bits, value, kind)

    def to_bytes(self) -> bytes:
        """The value as the target's memory holds it (little endian, a bool takes a byte)."""
        if isinstance(self.value, bytes):
            return self.value
        size = max(1, (self.bits + 7) // 8)
        if isinstance(self.value, float):
            code = _FLOAT_CODES.get(self.bits, "<d")
            return struct.pack(code, self.value)
        return (self.value & ((1 << (8 * size)) - 1)).to_bytes(size, "little")

    def elements(self) -> tuple[InputValue, ...]:
        """The scalars inside: elements of an array of scalars, otherwise one ``unsigned char`` per byte."""
        if not isinstance(self.value, bytes):
            return (self,)
        if _SCALAR.fullmatch(self.type) and len(self.value) in (1, 2, 4, 8):
            number = int.from_bytes(self.value, "little")
            return (InputValue.from_raw(self.name, self.type, 8 * len(self.value), number, self.kind),)
        element, size = self._element()
        return tuple(
            InputValue.from_raw(
                f"{self.name}[{index}]",
                element,
                8 * size,
                int.from_bytes(self.value[start : start + size], "little"),
                self.kind,
            )
            for index, start in enumerate(range(0, len(self.value), size))
        )

    def _element(self) -> tuple[str, int]:
        """Spelling and size of the scalars an object consists of, as far as its type tells."""
        assert isinstance(self.value, bytes)
        match = ARRAY.match(self.type)
        if match and int(match["count"]):
            size, rest = divmod(len(self.value), int(match["count"]))
            aggregate = match["element"].endswith("]") or match["element"].startswith(("struct ", "union "))
            if not rest and size in (1, 2, 4, 8) and not aggregate:
                return match["element"], size
        return "unsigned char", 1

    def to_json(self) -> dict[str, object]:
        """Scalars as numbers, nan and infinities as strings (JSON has no spelling for them), objects as hex text."""
        value: object = self.value
        if isinstance(self.value, bytes):
            value = self.value.hex()
        elif isinstance(self.value, float) and not math.isfinite(self.value):
            value = str(self.value)
        data = {"name": self.name, "type": self.type, "value": value, "bits": self.bits, "kind": self.kind}
        return data | present(
            at=self.at and [self.at.object, self.at.offset],
            points=self.points and [self.points.kind, self.points.which, self.points.offset],
            call=self.call,
            route=self.route and [self.route[0], self.route[1], list(self.route[2])],
        )

    @staticmethod
    def from_json(data: Mapping[str, object]) -> InputValue:
        """The inverse of ``to_json``; raises ValueError, KeyError or TypeError on anything else."""
        ctype, value, bits, kind = str(data["type"]), data["value"], data["bits"], str(data.get("kind", "nondet"))
        if not isinstance(bits, int) or kind not in KINDS:
            raise ValueError("not an input value")
        read: Value
        if isinstance(value, str):
            read = _SPECIAL[value] if value in _SPECIAL else bytes.fromhex(value)
        elif isinstance(value, (int, float)):
            read = value
        else:
            raise TypeError("not an input value")
        at, points, call = data.get("at"), data.get("points"), data.get("call", 0)
        if not isinstance(call, int):
            raise TypeError("not a call")
        if not isinstance(read, bytes) and not 0 < bits <= _WIDEST:
            raise ValueError("no scalar is that wide")
        found = InputValue(
            str(data["name"]), ctype, bits, read, kind, None,
            None if at is None else HeapByte(*_numbers(at)),
            None if points is None else Pointee.from_json(points),  # type: ignore[arg-type]  # it checks that itself
            call, _route(data.get("route")),
        )  # fmt: skip
        if kind == "memory" and not (isinstance(read, int) and 0 <= read < _MOST_MEMORY and found.at is not None):
            raise ValueError("memory has a size, and a number")
        if found.at is not None and not 0 <= found.at.object < _MOST_OBJECTS:
            raise ValueError("no object has that number")
        try:
            found.to_bytes()
        except OverflowError:
            raise ValueError("the value does not fit the type") from None
        return found


def _numbers(data: object) -> list[int]:
    if not isinstance(data, list) or not all(isinstance(number, int) for number in data):
        raise TypeError("not a list of numbers")
    return data


def _route(data: object) -> Route | None:
    if data is None:
        return None
    if not isinstance(data, list) or len(data) != 3 or data[0] not in ("argument", "global"):
        raise ValueError("not a route")
    if not isinstance(data[1], int if data[0] == "argument" else str):
        raise TypeError("not the start of a route")
    return data[0], data[1], tuple(_numbers(data[2]))


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What a function did with the memory that a test gave it."""

    result: InputValue | None = None
    """What it returned; None for nothing, and for a struct."""
    changed: tuple[InputValue, ...] = ()
    """Cells that hold something else than before, with what they hold."""
    freed: tuple[int, ...] = ()
    """Objects of the test that are gone."""
    text: bytes | None = None
    """The string that it returned a pointer to."""
    varies: bool = False
    """It depends on where in memory things lie, which way the function goes: nothing else is told of it."""

    def to_json(self) -> dict[str, object]:
        return {
            "returned": None if self.result is None else self.result.to_json(),
            "changed": [value.to_json() for value in self.changed],
            "freed": list(self.freed),
            "text": None if self.text is None else self.text.decode("latin-1"),
            **({"varies": True} if self.varies else {}),
        }
