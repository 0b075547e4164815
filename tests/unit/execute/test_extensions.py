"""What others than the engine keep with states."""

from __future__ import annotations

from clew.execute.events import Events, Visit
from clew.execute.extensions import Extension
from clew.execute.state import NO_EXTENSIONS, State
from clew.expr.evaluate import EMPTY_MODEL, Model
from unit.execute.support import explore

CODE = """
int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar(), s = 0;
  for (int i = 0; i < 2; i++) if (n >> i & 1) s++;
  return s;
}
"""


class Generation(Extension):
    """Counts how often a path was forked off since it got this."""

    __slots__ = ("number",)

    def __init__(self, number: int = 0) -> None:
        self.number = number

    def for_sibling(self, state: State) -> Generation | None:
        return Generation(self.number + 1) if self.number < 2 else None

    def skipped(self, model: Model) -> int:
        return 1000


class Leaves(Extension):
    """Goes when nobody is to follow the state any more."""

    __slots__ = ()

    def stop_tracking(self, state: State) -> None:
        state.forget(Leaves)


class Surplus(Extension):
    """Siblings of a path with this are of no use."""

    __slots__ = ("_is_surplus",)

    def __init__(self, is_surplus: bool) -> None:
        self._is_surplus = is_surplus

    @property
    def is_surplus(self) -> bool:
        return self._is_surplus

    @property
    def counts(self) -> bool:
        return False

    def for_sibling(self, state: State) -> Surplus:
        return Surplus(True)


def test_siblings_get_what_the_owner_says() -> None:
    found: list[int] = []

    def visited(visit: Visit) -> None:
        if visit.first:
            visit.state.extend(Generation())

    def ended(state: State, end: object) -> None:
        kept = state.extension(Generation)
        found.append(-1 if kept is None else kept.number)

    def listen(events: Events) -> None:
        events.loop_header.append(visited)
        events.path_end.append(ended)

    assert explore(CODE, listen=listen).codes == [0, 1, 1, 2]
    assert sorted(found) == [0, 1, 1, 2]


def test_what_is_surplus_is_not_queued_and_what_does_not_count_is_not_counted() -> None:
    def listen(events: Events) -> None:
        events.loop_header.append(lambda visit: visit.state.extend(Surplus(False)))

    found = explore(CODE, listen=listen)
    assert len(found.ways) == 1
    assert found.run.statistics.paths_completed == found.run.statistics.forks == 0


def test_extend_and_forget() -> None:
    seen: list[State] = []
    explore(CODE, listen=lambda events: events.path_end.append(lambda state, end: seen.append(state)))
    state = seen[0]
    assert state.extensions is NO_EXTENSIONS and state.extension(Leaves) is None
    state.extend(Leaves())
    state.extend(Generation(1))
    state.extend(Generation(5))
    assert state.extension(Generation) is state.extensions[Generation]
    assert state.length() == state.steps + 1000
    before = state.extensions
    state.stop_tracking()
    assert state.extension(Leaves) is None and Leaves in before, "others that share them keep theirs"
    assert not state.is_surplus and not state.drops_siblings and state.counts
    state.forget_all()
    assert not state.extensions and state.length() == state.steps
    assert Generation(5).skipped(EMPTY_MODEL) == 1000
