"""Shapes in which a fact learned on one path is easily taken for a fact about all of them.

Values that flow through memory across joins, loops that overwrite one cell or run zero times, pointers chosen on one of
two branches, stores in callees, values that change places between rounds, early exits, one block reached with different
memory. Each shape is a function that writes a few statements around what is in scope.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

from oracle.verify_writer import Cell, Pointer, Writer


@contextmanager
def _rounds(w: Writer, bound: str, most: int, first: str = "0") -> Iterator[str]:
    """A loop up to a bound; gives the name of its variable."""
    i = w.name("i")
    with w.loop(f"for (int {i} = {first}; {i} < {bound}; {i}++)", most):
        w.scope.cells.append(Cell(i, "int", w.scope.level, fixed=(0, most - 1)))
        yield i


def _loop_that_may_not_run(w: Writer) -> None:
    """A load after a loop of zero or more rounds sees what the loop stored, or what was there before."""
    array = w.ints()
    limit, at = w.name("n"), w.random.randrange(array.length)
    w.line(f"const int {limit} = {w.small(3)};")
    with _rounds(w, limit, 3):
        w.line(f"{array.text}[{at}] = {w.fitting('int')};")
        if w.chance(0.4):
            w.leave_loop()
    w.observe(f"{array.text}[{at}]", w.random.choice(("1", f"({limit} == 0)", f"({limit} > 0)")))


def _overwriting(w: Writer) -> None:
    """Every round overwrites the same cell with something made of its old value."""
    cell, limit = w.writable().text, w.name("n")
    w.line(f"const int {limit} = {w.small(4)};")
    with _rounds(w, limit, 3) as i:
        w.line(f"{cell} = {w.random.choice((f'({cell} & 7) * 2 + {i}', i, f'({cell} ^ {w.small(8)}) & 15'))};")
        if w.chance(0.5):
            w.observe(cell)
    w.observe(cell)


def _chosen_pointer(w: Writer) -> None:
    """A store through a pointer that one of two branches chose; what it did not point to keeps its value."""
    first, second, pointer = w.declare(), w.declare(), w.name("p")
    if w.chance(0.5):
        w.line(f"int *{pointer} = ({w.test()}) ? &{first} : &{second};")
    else:
        w.line(f"int *{pointer} = &{first};")
        with w.block(f"if ({w.test()})"):
            w.line(f"{pointer} = {w.random.choice((f'&{second}', w.address()))};")
    w.scope.pointers.append(Pointer(pointer, w.scope.level))
    if w.chance(0.4):
        w.statement()
    w.line(f"*{pointer} = {w.fitting('int')};")
    for cell in (first, second):
        if w.chance(0.7):
            w.observe(cell, w.random.choice(("1", f"({pointer} == &{cell})", f"({pointer} != &{cell})")))


def _pointer_to_pointer(w: Writer) -> None:
    p, q, pp = w.declare_pointer(), w.declare_pointer(), w.name("pp")
    w.line(f"int **{pp} = ({w.test()}) ? &{p} : &{q};")
    w.line(f"*{pp} = {w.address()};")
    w.line(f"*{p} = {w.fitting('int')};")
    w.observe(f"*{w.random.choice((p, q, '*' + pp))}")


def _changing_places(w: Writer) -> None:
    """Values that move round through two or three variables: phis that depend on each other."""
    names = [w.declare() for _ in range(w.random.choice((2, 3)))]
    limit, kept = w.name("n"), w.name("t")
    w.line(f"const int {limit} = {w.small(5)};")
    with _rounds(w, limit, 4):
        w.line(f"int {kept} = {names[0]};")
        for left, right in pairwise(names):
            w.line(f"{left} = {right};")
        w.line(f"{names[-1]} = {kept};")
        if w.chance(0.4):
            w.leave_loop()
    w.observe(w.random.choice(names))
    w.observe(f"({names[0]} == {names[1]})")


def _swapping_in_memory(w: Writer) -> None:
    array = w.ints()
    i, j = w.index(array.length), w.index(array.length)
    times, kept = w.small(3), w.name("t")
    with _rounds(w, times, 2):
        w.line(f"int {kept} = {array.text}[{i}];")
        w.line(f"{array.text}[{i}] = {array.text}[{j}];")
        w.line(f"{array.text}[{j}] = {kept};")
    w.observe(f"{array.text}[{w.random.randrange(array.length)}]")


def _search(w: Writer) -> None:
    """A loop that ends early, and the place where it ended used afterwards."""
    array, at, key = w.ints(), w.name("k"), w.name("n")
    w.line(f"const int {key} = {w.small(6)};")
    w.line(f"int {at} = 0;")
    if w.chance(0.5):
        w.line(f"while ({at} < {array.length} && {array.text}[{at}] != {key}) {at}++;")
    else:
        with w.loop(f"for (; {at} < {array.length}; {at}++)", array.length):
            w.line(f"if ({array.text}[{at}] == {key}) break;")
            w.line(f"{array.text}[{at}] = {w.fitting('int', 1)};")
    w.scope.cells.append(Cell(at, "int", w.scope.level, fixed=(0, array.length)))
    with w.block(f"if ({at} < {array.length})"):
        w.observe(f"{array.text}[{at}]", "1" if w.chance(0.5) else f"({at} != {w.random.randrange(array.length)})")
        w.assign()
    if w.chance(0.5):
        w.observe(at)


def _walking_pointer(w: Writer) -> None:
    array, p = w.ints(), w.name("w")
    w.line(f"int *{p} = {array.text};")
    with w.loop(f"while ({p} < {array.text} + {array.length} && *{p} != {w.small(4)})", array.length):
        w.line(f"*{p}++ = {w.fitting('int', 1)};")
    w.observe(f"(int)({p} - {array.text})")
    w.observe(f"{array.text}[{w.random.randrange(array.length)}]")


def _different_memory(w: Writer) -> None:
    """Two ways to one block, each with stores of its own; the block reads both cells."""
    first, second = w.writable(), w.writable()
    with w.block(f"if ({w.test()})"):
        w.line(f"{first.text} = {w.fitting(first.type)};")
    with w.block("else"):
        w.line(f"{second.text} = {w.fitting(second.type)};")
    if w.chance(0.4):
        w.statement()
    a, b = first.text, second.text
    w.observe(w.random.choice((f"(({a} & 7) + ({b} & 7))", a, b, f"({a} == {b})")))


def _same_test_twice(w: Writer) -> None:
    """A flag that decides twice: what holds under it at the second place is not true of all paths."""
    flag, value = w.name("f"), w.declare("int", "0")
    w.line(f"const int {flag} = {w.test()};")
    with w.block(f"if ({flag})"):
        w.line(f"{value} = {w.fitting('int')};")
        if w.chance(0.4):
            w.statement()
    w.statement()
    with w.block(f"if ({w.random.choice(('', '!'))}{flag})"):
        w.observe(value)
        if w.chance(0.4):
            w.statement()


def _set_on_one_path(w: Writer) -> None:
    """A variable without a value on the paths that never read it."""
    value, known = w.name("u"), w.name("f")
    w.line(f"int {value};")
    w.line(f"const int {known} = {w.test()};")
    w.line(f"if ({known}) {value} = {w.fitting('int')};")
    if w.chance(0.5):
        w.statement()
    with w.block(f"if ({known} && {w.condition(1)})"):
        w.observe(value)
        w.line(f"{w.writable().text} = {value} & 15;")


def _store_here_load_there(w: Writer) -> None:
    """Two indices that may or may not be the same."""
    array = w.ints()
    i, j = w.name("i"), w.name("j")
    w.line(f"const int {i} = {w.small(array.length)};")
    w.line(f"const int {j} = {w.small(array.length)};")
    w.line(f"{array.text}[{i}] = {w.fitting('int')};")
    if w.chance(0.6):
        w.line(f"{array.text}[{j}] = {w.fitting('int')};")
    w.observe(f"{array.text}[{w.random.choice((i, j))}]", w.random.choice(("1", f"({i} != {j})", f"({i} == {j})")))


def _nested_loops(w: Writer) -> None:
    """The inner loop's bound comes from the outer one; a counter in memory."""
    cell = w.writable()
    n, left = w.name("n"), w.chance(0.4)
    w.line(f"const int {n} = {w.small(4)};")
    with _rounds(w, n, 3) as i:
        with _rounds(w, w.random.choice((n, "2", i)), 3, w.random.choice(("0", i))) as j:
            if left:
                w.leave_loop()
            w.line(f"{cell.text} = ({cell.text} & 7) + {w.small(3)} + {j};")
        if w.chance(0.4):
            w.assign()
    w.observe(f"(int){cell.text}")


