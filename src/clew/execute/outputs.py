"""Values that leave the program: what it prints, writes to files, and exits with.

Nothing decides on them inside, but somebody outside will: a value that was never defined must not get there. Copying
and computing with such values stays allowed, and so does printing what does not depend on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clew.execute.decide import is_use, require_defined
from clew.execute.forking import Live
from clew.execute.frame import Frame
from clew.execute.state import State
from clew.expr import build
from clew.expr.node import Expr
from clew.expr.sort import SortKind
from clew.program.module import FINISH


def returned_code(s: State, f: Frame, point: int, live: Live, value: Any) -> None:
    """``main`` returns ``value``: its exit code, unless the program itself has called it."""
    if f.parent is None or f.parent.function.name == FINISH:
        exit_code(s, f, point, live, value)


def exit_code(s: State, f: Frame, point: int, live: Live, code: Any) -> None:
    """The program ends with ``code``, of which others see eight bits."""
    if isinstance(code, Expr):
        printed(s, f, point, live, build.extract(code, 7, 0), "the exit code is an uninitialized value")


def printed(s: State, f: Frame, point: int, live: Live, value: Any, message: str) -> None:
    """One value leaves the program: an integer, or a floating-point number."""
    if isinstance(value, Expr) and not value.symbols.isdisjoint(s.run.undefined) and is_use(s):
        bits = value if value.sort.kind is SortKind.BV else build.fp_to_bits(value, value.sort)
        if isinstance(bits, Expr):
            require_defined(s, f, point, live, bits, message, decides=False)


def written(s: State, f: Frame, point: int, live: Live, values: Sequence[Any]) -> None:
    """Bytes of memory leave the program. Padding and the rest of a buffer count: they carry old contents out."""
    if not s.run.undefined:
        return
    for place, value in enumerate(values):
        printed(s, f, point, live, value, f"byte {place} of {len(values)} that are written was never set")


def text(s: State, f: Frame, point: int, live: Live, values: Sequence[Any]) -> None:
    """A string is read to its first NUL, which is in ``values`` or after them: what it consists of must be defined."""
    undefined = s.run.undefined
    if not undefined or not is_use(s):
        return
    reached: Any = True
    for value in values:
        if isinstance(value, Expr) and not value.symbols.isdisjoint(undefined):
            seen = build.ite(reached, value, 0, value.sort)
            printed(s, f, point, live, seen, "a string that is read has an uninitialized byte before its end")
            if value in undefined:
                return  # where the path goes on, the string has ended before
        reached = build.land(reached, build.ne(value, 0, 8))
