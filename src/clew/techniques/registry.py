"""The techniques, in the order in which they take part in a run.

A technique is imported when it is asked for: that takes a while.
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
    """The field of a request for ``clew test`` that turns it on and off; empty if it takes no part in that."""
    on: object
    """What turns it on."""
    module: str
    """Where it is, below ``clew.techniques``."""
    kind: str
    """The name of its class there."""
    help: str

    def is_wanted(self, request: TestRequest) -> bool:
        return bool(self.option) and bool(getattr(request, self.option) == self.on)

    def load(self) -> type[Technique]:
        return cast("type[Technique]", getattr(import_module(f"clew.techniques.{self.module}"), self.kind))


TECHNIQUES = (
    Entry("merging", "merge", True, "merging.technique", "Merging", "cuts paths that can show nothing new"),
    Entry("loop-bounds", "loop_bound", "auto", "invariants.inputs", "LoopBounds", "iterations that branches need"),
    Entry("invariants", "invariants", True, "invariants.inputs", "InvariantTechnique", "inputs from linear invariants"),
    Entry("chains", "navigate", True, "chains.inputs", "ChainTechnique", "inputs from chains of loops"),
    Entry("summaries", "summarize", True, "summaries.technique", "Summaries", "generalizes loops to all counts"),
    Entry("conflicts", "", True, "conflicts.technique", "Conflicts", "proves properties, learning from conflicts"),
)


def technique(name: str) -> Technique:
    """The technique called ``name``, to be asked."""
    return next(entry for entry in TECHNIQUES if entry.name == name).load()()


def load_techniques(request: TestRequest) -> list[type[Technique]]:
    """Those that a request asks for."""
    return [entry.load() for entry in TECHNIQUES if entry.is_wanted(request)]


def make_techniques(request: TestRequest) -> tuple[Technique, ...]:
    """Those that a request asks for and that apply to it, each made for one run."""
    made = (technique.make(request) for technique in load_techniques(request))
    return tuple(technique for technique in made if technique is not None)
