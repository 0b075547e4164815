"""strings.h: the old names of Berkeley. Comparisons without case are with ``strcmp``, ``index`` with ``strchr``."""

from __future__ import annotations

from typing import Any

from clew.analysis.model_effect import PURE, WRITES_ARGUMENTS
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.expr import build
from clew.expr.sort import bv


@model("bzero", effect=WRITES_ARGUMENTS.but(exact=True))
def bzero(call: Invocation, target: Any, count: Any) -> None:
    call.fill(target, 0, count)


@model("bcopy", effect=WRITES_ARGUMENTS.but(exact=True))
def bcopy(call: Invocation, source: Any, target: Any, count: Any) -> None:
    """``memmove`` with the pointers the other way round."""
    call.copy(target, source, count)


@model("ffs", "ffsl", "ffsll", effect=PURE)
def ffs(call: Invocation, value: Any) -> Any:
    """The number of the lowest bit that is set, from 1 on; 0 if none is."""
    bits = call.state.run.layout.bits(call.argument(0).type)
    place = build.add(build.ctz(value, bits), 1, bits)
    if bits > 32:
        place = build.trunc(place, 32)
    return build.ite(build.eq(value, 0, bits), 0, place, bv(32))
