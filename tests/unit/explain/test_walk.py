"""Walking along a path once more gives the values that execution computed."""

from __future__ import annotations

import pytest

from clew.explain.definitions import value_of
from clew.explain.prefix import Prefix
from unit.execute.support import c_program
from unit.explain.following import Followed


def agree(followed: Followed, prefix: Prefix) -> None:
    """The prefix's next choice is what execution has made of it, on all sides that are open."""
    ending = followed.walker.ending(prefix)
    assert len(prefix.children) == 2, "the condition is symbolic"
    for edge, child in prefix.children.items():
        says = followed.walker.constraint(ending, edge).says(value_of(ending.subject))
        assert says is child.constraint


def program(code: str) -> str:
    return f"""
        %pair = type {{ i32, i64 }}
        @array = global [4 x i32] [i32 3, i32 1, i32 4, i32 1]
        declare {{ i32, i1 }} @llvm.uadd.with.overflow.i32(i32, i32)
        declare i32 @llvm.umax.i32(i32, i32)
        define i32 @twice(i32 %n) {{
        entry:
          %r = add i32 %n, %n
          ret i32 %r
        }}
        define i32 @main() {{
        entry:
          %x = call i32 @__VERIFIER_nondet_int()
          %y = call i32 @__VERIFIER_nondet_int()
          {code}
          %e = icmp eq i32 %v, 78
          br i1 %e, label %bad, label %well
        bad:
          call void @goal()
          unreachable
        well:
          ret i32 0
        }}
    """


@pytest.mark.parametrize(
    "code",
    [
        "%v = add nsw i32 %x, %y",
        "%a = mul i32 %x, 3\n %b = sub i32 %a, %y\n %v = xor i32 %b, -1",
        "%a = zext i32 %x to i64\n %b = lshr i64 %a, 3\n %v = trunc i64 %b to i32",
        "%s = and i32 %y, 31\n %a = shl i32 %x, %s\n %v = ashr i32 %a, 2",
        "%o = or i32 %y, 1\n %a = udiv i32 %x, %o\n %b = urem i32 %x, 10\n %v = add i32 %a, %b",
        "%c = icmp ult i32 %x, %y\n %v = select i1 %c, i32 %x, i32 %y",
        "%v = freeze i32 %x",
        "%a = insertvalue %pair zeroinitializer, i32 %x, 0\n %v = extractvalue %pair %a, 0",
        "%a = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %x, i32 %y)\n %v = extractvalue { i32, i1 } %a, 0",
        "%v = call i32 @llvm.umax.i32(i32 %x, i32 %y)",
        "%v = call i32 @twice(i32 %x)",
        "%l = alloca i32\n store i32 %x, ptr %l\n %v = load i32, ptr %l",
        "%p = getelementptr [4 x i32], ptr @array, i64 0, i64 2\n store i32 %y, ptr %p\n %v = load i32, ptr %p",
        "%l = alloca i64\n store i32 %x, ptr %l\n %v = load i32, ptr %l",
        "%p = call ptr @malloc(i64 4)\n store i32 %x, ptr %p\n %v = load i32, ptr %p",
        # Read in pieces: known of this path only, but the value is the same.
        "%l = alloca i32\n store i32 %x, ptr %l\n store i8 78, ptr %l\n %v = load i32, ptr %l",
    ],
)
def test_values(code: str) -> None:
    followed = Followed(program(code))
    agree(followed, followed.follow())


def test_trails_that_were_dropped_are_made_again() -> None:
    """Only few prefixes keep their trails."""
    source = c_program("""
        void goal(void);
        int main(void) {
          int s = 0;
          for (int i = 0; i < 6; i++) if (__VERIFIER_nondet_int() > i) s += i;
          if (s == 9) goal();
          return 0;
        }
    """)
    keys = [key for i in range(6) for key in ("for.body", "if.then" if i % 2 else "if.end")]
    reasons = []
    for limit in (3000, 2):
        followed = Followed(source)
        followed.walker.limit = limit
        prefix = followed.follow(*keys, "for.cond.cleanup")
        reasons.append(followed.why(*keys, "for.cond.cleanup"))
        kept = [p for p in chain(prefix) if p in followed.walker.trails]
        assert len(kept) == (len(chain(prefix)) if limit == 3000 else 3)  # the first is always there
    assert reasons[0] == reasons[1]
    assert "main:#1:if.then" in reasons[0]


def chain(prefix: Prefix | None) -> list[Prefix]:
    found = []
    while prefix is not None:
        found.append(prefix)
        prefix = prefix.parent
    return found
