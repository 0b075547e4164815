"""Calls: by value, through pointers, with variable arguments, recursive, to nobody."""

from __future__ import annotations

import pytest

from unit.execute.support import TARGETS, concrete, exit_code, explore

VARARGS = """
#include <stdarg.h>
struct small { int a, b; };
struct big { long v[5]; };
struct mixed { long n; double d; };
struct floats { float x, y; };
struct three { int a, b, c; };
__attribute__((noinline)) static int check(int which, ...) {
  va_list list, copy;
  int ok = 0;
  va_start(list, which);
  va_copy(copy, list);
  switch (which) {
  case 0: { int s = 0; for (int i = 0; i < 12; i++) s += va_arg(list, int) * (i + 1); ok = s == 650; break; }
  case 1: { double s = 0; for (int i = 0; i < 10; i++) s += va_arg(list, double); ok = s == 27.5; break; }
  case 2: {
    int a = va_arg(list, int); long long b = va_arg(list, long long); int c = va_arg(list, int);
    long long d = va_arg(list, long long);
    ok = a == 1 && b == 0x123456789abcdefLL && c == -2 && d == -5; break; }
  case 3: {
    struct small s = va_arg(list, struct small); int m = va_arg(list, int); struct big b = va_arg(list, struct big);
    ok = s.a == 3 && s.b == 4 && m == 5 && b.v[0] == 6 && b.v[4] == 10; break; }
  case 4: {
    struct mixed m = va_arg(list, struct mixed); double d = va_arg(list, double);
    struct mixed k = va_arg(list, struct mixed);
    ok = m.n == 7 && m.d == 1.5 && d == 2.5 && k.n == 8 && k.d == 3.5; break; }
  case 5: {
    int a = va_arg(list, int); struct floats f = va_arg(list, struct floats); double d = va_arg(list, double);
    struct three t = va_arg(list, struct three); char *s = va_arg(list, char *);
    ok = a == 1 && f.x == 0.5f && f.y == 0.25f && d == 8.0 && t.a == 1 && t.b == 2 && t.c == 3 && s[1] == 'y'; break; }
  case 6: { int a = va_arg(copy, int), b = va_arg(copy, int), c = va_arg(list, int); ok = a == 4 && b == 9 && c == 4; }
  }
  va_end(copy);
  va_end(list);
  return ok;
}
static int forward(int which, va_list list) {
  int a = va_arg(list, int); double d = va_arg(list, double); return which + a == 5 && d == 1.25;
}
__attribute__((noinline)) static int outer(int which, ...) {
  va_list list; va_start(list, which); int r = forward(which, list); va_end(list); return r;
}
int main(void) {
  struct small s = {3, 4}; struct big b = {{6, 7, 8, 9, 10}}; struct mixed m = {7, 1.5}, k = {8, 3.5};
  struct floats f = {0.5f, 0.25f}; struct three t = {1, 2, 3};
  int r = 0;
  r |= check(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) << 0;
  r |= check(1, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0) << 1;
  r |= check(2, 1, 0x123456789abcdefLL, -2, -5LL) << 2;
  r |= check(3, s, 5, b) << 3;
  r |= check(4, m, 2.5, k) << 4;
  r |= check(5, 1, f, 8.0, t, "xyz") << 5;
  r |= check(6, 4, 9) << 6;
  r |= outer(2, 3, 1.25) << 7;
  return r;
}
"""


@pytest.mark.parametrize("target", TARGETS)
def test_variable_arguments(target: str) -> None:
    """Eight bits, one for each mixture of types."""
    assert exit_code(VARARGS, target=target) == 0xFF


def test_wide_variable_arguments() -> None:
    code = """
    #include <stdarg.h>
    int f(int n, ...) {
      va_list a; va_start(a, n);
      int x = va_arg(a, int); __int128 v = va_arg(a, __int128); int y = va_arg(a, int);
      va_end(a);
      return (int)(v >> 64) * 100 + x * 10 + y;
    }
    int main(void) { return f(0, 1, ((__int128)2) << 64, 3); }
    """
    assert exit_code(code) == 213


def test_symbolic_variable_arguments() -> None:
    code = """
    #include <stdarg.h>
    static int sum(int n, ...) {
      va_list l; va_start(l, n); int s = 0; while (n--) s += va_arg(l, int); va_end(l); return s;
    }
    int main(void) {
      int x = __VERIFIER_nondet_int();
      if (sum(3, 1, x, 10) == 111) return 1;
      return 0;
    }
    """
    found = explore(code)
    assert found.codes == [0, 1]
    assert next(way.inputs for way in found.ways if way.code == 1) == (100,)


