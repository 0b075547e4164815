"""One iteration as a relation: paths through bodies, wrap-around, casts, memory, calls, inner loops, refusals."""

from __future__ import annotations

import pytest

from clew.analysis.callees import Callees
from clew.analysis.loops.closure import Memory
from clew.analysis.loops.limits import Limits
from clew.analysis.loops.reading import Loops
from clew.analysis.loops.relation import LoopRelation
from clew.analysis.mod_ref import ModRef
from clew.models.registry import all_models
from clew.program.values import Register
from unit.analysis.loops.read import header, pieces, refusal, relation
from unit.execute.support import c_program, llvm


def test_a_path_through_the_body_is_a_piece() -> None:
    code = "int f(int n) { int i = 0, x = 0; while (i < n) { if (i < 5) x += 3; else x--; i++; } return x; }"
    assert pieces(code) == ["i < n, i <= 4: i' = i + 1, x' = x + 3", "i < n, i >= 5: i' = i + 1, x' = x - 1"]


def test_what_wraps_around_and_is_compared_is_a_piece_of_its_own() -> None:
    code = "unsigned f(unsigned n) { unsigned i = 0; while (i != n) i += 3; return i; }"
    found = relation(code)
    assert found.exact
    texts = pieces(code)
    assert any("i' = i + 3" in text for text in texts)
    assert any("i' = i - 4294967293" in text and "i >= 4294967293" in text for text in texts)


def test_what_wraps_around_and_is_not_compared_is_no_piece() -> None:
    code = "unsigned f(unsigned n) { unsigned char c = 0; for (unsigned i = 0; i < n; i++) c += 7; return c; }"
    assert pieces(code) == ["i < n: c' = c + 7, i' = i + 1"]


def test_a_check_that_fails_is_no_iteration() -> None:
    code = "int f(int n) { int i = 0; while (n) i++; return i; }"
    checked = pieces(code, sanitize=("signed-integer-overflow",))
    assert checked == ["n < 0, i <= 2147483646: i' = i + 1", "n > 0, i <= 2147483646: i' = i + 1"]
    assert pieces(code) == ["n < 0: i' = i + 1", "n > 0: i' = i + 1"]


def test_breaks_and_errors_are_no_iterations() -> None:
    code = """
        extern void reach_error(void);
        int f(int n) { int x = 0; while (1) { if (x == 7) break; if (x > n) reach_error(); x++; } return x; }"""
    assert all("x <= n" in text for text in pieces(code))


def test_signed_and_unsigned_comparisons_of_one_value() -> None:
    code = "int f(int x) { while (x < 10 && (unsigned)x > 3u) x += 5; return x; }"
    assert sorted(pieces(code)) == ["x < 0: x' = x + 5", "x <= 9, x >= 4: x' = x + 5"]


def test_quotients_remainders_shifts_and_masks() -> None:
    code = """
        unsigned f(unsigned x) { unsigned y = 0;
          while (x > 100) { x = x / 3; y += x % 4 + (x >> 2) + (x & 6); }
          return y; }"""
    assert relation(code).exact


def test_inputs_are_unknown() -> None:
    code = """
        extern unsigned char __VERIFIER_nondet_uchar(void);
        int f(int x) { while (x < 100) x += __VERIFIER_nondet_uchar(); return x; }"""
    found = relation(code)
    assert found.exact and found.reads_inputs
    assert pieces(code) == ["x <= 99: x' = x + k"]


def test_assumptions_and_functions_that_are_called() -> None:
    code = """
        static int step(int x) { return x < 10 ? 1 : 2; }
        int f(int x) { while (x < 100) { __VERIFIER_assume(x != 4); x += step(x); } return x; }"""
    assert pieces(code) == [
        "x <= 3: x' = x + 1", "x <= 9, x >= 5: x' = x + 1", "x <= 99, x >= 10: x' = x + 2"
    ]  # fmt: skip


def test_scalars_in_memory_are_variables() -> None:
    code = "int g, h; int f(int n) { for (int i = 0; i < n; i++) g += h; return g; }"
    found = relation(code)
    assert found.exact
    assert [v.place for v in found.variables if isinstance(v.place, Memory)] == [Memory("g", 0, 4)]
    assert pieces(code) == ["i < n: i' = i + 1, g' = g + h"]


def test_fields_of_locals_are_variables() -> None:
    code = """
        int f(int n) { struct { int a, b; } s = {0, 0}; int *p = &s.b;
          while (s.a < n) { s.a++; *p += 2; }
          return s.b; }"""
    assert relation(code).exact


