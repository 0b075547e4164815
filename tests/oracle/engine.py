"""The engine's side of the comparison: the same program, the same inputs, run concretely in the engine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.jobs.reexecution import ConcreteOutcome
from support.concrete import run_concrete

SPARE = 2000
FLAGS = ("-std=gnu11", "-w", "-ffp-contract=off")


def run(program: Path, inputs: Sequence[int], flags: Sequence[str] = ()) -> ConcreteOutcome:
    """Compile for the host, so that both sides agree on the sizes of types and the sign of char."""
    options = CompileOptions(flags=(*FLAGS, *flags))
    # The engine stops when it is out of inputs; the native side goes on with zeros.
    return run_concrete(load([program], options, None), [*inputs, *[0] * SPARE])
