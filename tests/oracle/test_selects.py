"""Programs whose simple branches became selects do what they did before: concretely, and path by path."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.frontend.selects import convert
from clew.program.module import Program
from oracle import engine, enumerable, native
from oracle.generator import generate
from support.concrete import run_concrete
from support.verifier import verify_program
from unit.execute.support import explore

SEEDS = range(100, 112)
ENUMERABLE = (0, 4, 7, 12, 16, 20)


def converted(source: Path) -> Program:
    program = convert(load([source], CompileOptions(flags=engine.FLAGS), None))
    verify_program(program)
    again = convert(program)
    assert all(again.functions[name] is function for name, function in program.functions.items())
    return program


@pytest.mark.sample(12)
@pytest.mark.parametrize("seed", SEEDS)
def test_concrete_runs_agree_with_the_native_program(seed: int, tmp_path: Path) -> None:
    drawn = generate(seed)
    source = tmp_path / f"seed{seed}.c"
    source.write_text(drawn.source, encoding="utf-8")
    expected = native.run(native.build(source, drawn.inputs, tmp_path))
    actual = run_concrete(converted(source), [*drawn.inputs, *[0] * engine.SPARE])
    assert (actual.end, actual.exit_code, actual.stdout) == ("exit", expected.exit_code, expected.stdout), seed


@pytest.mark.sample(6)
@pytest.mark.parametrize("seed", ENUMERABLE)
def test_every_path_agrees_with_the_native_program(seed: int, tmp_path: Path) -> None:
    drawn = enumerable.generate(seed)
    everything = tmp_path / "native.c"
    everything.write_text(drawn.source + enumerable.HARNESS)
    outcome = native.run(native.build(everything, (), tmp_path))
    reached = {k for k in drawn.lines if outcome.stdout[k]}
    results = outcome.stdout[enumerable.CHECKPOINTS :]

    source = tmp_path / "explored.c"
    source.write_text(drawn.source.replace("void hit(int k);", "void hit(int k) {}") + enumerable.ENTRY)
    found = explore(converted(source))
    assert set(found.endings) == {"exit"}
    for way in found.ways:
        a, b = (int(value) for value in way.inputs)
        assert way.code == results[256 * a + b], f"seed {seed}, inputs {a}, {b}"
    covered = {line for file, line in found.run.coverage.lines if file.endswith(source.name)}
    assert {k for k, line in drawn.lines.items() if line in covered} == reached