def _nested_exit(w: Writer) -> None:
    """A goto out of two loops."""
    array, label = w.ints(), w.name("out_of")
    k = w.name("k")
    w.line(f"int {k} = 0;")
    with _rounds(w, "3", 3), _rounds(w, "2", 2):
        w.line(f"if {w.condition(2)} goto {label};")
        w.line(f"{array.text}[{w.index(array.length)}] = {w.fitting('int', 1)};")
        w.line(f"{k}++;")
    w.line(f"{k} = 100;")
    w.line(f"{label}:;")
    w.observe(k)
    w.observe(f"{array.text}[{w.index(array.length)}]")


def into_a_loop(w: Writer) -> None:
    """A loop with two entries."""
    i, label, cell = w.name("i"), w.name("into"), w.writable()
    w.line(f"int {i} = 0;")
    w.line(f"if ({w.test()}) goto {label};")
    with w.loop(f"while ({i} < 2)", 2):
        w.line(f"{cell.text} = {w.fitting(cell.type)};")
        w.line(f"{label}:;")
        w.assign()
        w.line(f"{i}++;")
    w.observe(f"(int){cell.text}")


def _copied_record(w: Writer) -> None:
    """A struct copied on one of two paths, then one of the two changed."""
    first, second = w.declare_record(), w.declare_record()
    with w.block(f"if ({w.test()})"):
        w.line(f"{second} = {first};")
    w.line(f"{w.random.choice((first, second))}.x = {w.fitting('int')};")
    if w.chance(0.4):
        w.line(f"struct pair *{(p := w.name('r'))} = ({w.test()}) ? &{first} : &{second};")
        w.line(f"{p}->{w.random.choice('yz')} += {w.constant(1, 3)};")
    w.observe(f"{w.random.choice((first, second))}.{w.random.choice('xyz')}")


