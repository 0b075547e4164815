"""What phases that look for a target have in common."""

from __future__ import annotations

from clew.base.options import ReachRequest
from clew.execute.instrument.targets import REACHED
from clew.jobs.prepare import ExploreSettings


def reach_settings(request: ReachRequest, traced: bool = False) -> ExploreSettings:
    """How runs that look for a target explore; ``traced`` if a technique leads their states."""
    return ExploreSettings(
        "error", "dfs", kinds=frozenset((REACHED,)), traced=traced, convert=not request.keep_branches
    )
