"""States at the heads of loops from a few runs of the program: what no candidate may contradict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from clew.base.errors import PathEnd
from clew.base.randomness import Randomness
from clew.execute.ends import Dropped
from clew.execute.state import State
from clew.program.module import Program
from clew.report.values import InputValue
from clew.techniques.invariants.candidates.limits import Limits
from clew.techniques.invariants.candidates.opening import Probe
from clew.techniques.invariants.candidates.runs import Effort, Setting, Values, explore, machine_of

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
