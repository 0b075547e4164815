"""Requests: what the command line (or a Python caller) asks a job to do, as plain typed data.

A new option is one field here: the command line is made from the fields, see ``base.option``. A request checks itself
as far as that needs no other layer; ``jobs`` read it.
"""

from __future__ import annotations

import os
from dataclasses import field, replace
from pathlib import Path
from typing import ClassVar, Literal

from clew.base import option_values as values
from clew.base.budget import Budget, Interrupt, default_memory_mb, positive
from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.base.option import Group, option, options_of, validate
from clew.base.property_file import PropertyFile, read_property
from clew.base.recipe import Recipe
from clew.base.specification import Promise, call_text, parse_function

GOALS = ("branch", "error", "context", "path")
"""Of ``clew test``, from what leaves out most to what leaves out nothing; each covers what the ones before it cover."""
DATA_MODELS = ("ILP32", "LP64")
ENGINES = ("auto", "interpreter", "native")
FRAMEWORKS = ("plain", "ctest", "unity", "check", "gtest")
"""Forms of the tests that ``--emit`` writes."""
LOOP_SOURCES = ("ir", "dynamic")
"""Where summaries have the loops of a program from: its code, or the blocks that a run went through."""


@dataclass(frozen=True, slots=True)
class StartValue:
    """One concrete input of the first run: by ``name``, or in call order when that is None."""

    name: str | None
    value: int | float | bytes


def _start_values(texts: tuple[str, ...]) -> tuple[StartValue, ...]:
    return tuple(StartValue(name, value) for text in texts for name, value in values.parse_start(text))


