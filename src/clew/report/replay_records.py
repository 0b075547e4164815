"""Results of ``clew replay``: per test what was predicted, what the native program did, and whether they agree."""

from __future__ import annotations

from enum import StrEnum

from clew.base.dataclass import dataclass
from clew.report.formats import head_of
from clew.report.lines import Line, counted
from clew.report.records import fields_to_json


class Status(StrEnum):
    """What a native run says about a test."""

    AGREED = "agreed"
    DISAGREED = "disagreed"
    UNDECIDED = "undecided"
    """The native program cannot show it: no check for this kind is compiled in, or nothing was predicted."""


_STYLES = {Status.AGREED: "green", Status.DISAGREED: "bold red", Status.UNDECIDED: "yellow"}


@dataclass(frozen=True, slots=True)
class Replayed:
    """One test."""

    test: str
    """Its file within the folder."""
    predicted: str
    observed: str
    status: Status
    notes: tuple[str, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """A whole replay: ``replay.json``."""

    folder: str
    compiler: str
    """How the program was compiled, for people."""
    containment: tuple[str, ...]
    """What tests were kept from."""
    tests: tuple[Replayed, ...]
    warnings: tuple[str, ...] = ()
    interrupted: bool = False
    missing: tuple[str, ...] = ()
    """What they were not kept from, because the system lacks what it takes."""

    def count(self, status: Status) -> int:
        return sum(test.status is status for test in self.tests)

    @property
    def agreed(self) -> bool:
        """No test disagreed."""
        return self.count(Status.DISAGREED) == 0

    def to_json(self) -> dict[str, object]:
        return {
            **head_of("replay"),
            **{str(status): self.count(status) for status in Status},
            **fields_to_json(self, "missing"),
            "not_contained": list(self.missing),
        }

    def lines(self, verbose: bool = False) -> list[Line]:
        """The table for people; without ``verbose`` long runs show only what did not agree."""
        shown = [test for test in self.tests if verbose or len(self.tests) <= 40 or test.status is not Status.AGREED]
        result: list[Line] = [
            (f"native   {self.compiler}", ""),
            (f"kept     {'; '.join(self.containment)}", ""),
            *(
                [(f"NOT kept {'; '.join(self.missing)} (this system lacks what it takes)", "bold red")]
                if self.missing
                else []
            ),
            ("", ""),
        ]
        width = max([len("predicted"), *(len(test.predicted) for test in shown)])
        seen = max([len("native"), *(len(test.observed) for test in shown)])
        if shown:
            result.append((f"{'test':<18} {'predicted':<{width}} {'native':<{seen}}", "bold"))
        for test in shown:
            text = f"{test.test:<18} {test.predicted:<{width}} {test.observed:<{seen}} {test.status}"
            result.append((text, _STYLES[test.status]))
            result += [(f"{'':<18} {note}", "dim") for note in test.notes]
        if len(shown) < len(self.tests):
            result.append((f"... and {len(self.tests) - len(shown)} tests that agreed", ""))
        result.append(("", ""))
        result.append((self._conclusion(), "bold green" if self.agreed else "bold red"))
        return result

    def _conclusion(self) -> str:
        parts = [f"{self.count(status)} {status}" for status in Status if self.count(status)]
        text = f"{counted(len(self.tests), 'test')}: {', '.join(parts) or 'nothing to run'}"
        return text + (" (interrupted)" if self.interrupted else "")
