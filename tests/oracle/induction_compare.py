"""``clew verify --strategy induction`` on programs whose reachable states are known: what it proves must hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from clew.base.options import VerifyRequest
from clew.jobs.verify import run_verify
from clew.report.listener import Listener
from oracle.induction_native import Truth
from oracle.induction_programs import Drawn

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


def choose(drawn: Drawn, truth: Truth) -> list[str | None]:
    """One condition for each place: those that hold, and one at most that does not, as late as can be."""
    random = Random(drawn.seed)
    chosen: list[str | None] = []
    violated: list[tuple[int, int, str]] = []
    for place, claims in enumerate(drawn.places):
        late = truth.late[place]
        holding = [claim for claim, first in zip(claims, late, strict=True) if not first]
        violated += [(first, place, claim) for claim, first in zip(claims, late, strict=True) if first]
        chosen.append(random.choice(holding) if holding else None)
    if violated and random.random() < 0.5:
        _, place, claim = max(violated)
        chosen[place] = claim
    return chosen


def is_violated(drawn: Drawn, truth: Truth, place: int, claim: str) -> bool:
    return bool(truth.late[place][drawn.places[place].index(claim)])


def compare(
    drawn: Drawn,
    truth: Truth,
    chosen: Sequence[str | None],
    folder: Path,
    seconds: float = 20.0,
    strategy: str = "induction",
    instructions: int | None = None,
) -> Compared:
    """What verify says of the program, beside the truth."""
    source, lines = drawn.source(chosen)
    file = folder / f"seed{drawn.seed}.c"
    file.write_text(source, encoding="utf-8")
    request = VerifyRequest(
        (file,), seconds=seconds, strategy=strategy, max_instructions=instructions, checks=("assert", "memory"),
        compiler_flags=("-w",),
    )  # fmt: skip
    summary = run_verify(request, Listener())
    at = {line: place for place, line in lines.items()}
    wrong: list[str] = []
    is_cut = any(claim and is_violated(drawn, truth, place, claim) for place, claim in enumerate(chosen))
    counts = {"proved": 0, "refuted": 0, "open_true": 0, "open_false": 0}
    for item in summary.properties:
        if item.kind == "error-call" and item.location is not None:
            place = at[item.location.line]
            claim = chosen[place]
            assert claim is not None
            violated = is_violated(drawn, truth, place, claim)
        elif item.kind == OUTSIDE:
            violated = bool(truth.outside)
        else:
            continue
        if item.verdict == "UNKNOWN":
            counts["open_false" if violated else "open_true"] += 1
        elif item.kind == OUTSIDE and item.verdict == "TRUE" and (item.location is not None or is_cut):
            pass  # which of several places is violated, and whether in runs that an assertion ends, is not known
        elif (item.verdict == "FALSE") != violated:
            wrong.append(f"{item.kind} at {item.location}: {item.verdict}, {summary.reason}")
        else:
            counts["refuted" if violated else "proved"] += 1
    return Compared(tuple(wrong), **counts, reason=summary.reason)