@dataclass(frozen=True, slots=True)
class Request:
    """What every command that runs a program is asked: which program, its inputs, the checks, the budget."""

    GROUPS: ClassVar[tuple[Group, ...]] = tuple(Group)
    """Those whose options the command has, in the order of ``--help``."""

    files: tuple[Path, ...]
    function: str | None = option(
        None, "Run this function instead of main, its parameters as said, or symbolic: 'f(s: string[8], n: len(s))'.",
        Group.ENTRY, metavar="NAME[(...)]", parse=parse_function, sets=("function", "promises"),
    )  # fmt: skip
    """Entry given with --function; None means ``main``, run as a program."""
    promises: tuple[Promise, ...] = ()
    """What is said of its parameters."""
    seconds: float | None = option(
        None, "Stop after this much wall time; inf for no limit.", Group.TIME, "--time",
        type=float, metavar="SECONDS", given=60.0, parse=values.time_limit, check=positive,
    )  # fmt: skip
    memory_mb: float | None = option(
        None, "Keep the process below this size (default: 80% of what is free).", Group.BUDGET, "--memory",
        type=float, metavar="MB", check=positive,
    )  # fmt: skip
    max_instructions: int | None = option(
        None, "Stop after executing N instructions.", Group.BUDGET, type=int, metavar="N", check=positive
    )
    jobs: int = option(
        1, "Processes at work at once, if it takes more than a moment; auto: one per core.", Group.BUDGET,
        metavar="N|auto", given="auto", parse=values.processes, check=positive,
    )  # fmt: skip
    """Most processes that take part."""
    array_length: int | None = option(
        None,
        "Elements behind a pointer of --function (1).",
        Group.INPUTS,
        type=int,
        metavar="N",
        check=values.at_least(0),
    )
    """None leaves the choice to the harness."""
    no_alias: bool = option(False, "Pointers of --function never point to the same object.", Group.INPUTS)
    no_null: bool = option(False, "Pointers of --function are never null.", Group.INPUTS)
    guess: bool = option(
        False, "Callers of --function do what most do: pass strings that end, lengths that are true.", Group.INPUTS
    )
    """Whether ``char *`` is a string, a pointer before a number called ``n`` or the like an array of so many
    elements, and a null pointer that the function does not ask for a possible bug."""
    own_objects: bool = False
    """Whether pointers are taken to lead to objects of their own, unless the function compares them: with ``guess``."""
    depth: int | None = option(
        None, "Pointers of --function behind more than N pointers are null.", Group.INPUTS,
        type=int, metavar="N", check=values.at_least(0),
    )  # fmt: skip
    specification: PropertyFile | None = option(
        None, "What this property file of SV-COMP or Test-Comp (FILE.prp) asks for.", Group.CHECKS, "--property",
        metavar="FILE", parse=read_property, sets=("specification", "checks"),
    )  # fmt: skip
    """The competition's question, whose checks are then those of the request."""
    checks: tuple[str, ...] | None = option(
        None, "Errors to look for: assert, memory, overflow, div, ... (default: all).", Group.CHECKS, "--check",
        metavar="LIST", parse=values.some_names,
    )  # fmt: skip
    """None means the default set."""
    baseline: Path | None = option(  # ruff does not know that paths are immutable
        None, "Tell only bugs that are not in this summary.json, results.sarif or output folder.", Group.JUDGEMENT,
        metavar="FILE", parse=Path,
    )  # fmt: skip
    """The results of an earlier run: bugs that it has are known."""
    fail_on: tuple[str, ...] | None = option(
        None, "Exit code 1 for these bugs only, else 0: kinds, any, new, possible, none; unknown keeps code 3.",
        Group.JUDGEMENT, metavar="LIST", parse=values.some_names, check=values.failing,
    )  # fmt: skip
    """What makes a run fail; None: what the command's contract says, and only new bugs where there is a baseline."""
    stdin: int | None = option(
        None, "Up to N symbolic bytes of standard input (default: what is read).", Group.INPUTS,
        type=int, metavar="N", check=values.input_size,
    )  # fmt: skip
    """None makes it like any file that the program reads."""
    input_size: int | None = option(
        None, "Up to N symbolic bytes for LLVMFuzzerTestOneInput, where a program has that and no main (64).",
        Group.INPUTS, type=int, metavar="N", check=values.input_size,
    )  # fmt: skip
    """None leaves it to ``stdin``."""
    malloc_may_fail: bool = option(
        False, "malloc and its relatives may return null (default: they never do).", Group.INPUTS
    )
    """Of functions that allocate memory: an input for each call says which of them return null."""
    args: tuple[bytes | int, ...] = option(
        (), "Arguments of the program, as -v,@8: words, and @N for up to N symbolic bytes.", Group.INPUTS,
        metavar="SPEC", parse=values.parse_arguments,
    )  # fmt: skip
    """Known words; a number stands for a symbolic string of at most so many bytes."""
    seed: int = option(0, "Seed of everything random.", Group.ENGINE, type=int, metavar="N")
    compiler_flags: tuple[str, ...] = ()
    """Those that say what the code means; where files have recipes, they come after those of the recipes."""
    build: Path | None = option(
        None, "A build folder: compile files, or those of a target, as its compile_commands.json says.", Group.COMPILER,
        "-p", metavar="DIR", parse=Path,
    )  # fmt: skip
    recipes: tuple[Recipe | None, ...] = ()
    """For each file, how its build compiles it, where that is known; empty if none has one."""
    named: tuple[str, ...] = ()
    """The words of the command line that ``files`` stand behind: a program, a library, ``-p`` and files of a build."""
    notes: tuple[str, ...] = ()
    """What is to be said of the files before they are compiled."""
    program: str = "program"
    """What the program is called that the files make: its ``argv[0]``."""
    apart: bool = False
    """The files are all those of a folder or build, and need not be one program: see ``CompileOptions``."""
    target: str | None = option(
        None, "Compile for this target (default: the host's).", Group.COMPILER, metavar="TRIPLE"
    )
    data_model: str | None = option(None, "Compile for x86 or x86_64, as SV-COMP.", Group.COMPILER, choices=DATA_MODELS)
    clang: str | None = option(
        None, "Use this Clang instead of the one that comes with Clew.", Group.COMPILER, metavar="PATH"
    )
    validate: bool = option(False, "Let the engine re-check its own answers (slow).", Group.ENGINE)
    verbose: bool = option(False, "Say everything; tracebacks of internal errors, too.", Group.DISPLAY)
    interrupt: Interrupt = field(default_factory=Interrupt)
    began: float | None = field(default=None, compare=False)
    """When the command began, by ``time.monotonic``: its time counts from there. None: from the first budget."""

    def __post_init__(self) -> None:
        if not self.files:
            raise UserError("no input file: name one or more .c, .ll or .bc files")
        validate(self)
        if self.data_model is not None and self.target is not None:
            raise UserError("--target and --data-model both choose the target: give one of them")
        if self.specification is not None and self.checks != (self.specification.checks or None):
            raise UserError("--property and --check both say what to look for: give one of them")
        if self.specification is not None and self.function is not None:
            raise UserError("--property is about programs that start at main: leave out --function")
        if self.fail_on is not None and "new" in self.fail_on and self.baseline is None:
            raise UserError("--fail-on new needs to know what is old: add --baseline")
        if self.stdin is not None and self.input_size is not None:
            raise UserError("--stdin and --input-size are the same for a fuzzer's entry: give one of them")
        if self.args and self.function is not None:
            raise UserError("--args are for a program that starts at main: leave out --function, or --args")

    @property
    def argv(self) -> tuple[bytes | int, ...]:
        """What a program is started with: its name, and its arguments."""
        return (os.fsencode(self.program), *self.args)

    @property
    def entry_text(self) -> str | None:
        """What to give to ``--function`` to ask for the same entry; None for ``main``."""
        return None if self.function is None else call_text(self.function, self.promises)

    def inputs_asked_for(self) -> list[str]:
        """Files and options of the command line that say which inputs are meant, for people who want the same again."""
        words = [*self.named] or [str(file) for file in self.files]
        if self.entry_text is not None:
            words += ["--function", self.entry_text]
        for name, declared in options_of(type(self)).items():
            value = getattr(self, name)
            if declared.group is Group.INPUTS and value != declared.default and isinstance(value, int):
                words += [declared.flag] if declared.is_flag else [declared.flag, str(value)]
        return words

    def input_settings(self) -> dict[str, int | None]:
        """Values of the options that say which inputs there are, by field, where these are numbers or flags."""
        names = [name for name, declared in options_of(type(self)).items() if declared.group is Group.INPUTS]
        found = {name: getattr(self, name) for name in (*names, "own_objects", "apart")}
        return {name: value for name, value in found.items() if value is None or isinstance(value, int)}

    def budget(self) -> Budget:
        """A budget whose clock starts now, or when the command began, and that listens to the request's interrupt.

        Without a memory limit the machine's is taken: a run that the system kills has lost its results.
        """
        memory_mb = self.memory_mb if self.memory_mb is not None else default_memory_mb()
        return Budget(self.seconds, memory_mb, self.max_instructions, self.interrupt, self.began)


