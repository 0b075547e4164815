"""Random C programs whose loops are to be summarized, small enough to know what every input does.

``generate(seed)`` is deterministic. A draft is drawn first, with places to look at; the values that all inputs bring to
each place, found natively, decide on what condition there is something: one that only the rarest value fulfils, or one
just beyond what is possible. With ``hostile``, most loops are outside of the theory.

    summaries_writer -> summaries_loops, summaries_hostile -> summaries_programs (here); summaries_native has the truth
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter as Count
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from oracle.summaries_hostile import CALLED, HOSTILE
from oracle.summaries_loops import THEORY
from oracle.summaries_native import HEAD, Truth, every_input
from oracle.summaries_writer import OPPOSITE, TYPES, Input, IterationWriter, Place, number
from oracle.verify_native import NotEnumerable

COMBINATIONS = 256
ATTEMPTS = 60
LOOK = re.compile(r"^(?P<pad> *)LOOK\((?P<value>.*)\) -> (?P<then>.*)$", re.MULTILINE)
REJECTED = ("given up", "too many inputs", "ended with None")
"""Why a draft may be thrown away; anything else is a mistake of the generator."""

GLOBALS = """\
struct tally { int n; unsigned char c; short h; unsigned u; long l; };
static int sink = 0;
static int gcount = 0;
static struct tally gtally = {0};
static int gcells[4] = {0, 1, 2, 3};
static int gtable[8] = {3, 1, 4, 1, 5, 9, 2, 6};
"""


@dataclass(frozen=True)
class LoopProgram:
    """C source, and what all its runs do."""

    seed: int
    source: str
    truth: Truth


def generate(seed: int, hostile: bool = False, combinations: int = COMBINATIONS) -> LoopProgram:
    """The program of a seed."""
    for attempt in range(ATTEMPTS):  # until something happens in it, and not too much
        random = Random(f"{seed} {hostile} {combinations} {attempt}")
        source = draft(random, hostile, combinations)
        with tempfile.TemporaryDirectory(prefix="summaries-") as name:
            folder = Path(name)
            try:
                seen = every_input(LOOK.sub(r"\g<pad>observe(\g<value>);", source), folder)
                complete = _with_claims(source, seen, random)
                truth = every_input(complete, folder)
            except NotEnumerable as problem:
                if not any(reason in str(problem) for reason in REJECTED):
                    raise
                continue
            if truth.runs >= 8 and truth.steps >= 8 * truth.runs and len(truth.taken) >= 7:
                return LoopProgram(seed, complete, truth)
    raise NotEnumerable(f"no program for seed {seed}")


# --- the draft


def draft(random: Random, hostile: bool, combinations: int) -> str:
    """A program with places to look at."""
    w = IterationWriter(random, combinations)
    w.loops = (*HOSTILE, *THEORY * 6) if hostile else THEORY
    w.places = [Place("gcount", "int"), Place("gtally.c", "unsigned char"), Place("gtally.u", "unsigned")]
    w.places = random.sample(w.places, random.randint(0, 2))
    w.helpers = [make(w) for make in random.sample((_bump, _tick, _next), random.randint(0, 2))]
    called = _counting(w) if w.chance(0.3) else None
    with w.block("int main(void)"):
        w.leaving, w.nesting = ("return 0;", "return 0;", "exit(0);"), 0
        for _ in range(random.choice((1, 2, 2, 3))):
            w.read_input()
        _homes(w)
        for _ in range(random.choice((1, 1, 2, 2, 3))):
            _stage(w, called)
        w.look()
        w.line("return 0;")
    return HEAD + GLOBALS + (CALLED if hostile else "") + "\n".join(w.lines) + "\n"


def _stage(w: IterationWriter, called: Callable[[IterationWriter], None] | None) -> None:
    """A loop or a call of one, perhaps only for some inputs, and a look at what it did."""
    write = called if called is not None and w.chance(0.4) else w.random.choice(w.loops)
    if w.inputs and w.chance(0.2):
        with w.block(f"if (COND({w.random.choice(w.inputs).text} {w.random.choice(tuple(OPPOSITE))} {w.fixed()}))"):
            write(w)
    else:
        write(w)
    if w.chance(0.7):
        w.look()


def _homes(w: IterationWriter) -> None:
    """Places to count in: locals, members, cells, and behind a pointer."""
    random = w.random
    homes = [w.local(value=random.choice(("0", "0", "1", "7"))) for _ in range(random.randint(0, 2))]
    homes += random.sample(
        [Place("gcells[2]", "int"), Place("gtally.n", "int"), Place("gtally.h", "short"), Place("gtally.l", "long")],
        random.choice((0, 0, 1, 2)),
    )
    if w.chance(0.25):
        target, pointer = Place("gcells[1]", "int"), w.name("p")
        if w.chance(0.5):
            target = w.local("int", "0")
        w.line(f"int *{pointer} = &{target.text};")
        homes.append(Place(f"(*{pointer})", "int"))
    if w.chance(0.2) and w.inputs:
        homes.append(Place(f"gcells[{random.choice(w.inputs).text} & 3]", "int"))
    w.places += homes


# --- functions of the draft


def _bump(w: IterationWriter) -> Callable[[IterationWriter], None]:
    """Moves a place through a pointer."""
    name = w.name("bump")
    w.line(f"static void {name}(int *p, int by) {{ *p += by; }}")

    def call(w: IterationWriter) -> None:
        ints = [place.text for place in (*w.moving, *w.places) if place.type == "int"]
        w.line(f"{name}(&{w.random.choice(ints or ['gcount'])}, {w.stride()});")

    return call


def _tick(w: IterationWriter) -> Callable[[IterationWriter], None]:
    name = w.name("tick")
    w.line(f"static void {name}(void) {{ gcount += {w.constant(1, 3)}; }}")
    return lambda w: w.line(f"{name}();")


def _next(w: IterationWriter) -> Callable[[IterationWriter], None]:
    name = w.name("next")
    w.line(f"static int {name}(int v) {{ return v + {w.constant(1, 4)}; }}")

    def call(w: IterationWriter) -> None:
        ints = [place.text for place in (*w.moving, *w.places) if place.type == "int"]
        x = w.random.choice(ints or ["gcount"])
        w.line(f"{x} = {name}({x});")

    return call


def _counting(w: IterationWriter) -> Callable[[IterationWriter], None]:
    """A function with a loop."""
    name, result, type_ = w.name("count"), w.name("t"), w.random.choice(TYPES)
    leaving = (f"return {result};", "return -1;")
    helpers, places, w.helpers = w.helpers, w.places, []
    parameters = [Input("n", type_, 0, 99), Input("by", "int", 0, 3)]
    with w.function(f"static int {name}({type_} n, int by)", leaving, parameters):
        w.line(f"int {result} = 0;")
        w.places.append(Place(result, "int"))
        w.random.choice(w.loops)(w)
        w.look()
        w.line(f"return {result};")
    w.helpers, w.places = helpers, places

    def call(w: IterationWriter) -> None:
        place = w.home()
        w.changed.append(place)
        w.line(f"{place.text} {w.random.choice(('=', '+='))} {name}({w.fixed()}, {w.stride()});")

    return call


# --- the claims


def _with_claims(draft: str, seen: Truth, random: Random) -> str:
    lines = draft.splitlines()
    for at, line in enumerate(lines):
        found = LOOK.match(line)
        if found is None:
            continue
        value = found["value"]
        relation, bound = _claim(Count(seen.values.get(at + 1, ())), random)
        if found["then"] == "assert":
            lines[at] = f"{found['pad']}assert({value} {OPPOSITE[relation]} {number(bound)});"
        else:
            lines[at] = f"{found['pad']}if (COND({value} {relation} {number(bound)})) {found['then']}"
    return "\n".join(lines) + "\n"


def _claim(count: Count[int], random: Random) -> tuple[str, int]:
    """Something that few values fulfil, or none."""
    if not count:
        return "==", random.randint(0, 3)
    low, high, rarest = min(count), max(count), min(count, key=lambda v: (count[v], v))
    if random.random() < 0.65:
        claims = [("==", rarest)] * 3 + [(">=", high), ("<=", low)]
        claims += [("==", random.choice(sorted(count))), ("!=", max(count, key=lambda v: (count[v], v)))]
        claims += [(">", high - 1), ("<", low + 1)] if low < high else []
    else:
        missing = [v for v in range(low, min(low + 300, high)) if v not in count]
        claims = [("==", random.choice(missing))] * 4 if missing else []
        claims += [(">", high), ("==", high + 1), ("<", low)] if low > -(2**31) and high < 2**31 - 1 else []
    return random.choice(claims or [("==", rarest)])
