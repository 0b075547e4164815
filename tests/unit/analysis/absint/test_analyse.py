"""Invariants of whole programs: what is known to hold, and what must not be."""

from __future__ import annotations

import pytest

from clew.analysis.absint.analyse import Limits
from clew.analysis.absint.fixpoint import Pace
from clew.analysis.absint.linear import Linear, at_least, equal
from clew.analysis.absint.polyhedra import Polyhedra
from clew.analysis.absint.variables import Count, Held
from clew.execute.helpers import build_machine
from clew.models.registry import all_models
from clew.techniques.invariants.find import find
from unit.analysis.absint.analysed import agrees, invariants
from unit.execute.support import c_program, llvm


@pytest.mark.slow
def test_straight_code_and_branches() -> None:
    agrees("""
    int main(void) {
      int a = __VERIFIER_nondet_int(), b;
      if (a > 1000000) return 0;
      if (a > 10) b = a - 10; else b = 0;
      HOLDS(b >= 0); // yes
      HOLDS(b + 10 >= a); // yes
      HOLDS(b > 0); // no
      unsigned u = __VERIFIER_nondet_uint();
      if (u > 5 && u < 8) HOLDS(u == 6 || u == 7); // yes
      if (u > 5 || a > 10) HOLDS(u > 5); // no
      switch (u) { case 3: HOLDS(u == 3); break; } // yes
      switch (u) { case 0: return 0; default: HOLDS(u >= 1); } // yes
      return 0;
    }
    """)


@pytest.mark.parametrize("domain", ["polyhedra", "octagons", "intervals"])
def test_loops_in_every_domain(domain: str) -> None:
    relational = "no" if domain == "intervals" else "yes"
    agrees(
        f"""
        int main(void) {{
          int n = __VERIFIER_nondet_int(), i, j = 0;
          if (n < 0) return 0;
          for (i = 0; i < 100; i++) j = i;
          HOLDS(i >= 100); // yes
          HOLDS(j >= 0); // yes
          if (__VERIFIER_nondet_int()) HOLDS(j == 0); // no
          for (i = 0; i < n; i++) ;
          HOLDS(i >= n); // {relational}
          HOLDS(i != 7); // no
          return 0;
        }}
        """,
        domain=domain,
    )


def test_relations_that_only_polyhedra_have() -> None:
    code = """
    int main(void) {
      int x = 0, y = __VERIFIER_nondet_int(), start = y;
      if (y < 0 || y > 1000000) return 0;
      while (y > 0) { x++; y -= 2; }
      HOLDS(2 * x == start - y); // yes
      HOLDS(y > -2); // yes
      HOLDS(x != 1117); // no
      return 0;
    }
    """
    agrees(code)
    agrees(code.replace("// yes", "// no", 1), domain="octagons")


@pytest.mark.slow
def test_loops_in_loops_and_behind_each_other() -> None:
    agrees("""
    int main(void) {
      unsigned char n = __VERIFIER_nondet_uchar();
      unsigned rows = 0, cells = 0;
      for (unsigned i = 0; i < n; i++) {
        rows++;
        for (unsigned j = 0; j < i; j++) cells++;
        HOLDS(rows == i + 1); // yes
      }
      HOLDS(rows == n); // yes
      HOLDS(rows != 7); // no
      HOLDS(cells <= 5); // no
      unsigned left = rows;
      while (left) left--;
      HOLDS(left == 0); // yes
      HOLDS(rows == n); // yes
      return 0;
    }
    """)


def test_what_wraps_around_is_not_known() -> None:
    agrees("""
    int main(void) {
      unsigned char c = 0, n = __VERIFIER_nondet_uchar();
      for (unsigned i = 0; i < n; i++) c += 2;
      HOLDS(c >= n); // no
      unsigned u = __VERIFIER_nondet_uint();
      HOLDS(u + 1 > u); // no
      int s = __VERIFIER_nondet_int();
      HOLDS((int)(unsigned char)s == s); // no
      HOLDS((short)s <= 32767); // yes
      unsigned long far = (unsigned)s;
      HOLDS(far <= 0xffffffffu); // yes
      return 0;
    }
    """)


