"""Closures of loops against all iterations there are: every state, every input, natively.

For each loop, a C program has one iteration (``step``) and the closure as a predicate (``member``); it walks from
states of the loop through all that iterations lead to, and compares with all pairs that the predicate has.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from clew.analysis.absint.linear import Constraint, Variable
from clew.analysis.loops.closure import After, Before, Closure, Congruence, Disjunct, Fixed, Memory, Place, Unknown
from oracle.loops_programs import HEAD, LoopProgram
from oracle.native import compiler

STARTS = 200
"""States that are started from, where there are more."""

_VIEW = re.compile(r"(?:UN)?SIGNED\([ab]\[\d\], \d+\)")

_DRIVER = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int digits[64], sizes[64], used, place;
static int choose(int n) { if (place == used) { digits[used] = 0; sizes[used++] = n; } return digits[place++]; }
static int following(void) {
  while (used && ++digits[used - 1] == sizes[used - 1]) used--;
  return used;
}
#define COIN() choose(2)
#define DIE() choose(4)
#define SPIN() if (++spins > 2000) return 0
typedef long long wide;
static wide DOWN(wide a, wide b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }
static wide UP(wide a, wide b) { return -DOWN(-a, b); }
static wide largest(wide a, wide b) { return a > b ? a : b; }
static wide smallest(wide a, wide b) { return a < b ? a : b; }
#define UNSIGNED(v, width) ((v) & ((1LL << (width)) - 1))
#define SIGNED(v, width) ((wide)((unsigned long long)(v) << (64 - (width))) >> (64 - (width)))
"""

_MAIN = """\
static int compare(const char *name, int (*step)(wide *), int (*member)(const wide *, const wide *),
                   int count, const int *bits, const int *low, const int *dead, int starts) {
  long total = 1;
  for (int i = 0; i < count; i++) total <<= bits[i];
  unsigned char *seen = malloc(total);
  long *work = malloc(sizeof(long) * total);
  long stride = total > starts ? total / starts | 1 : 1, missing = 0, extra = 0;
  wide b[8], a[8], m[8], e[8];
  for (long first = 0; first < total; first += stride) {
    memset(seen, 0, total);
    long top = 0, at = first;
    for (int round = 0;; round++) {
      do {
        wide s[8];
        long rest = at;
        for (int i = 0; i < count; i++) { s[i] = low[i] + (rest & ((1 << bits[i]) - 1)); rest >>= bits[i]; }
        place = 0;
        if (step(s)) {
          long to = 0;
          for (int i = count - 1; i >= 0; i--) to = to << bits[i] | (dead[i] ? 0 : s[i] - low[i]);
          if (!seen[to]) { seen[to] = 1; work[top++] = to; }
        }
      } while (following());
      if (!top) break;
      at = work[--top];
    }
    long rest = first;
    for (int i = 0; i < count; i++) { b[i] = low[i] + (rest & ((1 << bits[i]) - 1)); rest >>= bits[i]; }
    for (long to = 0; to < total; to++) {
      rest = to;
      for (int i = 0; i < count; i++) { a[i] = low[i] + (rest & ((1 << bits[i]) - 1)); rest >>= bits[i]; }
      int said = 1;
      for (int i = 0; i < count; i++) if (dead[i] && a[i] != low[i]) said = 0;
      said = said && member(b, a);
      if (seen[to] && !said && !missing++) { memcpy(m, b, sizeof m); memcpy(e, a, sizeof e); }
      if (!seen[to] && said && !extra++ && !missing) { memcpy(m, b, sizeof m); memcpy(e, a, sizeof e); }
    }
  }
  printf("%s %ld %ld", name, missing, extra);
  if (missing || extra) {
    for (int i = 0; i < count; i++) printf(" %lld", m[i]);
    printf(" ->");
    for (int i = 0; i < count; i++) printf(" %lld", e[i]);
  }
  printf("\\n");
  free(seen);
  free(work);
  return 0;
}
"""


