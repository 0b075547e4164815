"""Which store a load reads, and which joins in between might have changed that."""

from __future__ import annotations

import pytest

from unit.explain.following import Followed

GLOBALS = """
@a = global i32 0
@b = global i32 0
@array = global [4 x i32] zeroinitializer
"""


def main(text: str) -> str:
    return GLOBALS + "define i32 @main() {\n" + text + "\n}\n"


def diamond(store_before: str, left: str, right: str, after: str, load: str = "@a") -> str:
    """A load behind a join, both of whose arms may do something."""
    return main(f"""
        entry:
          %x = call i32 @__VERIFIER_nondet_int()
          {store_before}
          %c = icmp sgt i32 %x, 5
          br i1 %c, label %left, label %right
        left:
          {left}
          br label %join
        right:
          {right}
          br label %join
        join:
          {after}
          %v = load i32, ptr {load}
          %e = icmp eq i32 %v, 1
          br i1 %e, label %bad, label %well
        bad:
          call void @goal()
          unreachable
        well:
          ret i32 0
    """)


LEFT, RIGHT = "main:left", "main:right"


@pytest.mark.parametrize(
    ("before", "left", "right", "after", "expected"),
    [
        # Nothing is written: the initial value, whichever way.
        ("", "", "", "", set()),
        ("store i32 1, ptr @a", "", "", "", set()),
        # Written in one arm: then either way matters.
        ("", "store i32 1, ptr @a", "", "", {LEFT}),
        ("store i32 1, ptr @a", "", "store i32 2, ptr @a", "", {LEFT}),
        # Another global is written: of no interest.
        ("store i32 1, ptr @a", "store i32 7, ptr @b", "", "", set()),
        ("", "store i32 7, ptr @b", "store i32 8, ptr @b", "", set()),
        ("", "store i32 1, ptr @a", "store i32 8, ptr @b", "", {LEFT}),
        # Written behind the join: what was before is of no interest.
        ("", "store i32 1, ptr @a", "", "store i32 2, ptr @a", set()),
    ],
)
def test_only_joins_that_may_change_the_object(
    before: str, left: str, right: str, after: str, expected: set[str]
) -> None:
    assert Followed(diamond(before, left, right, after)).why("left") == expected


def test_from_the_other_side() -> None:
    followed = Followed(diamond("", "store i32 1, ptr @a", "", ""))
    assert (followed.folds_to("left"), followed.folds_to("right")) == (True, False)
    assert followed.why("right") == {RIGHT}


def test_elements_of_an_array_are_one_object() -> None:
    """The analysis does not tell elements apart, what was executed does."""
    other = "getelementptr (i32, ptr @array, i64 1)"
    followed = Followed(diamond("store i32 1, ptr @array", f"store i32 5, ptr {other}", "", "", "@array"))
    assert followed.why("left") == {LEFT}
    assert followed.folds_to("left") is True


def test_a_value_that_was_stored_brings_its_own_reason() -> None:
    text = main("""
        entry:
          %x = call i32 @__VERIFIER_nondet_int()
          %c = icmp sgt i32 %x, 5
          br i1 %c, label %left, label %right
        left:
          br label %join
        right:
          br label %join
        join:
          %n = phi i32 [ 1, %left ], [ 2, %right ]
          store i32 %n, ptr @a
          %d = icmp sgt i32 %x, 7
          br i1 %d, label %high, label %low
        high:
          store i32 3, ptr @b
          br label %last
        low:
          br label %last
        last:
          %v = load i32, ptr @a
          %e = icmp eq i32 %v, 1
          br i1 %e, label %bad, label %well
        bad:
          call void @goal()
          unreachable
        well:
          ret i32 0
    """)
    followed = Followed(text)
    assert followed.why("left", "high") == followed.why("left", "low") == {LEFT}


def through_pointer(use: str) -> str:
    """A pointer to @a or to @b, and a store through it, or a load."""
    return main(f"""
        entry:
          %x = call i32 @__VERIFIER_nondet_int()
          store i32 1, ptr @a
          %c = icmp sgt i32 %x, 5
          br i1 %c, label %left, label %right
        left:
          br label %join
        right:
          br label %join
        join:
          %p = phi ptr [ @a, %left ], [ @b, %right ]
          {use}
          %e = icmp eq i32 %v, 1
          br i1 %e, label %bad, label %well
        bad:
          call void @goal()
          unreachable
        well:
          ret i32 0
    """)


def test_a_store_through_a_pointer_stays_away_only_if_the_pointer_does() -> None:
    followed = Followed(through_pointer("store i32 9, ptr %p\n %v = load i32, ptr @a"))
    assert (followed.folds_to("left"), followed.folds_to("right")) == (False, True)
    assert followed.why("left") == {LEFT}
    assert followed.why("right") == {RIGHT}


