"""Numbers of chains as the paper counts them: ways to the target, and ways around loops on each of them."""

from __future__ import annotations

import pytest

from clew.techniques.chains.chain_count import ChainCount, Counting
from unit.techniques.chains.looking import PROGRAMS, Looking


def census(code: str, selects: bool = False) -> ChainCount:
    return Counting(Looking(code, selects).survey).to_target("main")


def counted(statements: str, functions: str = "") -> ChainCount:
    return census(f"#define ANY __VERIFIER_nondet_int()\n{functions}\nint main(void) {{ {statements} }}")


@pytest.mark.parametrize(
    ("program", "root", "every"),
    [
        ("doif", 1, 5), ("doifex", 1, 9), ("eqcnt", 1, 4), ("eqcntex", 1, 7), ("oneloop", 1, 2), ("twoloops", 1, 3),
    ],
)  # fmt: skip
def test_the_programs_of_the_paper(program: str, root: int, every: int) -> None:
    found = census((PROGRAMS / f"{program}.c").read_text(encoding="utf-8"))
    assert (found.ways, found.ways + found.subchains) == (root, every)


def test_if_conversion_leaves_one_way_around() -> None:
    code = (PROGRAMS / "doif.c").read_text(encoding="utf-8")
    assert census(code, selects=True) == ChainCount(1, 1)


@pytest.mark.parametrize("variant", ["body", "loops", "call"])
def test_functions_count_as_part_of_their_callers(variant: str) -> None:
    """The same program, with parts of it in functions."""
    assert census((PROGRAMS / f"doif_{variant}.c").read_text(encoding="utf-8")) == ChainCount(1, 4)


def test_ways_multiply_and_subchains_count_for_each() -> None:
    assert counted("if (ANY) ANY; reach_error();") == ChainCount(2, 0)
    loop = "while (ANY) if (ANY) ANY;"
    assert counted(f"{loop} reach_error();") == ChainCount(1, 2)
    assert counted(f"if (ANY) ANY; {loop} reach_error();") == ChainCount(2, 4)
    assert counted(f"if (ANY) {loop} reach_error();") == ChainCount(2, 2)
    assert counted(f"{loop} if (ANY) ANY; {loop} reach_error();") == ChainCount(2, 2 + 2 * 2)


def test_loops_in_loops() -> None:
    inner = "while (ANY) if (ANY) ANY;"
    assert counted(f"while (ANY) {{ {inner} }} reach_error();") == ChainCount(1, 1 + 2)
    assert counted(f"while (ANY) {{ if (ANY) ANY; {inner} }} reach_error();") == ChainCount(1, 2 + 2 * 2)


def test_what_does_not_lead_there_does_not_count() -> None:
    assert counted("if (ANY) { while (ANY) ANY; return 0; } reach_error();") == ChainCount(1, 0)
    assert counted("reach_error(); while (ANY) ANY;") == ChainCount(1, 0)


def test_a_target_within_a_loop() -> None:
    """The way into the body is no way around: an iteration that meets the target is none that is complete."""
    assert counted("while (ANY) { if (ANY) reach_error(); else ANY; }") == ChainCount(1, 1)
    assert counted("while (ANY) { if (ANY) ANY; reach_error(); }") == ChainCount(2, 0)


def test_targets_in_functions() -> None:
    check = "static void check(int n) { while (n-- > 0) ANY; if (n > 3) reach_error(); if (n) reach_error(); }"
    assert counted("check(ANY);", check) == ChainCount(2, 1)
    # In the first call; or in the second, behind the one way through the first.
    assert counted("check(ANY); check(ANY);", check).ways == 2 + 2
    assert counted("if (ANY) ANY; check(ANY);", check).ways == 4


def test_ways_through_functions_multiply() -> None:
    two = "static int two(void) { if (ANY) return 1; ANY; return 2; }"
    assert counted("two(); two(); reach_error();", two) == ChainCount(4, 0)
    loop = "static void loop(void) { while (ANY) ANY; if (ANY) ANY; }"
    assert counted("loop(); loop(); reach_error();", loop) == ChainCount(4, 1 + 2)


def test_recursion_is_one_way() -> None:
    down = "static int down(int n) { if (n < 0) return 0; return down(n - 1) + 1; }"
    assert counted("down(ANY); reach_error();", down).ways == 1


def test_choices_as_targets() -> None:
    looking = Looking(
        "int main(void) { int x = __VERIFIER_nondet_int(); while (x > 3) x--; if (x < 0) return 1; reach_error(); }"
    )
    (block,) = [
        b for b in looking.entry.function.blocks if {"if.then"} & set(looking.survey.outline("main").successors[b.name])
    ]
    looking.survey.aim((), [("main", block.name, "if.then")])
    assert Counting(looking.survey).to_target("main") == ChainCount(1, 1)
