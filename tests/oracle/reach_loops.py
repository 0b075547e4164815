"""Loops of every shape that ``clew reach`` meets, each written around a body that ``reach_writer`` draws.

Bounds are constants, inputs, or variables of the loop around. All loops end: what they count with moves in every round
and cannot miss its bound.
"""

from __future__ import annotations

from oracle.reach_writer import MOST_WORK, LoopWriter
from oracle.verify_writer import Cell

SIGNED = ("int", "int", "int", "long", "short")


def _bound(w: LoopWriter, least: int = 0) -> tuple[str, int]:
    """Where a loop ends, and its largest value; never below ``least``."""
    known = [cell for cell in (*w.inputs(), *w.rounds()) if cell.fixed and cell.fixed[0] >= 0]
    room = max(MOST_WORK // w.work, 2)
    if known and w.chance(0.6):
        cell = w.random.choice(known[-3:])
        assert cell.fixed is not None
        low, high = cell.fixed
        add = w.random.choice((0, 0, 1, 2)) if low >= least else least + w.random.randint(0, 1)
        text, most = (f"{cell.text} + {add}" if add else cell.text), high + add
        if most * 2 <= room and w.chance(0.15):
            text, most = f"({text}) * 2", most * 2
        if most <= room:
            return text, most
    number = w.random.choice((2, 3, 3, 4, 4, 5, 6, 8, 12))
    number = max(min(number, room), least)
    return str(number), number


def _variable(w: LoopWriter, name: str, low: int, high: int) -> Cell:
    return Cell(name, "int", w.scope.level + 1, fixed=(low, high))


def _up(w: LoopWriter) -> None:
    i, type_ = w.name("i"), w.random.choice((*SIGNED, "unsigned", "unsigned char", "unsigned short"))
    bound, most = _bound(w)
    begin, step = w.random.choice((0, 0, 0, 1, 2)), w.random.choice((1, 1, 1, 1, 2, 3, 4))
    test = w.random.choice(("<", "<", "<", "<=")) if begin or step > 1 else w.random.choice(("<", "<", "<=", "!="))
    move = f"{i}++" if step == 1 else f"{i} += {step}"
    with w.around(
        f"for ({type_} {i} = {begin}; {i} {test} {bound}; {move})", most + 1, _variable(w, i, begin, max(most, begin))
    ):
        w.body(3)


def _down(w: LoopWriter) -> None:
    i, (bound, most) = w.name("i"), _bound(w)
    step, test = w.random.choice((1, 1, 2, 3)), w.random.choice((">", ">="))
    type_ = "unsigned" if step == 1 and test == ">" and w.chance(0.3) else w.random.choice(SIGNED)
    with w.around(f"for ({type_} {i} = {bound}; {i} {test} 0; {i} -= {step})", most + 1, _variable(w, i, 0, most)):
        w.body(3)


def _symbolic_step(w: LoopWriter) -> None:
    """The step is an input."""
    i, c, steps = w.name("i"), w.name("c"), w.inputs()
    if not steps:
        return _up(w)
    cell = w.random.choice(steps)
    assert cell.fixed is not None
    low = cell.fixed[0]
    w.line(f"const int {c} = {cell.text if low > 0 else f'{cell.text} + {1 - low}'};")
    bound, most = _bound(w)
    if w.chance(0.6):
        head = f"for (int {i} = 0; {i} < {bound}; {i} += {c})"
    else:
        head = f"for (int {i} = {bound}; {i} > 0; {i} -= {c})"
    with w.around(head, most, _variable(w, i, 0, most)):
        w.body(2)
        if w.chance(0.5):
            w.line(f"{w.place().text} += {c};")
    return None


def _geometric(w: LoopWriter) -> None:
    i, type_ = w.name("i"), w.random.choice(("unsigned", "int", "unsigned char", "long"))
    known = [cell.text for cell in w.inputs() if cell.fixed and cell.fixed[0] >= 0]
    start = w.random.choice(("1", "1", "3", *(f"{text} + 1" for text in known[:1])))
    kind = w.random.randrange(3)
    if kind == 0:
        move, limit = w.random.choice((f"{i} *= 2", f"{i} <<= 1", f"{i} *= 3")), w.random.choice((7, 10, 20, 40))
        head = f"for ({type_} {i} = {start}; {i} {w.random.choice(('<', '<='))} {limit}; {move})"
    else:
        limit = w.random.choice((5, 9, 16, 40))
        start = w.random.choice((str(limit), *(f"{text} + {limit - 8}" for text in known[:1] if limit > 8)))
        move = w.random.choice((f"{i} /= 2", f"{i} >>= 1", f"{i} /= 3"))
        head = f"for ({type_} {i} = {start}; {i} > 0; {move})"
    with w.around(head, 6, _variable(w, i, 0, 130)):
        w.body(2)


def _shrinking(w: LoopWriter) -> None:
    """A while loop whose variable falls by different amounts."""
    x, (bound, most) = w.name("x"), _bound(w)
    type_ = w.random.choice(("int", "int", "short", "signed char"))
    w.line(f"{type_} {x} = {bound};")
    test = w.random.choice((f"{x} > 0", f"{x} >= 1", f"{x} > 0 && ({w.guard()})"))
    with w.around(f"while ({test})", most, _variable(w, x, 0, most), steps=False):
        w.body(2)
        with w.block(f"if ({w.guard()})"):
            w.body(1)
            w.line(f"{x} -= {w.constant(1, 2)};")
        with w.block("else"):
            w.line(f"{x} -= {w.constant(1, 3)};")
    w.line(f"{w.place().text} += {x};")


def _do_while(w: LoopWriter) -> None:
    i, (bound, most) = w.name("i"), _bound(w)
    w.line(f"{w.random.choice(('int', 'int', 'long', 'unsigned char'))} {i} = {w.constant(0, 1)};")
    first, step = w.chance(0.5), w.random.choice((1, 1, 2))
    with w.around("do", most + 1, _variable(w, i, 0, most + 3), f"}} while ({i} < {bound});", steps=first):
        if first:
            w.line(f"{i} += {step};")
        w.body(3)
        if not first:
            w.line(f"{i} += {step};")


def _many_exits(w: LoopWriter) -> None:
    i, (bound, most) = w.name("i"), _bound(w)
    w.line(f"int {i} = 0;")
    with w.around(w.random.choice(("while (1)", "for (;;)")), most + 1, _variable(w, i, 0, most), steps=False):
        for exit_ in w.random.sample((f"{i} >= {bound}", w.guard(), w.guard()), k=3):
            w.line(f"if ({exit_}) break;")
        w.body(2)
        w.line(f"{i}++;")


def _two_indices(w: LoopWriter) -> None:
    i, j, (bound, most) = w.name("i"), w.name("j"), _bound(w, 1)
    move = w.random.choice((f"{i}++, {j}--", f"{i} += 2, {j}--", f"{i}++, {j} += {w.constant(-3, 0)}"))
    with w.around(f"for (int {i} = 0, {j} = {bound}; {i} < {j}; {move})", most, _variable(w, i, 0, most)):
        w.body(2)
        w.line(f"{w.place().text} += {w.random.choice((j, f'{j} - {i}'))};")


def _around_the_corner(w: LoopWriter) -> None:
    """A small type that wraps around on its way to the bound."""
    u, (bound, most) = w.name("u"), _bound(w)
    if w.chance(0.5):
        step, end = w.random.choice((1, 3, 51, 85, 127)), w.random.randrange(256)
        w.line(f"unsigned char {u} = (unsigned char)({end} - {step} * ({bound}));")
        head = f"while ({u} != {end})"
    else:
        step, begin = w.random.choice((1, 2, 3, 20)), w.random.randint(0, 5)
        w.line(f"unsigned char {u} = {begin};")
        head, step, most = f"while ({u} < {w.random.choice((200, 230))})", -step, begin // step + 1
    with w.around(head, most, _variable(w, u, 0, 255), steps=False):
        w.body(2)
        w.line(f"{u} += {step};" if step > 0 else f"{u} -= {-step};")
    w.line(f"{w.place().text} += {u};")


def _moved_inside(w: LoopWriter) -> None:
    """The inner loop moves the outer one on."""
    if w.depth + 1 >= 2 or w.work * 6 > MOST_WORK:
        return _up(w)
    i, j = w.name("i"), w.name("j")
    bound, most = _bound(w)
    if most > 6:
        bound, most = "5", 5
    w.line(f"int {i} = 0;")
    with w.around(f"while ({i} < {bound})", most, _variable(w, i, 0, most + 3), steps=False):
        w.line(f"int {j} = {w.constant(0, 1)};")
        with w.around(f"while ({j} < {w.constant(2, 3)} && ({w.guard()}))", 3, _variable(w, j, 0, 3), steps=False):
            w.line(f"{i}++;")
            w.body(1)
            w.line(f"{j}++;")
        w.body(1)
        w.line(f"{i}++;")
    w.line(f"{w.place().text} += {i};")
    return None


def _search(w: LoopWriter) -> None:
    """The place where it ends is used afterwards."""
    if not w.scope.arrays:
        return _up(w)
    array, i = w.random.choice(w.scope.arrays), w.name("k")
    key = w.random.choice([cell.text for cell in w.inputs()] + ["0", "1"])
    test = w.random.choice(("!=", "!=", "==", "<"))
    w.line(f"int {i} = 0;")
    w.line(f"while ({i} < {array.length} && {array.text}[{i}] {test} {key}) {i}++;")
    w.line(f"{w.place().text} {w.random.choice(('=', '+='))} {i};")
    return None


def _machine(w: LoopWriter) -> None:
    """A word is looked for: states that only a sequence of elements leads through."""
    if not w.scope.arrays:
        return _up(w)
    q, array = w.name("q"), w.random.choice(w.scope.arrays)
    i, states = w.name("i"), w.random.randint(2, 3)
    w.line(f"int {q} = 0;")
    with w.around(
        f"for (int {i} = 0; {i} < {array.length}; {i}++)", array.length, _variable(w, i, 0, array.length - 1)
    ):
        for state in range(states):
            head = "if" if state == 0 else "else if"
            with w.block(f"{head} ({q} == {state} && {array.text}[{i}] == {w.constant(0, 2)})"):
                w.line(f"{q} = {state + 1};")
                if w.chance(0.3):
                    w.store()
        if w.chance(0.5):
            with w.block(f"else if ({q} < {states})"):
                w.line(f"{q} = 0;")
        if w.chance(0.4):
            w.body(1)
    w.line(f"{w.place().text} {w.random.choice(('=', '+='))} {q};")
    return None


def _jumping(w: LoopWriter) -> None:
    """A loop made of goto."""
    i, label, (bound, most) = w.name("i"), w.name("again"), _bound(w)
    w.line(f"int {i} = 0;")
    w.line(f"{label}: ;")
    with w.block("", most + 1):
        w.scope.cells.append(_variable(w, i, 0, most + 1))
        kept, loop, w.in_loop, w.may_continue = w.may_continue, w.in_loop, 0, False
        w.body(2)
        w.may_continue, w.in_loop = kept, loop
    w.line(f"if (++{i} < {bound}) goto {label};")


def _long(w: LoopWriter) -> None:
    """Many rounds that depend on no input but for what they count."""
    i, times = w.name("i"), w.random.choice((40, 100, 300))
    if w.work * times > 600:
        return _up(w)
    x, known = w.place().text, [cell.text for cell in w.inputs()] or ["2"]
    with w.around(f"for (int {i} = 0; {i} < {times}; {i}++)", times, _variable(w, i, 0, times - 1)):
        w.line(f"{x} += {w.random.choice((*known, '1', '3'))};")
        if w.chance(0.5):
            w.line(f"if ({i} % {w.random.choice((3, 7))} == {w.constant(0, 2)}) {w.place().text}++;")
    return None


LOOPS = (
    _up, _up, _up, _up, _down, _down, _symbolic_step, _symbolic_step, _geometric, _shrinking, _do_while, _many_exits,
    _two_indices, _around_the_corner, _moved_inside, _moved_inside, _search, _machine, _jumping, _long,
)  # fmt: skip