@dataclass(frozen=True, slots=True)
class TestRequest(Request):
    """Everything ``clew test`` was asked for."""

    __test__ = False  # pytest must not take this class for a test case

    guess: bool = option(True, "Callers may do anything: strings need not end, lengths need not be true.", Group.INPUTS)
    goal: str = option(
        "error", "Not to be missed: branches; errors, too; both in every state; paths, a test each.", Group.OWN,
        choices=GOALS,
    )  # fmt: skip
    """What must not be missed: ``branch``, every outcome of a branch; ``error``, every error, too; ``context``, both in
    every state a place is reached in; ``path``, every path, and a test for each."""
    merge: bool = option(True, "Explore every path: do not cut those that can show nothing new.", Group.OWN)
    """Whether to cut paths that can show nothing new, as far as the goal allows; otherwise every path is explored."""
    search: str | None = option(
        None, "Which pending path to run next: dfs, bfs, random-path, coverage, ...", Group.OWN,
        metavar="NAME", parse=values.some_name,
    )  # fmt: skip
    start: tuple[StartValue, ...] = option(
        (), "Inputs of the first run, by name or in order.", Group.OWN,
        metavar="NAME=VALUE,...", parse=_start_values, multiple=True,
    )  # fmt: skip
    seeds: Path | None = option(  # ruff does not know that paths are immutable
        None, "Start from the tests or inputs in the files of this folder.", Group.OWN, metavar="DIR", parse=Path
    )
    """A folder of tests (of Clew or of KLEE) or of plain inputs, each of which becomes one of the first paths."""
    engine: str = option(
        "auto", "Mutate inputs of the compiled program, shut in: when it pays; at once (native); never.", Group.OWN,
        choices=ENGINES,
    )  # fmt: skip
    """What runs the program beside the interpreter: native mutation, when exploration is stuck (``auto``), at once
    (``native``), or nothing."""
    cluster: str | None = option(
        None, "Explore on a Ray cluster: that of this machine, or the one at HOST:PORT.", Group.BUDGET,
        metavar="auto|ADDRESS", check=values.cluster_address,
    )  # fmt: skip
    """None: on this machine, by ``jobs`` processes."""
    workers: int | None = option(
        None, "Workers of --cluster (default: one for each of its cores).", Group.BUDGET,
        type=int, metavar="N", check=positive,
    )  # fmt: skip
    emit: str | None = option(
        None, "Also write the tests of --function as C that people keep, for this test framework.", Group.OWN,
        choices=FRAMEWORKS,
    )  # fmt: skip
    loop_bound: int | Literal["auto"] | None = option(
        None, "At most N passes through each loop on a path; auto: as many as branches need.", Group.OWN,
        metavar="N|auto", parse=values.number_or("--loop-bound", "auto", "auto"), check=values.bound_or("auto"),
    )  # fmt: skip
    """At most this many passes through each loop on a path; ``auto``: each loop has a bound of its own, the iterations
    that branches need, by invariants; None means no bound."""
    summarize: bool = option(True, "Run loops as they are: do not generalize them to all counts.", Group.OWN)
    """Whether to generalize executions of loops to all iteration counts."""
    accelerate: bool = option(True, "Run every iteration of loops that depend on no input.", Group.OWN)
    """Whether to jump over iterations of long loops over plain numbers, where it is known where they lead."""
    loops: str = option(
        "ir", "What summaries take for a loop: from the code, or from what a run goes through.", Group.OWN,
        choices=LOOP_SOURCES,
    )  # fmt: skip
    invariants: bool = option(True, "Do not derive inputs and dead branches from linear invariants.", Group.OWN)
    """Whether to look for inputs of uncovered branches, and for dead ones, with linear invariants."""
    navigate: bool = option(True, "Do not search for branches below loops that stay uncovered.", Group.OWN)
    """Whether to look for branches below loops that stay uncovered, with chains and counters."""

    def __post_init__(self) -> None:
        Request.__post_init__(self)  # not super(): a class with slots is made anew, after this body was compiled
        if self.emit is not None and self.function is None:
            raise UserError("--emit writes unit tests of one function: name it with --function")
        if self.workers is not None and self.cluster is None:
            raise UserError(
                "--workers are those of a cluster: add --cluster, or say --jobs for processes of this machine"
            )
        if self.cluster is not None and self.max_instructions is not None:
            raise UserError("--max-instructions is for one process: leave out --cluster")


