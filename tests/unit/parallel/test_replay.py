"""Prefixes: what leads to a state that waits, written down, and followed in another run of the program."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from clew.base.options import TestRequest
from clew.execute.frame import Frame
from clew.execute.history import StepKind
from clew.execute.pending import Pending
from clew.expr.node import prune_table
from clew.jobs.prepare import ExploreSettings, PreparedRun, load_checked, prepare_run
from clew.parallel.bundle import bundles
from clew.parallel.frontier import portable, turns_of
from clew.parallel.prefix import Prefix, prefix_of
from clew.parallel.replay import Lost, Outcome, follow
from clew.program.module import Program
from clew.report.listener import Listener
from unit.execute.support import PRELUDE

BRANCHES = """
int main(void) {
  int x = __VERIFIER_nondet_int(), n = 0;
  unsigned char c = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(x > 100);
  for (int i = 0; i < 4; i++)
    if (x >> i & 1) n += i;
  switch (c) { case 1: n++; break; case 7: case 9: n += 2; break; default: if (n > c) n = 7; }
  return n;
}
"""
POINTERS = """
int table[3][4];
int main(void) {
  unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();
  int *p = i % 2 ? table[i % 3] : malloc(4 * (j % 5));
  if (j == 77) p = 0;
  p[j % 8] = 1;
  char local[4];
  if (i > 5) local[1] = 3;
  if (local[j % 4] == 2) return 1;
  return p[i % 9];
}
"""
LONG = """
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  unsigned sum = 0;
  for (unsigned i = 0; i < 400000; i++) {
    if (i % 100000 == 0 && (x >> i / 100000 & 1)) sum += 3;
    sum += i;
  }
  return sum & 1;
}
"""
FLOATS = """
int main(void) {
  double d = __VERIFIER_nondet_double();
  float f = __VERIFIER_nondet_float();
  if (d * 2 > 3.5 && f < 1e10f) return d > f;
  return d == 0.1;
}
"""
LISTS = """
struct node { int value; struct node *next; void (*call)(int); };
int main(void) { return 0; }
int walk(struct node *n, char *text, int size) {
  int sum = 0;
  while (n && sum < 3) { sum += n->value; if (n->call) n->call(sum); n = n->next; }
  if (size > 0 && text) return text[0] == 'a' ? sum : text[size % 3];
  return sum;
}
"""


def loaded(folder: Path, code: str, **options: object) -> tuple[TestRequest, Program]:
    path = folder / "program.c"
    path.write_text(PRELUDE + code, encoding="utf-8")
    request = TestRequest(files=(path,), compiler_flags=("-w",), **options)  # type: ignore[arg-type]
    return request, load_checked(request, Listener())


def new_run(request: TestRequest, program: Program) -> PreparedRun:
    ready = prepare_run(
        request, Listener(), request.budget(), ExploreSettings("branch", None, request.loop_bound), program
    )
    return ready


def waiting(ready: PreparedRun, turns: int) -> list[Pending]:
    """What waits after so many turns of short ones."""
    left = turns

    def pause() -> bool:
        nonlocal left
        left -= 1
        return left < 0

    ready.engine.explore(ready.entry.start(ready.run), replace(ready.engine.policy, pause=pause, turn_forks=3))
    return ready.run.searcher.evict(len(ready.run.searcher))


def alone(ready: PreparedRun, prefix: Prefix) -> Outcome:
    """Where a prefix leads that is followed by itself."""
    return follow(ready.run, ready.entry.start, [prefix])[0]


def places(frame: Frame | None) -> list[tuple[str, int]]:
    found = []
    while frame is not None:
        found.append((frame.function.name, frame.at))
        frame = frame.parent
    return found


def described(pending: Pending) -> tuple[object, ...]:
    """All that tells states apart, but for memory."""
    state = pending.state
    inputs, last = [], state.inputs
    while last is not None:
        inputs.append((last.read.name, last.read.values))
        last = last.previous
    return (
        places(state.frame),
        set(state.path),
        pending.constraint,
        pending.edge,
        pending.check,
        pending.depth,
        {
            symbol: value
            for symbol, value in state.model.values.items()
            if symbol in {v for _, vs in inputs for v in vs}
        },
        inputs,
        state.decided,
        state.choices,
        state.symbols,
        state.generation,
        state.frame.live if state.frame else None,
        state.steps if pending.constraint is None else 0,
    )


@pytest.mark.sample(3)
@pytest.mark.parametrize("turns", (1, 4, 30))
@pytest.mark.parametrize(
    ("code", "options"),
    (
        (BRANCHES, {}),
        (POINTERS, {}),
        (POINTERS, {"data_model": "ILP32"}),
        (LONG, {}),
        (FLOATS, {}),
        (LISTS, {"function": "walk", "array_length": 2}),
    ),
    ids=("branches", "pointers", "pointers-32", "long", "floats", "lists"),
)
def test_states_are_made_again(tmp_path: Path, code: str, options: dict[str, object], turns: int) -> None:
    request, program = loaded(tmp_path, code, **options)
    first, second = new_run(request, program), new_run(request, program)
    there = waiting(first, turns)
    assert there or turns > 1
    second.run.solver = None  # type: ignore[assignment]  # nobody asks it
    for pending in there[:: len(there) // 40 + 1]:
        again = alone(second, pickle.loads(pickle.dumps(prefix_of(pending))))
        assert isinstance(again, Pending)
        assert described(again) == described(pending)
        again.told = None
        assert _content(prefix_of(again)) == _content(prefix_of(pending))
    assert not len(second.run.searcher) and not second.run.losses
    prune_table()


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("code", "turns", "options"),
    (
        (BRANCHES, 30, {}),
        (POINTERS, 4, {}),
        (LONG, 30, {}),
        (LISTS, 30, {"function": "walk", "array_length": 2}),
    ),
    ids=("branches", "pointers", "long", "lists"),
)
def test_states_are_made_again_together(tmp_path: Path, code: str, turns: int, options: dict[str, object]) -> None:
    request, program = loaded(tmp_path, code, **options)
    first, second = new_run(request, program), new_run(request, program)
    there = waiting(first, turns)
    prefixes = [prefix_of(pending) for pending in there]
    second.run.solver = None  # type: ignore[assignment]  # nobody asks it
    begun: list[int] = []
    found = follow(second.run, second.entry.start, prefixes, begin=begun.append)
    assert sorted(found) == list(range(len(prefixes)))
    for place, again in found.items():
        assert isinstance(again, Pending)
        assert described(again) == described(there[place])
        again.told = None
        made, kept = prefix_of(again), prefixes[place]
        if again.constraint is not None:  # what it has run was counted up to some place before
            assert made.executed >= kept.executed
            made = replace(made, executed=kept.executed)
        assert _content(made) == _content(kept)
    assert len(bundles(prefixes)) == 1 and begun.count(0) < len(begun)
    assert not len(second.run.searcher) and not second.run.losses
    prune_table()


def test_neighbours_have_most_of_their_paths_in_common(tmp_path: Path) -> None:
    """In the order of their turns, two siblings have no more in common with any other than with those beside them."""
    request, program = loaded(tmp_path, BRANCHES)
    ways = [turns_of(pending) for pending in portable(waiting(new_run(request, program), 30))]
    assert len(ways) > 20

    def common(one: list[int], other: list[int]) -> int:
        return next((n for n, pair in enumerate(zip(one, other, strict=False)) if len({*pair}) > 1), len(one))

    for before, way, after in zip(ways, ways[1:], ways[2:], strict=False):
        assert max(common(way, before), common(way, after)) == max(
            common(way, each) for each in ways if each is not way
        )


def test_known_errors_are_part_of_a_history(tmp_path: Path) -> None:
    """What was reported before a path came there changes what the path says."""
    request, program = loaded(tmp_path, POINTERS)
    first, second = new_run(request, program), new_run(request, program)
    first.engine.explore(first.entry.start(first.run))
    assert first.run.reported
    first.engine.explore(first.entry.start(first.run), replace(first.engine.policy, pause=_after(7)))
    for pending in first.run.searcher.evict(len(first.run.searcher)):
        again = alone(second, prefix_of(pending))
        assert isinstance(again, Pending) and described(again)[:3] == described(pending)[:3]


def test_paths_of_one_program_that_have_met_other_things_are_made_again_together(tmp_path: Path) -> None:
    """Of one that was proposed inputs, or has met errors that were known, the others know nothing."""
    request, program = loaded(tmp_path, POINTERS)
    first, second = new_run(request, program), new_run(request, program)
    there = waiting(first, 4)
    first.run.input_hints = (77).to_bytes(4, "little") * 2
    there += waiting(first, 4)
    first.run.input_hints = {}
    first.engine.explore(first.entry.start(first.run))
    assert first.run.reported
    there += waiting(first, 4)
    prefixes = [prefix_of(pending) for pending in there]
    kinds = {step[0] for prefix in prefixes for step in prefix.steps()}
    assert {StepKind.HINT, StepKind.KNOWN, StepKind.TURN} <= kinds
    for order in (1, -1):
        found = follow(second.run, second.entry.start, prefixes[::order])
        for place, pending in enumerate(there[::order]):
            again = found[place]
            assert isinstance(again, Pending) and described(again)[:3] == described(pending)[:3]


def _content(prefix: Prefix) -> tuple[object, ...]:
    """All that it says, however that is packed."""
    return prefix.steps(), replace(prefix, packed=b"")


def _after(turns: int) -> Callable[[], bool]:
    counted = iter(range(turns))
    return lambda: next(counted, None) is None


def test_another_program_is_noticed(tmp_path: Path) -> None:
    request, program = loaded(tmp_path, BRANCHES)
    there = waiting(new_run(request, program), 9)
    request, program = loaded(tmp_path, BRANCHES.replace("x >> i", "x >> (i + 1)").replace("case 7: ", ""))
    other = new_run(request, program)
    lost = 0
    for pending in there[:: len(there) // 40 + 1]:
        lost += isinstance(alone(other, prefix_of(pending)), Lost)
    assert lost


def test_nothing_is_left_when_time_is_over(tmp_path: Path) -> None:
    request, program = loaded(tmp_path, LONG)
    first, second = new_run(request, program), new_run(request, program)
    pending = waiting(first, 9)[-1]
    assert follow(second.run, second.entry.start, [prefix_of(pending)], lambda: True) == {}
