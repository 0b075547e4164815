"""Goals of the repair layer: which bits of an expression are to get which value.

A goal is ``(expression, value, care)``: the bits of ``care`` are to become those of ``value``. A handler takes a
goal and the current model and offers alternatives, best first; each is a tuple of goals that together reach it, other
operands staying as they are. Handlers may guess: the repair layer checks every outcome by evaluation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from clew.expr.evaluate import Model
from clew.expr.node import Expr

Goal: TypeAlias = tuple[Expr, Any, int]
Alternative: TypeAlias = tuple[Goal, ...]
Handler: TypeAlias = Callable[[Expr, Any, int, Model], list[Alternative]]

ALL: Final = -1
"""Care about every bit."""
MAX_CHOICES: Final = 4


def full(e: Expr, value: int, care: int, model: Model) -> int:
    """The whole value wanted: bits nobody cares about stay."""
    if care == ALL:
        return value
    current: int = model.eval(e)
    return (current & ~care | value & care) & e.mask