@dataclass(frozen=True, slots=True)
class ProjectRequest(TestRequest):
    """Everything ``clew project`` was asked for; ``seconds`` are those of all functions together."""

    function: str | None = None
    own_objects: bool = True
    jobs: int = 1
    """Of the run of each function."""
    cluster: str | None = None
    workers: int | None = None
    specification: PropertyFile | None = None
    since: str | None = option(
        None, "Only functions that run code changed since this revision of git.", Group.OWN, metavar="REVISION"
    )
    only: str | None = option(None, "Only functions whose names match this pattern.", Group.OWN, metavar="GLOB")

    def __post_init__(self) -> None:
        Request.__post_init__(self)


_DESCRIBING = (Group.TARGET, Group.ENTRY, Group.OWN, Group.TIME, Group.COMPILER, Group.RESULTS, Group.DISPLAY)
"""Groups of commands that describe a program and do not explore it."""


@dataclass(frozen=True, slots=True)
class LoopsRequest(Request):
    """Everything ``clew loops`` was asked for; ``function`` names the only one whose loops are described."""

    GROUPS: ClassVar[tuple[Group, ...]] = _DESCRIBING

    function: str | None = option(None, "Only the loops of this function.", Group.ENTRY, metavar="NAME")
    verbose: bool = option(False, "Tracebacks of internal errors.", Group.DISPLAY)
    run: bool = option(True, "Do not run the program to see which loops can be summarized.", Group.OWN)
    """Whether to run the program for a moment, to see which loops can be summarized."""


@dataclass(frozen=True, slots=True)
class InvariantsRequest(Request):
    """Everything ``clew invariants`` was asked for; ``function`` names one to start at instead of ``main``."""

    GROUPS: ClassVar[tuple[Group, ...]] = _DESCRIBING

    function: str | None = option(
        None, "Start at this function, with any parameters, instead of main.", Group.ENTRY, metavar="NAME"
    )
    verbose: bool = option(False, "Tracebacks of internal errors.", Group.DISPLAY)
    domain: str = option("polyhedra", "What invariants are made of, unless that costs too much.", Group.TARGET)
    """The name of an abstract domain."""


