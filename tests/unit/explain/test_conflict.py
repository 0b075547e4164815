"""Contradictions: as few choices as force them, and no fewer."""

from __future__ import annotations

import pytest

from clew.explain import conflict
from clew.explain.conflict import ReasonLimits
from unit.explain.following import Followed

# The arms of the second branch read an input each, so its phis are no functions of its condition.
EFFECTS = ("%l = call i32 @__VERIFIER_nondet_int()", "%r = call i32 @__VERIFIER_nondet_int()")
NOTHING = ("", "")

YES, LEFT, RIGHT, BAD = "main:entry -> main:yes", "main:left", "main:right", "main:join -> main:bad"


def text(last: str, arms: tuple[str, str], before: str = "") -> str:
    """x > 5 on the way over ``yes``; then a join; then ``last`` computes %e."""
    return f"""
        @a = global i32 0
        @b = global i32 0
        define i32 @main() {{
        entry:
          %x = call i32 @__VERIFIER_nondet_int()
          %z = call i32 @__VERIFIER_nondet_int()
          {before}
          %c = icmp sgt i32 %x, 5
          br i1 %c, label %yes, label %out
        yes:
          %d = icmp sgt i32 %z, 5
          br i1 %d, label %left, label %right
        left:
          {arms[0]}
          br label %join
        right:
          {arms[1]}
          br label %join
        join:
          %n = phi i32 [ %x, %left ], [ %z, %right ]
          %m = phi i32 [ 1, %left ], [ 2, %right ]
          {last}
          br i1 %e, label %bad, label %out
        bad:
          call void @goal()
          unreachable
        out:
          ret i32 0
        }}
    """


SAME = "%e = icmp slt i32 %n, 3"
"""Contradicts x > 5 only where n is x."""
EITHER = "%w = ashr i32 %x, 1\n %s = add i32 %w, %m\n %e = icmp slt i32 %s, 3"
"""Contradicts x > 5, whether m is 1 or 2, but not for all m."""
ASIDE = "%p = icmp sgt i32 %n, 0\n %q = icmp slt i32 %x, 3\n %e = and i1 %p, %q"
"""Contradicts x > 5, whatever n is."""


@pytest.mark.parametrize("arms", [EFFECTS, NOTHING], ids=["effects", "pure"])
def test_the_way_into_a_join_counts_where_it_matters(arms: tuple[str, str]) -> None:
    followed = Followed(text(SAME, arms))
    found = followed.why_not("yes", "left", then="bad")
    if arms is EFFECTS:
        assert found == {YES, LEFT, BAD}
    else:
        # The phi is a function of the branch's condition: that is what has to hold.
        assert found in ({YES, LEFT, BAD}, {YES, "main:yes -> main:left", BAD})
    followed.follow("yes", "right", "bad")  # is open


def test_and_does_not_where_it_does_not() -> None:
    for arms in (EFFECTS, NOTHING):
        followed = Followed(text(ASIDE, arms))
        assert followed.plainly_why_not("yes", "left", then="bad") >= {YES, LEFT, BAD}
        assert followed.why_not("yes", "left", then="bad") == {YES, BAD}


def test_simple_branches_need_no_choice() -> None:
    """Whichever way was taken, m is 1 or 2: without effects in the arms that is known."""
    followed = Followed(text(EITHER, NOTHING))
    assert followed.plainly_why_not("yes", "right", then="bad") == {YES, RIGHT, BAD}
    assert followed.why_not("yes", "right", then="bad") == {YES, BAD}
    followed = Followed(text(EITHER, EFFECTS))
    assert followed.why_not("yes", "right", then="bad") == {YES, RIGHT, BAD}


def test_what_the_way_not_taken_computes_counts_too() -> None:
    """k is 2 * x + 1 on the left; on the right 2 * z + 1, then 2 * z + 2: even only there."""
    computed = ("%l = mul i32 %x, 2\n %lo = add i32 %l, 1", "%r = mul i32 %z, 2\n %ro = add i32 %r, %odd")
    test = """
        %k = phi i32 [ %lo, %left ], [ %ro, %right ]
        %b = and i32 %k, 1
        %sign = ashr i32 %x, 31
        %s = add i32 %b, %sign
        %e = icmp eq i32 %s, 0
    """
    odd = text(test, computed, "%odd = and i32 1, 1").replace("%n = phi i32 [ %x, %left ], [ %z, %right ]", "")
    assert Followed(odd).why_not("yes", "left", then="bad") == {YES, BAD}
    followed = Followed(odd.replace("and i32 1, 1", "and i32 2, 2"))
    found = followed.why_not("yes", "left", then="bad")
    assert found in ({YES, LEFT, BAD}, {YES, "main:yes -> main:left", BAD})
    followed.follow("yes", "right", "bad")  # is open