def test_loops_without_an_end_and_code_behind_them() -> None:
    agrees("""
    int main(void) {
      unsigned i = 0;
      while (1) {
        HOLDS(i <= 10); // yes
        HOLDS(i != 7); // no
        if (i == 10) i = 0; else i++;
      }
      HOLDS(0); // yes
    }
    """)


def test_loops_that_are_entered_in_two_places() -> None:
    agrees("""
    int main(void) {
      int i = 0;
      if (__VERIFIER_nondet_int()) goto middle;
    top:
      i++;
    middle:
      HOLDS(i >= 0); // yes
      HOLDS(i != 3); // no
      if (i < 50) goto top;
      HOLDS(i == 50); // yes
      return 0;
    }
    """)


def test_results_of_calls_are_those_of_the_chain_of_calls() -> None:
    agrees("""
    static int same(int x) { return x; }
    static int through(int x) { return same(x); }
    static int clip(int x) { if (x > 9) return 9; return x; }
    static int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += 2; return s; }
    int main(void) {
      HOLDS(through(3) == 3); // yes
      HOLDS(through(4) == 4); // yes
      HOLDS(clip(__VERIFIER_nondet_int()) <= 9); // yes
      HOLDS(clip(__VERIFIER_nondet_int()) != 5); // no
      HOLDS(sum(5) == 10); // yes
      for (int i = 0; i < 3; i++) HOLDS(same(i) == i); // yes
      return 0;
    }
    """)


def test_calls_that_are_not_followed_are_anything() -> None:
    agrees("""
    static int total, other;
    static int down(int n) { total++; return n > 0 ? down(n - 1) : n; }
    static void fill(int *p) { *p = 4; if (__VERIFIER_nondet_int()) fill(p); }
    static int one(int x) { HOLDS(x == 5); return 1; } // no
    static int two(int x) { other = 3; return 2; }
    int (*table[2])(int) = {one, two};
    int main(void) {
      int x = 1, y = 1;
      HOLDS(total == 0); // yes
      HOLDS(down(3) == 0); // no
      HOLDS(total == 0); // no
      HOLDS(other == 0); // yes
      fill(&x);
      HOLDS(x == 1); // no
      HOLDS(y == 1); // yes
      table[__VERIFIER_nondet_int() & 1](__VERIFIER_nondet_int());
      HOLDS(other == 0); // no
      return 0;
    }
    """)


def test_memory_that_is_accessed_by_name_is_followed() -> None:
    agrees("""
    static int counter = 3;
    static struct { int a; unsigned char b, c; } pair = {1, 2, 250};
    static const int table[3] = {7, 8, 9};
    static void add(int *p, int by) { *p += by; }
    int main(void) {
      int local = 0, cells[4] = {0};
      HOLDS(counter == 3 && pair.a == 1 && pair.c == 250); // yes
      HOLDS(table[1] == 8); // yes
      add(&local, 5);
      add(&counter, 2);
      HOLDS(local == 5 && counter == 5); // yes
      cells[1] = 6;
      HOLDS(cells[1] == 6); // yes
      pair.b = 9;
      HOLDS(pair.b == 9 && pair.c == 250); // yes
      cells[__VERIFIER_nondet_uint() & 3] = 1;
      HOLDS(cells[1] == 6); // no
      int *p = __VERIFIER_nondet_int() ? &local : &counter;
      *p = 0;
      HOLDS(local == 5); // no
      HOLDS(counter == 5); // no
      HOLDS(pair.a == 1); // yes
      *(int *)&pair.b = 0;
      HOLDS(pair.c == 250); // no
      return 0;
    }
    """)


