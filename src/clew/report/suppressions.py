"""Comments in the source that say that a bug is not to be told: ``// clew: ignore signed-overflow -- meant to wrap``.

The comment stands on the line of the bug, or alone on the line above. Behind ``ignore`` come kinds of bugs, or names of
checks, which stand for all their kinds; without any, all kinds are meant. Behind ``--`` there is room for a reason.
"""

from __future__ import annotations

import re
from dataclasses import replace

from clew.base.dataclass import dataclass
from clew.base.location import Location
from clew.base.pattern import pattern
from clew.report.excerpt import Sources
from clew.report.kinds import BUG_KINDS
from clew.report.records import Bug

COMMENT = pattern(r"(?://|/\*)(?:(?!//|/\*|\*/).)*?\bclew:\s*ignore\b(?P<said>(?:(?!\*/)[^\n])*)(?:\*/)?")
NO_REASON = "a comment in the source"
NAMES = frozenset(BUG_KINDS) | {kind.check for kind in BUG_KINDS.values()}
"""What such a comment, and ``--fail-on``, may name."""


@dataclass(frozen=True, slots=True)
class Suppression:
    """What one comment says."""

    names: tuple[str, ...]
    """Kinds and checks; none means all."""
    reason: str

    def covers(self, kind: str) -> bool:
        return not self.names or is_named(kind, self.names)

    @property
    def unknown(self) -> tuple[str, ...]:
        """Names that are neither kinds of bugs nor checks."""
        return tuple(name for name in self.names if name not in NAMES)


def is_named(kind: str, names: tuple[str, ...]) -> bool:
    """Whether a kind of bugs is among the names, by its own or by that of its check."""
    return kind in names or BUG_KINDS[kind].check in names


def suppression_at(location: Location | None, sources: Sources) -> Suppression | None:
    """What is said for a line: on it, or above it on a line that is nothing but a comment."""
    if location is None:
        return None
    here = _said(sources.line(location))
    above = sources.line(replace(location, line=location.line - 1))
    return here or (_said(above) if above.startswith(("//", "/*")) else None)


def _said(line: str) -> Suppression | None:
    found = COMMENT.search(line)
    if found is None:
        return None
    names, _, reason = found["said"].partition("--")
    return Suppression(tuple(name for name in re.split(r"[\s,:]+", names) if name), reason.strip() or NO_REASON)


def misspelled(bugs: tuple[Bug, ...], sources: Sources) -> tuple[str, ...]:
    """Warnings about comments at bugs that name what there is not."""
    found = []
    for bug in bugs:
        said = suppression_at(bug.location, sources)
        if said is not None and said.unknown:
            found.append(f"{bug.location}: 'clew: ignore {said.unknown[0]}' names no kind of bug and no check")
    return tuple(dict.fromkeys(found))
