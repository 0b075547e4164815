"""No state on an execution that arrives is ever pruned: its system has a solution with the execution's own inputs, and
with as many iterations as there really are. Checked wherever executions of small programs can be suspended."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import pytest

from clew.execute.codegen.plan import PointKind
from clew.execute.coverage import Edge
from clew.execute.state import State
from clew.expr import build
from clew.expr.node import BV, Bool
from clew.solver.interface import Answer
from clew.techniques.chains.constraint_system import System
from clew.techniques.chains.recurrence import WIDE
from unit.techniques.chains.looking import Looking, Stop, pinned, point_of

INPUTS = """#define CH __VERIFIER_nondet_uchar()
#define BOOL __VERIFIER_nondet_bool()
"""


@dataclass(frozen=True)
class Case:
    code: str
    ranges: tuple[Sequence[int], ...]
    """Of the inputs."""
    selects: bool = False
    hard: bool = False
    """For the solver: less of it is tried."""


ARRIVALS = 2
"""Executions that are looked at."""
STOPS = 2
"""States on each of them."""
SECONDS = 0.5
"""For a question: without an answer, nothing is pruned either."""
BITS = range(256)
SMALL = range(8)

CASES = {
    "sums of two chains": Case(
        """int main(void) {
          unsigned char n = CH, m = CH; int s = 0;
          for (int i = 0; i < n; i++) { if (i & 1) s += 3; else s++; }
          if (s == m) reach_error();
        }""",
        (range(9), range(20)),
    ),
    "bits of an input": Case(
        """int main(void) {
          unsigned char bits = CH, m = CH; int ones = 0, zeros = 0, last = 9;
          for (int i = 0; i < 8; i++)
            if (bits >> i & 1) { ones++; last = 1; } else { zeros += 2; last = 0; }
          if (ones == m && zeros == 16 - 2 * m && last) reach_error();
        }""",
        (BITS, range(9)),
    ),
    "runs: set and added": Case(
        """int main(void) {
          unsigned char bits = CH, m = CH; int run = 3, longest = 0;
          for (int i = 0; i < 8; i++) {
            if (bits >> i & 1) run++; else run = 0;
            if (run > longest) longest = run;
          }
          if (run == (m & 7) && longest == m >> 3) reach_error();
        }""",
        (BITS, range(64)),
        hard=True,
    ),
    "factors": Case(
        """int main(void) {
          unsigned char n = CH, m = CH, k = CH; unsigned char p = 5; unsigned q = k;
          for (int i = 0; i < n; i++) { p *= 3; if (i % 3 == 0) q *= 4; else q *= 2; }
          if (p == m && q % 8 == 0) reach_error();
        }""",
        (range(6), (5, 15, 45, 135, 149, 191), (0, 1, 2, 7)),
    ),
    "steps that wrap": Case(
        """int main(void) {
          unsigned char k = CH, i = 0; signed char d = 100; unsigned n = 0;
          while (i != k) { i += 37; d += 30; n++; }
          if (d < 0 && n < 9) reach_error();
        }""",
        (BITS,),
    ),
    "steps that differ": Case(
        """int main(void) {
          unsigned char n = CH, m = CH; short s = 0; int d = 10;
          for (int i = 0; i < n; i++) { s += i; d -= m; }
          if (s == m && d > -90) reach_error();
        }""",
        (range(9), range(37)),
    ),
    "large steps of bytes": Case(
        """int main(void) {
          unsigned char s = 0; signed char d = 0;
          for (int i = 0; i < 3; i++) {
            unsigned char x = CH;
            if (x >= 64 && x < 100) s += x; else if (x == 128) d -= x;
          }
          if (s >= 70 && s < 90 && d) reach_error();
        }""",
        ((0, 70, 80, 128), (0, 70, 80, 128), (0, 70, 80, 128)),
    ),
    "downwards": Case(
        """int main(void) {
          unsigned char n = CH, m = CH; unsigned i; int s = 0;
          for (i = n; i > m; i -= 2) { s += 5; if (i < 2) break; }
          if (s == 15 && i == m) reach_error();
        }""",
        (range(16), range(16)),
    ),
    "nested": Case(
        """int main(void) {
          unsigned char n = CH, m = CH; int s = 0;
          for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) if (i != j) s++;
          if (s == 4 || s == 6) reach_error();
        }""",
        (range(6), range(6)),
        hard=True,
    ),
    "a triangle": Case(
        """int main(void) {
          unsigned char n = CH, bits = CH; int s = 0, t = 0;
          for (int i = 0; i < n; i++) {
            for (int j = i; j > 0; j--) { if (bits >> j & 1) { s++; continue; } t -= 2; }
            if (s > 4) break;
          }
          if (s == 5 && t == -2) reach_error();
        }""",
        (range(6), range(0, 256, 2)),
        hard=True,
    ),
    "arrival inside of a loop": Case(
        """int main(void) {
          unsigned char n = CH, m = CH; int s = 0;
          for (int i = 0; i < n; i++) {
            s += 2;
            for (int j = 0; j < i; j++) { if (s + j == m) reach_error(); s++; }
          }
        }""",
        (range(5), range(14)),
    ),
    "several ways out": Case(
        """int main(void) {
          unsigned char a = CH, b = CH; int i = 0, j = 20, why = 0;
          while (1) {
            if (i == a) { why = 1; break; }
            if (j <= b) { why = 2; break; }
            if (i > j) goto out;
            i++; j -= 3;
          }
          if (why == 2) out: reach_error();
        }""",
        (range(9), range(22)),
    ),
    "do while and goto": Case(
        """int main(void) {
          unsigned char n = CH, m = CH; int i = 0, s = 0;
          do { again: s += i; if (++i == 3) goto again; } while (i < n);
          if (s == m) reach_error();
        }""",
        (range(5), range(11)),
    ),
    "globals": Case(
        """int sum, other = 7; struct { char a; short b; int c; } s;
        int main(void) {
          unsigned char n = CH, bits = CH;
          for (int i = 0; i < n; i++) {
            if (bits >> i & 1) { sum += 2; s.a = 1; } else { s.b++; s.a++; }
            s.c = sum;
          }
          if (s.c == 4 && s.b == 4 && s.a < 4 && other == 7) reach_error();
        }""",
        (range(5, 8), BITS),
    ),
    "bytes of a word": Case(
        """union { unsigned w; unsigned char b[4]; } u;
        int main(void) {
          unsigned char n = CH, m = CH;
          for (int i = 0; i < n; i++) { if (i == 2) u.b[1] = m; u.w += 3; }
          if (u.w > 500 && u.b[0] == 12) reach_error();
        }""",
        (range(7), SMALL),
    ),
    "cells at places that are not known": Case(
        """int a[6]; int main(void) {
          unsigned char n = CH, m = CH, k = CH; int s = 0;
          for (int i = 0; i < n; i++) { a[(i + k) % 6] += m; a[2]++; }
          for (int i = 0; i < 6; i++) s += a[i];
          if (a[2] == 3 + m && s > n) reach_error();
        }""",
        (range(6), range(4), range(6)),
    ),
    "locals behind pointers": Case(
        """static void put(int *p, int v) { if (v & 1) *p += v; else *p = v; }
        int main(void) {
          unsigned char n = CH, m = CH; int s = 1, t = 0, *p = &s;
          for (int i = 0; i < n; i++) { put(p, i); if (i == m) p = &t; }
          if (s == 5 && t > 0) reach_error();
        }""",
        (range(9), range(9)),
    ),
    "functions with loops": Case(
        """static int count(int n, int step) { int c = 0; while (n > 0) { n -= step; c++; } return c; }
        static void check(int x) { if (x == 7) reach_error(); }
        int main(void) {
          unsigned char n = CH, m = CH; int s = 0;
          for (int i = 0; i < 2; i++) s += count(n + i, 3);
          s += count(m, 2);
          check(s);
        }""",
        (range(9), range(9)),
    ),
    "arrival in a function, before its loop is over": Case(
        """static int find(int n, int what) { for (int i = 0; i < n; i++) if (i * i == what) reach_error(); return n; }
        int main(void) {
          unsigned char n = CH, m = CH;
          for (int i = 0; i < n; i++) if (find(i, m) > 4) return 0;
        }""",
        (range(7), range(17)),
    ),
    "recursion, and code that ends the program": Case(
        """extern void exit(int); int depth;
        static int down(int n) { if (n > 5) exit(1); depth++; return n <= 0 ? 0 : 1 + down(n - 2); }
        int main(void) {
          unsigned char n = CH, m = CH; int s = 0;
          for (int i = 0; i < n; i++) s += down(i);
          if (s == m && depth > 3) reach_error();
        }""",
        (range(8), range(12)),
    ),
    "inputs in a loop": Case(
        """int main(void) {
          int s = 0, n = 0;
          while (BOOL) { unsigned char c = CH; __VERIFIER_assume(c < 6); s += c; n++; }
          if (s == 7 && n == 2) reach_error();
        }""",
        (range(2), range(6), range(2), range(6), range(1)),
    ),
    "a machine of states": Case(
        """int main(void) {
          unsigned char bits = CH; int state = 0, hits = 0;
          for (int i = 0; i < 8; i++)
            switch (state) {
              case 0: state = bits >> i & 1; break;
              case 1: state = bits >> i & 1 ? 2 : 0; break;
              case 2: hits++; state = i & 1 ? 0 : 3; break;
              default: if (bits == 0xb7) return 0; state = 1;
            }
          if (hits == 2 && state == 1) reach_error();
        }""",
        (BITS,),
        hard=True,
    ),
    "many chains": Case(
        """int main(void) {
          unsigned char bits = CH, m = CH; int a = 0, b = 0, c = 0;
          for (int i = 0; i < 8; i++)
            switch ((bits >> i) + i & 7) {
              case 0: a++; break; case 1: a += 2; break; case 2: b++; break; case 3: b -= 2; break;
              case 4: c++; break; case 5: c += 5; break; case 6: a--; break; default: b = 3;
            }
          if (a + b + c == m) reach_error();
        }""",
        (BITS, range(20)),
        hard=True,
    ),
    "too many chains": Case(
        """int main(void) {
          unsigned char bits = CH, m = CH; int a = 0, b = 0, c = 0, d = 0;
          for (int i = 0; i < 8; i++) {
            if (bits >> i & 1) a++;
            if (bits + i & 4) b += 2;
            if (bits * i & 8) c = i;
            if (bits % (i + 2) == 1) d--;
          }
          if (a == 4 && b > c && c + d == m) reach_error();
        }""",
        (BITS, SMALL),
        hard=True,
    ),
    "swapped": Case(
        """int main(void) {
          unsigned char n = CH, m = CH; int a = 0, b = 1; char t = 'x', u = 'y';
          for (int i = 0; i < n; i++) { int c = a + b; a = b; b = c; char v = t; t = u; u = v; }
          if (a == m && t == 'y') reach_error();
        }""",
        (range(10), range(35)),
    ),
    "flags": Case(
        """int main(void) {
          unsigned char bits = CH; _Bool seen = 0, odd = 0; int i;
          for (i = 0; i < 8 && !seen; i++) if (bits >> i & 1) { odd = !odd; if (i > 3) seen = 1; }
          if (odd && i > 5) reach_error();
        }""",
        (BITS,),
        hard=True,
    ),
    "floats": Case(
        """int main(void) {
          unsigned char n = CH; double x = 1; float y = 0;
          for (int i = 0; i < n; i++) { x *= 1.5; if (i & 1) y = i; }
          if (x > 7 && y == 3) reach_error();
        }""",
        (range(8),),
    ),
    "a constant table": Case(
        """static const unsigned char t[3] = {3, 1, 4};
        int main(void) {
          unsigned char k = CH, m = CH; int at = 0, s = 0;
          while (s < 9) { s += t[at]; at = at == k ? 0 : at + 1; }
          if (s == m) reach_error();
        }""",
        (range(1, 3), range(9, 13)),
        hard=True,
    ),
    "memory of functions": Case(
        """#include <string.h>
        static int digits(unsigned n) {
          char t[8]; int at = 0;
          memset(t, 0, sizeof t);
          do { t[at++] = n & 3; n >>= 2; } while (n);
          return t[0] + 2 * t[1] + at;
        }
        int main(void) {
          unsigned char n = CH, m = CH; int s = 0; char to[4] = {0}, from[4] = {1, 2, 3, 4};
          for (int i = 0; i < n; i++) { s += digits(i + m); if (i == 1) memcpy(to, from, 4); }
          if (s > 20 && to[2] == 3 && s % 2) reach_error();
        }""",
        (range(6), range(9)),
    ),
    "objects on the heap": Case(
        """struct node { int v; struct node *next; };
        int main(void) {
          unsigned char n = CH, m = CH; struct node *first = 0; int s = 0;
          for (int i = 0; i < n; i++) {
            struct node *p = malloc(sizeof *p); if (!p) return 0;
            p->v = i * m; p->next = first; first = p;
          }
          for (struct node *p = first; p; p = p->next) s += p->v;
          if (s == 6) reach_error();
        }""",
        (range(5), range(7)),
    ),
    "an array as long as an input says": Case(
        """int main(void) {
          unsigned char n = CH + 1, m = CH; int s = 0;
          for (int k = 0; k < 2; k++) {
            int a[n];
            for (int i = 0; i < n; i++) a[i] = i;
            s += a[n - 1] + a[0];
          }
          if (s == m) reach_error();
        }""",
        (range(5), range(9)),
    ),
    "a pointer as counter": Case(
        """char text[9] = "ab;cd;e"; int main(void) {
          unsigned char stop = CH, at = CH; int fields = 0; text[at & 7] = ';';
          char *p; for (p = text; *p && p - text < stop; p++) if (*p == ';') fields++;
          if (fields == 3 && p == text + stop) reach_error();
        }""",
        (range(9), SMALL),
    ),
    "atomic updates and variable arguments": Case(
        """#include <stdarg.h>
        int a, b; static int pick(int n, ...) {
          va_list rest; int found = 0;
          va_start(rest, n); while (n--) found = va_arg(rest, int); va_end(rest);
          return found;
        }
        int main(void) {
          unsigned char n = CH, m = CH; int expected = 0;
          for (int i = 0; i < n; i++) {
            __atomic_fetch_add(&a, m, __ATOMIC_SEQ_CST);
            if (__atomic_compare_exchange_n(&b, &expected, i + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) expected = i;
          }
          if (a == 6 && b > 0 && pick(2, a, b) == b) reach_error();
        }""",
        (range(7), range(7)),
    ),
    "functions by pointers": Case(
        """int total; static void up(int n) { total += n; } static void set(int n) { total = n; }
        void (*const acts[2])(int) = {up, set}; void (*act)(int) = up;
        int main(void) {
          unsigned char n = CH, bits = CH;
          for (int i = 0; i < n; i++) { acts[bits >> i & 1](i); if (i == 4) act = set; act(total + 1); }
          if (total == 7) reach_error();
        }""",
        (range(7), range(128)),
    ),
    "selects": Case(
        """int main(void) {
          unsigned char bits = CH, m = CH; int a = 0, b = 0, run = 0;
          for (int i = 0; i < 8; i++) {
            if (bits >> i & 1) { a++; run++; } else { run = 0; if (i & 1) b += 2; else b--; }
          }
          if (a == 4 && b == m && run == 2) reach_error();
        }""",
        (BITS, SMALL),
        selects=True,
        hard=True,
    ),
    "selects in nested loops": Case(
        """int main(void) {
          unsigned char n = CH, bits = CH; int s = 0;
          for (int i = 0; i < n; i++) for (int j = 0; j < 2; j++) s += bits >> i + j & 1 ? 2 : 1;
          if (s == 9) reach_error();
        }""",
        (range(5), range(32)),
        selects=True,
        hard=True,
    ),
}  # fmt: skip


def executions(case: Case, looking: Looking, seed: str) -> Iterator[tuple[int, ...]]:
    """Some inputs that lead to the target, by ways as different as can be."""
    inputs = list(product(*case.ranges))
    random.Random(seed).shuffle(inputs)
    seen: set[tuple[Edge, ...]] = set()
    for given in inputs[:400]:
        *stops, arrived = (
            (stop.edge if isinstance(stop, Stop) else stop) for stop in looking.stops(*given, concrete=True)
        )
        way = tuple(edge for edge in stops if isinstance(edge, tuple))
        if arrived is True and way not in seen:
            seen.add(way)
            yield given
            if len(seen) == (1 if case.hard else ARRIVALS):
                return
    assert seen, "nothing arrives"


def real_counts(state: State, system: System, ahead: Sequence[Edge]) -> list[Bool]:
    """That loops of main are executed as often as they are: where one is met once, and its header is a choice."""
    facts: list[Bool] = []
    forms = system.notes.forms
    here = block_of_main(state)
    met = Counter((form.outline.function.name, form.loop) for form in forms)
    for form in forms:
        name, header = form.outline.function.name, form.outline.header[form.loop]
        outermost = len(form.outline.around[header]) == 1
        if name != "main" or not outermost or met[name, form.loop] != 1 or len(form.outline.successors[header]) < 2:
            continue
        visits = sum(edge[:2] == (name, header) for edge in ahead) - (header == here)
        if visits > 0:
            total: BV = 0
            for counter in form.counters:
                total = build.add(total, counter, WIDE)
            facts.append(build.eq(total, visits - 1, WIDE))
    return facts


def block_of_main(state: State) -> str:
    """The block that main is in, unless it is on its way to another one."""
    frame = state.frame
    while frame is not None and frame.parent is not None:
        frame = frame.parent
    point = point_of(frame)
    return "" if point.kind is PointKind.EDGE else point.block


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", CASES)
def test_no_state_on_the_way_is_pruned(name: str) -> None:
    case = CASES[name]
    looking = Looking(INPUTS + case.code, case.selects, SECONDS)
    for inputs in executions(case, looking, name):
        ahead = looking.choices(*inputs)
        count = sum(1 for _ in looking.stops(*inputs)) - 1
        looked_at = {0, *random.Random(f"{name} {inputs}").sample(range(count), STOPS - 1)}
        for number, stop in enumerate(looking.stops(*inputs)):
            if not isinstance(stop, Stop):
                continue
            ahead = ahead[stop.edge is not None :]
            if number in looked_at:
                state = stop.state
                system = looking.system(state)
                assert not system.doubts
                answer = looking.check(state, system, *pinned(state), *real_counts(state, system, ahead)).answer
                assert answer is not Answer.UNSAT, f"{inputs}, at {point_of(state.frame)}"