@dataclass(frozen=True)
class Verdict:
    """What a comparison says: pairs that the closure lacks, and pairs that it has too many, with an example."""

    missing: int
    extra: int
    example: str


def compare(loops: Sequence[tuple[LoopProgram, Closure, frozenset[str]]], folder: Path) -> dict[str, Verdict]:
    """All loops at once, by name; with the variables whose values at the header nobody needs."""
    parts = [HEAD, _DRIVER]
    calls = []
    for program, closure, dead in loops:
        parts += [_step(program), _member(program, closure, dead)]
        unused = ", ".join(str(int(name in dead)) for name, _ in program.variables)
        count = len(program.variables)
        bits = ", ".join(kind[1] for _, kind in program.variables)
        low = ", ".join(str(-(1 << (int(kind[1]) - 1))) if kind[0] == "s" else "0" for _, kind in program.variables)
        calls.append(
            f'  compare("{program.name}", {program.name}_step, {program.name}_member, {count}, '
            f"(int[]){{{bits}}}, (int[]){{{low}}}, (int[]){{{unused}}}, {STARTS});"
        )
    parts += [_MAIN, "int main(void) {", *calls, "  return 0;", "}"]
    source = folder / "compare.c"
    source.write_text("\n".join(parts) + "\n", encoding="utf-8")
    made = folder / "compare.o"
    # Clang knows integers of four bits; what it takes to link its code, the system's compiler has at hand.
    clang = [sys.executable, "-m", "ziglang", "cc", "-c", "-O0", "-w", "-fPIC", "-fwrapv", "-fno-sanitize=all"]
    for command in ([*clang, str(source), "-o", str(made)], [*compiler(), str(made), "-o", str(folder / "compare")]):
        subprocess.run(command, check=True, capture_output=True, timeout=600)
    done = subprocess.run([str(folder / "compare")], check=True, capture_output=True, text=True, timeout=3600)
    found = {}
    for line in done.stdout.splitlines():
        name, missing, extra, *example = line.split()
        found[name] = Verdict(int(missing), int(extra), " ".join(example))
    return found


def _step(program: LoopProgram) -> str:
    """One iteration from header to header; 0 if it is not complete."""
    lines = [f"static int {program.name}_step(wide *s) {{"]
    lines.append("  int spins = 0;")
    lines += [f"  {kind} {name} = s[{place}];" for place, (name, kind) in enumerate(program.variables)]
    # A loop of one round: break leaves it before its condition is asked, continue does not.
    if program.at_the_end:
        lines.append(f"  int left = 1; do {{ {program.body} ; left = 0; }} while (left = 0, 0);")
        lines.append(f"  if (left) return 0; if (!({program.condition})) return 0;")
    else:
        lines.append(f"  if (!({program.condition})) return 0;")
        lines.append(f"  int left = 1; do {{ {program.body} ; left = 0; }} while (left = 0, 0);")
        lines.append("  if (left) return 0;")
    lines += [f"  s[{place}] = {name};" for place, (name, _) in enumerate(program.variables)]
    return "\n".join([*lines, "  return 1;", "}"])


def _member(program: LoopProgram, closure: Closure, dead: frozenset[str]) -> str:
    """Whether a pair of states is in a closure."""
    names = [name for name, _ in program.variables]
    lines = [f"static int {program.name}_member(const wide *b, const wide *a) {{"]
    changed = {_place(v.place, names) for v in (*closure.changed, *closure.havocked)}
    lines += [
        f"  if (b[{n}] != a[{n}]) return 0;" for n in range(len(names)) if n not in changed and names[n] not in dead
    ]
    congruences = closure.congruences or ((),) * len(closure.disjuncts)
    for disjunct, more in zip(closure.disjuncts, congruences, strict=True):
        lines += _search(disjunct, more, names)
    first, *rest = lines
    views = dict.fromkeys(match for line in rest for match in _VIEW.findall(line))
    rest = [_VIEW.sub(lambda match: _short(match[0]), line) for line in rest]
    return "\n".join([first, *(f"  const wide {_short(view)} = {view};" for view in views), *rest, "  return 0;", "}"])


