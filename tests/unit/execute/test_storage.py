"""Memory as programs see it: fast paths and slow ones, symbolic addresses, errors."""

from __future__ import annotations

import pytest

from clew.base.options import StartValue
from unit.execute.support import TARGETS, concrete, exit_code, explore, llvm, main

NEGATIVE = """
int data[70000];
__attribute__((noinline)) static int at8(signed char i) { int *p = data + 200; return p[i]; }
__attribute__((noinline)) static int at16(short i) { int *p = data + 200; return p[i]; }
__attribute__((noinline)) static int at32(int i) { int *p = data + 200; return p[i]; }
__attribute__((noinline)) static int at64(long long i) { int *p = data + 200; return p[i]; }
__attribute__((noinline)) static int atu8(unsigned char i) { int *p = data + 200; return p[i]; }
int main(void) {
  for (int k = 0; k < 70000; k++) data[k] = k;
  int ok = 1;
  for (int k = 0; k < 4; k++) { /* the first turn takes the slow path and prepares the fast one */
    ok &= at8(-3 - k) == 197 - k && at16(-3 - k) == 197 - k && at32(-3 - k) == 197 - k && at64(-3 - k) == 197 - k;
    ok &= at8(3 + k) == 203 + k && at16(300 + k) == 500 + k && atu8(253 + k % 2) == 453 + k % 2;
  }
  return ok;
}
"""


@pytest.mark.parametrize("target", TARGETS)
def test_negative_indices_of_every_width(target: str) -> None:
    assert exit_code(NEGATIVE, target=target) == 1


@pytest.mark.parametrize("width", (8, 16, 32, 64))
def test_getelementptr_sign_extends_its_index(width: int) -> None:
    program = llvm(
        f"""
        @data = global [600 x i32] zeroinitializer
        define i32 @main() {{
        entry:
          br label %loop
        loop:
          %k = phi i{width} [ 0, %entry ], [ %next, %loop ]
          %turn = phi i32 [ 0, %entry ], [ %more, %loop ]
          %base = getelementptr i32, ptr @data, i64 300
          %p = getelementptr i32, ptr %base, i{width} %k
          %old = load i32, ptr %p
          %new = add i32 %old, 1
          store i32 %new, ptr %p
          %next = sub i{width} %k, 1
          %more = add i32 %turn, 1
          %c = icmp ult i32 %more, 4
          br i1 %c, label %loop, label %done
        done:
          %q = getelementptr i32, ptr @data, i64 298
          %v = load i32, ptr %q
          ret i32 %v
        }}
        """
    )
    assert exit_code(program) == 1


def test_unaligned_and_mixed_width_access() -> None:
    code = """
    int main(void) {
      unsigned char b[16];
      for (int i = 0; i < 16; i++) b[i] = i + 1;
      unsigned u = *(unsigned *)(b + 3);
      *(unsigned short *)(b + 5) = 0xbeef;
      unsigned long long w = *(unsigned long long *)(b + 1);
      return u == 0x07060504u && w == 0x0908beef05040302ull && b[5] == 0xef;
    }
    """
    for target in TARGETS:
        assert exit_code(code, target=target) == 1


def test_symbolic_words_keep_their_bytes() -> None:
    code = """
    int main(void) {
      int x = __VERIFIER_nondet_int(), y;
      char *from = (char *)&x, *to = (char *)&y;
      for (int i = 0; i < 4; i++) to[i] = from[i];
      if (x != y) return 1;
      if (*(unsigned short *)(to + 1) == 0x1234 && to[0] == 1) return 2;
      return 3;
    }
    """
    found = explore(code)
    assert set(found.codes) == {2, 3}
    assert all(int(way.inputs[0]) & 0xFFFFFF == 0x123401 for way in found.ways if way.code == 2)


