"""Which bugs make a run fail: ``--fail-on``, baselines, comments in the source.

Without ``--fail-on`` all certain bugs do, but for those that a baseline or a comment sets aside. With it, a bug does if
all of this holds: it is of a kind that is named (none named: any), it is new where ``new`` is said, and it is certain
unless ``possible`` is said.
"""

from __future__ import annotations

from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.base.option_values import FAILING
from clew.base.options import Request
from clew.base.suggest import unknown_name
from clew.report.records import KNOWN
from clew.report.suppressions import NAMES, is_named


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is asked for, in words that decide."""

    names: tuple[str, ...] = ()
    """Kinds and checks; none: all."""
    only_new: bool = False
    possible: bool = False
    nothing: bool = False
    """Whether nothing makes a run fail."""
    unknown: bool = True
    """Whether a run that could not look at everything is told by its exit code."""
    said: bool = False
    """Whether the user has said anything of it."""

    @staticmethod
    def of(request: Request) -> Judgement:
        """UserError where a word is none that there is."""
        words, baseline = request.fail_on, request.baseline is not None
        if words is None:
            return Judgement(only_new=baseline, said=baseline)
        names = tuple(word for word in words if word not in FAILING)
        for name in names:
            if name not in NAMES:
                raise UserError(unknown_name("word", name, (*FAILING, *sorted(NAMES))) + " (--fail-on)")
        return Judgement(names, "new" in words, "possible" in words, "none" in words, "unknown" in words, True)

    def fails(self, kind: str, baseline: str, suppressed: str, possible: bool) -> bool:
        """Whether a bug makes the run fail."""
        if self.nothing or suppressed or (self.only_new and baseline == KNOWN) or (possible and not self.possible):
            return False
        return not self.names or is_named(kind, self.names)
