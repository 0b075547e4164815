"""Learning from conflicts, as a technique: it proves properties."""

from __future__ import annotations

from clew.techniques.conflicts.limits import USUAL, Limits
from clew.techniques.conflicts.prove import prove
from clew.techniques.registry import TECHNIQUES
from clew.techniques.tasks import ProofTask
from clew.techniques.technique import Technique


@TECHNIQUES.register("conflicts", "properties, by learning from conflicts of paths")
class Conflicts(Technique):
    """Proves properties, and finds paths that violate them."""

    def __init__(self, limits: Limits = USUAL) -> None:
        self._limits = limits

    def prove(self, task: ProofTask) -> None:
        prove(task, self._limits)