@dataclass(frozen=True, slots=True)
class VerdictRequest(Request):
    """What commands are asked that answer with a verdict: they need not see every path for itself."""

    keep_branches: bool = option(False, "Leave branches that only compute values as they are.", Group.VERDICT)
    """Otherwise one instruction takes the place of each."""
    engine: str = option(
        "auto", "Mutate inputs of the compiled program, shut in: when it pays; at once (native); never.", Group.VERDICT,
        choices=ENGINES,
    )  # fmt: skip
    """What looks for violations, or a way to the target, beside the interpreter: native runs, when a run takes longer
    (``auto``), from the start on (``native``), or nothing."""


@dataclass(frozen=True, slots=True)
class VerifyRequest(VerdictRequest):
    """Everything ``clew verify`` was asked for."""

    checks: tuple[str, ...] | None = option(
        None, "Errors to look for: assert, memory, overflow, div, ..., all (default: assert).", Group.CHECKS, "--check",
        metavar="LIST", parse=values.some_names,
    )  # fmt: skip
    strategy: str = option(
        "auto", "One technique alone; auto: all of them by turns.", Group.OWN,
        choices=(
            "auto", "acceleration", "cells", "conflicts", "contracts", "induction", "merging", "numbers", "plain",
            "summaries",
        ),
    )  # fmt: skip
    """``plain``: run every path; ``merging``, ``summaries``: but for those that can show nothing new, or with loops
    summarized; ``acceleration``: with loops replaced by closures and invariants; ``cells``: by one cell of all arrays;
    ``numbers``: any in the place of those that are read; ``conflicts``: learn from paths that cannot fail;
    ``contracts``: of recursive functions; ``induction``: no error follows k rounds of a loop without one; ``auto``: all
    of them by turns."""
    decide: str = option(
        "learn:10", "How conflicts decides: blackbox, guide, learn, or learn:K (clauses up to K literals).", Group.OWN,
        metavar="HOW", check=values.way_to_decide,
    )  # fmt: skip
    """How ``conflicts`` decides: ``blackbox``, ``guide``, or ``learn`` with the largest clause it keeps."""
    unroll: int | None = option(
        None, "At most N passes through each loop, or as many as it takes.", Group.OWN,
        metavar="N|dynamic", given="dynamic", parse=values.number_or("--unroll", "dynamic", None), check=positive,
    )  # fmt: skip
    """At most this many passes through each loop; None means as many as it takes."""
    invariants: bool = option(True, "Do not let linear invariants of loops prove anything.", Group.OWN)
    """Whether linear invariants may prove what holds, and stand for the rest of unrolled loops."""
    witness: Path | None = option(
        None, "Check this correctness witness: its invariants, and that they are enough.", Group.OWN,
        metavar="FILE", parse=Path,
    )  # fmt: skip
    """A witness of SV-COMP (format 2.0) whose invariants must hold as well."""

    def __post_init__(self) -> None:
        Request.__post_init__(self)  # not super(): a class with slots is made anew, after this body was compiled
        if self.specification is not None and self.specification.coverage:
            raise UserError(f"{self.specification.name} asks for tests: use 'clew test'")
        if self.malloc_may_fail and self.strategy not in ("auto", "plain"):
            raise UserError("--malloc-may-fail needs every path to be run: leave out --strategy, or make it plain")


@dataclass(frozen=True, slots=True)
class ReachRequest(VerdictRequest):
    """Everything ``clew reach`` was asked for: one target, given in one of three ways."""

    GROUPS: ClassVar[tuple[Group, ...]] = tuple(
        group for group in Group if group not in (Group.CHECKS, Group.JUDGEMENT)
    )

    line: int | None = option(
        None, "The target: code of this line.", Group.TARGET,
        metavar="[FILE:]N", parse=values.file_and_line, sets=("file", "line"), check=values.at_least(1),
    )  # fmt: skip
    file: str | None = None
    """The file of ``line``; None where that is clear."""
    label: str | None = option(None, "The target: a label of C.", Group.TARGET, metavar="NAME")
    call: str | None = option(
        None, "The target: a function, or the calls of one that is not defined.", Group.TARGET, metavar="NAME"
    )
    """A function: its first instruction, or the calls of it if the program does not define it."""
    strategy: str = option(
        "auto", "One technique alone; auto: all of them by turns.", Group.OWN,
        choices=("auto", "chains", "merging", "plain"),
    )  # fmt: skip
    """``plain``: run paths, those closest to the target first; ``merging``: all but those that can show nothing new;
    ``chains``: navigate loops; ``auto``: all of them by turns."""

    def __post_init__(self) -> None:
        Request.__post_init__(self)
        if sum(target is not None for target in (self.line, self.label, self.call)) != 1:
            raise UserError("name one target: --line [FILE:]N, --label NAME or --call NAME")
        if self.malloc_may_fail and self.strategy not in ("auto", "plain"):
            raise UserError("--malloc-may-fail needs every path to be run: leave out --strategy, or make it plain")


