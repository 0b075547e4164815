"""Inline assembly of the usual kinds, by what it does: barriers, byte swaps, clocks and what the processor is."""

from __future__ import annotations

import re
from enum import Enum

from clew.base.pattern import pattern
from clew.program.types import IntType, StructType, Type
from clew.program.values import InlineAsm


class AsmEffect(Enum):
    """What a piece of assembly does."""

    NOTHING = "nothing"
    """No value changes: an output has the value of the input that shares its register."""
    SWAP = "bytes in reverse order"
    SWAP_PAIRS = "bytes of each half-word in reverse order"
    INPUT = "input"
    """Its outputs are what the machine says: a clock, a counter, an identification."""


_IDLE = pattern(
    r"nop|pause|yield|[mls]fence|(rep|lock)( nop)?|isb( sy)?|d[ms]b \w+|hint #?\d+|sev|wfe|"
    r"prefetch\w* .*|(lock )?(add|or)[lq] \$\$0(x0)?, ?-?\d*\(%%?[re]sp\)"
)
_ANSWERS = pattern(r"rdtscp?|cpuid|mrs \$0, ?cnt(vct|pct|frq)_el0")
_SWAPS = {
    pattern(r"bswapl? (\$0|\$\{0:k\})"): 32,
    pattern(r"bswapq? (\$0|\$\{0:q\})"): 64,
    pattern(r"(ror|rol)w \$\$8, ?(\$0|\$\{0:w\})|xchgb \$\{0:(b\}, ?\$\{0:h|h\}, ?\$\{0:b)\}"): 16,
    pattern(r"rev \$\{0:w\}, ?\$\{[01]:w\}"): 32,
    pattern(r"rev (\$0|\$\{0:x\}), ?(\$[01]|\$\{[01]:x\})"): 64,
}
_SWAPS_PAIRS = {
    pattern(r"rev16 \$\{0:w\}, ?\$\{[01]:w\}"): 32,
    pattern(r"rev16 \$0, ?\$[01]"): 64,
}


def asm_effect(code: InlineAsm, result: Type) -> AsmEffect | None:
    """What a piece of assembly with a result of some type does; None if that is not known."""
    outputs, inputs = _operands(code)
    lines = [" ".join(line.split()) for line in re.split(r"[;\n]", re.sub(r"#.*|//.*", "", code.text.lower()))]
    active = [line for line in lines if line and not _IDLE.fullmatch(line)]
    if not active:
        return AsmEffect.NOTHING if set(outputs) <= set(map(_tied, inputs)) else None
    if len(active) > 1:
        return None
    if _ANSWERS.fullmatch(active[0]):
        parts = result.fields if isinstance(result, StructType) else (result,)
        return AsmEffect.INPUT if all(isinstance(part, IntType) for part in parts) else None
    if len(outputs) == len(inputs) == 1 and isinstance(result, IntType):
        for effect, table in ((AsmEffect.SWAP, _SWAPS), (AsmEffect.SWAP_PAIRS, _SWAPS_PAIRS)):
            if any(width == result.width and form.fullmatch(active[0]) for form, width in table.items()):
                return effect
    return None


def tied_inputs(code: InlineAsm) -> list[int]:
    """For each output that is a value, which argument shares its register."""
    outputs, inputs = _operands(code)
    indirect = code.constraints.count("=*")  # outputs in memory, whose addresses are the first arguments
    places = {_tied(constraint): place for place, constraint in enumerate(inputs, indirect)}
    return [places[output] for output in outputs]


def _operands(code: InlineAsm) -> tuple[list[int], list[str]]:
    """The numbers of outputs that are values, and the constraints of inputs."""
    parts = [part for part in code.constraints.split(",") if part and part[0] not in "~!"]
    outputs = [place for place, part in enumerate(parts) if part.startswith("=") and not part.startswith("=*")]
    return outputs, [part for part in parts if not part.startswith("=")]


def _tied(constraint: str) -> int:
    """The output that an input shares a register with; -1 if there is none."""
    return int(constraint) if constraint.isdigit() else -1
