"""The techniques, in the order in which they take part in a run.

A technique is imported when it is asked for: that takes a while.
"""

from __future__ import annotations

from clew.base.options import TestRequest
from clew.base.registry import Registry
from clew.techniques.technique import Technique

TECHNIQUES: Registry[type[Technique]] = Registry(
    "technique",
    "clew test",
    {
        "acceleration": "clew.techniques.acceleration.jumping",
        "merging": "clew.techniques.merging.technique",
        "loop-bounds": "clew.techniques.invariants.inputs",
        "invariants": "clew.techniques.invariants.inputs",
        "chains": "clew.techniques.chains.inputs",
        "summaries": "clew.techniques.summaries.technique",
        "conflicts": "clew.techniques.conflicts.technique",
    },
)

SWITCHES: dict[str, tuple[str, object]] = {
    "acceleration": ("accelerate", True),
    "merging": ("merge", True),
    "loop-bounds": ("loop_bound", "auto"),
    "invariants": ("invariants", True),
    "chains": ("navigate", True),
    "summaries": ("summarize", True),
}
"""The field of a request, and its value, without which a technique is not even imported. Others are always asked."""

ANSWERING = frozenset(("conflicts",))
"""Those that take no part in ``clew test``, but answer questions."""


def technique(name: str) -> Technique:
    """The technique called ``name``, to answer questions."""
    return TECHNIQUES.get(name)()


def load_techniques(request: TestRequest) -> list[type[Technique]]:
    """Those that a request asks for."""
    return [TECHNIQUES.get(name) for name in TECHNIQUES.names() if _is_wanted(name, request)]


def _is_wanted(name: str, request: TestRequest) -> bool:
    if name not in SWITCHES:
        return name not in ANSWERING
    field, value = SWITCHES[name]
    return bool(getattr(request, field) == value)


def make_techniques(request: TestRequest) -> tuple[Technique, ...]:
    """Those that a request asks for and that apply to it, each made for one run."""
    made = (technique.make(request) for technique in load_techniques(request))
    return tuple(technique for technique in made if technique is not None)
