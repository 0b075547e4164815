"""What a failure rests on: values that nobody defines, and that the engine has made up.

An input may be *made up* (``InputRead.made_up``): no program reads it, it stands for the result of a function that
nobody defines, say. A failure on a path that says something about such a value shows only if the value can be like
that: it is a possible bug. One on a path that says nothing about any of them shows whatever they are. Behind a call of
a function that nobody defines, it may also rest on memory that the function left alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from clew.execute.ends import Failed
from clew.execute.exposed_memory import MAY_END, UNDEFINED_CALL, changes, returns
from clew.execute.state import InputRecord, State
from clew.expr.node import Expr
from clew.report.values import InputValue


def rests_on(state: State, end: Failed) -> str:
    """What a failure may rest on, for people; empty if it surely shows whatever the values are that were made up."""
    if end.rests_on:
        return end.rests_on
    last = state.inputs
    found = ""
    deciding = state.path.last.symbols if state.path.last is not None else frozenset()
    while last is not None and last.made_up:
        read = last.read
        if read.made_up and any(value in deciding for value in read.values):
            return str(read.made_up)  # what decided in the end is what people should look at
        if read.made_up and (end.kind in _BEYOND_THE_PATH or any(_matters(state, value) for value in read.values)):
            found = found or read.made_up
        last = last.previous
    unknown, last_guard = state.environment.get(UNDEFINED_CALL), state.environment.get(MAY_END)
    if last_guard is not None and last_guard == unknown:
        return found or returns(last_guard)
    return found or ("" if unknown is None else changes(unknown))


def real_inputs(last: InputRecord | None, values: Sequence[InputValue]) -> tuple[InputValue, ...]:
    """Those of the values of a path's inputs that are not made up."""
    count = last.count if last is not None else 0
    kept = list(reversed(values[count:]))  # these were not read, but are needed to tell what was
    for value in reversed(values[:count]):
        assert last is not None
        if not last.read.made_up:
            kept.append(value)
        last = last.previous
    return tuple(reversed(kept))


_BEYOND_THE_PATH = frozenset(("uninitialized",))
"""Kinds of failures that the path does not say all about: with another value of something, this one would differ."""


def _matters(state: State, value: object) -> bool:
    """Whether the path says something about a value that was made up."""
    return isinstance(value, Expr) and any(state.path.mentions(symbol) for symbol in value.symbols)
