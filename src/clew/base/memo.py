"""Methods whose answers are kept, so that each question is answered once."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

Object = TypeVar("Object")
Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")
Method = Callable[Concatenate[Object, Arguments], Answer]


def remembered(method: Method[Object, Arguments, Answer]) -> Method[Object, Arguments, Answer]:
    """A method that keeps its answers, by (hashable) arguments, in its object: which must not have ``__slots__``."""
    place = f"_answers_of_{method.__name__}"

    @wraps(method)
    def ask(self: Object, /, *arguments: Arguments.args, **named: Arguments.kwargs) -> Answer:
        answers: dict[Any, Answer] | None = self.__dict__.get(place)
        if answers is None:
            answers = self.__dict__[place] = {}
        question = (arguments, *named.items()) if named else arguments
        if question not in answers:
            answers[question] = method(self, *arguments, **named)
        return answers[question]

    return ask
