"""The engine against a plain interpreter, on control flow of every shape."""

from __future__ import annotations

from random import Random

import pytest

from clew.execute.policy import Finished
from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.sort import bv
from support.verifier import verify_program
from unit.execute.random_programs import MASK, random_program
from unit.execute.support import concrete, explore

INTERESTING = (0, 1, 3, 7, 8, 100, 101, 0x7FFFFFFF, 0x80000000, MASK)


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(40))
def test_concrete_runs_agree(seed: int) -> None:
    made = random_program(seed, fuel=40)
    program = made.program()
    random = Random(seed)
    for _ in range(4):
        first, second = random.choice(INTERESTING), random.getrandbits(32)
        outcome = concrete(program, first, second)
        assert outcome.end == "exit"
        assert outcome.exit_code == made.interpret(first, second) & 0xFF


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(24))
def test_paths_are_a_partition_and_end_as_the_interpreter_says(seed: int) -> None:
    """Resumes at edges, continuations and labels; siblings must not see each other's variables."""
    made = random_program(seed)
    paths: list[list[Expr]] = []

    def keep(path: Finished) -> None:
        paths.append(list(path.state.path))

    found = explore(made.program(), search="default", seed=seed, finished=keep)
    assert found.endings["exit"] == len(found.ways)
    for way in found.ways:
        first, second = (int(value) & MASK for value in way.inputs)
        assert way.code & MASK == made.interpret(first, second)
    symbols = [build.symbol(f"nondet_int@{place}", bv(32)) for place in range(2)]
    assert all(constraint.symbols <= set(symbols) for path in paths for constraint in path)
    random = Random(seed)
    for _ in range(20):
        chosen = [random.choice((*INTERESTING, random.getrandbits(32))) for _ in symbols]
        model = Model({s: v for s, v in zip(symbols, chosen, strict=True) if isinstance(s, Expr)})
        holding = [path for path in paths if all(model.eval(constraint) for constraint in path)]
        assert len(holding) == 1


def test_programs_are_well_formed() -> None:
    for seed in range(5):
        verify_program(random_program(seed).program())
