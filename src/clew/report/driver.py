"""``tests.c``: a C file that reruns every test against the user's own code.

cc tests.c user.c -o t && ./t 3        runs test 3; ``./t`` runs all of them, each in a process of its own

It holds the inputs of all tests and defines the functions that ask for them (``__VERIFIER_nondet_*``,
``klee_*``). All symbols are weak, or named by assembler labels, so that the user's declarations never clash with
ours. A run with ``--function`` is called through the types the machine sees (numbers, addresses), without a header.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from clew import __version__
from clew.report.callplan import CallPlan, Slot
from clew.report.csyntax import c_lines
from clew.report.setting import Setting, setting_of
from clew.report.stubs import made_up_functions, made_up_variables, stub_lines
from clew.report.values import InputValue

RUNTIME = Path(__file__).with_name("driver_runtime.c")

_HEADERS = (
    *("errno.h", "fcntl.h", "stdarg.h", "stdio.h", "stdlib.h", "string.h"),
    *("sys/mman.h", "sys/stat.h", "sys/time.h", "sys/types.h", "sys/wait.h", "time.h", "unistd.h"),
)
_TYPES = {
    "i1": "_Bool", "i8": "unsigned char", "i16": "unsigned short", "i32": "unsigned int", "i64": "unsigned long long",
    "i128": "unsigned __int128", "f32": "float", "f64": "double", "ptr": "void *", "void": "void",
}  # fmt: skip
ALLOCATING = (
    "malloc", "calloc", "realloc", "reallocarray", "aligned_alloc", "memalign", "posix_memalign", "strdup", "strndup",
)  # fmt: skip
"""Functions that may fail with ``--malloc-may-fail``, and that a native program wraps for that."""
_MANY_COMMENTS = 12
_LITERAL_LINE = 24
"""Bytes per line of a literal."""


@dataclass(frozen=True, slots=True)
class DriverTest:
    """One test as the driver needs it."""

    inputs: tuple[InputValue, ...]
    note: str = ""
    """What is expected, for people."""

    args: tuple[bytes | int, ...] = ()
    """The words of ``--args``."""


def driver_source(
    tests: Sequence[DriverTest],
    files: Sequence[str],
    entry: str,
    call: CallPlan | None = None,
    stubs: bool = True,
) -> str:
    """The whole file. Without ``stubs``, whoever links it finds out what nobody defines."""
    return "\n".join(
        [
            *_head(files, entry, call, any(allocations_fail(test.inputs) for test in tests)),
            *_data(tests),
            RUNTIME.read_text(encoding="utf-8"),
            *(_stubs(tests) if stubs else ()),
            *(_call(entry, call) if call is not None else ()),
        ]
    )


def _head(files: Sequence[str], entry: str, call: CallPlan | None, fails: bool) -> Iterator[str]:
    names = " ".join(_comment(name) for name in files)
    yield f"/* Tests found by Clew {__version__}. To run one of them, or (without a number) all:"
    yield f" *   cc tests.c {names} -o t && ./t 3"
    if call is not None:
        source = _comment(files[0] if files else "")
        yield f" * Where {_comment(entry)} is static: cc -DCLEW_SOURCE='\"{source}\"' tests.c -o t"
    if fails:
        wrapped = " ".join(f"-Wl,--wrap={name}" for name in ALLOCATING)
        yield f" * Allocations fail as the tests want with -DCLEW_MALLOC_MAY_FAIL {wrapped}"
    yield " * Add the compiler options of your program. */"
    yield "#ifndef _GNU_SOURCE"
    yield "#define _GNU_SOURCE"
    yield "#endif"
    yield from (f"#include <{name}>" for name in _HEADERS)
    yield ""
    yield "struct clew_input { const char *name; const unsigned char *bytes; unsigned size; char is_signed, made_up; };"
    yield "struct clew_around { int kind; const char *name; const char *content; unsigned long size; };"
    yield "struct clew_test {"
    yield "  const struct clew_input *inputs; unsigned count; const unsigned char *input; unsigned long input_size;"
    yield "  const char *const *arguments; const struct clew_around *around; const char *note;"
    yield "};"
    yield ""


def allocations_fail(inputs: Sequence[InputValue]) -> bool:
    """Whether a test says of allocations whether they fail."""
    return any(value.name.removesuffix(" fails") in ALLOCATING for value in inputs if value.name.endswith(" fails"))


def _data(tests: Sequence[DriverTest]) -> Iterator[str]:
    settings = [setting_of(test.inputs, test.args) for test in tests]
    for number, (test, setting) in enumerate(zip(tests, settings, strict=True), 1):
        yield from _test(number, test, setting)
    yield f"#define CLEW_TESTS {len(tests)}"
    yield f"static const struct clew_test clew_tests[{max(1, len(tests))}] = {{"
    for number, (test, setting) in enumerate(zip(tests, settings, strict=True), 1):
        given = f"clew_stdin_{number}, {len(setting.stdin)}" if setting.stdin is not None else "0, 0"
        inputs = f"clew_inputs_{number}, {len(setting.fed)}" if setting.fed else "0, 0"
        around = f"clew_around_{number}" if setting.variables or setting.files else "0"
        note = literal(f" ({test.note})".encode("utf-8", "replace")) if test.note else '""'
        yield f"  {{ {inputs}, {given}, clew_arguments_{number}, {around}, {note} }},"
    yield "  { 0, 0, 0, 0, 0, 0, 0 }" if not tests else ""
    yield "};"
    yield ""


def _test(number: int, test: DriverTest, setting: Setting) -> Iterator[str]:
    shown = c_lines(test.inputs, _MANY_COMMENTS)
    yield f"/* test {number}" + (f": {_comment(test.note)}" if test.note else "")
    yield from (f" *   {_comment(line)}" for line in shown)
    yield " */"
    if setting.fed:
        yield f"static const struct clew_input clew_inputs_{number}[] = {{"
        for value in setting.fed:
            data = value.to_bytes()
            # Read as a wider type, only a negative number is extended by its sign.
            signed = int(isinstance(value.value, int) and value.value < 0)
            name = literal(value.name.encode("utf-8", "replace"))
            made_up = int(value.kind == "made-up")
            yield f"  {{ {name}, (const unsigned char *){literal(data)}, {len(data)}, {signed}, {made_up} }},"
        yield "};"
    if setting.stdin is not None:
        yield f"static const unsigned char clew_stdin_{number}[] = {literal(setting.stdin)};"
    around = [*(("1", *item) for item in setting.variables.items()), *(("2", *item) for item in setting.files.items())]
    if around:
        yield f"static const struct clew_around clew_around_{number}[] = {{"
        for kind, name, content in around:
            label = literal(name.encode("utf-8", "replace"))
            given = "0, 0" if content is None else f"{literal(content)}, {len(content)}"
            yield f"  {{ {kind}, {label}, {given} }},"
        yield "  { 0, 0, 0, 0 }"
        yield "};"
    words = ", ".join(literal(word) for word in setting.arguments)
    yield f"static const char *const clew_arguments_{number}[] = {{ {words}, 0 }};"


def literal(data: bytes) -> str:
    """Bytes as a C string literal. Octal escapes of three digits, so that no following character joins them."""
    lines = [data[at : at + _LITERAL_LINE] for at in range(0, len(data), _LITERAL_LINE)] or [b""]
    return " ".join('"' + "".join(_char(byte) for byte in line) + '"' for line in lines)


def _char(byte: int) -> str:
    plain = 32 <= byte < 127 and byte not in b'"\\?'
    return chr(byte) if plain else f"\\{byte:03o}"


def _comment(text: str) -> str:
    """Text that cannot end a comment, nor continue a line."""
    return "".join(char if char.isprintable() else "?" for char in text).replace("*/", "* /").rstrip("\\")


def _stubs(tests: Sequence[DriverTest]) -> Iterator[str]:
    """What nobody defined when the tests were made, nor the C library has; a definition of the user's replaces it."""
    inputs = [value for test in tests for value in test.inputs if value.kind == "made-up"]
    names = sorted(name for name in {**made_up_functions(inputs), **made_up_variables(inputs)} if not in_libc(name))
    yield from stub_lines(names, inputs, lambda name: f"CLEW_WEAK({name})", literal)


