"""Invariants of a program, computed in one of several ways, against runs of it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from clew.checks.check import chosen_kinds, sanitizers
from clew.execute.helpers import build_machine
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.frontend.selects import convert
from clew.models.registry import all_models
from clew.program.module import Program
from clew.techniques.invariants.find import find
from oracle.invariants_check import Violation, check

FLAGS = ("-w", "-std=gnu11")


@dataclass(frozen=True)
class Way:
    """How to compile a program and to analyse it."""

    domain: str
    checked: bool = False
    """With the compiler's checks for undefined behaviour, as ``clew verify`` has it."""
    converted: bool = False
    """With simple branches turned into selects."""
    named: bool = False
    """With registers kept as long as C variables have their values."""

    def __str__(self) -> str:
        options = [name for name in ("checked", "converted", "named") if getattr(self, name)]
        return "-".join([self.domain, *options])


DOMAINS = ("polyhedra", "octagons", "intervals")
WAYS = tuple(Way(domain, *extra) for extra in ((), (False, False, True), (True, True, False)) for domain in DOMAINS)


@dataclass(frozen=True)
class Compared:
    """What came out."""

    violations: tuple[Violation, ...] = ()
    looked_at: int = 0
    left_out: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    notes: tuple[str, ...] = ()
    """Of the analysis; one that gave up says so here."""


def compiled(file: Path, way: Way) -> Program:
    options = CompileOptions(flags=FLAGS, sanitize=sanitizers(chosen_kinds(None)) if way.checked else ())
    program = load([file], options, None)
    return convert(program) if way.converted else program


def compare(
    file: Path, runs: Iterable[Sequence[int]], way: Way, *, most: int = 2000, seconds: float = 60.0
) -> Compared:
    """Analyse once, for so long, and run with all inputs; at most so many instructions of each run are looked at."""
    program = compiled(file, way)
    end = time.monotonic() + seconds
    machine = build_machine(program, all_models())
    claims = find(machine, "main", way.domain, named=way.named, stop=lambda: time.monotonic() > end)
    if claims is None:
        return Compared(notes=("nothing is known",))
    found = check(program, claims, runs, most=most)
    return Compared(found.violations, found.looked_at, found.left_out, found.ends, claims.notes)