def test_arrays_are_havocked() -> None:
    code = "int a[9]; int f(int n) { for (int i = 0; i < 9; i++) a[i] = n; return a[0]; }"
    found = relation(code)
    assert not found.exact and found.reason == "the body writes memory that is not followed"
    assert [v.place for v in found.havocked] == [Memory("a", 0, 36)]


def test_bytes_that_are_read_in_two_ways_are_not_followed() -> None:
    code = "union { int a; char c; } u; int f(int n) { while (n--) { u.a++; u.c = 1; } return u.a; }"
    found = relation(code)
    assert not found.exact
    assert [v.place for v in found.havocked] == [Memory("u", 0, 4)]


def test_products_of_variables_are_forgotten() -> None:
    found = relation("int f(int n) { int x = 1; for (int i = 0; i < n; i++) x *= i; return x; }")
    assert not found.exact and found.reason == "the body computes mul of two values"


def test_an_inner_loop_is_closed_first() -> None:
    code = "int f(int n, int m) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s++; return s; }"
    assert relation(code).exact
    assert pieces(code) == ["i < n, m <= 0: i' = i + 1", "i < n, m > 0: i' = i + 1, s' = s + m"]


def test_pointers_that_move_are_havocked() -> None:
    found = relation("int f(char *p) { int n = 0; while (*p++) n++; return n; }")
    assert not found.exact
    assert [v.place.name for v in found.havocked if isinstance(v.place, Register)] == ["p.1"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("double d = 0; while (n--) d += 0.5; return d;", "it computes with floating-point numbers"),
        ("volatile int v; while (n--) v = n; return v;", "it reads or writes volatile memory"),
        ("int (*g)(int) = n ? h : k; while (n--) g(n); return 0;", "it calls functions through pointers"),
        ("while (n--) unknown(); return 0;", "it calls unknown, which is not defined"),
        ("int *p = q; while (n--) *p = n; return 0;", "it writes memory that has no name"),
        ("if (n) goto in; while (n < 100) { n += 2; in: n++; } return n;", "it has several entries"),
        ("while (n--) puts(\"n\"); return 0;", "it calls puts, which does more than memory shows"),
        ("while (n--) __asm__ volatile (\"nop\"); return 0;", "it has inline assembly"),
    ],
)  # fmt: skip
def test_what_is_refused(body: str, reason: str) -> None:
    code = f"""
        int puts(const char *); void unknown(void); extern int *q;
        int h(int x) {{ return x; }} int k(int x) {{ return -x; }}
        int f(int n) {{ {body} }}"""
    assert refusal(code) == reason


def test_too_many_paths() -> None:
    body = " ".join(f"if (n & {1 << bit}) x += {bit};" for bit in range(9))
    assert refusal(f"int f(int n) {{ int x = 0; while (n--) {{ {body} }} return x; }}") == (
        "there are too many paths through the body"
    )


def test_steps_are_counted() -> None:
    code = "int f(int n) { while (n > 0) n--; return n; }"
    program = c_program(code)
    effects = ModRef(program, Callees(program, all_models()))
    assert isinstance(Loops(effects).relation("f", header(program, "f")), LoopRelation)
    assert not isinstance(Loops(effects, Limits(steps=2)).relation("f", header(program, "f")), LoopRelation)


def test_selects_switches_and_minima() -> None:
    program = llvm("""
        declare i8 @llvm.umin.i8(i8, i8)
        define i8 @f(i8 %n) {
        entry:
        br label %head
        head:
        %x = phi i8 [ 0, %entry ], [ %y, %join ]
        switch i8 %x, label %join [
        i8 3, label %three
        i8 9, label %out
        ]
        three:
        br label %join
        join:
        %s = phi i8 [ 1, %head ], [ 2, %three ]
        %c = icmp ult i8 %x, 5
        %d = select i1 %c, i8 %s, i8 4
        %a = add i8 %x, %d
        %y = call i8 @llvm.umin.i8(i8 %a, i8 %n)
        br label %head
        out:
        ret i8 %x
        }
    """)
    found = Loops(ModRef(program, Callees(program, all_models()))).relation("f", "head")
    assert isinstance(found, LoopRelation) and found.exact
    assert len(found.pieces) > 3


def test_where_there_are_many_ways_to_wrap_around_their_number_is_unknown() -> None:
    (text,) = pieces("unsigned f(unsigned x) { while (x > 3) x = x * 7 + 1; return x; }")
    assert text.endswith("x' = 7*x - 4294967296*k + 1") and "4294967296*k <= 7*x + 1" in text
