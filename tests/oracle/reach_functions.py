"""Functions for the drawn programs: bodies of loops, whole loops, conditions and checks that are called.

Each maker writes one function and gives a way to call it.
"""

from __future__ import annotations

from oracle.reach_writer import Counter, Helper, LoopWriter

SMALL = (0, 3)
"""The range of arguments that functions rely on."""


def _argument(w: LoopWriter) -> str:
    """A value within ``SMALL``."""
    cells = [*w.rounds(), *w.inputs()]
    element = w.element()
    texts = [w.reduced(cell.value, 4).text for cell in cells] + ([f"({element} & 3)"] if element else [])
    return w.random.choice([*texts, w.constant(0, 3)])


def _bumping(w: LoopWriter) -> Helper:
    """A counter behind a pointer."""
    name = w.name("bump")
    with w.function(f"static void {name}(int *p, int x)", ("return;",), {"x": SMALL}):
        w.counters = [Counter("(*p)", "int"), *w.counters[-1:]]
        if w.chance(0.6):
            w.line(f"if ({w.guard()}) return;")
        w.bump()
        w.line(f"*p += {w.random.choice(('1', '2', 'x', 'x + 1'))};")

    def call(w: LoopWriter) -> None:
        places = [counter.text for counter in w.counters if counter.type == "int"]
        where = w.random.choice(places or ["gcount"])
        w.changed.add(where)
        w.line(f"{name}(&{where}, {_argument(w)});")

    return Helper(call)


def _stepping(w: LoopWriter) -> Helper:
    """The next value of a counter."""
    name = w.name("step")
    with w.function(f"static int {name}(int v, int x)", ("return v;",), {"x": SMALL, "v": None}):
        w.line(f"if ({w.guard()}) return v + {w.constant(1, 3)};")
        if w.chance(0.3):
            w.store()
        if w.chance(0.4):
            w.line(f"if ({w.guard()}) return {w.constant(0, 1)};")
        w.line(f"return v + {w.random.choice(('1', '0', 'x', '2'))};")

    def call(w: LoopWriter) -> None:
        counter = w.place()
        w.line(f"{counter.text} = ({counter.type}){name}((int){counter.text}, {_argument(w)});")

    return Helper(call)


def _ticking(w: LoopWriter) -> Helper:
    """The body of a loop, on globals."""
    name = w.name("tick")
    with w.function(f"static void {name}(int x)", ("return;",), {"x": SMALL}):
        w.branch()
        w.body(2)
    return Helper(lambda w: w.line(f"{name}({_argument(w)});"))


def _deciding(w: LoopWriter) -> Helper:
    """A condition of its own."""
    name = w.name("good")
    with w.function(f"static int {name}(int x)", ("return 0;", "return 1;"), {"x": SMALL}):
        if w.chance(0.5):
            w.bump()
        w.line(f"if ({w.guard()}) return 1;")
        w.line(f"return {w.random.choice(('0', '1', 'x == 2'))};")

    def call(w: LoopWriter) -> None:
        if w.in_loop and w.chance(0.4):
            w.line(f"if (!{name}({_argument(w)})) break;")
        else:
            with w.block(f"if ({name}({_argument(w)}))"):
                w.bump()

    return Helper(call)


def _counting(w: LoopWriter) -> Helper:
    """A whole loop: it counts in a local, and returns that."""
    name, result = w.name("count"), w.name("t")
    with w.function(
        f"static int {name}(int n, int key)", (f"return {result};", "return -1;"), {"n": (0, 4), "key": SMALL}
    ):
        w.line(f"int {result} = {w.constant(0, 2)};")
        w.counters.append(Counter(result, "int"))
        w.random.choice(w.loops)(w)
        if w.chance(0.3):
            w.look()
        w.line(f"return {result};")

    def call(w: LoopWriter) -> None:
        known = [
            cell.text for cell in (*w.inputs(), *w.rounds()) if cell.fixed and 0 <= cell.fixed[0] <= cell.fixed[1] <= 4
        ]
        number = w.random.choice([*known, w.constant(1, 4)])
        counter = w.place()
        w.line(f"{counter.text} {w.random.choice(('=', '+='))} {name}({number}, {_argument(w)});")

    return Helper(call, 20)


def _checking(w: LoopWriter) -> Helper:
    """A target in a function that is called from several places."""
    name = w.name("check")
    with w.function(f"static void {name}(int v, int x)", ("return;",), {"x": SMALL, "v": None}):
        if w.chance(0.4):
            w.line(f"if ({w.guard()}) return;")
        w.observed += 1
        w.line(f"observe(1, {w.random.choice(('v', 'v', 'v + x', 'v - gcount', 'gcount'))});")
        if w.chance(0.4):
            w.bump()
    return Helper(lambda w: w.line(f"{name}((int){w.measured()}, {_argument(w)});"))


HELPERS = (_bumping, _stepping, _ticking, _deciding, _counting, _counting, _checking, _checking)
