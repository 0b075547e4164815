"""Lemmas at the heads of loops against runs of the program: each must hold whenever control is there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from clew.analysis.mod_ref import ModRef
from clew.base.budget import Budget
from clew.describe.lemmas import LemmaDescriber
from clew.execute.context import RunOptions
from clew.execute.helpers import build_machine
from clew.execute.state import State
from clew.expr.evaluate import Model
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.jobs.reexecution import find_entry
from clew.models.registry import all_models
from clew.program.module import Program
from clew.report.values import InputValue
from clew.solver.chain import build_chain
from clew.solver.interface import SolverOptions
from clew.solver.stats import SolverStats
from clew.techniques.invariants.candidates.lemmas import Lemma, Lemmas, find_lemmas
from clew.techniques.invariants.candidates.opening import Probe, shown
from clew.techniques.invariants.candidates.runs import Effort, Setting, Values, explore, machine_of
from clew.techniques.invariants.find import find

FLAGS = ("-w", "-std=gnu11")
OPTIONS = RunOptions(any_undefined=True)


@dataclass(frozen=True)
class Compared:
    """What came out."""

    lemmas: int
    visits: int
    wrong: tuple[str, ...]


def compare(file: Path, runs: Iterable[Sequence[int]], steps: int = 1000, domain: str = "octagons") -> Compared:
    """Find the lemmas of a program, and run it with all inputs."""
    program = load([file], CompileOptions(flags=FLAGS), None)
    lemmas = lemmas_of(program, domain)
    return check(program, lemmas, runs, steps)


def lemmas_of(program: Program, domain: str = "octagons") -> Lemmas:
    """Those of a program that starts at ``main``."""
    machine = build_machine(program, all_models())
    effects = ModRef(machine.program, machine.callees)
    invariants = find(machine, "main", domain, effects=effects)
    if invariants is None:
        return Lemmas()
    return find_lemmas(effects, invariants, find_entry(program, None).start, OPTIONS, Budget(120))


def check(program: Program, lemmas: Lemmas, runs: Iterable[Sequence[int]], steps: int) -> Compared:
    """Run a program, and look at every lemma whenever control is at its head."""
    loops = [own for own in lemmas.found.values() if own]
    describer = LemmaDescriber(program)
    setting = Setting(
        find_entry(program, None).start, OPTIONS, build_chain(SolverOptions(), SolverStats()), Budget(600)
    )
    machine = machine_of(shown(program, [own[0].head for own in loops]))
    wrong: dict[Lemma, str] = {}
    visits = 0

    def probed(probe: Probe, state: State, values: Values) -> None:
        nonlocal visits
        visits += 1
        own = loops[probe.head]
        model = Model(own[0].head.mapping(tuple(state.model.eval(value) for value in values)))
        for lemma in own:
            if lemma not in wrong and not model.eval(lemma.condition):
                wrong[lemma] = f"{lemma.head.function} {lemma.head.header}: {describer.text(lemma)}, but {values}"

    for run in runs if loops else ():
        given = [InputValue("", "long long", 64, value) for value in run]
        explore(machine, setting, probed, Effort(steps), given=given)
    return Compared(sum(map(len, loops)), visits, tuple(wrong.values()))
