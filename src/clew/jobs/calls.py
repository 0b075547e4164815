"""The plan of a ``--function`` call, read off the state the engine itself starts with.

The harness decides what a parameter is; nothing here repeats its rules. Each word of an argument object
is a symbol of one input, or a choice between null and another object's address.
"""

from __future__ import annotations

from typing import Any

from clew.execute.run import Run
from clew.execute.state import State
from clew.expr.node import Expr
from clew.expr.op import Op
from clew.jobs.concrete import Entry
from clew.memory.object import MemoryObject, word_starts
from clew.program.instructions import Argument
from clew.program.types import FloatType, IntType, PointerType, Type, VoidType
from clew.report.callplan import CallPlan, PlannedObject, Slot


def call_plan(run: Run, entry: Entry) -> CallPlan | None:
    """The plan; None for a program's ``main``, and for a call that C cannot spell (vectors, large integers)."""
    if entry.as_program:
        return None
    state = entry.start(run)
    frame = state.frame
    while frame is not None and frame.parent is not None:
        frame = frame.parent
    assert frame is not None
    try:
        return _Planner(state).plan(entry, frame.live)
    except _NoPlan:
        return None


class _NoPlan(Exception):
    """Something C has no type for."""


class _Planner:
    def __init__(self, state: State) -> None:
        self._memory = state.memory
        self._positions: dict[Expr, int] = {}
        self._objects: list[MemoryObject] = []
        self._known: dict[int, int] = {}
        self._pointer_bytes = state.run.layout.pointer_bytes
        record = state.inputs
        while record is not None:
            for symbol in record.read.values:
                self._positions[symbol] = record.count - 1
            record = record.previous

    def plan(self, entry: Entry, arguments: tuple[Any, ...]) -> CallPlan:
        function = entry.function
        slots = [
            self._parameter(parameter, value) for parameter, value in zip(function.parameters, arguments, strict=True)
        ]
        planned: list[PlannedObject] = []
        while len(planned) < len(self._objects):  # filling one may bring up others
            planned.append(self._contents(self._objects[len(planned)]))
        return CallPlan(_result(function.type.result), tuple(slots), tuple(planned))

    def _parameter(self, parameter: Argument, value: Any) -> Slot:
        if parameter.byval is not None:
            return Slot("bytes", target=self._object(value))
        return self._slot(_machine_type(parameter.value.type), value)

    def _slot(self, type: str, value: Any) -> Slot:
        if not isinstance(value, Expr):
            if isinstance(value, float | tuple):
                raise _NoPlan
            found = self._memory.find(int(value)) if type in ("ptr", self._pointer_type) else None
            return Slot("ptr", target=self._object(value)) if found is not None else Slot(type, value=int(value))
        pointer = self._choice(value)
        if pointer is not None:
            return pointer
        symbols = tuple(value.symbols)
        if len(symbols) != 1 or symbols[0] not in self._positions:
            raise _NoPlan
        return Slot(type, input=self._positions[symbols[0]])

    @property
    def _pointer_type(self) -> str:
        return f"i{8 * self._pointer_bytes}"

    def _choice(self, value: Expr) -> Slot | None:
        """``is null ? 0 : object`` as the harness builds it."""
        if value.op is not Op.ITE or len(value.symbols) != 1:
            return None
        address = max(arm.value for arm in value.args[1:] if arm.op is Op.CONST)
        (symbol,) = value.symbols
        return Slot("ptr", target=self._object(address), null=self._positions[symbol])

    def _object(self, address: int) -> int:
        found = self._memory.find(address)
        if found is None or found[1]:
            raise _NoPlan
        if address not in self._known:
            self._known[address] = len(self._objects)
            self._objects.append(found[0])
        return self._known[address]

    def _contents(self, obj: MemoryObject) -> PlannedObject:
        slots = []
        for offset in word_starts(obj, 0, obj.size):
            word = obj.words[offset]
            slots.append((offset, self._slot(f"i{word.width}", word)))
        return PlannedObject(obj.size, tuple(slots))


def _machine_type(type: Type) -> str:
    match type:
        case PointerType():
            return "ptr"
        case IntType(width=bits) if bits in (1, 8, 16, 32, 64, 128):
            return f"i{bits}"
        case FloatType() if str(type) in ("float", "double"):
            return "f32" if str(type) == "float" else "f64"
    raise _NoPlan


def _result(type: Type) -> str:
    if isinstance(type, VoidType):
        return "void"
    return f"i{type.width}" if isinstance(type, IntType) and type.width <= 64 else "other"