def _array_of_records(w: Writer) -> None:
    w.line(f"rows[{w.small(3)}].{w.random.choice('xyz')} = {w.constant(0, 99)};")
    bound = w.random.choice(("3", w.small(4)))
    with _rounds(w, bound, 3) as i, w.block(f"if (rows[{i}].y == {w.small(5)})"):
        w.line(f"rows[{i}].x = {w.fitting('int')};")
    w.observe(f"rows[{w.small(3)}].{w.random.choice('xyz')}")


def _linked(w: Writer) -> None:
    """A list of three locals, linked in an order that depends on a test."""
    names = [w.name("e") for _ in range(3)]
    for number, name in enumerate(names):
        w.line(f"struct node {name} = {{{number + 1}, 0}};")
    a, b, c = (f"&{name}" for name in names)
    head, step = w.name("list"), w.name("e")
    w.line(f"struct node *{head} = {a};")
    with w.block(f"if ({w.test()})"):
        w.line(f"{names[0]}.next = {b};")
    with w.block("else"):
        w.line(f"{head} = {c};")
        w.line(f"{names[2]}.next = {w.random.choice((a, b))};")
    total = w.declare("int", "0")
    with w.loop(f"for (struct node *{step} = {head}; {step}; {step} = {step}->next)", 3):
        w.line(f"{total} = {total} * 4 + {step}->v;")
        w.line(f"{step}->v = {w.small(4)};")
    w.observe(total)
    w.observe(f"{w.random.choice(names)}.v")


