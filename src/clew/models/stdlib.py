"""stdlib.h: integers, random numbers, the environment, other programs.

Random numbers and variables of the environment are inputs of the program. A variable is null, or a string of at most
``VARIABLE_LENGTH`` characters, the same each time it is asked for; what the program sets itself it gets back.
"""

from __future__ import annotations

from typing import Any

from clew.analysis.model_effect import ANYTHING, BOUNDED, FRESH, NOTHING, PURE, READS, WRITES_ARGUMENTS, WRITES_OWN
from clew.execute.entropy import note_entropy
from clew.execute.inputs import InputKind, read_input, read_object
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.expr import build
from clew.expr.sort import F64, bv
from clew.models.errno import EINVAL, set_errno

RAND_MAX = 0x7FFFFFFF
VARIABLE_LENGTH = 8
"""Characters of a variable of the environment."""
COPY_LIMIT = 4096
"""Bytes of a value that the program puts into the environment."""


@model("abs", "labs", "llabs", "imaxabs", effect=PURE)
def absolute(call: Invocation, value: Any) -> Any:
    """Of the most negative number: itself, as the processor has it."""
    return build.abs_(value, call.argument_bits(0))


# Random numbers


def _bounded(call: Invocation, name: str, ctype: str, limit: int) -> Any:
    """An input of the result's type between 0 and a limit."""
    value = call.read_input(name, ctype, call.result_bits)
    call.assume(build.ule(value, limit, call.result_bits))
    return value


@model("rand", effect=BOUNDED.but(result=(0, RAND_MAX)))
def rand(call: Invocation) -> Any:
    return _bounded(call, "rand", "int", RAND_MAX)


@model("random", "lrand48", effect=BOUNDED.but(result=(0, RAND_MAX)))
def random(call: Invocation) -> Any:
    return _bounded(call, call.name, "long", RAND_MAX)


@model("mrand48", effect=BOUNDED)
def mrand48(call: Invocation) -> Any:
    value = call.read_input("mrand48", "int", 32)
    return build.sext(value, 32, call.result_bits) if call.result_bits > 32 else value


@model("rand_r", effect=WRITES_ARGUMENTS)
def rand_r(call: Invocation, seed: Any) -> Any:
    """The seed must be there; afterwards it holds something else."""
    where = call.pointer(seed)
    call.load(where, 4)
    value = _bounded(call, "rand_r", "int", RAND_MAX)
    call.store(where, value, 4)
    return value


@model("drand48", effect=BOUNDED)
def drand48(call: Invocation) -> Any:
    """A multiple of 2**-48 below 1."""
    value = call.read_input("drand48", "unsigned long long", 64)
    call.assume(build.ult(value, 1 << 48, 64))
    return build.fmul(build.fp_from_ubv(value, 64, F64), 2.0**-48, F64)


@model("arc4random", effect=FRESH)
def arc4random(call: Invocation) -> Any:
    value = call.read_input("arc4random", "unsigned int", 32)
    note_entropy(call.state, value)
    return value


@model("arc4random_uniform", effect=NOTHING.but(reads_input=True))
def arc4random_uniform(call: Invocation, bound: Any) -> Any:
    value = call.read_input("arc4random_uniform", "unsigned int", 32)
    call.assume(build.lor(build.ult(value, bound, 32), build.ult(bound, 2, 32)))
    return build.ite(build.ult(bound, 2, 32), 0, value, bv(32))


@model("srand", "srandom", effect=READS)
@model("srand48", "arc4random_stir", effect=NOTHING)
def seed(call: Invocation, *_: Any) -> None:
    """Nothing: what follows is any number, whatever the seed."""


@model("getrandom", effect=WRITES_ARGUMENTS)
def getrandom(call: Invocation, buffer: Any, size: Any, flags: Any) -> Any:
    return _fill_randomly(call, buffer, size)


@model("getentropy", "arc4random_buf", effect=WRITES_ARGUMENTS)
def getentropy(call: Invocation, buffer: Any, size: Any) -> Any:
    _fill_randomly(call, buffer, size)
    return 0 if call.call.result is not None else None


