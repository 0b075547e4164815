"""Published figures for the programs of ``clew bench navigation``.

Source: Jan Obdržálek and Marek Trtík, *Efficient Loop Navigation for Symbolic Execution* (2011), tables 2 and 3; an
i7-920 of 2.67 GHz. Of the program of figure 1 it gives the chains, and the time of Pex in section 2.1. The text of the
other programs is not in the paper: Clew's are written from its description.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

TOOLS = ("Pex", "Pex*", "KLEE", "CBA")
"""``Pex*`` is Pex with parameters that suit the program; CBA is the tool of the paper."""


@dataclass(frozen=True, slots=True)
class Reported:
    """One run of another tool."""

    seconds: float | None
    """None: it gave up."""
    ended: bool = True
    """False: it was stopped after this time."""

    def __str__(self) -> str:
        if self.seconds is None:
            return "fail"
        return ("" if self.ended else ">") + f"{self.seconds:.3f}".rstrip("0").rstrip(".")

    def to_json(self) -> dict[str, object]:
        return {"seconds": self.seconds, "ended": self.ended}


@dataclass(frozen=True, slots=True)
class Paper:
    """What the paper says of one program."""

    times: Mapping[str, Reported]
    chains: str
    """Root chains / all chains."""

    def to_json(self) -> dict[str, object]:
        return {"times": {tool: time.to_json() for tool, time in self.times.items()}, "chains": self.chains}


# Time limit, then seconds in the order of TOOLS, then chains.
_TABLE = """
hello     1800    3.234    7.233   0.093  0.026    3/6
hw        3600   14.890   11.107    2220  0.175   9/17
hwm       3600     fail      534 timeout  1.997 81/161
doif      1800  timeout     1227 timeout  0.388    1/5
doifex    3600  timeout  timeout timeout  1.745    1/9
eqcnt     1800      103   11.592 timeout  0.191    1/4
eqcntex   3600     2772     2540 timeout  2.458    1/7
oneloop   1800      134      267 timeout  0.002    1/2
twoloops  1800       64   57.426 timeout  0.003    1/3
fig1     18000       99        -       -      -    1/5
fig1_17  18000  timeout        -       -      -    1/5
"""


def published() -> Mapping[str, Paper]:
    """By the names of Clew's programs."""
    found = {}
    for line in _TABLE.strip().splitlines():
        name, limit, *times, chains = line.split()
        known = {tool: _reported(word, limit) for tool, word in zip(TOOLS, times, strict=True) if word != "-"}
        found[name] = Paper(known, chains)
    return found


def _reported(word: str, limit: str) -> Reported:
    if word == "fail":
        return Reported(None)
    return Reported(float(limit), ended=False) if word == "timeout" else Reported(float(word))