def in_libc(name: str) -> bool:
    """Whether the C library of this machine has something of that name."""
    for library in (None, "libm.so.6"):
        try:
            getattr(ctypes.CDLL(library), name)
            return True
        except (OSError, AttributeError):
            continue
    return False


# --function


def _call(entry: str, call: CallPlan) -> Iterator[str]:
    """The call of one function, and a ``main`` for programs without one."""
    yield "#ifdef CLEW_SOURCE"
    yield "#define main clew_users_main"
    yield "#include CLEW_SOURCE"
    yield "#undef main"
    yield f"#define CLEW_ENTRY {entry}"
    yield "#else"
    yield f'extern void clew_entry(void) __asm__(CLEW_PREFIX "{entry}");'
    yield "#define CLEW_ENTRY clew_entry"
    yield "#endif"
    yield "int clew_no_main(void) CLEW_WEAK(main);"
    yield "int clew_no_main(void) { return 0; }"
    for number, item in enumerate(call.objects):
        yield f"struct clew_bytes_{number} {{ unsigned char bytes[{max(1, item.size)}]; }};"
        yield f"static struct clew_bytes_{number} clew_object_{number} __attribute__((aligned(16)));"
    yield ""
    yield "__attribute__((constructor)) static void clew_call(void) {"
    yield from (f"  {line}" for line in _fill(call))
    types = [_parameter_type(slot) for slot in call.parameters]
    arguments = ", ".join(_value(slot) for slot in call.parameters)
    result = _TYPES.get(call.result, "void")
    target = f"(({result} (*)({', '.join(types) or 'void'}))CLEW_ENTRY)({arguments})"
    yield f"  clew_at = {call.inputs};"
    yield f"  {target};" if result == "void" else f"  int result = (int){target};"
    yield "  exit(0);" if result == "void" else "  exit(result & 255);"
    yield "}"
    yield ""