def _bytes_of_an_int(w: Writer) -> None:
    """A byte of an int changed, the whole read."""
    value, p = w.declare(), w.name("b")
    w.line(f"unsigned char *{p} = (unsigned char *)&{value};")
    w.line(f"{p}[{w.small(2)}] = {w.fitting('unsigned char')};")
    w.observe(w.random.choice((value, f"{p}[{w.random.randrange(4)}]")))


def _copied_bytes(w: Writer) -> None:
    second, first = w.ints(), w.declare_array()
    count = w.random.choice(("sizeof(int)", f"{w.small(3)} * sizeof(int)", "2 * sizeof(int)"))
    if w.chance(0.7):
        w.line(f"memcpy({first.text} + {w.small(2)}, {second.text}, {count});")
    else:
        w.line(f"memset({first.text}, {w.small(2)}, {count});")
    w.observe(f"{first.text}[{w.random.randrange(first.length)}]")


def _allocated(w: Writer) -> None:
    p = w.name("h")
    w.line(f"int *{p} = malloc(2 * sizeof(int));")
    w.line(f"if (!{p}) exit(0);")
    w.line(f"{p}[0] = {w.fitting('int')};")
    w.line(f"{p}[1] = {w.fitting('int')};")
    w.line(f"{p}[{w.small(2)}] = {w.fitting('int')};")
    w.observe(f"{p}[{w.random.randrange(2)}]")
    w.line(f"free({p});")


def _fall_through(w: Writer) -> None:
    """Cases that fall into each other, all changing the same cell."""
    cell = w.declare("int", w.constant(0, 3))
    with w.block(f"switch ({w.small(4)})"):
        for case in w.random.sample(range(4), 3):
            w.line(f"case {case}: {cell} = {cell} * 2 + {case};")
            if w.chance(0.3):
                w.line("break;")
        w.line(f"default: {cell} += {w.constant(1, 5)};")
    w.observe(cell)


def call_of_handler(w: Writer) -> None:
    """A function pointer in memory, changed on one path, called after the join."""
    with w.block(f"if ({w.test()})"):
        w.line(f"handler = table[{w.small(3)}];")
    place = w.writable()
    # In two steps: C does not say whether the place is worked out before the call or after it.
    w.line(f"{{ const int got = handler({w.small(8)}); {place.text} = ({place.type})got; }}")
    w.observe(place.text)


# The same for values that only the path decides: if a fact about one path is taken for one about all, an assertion that
# fails on one path only is lost.


def _rare(w: Writer) -> str:
    """A test of an input that few runs pass."""
    inputs = [cell for cell in w.scope.cells if cell.text.startswith("in")]
    cell = w.random.choice(inputs)
    assert cell.fixed is not None
    return f"{cell.text} == {w.random.randint(0, cell.fixed[1])}"


def _marked_in_a_loop(w: Writer) -> None:
    """A store in some round of a loop, seen in later rounds or behind the loop."""
    cell, mark = w.writable(), w.random.randint(10, 99)
    w.line(f"{cell.text} = {w.constant()};")
    with _rounds(w, w.random.choice(("2", "3", w.small(4))), 3) as i:
        if w.chance(0.7):
            w.observe(cell.text)
        with w.block(f"if ({_rare(w)}{w.random.choice(('', f' && {i} == 1', f' && {i} != 0'))})"):
            w.line(f"{cell.text} = {mark};")
            if w.chance(0.3):
                w.line(w.random.choice(("break;", "continue;")))
        if w.chance(0.3):
            w.leave_loop()
    w.observe(cell.text)


