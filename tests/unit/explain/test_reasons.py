"""What constant conditions rest on: exactly these choices."""

from __future__ import annotations

import pytest

from unit.explain.following import Followed


def body(text: str) -> str:
    return "define i32 @main() {\n" + text + "\n}\n"


# A flag that is set in one arm, handed through further joins, and asked at the end.
CHAIN = body("""
entry:
  %x = call i32 @__VERIFIER_nondet_int()
  %y = call i32 @__VERIFIER_nondet_int()
  %c = icmp sgt i32 %x, 5
  br i1 %c, label %yes, label %no
yes:
  br label %one
no:
  br label %one
one:
  %f = phi i32 [ 1, %yes ], [ 0, %no ]
  %d = icmp sgt i32 %y, 5
  br i1 %d, label %left, label %right
left:
  br label %two
right:
  br label %two
two:
  %g = phi i32 [ %f, %left ], [ %f, %right ]
  %h = phi i32 [ 7, %left ], [ 9, %right ]
  %e = icmp eq i32 %TESTED, 1
  br i1 %e, label %bad, label %well
bad:
  call void @goal()
  unreachable
well:
  ret i32 0
""")
YES, NO = "main:yes", "main:no"
LEFT, RIGHT = "main:left", "main:right"


@pytest.mark.parametrize(
    ("tested", "expected"),
    [("f", {YES}), ("g", {YES, LEFT}), ("h", {LEFT})],
)
def test_joins_between_definition_and_use(tested: str, expected: set[str]) -> None:
    followed = Followed(CHAIN.replace("%TESTED", f"%{tested}"))
    assert followed.why("yes", "left") == expected
    assert followed.folds_to("yes", "left") is (tested != "h")


def test_the_other_way_round() -> None:
    followed = Followed(CHAIN.replace("%TESTED", "%g"))
    assert followed.why("no", "right") == {NO, RIGHT}
    assert followed.folds_to("no", "right") is False


def test_a_condition_of_inputs_rests_on_nothing() -> None:
    followed = Followed(CHAIN.replace("%TESTED", "%x"))
    assert followed.why("yes", "left") == set()


def two_flags(last: str) -> str:
    """Two flags of their own choices, %f (1 or 0) and %g (1 or 0), and %e computed from them."""
    return body(f"""
        entry:
          %x = call i32 @__VERIFIER_nondet_int()
          %y = call i32 @__VERIFIER_nondet_int()
          %c = icmp sgt i32 %x, 5
          br i1 %c, label %yes, label %no
        yes:
          br label %one
        no:
          br label %one
        one:
          %f = phi i32 [ 1, %yes ], [ 0, %no ]
          %fb = phi i1 [ true, %yes ], [ false, %no ]
          %d = icmp sgt i32 %y, 5
          br i1 %d, label %left, label %right
        left:
          br label %two
        right:
          br label %two
        two:
          %g = phi i32 [ 1, %left ], [ 0, %right ]
          %gb = phi i1 [ true, %left ], [ false, %right ]
          {last}
          br i1 %e, label %bad, label %well
        bad:
          call void @goal()
          unreachable
        well:
          ret i32 0
    """)


MUL = "%m = mul i32 %f, %g\n %e = icmp ne i32 %m, 0"
MUL_INPUT = "%m = mul i32 %x, %g\n %e = icmp ne i32 %m, 0"
AND = "%m = and i32 %g, %f\n %e = icmp ne i32 %m, 0"
AND_BITS = "%e = and i1 %fb, %gb"
OR_BITS = "%e = or i1 %fb, %gb"
OR = "%m = or i32 %f, %g\n %e = icmp ne i32 %m, 0"
ADD = "%m = add i32 %f, %g\n %e = icmp eq i32 %m, 3"
SELECT = "%t = sub i32 %f, 3\n %m = select i1 %fb, i32 %g, i32 %t\n %e = icmp eq i32 %m, -3"
SELECT_CONSTANT = "%m = select i1 %fb, i32 %g, i32 3\n %e = icmp eq i32 %m, 3"


@pytest.mark.parametrize(
    ("last", "first", "second", "expected", "value"),
    [
        # Nothing times zero: one factor tells.
        (MUL, "no", "left", {NO}, False),
        (MUL, "yes", "right", {RIGHT}, False),
        (MUL, "yes", "left", {YES, LEFT}, True),
        (MUL_INPUT, "yes", "right", {RIGHT}, False),
        (AND, "no", "left", {NO}, False),
        (AND, "yes", "right", {RIGHT}, False),
        (AND, "yes", "left", {YES, LEFT}, True),
        (AND_BITS, "no", "left", {NO}, False),
        (AND_BITS, "yes", "left", {YES, LEFT}, True),
        (OR_BITS, "yes", "right", {YES}, True),
        (OR_BITS, "no", "left", {LEFT}, True),
        (OR_BITS, "no", "right", {NO, RIGHT}, False),
        # One is not all bits.
        (OR, "yes", "right", {YES, RIGHT}, True),
        (ADD, "no", "left", {NO, LEFT}, False),
        # What is not selected does not count; what selects does.
        (SELECT, "no", "left", {NO}, True),
        (SELECT, "yes", "left", {YES, LEFT}, False),
        (SELECT_CONSTANT, "no", "left", {NO}, True),
        (SELECT_CONSTANT, "yes", "left", {YES, LEFT}, False),
    ],
)
def test_shortcuts(last: str, first: str, second: str, expected: set[str], value: bool) -> None:
    followed = Followed(two_flags(last))
    assert followed.folds_to(first, second) is value
    assert followed.why(first, second) == expected


