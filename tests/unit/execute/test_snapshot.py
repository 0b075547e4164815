"""A second state on the same path."""

from __future__ import annotations

from clew.execute.events import Events, Visit
from clew.execute.state import State, forget, go_on
from unit.execute.support import explore

CODE = """
int cells[2];
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) return 50;
  for (int i = 0; i < 3; i++) { cells[1] += 2; if (n == i) return 60 + i; }
  return cells[1];
}
"""


class Snapshots:
    """Takes one at every visit, and queues the first ones."""

    def __init__(self, queued: int = 0) -> None:
        self.taken: list[tuple[State, State]] = []
        self.left = queued

    def listen(self, events: Events) -> None:
        events.loop_header.append(self.loop_header)

    def loop_header(self, visit: Visit) -> None:
        state = visit.state
        before = state.depth, state.generation, state.path
        owner = state.owner
        twin = state.snapshot(visit.frame.suspended(object(), visit.point, visit.live))
        assert (state.depth, state.generation, state.path) == before
        assert state.owner is not owner  # what it shares with the twin, it copies before it writes
        _check_twin(state, twin)
        self.taken.append((state, twin))
        if self.left:
            self.left -= 1
            state.run.add_pending(twin, None)


def _check_twin(state: State, twin: State) -> None:
    assert twin is not state and twin.id != state.id and twin.run is state.run
    assert (twin.path, twin.model, twin.inputs, twin.steps) == (state.path, state.model, state.inputs, state.steps)
    assert (twin.depth, twin.generation, twin.decisions) == (state.depth, state.generation, state.decisions)
    assert twin.extensions == state.extensions and twin.environment is state.environment
    assert twin.frame is not state.frame and twin.frame is not None and state.frame is not None
    assert twin.frame.owner is twin.owner and state.frame.owner is state.owner and twin.owner is not state.owner
    assert not twin.covered_new and twin.step is go_on and twin.log is forget
    assert twin.memory is not state.memory


def test_it_is_the_same_path() -> None:
    snapshots = Snapshots()
    found = explore(CODE, listen=snapshots.listen)
    assert found.codes == [6, 50, 60, 61, 62]
    assert len(snapshots.taken) >= 4


def test_it_goes_on_by_itself() -> None:
    """The paths below a snapshot are there twice; what one of the two writes, the other does not see."""
    found = explore(CODE, listen=Snapshots(queued=1).listen)
    assert found.codes == [6, 6, 50, 60, 60, 61, 61, 62, 62]


def test_memory_stays_as_it_was() -> None:
    snapshots = Snapshots()
    found = explore(CODE, listen=snapshots.listen)
    address = next(obj.base for obj in snapshots.taken[0][1].memory.objects() if obj.name == "cells")
    values = [twin.memory.load_bits(address + 4, 4) for _, twin in snapshots.taken]
    assert found.codes and set(values) == {0, 2, 4, 6} and values[0] == 0


def test_a_fork_counts_as_a_decision() -> None:
    generations = []

    def listen(events: Events) -> None:
        events.path_end.append(lambda state, end: generations.append(state.generation))

    explore(CODE, listen=listen)
    assert min(generations) == 0 and max(generations) >= 1 and len(generations) == 5
