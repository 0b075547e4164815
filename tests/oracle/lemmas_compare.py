"""Lemmas at the heads of loops against runs of the program: each must hold whenever control is there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from clew.analysis.mod_ref import ModRef
from clew.base.budget import Budget
from clew.base.options import VerifyRequest
from clew.describe.lemmas import LemmaDescriber
from clew.execute.context import RunOptions
from clew.execute.ends import Dropped
from clew.execute.helpers import build_machine
from clew.execute.state import State
from clew.expr.evaluate import Model
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.jobs.ledger import Ledger
from clew.jobs.phases.acceleration_proof import AccelerationProof
from clew.jobs.phases.phase import Context
from clew.jobs.phases.settings import DEFAULT_CHECKS
from clew.jobs.prepare import load_checked
from clew.jobs.reexecution import execute, find_entry
from clew.models.registry import all_models
from clew.program.module import Program
from clew.report.listener import Listener
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
INSTRUCTIONS = 20_000


@dataclass(frozen=True)
class Compared:
    """What came out."""

    lemmas: int
    visits: int
    wrong: tuple[str, ...]


def compare(file: Path, runs: Iterable[Sequence[int]], most: int = 300, domain: str = "octagons") -> Compared:
    """Find the lemmas of a program, and run it with all inputs."""
    program = load([file], CompileOptions(flags=FLAGS), None)
    lemmas = lemmas_of(program, domain)
    return check(program, lemmas, runs, most)


def lemmas_of(program: Program, domain: str = "octagons") -> Lemmas:
    """Those of a program that starts at ``main``."""
    machine = build_machine(program, all_models())
    effects = ModRef(machine.program, machine.callees)
    invariants = find(machine, "main", domain, effects=effects)
    if invariants is None:
        return Lemmas()
    return find_lemmas(effects, invariants, find_entry(program, None).start, OPTIONS, Budget(120))


def check(program: Program, lemmas: Lemmas, runs: Iterable[Sequence[int]], most: int) -> Compared:
    """Run a program, and look at every lemma whenever control is at its head, up to so many times in each run."""
    loops = [own for own in lemmas.found.values() if own]
    describer = LemmaDescriber(program)
    setting = Setting(
        find_entry(program, None).start, OPTIONS, build_chain(SolverOptions(), SolverStats()), Budget(600)
    )
    machine = machine_of(shown(program, [own[0].head for own in loops]))
    wrong: dict[Lemma, str] = {}
    visits = last = 0

    def probed(probe: Probe, state: State, values: Values) -> None:
        nonlocal visits
        visits += 1
        if visits > last + most:
            raise Dropped
        own = loops[probe.head]
        model = Model(own[0].head.mapping(tuple(state.model.eval(value) for value in values)))
        for lemma in own:
            if lemma not in wrong and not model.eval(lemma.condition):
                wrong[lemma] = f"{lemma.head.function} {lemma.head.header}: {describer.text(lemma)}, but {values}"

    for run in runs if loops else ():
        last = visits
        given = [InputValue("", "long long", 64, value) for value in run]
        explore(machine, setting, probed, Effort(INSTRUCTIONS), given=given)
    return Compared(sum(map(len, loops)), visits, tuple(wrong.values()))


def proofs(file: Path, runs: Iterable[Sequence[int]]) -> tuple[int, tuple[str, ...]]:
    """How many assertions of a program are proved by invariants and lemmas; and those of them that a run violates."""
    request = VerifyRequest((file,), compiler_flags=FLAGS)
    budget = Budget(120)
    program = load_checked(request, Listener(), DEFAULT_CHECKS)
    ledger = Ledger(request, "verify", budget)
    AccelerationProof(Context(request, Listener(), budget, ledger, program)).run(budget, None)
    held = ledger.proved() - ledger.findings.confirmed()
    proved = {str(place) for kind, place in held if kind == "assert"}
    machine, entry = build_machine(program, all_models()), find_entry(program, None)
    wrong: dict[str, None] = {}
    for run in runs if proved else ():
        given = [InputValue("", "long long", 64, value) for value in run]
        outcome = execute(machine, entry, given, INSTRUCTIONS)
        if outcome.end == "bug" and outcome.kind == "assert" and str(outcome.location) in proved:
            wrong[f"{outcome.location}: proved, but violated"] = None
    return len(proved), tuple(wrong)
