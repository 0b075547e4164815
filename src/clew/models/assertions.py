"""assert.h, and the functions that mark an error in competition programs."""

from __future__ import annotations

from typing import Any

from clew.analysis.model_effect import ENDS
from clew.execute.invocation import Invocation
from clew.execute.library import model


@model("__assert_fail", "__assert_perror_fail", "__assert", effect=ENDS)
def assert_fail(call: Invocation, expression: Any, *rest: Any) -> None:
    """glibc and musl: the expression is the first argument."""
    _failed(call, expression)


@model("__assert_rtn", effect=ENDS)
def assert_rtn(call: Invocation, function: Any, file: Any, line: Any, expression: Any) -> None:
    """macOS: the expression is the last argument."""
    _failed(call, expression)


def _failed(call: Invocation, expression: Any) -> None:
    text = call.text(expression)
    shown = f": {text.decode('utf-8', 'replace')}" if text else ""
    call.fail("assert", f"assertion failed{shown}")


@model("reach_error", "__VERIFIER_error", overrides=True, effect=ENDS)
def reach_error(call: Invocation, *_: Any) -> None:
    """The call itself is the error, whatever the function would do."""
    call.fail("error-call", f"{call.name}() is called")


@model("klee_abort", effect=ENDS)
def klee_abort(call: Invocation) -> None:
    call.fail("abort", "klee_abort() is called")


@model("klee_report_error", effect=ENDS)
def klee_report_error(call: Invocation, file: Any, line: Any, message: Any, suffix: Any) -> None:
    text = call.text(message) or b"error"
    call.fail("other", text.decode("utf-8", "replace"))
