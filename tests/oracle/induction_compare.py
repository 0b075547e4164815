"""``clew verify --strategy induction`` on programs whose reachable states are known: what it proves must hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from clew.base.options import VerifyRequest
from clew.jobs.ladders import climb, verify_ladder
from clew.jobs.ledger import Ledger
from clew.jobs.phases.phase import Context
from clew.jobs.phases.settings import DEFAULT_CHECKS
from clew.jobs.prepare import load_checked
from clew.jobs.verdict import open_properties, verify_verdict
from clew.program.module import Program
from clew.report.listener import Listener
from oracle.induction_native import Truth, enumerate_states
from oracle.induction_programs import Drawn, draw, written

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


@dataclass(frozen=True)
class Effort:
    """What may be used for one program."""

    seconds: float = 20.0
    strategy: str = "induction"
    instructions: int | None = None


class Comparing:
    """What verify says of programs, which are compiled together, beside the truth about them."""

    def __init__(self, programs: Sequence[Drawn], folder: Path, effort: Effort) -> None:
        file = folder / "programs.c"
        text, places = written(programs)
        file.write_text(text, encoding="utf-8")
        self._request = VerifyRequest(
            (file,), seconds=effort.seconds, strategy=effort.strategy, max_instructions=effort.instructions,
            checks=("assert", "memory"), compiler_flags=("-w",), function=programs[0].name,
        )  # fmt: skip
        self._program = load_checked(self._request, Listener(), DEFAULT_CHECKS)
        self._places = {drawn.name: own for drawn, own in zip(programs, places, strict=True)}

    def compare(self, drawn: Drawn, truth: Truth) -> Compared:
        """One of them."""
        request = replace(self._request, function=drawn.name)
        ledger = Ledger(request, "verify", request.budget())
        context = Context(request, Listener(), ledger.budget, ledger, self._only(drawn))
        climb(verify_ladder(context, False), ledger.budget, ledger, lambda: not open_properties(ledger))
        judged = verify_verdict(ledger, None)
        at = self._places[drawn.name]
        wrong: list[str] = []
        counts = {"proved": 0, "refuted": 0, "open_true": 0, "open_false": 0}
        for item in judged.properties:
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
                wrong.append(f"{item.kind} at {item.location}: {item.verdict}, {judged.reason}")
            else:
                counts["refuted" if violated else "proved"] += 1
        return Compared(tuple(wrong), **counts, reason=judged.reason)

    def _only(self, drawn: Drawn) -> Program:
        """The program, without what belongs to others."""
        all_of = self._program
        others = tuple(name for name in self._places if name != drawn.name)
        functions = {name: f for name, f in all_of.functions.items() if not name.startswith(others)}
        variables = {name: v for name, v in all_of.globals.items() if not name.startswith(others)}
        return replace(all_of, functions=functions, globals=variables)
