"""How functions are cut: roots, regions, points."""

from __future__ import annotations

import pytest

from clew.analysis.callees import Callees
from clew.execute.codegen import plan as planning
from clew.execute.codegen.plan import PiecePlan, PointKind
from clew.models.registry import all_models
from clew.program import instructions as ir
from clew.program.module import Program
from unit.execute.random_programs import random_program
from unit.execute.support import c_program, concrete, exit_code, explore, llvm


def plan_of(program: Program, name: str = "f") -> PiecePlan:
    return PiecePlan(program.functions[name], Callees(program, all_models()).ends_tree)


DIAMOND = """
define i32 @f(i1 %c, i32 %x) {
entry:
  br i1 %c, label %a, label %b
a:
  %p = add i32 %x, 1
  br label %join
b:
  %q = add i32 %x, 2
  br label %join
join:
  %r = phi i32 [ %p, %a ], [ %q, %b ]
  ret i32 %r
}
"""


def test_a_block_with_one_predecessor_is_nested() -> None:
    plan = plan_of(llvm(DIAMOND))
    assert list(plan.roots) == ["entry", "join"]
    assert plan.regions == [[("entry", 0), ("join", 1)]]
    assert plan.region_of("join", 1) == 0


def test_point_zero_is_the_entry_with_all_parameters() -> None:
    plan = plan_of(llvm(DIAMOND))
    assert (plan.points[0].kind, plan.points[0].block, plan.points[0].live) == (PointKind.LABEL, "entry", (0, 1))
    assert plan.label("entry") == 0


def test_points_are_numbered_once() -> None:
    plan = plan_of(llvm(DIAMOND))
    first = plan.label("join")
    assert plan.label("join") == first
    yes, no = plan.edge("entry", "a"), plan.edge("entry", "b")
    assert yes != no
    assert plan.edge("entry", "a") == yes
    assert plan.points[yes].live == plan.points[no].live
    assert plan.points[yes].target == "a"


def test_an_edge_remembers_operands_of_phis_a_label_their_results() -> None:
    plan = plan_of(llvm(DIAMOND))
    numbers = plan.liveness.numbers
    assert plan.points[plan.edge("a", "join")].live == (numbers["p"],)
    assert plan.points[plan.label("join")].live == (numbers["r"],)
    assert plan.points[plan.label("join")].index == 1


CALLS = """
define i32 @g(i32 %x) {
  ret i32 %x
}
define i32 @f(i32 %x, i32 %y) {
entry:
  %a = call i32 @g(i32 %x)
  %s = add i32 %a, %y
  %b = call i32 @g(i32 %s)
  %n = call i32 @__VERIFIER_nondet_int()
  %d = udiv i32 %b, %n
  ret i32 %d
}
"""


def test_a_call_into_c_ends_a_tree_and_a_model_does_not() -> None:
    plan = plan_of(llvm(CALLS))
    assert plan.regions == [[("entry", 0), ("entry", 1), ("entry", 3)]]


def test_continuation_and_retry_remember_what_is_needed() -> None:
    plan = plan_of(llvm(CALLS))
    numbers = plan.liveness.numbers
    after = plan.points[plan.continuation("entry", 0)]
    assert (after.kind, after.index, after.live) == (PointKind.CONTINUATION, 1, (numbers["y"],))
    again = plan.points[plan.retry("entry", 4)]
    assert (again.kind, again.index) == (PointKind.RETRY, 4)
    assert again.live == tuple(sorted((numbers["b"], numbers["n"])))


def chain(depth: int) -> Program:
    """Nested branches: each level's then-side is one level deeper, its else-side returns."""
    lines = ["define i32 @main() {", "%n = call i32 @__VERIFIER_nondet_int()", "br label %b0"]
    for level in range(depth):
        lines += [f"b{level}:", f"%c{level} = icmp ugt i32 %n, {level}"]
        lines += [f"br i1 %c{level}, label %b{level + 1}, label %r{level}", f"r{level}:", f"ret i32 {level}"]
    lines += [f"b{depth}:", f"ret i32 {depth}", "}"]
    return llvm("\n".join(lines))


@pytest.mark.slow
def test_deep_nesting_is_cut_into_roots() -> None:
    program = chain(300)
    plan = plan_of(program, "main")
    assert len(plan.roots) >= 300 // (planning.MAX_DEPTH + 1)
    assert exit_code(program, 137) == 137
    assert concrete(program, 0).exit_code == 0
    assert concrete(program, 100_000).exit_code == 300 & 0xFF


