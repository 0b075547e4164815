"""Specified runs explore exactly the inputs that are described, no others and all of them."""

from __future__ import annotations

from itertools import product

import pytest

from clew.base.errors import UserError
from clew.base.specification import parse_function
from clew.execute.heap.surroundings import HeapOptions
from unit.execute.support import Exploration, c_program, explore

PROGRAM = """
enum color { RED, GREEN = 5, BLUE };
/* A path for each number. */
static int bits(int n) {
  int code = 0;
  for (int b = 0; b < 8; b++) if (n >> b & 1) code |= 1 << b;
  return code;
}
int number(unsigned char n) { return bits(n); }
int small(signed char n) { return bits(n); }
int color(enum color c) { return bits(c); }
int text(char *s, unsigned char n) {
  int code = 0;
  if (!s) return 200 + bits(n);
  for (int i = 0; i < 3; i++) {
    if (s[i] == 0) code = 3 * code;
    else if (s[i] == 1) code = 3 * code + 1;
    else code = 3 * code + 2;
  }
  return 5 * code + bits(n);
}
int beyond(char *s) { return s[3]; }
int sum(int *v, unsigned n) { int s = 0; for (unsigned i = 0; i <= n; i++) s |= v[i]; return s != 0; }
int two(int *p, int *q) { *p = 1; *q = 2; if (*p == 1) return 1; return 2; }
int bytes(void *p, int n) { return ((char *)p)[n] != 0; }
int call(int (*f)(int)) { if (f) return 1; return 0; }
int never(int *p, int *q) __attribute__((nonnull(1)));
int never(int *p, int *q) { if (!p) return 1; if (!q) return 2; return 0; }
struct inner { unsigned char low, high; };
struct buffer { unsigned char used; struct inner inner; char *data; struct buffer *next; _Bool open; unsigned bits : 3;
  union { int i; char *s; } u; enum color color; int items[2]; };
int used(struct buffer *b) { if (!b) return 99; return bits(b->used); }
int range(struct buffer *b) { return 16 * bits(b->inner.low) + bits(b->inner.high); }
int held(struct buffer *b, unsigned char n) {
  int code = 0;
  if (!b->data) return 200 + 8 * bits(b->used) + bits(n);
  for (int i = 0; i < 2; i++) code = 2 * code + bits(b->data[i] != 0);
  return 64 * bits(b->used) + 8 * bits(n) + code;
}
int after(struct buffer *b) { return b->data[b->used]; }
int second(struct buffer *b) { if (!b->next) return 9; return 3 * bits(b->next->used) + bits(b->next->open); }
int shared(struct buffer *b, char *p) { *p = 1; b->data[0] = 2; if (*p == 1) return 1; return 2; }
int value(struct inner v) { return v.low; }
int colored(struct buffer *b) { return bits(b->color); }
int least(int v[static 3]) { if (v[2]) return 1; return 0; }
"""


def _explore(call: str, guesses: bool = False) -> Exploration:
    name, promises = parse_function(call)
    return explore(c_program(PROGRAM), name, heap=HeapOptions(promises=promises, guesses=guesses))


def _codes(call: str) -> set[int]:
    found = _explore(call)
    assert found.kinds == []
    return set(found.codes)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("7", {7}),
        ("3..9", {*range(3, 10)}),
        ("..2 or 250.. or 99", {0, 1, 2, 99, *range(250, 256)}),
        ("'a'..'c'", {97, 98, 99}),
    ],
)
def test_unsigned_numbers(said: str, meant: set[int]) -> None:
    assert _codes(f"number(n: {said})") == meant


@pytest.mark.parametrize(("said", "meant"), [("-3..2", range(-3, 3)), ("..-127", [-128, -127]), ("126..", [126, 127])])
def test_signed_numbers(said: str, meant: range | list[int]) -> None:
    assert _codes(f"small(1: {said})") == {number & 255 for number in meant}


def test_constants_of_an_enumeration() -> None:
    assert _codes("color(c: RED or BLUE)") == {0, 6}
    assert _codes("color(c: GREEN..7)") == {5, 6, 7}


def _texts(null: bool, length: str) -> set[int]:
    """What ``text`` returns for ``string[2]``, with a number that is said by the length."""
    codes = set()
    for first, second in product(range(3), repeat=2):
        count = 0 if first == 0 else 1 if second == 0 else 2
        numbers = {"len(s)": [count], "0..len(s)": range(count + 1), "len(s) + 1..4": range(count + 1, 5)}[length]
        codes |= {5 * (9 * first + 3 * second) + number for number in numbers}
    return codes | ({200 + number for number in {"len(s)": [0], "0..len(s)": [0]}[length]} if null else set())


@pytest.mark.parametrize("length", ["len(s)", "0..len(s)", "len(s) + 1..4"])
def test_strings_and_their_lengths(length: str) -> None:
    assert _codes(f"text(s: string[2], n: {length})") == _texts(False, length)


@pytest.mark.parametrize("length", ["len(s)", "0..len(s)"])
def test_strings_or_null(length: str) -> None:
    assert _codes(f"text(s: string[2] or null, n: {length})") == _texts(True, length)


