"""What the runs of a command find, all together: a run goes on from what those before it have found."""

from __future__ import annotations

from collections import Counter
from dataclasses import field

from clew.base.dataclass import dataclass
from clew.checks.properties import PropertyKey, key_of
from clew.execute.instrument.targets import REACHED
from clew.report.records import Arrival, Bug, Test, ranked


@dataclass(slots=True)
class Findings:
    """Filled by the collectors of the runs."""

    tests: int = 0
    bugs: list[Bug] = field(default_factory=list)
    arrival: Arrival | None = None
    """The best way to a marked target, if there is one."""
    unasked: dict[PropertyKey, str] = field(default_factory=dict)
    """Errors of kinds that were not asked for, and that paths ended in, in order; for one that a bound alone makes an
    error, that bound, which is a loss as well."""
    warnings: list[str] = field(default_factory=list)
    reported: set[PropertyKey] = field(default_factory=set)
    """Failures that were reported and rest on nothing made up."""
    possible: Counter[PropertyKey] = field(default_factory=Counter)
    """Failures that were reported as possible ones, and how often each was looked at."""
    doubtful: set[PropertyKey] = field(default_factory=set)
    """Failures that their own inputs did not show again."""

    unconfirmed: dict[PropertyKey, Bug] = field(default_factory=dict)
    """Failures that were reported, but could not be run again; another run may have a way to do that."""
    written: dict[object, Test] = field(default_factory=dict)
    """Tests, by their inputs, unless each path has its own; by their paths as well if they were written before the run
    was gone on with."""

    def file(self, bug: Bug, key: PropertyKey) -> None:
        """Take up a bug that was reported; it takes the place of the same one that was not confirmed."""
        former = self.unconfirmed.pop(key, None)
        others = [other for other in self.bugs if other is not former]
        self.bugs = list(ranked([*others, bug]))
        if not bug.confirmed:
            self.unconfirmed[key] = bug

    def is_written(self, test: Test, every_path: bool) -> bool:
        """Whether there is a test already: for the same path, if each one has its own, or with the same inputs, which
        show as much."""
        if every_path:  # of the same inputs there is one path, which may be told otherwise where it was followed
            return test.inputs in self.written or (bool(test.path) and test.path in self.written)
        known = self.written.get(test.inputs)
        return known is not None and test.error is None and test.covers <= known.covers

    def take(self, bug: Bug) -> bool:
        """Take up a bug that another process has reported, unless that is known already; whether it was not."""
        key = key_of(bug.kind, bug.location, bug.function)
        if key in self.reported and not (bug.confirmed and key in self.unconfirmed):
            return False
        if bug.is_possible:
            self.possible[key] += 1
            if self.possible[key] > 1:
                return False
        else:
            self.reported.add(key)
        self.file(bug, key)
        return True

    def arrive(self, arrival: Arrival) -> bool:
        """Take up a way to the target, unless there is one that is worth as much; whether there is none."""
        if self.arrival is not None and _worth(self.arrival) >= _worth(arrival):
            return False
        self.arrival = arrival
        return True

    def meet_unasked(self, key: PropertyKey, bound: str) -> None:
        """A path has ended in an error that nobody asked for; ``bound`` is what alone makes it one, if something."""
        self.unasked[key] = self.unasked.get(key, bound) and bound

    def seen(self) -> set[PropertyKey]:
        """All failures that paths ended in, confirmed or not."""
        return self.reported | set(self.possible) | set(self.unasked) | self.doubtful

    def confirmed(self) -> set[PropertyKey]:
        """The failures that re-execution has shown, and that rest on nothing made up."""
        bugs = (bug for bug in self.bugs if bug.confirmed and not bug.is_possible)
        found = {key_of(bug.kind, bug.location, bug.function) for bug in bugs}
        if self.arrival is not None and self.arrival.confirmed and not self.arrival.rests_on:
            found.add(key_of(REACHED, self.arrival.location, self.arrival.function))
        return found


def _worth(arrival: Arrival) -> tuple[bool, bool]:
    """What a way to a target is worth, compared with others."""
    return (not arrival.rests_on, arrival.confirmed)