def test_deep_nesting_forks_at_every_level() -> None:
    assert explore(chain(60)).codes == list(range(61))


def switch(cases: int) -> Program:
    lines = ["define i32 @main() {", "%n = call i32 @__VERIFIER_nondet_int()", "switch i32 %n, label %d ["]
    lines += [f"i32 {3 * case}, label %c{case}" for case in range(cases)] + ["]"]
    for case in range(cases):
        lines += [f"c{case}:", f"ret i32 {case % 251}"]
    lines += ["d:", "ret i32 255", "}"]
    return llvm("\n".join(lines))


@pytest.mark.slow
def test_big_switch() -> None:
    """Deeper than Python lets blocks nest, if it were a chain of ifs."""
    program = switch(300)
    for case in (0, 150, 299):
        assert exit_code(program, 3 * case) == case % 251
    assert exit_code(program, 1) == 255


def test_symbolic_switch_takes_every_case_once() -> None:
    assert explore(switch(40)).codes == [*range(40), 255]


def long_function(statements: int) -> Program:
    lines = ["define i32 @main() {", "%x0 = call i32 @__VERIFIER_nondet_int()", "br label %b0"]
    value = 0
    for block in range(statements // 10):
        lines.append(f"b{block}:")
        for _ in range(10):
            lines.append(f"%x{value + 1} = add i32 %x{value}, {value % 7}")
            value += 1
        # A second edge to the next block keeps it a root.
        lines += [f"%c{block} = icmp eq i32 %x{value}, 12345", f"br i1 %c{block}, label %s{block}, label %b{block + 1}"]
        lines += [f"s{block}:", f"br label %b{block + 1}"]
    lines += [f"b{statements // 10}:", f"ret i32 %x{value}", "}"]
    return llvm("\n".join(lines))


@pytest.mark.slow
def test_huge_function_is_cut_into_several_regions() -> None:
    statements = 4000
    program = long_function(statements)
    plan = plan_of(program, "main")
    assert len(plan.regions) >= statements // planning.REGION_SIZE
    assert sorted(root for region in plan.regions for root in region) == sorted(
        {root for region in plan.regions for root in region}
    )
    for number, region in enumerate(plan.regions):
        assert all(plan.region_of(*root) == number for root in region)
    expected = 3 + sum(value % 7 for value in range(statements))
    assert exit_code(program, 3) == expected & 0xFF


@pytest.mark.parametrize("limits", [(1, 200, 1200), (2, 3, 10), (12, 1, 1), (12, 200, 5)], ids=str)
def test_any_cut_computes_the_same(limits: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """However small regions and trees are, results do not change."""
    for name, value in zip(("MAX_DEPTH", "MAX_CHAIN", "REGION_SIZE"), limits, strict=True):
        monkeypatch.setattr(planning, name, value)
    for seed in range(6):
        made = random_program(seed, fuel=30)
        assert concrete(made.program(), 5, 77).exit_code == made.interpret(5, 77) & 0xFF
        for way in explore(random_program(seed).program()).ways:
            first, second = (int(value) & 0xFFFFFFFF for value in way.inputs)
            assert way.code & 0xFFFFFFFF == random_program(seed).interpret(first, second)


def test_unreachable_blocks_have_no_code() -> None:
    program = llvm(
        """
        define i32 @main() {
        entry:
          ret i32 4
        dead:
          br label %dead
        }
        """
    )
    plan = plan_of(program, "main")
    assert plan.regions == [[("entry", 0)]]
    assert exit_code(program) == 4


def test_every_branch_and_call_of_compiled_code_has_points() -> None:
    program = c_program(
        """
        int g(int x) { return x + 1; }
        int f(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) if (p[i] / n) s += g(p[i]); return s; }
        int main(void) { int a[3] = {1, 2, 3}; return f(a, 3); }
        """
    )
    plan = plan_of(program)
    for block in plan.function.blocks:
        for target in ir.successors(block.terminator):
            assert plan.points[plan.edge(block.name, target)].block == block.name
        for index, instruction in enumerate(block.instructions):
            if isinstance(instruction, ir.Load | ir.Call | ir.Binary):
                assert plan.points[plan.retry(block.name, index)].index == index
