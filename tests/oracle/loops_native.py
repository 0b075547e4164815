"""Relations of loops against all iterations there are: every state, every input, natively.

For many loops at once, a C program has one iteration of each (``_step``), and reads their relations as numbers. It
walks from states of the loop through all that iterations lead to, and compares with what the relation says.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from oracle.loops_programs import HEAD, LoopProgram
from oracle.loops_tables import PlaceNumber, Relation, Variables, numbers
from oracle.native import compiler

WORK = 400_000
"""Operations after which no more states are begun with."""

_BEFORE = """\
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
#define RETURN return 0
#define STOP() return 0
#define ASSUME(condition) if (!(condition)) return 0
typedef long long wide;
#define UNSIGNED(v, width) ((v) & ((1LL << (width)) - 1))
#define SIGNED(v, width) ((wide)((unsigned long long)(v) << (64 - (width))) >> (64 - (width)))
"""
_DRIVER = Path(__file__).with_name("loops_driver.c")


@dataclass(frozen=True)
class Verdict:
    """What a comparison says: pairs that a relation lacks, and pairs that it has too many, with an example.

    Pairs of a relation that is not exact are not counted.
    """

    missing: int
    extra: int
    starts: int
    """States that were begun with ..."""
    all_starts: int
    """... and how many there are."""
    example: str


@dataclass(frozen=True)
class Asked:
    """A loop with its relations; ``dead``: the variables whose values at the header nobody needs."""

    program: LoopProgram
    relations: tuple[Relation, ...]
    number: PlaceNumber
    dead: frozenset[str] = frozenset()


def compare(loops: Sequence[Asked], folder: Path, work: int = WORK) -> list[tuple[Verdict, ...]]:
    """All loops at once: a verdict on each of their relations."""
    source = folder / "compare.c"
    steps = ", ".join(f"{each.program.name}_step" for each in loops)
    parts = [HEAD, _BEFORE, *(_step(each.program) for each in loops)]
    parts += [f"static int (*steps[])(wide *) = {{{steps}}};", _DRIVER.read_text(encoding="utf-8")]
    source.write_text("\n".join(parts), encoding="utf-8")
    made = folder / "compare.o"
    # Clang knows integers of four bits; what it takes to link its code, the system's compiler has at hand.
    clang = [sys.executable, "-m", "ziglang", "cc", "-c", "-O1", "-w", "-fPIC", "-fwrapv", "-fno-sanitize=all"]
    for command in ([*clang, str(source), "-o", str(made)], [*compiler(), str(made), "-o", str(folder / "compare")]):
        subprocess.run(command, check=True, capture_output=True, timeout=600)
    given = [work, len(loops)]
    for each in loops:
        given += _loop(each)
    text = " ".join(map(str, given))
    done = subprocess.run(
        [str(folder / "compare")], input=text, check=True, capture_output=True, text=True, timeout=3600
    )
    lines = iter(done.stdout.splitlines())
    return [tuple(_verdict(next(lines)) for _ in each.relations) for each in loops]


def _verdict(line: str) -> Verdict:
    _, _, missing, extra, starts, all_starts, *example = line.split()
    return Verdict(int(missing), int(extra), int(starts), int(all_starts), " ".join(example))


def _loop(asked: Asked) -> list[int]:
    """What the driver reads about a loop."""
    program = asked.program
    bits = tuple(int(kind[1:]) for _, kind in program.variables)
    signed = tuple(kind[0] == "s" for _, kind in program.variables)
    variables = Variables(bits, signed, tuple(name in asked.dead for name, _ in program.variables))
    result = [_first(program, variables), len(bits)]
    for number in range(len(bits)):
        result += [bits[number], variables.least(number), int(variables.dead[number])]
    result.append(len(asked.relations))
    for relation in asked.relations:
        result += numbers(relation, variables, asked.number)
    return result


def _first(program: LoopProgram, variables: Variables) -> int:
    """The number of the only state that the loop begins in; -1 if there are others."""
    if program.start is None:
        return -1
    number = 0
    for place in reversed(range(len(program.start))):
        number = number << variables.bits[place] | (program.start[place] - variables.least(place))
    return number


def _step(program: LoopProgram) -> str:
    """One iteration from header to header; 0 if it is not complete."""
    outer = [f"static {kind} {name};" for name, kind in program.variables if name in program.globals]
    lines = [*outer, program.helpers, f"static int {program.name}_step(wide *s) {{", "  int spins = 0;"]
    for place, (name, kind) in enumerate(program.variables):
        lines.append(f"  {'' if name in program.globals else kind} {name} = s[{place}];")
    # A loop of one round: break leaves it before its condition is asked, continue does not.
    body = f"  int left = 1; do {{ {program.body} ; left = 0; }} while (left = 0, 0); if (left) return 0;"
    condition = f"  if (!({program.condition})) return 0;"
    lines += [body, condition] if program.at_the_end else [condition, body]
    lines += [f"  s[{place}] = {name};" for place, (name, _) in enumerate(program.variables)]
    return "\n".join([*lines, "  return 1;", "  out: return 0;", "}"])