def _fill_randomly(call: Invocation, buffer: Any, size: Any) -> int:
    where, count = call.pointer(buffer), call.pointer(size)
    call.touch(where, count)
    if count:
        data = read_object(call.state, call.name, f"unsigned char[{count}]", count)
        note_entropy(call.state, *data)
        call.write_bytes(where, list(data))
    return count


# The environment


def _label(call: Invocation, name: Any) -> str | None:
    """The name of a variable; None where it is symbolic."""
    text = call.text(call.pointer(name))
    return None if text is None else text.decode("utf-8", "replace")


def _settable(call: Invocation, name: Any) -> str | None:
    """The name of a variable that the program may set; else None, and an error."""
    label = _label(call, name)
    if label and "=" not in label:
        return label
    set_errno(call, EINVAL)
    return None


@model("getenv", "secure_getenv", effect=ANYTHING.but(reads_input=True))
def getenv(call: Invocation, name: Any) -> int:
    label = _label(call, name)
    if label is None:
        call.state.run.note_loss("bounded", "getenv() of a symbolic name: taken as not set", call.state)
        return 0
    known: int | None = call.recall(f"environment {label}")
    if known is not None:
        return known
    # Kept before the fork below: the sibling runs the call again, and must not read the inputs again.
    missing, content = call.kept(f"asked {label}", lambda: _ask(call, label))
    address = 0 if call.concrete(missing, 8) else content
    call.remember(f"environment {label}", address)
    return int(address)


def _ask(call: Invocation, label: str) -> tuple[Any, int]:
    """Whether a variable is missing, and the address of its value if not."""
    state = call.state
    missing = read_input(state, f"getenv({label}) is null", "_Bool", 8, InputKind.NONDET)
    call.assume(build.ule(missing, 1, 8))
    value = read_object(state, f"getenv({label})", f"char[{VARIABLE_LENGTH}]", VARIABLE_LENGTH)
    return missing, _place(call, label, [*value, 0])


def _place(call: Invocation, label: str, content: list[Any]) -> int:
    address = call.state.memory.allocate(len(content), "argument", f"environment variable {label}", 1, None, b"")
    call.write_bytes(address, content)
    return address


@model("setenv", effect=ANYTHING)
def setenv(call: Invocation, name: Any, value: Any, overwrite: Any) -> int:
    label = _settable(call, name)
    if label is None:
        return 0xFFFFFFFF
    source = call.pointer(value)
    if not call.concrete(overwrite, 32) and getenv(call, name):
        return 0
    content = call.read_bytes(source, min(call.room(source), COPY_LIMIT))
    if 0 in [byte for byte in content if isinstance(byte, int)]:
        content = content[: content.index(0) + 1]
    call.remember(f"environment {label}", _place(call, label, content))
    return 0


@model("unsetenv", effect=ANYTHING)
def unsetenv(call: Invocation, name: Any) -> int:
    label = _settable(call, name)
    if label is None:
        return 0xFFFFFFFF
    call.remember(f"environment {label}", 0)
    return 0


@model("putenv", effect=ANYTHING)
def putenv(call: Invocation, assignment: Any) -> int:
    """The string itself becomes part of the environment."""
    where = call.pointer(assignment)
    text = call.text(where)
    if text is None:
        call.state.run.note_loss("bounded", "putenv() of symbolic text: nothing is set", call.state)
        return 0
    label, sign, _ = text.decode("utf-8", "replace").partition("=")
    call.remember(f"environment {label}", where + text.index(b"=") + 1 if sign else 0)
    return 0


# Other programs


@model("system", effect=WRITES_OWN)
def system(call: Invocation, command: Any) -> Any:
    """Returns anything; what the command does is not explored."""
    where = call.pointer(command)
    if where:
        call.load(where, 1)
    call.state.run.note_loss("undefined-function", "system(): what the command does is not explored", call.state)
    return call.read_input("system", "int", 32)
