"""Random C programs with several assertions each, small enough to know the truth about every one of them.

``generate(seed)`` is deterministic. A draft is drawn first, with places ``observe(guard, value)``; the values that all
inputs bring to each place, found natively, decide what is asserted there: something that always holds by a hair's
breadth, something that fails for the rarest value only, now and then something that never holds.

    verify_writer -> verify_shapes -> verify_programs (here); verify_native knows the truth

``shrink`` makes a program smaller as long as something stays true of it.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from oracle.verify_native import Truth, enumerate_inputs
from oracle.verify_shapes import SHAPES, call_of_handler, call_to_mark, into_a_loop
from oracle.verify_writer import LEAST, MOST, Array, Cell, Pointer, Scope, Shape, Writer

INPUT_BITS = 6
SIZE = 4
MOST_ASSERTIONS = 14

HEAD = """\
#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
struct pair { int x; unsigned char y; short z; };
struct node { int v; struct node *next; };
typedef int handler_type(int);
"""

OBSERVE = re.compile(r"^(?P<pad> *)observe\((?P<guard>.*?), (?P<value>.*)\);$")
FUNCTION = re.compile(r"^static (?:struct )?\w+ \*?(\w+)\(")


@dataclass(frozen=True)
class VerifyProgram:
    """C source; its assertions, each on a line of its own, and whether some input violates them."""

    seed: int
    source: str
    truth: Truth


def generate(seed: int, size: int = SIZE, input_bits: int = INPUT_BITS, irreducible: bool = False) -> VerifyProgram:
    """The program of a seed: ``size`` statements in main, at most ``2 ** input_bits`` inputs.

    ``irreducible`` programs may jump into loops.
    """
    random = Random(f"{seed} {size} {input_bits}")
    draft = _draft(random, size, input_bits, (*SHAPES, into_a_loop) if irreducible else SHAPES)
    with tempfile.TemporaryDirectory(prefix="verify-") as name:
        seen = enumerate_inputs(draft, Path(name))
        source = _with_assertions(draft, seen, random)
        return VerifyProgram(seed, source, enumerate_inputs(source, Path(name)))


# --- the draft


def _draft(random: Random, size: int, input_bits: int, shapes: tuple[Shape, ...]) -> str:
    w = Writer(random, input_bits)
    w.shapes = tuple(
        shape for shape in shapes if shape not in (call_of_handler, call_to_mark)
    )  # the table's functions come first
    _globals(w)
    w.shapes = shapes
    for make in random.sample(HELPERS, k=random.randint(3, 5)):
        outer, calls = w.scope, w.calls
        w.scope = Scope(list(outer.cells), list(outer.arrays), list(outer.pointers), list(outer.records), 1)
        call = make(w)
        w.scope, w.calls = outer, [*calls, call]
    _main(w, size)
    return HEAD + "\n".join(_used(w.lines)) + "\n"


def _globals(w: Writer) -> None:
    scope, random = w.scope, w.random
    for number, type_ in enumerate(
        ("int", "int", random.choice(("unsigned char", "signed char", "short", "unsigned")))
    ):
        w.line(f"static {type_} g{number} = {w.constant()};")
        scope.cells.append(Cell(f"g{number}", type_, 0))
    for number in range(2):
        w.line(f"static int ing{number} = 0;")
        scope.cells.append(Cell(f"ing{number}", "int", 0, fixed=(0, 7)))
    w.line(f"static int ga[4] = {{{', '.join(w.constant() for _ in range(4))}}};")
    w.line(f"static unsigned char gb[8] = {{{', '.join(w.constant(0, 99) for _ in range(3))}}};")
    w.line(f"static struct pair gr = {{{w.constant()}, {w.constant()}, {w.constant()}}};")
    w.line(f"static struct pair rows[3] = {{{{1, 2, 3}}, {{4, {w.constant()}, 6}}, {{7, 8, {w.constant()}}}}};")
    w.line(f"static int *gp = &{random.choice(('g0', 'g1', 'ga[1]', 'gr.x'))};")
    scope.arrays += [Array("ga", "int", 4, 0), Array("gb", "unsigned char", 8, 0)]
    scope.pointers.append(Pointer("gp", 0))
    w.add_record("gr", 0)
    for number in range(3):
        with w.block(f"static int t{number}(int x)"):
            w.scope.cells.append(Cell("x", "int", 1))
            w.statements(random.randint(0, 2))
            w.line(f"return {w.expression().text};")
    for number in range(3):
        marked = random.choice(("g1", "g1", "ga[1]", "gr.x"))
        with w.block(f"static int mark{number}(int x)"):
            w.line(f"{f'if (x == {w.constant(0, 2)}) ' if w.chance(0.5) else ''}{marked} = {random.randint(10, 99)};")
            w.line(f"return {random.choice(('x', str(number), w.constant()))};")
    w.line("static handler_type *const marks[3] = {mark0, mark1, mark2};")
    w.line("static handler_type *const table[3] = {t0, t1, t2};")
    w.line(f"static handler_type *handler = t{random.randrange(3)};")


def _main(w: Writer, size: int) -> None:
    w.in_main = True
    with w.block("int main(void)"):
        w.nesting = 0
        w.read_input(w.random.choice((2, 3)))
        w.read_input(w.random.choice((1, 2, 3)))
        for type_ in ("int", "int", w.random.choice(("unsigned char", "signed char", "short", "unsigned"))):
            w.declare(type_)
        if w.chance(0.5):
            w.declare_array(length=w.random.choice((3, 4)))
        if w.chance(0.5):
            w.declare_record()
        w.declare_pointer()
        _spread(w)
        for _ in range(size):
            w.random.choice((w.statement, w.call, w.shape, w.shape, w.shape))()
        w.observe()
        w.observe(w.random.choice([cell for cell in w.scope.cells if cell.level == 0]).text)
        w.line("return 0;")
        w.nesting = 1


def _spread(w: Writer) -> None:
    """Bring the inputs into memory, or else most of the program would do the same whatever they are."""
    inputs = [cell.text for cell in w.scope.cells if re.fullmatch(r"in\d+", cell.text)]
    for number in range(2):
        w.line(f"ing{number} = {w.random.choice(inputs)};")
    for _ in range(3):
        place = w.writable()
        first, second = w.random.choice(inputs), w.random.choice(inputs)
        w.line(
            f"{place.text} = {w.random.choice((first, f'{first} + {second}', f'{first} & 1', f'{first} - {second}'))};"
        )


def _used(lines: list[str]) -> list[str]:
    """Without the functions that nothing names."""
    while True:
        begins = {m[1]: at for at, line in enumerate(lines) if (m := FUNCTION.match(line))}
        text = "\n".join(lines)
        unused = [name for name in begins if len(re.findall(rf"\b{name}\b", text)) == 1]
        if not unused:
            return lines
        at = begins[unused[0]]
        lines = lines[:at] + lines[lines.index("}", at) + 1 :]


# --- functions: each helper writes one, and gives a way to call it


def _store_result(w: Writer, call: str) -> None:
    """In two steps: C does not say whether the place is worked out before the call or after it."""
    place = w.writable()
    w.line(f"{{ const int got = {call}; {place.text} = ({place.type})got; }}")


def _calculation(w: Writer) -> Shape:
    """Early returns, reads and writes of globals, maybe assertions of its own."""
    name = w.name("calc")
    with w.block(f"static int {name}(int x, unsigned char y)"):
        w.scope.cells += [Cell("x", "int", w.scope.level), Cell("y", "unsigned char", w.scope.level)]
        w.line(f"if ({w.condition(1)[1:-1]}) return {w.expression().text};")
        w.statements(w.random.randint(1, 3))
        if w.chance(0.5):
            with w.block(f"if ({w.condition(1)[1:-1]})"):
                w.assign()
                w.line(f"return {w.expression().text};")
        w.line(f"return {w.expression().text};")
    return lambda w: _store_result(w, f"{name}({w.fitting('int')}, {w.small(8)})")


def _putting(w: Writer) -> Shape:
    """A store through a pointer, not on every path; often called twice in a row."""
    name = w.name("put")
    with w.block(f"static void {name}(int *p, int x)"):
        w.scope.cells.append(Cell("x", "int", w.scope.level))
        w.scope.pointers.append(Pointer("p", w.scope.level))
        if w.chance(0.6):
            w.line(f"if ({w.condition(1)[1:-1]}) return;")
        w.line(f"*p = {w.random.choice(('x', '(x & 7) + (*p & 3)', w.fitting('int')))};")
        if w.chance(0.5):
            w.statement()

    def call(w: Writer) -> None:
        for _ in range(w.random.randint(1, 2)):
            w.line(f"{name}({w.address()}, {w.fitting('int')});")

    return call


def _swapping(w: Writer) -> Shape:
    name = w.name("swap")
    with w.block(f"static void {name}(int *p, int *q)"):
        w.line("int kept = *p;")
        w.line("*p = *q;")
        if w.chance(0.3):
            w.line(f"if ({w.condition(1)[1:-1]}) return;")
        w.line("*q = kept;")
    return lambda w: w.line(f"{name}({w.address()}, {w.address()});")


def _picking(w: Writer) -> Shape:
    """A pointer as a result."""
    name = w.name("pick")
    with w.block(f"static int *{name}(int x, int *p, int *q)"):
        w.scope.cells.append(Cell("x", "int", w.scope.level))
        w.line(f"if ({w.condition(1)[1:-1]}) return p;")
        w.line(f"*p = {w.fitting('int')};")
        w.line(f"return {w.random.choice(('q', 'q', f'({w.comparison(1)}) ? q : &g1'))};")

    def call(w: Writer) -> None:
        value = w.fitting("int")
        w.line(f"*{name}({w.fitting('int')}, {w.address()}, {w.address()}) = {value};")

    def keep(w: Writer) -> None:
        pointer = w.random.choice(w.scope.pointers)
        w.line(f"{pointer.text} = {name}({w.small(4)}, {w.address(pointer.level)}, {w.address(pointer.level)});")

    return lambda w: w.random.choice((call, keep))(w)


def _recursion(w: Writer) -> Shape:
    name = w.name("rec")
    with w.block(f"static int {name}(int n, int *p)"):
        w.scope.cells.append(Cell("n", "int", w.scope.level, fixed=(0, 3)))
        w.scope.pointers.append(Pointer("p", w.scope.level))
        w.line(f"if (n == 0) return {w.expression(1).text};")
        w.work = 3
        w.statements(w.random.randint(1, 2))
        local = w.declare()
        w.line(f"int down = {name}(n - 1, {w.random.choice(('p', 'p', f'&{local}', '&g0'))});")
        w.assign()
        w.line(f"return (down & 31) * 2 + ({local} & 1);")
        w.work = 1
    return lambda w: _store_result(w, f"{name}({w.small(4)}, {w.address()})")


def _finding(w: Writer) -> Shape:
    """A loop over the caller's array with a return in its middle."""
    name = w.name("find")
    with w.block(f"static int {name}(int *a, int n, int x)"):
        w.scope.cells.append(Cell("x", "int", w.scope.level))
        with w.loop("for (int i = 0; i < n; i++)", 4):
            w.scope.cells.append(Cell("i", "int", w.scope.level, fixed=(0, 3)))
            w.line(f"if (a[i] {w.random.choice(('==', '>'))} x) return i;")
            if w.chance(0.4):
                w.line(f"a[i] = {w.fitting('int', 1)};")
        w.line("return n;")

    def call(w: Writer) -> None:
        array = w.ints()
        count = w.random.choice((str(array.length), w.small(array.length + 1)))
        _store_result(w, f"{name}({array.text}, {count}, {w.small(8)})")

    return call


