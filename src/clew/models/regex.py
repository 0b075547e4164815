"""regex.h is the runtime's, in C; this is what it says of expressions that it does not know."""

from __future__ import annotations

from typing import NoReturn

from clew.analysis.model_effect import ENDS
from clew.execute.ends import Failed
from clew.execute.invocation import Invocation
from clew.execute.library import model

_FOREIGN = "regexec() or regfree() is given what regcomp() has not made"
_CALLERS = "depends on whether callers pass expressions that regcomp() has made"


@model("__clew_foreign_expression", effect=ENDS)
def foreign_expression(call: Invocation) -> NoReturn:
    """Of the runtime: a ``regex_t`` is used that holds none of its programs. One that a function is given may well."""
    is_given = call.state.run.surroundings is not None
    raise Failed("other", _FOREIGN, call.location, _CALLERS if is_given else "")
