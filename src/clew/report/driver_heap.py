"""The part of ``tests.c`` that gives memory and callbacks to a function of ``--function``.

Each test has a table of what its inputs say about memory; ``driver_heap.c`` builds objects from it before the call. A
callback is a stub of the right type: what the n-th call of any of them changes and gives back is in the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from clew.base.pattern import pattern
from clew.report.callplan import CallPlan, Slot
from clew.report.csyntax import literal
from clew.report.values import InputValue, Pointee

RUNTIME = Path(__file__).with_name("driver_heap.c")
TYPES = {
    "i1": "_Bool", "i8": "unsigned char", "i16": "unsigned short", "i32": "unsigned int", "i64": "unsigned long long",
    "i128": "unsigned __int128", "f32": "float", "f64": "double", "float": "float", "double": "double", "ptr": "void *",
    "void": "void",
}  # fmt: skip
_WHAT = {"memory": 1, "cell": 2, "pointer": 3, "call": 4, "returned": 5}
_SIGNATURE = pattern(r"(\w+)\(([\w,]*)\)")
_PLAIN = "void()"


class Heaps:
    """The tables of all tests, and the names they use."""

    def __init__(self, tests: Sequence[Sequence[InputValue]]) -> None:
        self._tests = [[value for value in inputs if value.in_heap] for inputs in tests]
        self._inputs = tests
        self._names = sorted({name for inputs in tests for name in names_in(inputs)})
        self._callbacks = [_callbacks(inputs) for inputs in tests]

    # Before the runtime

    def declarations(self) -> Iterator[str]:
        """Tables, which only need types."""
        yield "struct clew_entry {"
        yield "  int what, call, object, pointee; unsigned long offset, size; const unsigned char *bytes;"
        yield "  long which, shift; int start, steps; const long *route;"
        yield "};"
        yield "static void *clew_address(int number);"
        yield "static void *clew_callback(int number);"
        most = max((v.at.object for inputs in self._tests for v in inputs if v.at is not None), default=0)
        yield f"#define CLEW_OBJECTS {most + 1}"
        for number, inputs in enumerate(self._tests, 1):
            yield f"static const struct clew_entry clew_heap_{number}[] = {{"
            yield from (f"  {self._entry(number - 1, value)}" for value in inputs)
            yield "  { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }"
            yield "};"
        tables = ", ".join(f"clew_heap_{number + 1}" for number in range(len(self._tests)))
        yield f"static const struct clew_entry *const clew_heaps[] = {{ {tables or '0'} }};"
        yield ""

    def _entry(self, test: int, value: InputValue) -> str:
        at = value.at
        where = (at.object, at.offset) if at is not None else (0, 0)
        size = int(value.value) if value.kind == "memory" else (value.bits + 7) // 8
        data = value.to_bytes() if value.points is None and value.kind in ("cell", "returned") else b""
        held = f"(const unsigned char *){literal(data)}, " if data else "0, "
        pointee, which, shift = self.pointee(test, value.points)
        fields = f"{_WHAT[value.kind]}, {value.call}, {where[0]}, {pointee}, {where[1]}, {len(data) or size}, {held}"
        if value.route is None:
            return f"{{ {fields}{which}, {shift}, 0, 0, 0 }},"
        start = int(value.route[1]) if value.route[0] == "argument" else -1 - self._names.index(str(value.route[1]))
        steps = ", ".join(map(str, value.route[2]))
        return f"{{ {fields}0, 0, {start}, {len(value.route[2])}, (const long[]){{ {steps} }} }},"

    def pointee(self, test: int, pointee: Pointee | None) -> tuple[int, int, int]:
        """Kind, number and offset of what a pointer points to; the kind is -1 for what is no pointer."""
        if pointee is None:
            return -1, 0, 0
        match pointee.kind:
            case "object":
                return 1, int(pointee.which), pointee.offset
            case "global" | "function":
                return 2, self._names.index(str(pointee.which)), pointee.offset
            case "callback":
                return 3, [*self._callbacks[test]].index(int(pointee.which)), 0
            case "number":
                return 4, 0, int(pointee.which)
        return 0, 0, 0

    # Behind the program, where that is included

    def definitions(self) -> Iterator[str]:
        """What needs the program's own names, and the stubs."""
        yield from self._addresses()
        yield RUNTIME.read_text(encoding="utf-8")
        yield from self._stubs()

    def _addresses(self) -> Iterator[str]:
        """Of what the tests name. Static names need the source; those within functions are out of reach."""
        yield "#ifdef CLEW_STRONG_NAMES"  # so that the linker says which of them are static
        yield "#define CLEW_OPTIONAL"
        yield "#else"
        yield "#define CLEW_OPTIONAL __attribute__((weak))"
        yield "#endif"
        for number, name in enumerate(self._names):
            optional = "CLEW_OPTIONAL" if name.isidentifier() else "__attribute__((weak))"
            if name.isidentifier():
                yield "#ifndef CLEW_SOURCE"
            yield f"extern char clew_named_{number}[] __asm__(CLEW_PREFIX {literal(name.encode())}) {optional};"
            if name.isidentifier():
                yield "#endif"
        yield "static void *clew_address(int number) {"
        yield '  const char *name = "";'
        for number, name in enumerate(self._names):
            static = "which is static: see -DCLEW_SOURCE at the top"
            why = static if name.isidentifier() else "which its function alone names"
            yield f"  if (number == {number}) {{"
            yield f"    name = {literal(f'{name}, {why}'.encode())};"
            if name.isidentifier():
                yield "#ifdef CLEW_SOURCE"
                yield f"    return (void *)&{name};"
                yield "#else"
            yield f"    if (&clew_named_{number}[0]) return clew_named_{number};"
            if name.isidentifier():
                yield "#endif"
            yield "  }"
        yield "  (void)number;"
        yield '  clew_say("no-address of", name);'
        yield "  _exit(96);"
        yield "}"

    def _stubs(self) -> Iterator[str]:
        """For each type of callback as many functions as a test needs, so that they differ."""
        signatures = sorted({kind for test in self._callbacks for kind in test.values()})
        most = max((len(test) for test in self._callbacks), default=0)
        for place, signature in enumerate(signatures):
            for number in range(most):
                yield from _stub(f"clew_stub_{place}_{number}", signature)
        yield "static void *clew_callback(int number) {"
        for test, callbacks in enumerate(self._callbacks, 1):
            for number, signature in enumerate(callbacks.values()):
                stub = f"clew_stub_{signatures.index(signature)}_{number}"
                yield f"  if (clew_number == {test} && number == {number}) return (void *)(size_t){stub};"
        yield "  (void)number;"
        yield "  return 0;"
        yield "}"


