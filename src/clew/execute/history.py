"""What a path has met that does not follow from the program: enough to walk it again, elsewhere, without a solver.

A path forks at numbered places (``State.choices``). Its history says at which of them it left the state that it was
forked from (TURN), with which inputs it went on there (MODEL), and what it was told on its way by others than the
program: answers of the solver, hints for inputs, errors that were known already. All else is the same in every process,
so a state that is given this history one by one (``Following``) comes to the same place, with the same path condition.
Histories with a common beginning are followed together, by one state up to where they part.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

from clew.base.dataclass import dataclass
from clew.base.errors import PathEnd
from clew.expr.evaluate import EMPTY_MODEL, Model
from clew.solver.interface import Answer, Result

ANSWERS = tuple(Answer)


class StepKind(IntEnum):
    """What a step of a history is."""

    TURN = 0
    """The path is the sibling that was forked at the choice of this ``number``."""
    MODEL = 1
    """From here on it has these inputs."""
    ANSWER = 2
    """The solver was asked something: ``number`` is the place of the answer in ``ANSWERS``."""
    HINT = 3
    """Somebody proposed a value for the input at the position ``number``."""
    KNOWN = 4
    """Errors of these kinds were reported before, so that others were looked for; ``number`` choices lay behind."""


class PathStep:
    """One step, newest first: a linked list that forked states share."""

    __slots__ = ("kind", "number", "packed", "previous", "value", "values")

    def __init__(
        self,
        previous: PathStep | None,
        kind: StepKind,
        number: int = 0,
        values: Mapping[Any, Any] | None = None,
        value: Any = None,
    ) -> None:
        self.previous = previous
        self.kind = kind
        self.number = number
        self.values = values
        """The inputs of a model, by symbol."""
        self.value = value
        """The value of a hint; kinds of errors; why the solver has no answer."""
        self.packed: bytes | None = None
        """For who writes steps down: what was written the first time."""


@dataclass(frozen=True, slots=True)
class PathPlace:
    """A place on a path, by what leads there."""

    history: PathStep | None
    choices: int
    steps: int
    """Instructions up to there."""
    decisions: Any


class Turned(PathEnd):
    """No end: nobody needs a state any more that follows histories, since all of them go on with siblings."""


class Diverged(PathEnd):
    """The program does something else than what a history tells: it is of another program, or of another version."""


class Junction:
    """A place that some histories have in common, which come to it in the same way.

    Some of them leave the path at a choice before the next ``step``; one may end before any other step is made.
    """

    __slots__ = ("choices", "end", "executed", "first", "step", "then", "turns")

    def __init__(self, first: int) -> None:
        self.first = first
        """One of the histories that come here, by number."""
        self.turns: dict[int, Junction] = {}
        """Where those go on that turn, by the number of the choice."""
        self.step: PathStep | None = None
        """What those meet next that do not."""
        self.then: Junction | None = None
        self.end: int | None = None
        """The history that ends here, by number."""
        self.choices = self.executed = 0
        """Choices and instructions of its path up to the end."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A sibling that histories go on with."""

    sibling: Any
    constraint: Any
    check: Any


class Following:
    """Histories that a state follows: all those that go on from a junction. Steps are used up one by one."""

    __slots__ = ("at", "turned")

    def __init__(self, at: Junction, turned: list[Turn]) -> None:
        """``turned``: where siblings are put that some of the histories go on with."""
        self.at = at
        self.turned = turned

    @property
    def is_over(self) -> bool:
        """Whether no step is left, and nobody turns any more."""
        return self.at.step is None and not self.at.turns

    @property
    def is_done(self) -> bool:
        """Whether no history goes on, or ends, with this state."""
        return self.is_over and self.at.end is None

    def is_past(self, choice: int) -> bool:
        """Whether a choice lies behind the end of the history that is left."""
        return self.is_over and choice > self.at.choices

    def is_at_end(self, choices: int, steps: int | None = None) -> bool:
        """Whether a state with so many choices and instructions behind it is where the history that is left ends; of a
        sibling that nobody has run, choices tell."""
        return self.is_over and choices >= self.at.choices and (steps is None or steps >= self.at.executed)

    def left(self, steps: int) -> int | None:
        """Instructions from here to the end of the history that goes on with this state in the end, if one does."""
        last = self.at
        while last.then is not None:
            last = last.then
        return None if last.end is None else last.executed - steps

    def turn(self, choice: int) -> Following | None:
        """What the sibling of a choice is to follow, if histories turn there."""
        there = self.at.turns.pop(choice, None)
        return None if there is None else Following(there, self.turned)

    def next(self, kind: StepKind, number: int | None = None) -> PathStep | None:
        """The next step, if it is of this kind (and has this number): then it is made."""
        step = self.at.step
        if step is None or step.kind is not kind or (number is not None and step.number != number):
            return None
        assert self.at.then is not None
        self.at = self.at.then
        return step

    def model(self) -> Model | None:
        """The inputs that the path goes on with, if it gets new ones here."""
        found: Model | None = None
        while (step := self.next(StepKind.MODEL)) is not None:
            found = Model(step.values)
        return found

    def answer(self) -> Result:
        """What the solver has answered; Diverged if it was not asked."""
        step = self.next(StepKind.ANSWER)
        if step is None:
            raise Diverged
        answer = ANSWERS[step.number]
        model = (Model(step.values) if step.values else EMPTY_MODEL) if answer is Answer.SAT else None
        return Result(answer, model, step.value or "", "history")

    def hint(self, position: int) -> Any:
        """The value that was proposed for an input; None if none was."""
        step = self.next(StepKind.HINT, position)
        return None if step is None else step.value

    def known(self) -> frozenset[str]:
        """The kinds of errors that were known."""
        step = self.next(StepKind.KNOWN)
        return frozenset() if step is None else frozenset(step.value)
