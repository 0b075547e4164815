"""stdio.h: output. What is printed is kept as bytes; it never forks."""

from __future__ import annotations

from typing import Any

from clew.execute.invocation import Invocation
from clew.expr.node import Expr
from clew.models.formatting import format_output
from clew.models.registry import model


@model("printf")
def printf(call: Invocation, form: Any, *arguments: Any) -> int:
    return _print(call, form, arguments, 1)


@model("fprintf")
def fprintf(call: Invocation, stream: Any, form: Any, *arguments: Any) -> int:
    return _print(call, form, arguments, 2)


def _print(call: Invocation, form: Any, arguments: tuple[Any, ...], first: int) -> int:
    text = call.text(form)
    if text is None:
        return 0
    types = tuple(call.argument(first + n).type for n in range(len(arguments)))
    data = format_output(text, arguments, types, call)
    call.write(data)
    return len(data)


@model("puts")
def puts(call: Invocation, address: Any) -> int:
    data = _shown(call, address) + b"\n"
    call.write(data)
    return len(data)


@model("fputs")
def fputs(call: Invocation, address: Any, stream: Any) -> int:
    data = _shown(call, address)
    call.write(data)
    return len(data)


def _shown(call: Invocation, address: Any) -> bytes:
    """A string as far as it is concrete."""
    text = call.text(address)
    return b"?" if text is None else text


@model("putchar", "putchar_unlocked")
def putchar(call: Invocation, char: Any) -> Any:
    call.write(b"?" if isinstance(char, Expr) else bytes([char & 255]))
    return char


@model("putc", "fputc")
def putc(call: Invocation, char: Any, stream: Any) -> Any:
    return putchar(call, char)


@model("fflush", "fclose")
def flush(call: Invocation, stream: Any = 0) -> int:
    return 0
