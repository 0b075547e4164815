"""How ``--function`` calls its function: which input goes into which parameter or byte of memory.

A plan is made once per run (by ``clew.jobs.calls``, from the very objects the engine starts with) and is
all that a native program needs to make the same call. It travels as JSON in ``summary.json``.

``{"result": "i32", "parameters": [{"type": "ptr", "object": 0, "null": 0}], "objects": [{"size": 8,
"slots": [[0, {"type": "i32", "input": 1}], [4, {"type": "i32", "input": 2}]]}]}``
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

TYPES = ("i1", "i8", "i16", "i32", "i64", "i128", "f32", "f64", "ptr", "bytes")
"""Machine types of slots; ``bytes`` is an object passed by value."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One scalar of the call: an input, a pointer to an object, or a fixed number."""

    type: str
    input: int | None = None
    """Position of the input that is the value."""
    target: int | None = None
    """Position of the object that is pointed to (or passed by value)."""
    null: int | None = None
    """Position of the input whose lowest bit makes the pointer null."""
    value: int = 0
    """The value when it is neither an input nor a pointer."""

    def to_json(self) -> dict[str, object]:
        fields = {"input": self.input, "object": self.target, "null": self.null, "value": self.value or None}
        return {"type": self.type, **{name: field for name, field in fields.items() if field is not None}}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Slot:
        """The inverse; ValueError, KeyError or TypeError on anything else."""
        places = (data.get("input"), data.get("object"), data.get("null"))
        if data["type"] not in TYPES or not all(place is None or isinstance(place, int) for place in places):
            raise ValueError("not a slot of a call")
        return Slot(data["type"], *places, int(data.get("value", 0)))


@dataclass(frozen=True, slots=True)
class PlannedObject:
    """Memory the call is given: its size, and what is put where."""

    size: int
    slots: tuple[tuple[int, Slot], ...] = ()


@dataclass(frozen=True, slots=True)
class CallPlan:
    """The whole call."""

    result: str
    """Machine type of the result, ``void``, or ``other`` where the exit code cannot show it."""
    parameters: tuple[Slot, ...]
    objects: tuple[PlannedObject, ...] = ()

    @property
    def inputs(self) -> int:
        """How many inputs the call itself takes; the function's own reads come after them."""
        slots = [*self.parameters, *(slot for item in self.objects for _, slot in item.slots)]
        used = [place for slot in slots for place in (slot.input, slot.null) if place is not None]
        return max(used, default=-1) + 1

    def to_json(self) -> dict[str, object]:
        return {
            "result": self.result,
            "parameters": [slot.to_json() for slot in self.parameters],
            "objects": [
                {"size": item.size, "slots": [[offset, slot.to_json()] for offset, slot in item.slots]}
                for item in self.objects
            ],
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> CallPlan:
        """The inverse; ValueError, KeyError or TypeError on anything else."""
        objects = tuple(
            PlannedObject(
                int(item["size"]), tuple((int(offset), Slot.from_json(slot)) for offset, slot in item["slots"])
            )
            for item in data["objects"]
        )
        plan = CallPlan(str(data["result"]), tuple(Slot.from_json(slot) for slot in data["parameters"]), objects)
        slots = [*plan.parameters, *(slot for item in objects for _, slot in item.slots)]
        if any(slot.target is not None and not 0 <= slot.target < len(objects) for slot in slots):
            raise ValueError("a pointer to no object")
        return plan
