"""The techniques that ``clew test`` can use, in the order in which they take part.

A technique is imported when a request asks for it: that takes a while.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import cast

from clew.base.options import TestRequest
from clew.techniques.technique import Technique


@dataclass(frozen=True, slots=True)
class Entry:
    """One technique."""

    name: str
    option: str
    """The field of a request that turns it on and off."""
    module: str
    """Where it is, below ``clew.techniques``."""
    kind: str
    """The name of its class there."""
    help: str

    def load(self) -> type[Technique]:
        return cast("type[Technique]", getattr(import_module(f"clew.techniques.{self.module}"), self.kind))


TECHNIQUES = (
    Entry("merging", "merge", "merging.observer", "Merging", "cuts paths that can show nothing new"),
    Entry("loop-bounds", "loop_bound", "invariants.inputs", "LoopBounds", "iterations of loops that branches need"),
    Entry("invariants", "invariants", "invariants.inputs", "InvariantTechnique", "inputs from linear invariants"),
    Entry("chains", "navigate", "chains.inputs", "ChainTechnique", "inputs from chains of loops and their counters"),
    Entry("summaries", "summarize", "summaries.observer", "Summaries", "generalizes loops to all iteration counts"),
)


def load_techniques(request: TestRequest) -> list[type[Technique]]:
    """Those that a request asks for."""
    return [entry.load() for entry in TECHNIQUES if getattr(request, entry.option)]


def make_techniques(request: TestRequest) -> tuple[Technique, ...]:
    """Those that a request asks for and that apply to it, each made for one run."""
    made = (technique.make(request) for technique in load_techniques(request))
    return tuple(technique for technique in made if technique is not None)
