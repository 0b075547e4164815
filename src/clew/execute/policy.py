"""How an exploration is to go on, and what it is told: the one object through which a job steers the engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from clew.base.dataclass import dataclass
from clew.base.errors import PathEnd
from clew.base.location import Location
from clew.execute.ends import Failed
from clew.execute.state import State
from clew.expr.evaluate import Model
from clew.report.records import StackFrame

TURN_STEPS = 2_000_000
TURN_FORKS = 256


class CodePosition(NamedTuple):
    """Where in the program something happened."""

    function: str
    block: str
    position: int
    location: Location | None


class Finished(NamedTuple):
    """A path that ended: how, where, the state it ended in and, for a failure, the call stack."""

    state: State
    end: PathEnd
    place: CodePosition | None
    stack: tuple[StackFrame, ...]

    @property
    def location(self) -> Location | None:
        """Where in the source it ended; of a failure, where that is said to be."""
        said = self.end.location if isinstance(self.end, Failed) else None
        return said or (self.place.location if self.place else None)


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class ExplorePolicy:
    """What the engine asks between slices of a state and between states, and what it tells."""

    finished: Callable[[Finished], None]
    """Told of every path that ends; it must not keep the state."""
    progress: Callable[[], None] = lambda: None
    """Called now and then."""
    pointless: Callable[[State], bool] = lambda state: False
    """Asked between two slices: whether what is left of the state's path is of no interest."""
    urgent: Callable[[], bool] = _never
    """Asked between two slices: whether something waits that should not wait until the turn is over."""
    pause: Callable[[], bool] = _never
    """Asked between two states: whether to leave the exploration for now, with everything that waits kept."""
    model: Callable[[State], Model] = lambda state: state.model
    """Asked when a sibling is about to run that a solver has found a model for: the model to go on with, which must
    satisfy the path condition as well."""
    turn_steps: int = TURN_STEPS
    turn_forks: int = TURN_FORKS
    """Instructions and forks after which a path lets others run before it goes on."""
