"""Inputs: ``__VERIFIER_nondet_*`` and KLEE's intrinsics."""

from __future__ import annotations

import pytest

from unit.execute.support import exit_code, explore, llvm

NONDET = {
    "bool": ("_Bool", 1), "char": ("char", -128), "uchar": ("unsigned char", 255), "short": ("short", -32768),
    "ushort": ("unsigned short", 65535), "int": ("int", -(2**31)), "uint": ("unsigned int", 2**32 - 1),
    "long": ("long", -(2**63)), "ulong": ("unsigned long", 2**64 - 1), "longlong": ("long long", -(2**63)),
    "float": ("float", 1.5), "double": ("double", -0.25),
}  # fmt: skip


@pytest.mark.parametrize("name", NONDET)
def test_nondet(name: str) -> None:
    """The extreme value of each type is reached, and comes back as C spells it."""
    spelling, value = NONDET[name]
    number = f"({spelling}){value}" if isinstance(value, float) else f"({spelling}){value & (2**64 - 1):#x}ull"
    code = f"extern {spelling} __VERIFIER_nondet_{name}(void);\n"
    code += f"int main(void) {{ {spelling} v = __VERIFIER_nondet_{name}(); if (v == {number}) return 1; return 0; }}"
    found = explore(code)
    assert found.codes == [0, 1]
    assert next(way.inputs for way in found.ways if way.code == 1) == (value,)


def test_bool_declared_as_int_is_still_0_or_1() -> None:
    program = llvm(
        """
        declare i32 @__VERIFIER_nondet_bool()
        define i32 @main() {
          %b = call i32 @__VERIFIER_nondet_bool()
          %c = icmp ugt i32 %b, 1
          br i1 %c, label %many, label %few
        many:
          ret i32 2
        few:
          ret i32 %b
        }
        """
    )
    assert explore(program).codes == [0]


def test_inputs_through_a_pointer() -> None:
    code = """
    unsigned char (*volatile read)(void) = __VERIFIER_nondet_uchar;
    int main(void) { if (read() == 200) return 1; return 0; }
    """
    found = explore(code)
    assert found.codes == [0, 1]
    assert (200,) in [way.inputs for way in found.ways]


KLEE = """
void klee_make_symbolic(void *, __SIZE_TYPE__, const char *);
int klee_range(int, int, const char *);
int klee_int(const char *);
void klee_assume(__UINTPTR_TYPE__);
int klee_is_symbolic(__UINTPTR_TYPE__);
unsigned klee_get_value_i32(unsigned);
__SIZE_TYPE__ klee_get_obj_size(void *);
void klee_check_memory_access(const void *, __SIZE_TYPE__);
void klee_silent_exit(int);
__UINTPTR_TYPE__ klee_choose(__UINTPTR_TYPE__);
void klee_prefer_cex(void *, __UINTPTR_TYPE__);
"""


def test_make_symbolic_of_scalars_arrays_and_structs() -> None:
    code = (
        KLEE
        + """
    struct s { char c; int i; short t[3]; };
    int main(void) {
      int x; char text[3]; struct s s;
      klee_make_symbolic(&x, sizeof x, "x");
      klee_make_symbolic(text, sizeof text, "text");
      klee_make_symbolic(&s, sizeof s, "s");
      if (x == -7 && text[0] == 'a' && text[2] == 'c' && s.i == 1000000 && s.t[2] == -1) return 1;
      return 0;
    }
    """
    )
    found = explore(code)
    assert set(found.codes) == {0, 1}
    inputs = next(way.inputs for way in found.ways if way.code == 1)
    assert int(inputs[0]) & 0xFFFFFFFF == -7 & 0xFFFFFFFF
    assert isinstance(inputs[1], bytes) and inputs[1][0] == ord("a") and inputs[1][2] == ord("c")


