"""Calls that functions of the runtime make, in a traced program: of others that keep no shadows, and of host functions.

They are the same functions as in a program that is not traced. What they are given is used as it is; bytes that they
copy, and inputs, keep their shadows.
"""

from __future__ import annotations

from clew.base.errors import Unsupported
from clew.native.emit.spelling import type_text
from clew.native.emit.writer import Writer
from clew.native.library import PREFIX
from clew.program import instructions as ir

_INSTEAD = {
    "clew_input": "clew_traced_input",
    "clew_input_to": "clew_traced_input_to",
    "memcpy": "memmove",
}
_DECLARED = frozenset({"clew_traced_input", "clew_traced_input_to", "clew_check", "clew_wrong", "clew_fail"})
"""The prelude has these."""


def emit_outside(w: Writer, i: ir.Call, name: str) -> None:
    """Write a call of a function that is not part of the traced program."""
    name = name.removeprefix(PREFIX)
    values = [argument.value for argument in i.arguments]
    texts = [w.typed(value) for value in values]
    w.shadow.fixed(values)
    if name in ("memcpy", "memmove"):
        w.shadow.copied(w.value(values[0]), w.value(values[1]), w.value(values[2]))
    elif name == "memset":
        w.shadow.cleared(w.value(values[0]), w.value(values[2]))
    elif name == "snprintf":
        w.shadow.cleared(w.value(values[0]), w.value(values[1]))
    elif name == "strtod":
        w.shadow.cleared(w.value(values[1]), "8")
        w.shadow.fixed_text(w.value(values[0]))
    name = _INSTEAD.get(name, name)
    result = "void" if i.result is None else type_text(i.result.type)
    parameters = [type_text(type) for type in i.type.params]
    if i.type.varargs:
        parameters.append("...")
    elif len(parameters) != len(texts):
        raise Unsupported(f"a call of {name}")
    if name not in _DECLARED:
        w.context.declarations[name] = f"declare {result} @{name}({', '.join(parameters)})"
    w.shadow.passed((), ())
    call = f"call {result} ({', '.join(parameters)}) @{name}({', '.join(texts)})"
    if i.result is None:
        w.line(call)
    else:
        w.line(f"{w.target(i)} = {call}")
        w.shadow.received(i)
