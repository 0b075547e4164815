"""How ``--function`` calls its function: what goes into which parameter.

A plan is made once per run and is, with the inputs of a test, all that a native program needs to make the same call:
numbers are taken from the inputs that the program reads, in order; pointers from those that say what memory the
function is given; a struct passed by value is one of the test's objects. It travels as JSON in ``summary.json``.

``{"result": "i32", "parameters": [{"type": "ptr", "pointer": 0}, {"type": "i32", "input": 0}]}``
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from clew.base.dataclass import dataclass

TYPES = ("i1", "i8", "i16", "i32", "i64", "i128", "f32", "f64", "ptr", "bytes", "words")
"""Machine types of slots; ``bytes`` is an object passed by value, ``words`` a small one in registers."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One parameter of the call."""

    type: str
    input: int = -1
    """Position among the inputs that the program reads, of the first one that it takes."""
    pointer: int = -1
    """Position among the pointers that are parameters."""
    given: int = -1
    """The number of the object that is passed by value."""
    count: int = 1
    """Bytes of that object, or how many words."""

    def to_json(self) -> dict[str, object]:
        fields = {"input": self.input, "pointer": self.pointer, "object": self.given}
        data = {"type": self.type, **{name: field for name, field in fields.items() if field >= 0}}
        return data | ({"count": self.count} if self.count != 1 else {})

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Slot:
        """The inverse; ValueError, KeyError or TypeError on anything else."""
        numbers = [data.get("input", -1), data.get("pointer", -1), data.get("object", -1), data.get("count", 1)]
        if data["type"] not in TYPES or not all(isinstance(number, int) for number in numbers):
            raise ValueError("not a slot of a call")
        slot = Slot(data["type"], *numbers)
        if {"ptr": slot.pointer, "bytes": slot.given}.get(slot.type, slot.input) < 0:
            raise ValueError("a slot that nothing goes into")  # as plans of earlier versions have
        return slot


@dataclass(frozen=True, slots=True)
class CallPlan:
    """The whole call."""

    result: str
    """Machine type of the result, ``void``, or ``other`` where the exit code cannot show it."""
    parameters: tuple[Slot, ...]

    @property
    def inputs(self) -> int:
        """How many inputs the call itself takes; the function's own reads come after them."""
        ends = [slot.input + (slot.count if slot.type == "words" else 1) for slot in self.parameters if slot.input >= 0]
        return max(ends, default=0)

    def to_json(self) -> dict[str, object]:
        return {"result": self.result, "parameters": [slot.to_json() for slot in self.parameters]}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> CallPlan:
        """The inverse; ValueError, KeyError or TypeError on anything else."""
        return CallPlan(str(data["result"]), tuple(Slot.from_json(slot) for slot in data["parameters"]))


@dataclass(frozen=True, slots=True)
class FunctionType:
    """A type of functions, as C source has it."""

    result: str
    parameters: tuple[str, ...]
    varargs: bool = False


@dataclass(frozen=True, slots=True)
class Signature:
    """The function of ``--function`` as C source has it, for test files that people read."""

    source: str
    """The file that defines it."""
    result: str
    """C type of what it returns."""
    parameters: tuple[str, ...]
    """C types of its parameters."""
    records: tuple[bool, ...]
    """Which of them are structs or unions."""
    stateful: bool = False
    """Whether it, or what it calls, changes variables of the program: one test may then change what the next one
    sees."""
    needs: frozenset[str] = frozenset()
    """Files that define what its file names, and what these name, and so on."""
    functions: Mapping[str, FunctionType] = field(default_factory=dict)
    """Types of functions that may be passed, by how tests spell pointers to them."""
    visible: Mapping[str, str] = field(default_factory=dict)
    """What code in its file can name: functions and variables, by the names that linkers have for them, as C has
    them."""