def _filling(w: Writer) -> Shape:
    name = w.name("fill")
    with w.block(f"static void {name}(int *a, int n, int x)"):
        w.line(f"while (n-- > 0) a[n] = {w.random.choice(('x', 'n', '(x & 7) + n', 'n ? a[n - 1] : x'))};")

    def call(w: Writer) -> None:
        array = w.ints()
        w.line(f"{name}({array.text}, {w.small(array.length + 1)}, {w.fitting('int')});")
        if w.chance(0.5):
            w.observe(f"{array.text}[{w.random.randrange(array.length)}]")

    return call


def _record_step(w: Writer) -> Shape:
    """A struct changed through a pointer, and returned by value."""
    name = w.name("step")
    with w.block(f"static struct pair {name}(struct pair *s, int x)"):
        w.scope.cells.append(Cell("x", "int", w.scope.level))
        w.add_record("s", w.scope.level, "->")
        w.line("struct pair old = *s;")
        w.statements(w.random.randint(1, 2))
        w.line(f"s->{w.random.choice('xyz')} = {w.constant()};")
        w.line(f"if ({w.condition(1)[1:-1]}) return *s;")
        w.line("return old;")

    def call(w: Writer) -> None:
        w.line(f"{w.random.choice(w.scope.records)} = {name}(&{w.random.choice(w.scope.records)}, {w.fitting('int')});")

    return call


