"""Published figures for ``clew bench invariants``.

Source: Eman Alatawi, Harald Søndergaard and Tim Miller, *Leveraging Abstract Interpretation for Efficient Dynamic
Symbolic Execution* (2017), table I: Pex with at most 100 runs, as it is, and on programs that were annotated by hand
with invariants of Interproc; line coverage. Two of the six programs are in the paper; Clew's others have the structure
that the paper describes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

MOST_RUNS = 100
"""Of Pex on each program."""


@dataclass(frozen=True, slots=True)
class Paper:
    """One program, one way."""

    tests: int
    coverage: int
    """Percent of the lines."""
    seconds: float
    runs: int

    def cells(self) -> list[str]:
        return [str(self.tests), f"{self.coverage} %", str(self.runs), f"{self.seconds:.2f}"]

    def to_json(self) -> dict[str, object]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Published:
    """One program."""

    invariant_seconds: float
    plain: Paper
    invariants: Paper

    def to_json(self) -> dict[str, object]:
        return {
            "invariant_seconds": self.invariant_seconds,
            "plain": self.plain.to_json(),
            "invariants": self.invariants.to_json(),
        }


# Seconds of Interproc; then tests, coverage, seconds, runs of Pex without and with invariants.
_TABLE = """
listing1 0.01   4 100 6.25  14   4 100 0.50  23
listing3 0.01   5  75 2.40 100   3 100 2.30 100
halves   0.01   1  75 3.73 100   2 100 1.80 100
guards   0.01   2  56 0.75  14   3 100 0.76  15
records  0.01   5  82 1.22  25   3 100 1.00  28
twoloops 0.01   0   0 0.64 100   2 100 0.43   4
"""


def published() -> Mapping[str, Published]:
    """By the names of Clew's programs, in the paper's order."""
    found = {}
    for line in _TABLE.strip().splitlines():
        name, seconds, *figures = line.split()
        found[name] = Published(float(seconds), _paper(figures[:4]), _paper(figures[4:]))
    return found


def _paper(figures: list[str]) -> Paper:
    tests, coverage, seconds, runs = figures
    return Paper(int(tests), int(coverage), float(seconds), int(runs))
