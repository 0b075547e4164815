"""What commands print that describe a program, ``clew loops`` and ``clew invariants``: notes about its functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Generic, Protocol, TypeVar

from clew.base.budget import StopReason
from clew.base.dataclass import dataclass
from clew.report.formats import head_of
from clew.report.lines import Line
from clew.report.records import json_of


class FunctionNote(Protocol):
    """What is told of one function."""

    def to_json(self) -> dict[str, object]: ...

    def lines(self) -> Iterator[Line]: ...


N = TypeVar("N", bound=FunctionNote, covariant=True)


@dataclass(frozen=True, slots=True)
class Description(Generic[N]):
    """Notes about functions, in the order of the source."""

    functions: tuple[N, ...] = ()
    stopped: StopReason | None = None
    """What ended the analysis before it had seen the whole program."""
    notes: tuple[str, ...] = ()
    """Why the description is not what was asked for."""
    command: ClassVar[str]
    nothing: ClassVar[str]
    """What is printed where there are no notes."""
    incomplete: ClassVar[str]
    """What is printed behind the notes where the analysis was stopped."""

    def to_json(self) -> dict[str, object]:
        """The notes as a value that ``json`` writes."""
        return {
            **head_of(self.command),
            "functions": json_of(self.functions),
            "stopped": self.stopped and str(self.stopped),
        }

    def lines(self) -> list[Line]:
        """The notes as text for people."""
        lines: list[Line] = [(f"note: {note}", "yellow") for note in self.notes]
        for function in self.functions:
            lines += [("", "")] * bool(lines)
            lines += function.lines()
        if self.stopped is not None:
            return [*lines, (f"stopped early ({self.stopped}): {self.incomplete}", "yellow")]
        return lines or [(self.nothing, "")]
