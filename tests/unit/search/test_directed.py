"""Directed search: distances through calls and returns, what cannot reach the target, the order of siblings."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import cast

import pytest

from clew.analysis.graph import control_flow
from clew.base.budget import Budget
from clew.base.randomness import Randomness
from clew.checks.properties import Site
from clew.execute.context import RunOptions
from clew.execute.coverage import Coverage
from clew.execute.engine import Engine
from clew.execute.helpers import build_machine
from clew.execute.pending import Pending
from clew.execute.policy import ExplorePolicy, Finished
from clew.execute.run import Run
from clew.execute.state import State
from clew.jobs.reexecution import find_entry
from clew.models.registry import all_models
from clew.program import instructions as ir
from clew.program.module import Program
from clew.program.values import GlobalRef
from clew.search.directed import Directed, TargetDistances
from clew.search.flow import FAR, Flow
from clew.search.registry import SearchContext, make_searcher
from clew.solver.chain import build_chain
from clew.solver.interface import SolverOptions
from clew.solver.stats import SolverStats
from unit.execute.support import c_program, llvm

Place = tuple[str, str, int]


def calls_of(program: Program, name: str) -> tuple[Site, ...]:
    """Where a function is called by its name."""
    return tuple(
        Site(function.name, block.name, index)
        for function in program.functions.values()
        for block in function.blocks
        for index, instruction in enumerate(block.instructions)
        if isinstance(instruction, ir.Call) and instruction.callee == GlobalRef(name)
    )


def suspended(*places: Place, depth: int = 0) -> State:
    """A state with these frames, the innermost first, each suspended before an instruction."""
    frame = None
    for function, block, index in reversed(places):
        point = SimpleNamespace(block=block, target="", index=index)
        made = SimpleNamespace(name=function, plan=SimpleNamespace(points=[point]))
        frame = SimpleNamespace(function=made, at=0, parent=frame)
    return cast(State, SimpleNamespace(frame=frame, depth=depth))


STRAIGHT = llvm(
    """
    declare void @target()
    define void @inner(i1 %c) {
    start:
    br i1 %c, label %yes, label %no
    yes:
    call void @target()
    ret void
    no:
    br label %end
    end:
    ret void
    }
    define void @dead_end() {
    start:
    call void @abort()
    unreachable
    }
    define i32 @main() {
    start:
    %n = call i32 @__VERIFIER_nondet_int()
    %c = icmp eq i32 %n, 0
    br i1 %c, label %left, label %right
    left:
    call void @dead_end()
    call void @inner(i1 %c)
    br label %join
    right:
    br label %join
    join:
    ret i32 0
    }
    """
)
TARGET = calls_of(STRAIGHT, "target")


def test_distances_count_branches_and_calls() -> None:
    distances = TargetDistances(STRAIGHT, TARGET)
    assert distances.of(suspended(("inner", "yes", 0))) == 0
    assert distances.of(suspended(("inner", "start", 0))) == 1
    assert distances.of(suspended(("main", "left", 0))) == 2
    assert distances.of(suspended(("main", "start", 0))) == 3
    assert (
        distances.of(suspended(("inner", "no", 0)))
        == distances.of(suspended(("main", "right", 0)))
        == distances.of(suspended(("main", "join", 0)))
        == FAR
    )


def test_what_is_behind_does_not_count() -> None:
    distances = TargetDistances(STRAIGHT, TARGET)
    assert distances.of(suspended(("inner", "yes", 1))) == FAR
    assert distances.of(suspended(("main", "left", 1))) == 2
    assert distances.of(suspended(("main", "left", 2))) == FAR


@pytest.mark.parametrize(
    ("places", "distance"),
    [
        ([("main", "start", 0)], 3),
        ([("main", "right", 0)], FAR),
        ([("inner", "start", 0), ("main", "left", 2)], 1),
        ([("inner", "no", 0), ("main", "left", 2)], FAR),
        # Back to a caller that calls it once more; but not from where no return leads.
        ([("inner", "no", 0), ("main", "left", 1)], 3),
        ([("inner", "start", 0), ("main", "left", 1)], 1),
        ([("dead_end", "start", 0), ("main", "left", 1)], FAR),
        ([("inner", "end", 0), ("inner", "end", 0), ("main", "left", 1)], 4),
    ],
)  # fmt: skip
def test_states(places: list[Place], distance: int) -> None:
    assert TargetDistances(STRAIGHT, TARGET).of(suspended(*places)) == distance
    assert Directed(STRAIGHT, TARGET).hopeless(suspended(*places)) == (distance == FAR)


def test_a_loop_leads_back() -> None:
    program = c_program(
        "void target(void); int main(void) { for (;;) { if (__VERIFIER_nondet_int()) target(); else continue; } }"
    )
    distances = TargetDistances(program, calls_of(program, "target"))
    reachable = {block.name for block in program.functions["main"].blocks}
    assert all(distances.of(suspended(("main", block, 0))) <= 2 for block in reachable)


def test_recursion_and_mutual_calls() -> None:
    program = c_program(
        """
        void target(void);
        int odd(int n);
        int even(int n) { if (n == 0) return 1; return odd(n - 1); }
        int odd(int n) { if (n == 0) target(); return even(n - 1); }
        int main(void) { return even(__VERIFIER_nondet_int()); }
        """
    )
    distances = TargetDistances(program, calls_of(program, "target"))
    first = {name: function.blocks[0].name for name, function in program.functions.items() if function.blocks}
    assert [distances.of(suspended((name, first[name], 0))) for name in ("odd", "even", "main")] == [1, 3, 4]


def test_a_function_pointer_may_go_where_types_allow() -> None:
    program = c_program(
        """
        void target(void);
        static void hit(int n) { if (n) target(); }
        static void other(void) { }
        void (*one)(int) = hit;
        void (*none)(void) = other;
        static void by_one(void) { one(1); }
        static void by_none(void) { none(); }
        int main(void) { by_one(); by_none(); return 0; }
        """
    )
    distances = TargetDistances(program, calls_of(program, "target"))
    first = {name: function.blocks[0].name for name, function in program.functions.items() if function.blocks}
    assert distances.of(suspended(("by_one", first["by_one"], 0))) == 2
    assert distances.of(suspended(("by_none", first["by_none"], 0))) == FAR


def test_the_general_graph_agrees_with_control_flow() -> None:
    program = c_program("int main(void) { int n = __VERIFIER_nondet_int(), s = 0; while (n-- > 0) s += n; return s; }")
    function = program.functions["main"]
    flow, graph = Flow([function]), control_flow(function)
    assert flow.successors == list(graph.successors)
    goal = len(graph) - 1
    table = flow.distances({goal: 0})
    assert table[goal] == 0
    assert all(
        table[block] == 1 + min(table[after] for after in graph.successors[block])
        for block in range(len(graph))
        if block != goal and graph.successors[block]
    )


# The strategy


def waiting(serial: int, block: str, depth: int) -> Pending:
    return Pending(suspended(("main", block, 0), depth=depth), None, None, None, serial)


def drain(strategy: Directed) -> list[int]:
    order = []
    while (chosen := strategy.select()) is not None:
        assert chosen.taken
        order.append(chosen.serial)
    return order


def test_the_nearest_first_then_the_shallowest_then_the_oldest() -> None:
    strategy = Directed(STRAIGHT, TARGET)
    for serial, (block, depth) in enumerate(
        [("right", 0), ("start", 3), ("left", 9), ("start", 2), ("left", 4), ("start", 2)]
    ):
        strategy.add(waiting(serial, block, depth))
    assert len(strategy) == 6
    assert drain(strategy) == [4, 2, 3, 5, 1, 0]
    assert len(strategy) == 0


def test_the_far_ones_have_their_turn_too() -> None:
    """New siblings close to the target arrive all the time; the one far away is taken all the same."""
    strategy = Directed(STRAIGHT, TARGET)
    strategy.add(waiting(0, "start", 1))
    seen = []
    for serial in range(1, 20):
        strategy.add(waiting(serial, "left", 10 + serial))
        chosen = strategy.select()
        assert chosen is not None
        seen.append(chosen.serial)
    assert 0 in seen


def test_hopeless_ones_are_dropped_on_request() -> None:
    strategy = Directed(STRAIGHT, TARGET, drop=True)
    items = [waiting(serial, block, 0) for serial, block in enumerate(["right", "left", "join", "start"])]
    for item in items:
        strategy.add(item)
    assert (len(strategy), strategy.dropped) == (2, 2)
    assert items[0].taken and items[2].taken
    assert drain(strategy) == [1, 3]


def test_eviction_takes_the_farthest_and_deepest() -> None:
    random = Random(3)
    strategy = Directed(STRAIGHT, TARGET)
    items = [waiting(n, random.choice(["start", "left", "right"]), random.randrange(9)) for n in range(900)]
    for item in items:
        strategy.add(item)
    taken = [chosen.serial for chosen in (strategy.select() for _ in range(500)) if chosen is not None]
    victims = strategy.evict(100)
    assert (len(victims), len(strategy)) == (100, 300)
    assert all(victim.taken for victim in victims)
    rest = drain(strategy)
    assert sorted([*taken, *rest, *(victim.serial for victim in victims)]) == list(range(900))
    distances = TargetDistances(STRAIGHT, TARGET)

    def key(item: Pending) -> tuple[int, int, int]:
        return distances.of(item.state), item.depth, item.serial

    assert min(map(key, victims)) > max(key(items[serial]) for serial in rest)
    assert strategy.evict(1) == []
    assert strategy.select() is None


# In the engine


def paths_until_reached(code: str, search: str) -> int:
    """Paths that ended before one called ``reach_error``; the whole number of paths if none does."""
    program = c_program(code)
    machine = build_machine(program, all_models())
    coverage = Coverage(program, machine.compiler)
    searcher = (
        Directed(program, calls_of(program, "reach_error"), drop=True)
        if search == "directed"
        else make_searcher(search, SearchContext(program, coverage, Randomness(0)))
    )
    run = Run(
        machine, build_chain(SolverOptions(), SolverStats()), searcher, coverage, RunOptions(frozenset({"error-call"}))
    )
    ended: list[str] = []

    def finished(path: Finished) -> None:
        ended.append(type(path.end).__name__)

    engine = Engine(run, Budget(seconds=600.0), ExplorePolicy(finished))
    engine.explore(find_entry(program, None).start(run))
    assert engine.stopped is None
    return ended.index("Failed") if "Failed" in ended else len(ended)


MANY_WAYS = """
static void noise(void) { for (int i = 0; i < 5; i++) if (__VERIFIER_nondet_bool()) __VERIFIER_nondet_int(); }
static int check(int x) { if (x == 7) reach_error(); return x; }
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 100) noise();
  if (x < 5) { noise(); return 0; }
  check(x);
  noise();
  return 0;
}
"""


def test_it_gets_there_sooner() -> None:
    assert paths_until_reached(MANY_WAYS, "directed") <= 3
    assert paths_until_reached(MANY_WAYS, "dfs") > 20


def test_what_cannot_reach_it_is_not_run() -> None:
    """After ``check`` nothing leads to the target: the ways through the last ``noise`` are dropped."""
    unreachable = MANY_WAYS.replace("x == 7", "x == 3").replace("i < 5", "i < 4")
    assert paths_until_reached(unreachable, "bfs") == 16 + 16 + 16 * 16
    assert paths_until_reached(unreachable, "directed") <= 16 + 2
