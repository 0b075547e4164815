"""Outcomes of branches in terms of the source: Clang compiles no negation in a condition."""

from __future__ import annotations

import pytest

from clew.analysis.outcomes import conditions
from clew.execute.coverage import all_branches
from unit.execute.support import c_program, explore, llvm

Uncovered = list[tuple[int, str]]
CASES: list[tuple[str, Uncovered]] = [
    # Always true, never false, or the other way round.
    ("if (!(x > 7)) r = 1;", [(4, "false")]),
    ("if (!!(x > 7)) r = 1;", [(4, "true")]),
    ("if (!x) r = 1; else r = 2;", []),
    ("if (x > 7) r = 1; else r = 2;", [(4, "true")]),
    ("if (!(x > 7)) { } else r = 2;", [(4, "false")]),
    ("r = !(x > 7) ? (r ? g(1) : g(2)) : g(3);", [(4, "false"), (4, "true")]),
    ("while (!(x < 8)) x--;", [(4, "true")]),
    ("for (; !(x < 8); x--) ;", [(4, "true")]),
    ("do { r++; } while (!(x < 8));", [(4, "true")]),
    # Operands, each on a line of its own.
    ("if (x > 2\n&&\n!(x > 7)) r = 1;", [(6, "false")]),
    ("if (!(x > 2)\n||\n!(x > 7)) r = 1;", [(6, "false")]),
    ("if (!(x > 2\n&&\n!(x > 7))) r = 1;", [(6, "false")]),
    ("if (!(x > 2\n&&\nx > 7)) r = 1;", [(6, "true")]),
    ("if (!(x > 2\n||\nx > 7)) r = 1;", [(6, "true")]),
    ("if (x > 2\n&& !(x > 7\n|| x < 0)) r = 1;", [(5, "true"), (6, "true")]),
    ("if (!(x > 7\n|| x < 0)\n&& x) r = 1;", [(4, "true"), (5, "true")]),
    ("if (x ?\n!(x > 7) :\nx > 7) r = 1;", [(5, "false"), (6, "true")]),
    ("r = !(x > 2)\n&& !(x > 7);", []),
    ("r = !(!(x > 7)\n&& x);", [(4, "false")]),
    ("r = !(x > 7)\n|| x > 8;", [(4, "false")]),
    ("return !(x > 7)\n&& !g(x);", [(4, "false")]),
    ("if (!g(!(x > 7)\n&& x)) r = 3;", [(4, "false")]),
]


@pytest.mark.sample(2)
@pytest.mark.parametrize(("code", "uncovered"), CASES, ids=[code.replace("\n", " ") for code, _ in CASES])
def test_outcomes_are_those_of_the_source(code: str, uncovered: Uncovered) -> None:
    lines = (
        "static int g(int x) { return x * 3; }",
        "int main(void) {",
        "int r = 0, x = __VERIFIER_nondet_uchar() & 7;",
        code,
        "return r & 0; }",
    )
    record = explore("\n".join(lines)).run.coverage.record()
    missing = [(branch.location, branch.outcome) for branch in record.branches if not branch.covered]
    assert sorted((where.line, outcome) for where, outcome in missing if where is not None) == uncovered


def test_true_comes_first() -> None:
    branches = all_branches(c_program("int f(int x) { if (!(x > 7)) return 1; return 2; }"))
    assert [(branch.outcome, branch.successor) for branch in branches] == [("true", 1), ("false", 0)]


CIRCLE = """
define i32 @f(i1 %a, i1 %b) {
entry:
  br i1 %a, label %land.lhs.true, label %if.end
land.lhs.true:
  br i1 %b, label %if.end, label %if.then
if.then:
  ret i32 1
if.end:
  ret i32 0
cont:
  br i1 %a, label %cont2, label %if.end
cont2:
  br i1 %b, label %cont, label %if.end
}
"""


def test_code_that_nothing_leads_to_may_go_in_circles() -> None:
    found = conditions(llvm(CIRCLE).functions["f"])
    assert found.negated == {"land.lhs.true"}
    assert found.operands == {"entry", "land.lhs.true"}