def test_memory_that_is_written_in_other_ways() -> None:
    agrees("""
    void *memset(void *, int, __SIZE_TYPE__);
    void *memcpy(void *, const void *, __SIZE_TYPE__);
    extern int outside;
    static int *kept;
    static int g = 1, h = 1, aliased = 1;
    extern int second __attribute__((alias("aliased")));
    static volatile int seen = 1;
    static union { int whole; unsigned char bytes[4]; } u;
    int main(void) {
      int x = 1, y = 1, a[2] = {1, 1};
      memset(&x, 0, sizeof x);
      HOLDS(x == 1); // no
      memcpy(a, &y, sizeof y);
      HOLDS(a[0] == 1); // no
      kept = &g;
      *kept = 2;
      HOLDS(g == 1); // no
      HOLDS(h == 1); // yes
      second = 5;
      HOLDS(aliased == 1); // no
      HOLDS(outside == 0); // no
      HOLDS(seen == 1); // no
      u.whole = 0x01020304;
      u.bytes[3] = 0;
      HOLDS(u.whole == 0x01020304); // no
      __atomic_fetch_add(&h, 1, 5);
      HOLDS(h == 1); // no
      return 0;
    }
    """)


def test_locals_of_a_function_are_new_in_each_call() -> None:
    agrees("""
    static int n;
    static int next(int reset) { int local; int *p = &local; *p = 0; if (reset) n = 0; n++; *p += n; return *p; }
    int main(void) {
      HOLDS(next(1) == 1); // yes
      HOLDS(next(0) == 2); // yes
      HOLDS(next(0) == 1); // no
      return 0;
    }
    """)


def test_what_runs_before_and_after_main() -> None:
    agrees("""
    extern int atexit(void (*)(void));
    static int begun, ended;
    __attribute__((constructor)) static void begin(void) { begun = 1; }
    static void end(void) { HOLDS(ended == 0); } // no
    int main(void) {
      HOLDS(begun == 0); // no
      atexit(end);
      ended = 1;
      return 0;
    }
    """)


def test_models_that_assume_and_end() -> None:
    agrees("""
    extern void exit(int);
    extern int rand(void);
    int main(void) {
      int x = __VERIFIER_nondet_int();
      __VERIFIER_assume(x > 4);
      HOLDS(x >= 5); // yes
      HOLDS(x >= 6); // no
      HOLDS(rand() >= 0); // yes
      HOLDS(__VERIFIER_nondet_uchar() <= 255); // yes
      HOLDS(__VERIFIER_nondet_bool() <= 1); // yes
      if (x > 100) exit(0);
      HOLDS(x <= 100); // yes
      return 0;
    }
    """)


def test_parameters_of_the_entry_are_inputs() -> None:
    code = """
    int f(int n, unsigned char c) {
      int m = n;
      while (m > 0) m--;
      HOLDS(c <= 255); // yes
      HOLDS(m <= 0); // yes
      HOLDS(m == 0); // no
      return n;
    }
    """
    agrees(code, "f")
    known = invariants(code.replace("HOLDS", "(void)"), "f")
    assert {ghost.register for ghost in known.ghosts if isinstance(ghost, Held)} == {"n", "c"}


# Where it holds

LOOP = """
define i32 @main() {
entry:
%n = call i32 @__VERIFIER_nondet_int()
br label %head
head:
%i = phi i32 [ 0, %entry ], [ %next, %body ]
%c = icmp slt i32 %i, %n
br i1 %c, label %body, label %end
body:
%next = add i32 %i, 1
br label %head
end:
%d = icmp sgt i32 %i, %n
br i1 %d, label %strange, label %plain
strange:
%e = icmp slt i32 %i, 0
br i1 %e, label %never, label %plain
never:
br label %plain
plain:
ret i32 %i
}
"""
N, INDEX, NEXT = (Linear.of(Held(0, name)) for name in ("n", "i", "next"))
COUNT = Linear.of(Count(0, "head"))


