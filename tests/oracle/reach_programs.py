"""Random C programs with loops and several targets each, small enough to know which of them some input reaches.

``generate(seed)`` is deterministic. A draft is drawn first, with places ``observe(1, value)``; the values that all
inputs bring to each place, found natively, decide on what condition there is a target: one that only the rarest value
fulfils, or one that is just beyond what is possible.

    reach_writer -> reach_loops, reach_functions -> reach_programs (here); reach_native knows the truth
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter as Count
from dataclasses import dataclass
from pathlib import Path
from random import Random

from oracle.reach_functions import HELPERS
from oracle.reach_loops import LOOPS
from oracle.reach_native import observe_inputs, reached_targets
from oracle.reach_writer import COUNTERS, Counter, LoopWriter
from oracle.verify_native import NotEnumerable, Truth
from oracle.verify_writer import Array

INPUT_BITS = 8
MOST_TARGETS = 6
ATTEMPTS = 20

HEAD = """\
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern signed char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static int marks[8] = {0};
static int sink = 0;
"""

OBSERVE = re.compile(r"^(?P<pad> *)observe\(1, (?P<first>.*?)\);(?: observe\(1, (?P<second>.*)\);)?$")
FIELDS = {"int": "n", "unsigned char": "c", "long": "l"}


@dataclass(frozen=True)
class ReachProgram:
    """C source; the numbers of its targets that some input reaches."""

    seed: int
    source: str
    reached: frozenset[int]


def generate(seed: int, input_bits: int = INPUT_BITS) -> ReachProgram:
    """The program of a seed, with at most ``2 ** input_bits`` inputs (restricted ones count by what passes)."""
    for attempt in range(ATTEMPTS):
        random = Random(f"{seed} {input_bits} {attempt}")
        source = draft(random, 1 << input_bits)
        with tempfile.TemporaryDirectory(prefix="reach-") as name:
            folder = Path(name)
            try:
                seen = observe_inputs(source, folder)
            except NotEnumerable as problem:
                if "too many inputs" not in str(problem) and "ended with None" not in str(problem):
                    raise
                continue
            complete = _with_targets(source, seen, random)
            if complete is not None:
                return ReachProgram(seed, complete, reached_targets(complete, folder))
    raise NotEnumerable(f"no program for seed {seed}")


# --- the draft


def draft(random: Random, combinations: int) -> str:
    """A program with places for targets."""
    w = LoopWriter(random, combinations, clean=random.random() < 0.5)
    w.loops = LOOPS
    _globals(w)
    w.helpers = [make(w) for make in random.sample(HELPERS, k=random.randint(1, 4))]
    _main(w)
    return HEAD + "\n".join(w.lines) + "\n"


def _globals(w: LoopWriter) -> None:
    random = w.random
    w.line(f"static int gcount = {w.constant(0, 2)};")
    w.counters.append(Counter("gcount", "int"))
    type_ = random.choice(COUNTERS)
    w.line(f"static {type_} gother = {random.choice((0, 0, 1, 100, 250 if type_ != 'signed char' else 120))};")
    w.counters.append(Counter("gother", type_))
    w.line(f"static int gcells[4] = {{0, {w.constant(0, 5)}}};")
    w.line(f"static int gdata[4] = {{{', '.join(w.constant(0, 3) for _ in range(4))}}};")
    w.scope.arrays.append(Array("gdata", "int", 4, 0))
    w.line("struct tally { int n; unsigned char c; long l; };")
    w.line("static struct tally gtally = {0};")


def _main(w: LoopWriter) -> None:
    random = w.random
    with w.block("int main(void)"):
        w.leaving, w.nesting = ("return 0;", "return 0;", "exit(0);", "abort();"), 0
        if w.chance(0.6):
            w.declare_inputs_array()
        w.declare_input()
        for _ in range(random.choice((1, 1, 2))):
            w.declare_input()
        if w.chance(0.4):
            w.line(f"gdata[{w.constant(0, 3)}] = {random.choice(w.inputs()).text};")
        _counters(w)
        for _ in range(random.choice((1, 1, 2, 2, 3))):
            if w.chance(0.25):
                w.call()
            random.choice(LOOPS)(w)
            if w.chance(0.6):
                w.look()
            if w.chance(0.15):
                w.line(f"{w.counter().text} = {w.constant(0, 2)};")
        while w.chance(0.4):
            w.call()
        w.look()
        w.look()
        w.line("return 0;")


def _counters(w: LoopWriter) -> None:
    """In locals, cells of arrays, members, and behind a pointer."""
    random = w.random
    kept = random.sample(w.counters, k=random.randint(0, 2))
    homes: list[Counter] = []
    for _ in range(random.randint(1, 3)):
        type_ = random.choice(COUNTERS) if not w.clean else random.choice(("int", "int", "int", "unsigned", "short"))
        name = w.name("v")
        begin = random.choice(("0", "0", "0", "1", w.constant(2, 5), *(cell.text for cell in w.inputs()[-1:])))
        if type_ in ("unsigned char", "signed char", "short", "int") and w.chance(0.15):
            begin = {"unsigned char": "250", "signed char": "120", "short": "32765", "int": "2147483645"}[type_]
        w.line(f"{type_} {name} = {begin};")
        homes.append(Counter(name, type_))
    if w.chance(0.25):
        homes.append(Counter(f"gcells[{w.constant(0, 3)}]", "int"))
    if w.chance(0.15) and w.inputs():
        homes.append(Counter(f"gcells[{random.choice(w.inputs()).text} & 3]", "int"))
    if w.chance(0.2):
        type_ = random.choice(tuple(FIELDS))
        homes.append(Counter(f"gtally.{FIELDS[type_]}", type_))
    if w.chance(0.25):
        places = [home.text for home in homes if home.type == "int"] or ["gcells[2]"]
        pointer = w.name("p")
        if len(places) > 1 and w.chance(0.4):
            test = f"{random.choice(w.inputs()).text} > {w.constant(0, 2)}"
            w.line(f"int *{pointer} = ({test}) ? &{places[0]} : &{places[1]};")
        else:
            w.line(f"int *{pointer} = &{places[0]};")
        homes.append(Counter(f"(*{pointer})", "int"))
    w.counters = kept + homes


# --- the targets


_Values = list[tuple[int, ...]]


def _with_targets(draft: str, seen: Truth, random: Random) -> str | None:
    """The draft with targets at some of the observed places; None if no input ever comes to any."""
    lines = draft.splitlines()
    places = [number for number, line in enumerate(lines) if OBSERVE.match(line)]
    kept = sorted(random.sample(places, min(len(places), MOST_TARGETS)))
    values = {number: _values(number + 1, seen, lines[number]) for number in kept}
    if not any(values.values()):
        return None
    functions: list[str] = []
    target = 0
    for number in places:
        found = OBSERVE.match(lines[number])
        assert found is not None
        if number not in kept:
            lines[number] = f"{found['pad']};"
            continue
        last = number == places[-1] and random.random() < 0.2
        condition = _claim(found["first"], found["second"], values[number], random)
        statement, function = _statement(target, last, random)
        functions += function
        lines[number] = _block(found["pad"], condition, statement, random)
        target += 1
    at = next(number for number, line in enumerate(lines) if line.startswith("static int sink")) + 1
    return "\n".join([*lines[:at], *functions, *lines[at:]]) + "\n"


def _block(pad: str, condition: str, statement: str, random: Random) -> str:
    if " && " in condition and random.random() < 0.4:
        first, second = condition.split(" && ")
        return f"{pad}if ({first}) {{\n{pad}  if ({second}) {{\n{pad}    {statement}\n{pad}  }}\n{pad}}}"
    return f"{pad}if ({condition}) {{\n{pad}  {statement}\n{pad}}}"


def _statement(number: int, last: bool, random: Random) -> tuple[str, list[str]]:
    """What stands at a target, and a function for it if it needs one."""
    if last:
        return f"T{number}: reach_error();", []
    kind = random.random()
    if kind < 0.25:
        return f"T{number}: ;", []
    if kind < 0.5:
        return f"target{number}();", [f"static void target{number}(void) {{ T{number}: sink = {number}; }}"]
    return f"T{number}: sink = {number};", []


def _values(line: int, seen: Truth, text: str) -> _Values:
    """What all runs bring to a place: single values, or pairs where two are observed."""
    found: _Values = []
    pairs = text.count("observe(") == 2
    for run in seen.events:
        here = [value for at, value in run if at == line]
        found += list(zip(here[::2], here[1::2], strict=True)) if pairs else [(value,) for value in here]
    return found


def _claim(first: str, second: str | None, values: _Values, random: Random) -> str:
    reachable = random.random() < 0.62
    if not values:
        return f"{first} == {random.randint(0, 3)}"
    if second is not None and random.random() < 0.7:
        text = _joint(first, second, Count((a, b) for a, b in values), random, reachable)
        if text:
            return text
    single = Count(value[0] for value in values)
    return random.choice(_possible(first, single) if reachable else _impossible(first, single))


def _joint(first: str, second: str, count: Count[tuple[int, int]], random: Random, reachable: bool) -> str | None:
    """Two values at once: a rare pair, or one of which each half occurs but not both."""
    if reachable:
        pairs = [min(count, key=lambda pair: (count[pair], pair))]
    else:
        lefts, rights = sorted({a for a, _ in count})[:20], sorted({b for _, b in count})[:20]
        pairs = [(a, b) for a in lefts for b in rights if (a, b) not in count]
    if not pairs:
        return None
    a, b = random.choice(pairs)
    return f"{first} == {_number(a)} && {second} == {_number(b)}"


def _possible(value: str, count: Count[int]) -> list[str]:
    low, high, rarest = min(count), max(count), min(count, key=lambda v: (count[v], v))
    texts = [f"{value} == {_number(rarest)}"] * 3 + [f"{value} >= {_number(high)}", f"{value} <= {_number(low)}"]
    texts += [f"{value} > {_number(high - 1)}"] if high > low else []
    if low >= 0:
        texts += [f"({value}) % {m} == {rarest % m}" for m in (2, 3, 5)]
    return texts


def _impossible(value: str, count: Count[int]) -> list[str]:
    low, high = min(count), max(count)
    beyond = [f"{value} > {_number(high)}", f"{value} == {_number(high + 1)}"] if high < MOST_LONG else []
    beyond += [f"{value} < {_number(low)}"] if low != 0 else []
    missing = [v for v in range(low, min(low + 200, high)) if v not in count]
    texts = (
        [f"{value} == {_number(v)}" for v in {*missing[:1], *missing[-1:], missing[len(missing) // 2]}]
        if missing
        else []
    )
    if low >= 0:
        rests = [(m, r) for m in (2, 3, 4, 5) for r in range(m) if all(v % m != r for v in count)]
        texts += [f"({value}) % {m} == {r}" for m, r in rests[:3]]
    return sorted(texts) * 2 + beyond or ["sink > 99"]


MOST_LONG = 2**63 - 1


def _number(value: int) -> str:
    return str(value) if value not in (-(2**31), -(2**63)) else f"({value + 1} - 1)"
