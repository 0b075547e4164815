"""arpa/inet.h: numbers in the order of bytes that networks have, on processors that have the other one."""

from __future__ import annotations

from typing import Any

from clew.analysis.model_effect import PURE
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.expr import build


@model("htonl", "htons", "ntohl", "ntohs", effect=PURE)
def swapped(call: Invocation, value: Any) -> Any:
    bits = call.argument_bits(0)
    return build.bswap(value, bits)
