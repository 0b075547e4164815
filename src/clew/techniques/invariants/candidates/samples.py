"""States at the heads of loops from a few runs of the program: what no candidate may contradict.

Runs are short. Where none comes to a head, as long loops lie before it, those of a smaller program stand in: one with
smaller numbers in the place of large ones. What holds there is worth a look, no more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from clew.base.bits import signed
from clew.base.errors import PathEnd
from clew.base.randomness import Randomness
from clew.execute.ends import Dropped
from clew.execute.state import State
from clew.program import instructions as ir
from clew.program.module import Program
from clew.program.operands import operands
from clew.program.types import IntType
from clew.program.values import ConstInt, Value
from clew.report.values import InputValue
from clew.techniques.invariants.candidates.limits import Limits
from clew.techniques.invariants.candidates.opening import Probe
from clew.techniques.invariants.candidates.runs import Effort, Setting, Values, explore, machine_of

_LARGE, _SMALL = 40, 6
"""Numbers above the one are made smaller, the largest as small as the other."""
_EXTREME = (0, 1, 2, -1, 127, 128, 255, 2**31 - 1, -(2**31), 2**32 - 1, 2**63 - 1)


def samples_of(shown: Program, heads: int, setting: Setting, limits: Limits) -> list[list[Values]]:
    """For each head, different states of some runs, in the order in which they were met."""
    found: list[dict[Values, None]] = [{} for _ in range(heads)]
    machine = machine_of(shown)
    for given in _inputs(limits):
        visits: Counter[int] = Counter()

        def probed(probe: Probe, state: State, values: Values, visits: Counter[int] = visits) -> None:
            visits[probe.head] += 1
            if visits.total() > limits.all_visits:
                raise Dropped
            if visits[probe.head] <= limits.visits and all(isinstance(value, int) for value in values):
                found[probe.head][values] = None

        try:
            explore(machine, setting, probed, Effort(limits.run_instructions), given=given)
        except PathEnd:  # it cannot start with these
            continue
    return [list(states) for states in found]


def likely_samples(shown: Program, samples: list[list[Values]], setting: Setting, limits: Limits) -> list[list[Values]]:
    """The samples, and for heads without any those of a smaller program."""
    if all(samples):
        return samples
    others = samples_of(smaller(shown), len(samples), setting, limits)
    return [own or other for own, other in zip(samples, others, strict=True)]


def smaller(program: Program) -> Program:
    """The program with large numbers that it compares with, adds or begins with made small, in proportion."""
    functions = {}
    for name, function in program.functions.items():
        large = max((abs(number) for i in function.instructions() for number in _numbers(i)), default=0)
        blocks = function.blocks
        if large > _LARGE:
            blocks = tuple(
                replace(block, instructions=tuple(_shrunk(i, large) for i in block.instructions)) for block in blocks
            )
        functions[name] = replace(function, blocks=blocks)
    return replace(program, functions=functions)


def _numbers(i: ir.Instruction) -> Iterator[int]:
    if _is_scaled(i):
        yield from (number for value in operands(i) if (number := _large(value)) is not None)


def _is_scaled(i: ir.Instruction) -> bool:
    return isinstance(i, ir.Compare | ir.Phi) or (isinstance(i, ir.Binary) and i.op in ("add", "sub"))


def _large(value: Value) -> int | None:
    """The signed number that a value is, if it is a large one."""
    if not isinstance(value, ConstInt) or not isinstance(value.type, IntType):
        return None
    number = signed(value.value, value.type.width)
    return number if abs(number) > _LARGE else None


def _shrunk(i: ir.Instruction, large: int) -> ir.Instruction:
    def small(value: Value) -> Value:
        number = _large(value)
        if number is None:
            return value
        assert isinstance(value.type, IntType)
        return ConstInt(value.type, number * _SMALL // large % (1 << value.type.width))

    match i:
        case ir.Compare(left=left, right=right):
            return replace(i, left=small(left), right=small(right))
        case ir.Binary(left=left, right=right) if _is_scaled(i):
            return replace(i, left=small(left), right=small(right))
        case ir.Phi(incoming=incoming):
            return replace(i, incoming=tuple((small(value), source) for value, source in incoming))
    return i


def _inputs(limits: Limits) -> Iterator[list[InputValue]]:
    """Inputs of all runs: small, large, extreme, and mixtures; the same each time."""
    random = Randomness(0).stream("candidates")
    for number in range(limits.runs):
        yield [InputValue("", "long long", 64, _input(random, number)) for _ in range(limits.run_inputs)]


def _input(random: Random, number: int) -> int:
    match number % 7:
        case 0:
            return number // 7
        case 1:
            return random.randint(0, 1)
        case 2 | 3:
            return random.randint(0, 12)
        case 4:
            return random.randint(-40, 120)
        case 5:
            return random.choice(_EXTREME)
        case _:
            return random.choice((random.randint(0, 3), random.randint(0, 40), random.getrandbits(32)))