def test_either_factor_will_do() -> None:
    """Both are zero: one is blamed, not both."""
    assert len(Followed(two_flags(MUL)).why("no", "right")) == 1


# Calls

CALL = """
define i32 @pick(i32 %x, i32 %n) {
entry:
  %c = icmp sgt i32 %x, 5
  br i1 %c, label %yes, label %no
yes:
  ret i32 %n
no:
  ret i32 0
}
define i32 @single(i32 %n) {
entry:
  %m = add i32 %n, 1
  ret i32 %m
}
define i32 @main() {
entry:
  %x = call i32 @__VERIFIER_nondet_int()
  %c = icmp eq i32 %x, 9
  br i1 %c, label %left, label %right
left:
  br label %join
right:
  br label %join
join:
  %n = phi i32 [ 3, %left ], [ 4, %right ]
  %CALL
  %e = icmp eq i32 %r, 4
  br i1 %e, label %bad, label %well
bad:
  call void @goal()
  unreachable
well:
  ret i32 0
}
"""


def test_what_a_call_returns_depends_on_its_return() -> None:
    followed = Followed(CALL.replace("%CALL", "%r = call i32 @pick(i32 %x, i32 %n)"))
    inside = "main:join(pick:"
    assert followed.why("left", "yes") == {f"{inside}yes", LEFT}
    assert followed.why("right", "no") == {f"{inside}no"}


def test_a_function_that_returns_in_one_place_makes_no_difference() -> None:
    followed = Followed(CALL.replace("%CALL", "%r = call i32 @single(i32 %n)"))
    assert followed.why("left") == {LEFT}
    assert (followed.folds_to("left"), followed.folds_to("right")) == (True, False)


# Loops

LOOP = body("""
entry:
  %x = call i32 @__VERIFIER_nondet_int()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %j, %latch ]
  %s = phi i32 [ 5, %entry ], [ %t, %latch ]
  %c = icmp slt i32 %i, 2
  br i1 %c, label %inside, label %after
inside:
  %y = call i32 @__VERIFIER_nondet_int()
  %d = icmp sgt i32 %y, 5
  br i1 %d, label %more, label %latch
more:
  %u = add i32 %s, 1
  br label %latch
latch:
  %t = phi i32 [ %s, %inside ], [ %u, %more ]
  %j = add i32 %i, 1
  br label %head
after:
  %e = icmp eq i32 %s, 6
  br i1 %e, label %bad, label %well
bad:
  call void @goal()
  unreachable
well:
  ret i32 0
""")


def test_a_counter_rests_on_the_way_into_the_loop_alone() -> None:
    """Back edges are the only ones to their headers: no choice. But the first iteration was entered from outside."""
    followed = Followed(LOOP)
    assert followed.why() == set()
    assert followed.entered() == {"main:#0:"}
    assert followed.why("inside", "more") == set()
    assert followed.entered("inside", "more") == {"main:#0:"}
    assert followed.why("inside", "more", "inside", "latch") == set()


def test_what_a_loop_leaves_rests_on_its_last_iteration() -> None:
    followed = Followed(LOOP)
    path = ("inside", "more", "inside", "latch", "after")
    assert followed.folds_to(*path) is True
    assert followed.why(*path) == {
        "main:#0:more", "main:#1:inside -> main:#1:latch", "main:#2:head -> main:after",
    }  # fmt: skip


FRESH_IN_LOOP = body("""
entry:
  br label %head
head:
  %y = call i32 @__VERIFIER_nondet_int()
  %d = icmp sgt i32 %y, 5
  br i1 %d, label %yes, label %no
yes:
  br label %latch
no:
  br label %latch
latch:
  %f = phi i1 [ true, %yes ], [ false, %no ]
  br i1 %f, label %head, label %bad
bad:
  call void @goal()
  unreachable
""")


def test_what_is_made_within_an_iteration_is_not_bound_to_the_first() -> None:
    followed = Followed(FRESH_IN_LOOP)
    assert (followed.why("yes"), followed.entered("yes")) == ({"main:#0:yes"}, set())
    assert followed.why("yes", "head", "no") == {"main:#1:no"}


# Through pointers

TABLE = """
@pointer = global ptr @f
define i32 @f() {
entry:
  ret i32 1
}
define i32 @g() {
entry:
  ret i32 2
}
define i32 @main() {
entry:
  %x = call i32 @__VERIFIER_nondet_int()
  %c = icmp sgt i32 %x, 5
  br i1 %c, label %left, label %right
left:
  br label %join
right:
  br label %join
join:
  %p = phi ptr [ @f, %left ], [ @g, %right ]
  %r = call i32 %p()
  %e = icmp eq i32 %r, 2
  br i1 %e, label %bad, label %well
bad:
  call void @goal()
  unreachable
well:
  ret i32 0
}
"""


def test_a_pointer_that_was_chosen() -> None:
    followed = Followed(TABLE)
    assert followed.why("left") == {LEFT}
    assert followed.why("left", "f") == {"main:join(f:entry"}
    assert followed.folds_to("right", "g") is True