def test_bit_fields_and_unions() -> None:
    code = """
    struct S { unsigned a : 3, b : 5; int c : 7; unsigned long long d : 40; };
    union U { double d; unsigned long long u; struct { unsigned lo, hi; } h; };
    int main(void) {
      struct S s = {0};
      s.a = 9; s.b = 31; s.c = -3; s.d = 0xffffffffffull; s.b++;
      union U u; u.d = 2.0;
      return (s.a == 1 && s.b == 0 && s.c == -3 && s.d == 0xffffffffffull) + 2 * (u.h.hi == 0x40000000 && u.h.lo == 0);
    }
    """
    for target in TARGETS:
        assert exit_code(code, target=target) == 3


def test_setting_bit_fields_of_uninitialized_memory_is_fine() -> None:
    """The neighbours of a field are read and written back; they must not count as decisions."""
    code = """
    struct S { unsigned a : 3, b : 5; int c : 7; };
    int main(void) {
      struct S s;
      s.a = __VERIFIER_nondet_uint(); s.b = 2; s.c = -3;
      if (s.a == 1) return 1;
      if (s.c < 0 && s.b == 2) return 2;
      return 3;
    }
    """
    found = explore(code)
    assert found.codes == [1, 2]
    assert found.kinds == []


def test_padding_is_not_uninitialized_data() -> None:
    code = """
    struct S { int a; char c; };
    __attribute__((noinline)) static int f(struct S s) { return s.c == 3 ? s.a : 0; }
    int main(void) {
      struct S s, t;
      s.a = __VERIFIER_nondet_int(); s.c = 3;
      t = s;
      if (f(t) == 5) return 1;
      return 0;
    }
    """
    found = explore(code)
    assert found.codes == [0, 1]


# Allocation


def test_variable_length_arrays_in_loops() -> None:
    code = """
    int main(void) {
      int sum = 0;
      for (int n = 1; n < 200; n++) { char a[n]; a[n - 1] = n; a[0] = 1; sum += a[n - 1]; }
      return sum & 127;
    }
    """
    total = sum(max(n - 256 if n > 127 else n, -128) if n > 1 else 1 for n in range(1, 200))
    assert exit_code(code) == total & 127


def test_alloca_in_a_loop_makes_a_new_object_each_time() -> None:
    program = main(
        """
        entry:
          br label %loop
        loop:
          %i = phi i32 [ 0, %entry ], [ %j, %loop ]
          %last = phi ptr [ null, %entry ], [ %p, %loop ]
          %p = alloca i32
          store i32 %i, ptr %p
          %j = add i32 %i, 1
          %c = icmp ult i32 %j, 5
          br i1 %c, label %loop, label %done
        done:
          %v = load i32, ptr %last
          ret i32 %v
        """
    )
    assert exit_code(program) == 3


@pytest.mark.parametrize("width", (32, 64))
def test_symbolic_size_of_alloca(width: int) -> None:
    name = {32: "int", 64: "long"}[width]
    program = main(
        f"""
          %n = call i{width} @__VERIFIER_nondet_{name}()
          %c = icmp ult i{width} %n, 3
          %z = zext i1 %c to i32
          call void @__VERIFIER_assume(i32 %z)
          %p = alloca i32, i{width} %n
          %b = icmp eq i{width} %n, 0
          br i1 %b, label %out, label %in
        in:
          store i32 7, ptr %p
          ret i32 1
        out:
          ret i32 0
        """
    )
    found = explore(program)
    assert set(found.codes) == {0, 1}
    assert found.kinds == []


def test_stack_memory_dies_with_its_function() -> None:
    found = explore("int *f(void) { int x = 3; int *p = &x; return p; }\nint main(void) {\nreturn *f(); }")
    assert found.bugs == [("use-after-free", 3)]


def test_a_scope_left_and_entered_again() -> None:
    code = """
    int main(void) { int r = 0; for (int i = 0; i < 3; i++) { int a[4] = {i, i, i, i}; r += a[i]; } return r; }
    """
    assert exit_code(code) == 3


# Symbolic addresses


