"""Coverage of several runs of one program, put together: from their ``coverage.info`` files, and to one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import field

from clew.base.dataclass import dataclass

Branch = tuple[int, int, int]
"""Line, number of the branching place in it, and outcome."""


@dataclass(slots=True)
class FileCoverage:
    """One source file; counts add up over the runs."""

    functions: dict[tuple[int, str], int] = field(default_factory=dict)
    """By the line where it begins, and its name."""
    branches: dict[Branch, int | None] = field(default_factory=dict)
    """None: no run has come to the place."""
    lines: dict[int, int] = field(default_factory=dict)

    def lcov(self, name: str) -> Iterator[str]:
        """As ``coverage.info`` has it."""
        yield "TN:clew"
        yield f"SF:{name}"
        yield from (f"FN:{line},{function}" for line, function in sorted(self.functions))
        yield from (f"FNDA:{count},{function}" for (_, function), count in sorted(self.functions.items()))
        for (line, place, outcome), taken in sorted(self.branches.items()):
            yield f"BRDA:{line},{place},{outcome},{'-' if taken is None else taken}"
        yield from (f"DA:{line},{count}" for line, count in sorted(self.lines.items()))
        yield "end_of_record"


@dataclass(frozen=True, slots=True)
class Covered:
    """How much of something is covered."""

    name: str
    file: str
    line: int
    branches: int
    total: int
    run: bool
    """Whether any of it was run."""

    def to_json(self) -> dict[str, object]:
        branches = {"covered": self.branches, "total": self.total}
        return {"function": self.name, "file": self.file, "line": self.line, "run": self.run, "branches": branches}


class ProjectCoverage:
    """All files of a project."""

    def __init__(self) -> None:
        self.files: dict[str, FileCoverage] = {}

    def add(self, text: str) -> None:
        """The coverage of one more run, as its ``coverage.info`` tells it. Lines that make no sense are left out."""
        here = FileCoverage()
        starts: dict[str, int] = {}
        for line in text.splitlines():
            key, _, rest = line.partition(":")
            try:
                if key == "SF":
                    here, starts = self.files.setdefault(rest, FileCoverage()), {}
                elif key == "FN":
                    start, _, name = rest.partition(",")
                    starts[name] = int(start)
                    here.functions.setdefault((int(start), name), 0)
                elif key == "FNDA":
                    count, _, name = rest.partition(",")
                    here.functions[starts[name], name] += int(count)
                elif key == "BRDA":
                    _add_branch(here, rest)
                elif key == "DA":
                    number, ran = map(int, rest.split(","))
                    here.lines[number] = here.lines.get(number, 0) + ran
            except (KeyError, ValueError):
                continue

    def functions(self, wanted: Iterable[str]) -> list[Covered]:
        """The functions of these names, file by file."""
        names, found = frozenset(wanted), []
        for file, coverage in sorted(self.files.items()):
            starts = sorted(coverage.functions)
            lines = [line for line, _ in starts]
            taken, total = [0] * len(starts), [0] * len(starts)
            for (line, _, _), count in coverage.branches.items():
                at = bisect_right(lines, line) - 1
                if at >= 0:
                    total[at] += 1
                    taken[at] += bool(count)
            for at, (line, name) in enumerate(starts):
                if name in names:
                    run = coverage.functions[line, name] > 0
                    found.append(Covered(name, file, line, taken[at], total[at], run))
        return found

    def lcov(self) -> str:
        """One ``coverage.info`` for all."""
        return "".join(f"{line}\n" for name, file in sorted(self.files.items()) for line in file.lcov(name))


def _add_branch(here: FileCoverage, rest: str) -> None:
    line, place, outcome, taken = rest.split(",")
    branch = int(line), int(place), int(outcome)
    before = here.branches.get(branch)
    here.branches[branch] = before if taken == "-" else (before or 0) + int(taken)