def _fill(call: CallPlan) -> Iterable[str]:
    for number, item in enumerate(call.objects):
        for offset, slot in item.slots:
            place = f"clew_object_{number}.bytes + {offset}"
            if slot.target is not None:
                yield f"{{ void *p = {_value(slot)}; memcpy({place}, &p, sizeof p); }}"
            elif slot.input is not None:
                size = int(slot.type[1:]) // 8 or 1
                yield f"clew_copy({place}, clew_input({slot.input}), {size});"


def _parameter_type(slot: Slot) -> str:
    return f"struct clew_bytes_{slot.target}" if slot.type == "bytes" else _TYPES[slot.type]


def _value(slot: Slot) -> str:
    if slot.type == "bytes":
        return f"clew_object_{slot.target}"
    if slot.target is not None:
        address = f"(void *)clew_object_{slot.target}.bytes"
        return address if slot.null is None else f"clew_integer(clew_input({slot.null})) & 1 ? (void *)0 : {address}"
    if slot.input is None:
        return f"({_TYPES[slot.type]}){slot.value}"
    if slot.type == "i1":
        return f"(_Bool)(clew_integer(clew_input({slot.input})) & 1)"
    if slot.type in ("f32", "f64", "i128"):
        return f"({{ {_TYPES[slot.type]} x; clew_copy(&x, clew_input({slot.input}), sizeof x); x; }})"
    number = f"clew_integer(clew_input({slot.input}))"
    return f"(void *)(size_t){number}" if slot.type == "ptr" else f"({_TYPES[slot.type]}){number}"
