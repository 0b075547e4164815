"""regex.h is the runtime's, in C; this is what it says of expressions that it does not know."""

from __future__ import annotations

from typing import NoReturn

from clew.analysis.model_effect import ENDS
from clew.execute.invocation import Invocation
from clew.execute.library import model


@model("__clew_foreign_expression", effect=ENDS)
def foreign_expression(call: Invocation) -> NoReturn:
    """Of the runtime: a ``regex_t`` is used that holds none of its programs. One that a function is given may well."""
    message = "regexec() or regfree() is given what regcomp() has not made"
    call.fail_unless_given("other", message, "expressions that regcomp() has made")