def _dispatch(w: Writer) -> Shape:
    """A call through a table."""
    return lambda w: _store_result(w, f"table[{w.small(3)}]({w.fitting('int')})")


HELPERS = (
    _calculation, _calculation, _putting, _putting, _swapping, _picking, _recursion, _finding, _filling, _record_step,
    _dispatch,
)  # fmt: skip


# --- the assertions


@dataclass(frozen=True)
class _Claim:
    """Something to assert about a value; ``holds`` is the same for values known."""

    text: str
    holds: Callable[[int], bool]


def _with_assertions(draft: str, seen: Truth, random: Random) -> str:
    lines = draft.splitlines()
    places = [number for number, line in enumerate(lines, 1) if OBSERVE.match(line)]
    kept = set(random.sample(places, min(len(places), MOST_ASSERTIONS)))
    runs = list(seen.events)
    for number in places:
        found = OBSERVE.match(lines[number - 1])
        assert found is not None
        pad, guard = found["pad"], found["guard"]
        if number not in kept:
            lines[number - 1] = f"{pad};"
            continue
        value = f"(int)({found['value']})"
        claim, runs = _claim(value, number, runs, random)
        holds = claim.text if guard == "1" else f"!{guard} || {claim.text}"
        plain = random.random() < 0.8
        lines[number - 1] = pad + (f"assert({holds});" if plain else f"if (!({holds})) reach_error();")
    return "\n".join(lines) + "\n"


