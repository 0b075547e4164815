"""The truth about programs of ``oracle.induction_programs``: all states that they can be in, enumerated natively.

A program becomes a graph of single steps over eight bytes: its variables, and where it is. A search over all of them,
inputs included, says for each condition at each place of an assertion whether a state violates it, and how late. One
condition at each place may be taken for an assertion, which ends the program where it is violated.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from oracle import native
from oracle.induction_programs import Assert, Assume, Call, Drawn, If, Index, Leave, Set, Statement, While

MOST_STATES = 1 << 18

HEAD = f"""
#include <stdio.h>
#include <string.h>
typedef unsigned long long u64;
#define MOST {MOST_STATES}
static u64 queue[MOST], table[4 * MOST];
static unsigned char used[4 * MOST];
static long count, at, late[64][32], outside;
static int too_many;
static void push(unsigned pc, unsigned char x, unsigned char y, unsigned char z, const unsigned char *t) {{
  u64 key = pc | (u64)x << 8 | (u64)y << 16 | (u64)z << 24;
  for (int i = 0; i < 4; i++) key |= (u64)t[i] << (32 + 8 * i);
  u64 slot = (key * 0x9e3779b97f4a7c15ULL >> 20) % (4 * MOST);
  while (used[slot]) {{ if (table[slot] == key) return; slot = (slot + 1) % (4 * MOST); }}
  if (count == MOST) {{ too_many = 1; return; }}
  used[slot] = 1; table[slot] = key; queue[count++] = key;
}}
static void report(int program, int places, int candidates) {{
  printf("program %d %ld %d %ld\\n", program, count, too_many, outside);
  for (int p = 0; p < places; p++) {{ for (int c = 0; c < candidates; c++) printf("%ld ", late[p][c]); printf("\\n"); }}
  memset(used, 0, sizeof used); memset(late, 0, sizeof late);
  count = at = outside = too_many = 0;
}}
"""


@dataclass(frozen=True)
class Truth:
    """``late``: for each place and condition, the number of the first state that violates it, 0 if none does.
    ``outside``: the same for an access outside of the array."""

    states: int
    late: tuple[tuple[int, ...], ...]
    outside: int


class _Steps:
    """A program as a graph: ``texts[n]`` is what happens at step n, in C."""

    def __init__(self, drawn: Drawn, asserted: bool) -> None:
        self._places = drawn.places
        self._asserted = asserted
        self.texts: list[str] = []
        self._end = self._add("")
        self.first = self._block(drawn.body, self._end, None, None)

    def _add(self, text: str) -> int:
        self.texts.append(text)
        return len(self.texts) - 1

    def _block(self, body: Sequence[Statement], after: int, leave: int | None, again: int | None) -> int:
        for statement in reversed(body):
            after = self._statement(statement, after, leave, again)
        return after

    def _statement(self, statement: Statement, after: int, leave: int | None, again: int | None) -> int:
        match statement:
            case Set(target, value, None):
                return self._add(f"{target} = {value}; {_go(after)}")
            case Set(target, _, mask):
                return self._add(f"for (int in = 0; in <= {mask}; in++) {{ {target} = in; {_go(after)} }}")
            case Index(index):
                outside = f"if ((unsigned){index} > 3) outside = outside ? outside : at;"
                return self._add(f"{outside} else {{ t[{index}] = 1; {_go(after)} }}")
            case If(condition, then, otherwise):
                yes = self._block(then, after, leave, again)
                return self._test(condition, yes, self._block(otherwise, after, leave, again))
            case While(condition, body, tested_last):
                head = self._add("")  # filled in below
                test = self._test(condition, head, after)
                first = self._block(body, test, after, test)
                self.texts[head] = _go(first)
                return first if tested_last else test
            case Leave(word):
                target = {"break": leave, "continue": again}.get(word, self._end)
                assert target is not None
                return target
            case Assume(condition):
                return self._add(f"if ({condition}) {_go(after)}")
            case Call(body):
                return self._block(body, after, None, None)
            case Assert(place):
                looks = (
                    f"if (!({claim}) && !late[{place}][{number}]) late[{place}][{number}] = at;"
                    for number, claim in enumerate(self._places[place])
                )
                goes_on = f"if ({self._places[place][0]}) " if self._asserted else ""
                return self._add(f"{' '.join(looks)} {goes_on}{_go(after)}")
        raise AssertionError(statement)

    def _test(self, condition: str | None, yes: int, no: int) -> int:
        if condition is None:
            return self._add(f"{_go(yes)} {_go(no)}")
        return self._add(f"if ({condition}) {_go(yes)} else {_go(no)}")


def _go(step: int) -> str:
    return f"push({step}, x, y, z, t);"


def _search(number: int, drawn: Drawn, asserted: bool) -> str:
    steps = _Steps(drawn, asserted)
    assert len(steps.texts) < 256
    starts = ", ".join(str(drawn.starts[name]) for name in ("x", "y", "z"))
    variables = " ".join(
        f"{'signed' if name in drawn.signed else 'unsigned'} char {name} = key >> {shift};"
        for name, shift in (("x", 8), ("y", 16), ("z", 24))
    )
    cases = "\n".join(f"    case {step}: {text} break;" for step, text in enumerate(steps.texts))
    return f"""static void search{number}(void) {{
  static const unsigned char first[4] = {{{", ".join(map(str, drawn.array))}}};
  push({steps.first}, {starts}, first);
  while (at < count && !too_many) {{
    u64 key = queue[at++];
    {variables} unsigned char t[4];
    for (int i = 0; i < 4; i++) t[i] = key >> (32 + 8 * i);
    switch ((unsigned char)key) {{
{cases}
    }}
  }}
  report({number}, {len(drawn.places)}, {len(drawn.places[0])});
}}
"""


def enumerate_states(programs: Sequence[Drawn], folder: Path, asserted: bool = False) -> list[Truth | None]:
    """The truth about programs, None for those with too many states; ``asserted``: conditions are assertions."""
    calls = " ".join(f"search{number}();" for number in range(len(programs)))
    text = HEAD + "".join(_search(number, drawn, asserted) for number, drawn in enumerate(programs))
    file, target = folder / "states.c", folder / "states.exe"
    file.write_text(f"{text}int main(void) {{ {calls} return 0; }}\n", encoding="utf-8")
    command = [*native.compiler(), *native.FLAGS, "-O1", str(file), "-o", str(target)]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    output = subprocess.run([str(target)], check=True, capture_output=True, timeout=300).stdout.decode()
    lines = iter(output.splitlines())
    found: list[Truth | None] = []
    for drawn in programs:
        _, _, states, too_many, outside = next(lines).split()
        late = tuple(tuple(map(int, next(lines).split())) for _ in drawn.places)
        found.append(None if int(too_many) else Truth(int(states), late, int(outside)))
    return found
