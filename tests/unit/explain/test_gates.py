"""Joins whose phis are functions of one branch's condition."""

from __future__ import annotations

import pytest

from clew.explain import gates
from clew.explain.gates import Gate, gate_of
from clew.program.values import Register
from unit.explain.graphs import unrolled


def gate(text: str, join: str = "join") -> Gate | None:
    graph = unrolled("define i32 @main(i32 %x) {\n" + text + "\ncall void @goal()\n ret i32 0\n}")
    return gate_of(graph.shape("main"), join)


def branch(left: str = "", right: str = "") -> str:
    return f"""
        entry:
          %c = icmp sgt i32 %x, 0
          br i1 %c, label %left, label %right
        left:
          {left}
          br label %join
        right:
          {right}
          br label %join
        join:
    """


TRIANGLE = """
entry:
  %c = icmp sgt i32 %x, 0
  br i1 %c, label %join, label %arm
arm:
  %a = add i32 %x, 1
  br label %join
join:
"""


def test_two_arms() -> None:
    found = gate(branch("%a = add i32 %x, 1\n %b = mul i32 %a, %a", "%d = select i1 %c, i32 1, i32 %x"))
    assert found is not None
    assert isinstance(found.condition, Register) and found.condition.name == "c"
    assert found.sides == {"left": True, "right": False}
    results = {arm: [i.result.name for i in code if i.result is not None] for arm, code in found.arms.items()}
    assert results == {"left": ["a", "b"], "right": ["d"]}


def test_one_arm() -> None:
    found = gate(TRIANGLE)
    assert found is not None
    assert found.sides == {"entry": True, "arm": False}
    assert (len(found.arms["entry"]), len(found.arms["arm"])) == (0, 1)
    turned = gate(TRIANGLE.replace("label %join, label %arm", "label %arm, label %join"))
    assert turned is not None and turned.sides == {"entry": False, "arm": True}


@pytest.mark.parametrize(
    "effect",
    [
        "%v = call i32 @__VERIFIER_nondet_int()",
        "store i32 1, ptr @g",
        "%v = load i32, ptr @g",
        "%v = alloca i32",
    ],
)
def test_effects_in_an_arm(effect: str) -> None:
    text = "@g = global i32 0\ndefine i32 @main(i32 %x) {\n" + branch("", effect) + "call void @goal()\n ret i32 0\n}"
    assert gate_of(unrolled(text).shape("main"), "join") is None


def test_arms_of_many_instructions() -> None:
    def long(count: int) -> str:
        return "\n".join(f"%a{i} = add i32 %x, {i}" for i in range(count))

    fits = gates.MOST_INSTRUCTIONS - 1  # and the jump
    assert gate(branch(long(fits))) is not None
    assert gate(branch(long(fits + 1))) is None


def test_three_ways_into_a_join() -> None:
    text = """
        entry:
          switch i32 %x, label %a [
            i32 1, label %b
            i32 2, label %d
          ]
        a:
          br label %join
        b:
          br label %join
        d:
          br label %join
        join:
    """
    assert gate(text) is None


def test_a_switch_is_no_branch() -> None:
    text = """
        entry:
          switch i32 %x, label %a [
            i32 1, label %b
          ]
        a:
          br label %join
        b:
          br label %join
        join:
    """
    assert gate(text) is None


def test_an_arm_that_others_lead_to() -> None:
    text = """
        entry:
          %c = icmp sgt i32 %x, 0
          br i1 %c, label %left, label %more
        more:
          %d = icmp sgt i32 %x, -5
          br i1 %d, label %left, label %right
        left:
          br label %join
        right:
          br label %join
        join:
    """
    assert gate(text) is None


def test_ways_from_different_branches() -> None:
    text = """
        entry:
          %c = icmp sgt i32 %x, 0
          br i1 %c, label %left, label %more
        more:
          %d = icmp sgt i32 %x, -5
          br i1 %d, label %right, label %out
        left:
          br label %join
        right:
          br label %join
        out:
          unreachable
        join:
    """
    assert gate(text) is None


def test_headers_and_ways_out_of_loops() -> None:
    text = """
        entry:
          %c = icmp sgt i32 %x, 0
          br i1 %c, label %head, label %join
        head:
          %d = icmp sgt i32 %x, 7
          br i1 %d, label %head, label %join
        join:
    """
    assert gate(text, "head") is None
    assert gate(text) is None
