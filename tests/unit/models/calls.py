"""A call of a modelled function without a program around it: for tests of models as plain functions.

Decisions follow a model of the symbols, as in the engine; the cases not taken are forgotten.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from clew.execute.ends import Dropped, Failed
from clew.expr import build
from clew.expr.evaluate import EMPTY_MODEL, Model
from clew.expr.node import Expr
from clew.memory.errors import AccessError
from clew.memory.space import AddressSpace
from clew.program.layout import DataLayout
from clew.program.target import Target

LAYOUT = DataLayout.parse("e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128")


class Call:
    """As much of an ``Invocation`` as models of text need."""

    pointer_bits = 64
    name = "model"
    location = None

    def __init__(self, model: Model = EMPTY_MODEL) -> None:
        self.memory = AddressSpace(LAYOUT)
        self.losses: list[str] = []
        self.path: list[Expr] = []
        self.environment: dict[str, Any] = {}
        run = SimpleNamespace(
            layout=LAYOUT,
            architecture="x86_64",
            target=Target("x86_64", True),
            undefined=set(),
            note_loss=lambda kind, what, *rest: self.losses.append(what),
        )
        self.state: Any = SimpleNamespace(
            memory=self.memory, model=model, run=run, path=self.path, implies=self.path.__contains__
        )

    def concrete(self, value: Any, width: int) -> int:
        if not isinstance(value, Expr):
            return int(value)
        known = int(self.state.model.eval(value))
        self._add(build.eq(value, known, width))
        return known

    def pointer(self, value: Any) -> int:
        return self.concrete(value, 64)

    def require(self, condition: Any, kind: str, message: str) -> None:
        if not self.state.model.eval(condition):
            raise Failed(kind, message)
        self._add(condition)

    def assume(self, condition: Any) -> None:
        if not self.state.model.eval(condition):
            raise Dropped
        self._add(condition)

    def _add(self, condition: Any) -> None:
        if isinstance(condition, Expr):
            self.path.append(condition)

    def text(self, address: int, limit: int = 1 << 16) -> bytes | None:
        return self.memory.read_cstring(address, limit)

    def printed(self, value: Any, message: str) -> None:
        """Everything is defined here."""

    def read_text(self, values: list[Any]) -> None:
        """The same."""

    def room(self, address: int, write: bool = False) -> int:
        try:
            self.memory.check(address, 1, write)
        except AccessError as error:
            raise Failed(error.kind, error.message) from None
        found = self.memory.find(address)
        assert found is not None
        return found[0].size - found[1]

    def load(self, address: int, size: int) -> Any:
        return self.memory.load_bits(address, size)

    def store(self, address: int, value: Any, size: int) -> None:
        self.memory.store_bits(address, value, size)

    def read_bytes(self, address: int, count: int) -> list[Any]:
        return list(self.memory.read_bytes(address, count))

    def write_bytes(self, address: int, values: Any) -> None:
        try:
            self.memory.write_bytes(address, values)
        except AccessError as error:
            raise Failed(error.kind, error.message) from None

    def allocate(self, size: int) -> int:
        return self.memory.allocate(size, "heap", "", 16, None, b"")

    def put(self, data: bytes, size: int | None = None) -> int:
        """A new object with the given bytes; its address."""
        return self.memory.allocate(len(data) if size is None else size, "heap", "text", 16, None, data)

    def put_values(self, values: list[Any]) -> int:
        address = self.memory.allocate(len(values), "heap", "text", 16, None, b"")
        self.memory.write_bytes(address, values)
        return address
