"""``clew verify --strategy induction`` on programs whose reachable states are known: what it proves must hold."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from clew.base.options import VerifyRequest
from clew.jobs.verify import run_verify
from clew.report.listener import Listener
from oracle.induction_native import Truth, enumerate_states
from oracle.induction_programs import Drawn, draw

OUTSIDE = "out-of-bounds"


@dataclass(frozen=True)
class Compared:
    """Numbers of properties: proved, refuted, left open although they hold or do not; and what is wrong."""

    wrong: tuple[str, ...]
    proved: int = 0
    refuted: int = 0
    open_true: int = 0
    open_false: int = 0
    reason: str = ""


def choose(drawn: Drawn, truth: Truth) -> Drawn:
    """The program with one condition at each place: many that hold, and some that do not, one as late as can be."""
    random = Random(drawn.seed)
    chosen: list[str] = []
    violated: list[tuple[int, int, str]] = []
    for place, claims in enumerate(drawn.places):
        late = truth.late[place]
        holding = [claim for claim, first in zip(claims, late, strict=True) if not first]
        failing = [(first, place, claim) for claim, first in zip(claims, late, strict=True) if first]
        violated += failing
        if failing and random.random() < 0.2:
            holding = [random.choice(failing)[2]]
        chosen.append(random.choice(holding) if holding else "1")
    if violated and random.random() < 0.5:
        _, place, claim = max(violated)
        chosen[place] = claim
    return replace(drawn, places=tuple((claim,) for claim in chosen))


def draw_all(seeds: Iterable[int], folder: Path) -> list[tuple[Drawn, Truth]]:
    """Programs with assertions, and the truth about them; without those that have too many states."""
    programs = [draw(seed) for seed in seeds]
    known = zip(programs, enumerate_states(programs, folder), strict=True)
    chosen = [choose(drawn, truth) for drawn, truth in known if truth is not None]
    truths = enumerate_states(chosen, folder, asserted=True)
    return [(drawn, truth) for drawn, truth in zip(chosen, truths, strict=True) if truth is not None]


def compare(
    drawn: Drawn,
    truth: Truth,
    folder: Path,
    seconds: float = 20.0,
    strategy: str = "induction",
    instructions: int | None = None,
) -> Compared:
    """What verify says of the program, beside the truth."""
    source, lines = drawn.source()
    file = folder / f"seed{drawn.seed}.c"
    file.write_text(source, encoding="utf-8")
    request = VerifyRequest(
        (file,), seconds=seconds, strategy=strategy, max_instructions=instructions, checks=("assert", "memory"),
        compiler_flags=("-w",),
    )  # fmt: skip
    summary = run_verify(request, Listener())
    at = {line: place for place, line in lines.items()}
    wrong: list[str] = []
    counts = {"proved": 0, "refuted": 0, "open_true": 0, "open_false": 0}
    for item in summary.properties:
        if item.kind == "error-call" and item.location is not None:
            violated = bool(truth.late[at[item.location.line]][0])
        elif item.kind == OUTSIDE:
            violated = bool(truth.outside)
        else:
            continue
        if item.verdict == "UNKNOWN":
            counts["open_false" if violated else "open_true"] += 1
        elif item.kind == OUTSIDE and item.verdict == "TRUE" and item.location is not None:
            pass  # which of several places is violated, the enumeration does not say
        elif (item.verdict == "FALSE") != violated:
            wrong.append(f"{item.kind} at {item.location}: {item.verdict}, {summary.reason}")
        else:
            counts["refuted" if violated else "proved"] += 1
    return Compared(tuple(wrong), **counts, reason=summary.reason)