def _claim(value: str, line: int, runs: list[_Run], random: Random) -> tuple[_Claim, list[_Run]]:
    """A claim for the observations on a line, and what is left of the runs if it is asserted.

    A claim that fails is taken only if most runs get past it, or else the later ones would be about nothing.
    """
    count = Counter(seen for run in runs for at, seen in run if at == line)
    if not count:
        number = random.randint(0, 3)
        return _Claim(f"{value} == {number}", lambda v: v == number), runs
    if random.random() < 0.55:
        drawn = random.choice(_failing(value, count))
        left = [_until(run, line, drawn) for run in runs]
        lost = sum(len(run) for run in runs) - sum(len(run) for run in left)
        if lost * 4 <= sum(len(run) for run in runs):
            return drawn, left
    return random.choice(_true(value, count)), runs


_Run = list[tuple[int, int]]


def _until(run: _Run, line: int, claim: _Claim) -> _Run:
    """The run up to where the claim fails, that place included."""
    for at, (where, value) in enumerate(run):
        if where == line and not claim.holds(value):
            return run[: at + 1]
    return run


def _failing(value: str, count: Counter[int]) -> list[_Claim]:
    low, high, rarest = min(count), max(count), min(count, key=lambda v: (count[v], v))
    return [
        _Claim(f"{value} != {_number(rarest)}", lambda v: v != rarest),
        _Claim(f"{value} != {_number(rarest)}", lambda v: v != rarest),
        _Claim(f"{value} < {_number(high)}", lambda v: v < high),
        _Claim(f"{value} > {_number(low)}", lambda v: v > low),
        _Claim(f"{value} < {_number(low)}", lambda v: False),
    ]


def _true(value: str, count: Counter[int]) -> list[_Claim]:
    low, high = min(count), max(count)
    texts = [f"{value} <= {_number(high)}", f"{value} >= {_number(low)}"]
    missing = [v for v in range(max(low - 1, LEAST), min(low + 40, high + 1, MOST) + 1) if v not in count]
    texts += [f"{value} != {_number(v)}" for v in (missing[:1] + missing[-1:] if missing else ())]
    if len(count) <= 3:
        texts += [" || ".join(f"{value} == {_number(v)}" for v in sorted(count))] * 2
    if len({v & 1 for v in count}) == 1:
        texts.append(f"({value} & 1) == {low & 1}")
    return [_Claim(text, lambda v: True) for text in texts]


def _number(value: int) -> str:
    return str(value) if value > LEAST else f"(-{MOST} - 1)"
