"""What the writer of a function asks of shadows; here the answers for a program that is not traced: there are none."""

from __future__ import annotations

from collections.abc import Sequence

from clew.program import instructions as ir
from clew.program.module import Block
from clew.program.types import Type
from clew.program.values import Value


class NoShadows:
    """Of a program that is only run."""

    def before(self, i: ir.Instruction) -> None:
        """What is recorded before an instruction does anything."""

    def after(self, i: ir.Instruction) -> None:
        """The shadow of what an instruction, which is no call, gave."""

    def nothing(self, i: ir.Instruction) -> None:
        """What an instruction gave depends on nothing."""

    def phi(self, i: ir.Phi, labels: Sequence[tuple[Value, str]]) -> None:
        """The shadow of a phi, from values and the labels that they come from."""

    def parameters(self) -> list[str]:
        """More parameters of the function."""
        return []

    def decide(self, block: Block) -> None:
        """A terminator is about to go one of several ways."""

    def leave(self, value: Value | None) -> None:
        """The function gives a value back."""

    def passed(self, arguments: Sequence[ir.Argument], types: Sequence[Type]) -> list[str]:
        """More arguments of a call of a function with parameters of these types."""
        return []

    def received(self, i: ir.Call) -> None:
        """The shadow of what a call gave."""

    def fixed(self, values: Sequence[Value]) -> None:
        """Values are used as they are."""

    def intrinsic(self, i: ir.Call, name: str) -> None:
        """The shadow of what an intrinsic gave."""

    def outside(self, i: ir.Call, prints: bool) -> None:
        """A function is called that keeps no shadows; ``prints``: and does nothing but write output."""

    def copied(self, to: str, source: str, size: str) -> None:
        """Bytes are about to be copied."""

    def cleared(self, address: str, size: str) -> None:
        """Bytes are about to be set to what depends on nothing."""

    def fixed_text(self, address: str) -> None:
        """A string is used as it is."""

    def stored(self, address: str, value: Value) -> None:
        """A value was put where nobody looks at what lies there."""