def _input_in_every_round(w: Writer) -> None:
    """Each round reads an input and may change what later rounds and the code behind the loop see."""
    rounds = min(3, w.bits)
    if not w.in_main or w.work > 1 or rounds < 2:
        return _marked_in_a_loop(w)
    w.bits -= rounds
    cell, mark, given = w.writable(), w.random.randint(10, 99), w.name("b")
    count = w.declare("int", "0")
    w.line(f"{cell.text} = {w.constant()};")
    with _rounds(w, str(rounds), rounds) as i:
        w.line(f"int {given} = __VERIFIER_nondet_bool();")
        with w.block(f"if ({given})"):
            w.line(w.random.choice((f"{count}++;", f"{count} = {count} * 2 + 1;", f"{count} = {i};")))
        with w.block(
            f"{w.random.choice(('else ', ''))}if ({w.random.choice((f'{i} == 1', f'{count} == 1', _rare(w)))})"
        ):
            w.line(f"{cell.text} = {w.random.choice((str(mark), count, i))};")
            if w.chance(0.3):
                w.line(w.random.choice(("break;", "continue;")))
        w.observe(w.random.choice((cell.text, count)))
        if w.chance(0.4):
            w.assign()
    w.observe(cell.text)
    w.observe(count)
    return None


def _first_round_differs(w: Writer) -> None:
    """What holds in one round of a loop and not in the next, or the other way round."""
    last, rounds = w.declare("int", w.constant(0, 3)), w.random.choice(("3", "4", w.small(5)))
    cell = w.writable()
    w.line(f"{cell.text} = {w.constant()};")
    with _rounds(w, rounds, 4) as i:
        w.observe(w.random.choice((last, cell.text)))
        with w.block(
            f"if ({w.random.choice((f'{last} == {w.constant(0, 3)}', f'{i} == {w.constant(1, 3)}', _rare(w)))})"
        ):
            w.line(f"{cell.text} = {w.random.randint(10, 99)};")
        w.line(f"{last} = {w.random.choice((i, f'{cell.text} & 7', f'({last} + 1) & 3', w.constant()))};")
    w.observe(w.random.choice((last, cell.text)))


def _marked_before_continue(w: Writer) -> None:
    """A loop whose rounds end in several places."""
    cell, i = w.writable(), w.name("i")
    w.line(f"{cell.text} = {w.constant()};")
    w.line(f"int {i} = {w.small(2)};")
    with w.loop(f"while ({i} < 3)", 3):
        w.line(f"{i}++;")
        w.observe(cell.text)
        with w.block(f"if ({_rare(w)}{w.random.choice(('', f' && {i} == 2'))})"):
            w.line(f"{cell.text} = {w.random.randint(10, 99)};")
            w.line("continue;")
        w.line(f"if ({w.test()}) continue;")
        w.assign()
    w.observe(cell.text)


def _marked_place(w: Writer) -> None:
    """A store to a place that only the path decides; loads from there and from others."""
    array, at, mark = w.ints(), w.name("k"), w.random.randint(10, 99)
    places = w.random.sample(range(array.length), 2)
    w.line(f"int {at} = {places[0]};")
    with w.block(f"if ({_rare(w)})"):
        w.line(f"{at} = {places[1]};")
    if w.chance(0.7):
        w.line(f"{array.text}[{at}] = {mark};")
    if w.chance(0.4):
        w.branch()
    w.observe(f"{array.text}[{w.random.choice((at, str(places[0]), str(places[1])))}]")
    w.observe(f"{array.text}[{w.random.choice((at, str(places[1])))}]")


def _marked_pointer(w: Writer) -> None:
    """A pointer that only the path decides, read and written through."""
    first, second = w.declare("int", w.constant()), w.declare("int", w.constant())
    pointer = w.name("p")
    w.line(f"int *{pointer} = &{first};")
    with w.block(f"if ({_rare(w)})"):
        w.line(f"{pointer} = &{second};")
    w.scope.pointers.append(Pointer(pointer, w.scope.level))
    if w.chance(0.3):
        w.branch()
    if w.chance(0.6):
        w.line(f"*{pointer} = {w.random.randint(10, 99)};")
    w.observe(w.random.choice((f"*{pointer}", first, second)))
    w.observe(w.random.choice((f"*{pointer}", second)))


