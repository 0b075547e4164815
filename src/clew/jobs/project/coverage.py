"""Coverage of several runs of one program, put together, and told by function."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from clew.base.dataclass import dataclass
from clew.report.lcov import FileCoverage, add_lcov, lcov_text


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
        """The coverage of one more run, as its ``coverage.info`` tells it."""
        add_lcov(self.files, text)

    def functions(self, wanted: Iterable[tuple[str, int]]) -> list[Covered]:
        """The functions that begin at these places (file and line), file by file."""
        places, found = frozenset(wanted), []
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
                if (file, line) in places:
                    run = coverage.functions[line, name] > 0
                    found.append(Covered(name, file, line, taken[at], total[at], run))
        return found

    def lcov(self) -> str:
        """One ``coverage.info`` for all."""
        return lcov_text(self.files)
