"""``tests.c``: a C file that reruns every test against the user's own code.

cc tests.c user.c -o t && ./t 3        runs test 3; ``./t`` runs all of them, each in a process of its own

It holds the inputs of all tests and defines the functions that ask for them (``__VERIFIER_nondet_*``,
``klee_*``). All symbols are weak, or named by assembler labels, so that the user's declarations never clash with
ours. A run with ``--function`` is called through the types the machine sees (numbers, addresses), without a header.
"""

from __future__ import annotations

import ctypes
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from clew import __version__
from clew.report.callplan import CallPlan
from clew.report.csyntax import comment, literal
from clew.report.driver_heap import Heaps, call_lines
from clew.report.stubs import made_up_functions, made_up_variables, stub_lines
from clew.report.test_environment import Setting, setting_of
from clew.report.told_inputs import told
from clew.report.values import InputValue
from clew.report.writers import WRITERS, DriverTest, RunResults

TYPES = Path(__file__).with_name("driver_types.c")
RUNTIME = Path(__file__).with_name("driver_runtime.c")
ALLOCATING = (
    "malloc", "calloc", "realloc", "reallocarray", "aligned_alloc", "memalign", "posix_memalign", "strdup", "strndup",
)  # fmt: skip
"""Functions that may fail with ``--malloc-may-fail``, and that a native program wraps for that."""
_MANY_COMMENTS = 12


@WRITERS.register("tests.c", "all tests, for a C compiler")
def write_driver(results: RunResults) -> str | None:
    """Not for a function that cannot be called from C."""
    program, request = results.program, results.request
    if not results.tests or (request.function is not None and program.call is None):
        return None
    made_by = shlex.join(["clew", results.summary.command, *request.inputs_asked_for()])
    files = [str(file) for file in request.files]
    return driver_source(results.tests, files, program.entry, program.call, made_by=made_by)


def driver_source(
    tests: Sequence[DriverTest],
    files: Sequence[str],
    entry: str,
    call: CallPlan | None = None,
    stubs: bool = True,
    made_by: str = "",
) -> str:
    """The whole file. Without ``stubs``, whoever links it finds out what nobody defines. ``made_by``: the command."""
    heaps = Heaps([test.inputs for test in tests])
    return "\n".join(
        [
            *_head(files, entry, call, any(allocations_fail(test.inputs) for test in tests), made_by),
            *_data(tests, heaps),
            *(heaps.declarations() if call is not None else ()),
            RUNTIME.read_text(encoding="utf-8"),
            *(_stubs(tests) if stubs else ()),
            *(_call(entry, call, heaps) if call is not None else ()),
        ]
    )


def _head(files: Sequence[str], entry: str, call: CallPlan | None, fails: bool, made_by: str) -> Iterator[str]:
    names = " ".join(comment(name) for name in files)
    found_by = f" by {comment(made_by)}" if made_by else ""
    yield f"/* Tests found by Clew {__version__}{found_by}. To run one of them, or (without a number) all:"
    yield f" *   cc tests.c {names} -o t && ./t 3"
    if call is not None:
        source = comment(files[0] if files else "")
        included = f"cc -DCLEW_SOURCE='\"{source}\"' tests.c -o t"
        yield f" * Where {comment(entry)}, or something that tests point to, is static: {included}"
    if fails:
        wrapped = " ".join(f"-Wl,--wrap={name}" for name in ALLOCATING)
        yield f" * Allocations fail as the tests want with -DCLEW_MALLOC_MAY_FAIL {wrapped}"
    yield " * Add the compiler options of your program. */"
    yield TYPES.read_text(encoding="utf-8")


def allocations_fail(inputs: Sequence[InputValue]) -> bool:
    """Whether a test says of allocations whether they fail."""
    return any(value.name.removesuffix(" fails") in ALLOCATING for value in inputs if value.name.endswith(" fails"))


def _data(tests: Sequence[DriverTest], heaps: Heaps) -> Iterator[str]:
    settings = [setting_of(test.inputs, test.argv) for test in tests]
    for number, (test, setting) in enumerate(zip(tests, settings, strict=True), 1):
        yield from _test(number, test, setting, heaps)
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


def _test(number: int, test: DriverTest, setting: Setting, heaps: Heaps) -> Iterator[str]:
    shown = told(test.inputs, _MANY_COMMENTS)
    yield f"/* test {number}" + (f": {comment(test.note)}" if test.note else "")
    yield from (f" *   {comment(line)}" for line in shown)
    yield " */"
    if setting.fed:
        yield f"static const struct clew_input clew_inputs_{number}[] = {{"
        for value in setting.fed:
            data = value.to_bytes()
            # Read as a wider type, only a negative number is extended by its sign.
            signed = int(isinstance(value.value, int) and value.value < 0)
            name = literal(value.name.encode("utf-8", "replace"))
            made_up = int(value.kind == "made-up")
            points = ", ".join(map(str, heaps.pointee(number - 1, value.points))) if value.points else "0, 0, 0"
            data_of = f"(const unsigned char *){literal(data)}, {len(data)}"
            yield f"  {{ {name}, {data_of}, {signed}, {made_up}, {points} }},"
        yield "};"
    if setting.stdin is not None:
        yield f"static const unsigned char clew_stdin_{number}[] = {literal(setting.stdin)};"
    around = [*(("1", *item) for item in setting.variables.items()), *(("2", *item) for item in setting.files.items())]
    around = [("3" if name in setting.folders else kind, name, content) for kind, name, content in around]
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


def _stubs(tests: Sequence[DriverTest]) -> Iterator[str]:
    """What nobody defined when the tests were made, nor the C library has; a definition of the user's replaces it."""
    inputs = [value for test in tests for value in test.inputs if value.kind == "made-up"]
    names = sorted(name for name in {**made_up_functions(inputs), **made_up_variables(inputs)} if not in_libc(name))
    yield from stub_lines(names, inputs, lambda name: f"CLEW_WEAK({name})")


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


def _call(entry: str, call: CallPlan, heaps: Heaps) -> Iterator[str]:
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
    yield from heaps.definitions()
    yield from call_lines(entry, call)