def _marked_copy(w: Writer) -> None:
    """Something copied in bulk whose contents the path decides."""
    first, second = w.declare("int", "0"), w.declare("int", "0")
    with w.block(f"if ({_rare(w)})"):
        w.line(f"{first} = {w.random.randint(10, 99)};")
    if w.chance(0.5):
        w.line(f"memcpy(&{second}, &{first}, sizeof {second});")
        w.observe(second)
    else:
        record, other = w.declare_record(), w.declare_record()
        w.line(f"{record}.x = {first};")
        w.line(f"{other}.x = 0;")
        w.line(f"{other} = {record};")
        w.observe(f"{other}.x")


def _assumed_on_one_path(w: Writer) -> None:
    """What is assumed on one path says nothing about the others."""
    inputs = [cell for cell in w.scope.cells if cell.text.startswith("in")]
    cell = w.random.choice(inputs)
    with w.block(f"if ({_rare(w)})"):
        w.line(f"__VERIFIER_assume({cell.text} {w.random.choice(('<', '!=', '>='))} {w.constant(1, 3)});")
    if w.chance(0.4):
        w.statement()
    w.observe(cell.text)


def call_to_mark(w: Writer) -> None:
    """One function of several changes a global; a load after the call."""
    w.line(f"g1 = {w.constant()};")
    if w.chance(0.5):
        w.line(f"handler = marks[{w.small(3)}];")
    else:
        w.line("handler = marks[0];")
        with w.block(f"if ({_rare(w)})"):
            w.line(f"handler = marks[{w.random.randint(1, 2)}];")
    result = w.declare("int", f"handler({w.random.choice(('1', w.small(4)))})")
    if w.chance(0.4):
        w.branch()
    w.observe(w.random.choice(("g1", "g1", "ga[1]", "gr.x")))
    w.observe(result)


def _many_ways(w: Writer) -> None:
    """Some ways through a few branches, of which one leaves a mark."""
    cell, mark = w.writable(), w.random.randint(10, 99)
    w.line(f"{cell.text} = {w.constant()};")
    for number in range(w.random.randint(2, 3)):
        with w.block(f"if ({w.test() if number else _rare(w)})"):
            if number == 0 or w.chance(0.3):
                w.line(f"{cell.text} = {mark if number == 0 else w.constant()};")
            else:
                w.assign()
        if w.chance(0.5):
            with w.block("else"):
                w.assign()
    w.observe(cell.text)


def _flags(w: Writer) -> None:
    """Several independent bits gathered one by one: many paths to each later block."""
    bits = w.declare("int", "0")
    for number in range(w.random.randint(2, 3)):
        w.line(f"if ({w.test()}) {bits} |= {1 << number};")
    with w.block(f"if ({bits} {w.random.choice(('==', '!=', '<'))} {w.random.randint(1, 6)})"):
        w.body()
    w.observe(bits)


SHAPES = (
    _loop_that_may_not_run, _overwriting, _chosen_pointer, _pointer_to_pointer, _changing_places, _swapping_in_memory,
    _search, _walking_pointer, _different_memory, _same_test_twice, _set_on_one_path, _store_here_load_there,
    _nested_loops, _nested_exit, _copied_record, _array_of_records, _linked, _bytes_of_an_int, _copied_bytes,
    _allocated, _fall_through, call_of_handler, _flags,
)  # fmt: skip
MARKS = (
    _marked_in_a_loop, _input_in_every_round, _first_round_differs, _marked_before_continue,
    _marked_place, _marked_pointer, _marked_copy, _assumed_on_one_path,
    call_to_mark, _many_ways,
)  # fmt: skip
SHAPES += MARKS * 3
