"""Loop counters: against counts made while walking through random graphs, and by name on common loops."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from clew.analysis.absint.counting import MOST, Counting, has_test
from clew.analysis.absint.linear import Linear, Variable
from clew.analysis.absint.variables import Count, Total
from clew.analysis.graph import Loop, control_flow, loop_forest
from clew.program.instructions import IndirectBranch, Return, Terminator
from clew.program.module import Block, Function
from clew.program.types import VOID, FunctionType
from clew.program.values import ConstNull
from depth import examples
from unit.analysis.absint.analysed import graph_of, invariants
from unit.execute.support import llvm


def program_of(edges: list[list[int]]) -> Function:
    blocks = []
    for number, targets in enumerate(edges):
        end: Terminator = Return(None, None, None)
        if targets:
            end = IndirectBranch(None, None, ConstNull(), tuple(f"b{t}" for t in targets))
        blocks.append(Block(f"b{number}", (end,)))
    return Function("main", FunctionType(VOID, ()), (), tuple(blocks))


def counting_of(function: Function) -> Counting:
    program = llvm("define void @main() {\nentry:\nret void\n}\n")
    program.functions["main"] = function
    return Counting(graph_of(program))


@st.composite
def walks(draw: st.DrawFn) -> tuple[list[list[int]], list[int]]:
    """A graph whose entry nothing leads to, and a walk through it."""
    size = draw(st.integers(2, 7))
    edges = [draw(st.lists(st.integers(1, size - 1), min_size=n == 0, max_size=3, unique=True)) for n in range(size)]
    walk = [0]
    for choice in draw(st.lists(st.integers(0, 5), max_size=25)):
        if not edges[walk[-1]]:
            break
        walk.append(edges[walk[-1]][choice % len(edges[walk[-1]])])
    return edges, walk


@settings(max_examples=examples(150))
@given(walks())
def test_counters_are_how_often_the_body_was_entered(case: tuple[list[list[int]], list[int]]) -> None:
    edges, walk = case
    function = program_of(edges)
    counting, forest = counting_of(function), loop_forest(control_flow(function))
    values: dict[Variable, int] = {}
    for at in range(1, len(walk)):
        updates = counting.updates(0, f"b{walk[at - 1]}", f"b{walk[at]}")
        values.update({variable: linear.value(values) for variable, linear in updates.items()})
        for loop in forest.around(walk[at]):
            header = f"b{loop.header}"
            outer = next(one for one in forest.around(walk[at]) if one.parent < 0)
            expected = [entered(loop, walk[: at + 1], around) for around in (loop, outer)]
            assert values[Count(0, header)] == expected[0], (walk[: at + 1], header)
            if loop.parent >= 0:
                assert values[Total(0, header)] == expected[1], (walk[: at + 1], header)


def entered(loop: Loop, walk: list[int], since: Loop) -> int:
    """How often a walk has entered the body of a loop since it last entered another one."""
    start = max(at for at in range(1, len(walk)) if walk[at] in since.blocks and walk[at - 1] not in since.blocks)
    steps = [(walk[at - 1], walk[at]) for at in range(start, len(walk))]
    if has_test(loop):
        return sum(one == loop.header and other in loop.blocks for one, other in steps)
    return sum(other == loop.header for _, other in steps)


WHILE = [[1], [2, 3], [1], []]
REPEAT = [[1], [2], [1, 3], []]
NESTED = [[1], [2, 5], [3, 4], [2], [1], []]


def test_a_loop_with_a_test_at_the_top_is_counted_behind_it() -> None:
    counting = counting_of(program_of(WHILE))
    count = Count(0, "b1")
    assert counting.updates(0, "b0", "b1") == {count: Linear.number(0)}
    assert counting.updates(0, "b1", "b2") == {count: Linear.of(count) + 1}
    assert counting.updates(0, "b2", "b1") == {} == counting.updates(0, "b1", "b3")


def test_any_other_loop_is_counted_at_its_head() -> None:
    counting = counting_of(program_of(REPEAT))
    count = Count(0, "b1")
    assert counting.updates(0, "b0", "b1") == {count: Linear.number(1)}
    assert counting.updates(0, "b2", "b1") == {count: Linear.of(count) + 1}
    assert counting.updates(0, "b1", "b2") == {}


def test_a_loop_in_a_loop_has_a_total() -> None:
    counting = counting_of(program_of(NESTED))
    inner, total = Count(0, "b2"), Total(0, "b2")
    assert counting.updates(0, "b0", "b1") == {Count(0, "b1"): Linear.number(0), total: Linear.number(0)}
    assert counting.updates(0, "b1", "b2") == {Count(0, "b1"): Linear.of(Count(0, "b1")) + 1, inner: Linear.number(0)}
    assert counting.updates(0, "b2", "b3") == {inner: Linear.of(inner) + 1, total: Linear.of(total) + 1}
    assert set(counting.all(0)) == {Count(0, "b1"), inner, total}


def test_counters_of_very_many_loops_are_dropped_behind_them() -> None:
    def sequence(loops: int) -> Function:
        heads = [[n + 1, n + 2] if n % 2 else [n - 1] for n in range(1, 2 * loops + 1)]
        return program_of([[1], *heads, []])

    few, many = counting_of(sequence(MOST)), counting_of(sequence(MOST + 1))
    assert few.dropped(0, "b1", "b3") == []
    assert many.dropped(0, "b1", "b3") == [Count(0, "b1")]
    assert many.dropped(0, "b1", "b2") == [] == many.dropped(0, "b2", "b1")


def test_counters_in_invariants() -> None:
    known = invariants("""int main(void) {
      int n = 0;
      for (int i = 0; i < 7; i++)
        for (int j = 0; j < 3; j++) n += 2;
      return n;
    }
    """)
    outline = known.outline(0)
    names = outline.graph.names
    (inner,) = [loop for loop in outline.forest.loops if loop.parent >= 0]
    (outer,) = [loop for loop in outline.forest.loops if loop.parent < 0]
    ((_, behind),) = outer.exits
    count, total = Linear.of(Count(0, names[outer.header])), Linear.of(Total(0, names[inner.header]))
    assert known.before(0, names[behind]).bounds(count) == (7, 7)
    assert known.before(0, names[behind]).bounds(total) == (21, 21)
    assert known.before(0, names[inner.header]).bounds(Linear.of(Count(0, names[inner.header]))) == (0, 3)


def test_how_many_rounds_there_are_at_most() -> None:
    code = """
        extern unsigned __VERIFIER_nondet_uint(void);
        int main(void) {
          unsigned n = __VERIFIER_nondet_uint(), x = 0;
          for (int i = 0; i < 100; i += 3) x++;
          for (unsigned i = 0; i < n; i++) x++;
          n %= 8;
          for (unsigned i = 0; i < n; i++) x++;
          while (__VERIFIER_nondet_uint()) x++;
          return x;
        }"""
    found = invariants(code)
    forest, names = found.outline(0).forest, found.outline(0).graph.names
    most = {names[loop.header]: found.most_rounds("main", names[loop.header]) for loop in forest.loops}
    assert sorted(most.values(), key=lambda count: (count is None, count)) == [7, 34, 2**32 - 1, None]
    assert found.most_rounds("other", "entry") is None