def test_reading_too_many_variable_arguments_stays_inside_the_engine() -> None:
    code = """
    #include <stdarg.h>
    static int f(int n, ...) { va_list l; va_start(l, n); int s = 0; while (n--) s += va_arg(l, int); return s > 5; }
    int main(void) { return f(9, 1); }
    """
    assert explore(code).ways[0].how == "bug"


STRUCTS = """
struct P { float x, y; };
struct V { double x, y, z; };
struct B { char bytes[3]; };
struct E { int a; char c; };
struct L { long v[4]; };
union U { int i; float f; };
__attribute__((noinline)) static struct P swap(struct P p) { struct P q = {p.y, p.x}; p.x = 0; return q; }
__attribute__((noinline)) static struct V add(struct V a, struct V b) {
  struct V r = {a.x + b.x, a.y + b.y, a.z + b.z}; return r;
}
__attribute__((noinline)) static struct B turn(struct B b) {
  struct B r = {{b.bytes[2], b.bytes[1], b.bytes[0]}}; return r;
}
__attribute__((noinline)) static struct E both(struct E e, int k) { e.a += k; e.c++; return e; }
__attribute__((noinline)) static long change(struct L l) { l.v[0] = 99; return l.v[3]; }
__attribute__((noinline)) static union U bits(union U u) { u.i += 1; return u; }
int main(void) {
  struct P p = {1.5f, 2.5f}, q = swap(p);
  struct V v = {1, 2, 3}, w = add(v, v);
  struct B b = {{1, 2, 3}}, c = turn(b);
  struct E e = {7, 'a'}, g = both(e, 3);
  struct L l = {{1, 2, 3, 4}};
  union U u = {.f = 1.0f};
  int r = 0;
  r |= (q.x == 2.5f && q.y == 1.5f && p.x == 1.5f) << 0;
  r |= (w.x == 2 && w.y == 4 && w.z == 6) << 1;
  r |= (c.bytes[0] == 3 && c.bytes[2] == 1) << 2;
  r |= (g.a == 10 && g.c == 'b' && e.a == 7) << 3;
  r |= (change(l) == 4 && l.v[0] == 1) << 4;
  r |= (bits(u).i == 0x3f800001) << 5;
  return r;
}
"""


@pytest.mark.parametrize("target", TARGETS)
def test_structs_by_value(target: str) -> None:
    assert exit_code(STRUCTS, target=target) == 0x3F


def test_struct_by_value_through_a_pointer() -> None:
    code = """
    struct B { long a[5]; };
    long f(struct B b) { b.a[0] = 9; return b.a[4]; }
    long (*volatile g)(struct B) = f;
    int main(void) { struct B b = {{1, 2, 3, 4, 5}}; long r = g(b); return r * 10 + b.a[0]; }
    """
    assert exit_code(code) == 51


POINTERS = """
int one(int x) { return x + 1; }
int two(int x) { return x + 2; }
int (*table[3])(int) = {one, two, 0};
int main(void) {
  unsigned i = __VERIFIER_nondet_uint();
  if (i > 2) return 99;
  return table[i](10);
}
"""


@pytest.mark.slow
def test_symbolic_function_pointer() -> None:
    found = explore(POINTERS)
    assert found.codes == [11, 12, 99]
    assert found.bugs == [("null-dereference", 8)]
    assert [exit_code(POINTERS, n) for n in (0, 1, 3)] == [11, 12, 99]


def test_null_function_pointer() -> None:
    found = explore("int (*volatile p)(int); int main(void) { return p(1); }")
    assert found.bugs == [("null-dereference", 1)]


def test_pointer_to_data_is_no_function() -> None:
    found = explore("int x; void (*volatile p)(void) = (void (*)(void))&x; int main(void) { p(); return 0; }")
    assert found.kinds == ["other"]
    assert "no function" in found.ways[0].message