def _short(view: str) -> str:
    """A name for a value that is read in a certain way."""
    return re.sub(r"\W+", "_", view.lower()).rstrip("_")


def _place(place: Place, names: list[str]) -> int:
    """Which variable it is, by its name."""
    name = place.object if isinstance(place, Memory) else place.name
    name = name[1] if isinstance(name, tuple) else name
    assert isinstance(name, str)
    return next(n for n, known in enumerate(names) if name == known or name.startswith((known + ".", known + "_")))


def _name(variable: Variable, names: list[str]) -> str:
    match variable:
        case Before(of=of) | (Fixed() as of):
            state = "b"
        case After(of=of):
            state = "a"
        case Unknown(number=number):
            return f"u{number}"
        case _:
            raise AssertionError(variable)
    return f"{'SIGNED' if of.signed else 'UNSIGNED'}({state}[{_place(of.place, names)}], {of.width})"


def _search(disjunct: Disjunct, congruences: tuple[Congruence, ...], names: list[str]) -> list[str]:
    """Loops over the unknowns, each between the bounds that constraints on those before it give."""
    unknowns = list(dict.fromkeys(v for c in disjunct for v in c.variables if isinstance(v, Unknown)))
    known: set[Variable] = {v for c in disjunct for v in c.variables if not isinstance(v, Unknown)}
    rows = [each for constraint in disjunct for each in constraint.inequalities()]
    lines = [f"  if ({_checks(rows, known, None, names)})"]
    while unknowns:
        best = max(unknowns, key=lambda u: sum(u in r.variables and set(r.variables) <= known | {u} for r in rows))
        unknowns.remove(best)
        usable = [r for r in rows if best in r.variables and set(r.variables) <= known | {best}]
        lines.append(f"  {_loop(usable, best, names)}")
        known.add(best)
        lines.append(f"  if ({_checks(rows, known, best, names)})")
    checks = " && ".join(_congruence_text(each, names) for each in congruences) or "1"
    return [*lines, f"  if ({checks}) return 1;"]


def _congruence_text(congruence: Congruence, names: list[str]) -> str:
    terms = [
        " * ".join([f"{factor}LL", *(_name(v, names) for v in variables)]) for factor, variables in congruence.terms
    ]
    return f"UNSIGNED({' + '.join(terms)}, {congruence.bits}) == 0"


def _checks(rows: list[Constraint], known: set[Variable], new: Variable | None, names: list[str]) -> str:
    chosen = [r for r in rows if set(r.variables) <= known and (new is None or new in r.variables)]
    return " && ".join(f"{_expression(r, None, names)} >= 0" for r in chosen) or "1"


def _expression(row: Constraint, but: Variable | None, names: list[str]) -> str:
    terms = [f"{factor}LL * {_name(v, names)}" for v, factor in row.linear.terms.items() if v != but]
    return "(" + " + ".join([*terms, f"{row.linear.constant}LL"]) + ")"


def _loop(rows: list[Constraint], unknown: Unknown, names: list[str]) -> str:
    name = _name(unknown, names)
    low, high = [], []
    for row in rows:
        factor = row.linear.terms[unknown]
        rest = _expression(row, unknown, names)
        if factor > 0:  # factor * u >= -rest
            low.append(f"UP(-{rest}, {factor}LL)")
        else:
            high.append(f"DOWN({rest}, {-factor}LL)")
    assert low and high, "an unknown without bounds"
    least, most = f"low_{name}", f"high_{name}"
    header = (
        f"for (wide {least} = {_extreme(low, 'largest')}, {most} = {_extreme(high, 'smallest')}, {name} = {least}; "
    )
    return header + f"{name} <= {most}; {name}++)"


def _extreme(parts: list[str], function: str) -> str:
    result = parts[0]
    for part in parts[1:4]:
        result = f"{function}({result}, {part})"
    return result
