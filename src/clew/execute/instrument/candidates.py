"""Candidates and samples: calls that a changed program makes to tell whether a condition holds, or what values are.

    %holds = ...                                 call void @clew.sample(i32 4, i32 %n, i32 %result)
    call void @clew.candidate(i32 7, i32 %holds)

A path on which a candidate may fail has a sibling that ends there, with the candidate's number as the message; the path
itself goes on as if it held. Samples are kept by the path, in its environment.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clew.analysis.model_effect import ASSUMES, PURE
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.expr import build
from clew.expr.node import Expr
from clew.program import instructions as ir
from clew.program.types import I32, VOID, FunctionType
from clew.program.values import ConstInt, GlobalRef, Value

CANDIDATE = "clew.candidate"
SAMPLE = "clew.sample"
REFUTED = "candidate"
"""The kind of ``Failed`` that a path ends with on which a candidate does not hold."""
SAMPLES = "samples"
"""Where a path keeps its samples: tuples of a number and values, which may be expressions."""


def candidate(number: int, condition: Value) -> ir.Call:
    """The call that asks whether a condition (an ``i32``, other than zero where it holds) always holds."""
    return _call(CANDIDATE, (ConstInt(I32, number), condition))


def sample(number: int, values: Sequence[Value]) -> ir.Call:
    """The call that keeps values."""
    return _call(SAMPLE, (ConstInt(I32, number), *values))


def _call(name: str, values: tuple[Value, ...]) -> ir.Call:
    type = FunctionType(VOID, tuple(value.type for value in values))
    return ir.Call(None, None, GlobalRef(name), type, tuple(ir.Argument(value) for value in values))


@model(CANDIDATE, overrides=True, effect=ASSUMES)
def _candidate(call: Invocation, number: int, condition: Any) -> None:
    holds = build.ne(condition, 0, 32) if isinstance(condition, Expr) else bool(condition)
    call.require(holds, REFUTED, str(number))


@model(SAMPLE, overrides=True, effect=PURE)
def _sample(call: Invocation, number: int, *values: Any) -> None:
    call.remember(SAMPLES, (*call.recall(SAMPLES, ()), (number, *values)))
