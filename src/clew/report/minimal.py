"""The shortest way to a bug, and what each of its inputs is for: what ``clew explain`` adds to what a run has told."""

from __future__ import annotations

from clew.base.dataclass import dataclass
from clew.report.path import PathStep
from clew.report.values import InputValue


@dataclass(frozen=True, slots=True)
class Purpose:
    """What one input, or one byte of one, is for."""

    name: str
    value: str
    """As C spells it."""
    text: str
    """For people."""


@dataclass(frozen=True, slots=True)
class Minimal:
    """A path to a bug that is as short as could be found, with inputs that are as plain as could be."""

    inputs: tuple[InputValue, ...]
    steps: tuple[PathStep, ...]
    purposes: tuple[Purpose, ...]
    instructions: int
    """Of the path."""
    instructions_before: int
    """Of the path that the run has found."""
    is_shortest: bool
    """Whether all shorter paths were tried, and none of them shows the bug."""