def test_a_load_through_a_pointer_rests_on_the_pointer() -> None:
    followed = Followed(through_pointer("%v = load i32, ptr %p"))
    assert followed.why("left") == {LEFT}
    assert followed.why("right") == {RIGHT}


def test_a_store_through_a_pointer_to_others_is_of_no_interest() -> None:
    text = through_pointer("store i32 9, ptr %p\n %v = load i32, ptr @array")
    assert Followed(text).why("left") == set()


# Calls


def calling(first: str, second: str) -> str:
    """A function of two returns, what its arms do, and a load of @a behind it."""
    return (
        GLOBALS
        + f"""
        define void @act(i32 %x) {{
        entry:
          %c = icmp sgt i32 %x, 5
          br i1 %c, label %yes, label %no
        yes:
          {first}
          ret void
        no:
          {second}
          ret void
        }}
        define i32 @main() {{
        entry:
          %x = call i32 @__VERIFIER_nondet_int()
          store i32 1, ptr @a
          call void @act(i32 %x)
          %v = load i32, ptr @a
          %e = icmp eq i32 %v, 1
          br i1 %e, label %bad, label %well
        bad:
          call void @goal()
          unreachable
        well:
          ret i32 0
        }}
    """
    )


def test_calls_that_do_not_write_the_object() -> None:
    assert Followed(calling("store i32 3, ptr @b", "")).why("yes") == set()


def test_calls_that_do() -> None:
    followed = Followed(calling("store i32 3, ptr @a", ""))
    assert (followed.folds_to("yes"), followed.folds_to("no")) == (False, True)
    assert followed.why("yes") == {"main:entry(act:yes"}
    assert followed.why("no") == {"main:entry(act:no"}


def test_local_variables_of_each_activation() -> None:
    """A local variable whose address is passed on."""
    text = (
        GLOBALS
        + """
        define void @set(ptr %p, i32 %n) {
        entry:
          store i32 %n, ptr %p
          ret void
        }
        define i32 @main() {
        entry:
          %x = call i32 @__VERIFIER_nondet_int()
          %l = alloca i32
          %c = icmp sgt i32 %x, 5
          br i1 %c, label %left, label %right
        left:
          call void @set(ptr %l, i32 1)
          br label %join
        right:
          call void @set(ptr %l, i32 2)
          br label %join
        join:
          %v = load i32, ptr %l
          %e = icmp eq i32 %v, 1
          br i1 %e, label %bad, label %well
        bad:
          call void @goal()
          unreachable
        well:
          ret i32 0
        }
    """
    )
    followed = Followed(text)
    assert followed.why("left") == {"main:left.1"}
    assert (followed.folds_to("left"), followed.folds_to("right")) == (True, False)


# Loops


def looping(store: str) -> str:
    return main(f"""
        entry:
          store i32 1, ptr @a
          br label %head
        head:
          %y = call i32 @__VERIFIER_nondet_int()
          %c = icmp sgt i32 %y, 5
          br i1 %c, label %inside, label %after
        inside:
          {store}
          br label %head
        after:
          %v = load i32, ptr @a
          %e = icmp eq i32 %v, 1
          br i1 %e, label %bad, label %well
        bad:
          call void @goal()
          unreachable
        well:
          ret i32 0
    """)


def test_a_loop_that_writes_something_else() -> None:
    followed = Followed(looping("store i32 2, ptr @b"))
    assert followed.why("inside", "inside", "after") == set()
    assert followed.why("after") == set()


def test_a_loop_that_writes_the_object() -> None:
    followed = Followed(looping("store i32 2, ptr @a"))
    assert followed.why("after") == {"main:#0:head -> main:after"}
    assert followed.entered("after") == {"main:#0:"}
    assert followed.why("inside", "inside", "after") == {"main:#2:head -> main:after"}
    # The last iteration's store is what counts, whatever came before it.
    assert followed.entered("inside", "inside", "after") == set()


# Where nothing is known but the path


def test_bytes_of_two_stores_blame_the_path() -> None:
    text = diamond("", "store i32 1, ptr @a", "store i16 1, ptr @a", "")
    followed = Followed(text)
    assert followed.why("left") == {LEFT}
    assert followed.why("right") == {"main:entry -> main:right"}


def test_a_model_that_writes_blames_the_path() -> None:
    text = "declare ptr @memset(ptr, i32, i64)\n" + diamond(
        "", "%m = call ptr @memset(ptr @a, i32 0, i64 4)", "%o = call ptr @memset(ptr @b, i32 0, i64 4)", ""
    )
    followed = Followed(text)
    assert followed.why("left") == {"main:entry -> main:left"}
