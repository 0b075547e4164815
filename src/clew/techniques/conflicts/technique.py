"""Learning from conflicts, as a technique: it proves properties."""

from __future__ import annotations

from clew.techniques.conflicts.clause_exchange import ClauseExchange
from clew.techniques.conflicts.limits import USUAL, Limits
from clew.techniques.conflicts.prove import prove
from clew.techniques.registry import TECHNIQUES
from clew.techniques.tasks import ProofTask
from clew.techniques.technique import Technique


@TECHNIQUES.register("conflicts", "properties, by learning from conflicts of paths")
class Conflicts(Technique):
    """Proves properties, and finds paths that violate them; ``exchange``: with other searches for these."""

    def __init__(self, limits: Limits = USUAL, exchange: ClauseExchange | None = None) -> None:
        self._limits = limits
        self._exchange = exchange

    def prove(self, task: ProofTask) -> None:
        prove(task, self._limits, self._exchange)
