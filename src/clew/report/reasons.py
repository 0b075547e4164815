"""Why no test takes an outcome of a branch: what a run knows about it, and nothing beyond.

A reason never says more than the run has seen: only ``PROVED`` and ``NO_PATH`` say that there are no such inputs, and
``OUT_OF_REACH`` that there are none unless somebody hands a pointer to the function in.
"""

from __future__ import annotations

from enum import StrEnum

from clew.base.dataclass import dataclass
from clew.base.location import Location
from clew.report.formats import present


class WhyNot(StrEnum):
    """Kinds of reasons, from what says most."""

    PROVED = "proved-unreachable"
    """An analysis has shown that no input leads there."""
    NO_PATH = "no-path"
    """All paths were explored to their ends, and none of them takes it."""
    ALLOCATION = "allocation"
    """It is for an allocation that fails, and the run takes these to succeed."""
    OUT_OF_REACH = "out-of-reach"
    """Its function was never entered, and nothing that the entry calls, or names otherwise, leads to it."""
    NOT_CALLED = "not-called"
    """Its function was never entered."""
    BEHIND = "behind"
    """Control never came to its place: paths turned another way, or ended, before it."""
    WAITING = "waiting"
    """Control came to its place, and paths that would take it were waiting when the run ended."""
    REFUTED = "refuted"
    """Control came to its place, and for each path that did so it contradicts what the path had decided before."""
    OTHER_WAY = "other-way"
    """Control came to its place, and always took another way."""


NEVER = (WhyNot.PROVED, WhyNot.NO_PATH)
"""Reasons that say that no input takes an outcome."""


@dataclass(frozen=True, slots=True)
class Hindrance:
    """Where paths turn away from something, or end: the outcome of a branch that none takes, or a place in a block."""

    location: Location | None
    function: str
    outcome: str = ""
    """Empty where paths do not turn away, but end."""

    @property
    def text(self) -> str:
        where = str(self.location) if self.location else self.function
        return f"{where} ({self.outcome})" if self.outcome else where


@dataclass(frozen=True, slots=True)
class Blocking:
    """What an outcome of a branch needs, and what a path that came to it had decided before."""

    needs: str
    against: tuple[str, ...] = ()
    more: bool = False
    """It contradicts these only together with others, which are too many or too long to be named."""


@dataclass(frozen=True, slots=True)
class Attempts:
    """Of paths that came to a branch: how many would take an outcome, and waited when their run ended, and for how many
    it contradicts what they had decided before; what one of each needs, where that can be read."""

    waiting: int = 0
    refuted: int = 0
    awaited: Blocking | None = None
    obstacle: Blocking | None = None

    def __add__(self, other: Attempts) -> Attempts:
        return Attempts(
            self.waiting + other.waiting,
            self.refuted + other.refuted,
            self.awaited or other.awaited,
            self.obstacle or other.obstacle,
        )


@dataclass(frozen=True, slots=True)
class Reason:
    """Of one outcome of a branch."""

    why: WhyNot
    because: str
    """For people: a sentence without a full stop."""
    paths: int = 0
    """How many paths wait, or were refuted."""
    hindrance: Hindrance | None = None
    """The nearest place to which control has come, of what lies ``BEHIND`` it."""
    calls: tuple[Hindrance, ...] = ()
    """Where a function that is ``NOT_CALLED`` could be called."""
    needs: str = ""
    """On a path that came to the branch: the condition on inputs under which it would take the outcome."""
    against: tuple[str, ...] = ()
    """Conditions that this path had decided before, which contradict that."""

    def to_json(self) -> dict[str, object]:
        more = present(
            paths=self.paths,
            needs=self.needs,
            against=list(self.against),
            behind=self.hindrance and _to_json(self.hindrance),
            calls=[_to_json(call) for call in self.calls],
        )
        return {"why": str(self.why), "because": self.because, **more}


def _to_json(found: Hindrance) -> dict[str, object]:
    where = found.location
    place = {"file": where.file, "line": where.line, "column": where.column} if where else {"file": None, "line": 0}
    return {**place, "function": found.function, **present(outcome=found.outcome)}