def test_the_end_of_what_is_specified_is_known() -> None:
    assert _explore("beyond(s: string[3])").kinds == []
    assert _explore("beyond(s: string[2])").kinds == ["out-of-bounds"]
    assert _explore("sum(v: array[2], n: 0..len(v))").kinds == ["out-of-bounds"]
    assert _explore("sum(v: array[2], n: 0..len(v) - 1)").kinds == []
    assert _explore("bytes(p: array[16], n: 0..15)").kinds == []
    assert _explore("bytes(p: array[16], n: 0..16)").kinds == ["out-of-bounds"]


def test_others_may_lead_to_an_array_but_two_arrays_are_apart() -> None:
    assert _codes("two(p: array[2], q: nonnull)") == {1, 2}
    assert _codes("two(p: nonnull, q: array[2])") == {1, 2}
    assert _codes("two(p: array[2], q: array[2])") == {1}


def test_null_and_not_null() -> None:
    assert _codes("call(f: null)") == {0}
    assert _codes("call(f: nonnull)") == {1}


@pytest.mark.parametrize(
    ("call", "meant"),
    [
        ("used(b.used: 3..5 or 9)", {3, 4, 5, 9}),
        ("used(1->used: 7)", {7}),
        ("used(b: array[1] or null, b.used: 7)", {7, 99}),
        ("range(b.inner.low: 1..3, b.inner.high: 2)", {16 * n + 2 for n in (1, 2, 3)}),
        ("colored(b.color: RED or BLUE)", {0, 6}),
        ("second(b.next: null)", {9}),
        ("second(b.next.used: 2..3, b.next.open: 1)", {7, 10}),
        ("second(b.next: array[1] or null, b.next.used: 1)", {9, 3, 4}),
        ("shared(b.data: array[1], p: array[1])", {1}),
    ],
)
def test_members(call: str, meant: set[int]) -> None:
    assert _codes(call) == meant


def test_members_and_their_lengths() -> None:
    found = _codes("held(b.data: array[2], b.used: ..len(b.data), n: 0)")
    assert found == {64 * used + data for used in range(3) for data in range(4)}
    texts = {(0, 0), (0, 1), (1, 2), (2, 3)}  # the length of a string, and which of its first two bytes are not zero
    found = _codes("held(b.data: string[2], b.used: len(b.data), n: len(b.data))")
    assert found == {72 * length + data for length, data in texts}
    found = _codes("held(b.data: string[2] or null, b.used: len(b.data), n: len(b.data) + 1)")
    assert found == {201, *(72 * length + 8 + data for length, data in texts)}


def test_the_end_of_what_members_lead_to_is_known() -> None:
    assert _explore("after(b.data: array[4], b.used: 0..len(b.data))").kinds == ["out-of-bounds"]
    assert _explore("after(b.data: array[4], b.used: 0..len(b.data) - 1)").kinds == []
    assert _explore("after(b.data: nonnull, b.used: 0)").kinds == []


def test_others_may_lead_to_what_members_lead_to() -> None:
    found = _explore("shared(b.data: array[1], p: nonnull)")
    assert set(found.codes) == {1, 2}
    assert found.kinds == ["out-of-bounds"]  # p may lead to b->data itself, which is no pointer then any more


def test_what_is_declared() -> None:
    assert _codes("never") == {0, 2}
    assert _codes("never(q: nonnull)") == {0}
    assert _codes("least") == {0, 1}


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("bytes(pp: array[2])", "no parameter of bytes 'pp'; did you mean 'p'?"),
        ("sum(n: len(missing))", "no parameter of sum 'missing'"),
        ("sum(n: len(v))", "add v: array[N], or v: string[N]"),
        ("sum(3: 5)", "sum has 2 parameters, and none of them is 3"),
        ("sum(v: 5)", "nonnull, null, string[N] or array[N] can be said of it"),
        ("sum(n: nonnull)", "a number or a range of numbers can be said of it"),
        ("sum(v: string[2])", "say array[2]"),
        ("sum(v: array[2], 1: nonnull)", "two things about v"),
        ("number(n: 256)", "unsigned char has 0 to 255"),
        ("color(c: GREEEN)", "did you mean 'GREEN'"),
        ("call(f: array[2])", "points to a function"),
        ("never(p: null)", "declared to be never null"),
        ("least(v: array[2])", "declared to have at least"),
        ("text(s: string[2], n: len(s) + 9..len(s))", "cannot be"),
        ("used(b.usd: 1)", "no member of struct buffer 'usd'; did you mean 'used'?"),
        ("used(b.used: 1, 1.used: 2)", "two things about b.used"),
        ("used(b.used: 256)", "unsigned char has 0 to 255"),
        ("used(b.bits: 1)", "b.bits is in a bit-field"),
        ("used(b.u.i: 1)", "b.u.i is in a union"),
        ("used(b.items: 1)", "nothing can be said of it"),
        ("used(b: nonnull, b.used: 1)", "say b: array[1]"),
        ("used(b: array[2], b.used: 1)", "say b: array[1]"),
        ("used(b.used: len(b.data))", "add b.data: array[N]"),
        ("used(b.next: string[2])", "say array[2]"),
        ("value(v.low: 1)", "passed by value"),
        ("number(n.low: 1)", "n is a unsigned char"),
        ("sum(v.x: 1)", "v is a int *"),
    ],
)
def test_what_cannot_be_is_an_error(call: str, said: str) -> None:
    with pytest.raises(UserError) as problem:
        _explore(call)
    assert said in str(problem.value)