@dataclass(frozen=True, slots=True)
class ResumeRequest:
    """Everything ``clew resume`` was asked for; what is not said is as it was for the run."""

    GROUPS: ClassVar[tuple[Group, ...]] = (Group.TIME, Group.BUDGET, Group.RESULTS, Group.DISPLAY)

    folder: Path
    seconds: float | None = option(
        None, "Stop after this much more wall time (default: as much as the run had); inf for no limit.", Group.TIME,
        "--time", type=float, metavar="SECONDS",
    )  # fmt: skip
    memory_mb: float | None = option(
        None, "Keep the process below this size.", Group.BUDGET, "--memory", type=float, metavar="MB", check=positive
    )
    max_instructions: int | None = option(
        None, "Stop after executing N more instructions.", Group.BUDGET, type=int, metavar="N", check=positive
    )
    jobs: int | None = option(
        None, "Processes that explore, if it takes more than a moment; auto: one per core.", Group.BUDGET,
        metavar="N|auto", parse=values.processes, check=positive,
    )  # fmt: skip
    cluster: str | None = option(
        None, "Explore on this Ray cluster; with --jobs alone, on none.", Group.BUDGET,
        metavar="auto|ADDRESS", check=values.cluster_address,
    )  # fmt: skip
    workers: int | None = option(None, "Workers of the cluster.", Group.BUDGET, type=int, metavar="N", check=positive)
    verbose: bool = option(False, "Say everything; tracebacks of internal errors, too.", Group.DISPLAY)

    def __post_init__(self) -> None:
        validate(self)

    def applied(self, request: TestRequest, began: float) -> TestRequest:
        """What a run was asked for, to be gone on with."""
        seconds = request.seconds if self.seconds is None else values.time_limit(self.seconds)
        here = self.jobs is not None and self.cluster is None
        return replace(
            request,
            seconds=seconds,
            memory_mb=request.memory_mb if self.memory_mb is None else self.memory_mb,
            max_instructions=self.max_instructions or request.max_instructions,
            jobs=self.jobs or request.jobs,
            cluster=None if here else self.cluster or request.cluster,
            workers=None if here else self.workers or request.workers,
            verbose=self.verbose,
            interrupt=Interrupt(),
            began=began,
        )


@dataclass(frozen=True, slots=True)
class ReplayRequest:
    """Everything ``clew replay`` was asked for."""

    GROUPS: ClassVar[tuple[Group, ...]] = (
        Group.TIME, Group.BUDGET, Group.COMPILER, Group.OWN, Group.RESULTS, Group.DISPLAY,
    )  # fmt: skip

    folder: Path
    seconds: float = option(10.0, "Per test.", Group.TIME, "--time", type=float, metavar="SECONDS", check=positive)
    memory_mb: int = option(1024, "Per test.", Group.BUDGET, "--memory", type=int, metavar="MB", check=positive)
    """All processes of a test together, with what the sanitizers need."""
    file_mb: int = 16
    """The largest file."""
    disk_mb: int = 64
    """All files of a test together."""
    processes: int = 32
    compiler: str | None = option(
        None, "Compile with this C compiler instead of the best one found.", Group.COMPILER, "--cc", metavar="PATH"
    )
    uncontained: bool = option(False, "Run tests even where this system cannot keep them from doing harm.", Group.OWN)
    without: tuple[str, ...] = ()
    """Mechanisms to do without, as if the system lacked them: namespaces, landlock, seccomp, root."""
    interrupt: Interrupt = field(default_factory=Interrupt)

    def __post_init__(self) -> None:
        validate(self)
