"""Learning from conflicts, as a technique: it proves properties."""

from __future__ import annotations

from clew.techniques.conflicts.prove import prove
from clew.techniques.registry import TECHNIQUES
from clew.techniques.tasks import ProofTask
from clew.techniques.technique import Technique


@TECHNIQUES.register("conflicts", "properties, by learning from conflicts of paths")
class Conflicts(Technique):
    """Proves properties, and finds paths that violate them."""

    def prove(self, task: ProofTask) -> None:
        prove(task)