def names_in(inputs: Sequence[InputValue]) -> set[str]:
    """The variables and functions of the program whose addresses a test needs."""
    pointees = [value.points for value in inputs if value.points is not None]
    named = {str(pointee.which) for pointee in pointees if pointee.kind in ("global", "function")}
    return named | {str(v.route[1]) for v in inputs if v.in_heap and v.route and v.route[0] == "global"}


def _callbacks(inputs: Sequence[InputValue]) -> dict[int, str]:
    """The callbacks of a test in the order in which it names them, with their machine types."""
    found: dict[int, str] = {}
    for value in inputs:
        if value.points is not None and value.points.kind == "callback":
            found.setdefault(int(value.points.which), _PLAIN)
    for value in inputs:
        if value.kind == "call" and isinstance(value.value, int) and found.get(value.value, _PLAIN) == _PLAIN:
            found[value.value] = value.type
    return found


def _stub(name: str, signature: str) -> Iterator[str]:
    match = _SIGNATURE.fullmatch(signature)
    result = TYPES.get(match[1], "void") if match else "void"
    kinds = [kind for kind in match[2].split(",") if kind] if match else []
    parameters = ", ".join(f"{TYPES.get(kind, 'void *')} a{place}" for place, kind in enumerate(kinds))
    pointers = ", ".join(f"a{place}" if kind == "ptr" else "0" for place, kind in enumerate(kinds))
    yield f"static {result} {name}({parameters or 'void'}) {{"
    yield f"  void *given[] = {{ {pointers}{', ' if pointers else ''}0 }};"
    if result == "void":
        yield f"  clew_called(given, {len(kinds)}, 0, 0);"
    else:
        yield f"  {result} result = 0;"
        yield f"  clew_called(given, {len(kinds)}, &result, sizeof result);"
        yield "  return result;"
    yield "}"


# The call


def call_lines(entry: str, call: CallPlan) -> Iterator[str]:
    """The call of the function with the inputs of the test that runs."""
    for number, slot in enumerate(call.parameters):
        if slot.type == "bytes":
            yield f"struct clew_bytes_{number} {{ unsigned char bytes[{max(1, slot.count)}]; }};"
        elif slot.type == "words":
            yield f"struct clew_words_{number} {{ unsigned long long words[{max(1, slot.count)}]; }};"
    yield ""
    yield "__attribute__((constructor)) static void clew_call(void) {"
    yield "  clew_change(0, 0, 0);"
    types = [_type(number, slot) for number, slot in enumerate(call.parameters)]
    arguments = ", ".join(_argument(number, slot) for number, slot in enumerate(call.parameters))
    result = TYPES.get(call.result, "void")
    target = f"(({result} (*)({', '.join(types) or 'void'}))CLEW_ENTRY)({arguments})"
    yield f"  clew_at = {call.inputs};"
    yield f"  {target};" if result == "void" else f"  int result = (int){target};"
    yield "  exit(0);" if result == "void" else "  exit(result & 255);"
    yield "}"
    yield ""


def _type(number: int, slot: Slot) -> str:
    if slot.type in ("bytes", "words"):
        return f"struct clew_{slot.type}_{number}"
    return TYPES[slot.type]


def _argument(number: int, slot: Slot) -> str:
    if slot.type == "bytes":
        return f"*(struct clew_bytes_{number} *)clew_given_objects[{slot.given}]"
    if slot.type == "words":
        words = ", ".join(f"clew_word({slot.input + index})" for index in range(slot.count))
        return f"(struct clew_words_{number}){{ {{ {words} }} }}"
    if slot.type == "ptr":
        return f"clew_parameter({slot.pointer})"
    if slot.type == "i1":
        return f"(_Bool)(clew_integer(clew_input({slot.input})) & 1)"
    if slot.type in ("f32", "f64", "i128"):
        return f"({{ {TYPES[slot.type]} x; clew_copy(&x, clew_input({slot.input}), sizeof x); x; }})"
    return f"({TYPES[slot.type]})clew_word({slot.input})"
