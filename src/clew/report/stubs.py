"""C definitions of what nobody defines, which give a test's values: functions and variables for native runs.

A function becomes a stub that returns what the engine made up, as ``execute.made_up`` names it: a number, a pointer
(null, or to memory with the bytes of the test), a struct in registers (``f()+8``) or in memory. A variable becomes an
object that has the test's value before the program starts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from clew.base.pattern import pattern
from clew.report.csyntax import literal
from clew.report.values import InputValue

_FUNCTION = pattern(r"([A-Za-z_$][\w.$]*)\(\)(\+\d+)?( is null)?")
_SET = pattern(r"\*\d+[+-]\d+ of ([A-Za-z_$][\w.$]*)\(\)")
_VARIABLE = pattern(r"([A-Za-z_$][\w.$]*)(\+\d+)?( is null)?")
_FLOATS = {"float": "float", "double": "double"}
_ARGUMENTS = 6
ROOM = 1 << 20
"""Bytes of a variable of which tests have only a part."""
_PART = 1024
"""The most that a test has of a variable (``execute.made_up.MOST_KNOWN``)."""


def made_up_functions(inputs: Iterable[InputValue]) -> dict[str, dict[str, InputValue]]:
    """By the name of a function: the parts of its result, each with one of its values. In the order of the inputs."""
    inputs = list(inputs)
    silent: dict[str, dict[str, InputValue]] = {name: {} for name in _by_owner(inputs, _SET)}
    return silent | _by_owner(inputs, _FUNCTION)


def made_up_variables(inputs: Iterable[InputValue]) -> dict[str, dict[str, InputValue]]:
    """By the name of a variable: its parts, each with one of its values."""
    return _by_owner(inputs, _VARIABLE)


def _by_owner(inputs: Iterable[InputValue], pattern: re.Pattern[str]) -> dict[str, dict[str, InputValue]]:
    found: dict[str, dict[str, InputValue]] = {}
    for value in inputs:
        match = pattern.fullmatch(value.name) if value.kind == "made-up" else None
        if match:
            found.setdefault(match[1], {}).setdefault(value.name, value)
    return found


def stub_lines(
    names: Sequence[str],
    inputs: Sequence[InputValue],
    label: Callable[[str], str],
    threads: Sequence[str] = (),
) -> Iterator[str]:
    """Definitions of functions and variables; ``label`` gives what follows a declarator, for a symbol of that name.

    ``threads`` are those variables of which each thread has its own.
    """
    functions, variables = made_up_functions(inputs), made_up_variables(inputs)
    for number, name in enumerate(names):
        if name in variables:
            storage = "__thread " if name in threads else ""
            yield from _variable(number, name, variables[name], label, storage)
        else:
            yield from _function(number, name, functions.get(name, {}), label)


def _function(number: int, name: str, parts: dict[str, InputValue], label: Callable[[str], str]) -> Iterator[str]:
    texts = {part: literal(part.removesuffix(" is null").encode()) for part in parts}
    types = [(f"part_{place}", *_part(parts[part], texts[part])) for place, part in enumerate(parts)]
    if not parts:
        result, body = "unsigned long long", f"return clew_stub({literal(f'{name}()'.encode())});"
    elif len(parts) == 1 and f"{name}()+0" not in parts and not types[0][1].startswith("struct"):
        result, body = types[0][1], f"return {types[0][2]};"
    elif len(parts) == 1 and types[0][1].startswith("struct"):
        result = f"struct clew_result_{number}"
        yield f"{result} {{ unsigned char bytes[{len(next(iter(parts.values())).to_bytes())}]; }};"
        body = f"{result} x; clew_stub_bytes({next(iter(texts.values()))}, &x, sizeof x); return x;"
    else:
        result = f"struct clew_result_{number}"
        fields = " ".join(f"{kind} {field};" for field, kind, _ in types)
        yield f"{result} {{ {fields} }};"
        body = f"{result} x; {' '.join(f'x.{field} = {value};' for field, _, value in types)} return x;"
    # Its arguments, as far as they are numbers or addresses: what it was shown is set as the test says.
    parameters = ", ".join(f"char *p{place}" for place in range(_ARGUMENTS))
    shown = f"char *shown[] = {{{', '.join(f'p{place}' for place in range(_ARGUMENTS))}}};"
    sets = f"{shown} clew_stub_sets({literal(f'{name}()'.encode())}, shown, {_ARGUMENTS});"
    yield f"{result} clew_undefined_{number}({parameters}) {label(name)};"
    yield f"{result} clew_undefined_{number}({parameters}) {{ {sets} {body} }}"


def _part(value: InputValue, text: str) -> tuple[str, str]:
    """The C type of a part of a result, and the expression that gives it."""
    if value.name.endswith(" is null"):
        return "void *", f"clew_stub_pointer({text})"
    if isinstance(value.value, bytes):
        return "struct", ""
    if value.type in _FLOATS:
        return value.type, f"clew_stub_{value.type}({text})"
    if value.bits == 128:
        return "unsigned __int128", f"({{ unsigned __int128 v; clew_stub_bytes({text}, &v, sizeof v); v; }})"
    whole = not value.name.split("()")[1]
    short = {8: "unsigned char", 16: "unsigned short", 32: "unsigned int"}
    kind = "unsigned long long" if whole else short.get(value.bits, "unsigned long long")
    return kind, f"({kind})clew_stub({text})"


def _variable(
    number: int, name: str, parts: dict[str, InputValue], label: Callable[[str], str], storage: str
) -> Iterator[str]:
    """An object that tells by its first bytes that it is ours, until it gets the test's value."""
    whole = parts.get(name)
    size = 8 if whole is None else len(whole.to_bytes())
    room = max(ROOM if size >= _PART else size, 8)
    yield f"{storage}unsigned char clew_variable_{number}[{room}] {label(name)}"
    yield '  __attribute__((aligned(16))) = "CLEWVAR";'
    yield f"__attribute__((constructor(102))) static void clew_fill_{number}(void) {{"
    yield f'  if (memcmp(clew_variable_{number}, "CLEWVAR", 8)) return;'
    yield f"  memset(clew_variable_{number}, 0, 8);"
    for part in parts:
        at = int(part.removesuffix(" is null").removeprefix(name).removeprefix("+") or 0)
        pointer = int(part.endswith(" is null"))
        text = literal(part.removesuffix(" is null").encode())
        yield f"  clew_fill({text}, clew_variable_{number} + {at}, {room - at}, {pointer});"
    yield "}"