def test_read_and_write_at_a_symbolic_index() -> None:
    code = """
    int main(void) {
      unsigned char a[8] = {5, 3, 9, 1, 7, 2, 8, 6};
      unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();
      if (i >= 8 || j >= 8) return 0;
      a[i] = 100;
      if (a[j] == 100) { if (i != j) return 1; return 2; }
      if (a[j] == 9) return 3;
      return 4;
    }
    """
    found = explore(code)
    assert set(found.codes) == {0, 2, 3, 4}
    assert found.kinds == []
    for way in found.ways:
        if way.code == 3:
            assert way.inputs[1] == 2 and way.inputs[0] != 2


def test_rows_of_256_cells_at_a_symbolic_byte() -> None:
    code = """
    char rows[4][256];
    int main(void) {
      unsigned char c = __VERIFIER_nondet_uchar();
      __VERIFIER_assume(c < 4);
      for (int i = 0; i < 4; i++) rows[i][5] = i + 1;
      if (rows[0][5] != 1) return 2;
      return rows[c][5] * 11;
    }
    """
    assert [explore(code, start=[StartValue(None, c)]).codes for c in range(4)] == [[11], [22], [33], [44]]


def test_symbolic_indices_that_cancel_out_before_they_are_extended() -> None:
    code = """
    int data[8];
    int main(void) {
      unsigned x = __VERIFIER_nondet_uint(), y = 0u - x;
      __VERIFIER_assume(x < 4);
      int *p = &data[x];
      return data[0] == 0 && p[y] == 0;
    }
    """
    exploration = explore(code)
    assert exploration.codes == [1] and exploration.kinds == ["out-of-bounds"]


def test_out_of_bounds_is_found_and_the_rest_goes_on() -> None:
    code = """
    int main(void) {
      int a[4] = {10, 11, 12, 13};
      unsigned i = __VERIFIER_nondet_uint();
      int v = a[i];
      if (v == 12) return 1;
      return 0;
    }
    """
    found = explore(code, report=True)
    assert found.bugs == [("out-of-bounds", 5)]
    assert found.codes == [0, 1]
    assert next(way.inputs for way in found.ways if way.code == 1) == (2,)


def test_a_pointer_to_one_of_several_objects() -> None:
    code = """
    int main(void) {
      int a = 1, b = 2, c = 3;
      int *p = &a;
      int n = __VERIFIER_nondet_int();
      int *all[3] = {&a, &b, &c};
      if (n < 0 || n > 2) return 9;
      p = all[n];
      *p = 50;
      return (a == 50) + 2 * (b == 50) + 4 * (c == 50);
    }
    """
    found = explore(code)
    assert found.codes == [1, 2, 4, 9, 9]
    assert found.kinds == []


def test_chosen_pointer_may_be_null() -> None:
    code = """
    int main(void) {
      int x = 4;
      int *p = __VERIFIER_nondet_bool() ? &x : 0;
      return *p;
    }
    """
    found = explore(code)
    assert found.kinds == ["null-dereference"]
    assert found.codes == [4]


def test_errors_of_several_kinds_at_one_place() -> None:
    """A null pointer must not hide that the pointer may also be dangling, or past the end."""
    found = explore(
        """
        int main(void) {
          unsigned char n = __VERIFIER_nondet_uchar();
          int *gone = malloc(16), *here = malloc(16);
          free(gone);
          here[2] = 5;
          int *table[4] = {0, gone, here + 2, here + 4};
          return *table[n & 3];
        }
        """,
        report=True,
    )
    assert found.kinds == ["null-dereference", "out-of-bounds", "use-after-free"]
    assert found.codes == [5]


def test_an_index_that_leads_to_another_object() -> None:
    found = explore(
        """
        int main(void) {
          int n = __VERIFIER_nondet_int();
          int *one = malloc(16), *two = malloc(16);
          two[0] = 3;
          if (n != 1 << 30) return 0;
          one[n] = 1;
          return two[0];
        }
        """
    )
    assert found.kinds == ["out-of-bounds"]
    assert found.codes == [0]


def test_any_pointer_at_all() -> None:
    """An unconstrained pointer: at least null is found, and exploration ends."""
    found = explore("int main(void) { int *p = __VERIFIER_nondet_pointer(); return *p; }", report=True)
    assert "null-dereference" in found.kinds