def test_points() -> None:
    known = invariants(llvm(LOOP))
    assert known.before(0, "head").entails(equal(INDEX, COUNT)) and known.before(0, "head").entails(at_least(INDEX, 0))
    assert not known.before(0, "head").entails(at_least(N, INDEX))
    assert known.before(0, "body").entails(at_least(N, INDEX + 1))
    assert known.at(0, "body", 1).entails(equal(NEXT, INDEX + 1))
    assert not known.at(0, "body", 0).entails(equal(NEXT, INDEX + 1))
    edge = known.on_edge(0, "body", "head")
    assert edge.entails(equal(NEXT, INDEX + 1)), "phis are not assigned yet"
    assert known.into(0, "body", "head").entails(at_least(INDEX, 1)), "phis are assigned"
    assert known.on_edge(0, "head", "end").entails(at_least(INDEX, N))
    assert known.on_edge_again(0, "head", "end").entails(equal(INDEX, N))
    assert not known.on_edge(0, "head", "end").entails(equal(INDEX, N))


def test_what_is_dead() -> None:
    known = invariants(llvm(LOOP))
    assert known.is_dead("main", "never") and known.is_dead_edge("main", "strange", "never")
    assert not known.is_dead("main", "strange") and not known.is_dead("main", "plain")
    assert not known.is_dead_edge("main", "strange", "plain")
    assert known.is_dead("absent", "entry"), "no call leads there"
    assert known.frames_of("main") == (0,) and known.frames_of("absent") == ()


def test_a_loop_of_one_block_keeps_what_it_carries() -> None:
    known = invariants(
        llvm("""
    define i32 @main() {
    entry:
    br label %loop
    loop:
    %i = phi i32 [ 0, %entry ], [ %next, %loop ]
    %j = phi i32 [ 5, %entry ], [ %more, %loop ]
    %next = add i32 %i, 1
    %more = add i32 %j, 2
    %c = icmp slt i32 %next, 100
    br i1 %c, label %loop, label %end
    end:
    %r = add i32 %next, 0
    %s = add i32 %more, 0
    ret i32 %r
    }
    """)
    )
    i, j = Linear.of(Held(0, "i")), Linear.of(Held(0, "j"))
    assert known.before(0, "loop").entails(equal(j, i * 2 + 5))
    assert known.before(0, "loop").bounds(i) == (0, 99)
    end = known.at(0, "end", 2)
    assert end.bounds(Linear.of(Held(0, "r"))) == (100, 100) and end.bounds(Linear.of(Held(0, "s"))) == (205, 205)


# Too much


@pytest.mark.slow
def test_a_domain_that_is_too_expensive_gives_way_to_a_cheaper_one() -> None:
    machine = build_machine(llvm(LOOP), all_models())
    found = [
        find(machine, "main", limits=Limits(pace=Pace(patience=effort / Polyhedra.effort))) for effort in range(1, 80)
    ]
    names = [None if known is None else known.domain for known in found]
    assert names[0] in ("octagons", "intervals") and names[-1] == "polyhedra"
    for known in found:
        if known is not None:
            assert bool(known.notes) == (known.domain != "polyhedra")
            assert not known.before(0, "end").is_bottom


def test_a_program_that_is_too_large_is_not_analysed() -> None:
    machine = build_machine(llvm(LOOP), all_models())
    assert find(machine, "main", limits=Limits(nodes=6)) is None
    assert find(machine, "main", limits=Limits(nodes=7)) is not None


def test_it_stops_when_told() -> None:
    machine = build_machine(llvm(LOOP), all_models())
    assert find(machine, "main", stop=lambda: True) is None


def test_named_values_are_kept_though_no_code_needs_them() -> None:
    code = """int main(void) {
      int x = __VERIFIER_nondet_int();
      if (x < 0 || x > 9) return 1;
      int y = x + 1;
      if (__VERIFIER_nondet_int()) { x = 0; }
      return 0;
    }
    """
    program = c_program(code)
    machine = build_machine(program, all_models())

    def mentioned(named: bool) -> set[object]:
        known = find(machine, "main", named=named)
        assert known is not None
        states = [known.before(0, block.name) for block in program.functions["main"].blocks]
        return {v for state in states for constraint in state.constraints() for v in constraint.variables}

    assert mentioned(False) < mentioned(True)
