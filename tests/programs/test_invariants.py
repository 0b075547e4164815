"""C programs that invariants prove, and such as are hard on them.

``invariants/proofs/*.c`` state their verdicts in comments, as they stand and with macros defined:

    // verdict: TRUE          proved by ``clew verify``, by invariants, whatever the number of iterations
    // MUTANT: FALSE          with -DMUTANT: a counterexample, confirmed
    // WRAPS: not TRUE        with -DWRAPS: what holds for numbers does not hold where they wrap around

``invariants/lemmas/*.c`` do the same; they need lemmas beside, and the verdicts are those of that proof by itself.

``invariants/awkward/*.c`` are for ``clew invariants``, which has to do something sensible with each:

    // says: TEXT             part of what is printed
    // silent: TEXT           no part of it
    // domain: NAME           as --domain
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from clew.base.budget import Budget
from clew.base.options import VerifyRequest
from clew.cli.app import run
from clew.execute.helpers import build_machine
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.jobs.ledger import Ledger
from clew.jobs.phases.acceleration_proof import holding
from clew.jobs.phases.exhaustive import Exhaustive
from clew.jobs.phases.loop_facts import LoopFacts
from clew.jobs.phases.phase import Context
from clew.jobs.phases.settings import DEFAULT_CHECKS
from clew.jobs.prepare import load_checked
from clew.jobs.verify import run_verify
from clew.models.registry import all_models
from clew.program import instructions as ir
from clew.program.values import GlobalRef
from clew.report.listener import Listener
from clew.report.records import Summary
from clew.techniques.invariants.find import find
from clew.techniques.invariants.induction.loop_opening import open_loops
from targets import target_for

HERE = Path(__file__).resolve().parent / "invariants"
PROOFS = sorted(path.stem for path in (HERE / "proofs").glob("*.c"))
LEMMAS = sorted(path.stem for path in (HERE / "lemmas").glob("*.c"))
AWKWARD = sorted(path.stem for path in (HERE / "awkward").glob("*.c"))
LONG = {"division", "queue"}
"""Programs that take many seconds."""
DIRECTIVE = re.compile(r"^// (?P<key>\w+): *(?P<value>.*?)\s*$", re.MULTILINE)
SECONDS = 600.0
"""For what takes a few."""


def programs(names: list[str]) -> pytest.MarkDecorator:
    """A parameter set for each; those that take long are for thorough runs."""
    return pytest.mark.parametrize(
        "name", [pytest.param(name, marks=pytest.mark.thorough) if name in LONG else name for name in names]
    )


def directives(path: Path) -> Iterator[tuple[str, str]]:
    for found in DIRECTIVE.finditer(path.read_text(encoding="utf-8")):
        yield found["key"], found["value"]


def verified(name: str, *flags: str) -> Summary:
    path = HERE / "proofs" / f"{name}.c"
    request = VerifyRequest((path,), seconds=SECONDS, compiler_flags=("-w", *flags), target=target_for(path.name))
    return run_verify(request, Listener())


def proved(name: str, *flags: str) -> list[bool]:
    """Of each assertion: whether invariants alone say that it cannot fail."""
    path = HERE / "proofs" / f"{name}.c"
    program = load([path], CompileOptions(("-w", "-std=gnu11", *flags), target_for(path.name)), None)
    found = find(build_machine(program, all_models()), "main")
    assert found is not None
    return [
        found.is_dead(function.name, block.name, index)
        for function in program.functions.values()
        for block in function.blocks
        for index, instruction in enumerate(block.instructions)
        if isinstance(instruction, ir.Call) and instruction.callee == GlobalRef("__assert_fail")
    ]


def all_proved(name: str, *flags: str) -> bool:
    """Whether lemmas prove all assertions of a program, with its loops opened."""
    path = HERE / "lemmas" / f"{name}.c"
    budget = Budget(SECONDS)
    request = VerifyRequest((path,), seconds=SECONDS, compiler_flags=("-w", *flags), target=target_for(path.name))
    program = load_checked(request, Listener(), DEFAULT_CHECKS)
    context = Context(request, Listener(), budget, Ledger(request, "verify", budget), program)
    facts = LoopFacts(context)
    found = facts.invariants(budget)
    assert found is not None
    opened = open_loops(facts.effects, found, 1, facts.lemmas(found, budget))
    decided = Exhaustive(replace(context, program=opened.program))
    decided.run(budget, None)
    wanted = {item.key for item in decided.properties if item.kind == "assert"}
    return wanted <= holding(decided.properties, context.ledger, context.ledger.findings.seen())


def test_there_are_enough() -> None:
    """Ten with linear invariants over unbounded input, each with a mutant; most with a variant that wraps around."""
    told = [dict(directives(HERE / "proofs" / f"{name}.c")) for name in PROOFS]
    assert all(comments["verdict"] == "TRUE" and comments["MUTANT"] == "FALSE" for comments in told)
    assert len(told) >= 12 and sum(comments.get("WRAPS") == "not TRUE" for comments in told) >= 10


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", LEMMAS)
def test_lemmas_prove_programs_and_not_their_mutants(name: str) -> None:
    assert all_proved(name)
    assert not all_proved(name, "-DMUTANT")


@pytest.mark.sample(3)
@programs(PROOFS)
def test_whatever_the_number_of_iterations(name: str) -> None:
    assert all(proved(name))
    summary = verified(name)
    assert summary.verdict == "TRUE", summary.reason


@pytest.mark.sample(3)
@programs(PROOFS)
def test_mutants_have_a_counterexample(name: str) -> None:
    assert not all(proved(name, "-DMUTANT"))
    summary = verified(name, "-DMUTANT")
    assert summary.verdict == "FALSE", summary.reason
    assert summary.bugs and all(bug.confirmed for bug in summary.bugs)


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "name", [name for name in PROOFS if "WRAPS" in dict(directives(HERE / "proofs" / f"{name}.c"))]
)
def test_what_wraps_around_is_not_proved(name: str) -> None:
    assert not all(proved(name, "-DWRAPS"))


@pytest.mark.sample(2)
@programs(AWKWARD)
def test_awkward_programs(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = HERE / "awkward" / f"{name}.c"
    comments = list(directives(path))
    options = [word for key, value in comments if key == "domain" for word in ("--domain", value)]
    assert run(["invariants", *options, "--target", target_for(path.name), str(path), "-w"]) == 0
    shown = capsys.readouterr()
    assert "Traceback" not in shown.out + shown.err
    for key, value in comments:
        if key == "says":
            assert value in shown.out
        elif key == "silent":
            assert value not in shown.out