def test_symbolic_size_of_a_copy() -> None:
    code = """
    int main(void) {
      char a[4] = "abc", b[4] = "xyz";
      unsigned n = __VERIFIER_nondet_uint();
      if (n > 3) return 9;
      __builtin_memcpy(b, a, n);
      if (b[2] == 'c') return 3;
      if (b[1] == 'b') return 2;
      if (b[0] == 'a') return 1;
      return 0;
    }
    """
    found = explore(code)
    assert set(found.codes) == {0, 1, 2, 3, 9}
    assert all(way.code == way.inputs[0] for way in found.ways if way.code != 9)


def test_any_size_at_all() -> None:
    code = "int main(void) { unsigned n = __VERIFIER_nondet_uint(); char *p = malloc(n); if (!p) return 1; return 0; }"
    found = explore(code)
    assert len(found.ways) <= 80
    assert 0 in found.codes


def test_endless_choice_of_a_value_is_bounded() -> None:
    """A pointer to any function whatsoever: some are tried, and the rest is named as lost."""
    found = explore("int main(void) { int (*f)(void) = __VERIFIER_nondet_pointer(); return f(); }")
    assert len(found.ways) <= 80
    assert "null-dereference" in found.kinds
    assert [kind for kind, _, _ in found.run.losses] == ["bounded"]


@pytest.mark.parametrize(
    ("code", "bug"),
    [
        ("char *s = \"abc\"; s[0] = 'x'; return 0;", "other"),
        ("int a[4]; int *p = a + 4; *p = 1; return 0;", "out-of-bounds"),
        ("int a[4]; int *p = a; p[-1] = 1; return 0;", "out-of-bounds"),
        ("int a[4]; *(long *)(a + 3) = 1; return 0;", "out-of-bounds"),
        ("int *p = 0; return *p;", "null-dereference"),
        ("struct { int x[9]; int y; } *p = 0; return p->y;", "null-dereference"),
        ("int *p = malloc(4); if (!p) return 0; free(p); return *p;", "use-after-free"),
        ("int *p = malloc(4); if (!p) return 0; return p[1];", "out-of-bounds"),
        ("char a[4]; __builtin_memset(a, 0, 5); return 0;", "out-of-bounds"),
        ("char a[4], b[8]; __builtin_memset(b, 0, 8); __builtin_memcpy(a, b, 8); return 0;", "out-of-bounds"),
        ("return *(int *)main;", "out-of-bounds"),
    ],
)
def test_memory_errors(code: str, bug: str) -> None:
    found = explore(f"int main(void) {{ {code} }}", report=True)
    assert bug in found.kinds
    assert set(found.kinds) <= {bug}


def test_constant_memory_at_a_symbolic_index() -> None:
    code = """
    const int T[4] = {1, 2, 3, 4};
    int main(void) { unsigned i = __VERIFIER_nondet_uint(); if (i < 4) ((int *)T)[i] = 7; return 0; }
    """
    found = explore(code)
    assert found.kinds == ["other"]
    assert found.codes == [0]


def test_ilp32_addresses_span_pages() -> None:
    """Objects larger than one page of the table, pointers of 4 bytes."""
    code = """
    int big[5000];
    struct node { struct node *next; int value; };
    int main(void) {
      for (int i = 0; i < 5000; i++) big[i] = i;
      int sum = 0;
      for (int i = 0; i < 5000; i += 999) sum += big[i];
      struct node *list = 0;
      for (int i = 0; i < 10; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n) return 0;
        n->next = list; n->value = i; list = n;
      }
      int count = 0;
      for (struct node *n = list; n; n = n->next) count = count * 2 + (n->value & 1);
      return sum == 14985 && count == 0x2aa && sizeof(void *) == 4;
    }
    """
    assert exit_code(code, target="x86-linux-gnu") == 1


def test_output_order_of_one_path() -> None:
    outcome = concrete('int puts(const char *); int main(void) { puts("a"); puts("b"); return 0; }')
    assert outcome.stdout == b"a\nb\n"