@pytest.mark.parametrize(
    "code",
    [
        "void f(void) {} int (*volatile p)(void) = (int (*)(void))f; int main(void) { return p() + 1; }",
        "int f(void) { return __VERIFIER_nondet_int(); } long (*volatile p)(void) = (long (*)(void))f;"
        "int main(void) { return p() > 1; }",
        "int f(int a, int b) { return a; } int (*volatile p)(int) = (int (*)(int))f; int main(void) { return p(1); }",
        "int f(double a) { return a; } int (*volatile p)(int) = (int (*)(int))f; int main(void) { return p(1); }",
    ],
    ids=["void", "result", "count", "type"],
)
def test_pointer_of_another_type(code: str) -> None:
    """Undefined behaviour: a bug of the program, never a crash of the engine."""
    found = explore(code)
    assert found.kinds == ["other"]


def test_models_through_pointers() -> None:
    code = """
    void *(*volatile get)(__SIZE_TYPE__) = malloc;
    void (*volatile put)(void *) = free;
    int (*volatile any)(void) = __VERIFIER_nondet_int;
    int main(void) {
      int *p = get(4);
      if (!p) return 3;
      *p = any();
      int r = *p > 5;
      put(p);
      if (r) return 1;
      return 2;
    }
    """
    found = explore(code)
    assert found.codes == [1, 2]
    assert found.kinds == []


def test_recursion() -> None:
    code = """
    int ack(int m, int n) { return !m ? n + 1 : !n ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
    int even(int); int odd(int n) { return n ? even(n - 1) : 0; } int even(int n) { return n ? odd(n - 1) : 1; }
    int main(void) { return ack(2, 3) * 10 + even(101) * 2 + odd(77); }
    """
    assert exit_code(code) == 91


def test_recursion_with_forks_keeps_frames_apart() -> None:
    """Each level chooses: all subsets of {1, 2, 4, 8} must come out, each once."""
    code = """
    int pick(int bit) {
      if (bit > 8) return 0;
      int mine = 0;
      if (__VERIFIER_nondet_bool()) mine = bit;
      int rest = pick(bit * 2);
      return mine + rest;
    }
    int main(void) { return pick(1); }
    """
    for search in ("dfs", "bfs", "default"):
        assert explore(code, search=search).codes == list(range(16))


def test_endless_recursion_is_cut() -> None:
    found = explore("int f(int n) { return f(n + 1) + 1; } int main(void) { return f(0); }")
    assert found.endings["lost"] == 1
    assert "recursion deeper" in found.lost[0]


def test_undefined_function_returns_anything_and_says_so() -> None:
    code = "int mystery(int); int main(void) { if (mystery(3) == 77) return 1; return 0; }"
    found = explore(code)
    assert found.codes == [0, 1]
    assert next(way.inputs for way in found.ways if way.code == 1) == (77,)
    assert any("mystery() is not defined" in what for _, what, _ in found.run.losses)


def test_undefined_function_that_does_not_return() -> None:
    found = explore("_Noreturn void die(int); int main(void) { if (__VERIFIER_nondet_bool()) die(1); return 4; }")
    assert found.codes == [4]
    assert found.endings["lost"] == 1


def test_old_style_call_with_too_few_arguments() -> None:
    found = explore("int f(); int main(void) { return f(1); } int f(int a, int b) { return a; }")
    assert found.endings["bug"] == 0
    assert found.codes in ([1], [])


def test_constructors_run_before_main() -> None:
    code = """
    int order;
    __attribute__((constructor(101))) static void first(void) { order = order * 10 + 1; }
    __attribute__((constructor(102))) static void second(void) { order = order * 10 + 2; }
    int main(void) { return order; }
    """
    assert exit_code(code) == 12


def test_arguments_of_main() -> None:
    code = "int main(int argc, char **argv) { return argc * 10 + (argv[0][0] != 0) + (argv[1] == 0); }"
    assert exit_code(code) == 12


def test_the_call_stack_of_a_bug() -> None:
    code = "int h(int *p) { return *p; }\nint g(int *p) { return h(p) + 1; }\nint main(void) {\n return g(0);\n}"
    (way,) = explore(code).ways
    assert [frame.function for frame in way.stack] == ["h", "g", "main"]
    assert [frame.location.line for frame in way.stack if frame.location] == [1, 2, 4]


def test_exit_from_a_deep_call() -> None:
    outcome = concrete(
        "void exit(int); void f(int n) { if (!n) exit(42); f(n - 1); } int main(void) { f(5); return 1; }"
    )
    assert (outcome.end, outcome.exit_code) == ("exit", 42)
