"""The counters of all techniques. Nothing else of a technique is imported here: who writes a summary needs no more."""

from __future__ import annotations

from clew.report.statistics import RunStatistics
from clew.techniques.acceleration.statistics import AccelerationStatistics
from clew.techniques.chains.statistics import ChainStatistics
from clew.techniques.conflicts.statistics import ConflictStatistics
from clew.techniques.invariants.statistics import InvariantStatistics
from clew.techniques.merging.statistics import MergingStatistics
from clew.techniques.summaries.statistics import SummaryStatistics


def no_statistics() -> RunStatistics:
    """Of nothing so far: ``summary.json`` has the counters of every technique, whether or not it took part.

    The order is that of the report.
    """
    kinds = (
        ConflictStatistics, ChainStatistics, SummaryStatistics, AccelerationStatistics, InvariantStatistics,
        MergingStatistics,
    )  # fmt: skip
    return RunStatistics(parts=[kind() for kind in kinds])