def test_make_symbolic_has_bytes_where_the_object_is_text() -> None:
    code = (
        KLEE
        + """
    static char text[4];
    struct s { long n; unsigned char name[8]; };
    int main(void) {
      char local[8]; long one, many[1]; struct s s; char rows[2][4]; char *p = local;
      klee_make_symbolic(text, 4, "");
      klee_make_symbolic(&local, 8, "");
      klee_make_symbolic(s.name, 8, "");
      klee_make_symbolic(rows[1], 4, "");
      klee_make_symbolic(p + 4, 4, "");
      klee_make_symbolic(&one, 8, "");
      klee_make_symbolic(many, 8, "");
      klee_make_symbolic(&s.n, 8, "");
      if (text[3] == 'x' && s.name[7] == 'y' && rows[1][0] == 'z' && one == 7) return 1;
      return 0;
    }
    """
    )
    found = explore(code)
    assert set(found.codes) == {0, 1}
    *texts, one, many, n = next(way.inputs for way in found.ways if way.code == 1)
    assert texts == [b"\0\0\0x", bytes(8), bytes(7) + b"y", b"z\0\0\0", bytes(4)]
    assert (one, many, n) == (7, 0, 0)


def test_make_symbolic_beyond_the_object() -> None:
    found = explore(KLEE + 'int main(void) { char a[3]; klee_make_symbolic(a, 5, "a"); return 0; }')
    assert found.kinds == ["out-of-bounds"]


def test_range_is_half_open_and_signed() -> None:
    code = (
        KLEE
        + """
    int main(void) {
      int v = klee_range(-2, 2, "v");
      if (v < -2 || v >= 2) return 9;
      switch (v) { case -2: return 1; case -1: return 2; case 0: return 3; case 1: return 4; }
      return 8;
    }
    """
    )
    assert explore(code).codes == [1, 2, 3, 4]


def test_choose_assume_and_queries() -> None:
    code = (
        KLEE
        + """
    int main(void) {
      unsigned long c = klee_choose(3);
      int x = klee_int("x"), y = 5;
      klee_assume(x > 100);
      klee_assume(x < 102);
      if (!klee_is_symbolic(x) || klee_is_symbolic(y)) return 50;
      if (klee_get_value_i32(x) != 101) return 51;
      char a[12];
      if (klee_get_obj_size(a) != 12) return 52;
      klee_check_memory_access(a, 12);
      klee_prefer_cex(&x, x == 3);
      if (c == 2) klee_silent_exit(7);
      return (int)c;
    }
    """
    )
    found = explore(code)
    assert set(found.codes) <= {0, 1, 7}
    assert 7 in found.codes
    assert found.kinds == []


def test_check_memory_access_finds_the_end() -> None:
    found = explore(KLEE + "int main(void) { char a[12]; klee_check_memory_access(a, 13); return 0; }")
    assert found.kinds == ["out-of-bounds"]


ENDS = {
    "assert": ('void __assert_fail(const char *, const char *, unsigned, const char *); '
               'int main(void) { __assert_fail("x > 3", "f.c", 3, "main"); return 0; }', "assert", "x > 3"),
    "reach_error": ("int main(void) { reach_error(); return 0; }", "error-call", "reach_error() is called"),
    "defined": ("void reach_error(void) { }\nint main(void) { reach_error(); return 0; }", "error-call", "reach_error"),
    "pointer": ("void (*volatile e)(void) = reach_error; int main(void) { e(); }", "error-call", "reach_error"),
    "trap": ("int main(void) { __builtin_trap(); }", "abort", "trap"),
    "abort": ("void abort(void); int main(void) { abort(); }", "abort", "abort"),
    "unreachable": ("int main(void) { __builtin_unreachable(); }", "unreachable", "unreachable"),
}  # fmt: skip


@pytest.mark.parametrize("name", ENDS)
def test_failures(name: str) -> None:
    code, kind, message = ENDS[name]
    (way,) = explore(code).ways
    assert (way.how, way.kind) == ("bug", kind)
    assert message in way.message


def test_abort_as_an_assumption() -> None:
    code = "void abort(void); int main(void) { if (__VERIFIER_nondet_int() == 3) abort(); return 5; }"
    assert explore(code).kinds == ["abort"]
    assert explore(code, checks=frozenset({"assert"})).codes == [5, 134]


def test_exit_codes() -> None:
    assert exit_code("void exit(int); int main(void) { exit(300); }") == 44
    assert exit_code("void _exit(int); int main(void) { _exit(-1); }") == 255
    assert exit_code("int main(void) { return 256 + 7; }") == 7
