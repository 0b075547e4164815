"""Random C programs in which paths part and meet again, small enough to run every path.

``generate(seed)`` is deterministic. Where paths meet, the states are equal, or differ in what nobody looks at, or in
what decides about an error or a branch much later: merging may cut the first two, and must keep the last.

    merging_writer -> merging_shapes, merging_library -> merging_programs (here); merging_claims makes the errors
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random

from oracle import merging_library, merging_shapes
from oracle.merging_claims import HEAD, observed, with_claims
from oracle.merging_library import LIBRARY
from oracle.merging_shapes import GLOBALS, SHAPES
from oracle.merging_writer import MergeWriter, Place

COMBINATIONS = 4096
STDIN = "// stdin: "
"""The first line of a program that reads standard input says how many bytes there are."""


@dataclass(frozen=True)
class MergeProgram:
    seed: int
    source: str


def stdin_of(source: str) -> int | None:
    """How many bytes of standard input a program asks for."""
    first = source.split("\n", 1)[0]
    return int(first.removeprefix(STDIN)) if first.startswith(STDIN) else None


def generate(seed: int, combinations: int = COMBINATIONS) -> MergeProgram:
    """The program of a seed."""
    random = Random(f"{seed} {combinations}")
    source = draft(random, combinations)
    with tempfile.TemporaryDirectory(prefix="merging-") as name:
        return MergeProgram(seed, with_claims(source, observed(source, Path(name)), random))


def draft(random: Random, combinations: int = COMBINATIONS) -> str:
    """A program with places to look at."""
    w = MergeWriter(random, combinations)
    family = random.choice((SHAPES, SHAPES, LIBRARY, (*SHAPES, *LIBRARY)))
    w.acts = tuple(random.sample(family, 6))
    w.places = random.sample(GLOBALS, random.randint(1, 5))
    for _ in range(random.choice((0, 1, 1, 2))):
        _function(w)
    with w.block("int main(void)"):
        w.leaving, w.nesting = ("return 0;", "return 0;", "exit(0);"), 0
        for _ in range(random.choice((2, 3, 3, 4, 5))):
            w.ask()
        for _ in range(random.randint(0, 2)):
            w.local()
        for _ in range(random.choice((4, 5, 6, 7))):
            random.choice((w.act, w.act, w.act, w.branch, w.item))()
        for _ in range(random.choice((1, 1, 2, 3))):
            w.look()
        w.line("return 0;")
    first = f"{STDIN}{random.randint(1, 4)}\n" if w.uses_stdin else ""
    return first + HEAD + merging_shapes.PRELUDE + merging_library.PRELUDE + "\n".join(w.lines) + "\n"


def _function(w: MergeWriter) -> None:
    """A function that takes input-dependent ways; it is called from several places, with several depths."""
    name, result = w.name("work"), w.name("r")
    takes = w.random.choice(("int n", "int n, int *out", "struct pair n"))
    inputs = ["n.a", "n.b"] if "pair" in takes else ["n"]
    places = [Place(result)] + ([Place("(*out)")] if "out" in takes else [])
    leaving = (f"return {result};", "return -1;", f"return {w.constant(0, 3)};")
    left, w.left = w.left, w.random.choice((1, 1, 4))
    with w.function(f"static int {name}({takes})", leaving, inputs, places):
        w.line(f"int {result} = {w.constant(0, 2)};")
        for _ in range(w.random.choice((1, 2, 2, 3))):
            w.item()
        w.line(f"return {result};")
    w.left = left // 2 if w.left < 4 else left

    def call(w: MergeWriter) -> None:
        place = w.place()
        argument = w.random.choice((w.input(), w.value()))
        if "pair" in takes:
            argument = f"(struct pair){{{argument}, {w.value()}}}"
        if "out" in takes:
            argument += f", &{w.plain()}"
        w.line(f"{place.text} = {name}({argument});")
        w.touched.append(place)
        if w.chance(0.4):
            w.look(place.text)

    w.callees.append(call)
