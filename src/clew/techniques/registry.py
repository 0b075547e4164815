"""The techniques that ``clew test`` can use, in the order in which they take part.

A technique is imported when a request asks for it: that takes a while.
"""

from __future__ import annotations

from clew.base.options import TestRequest
from clew.base.registry import Registry
from clew.techniques.technique import Technique

TECHNIQUES: Registry[type[Technique]] = Registry(
    "technique",
    "clew test",
    {
        "merging": "clew.techniques.merging.observer",
        "loop-bounds": "clew.techniques.invariants.inputs",
        "invariants": "clew.techniques.invariants.inputs",
        "chains": "clew.techniques.chains.inputs",
        "summaries": "clew.techniques.summaries.observer",
    },
)

SWITCHES = {
    "merging": "merge", "loop-bounds": "loop_bound", "invariants": "invariants", "chains": "navigate",
    "summaries": "summarize",
}  # fmt: skip
"""The field of a request that a technique is not even imported without; one that has none is always asked."""


def load_techniques(request: TestRequest) -> list[type[Technique]]:
    """Those that a request asks for."""
    wanted = (name for name in TECHNIQUES.names() if name not in SWITCHES or getattr(request, SWITCHES[name]))
    return [TECHNIQUES.get(name) for name in wanted]


def make_techniques(request: TestRequest) -> tuple[Technique, ...]:
    """Those that a request asks for and that apply to it, each made for one run."""
    made = (technique.make(request) for technique in load_techniques(request))
    return tuple(technique for technique in made if technique is not None)
