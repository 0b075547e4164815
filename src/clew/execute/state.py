"""A state: one path through the program, so far.

Its ``model`` is an assignment of the inputs that satisfies its path condition: at a branch the model
decides, and the other side becomes a pending sibling. Forking is cheap: frames and expressions are
shared, memory is copied on write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from immutables import Map

from clew.execute.context import GivenInputs, RunContext
from clew.execute.extensions import Extension
from clew.execute.frame import Frame
from clew.execute.heap.facts import NO_HEAP
from clew.execute.history import ANSWERS, Following, PathPlace, PathStep, StepKind
from clew.execute.sites import CheckId, Decision
from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Bool, Expr, as_bool
from clew.memory.space import AddressSpace
from clew.solver.interface import Answer, Query, Result
from clew.solver.path import EMPTY_PATH, conjuncts

FORKS_PER_SLICE = 32
"""Forks after which a state hands control back to the engine: they take much longer than other steps."""

NO_EXTENSIONS: Mapping[type[Extension], Extension] = MappingProxyType({})
NO_SYMBOLS: frozenset[Expr] = frozenset()
Kept = TypeVar("Kept", bound=Extension)


def go_on(choice: Any) -> bool:
    """The step of states that nobody leads."""
    return False


def forget(value: Any) -> None:
    """The log of states that nobody follows."""


class InputRecord:
    """An input the path has read, newest first: a linked list that forked states share."""

    __slots__ = ("count", "made_up", "previous", "read")

    def __init__(self, previous: InputRecord | None, read: Any) -> None:
        self.previous = previous
        self.read = read
        self.count: int = previous.count + 1 if previous is not None else 1
        self.made_up: int = (previous.made_up if previous is not None else 0) + bool(read.made_up)
        """How many of them are made up."""


class State:
    """Everything that tells one path from another. ``run`` is what all paths of an exploration share."""

    __slots__ = (
        "choices", "constant_symbols", "covered_new", "decided", "decisions", "departure", "depth", "environment",
        "extensions", "following", "frame", "fresh", "generation", "heap", "history", "id", "inputs", "log", "memory",
        "model", "model_is_fixed", "output", "owner", "path", "result", "run", "slice", "step", "steps", "stop",
        "symbols",
    )  # fmt: skip

    def __init__(self, run: RunContext, memory: AddressSpace, model: Model) -> None:
        self.run = run
        self.id = run.next_state_id()
        self.memory = memory
        self.model = model
        self.path = EMPTY_PATH
        self.owner = object()
        self.frame: Frame | None = None
        self.result: Any = None
        """What the last function that returned gave back."""
        self.steps = 0
        """Instructions executed on this path."""
        self.slice = 0
        """Instructions a loop may run before it hands control back to the engine; -1 asks for that at once."""
        self.stop = 0
        """Number of steps at which calls hand control back."""
        self.depth = 0
        """Forks on this path."""
        self.generation = 0
        """How many decisions of the first run, of its siblings and so on were turned round to come to this path."""
        self.model_is_fixed = False
        """Its path admits inputs with which the program may do something else: its model stays what it is."""
        self.constant_symbols: frozenset[Expr] = NO_SYMBOLS
        """Symbols that the path gives numbers to, so that they have the same value for all its inputs."""
        self.extensions: Mapping[type[Extension], Extension] = NO_EXTENSIONS
        """What others than the engine keep with the path, by owner. Not changed in place: states share it."""
        self.fresh = run.coverage.fresh
        self.covered_new = False
        self.decided = 0
        """Symbolic branches on this path, those whose outcome was known included."""
        self.decisions: Decision | None = None
        self.choices = 0
        """Places on this path at which a sibling could be forked, whether there was one or not."""
        self.history: PathStep | None = None
        """What leads here, beside the program."""
        self.departure: PathPlace | None = None
        """Where the path was when somebody put it elsewhere: no history leads to where it is since."""
        self.following: Following | None = run.following
        """The history that the state is to follow, until that is used up."""
        self.inputs: InputRecord | None = None
        self.symbols = 0
        """How many symbols that are not inputs the path has made: names the next one."""
        self.heap = NO_HEAP
        """Which objects the function was given so far, and what is known about its pointers."""
        self.output: Output | None = None
        self.environment: Map[str, Any] = Map()
        """What models keep per path (positions in files, handlers of ``atexit``): immutable values by name."""
        self.step: Callable[[Any], bool] = go_on
        """Of traced code: told of every choice of a successor; True asks the state to stop on the way there."""
        self.log: Callable[[Any], None] = forget
        """Of traced code: told of every value that does not follow from others by arithmetic."""

    def fork(self, frame: Frame) -> State:
        """A sibling whose top frame is ``frame``, which takes another way from here."""
        self.depth += 1
        sibling = self.snapshot(frame)
        sibling.generation += 1
        if self.depth % FORKS_PER_SLICE == 0:
            self.slice, self.stop = -1, 0
        return sibling

    def snapshot(self, frame: Frame) -> State:
        """The same path in a second state, with top frame ``frame``.

        Owners change, so that both copy what they share before writing.
        """
        sibling = State.__new__(State)
        sibling.run = self.run
        sibling.id = self.run.next_state_id()
        sibling.memory = self.memory.fork()
        sibling.model = self.model
        sibling.path = self.path
        sibling.owner = frame.owner
        sibling.frame = frame
        sibling.result = self.result
        sibling.steps = self.steps
        sibling.slice = sibling.stop = 0
        sibling.depth = self.depth
        sibling.generation = self.generation
        sibling.model_is_fixed = self.model_is_fixed
        sibling.constant_symbols = self.constant_symbols
        sibling.extensions = self._for_sibling() if self.extensions else NO_EXTENSIONS
        sibling.fresh = self.fresh
        sibling.covered_new = False
        sibling.decided = self.decided
        sibling.decisions = self.decisions
        sibling.choices = self.choices
        sibling.history = self.history
        sibling.departure = self.departure
        sibling.following = self.following
        sibling.inputs = self.inputs
        sibling.symbols = self.symbols
        sibling.heap = self.heap
        sibling.output = self.output
        sibling.environment = self.environment
        sibling.step, sibling.log = go_on, forget
        self._disown()
        return sibling

    def become(self, other: State) -> None:
        """Go on as ``other``, a snapshot that nobody else has, does: its frames, memory, path and what belongs to them.

        Model, coverage, extensions and the instructions counted so far stay this state's.
        """
        self.frame, self.owner, self.memory = other.frame, other.owner, other.memory
        self.path, self.decided, self.decisions = other.path, other.decided, other.decisions
        self.inputs, self.symbols, self.environment = other.inputs, other.symbols, other.environment
        self.heap, self.model_is_fixed = other.heap, other.model_is_fixed
        self.choices, self.history, self.departure = other.choices, other.history, other.departure
        self.depart(other.steps)
        self.stop_tracking()

    # What leads here

    @property
    def place(self) -> PathPlace:
        """Where the state is now, or was before it was put elsewhere: a history leads there."""
        return self.departure or PathPlace(self.history, self.choices, self.steps, self.decisions)

    def depart(self, steps: int | None = None) -> None:
        """The state is put elsewhere than where its program would go, or is given a path that its decisions are not.

        ``steps``: the instructions up to here, if they are not its own.
        """
        if self.departure is None:
            steps = self.steps if steps is None else steps
            self.departure = PathPlace(self.history, self.choices, steps, self.decisions)

    def go_on_with(self, model: Model) -> None:
        """Have these inputs from now on, which somebody has found for the path."""
        self.model = model
        self.history = PathStep(self.history, StepKind.MODEL, 0, model.values)

    def known_errors(self, kinds: Iterable[str], frame: Frame, point: int) -> frozenset[str]:
        """Those of some kinds of errors that were reported for an instruction before this path came there."""
        self._leave_history()
        if self.following is not None:
            known = self.following.known()
        else:
            known = frozenset(kind for kind in kinds if self.run.is_reported(kind, frame, point))
        if known:
            self.history = PathStep(self.history, StepKind.KNOWN, self.choices, None, tuple(sorted(known)))
        return known

    def _leave_history(self) -> None:
        """A state that has come past the end of what it follows, which it does not see at once, is on its own."""
        following = self.following
        if following is not None and following.is_past(self.choices + 1) and not following.is_done:
            self.following = None

    # Extensions

    def extend(self, extension: Extension) -> None:
        """Keep a value for its owner, in place of what was kept for it."""
        self.extensions = {**self.extensions, type(extension): extension}

    def extension(self, owner: type[Kept]) -> Kept | None:
        """What is kept for an owner."""
        return self.extensions.get(owner)  # type: ignore[return-value]  # the class is the key

    def forget(self, owner: type[Extension]) -> None:
        """Keep nothing more for an owner."""
        if owner in self.extensions:
            self.extensions = {key: kept for key, kept in self.extensions.items() if key is not owner}

    def forget_all(self) -> None:
        """Make this a state about which nobody keeps anything."""
        self.extensions, self.constant_symbols = NO_EXTENSIONS, NO_SYMBOLS

    def stop_tracking(self) -> None:
        """What the path does from now on does not follow from what it was, or is not explored to its end."""
        for extension in self.extensions.values():
            extension.stop_tracking(self)

    @property
    def is_surplus(self) -> bool:
        """Whether some owner says that the path is of no use."""
        return any(extension.is_surplus for extension in self.extensions.values())

    @property
    def is_long(self) -> bool:
        """Whether some owner skips parts of the path."""
        return bool(self.extensions) and any(extension.is_long for extension in self.extensions.values())

    @property
    def drops_siblings(self) -> bool:
        """Whether some owner does not let siblings of the path be explored."""
        return any(extension.drops_siblings for extension in self.extensions.values())

    @property
    def supposes_no_errors(self) -> bool:
        """Whether some owner has no interest in errors of the path."""
        return any(extension.supposes_no_errors for extension in self.extensions.values())

    @property
    def input_hints(self) -> GivenInputs:
        """Values that inputs get which the path is about to read: those of the run, or of some owner."""
        hints = self.run.input_hints
        return hints or next((kept.input_hints for kept in self.extensions.values() if kept.input_hints), hints)

    @property
    def counts(self) -> bool:
        """Whether the path is to be counted when it ends."""
        return all(extension.counts for extension in self.extensions.values())

    def _for_sibling(self) -> Mapping[type[Extension], Extension]:
        given = ((owner, extension.for_sibling(self)) for owner, extension in self.extensions.items())
        return {owner: extension for owner, extension in given if extension is not None}

    # What the path says

    def implies(self, condition: Bool, check: CheckId | None = None, frame: Frame | None = None, at: int = 0) -> bool:
        """Whether the path condition states ``condition``, so that the path needs no sibling for its negation.

        That is an implied fact, and whoever listens to those is told. ``check``: the error that would show otherwise;
        ``frame`` and ``at``: the point where the path would go on otherwise.
        """
        if condition not in self.path:
            return False
        self._imply(condition, check, frame, at)
        return True

    def implies_all(self, condition: Bool) -> bool:
        """Whether the path condition states each part of a conjunction."""
        if not isinstance(condition, Expr):
            return condition
        return all(self.implies(part) for part in conjuncts(condition))

    def is_certain(
        self, condition: Expr, check: CheckId | None = None, frame: Frame | None = None, at: int = 0
    ) -> bool:
        """Whether a condition that holds with the model holds for all inputs of the path: it is stated, or constant."""
        if self.implies(condition, check, frame, at):
            return True
        if not self.is_constant(condition) or not self.model.eval(condition):
            return False
        self._imply(condition, check, frame, at)
        return True

    def is_refuted(self, condition: Expr, check: CheckId | None, frame: Frame, at: int) -> bool:
        """Whether a condition that the model does not meet is certain not to hold, as far as that shows at a glance."""
        negation = as_bool(build.lnot(condition))
        if self.is_certain(negation, check, frame, at):
            return True
        run = self.run
        if not run.solver.repeating and self.path.contradicts(condition):
            if run.edge_at(frame, at) not in run.refuted:
                return False  # the first one is queued: there is to be an answer that says why
            if run.events.implied_fact:
                self._imply(negation, check, frame, at, self.path.contradiction(condition))
            return True
        core = run.solver.refutation(self.path, condition)
        if core is not None:
            self._imply(negation, check, frame, at, core)
        return core is not None

    def is_constant(self, value: Expr) -> bool:
        """Whether a value is the same for all inputs of the path, since it is made of constant symbols."""
        return bool(self.constant_symbols) and value.symbols <= self.constant_symbols

    def constant_value(self, value: Any, width: int) -> Any:
        """A value, or the number that it is for all inputs of the path."""
        if not isinstance(value, Expr) or not self.is_constant(value):
            return value
        concrete = int(self.model.eval(value))
        self._imply(build.eq(value, concrete, width))
        return concrete

    def feasible(self, condition: Bool, check: CheckId | None = None) -> Result:
        """What the solver says of a condition on this path: if it cannot hold, its negation is an implied fact."""
        self._leave_history()
        if self.following is not None:
            result = self.following.answer()
        else:
            result = self.run.solver.feasible(self.path, condition, self.model)
        values = None if result.model is None else result.model.values
        self.history = PathStep(
            self.history, StepKind.ANSWER, ANSWERS.index(result.answer), values, result.reason or None
        )
        if result.answer is Answer.UNSAT:
            self._imply(build.lnot(condition), check, core=result.core)
        return result

    def _imply(
        self,
        fact: Bool,
        check: CheckId | None = None,
        frame: Frame | None = None,
        at: int = 0,
        core: Query | None = None,
    ) -> None:
        listeners = self.run.events.implied_fact
        if listeners and isinstance(fact, Expr):
            edge = self.run.edge_at(frame, at) if frame is not None else None
            for listener in listeners:
                listener(self, fact, check, edge, core)

    def length(self) -> int:
        """Instructions of the path so far, for the inputs of the model: those that were run, and those skipped."""
        return self.steps + sum(extension.skipped(self.model) for extension in self.extensions.values())

    def _disown(self) -> None:
        """The frames below are shared from now on. The running one stays this state's: siblings have a copy."""
        owner = object()
        assert self.frame is not None
        self.frame.owner = owner
        self.owner = owner


class Output:
    """What the path has printed, newest first."""

    __slots__ = ("previous", "text")

    def __init__(self, previous: Output | None, text: bytes) -> None:
        self.previous = previous
        self.text = text


def printed(output: Output | None) -> bytes:
    """All that was printed, in order."""
    parts = []
    while output is not None:
        parts.append(output.text)
        output = output.previous
    return b"".join(reversed(parts))