def test_assumptions_stand_for_their_place() -> None:
    before = "%k = icmp slt i32 %x, 9\n %k32 = zext i1 %k to i32\n call void @__VERIFIER_assume(i32 %k32)"
    followed = Followed(text("%e = icmp sgt i32 %x, 20", EFFECTS, before))
    assert followed.why_not("yes", "left", then="bad") == {"main:entry", BAD}


def test_memory() -> None:
    """What was stored in an arm is read behind the join."""
    arms = ("store i32 %x, ptr @a", "")
    followed = Followed(text("%v = load i32, ptr @a\n %e = icmp slt i32 %v, 3", arms))
    assert followed.why_not("yes", "left", then="bad") == {YES, LEFT, BAD}
    followed.follow("yes", "right", "bad")


@pytest.mark.parametrize(
    ("use", "closed"),
    [("store i32 0, ptr %p\n %v = load i32, ptr @a", "right"), ("%v = load i32, ptr %p", "left")],
    ids=["store", "load"],
)
def test_memory_through_a_pointer(use: str, closed: str) -> None:
    """a is x, unless the pointer leads there; what the pointer leads to is x if that is a."""
    last = f"%p = phi ptr [ @a, %left ], [ @b, %right ]\n {use}\n %e = icmp slt i32 %v, 3"
    followed = Followed(text(last, EFFECTS, "store i32 %x, ptr @a"))
    assert followed.why_not("yes", closed, then="bad") == {YES, f"main:{closed}", BAD}
    followed.follow("yes", "left" if closed == "right" else "right", "bad")


def test_a_reason_that_cannot_shrink_is_not_worked_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise AssertionError("the solver was asked")

    # No square leaves 3 when divided by 4.
    followed = Followed(text("%w = mul i32 %x, %x\n %o = and i32 %w, 3\n %e = icmp eq i32 %o, 3", EFFECTS))
    constraints = followed.constraints("yes", "left", then="bad")
    monkeypatch.setattr(conflict, "_core", refuse)
    reason = conflict.contradiction(followed.run.solver, followed.run.layout, constraints)
    assert followed.named(reason) == {BAD}


@pytest.mark.parametrize("limits", [ReasonLimits(labels=0), ReasonLimits(nodes=0)], ids=["labels", "nodes"])
def test_too_large_contradictions_keep_the_plain_reason(limits: ReasonLimits) -> None:
    followed = Followed(text(ASIDE, EFFECTS))
    plain = followed.plainly_why_not("yes", "left", then="bad")
    assert followed.why_not("yes", "left", then="bad", limits=limits) == plain


# Reasons hold: on all paths that make these choices the way is closed


@pytest.mark.parametrize("last", [EITHER, ASIDE], ids=["either", "aside"])
@pytest.mark.parametrize("arms", [EFFECTS, NOTHING], ids=["effects", "pure"])
@pytest.mark.parametrize(("side", "other"), [("left", "right"), ("right", "left")])
def test_reasons_hold_on_other_paths(last: str, arms: tuple[str, str], side: str, other: str) -> None:
    reason = Followed(text(last, arms)).why_not("yes", side, then="bad")
    taken = {f"main:{side}", f"main:yes -> main:{side}"}
    elsewhere = Followed(text(last, arms))
    # The other side makes all these choices but this one, if it is among them; and is closed for a reason of its own.
    assert (reason - taken) <= elsewhere.why_not("yes", other, then="bad")


SWITCH = """
    define i32 @main() {
    entry:
      %x = call i32 @__VERIFIER_nondet_int()
      switch i32 %x, label %rest [
        i32 1, label %low
        i32 2, label %low
        i32 7, label %high
      ]
    low:
      %e = icmp sgt i32 %x, 2
      br i1 %e, label %bad, label %out
    high:
      %f = icmp slt i32 %x, 7
      br i1 %f, label %bad, label %out
    rest:
      %g = icmp eq i32 %x, 7
      br i1 %g, label %bad, label %out
    bad:
      call void @goal()
      unreachable
    out:
      ret i32 0
    }
"""


@pytest.mark.parametrize("case", ["low", "high", "rest"])
def test_switches(case: str) -> None:
    found = Followed(SWITCH).why_not(case, then="bad")
    assert found == {f"main:entry -> main:{case}", f"main:{case} -> main:bad"}
