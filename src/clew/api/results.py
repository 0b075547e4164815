"""What a call of the Python API gives back: the summary of the run, its tests, and text about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from clew.base.budget import StopReason
from clew.report.bugtext import bug_text
from clew.report.excerpt import Sources
from clew.report.records import Bug, Coverage, LossNote, Property, Summary, TargetRecord, Test, Unreachable
from clew.report.statistics import RunStatistics
from clew.report.text import report_lines


@dataclass(frozen=True, slots=True, repr=False)
class Result:
    """What ``clew.test``, ``clew.verify`` or ``clew.reach`` found out. ``str(result)`` is the report for people."""

    summary: Summary
    """Everything that ``summary.json`` holds."""
    tests: tuple[Test, ...] = ()
    """Inputs of the runs that were worth keeping, those that show a bug included, in the order they were found."""
    sources: Sources = field(default_factory=Sources, compare=False)
    """Where text about the result takes lines of source from."""

    @property
    def bugs(self) -> tuple[Bug, ...]:
        """The bugs, each with inputs that show it."""
        return self.summary.certain

    @property
    def possible_bugs(self) -> tuple[Bug, ...]:
        """Bugs that show only if something is as it was made up, such as the result of an undefined function."""
        return self.summary.possible

    @property
    def verdict(self) -> str | None:
        """``TRUE``, ``FALSE``, ``UNKNOWN`` of verify; ``REACHED``, ``UNREACHABLE``, ``UNKNOWN`` of reach; else None."""
        return self.summary.verdict

    @property
    def reason(self) -> str:
        """One line: why that is the verdict, or how the search ended."""
        return self.summary.reason

    @property
    def properties(self) -> tuple[Property, ...]:
        """What verify decided, one by one."""
        return self.summary.properties

    @property
    def target(self) -> TargetRecord | None:
        """What reach was asked about, with the inputs that lead there in ``target.arrival``."""
        return self.summary.target

    @property
    def coverage(self) -> Coverage:
        """The branches and lines of the program, and which of them the tests cover."""
        return self.summary.coverage

    @property
    def unreachable(self) -> tuple[Unreachable, ...]:
        """Outcomes of branches that no input leads to."""
        return self.summary.unreachable

    @property
    def losses(self) -> tuple[LossNote, ...]:
        """What was not explored, and why."""
        return self.summary.losses

    @property
    def stopped(self) -> StopReason | None:
        """The limit that ended the search; None if it came to its end."""
        return self.summary.stopped

    @property
    def complete(self) -> bool:
        """Whether nothing was left out: no limit ended the search, and nothing was lost on the way."""
        return self.stopped is None and not self.losses

    @property
    def statistics(self) -> RunStatistics:
        """Paths, instructions, queries, seconds."""
        return self.summary.stats

    @property
    def warnings(self) -> tuple[str, ...]:
        """Lines that the command would have printed on the way."""
        return self.summary.warnings

    @property
    def out(self) -> Path | None:
        """The output folder; None if none was asked for."""
        return Path(self.summary.out) if self.summary.out else None

    def describe(self, bug: Bug) -> str:
        """A bug as text: what, where with the line of source, by which calls, with which inputs."""
        return bug_text(bug, self.sources)

    def __repr__(self) -> str:
        verdict = f"{self.verdict}, " if self.verdict else ""
        return f"<clew {self.summary.command} {' '.join(self.summary.files)}: {verdict}{self.reason}>"

    def __str__(self) -> str:
        return "\n".join(text for text, _ in report_lines(self.summary, sources=self.sources))
