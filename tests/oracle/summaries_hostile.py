"""Loops outside of the theory: nothing about them may be claimed that does not hold, and nothing may be lost.

Each shape writes one loop, with what stands before it and a place to look at behind it. Where a variable might never
meet its bound there is another way out.
"""

from __future__ import annotations

from collections.abc import Callable

from oracle.summaries_writer import IterationWriter, Place

Shape = Callable[[IterationWriter], None]

CALLED = """\
struct node { int key; const struct node *next; };
static const struct node gnodes[4] = {{3, &gnodes[1]}, {1, &gnodes[2]}, {4, &gnodes[3]}, {2, 0}};
static void push(int *p, int by) {
  *p += 2;
  if (COND(by > 3)) *p += 1;
}
static void pull(int *p, int by) {
  if (COND(*p == by)) *p = 0;
  else *p += 1;
}
static void nudge(int *p, int by) {
  if (COND(by & 1)) *p += by;
}
static void settle(int *p, int by) { *p = *p < by ? by : *p + 1; }
static int tally(void) {
  gtally.n += 1;
  return gtally.n;
}
static int within(int a, int b) {
  gcount++;
  return a < b;
}
static int descend(int n, int by) {
  int t = 0;
  if (COND(n <= 0)) return by;
  for (int i = 0; COND(i < n); i++) t += by;
  return t + descend(n - 1, by);
}
static int spread(int n, int by) {
  int t = 0;
  for (int i = 0; COND(i < n); i++) {
    t++;
    if (COND(i < 2)) t += spread(n - 2, by);
  }
  gcount += by;
  return t;
}
static int twice(int v) { return v * 2 + 1; }
static int upward(int v) { return v + 3; }
struct packed { unsigned few : 3; int some : 5; unsigned rest : 24; };
static struct packed gpacked = {0};
static _Bool gtruth = 0;
union halves { unsigned whole; unsigned char parts[4]; };
static union halves gunion = {0};
static unsigned char gbytes[8] = {0};
"""
"""What the shapes call, and places for them."""


def _bound(w: IterationWriter) -> str:
    """Where to end: mostly an input, sometimes cut down."""
    if not w.inputs or w.chance(0.15):
        return w.constant(1, 12)
    source = w.random.choice(w.inputs)
    text = source.text if source.low >= -40 and source.high <= 40 else f"({source.text} & {w.random.choice((7, 15))})"
    return f"{text} + {w.constant(1, 4)}" if w.chance(0.3) else text


def _counting(w: IterationWriter, type_: str = "int") -> tuple[Place, str]:
    """A counter from zero, and the head of the loop over it."""
    i = Place(w.name("i"), type_)
    step = w.random.choice(("++", "++", "++", " += 2", " += 3"))
    return i, f"for ({type_} {i.text} = 0; COND({i.text} < {_bound(w)}); {i.text}{step})"


def _accumulators(w: IterationWriter) -> None:
    """Sums, products, shifts and swaps of what moves."""
    a, b, (i, head) = w.home(), w.home(), _counting(w)
    with w.around(head, [i, a]):
        for _ in range(w.random.choice((1, 1, 2))):
            x = w.random.choice((a, b)).text
            w.line(
                w.random.choice(
                    (f"{x} += {i.text};", f"{x} = (({x} & 255) * 2);", f"{x} ^= {i.text};", f"{x} = {i.text} - {x};",
                     f"{x} += {i.text} & 1;", f"{x} = {b.text}; {b.text}++;", f"{x} |= 1 << ({i.text} & 7);",
                     f"{x} = ({x} & 63) + {b.text} / 2;", f"{x} = {i.text};", f"{x} += {i.text} > 3;")
                )
            )  # fmt: skip
    w.look(a.text)


def _bends(w: IterationWriter) -> None:
    """What moves moves by more, or by less, each time; it may turn round on the way."""
    a, d, (i, head) = w.home(), w.local("int", w.random.choice(("0", "5", "-4", "-7", w.fixed()))), _counting(w)
    with w.around(head, [i, a, d]):
        steps = [f"{a.text} += {d.text};", f"{d.text} += {w.random.choice(('1', '1', '2', '-1', '-3', w.fixed()))};"]
        if w.chance(0.3):
            steps = [f"{a.text} += {w.random.choice((i.text, f'{i.text} - 6', f'8 - 2 * {i.text}'))};"]
        w.random.shuffle(steps)
        for step in steps:
            w.line(step)
        if w.chance(0.4):
            w.line(f"if (COND({a.text} {w.random.choice(('<', '>', '<=', '=='))} {w.fixed()})) break;")
        for _ in range(w.random.choice((0, 1, 1))):
            w.look(w.random.choice((a, a, d)).text, w.random.choice(("break;", "reach_error();", "break;")))
    w.look(a.text)


def _phases(w: IterationWriter) -> None:
    """Another step from some iteration on, or in every second one."""
    a, (i, head) = w.home(), _counting(w)
    test = w.random.choice(
        (f"{i.text} < {w.fixed()}", f"{i.text} & 1", f"{i.text} == {w.constant(0, 6)}", f"{i.text} % 3 == 1",
         f"{a.text} > {w.constant(0, 9)}", f"{i.text} >= 4", w.fixed() + " > 2")
    )  # fmt: skip
    with w.around(head, [i, a]):
        with w.block(f"if (COND({test}))"):
            w.line(f"{a.text} += {w.constant(1, 3)};")
            if w.chance(0.3):
                w.line(w.random.choice(("continue;", f"{i.text}++;", f"{i.text} += 2;", "break;")))
        if w.chance(0.6):
            with w.block("else"):
                w.line(f"{a.text} {w.random.choice(('-= 1', '+= 5', '= 0', '+= 2'))};")
    w.look(a.text)


def _table_guard(w: IterationWriter) -> None:
    """A guard about the contents of an array, some of them inputs."""
    bound = _bound(w)
    if w.inputs:
        w.line(f"gtable[{w.constant(0, 7)}] = {w.random.choice(w.inputs).text};")
    i = w.local("int", "0").text
    test = f"COND(gtable[{i} & 7] {w.random.choice(('!=', '<', '>='))} {w.constant(0, 5)})"
    with w.around(f"while (COND({i} < {bound}) && {test})", [Place(i, "int")]):
        if w.chance(0.5):
            w.line(f"gtable[{i} & 7]{w.random.choice(('++', ' = 1', ' += 2'))};")
        w.line(f"{i}++;")
    w.look(i)


def _array_writes(w: IterationWriter) -> None:
    i, head = _counting(w)
    with w.around(head, [i]):
        index = w.random.choice((f"{i.text} & 7", f"{i.text} & 7", f"{i.text}", f"({i.text} * 3) & 7"))
        w.line(f"gtable[{index}] {w.random.choice(('=', '+='))} {w.random.choice((i.text, '1', w.fixed()))};")
        if w.chance(0.3):
            w.line(f"if (COND(gtable[{w.constant(0, 7)}] > 4)) {w.out()}")
    w.look(f"gtable[{w.constant(0, 7)}]")


def _inputs_inside(w: IterationWriter) -> None:
    """Every iteration reads an input of its own."""
    a, name, most = w.home(), w.name("in"), w.random.choice((2, 3))
    if w.left < 2**most or w.depth:
        return _phases(w)
    w.left //= 2**most
    i = w.name("i")
    with w.around(f"for (int {i} = 0; COND({i} < {most}); {i}++)", [a]):
        w.line(f"IN({name}, int, int, 0, 1);")
        w.line(f"if (COND({name} == 1)) {w.random.choice((f'{a.text} += 3;', f'{a.text}++;', 'break;', f'{i}++;'))}")
        if w.chance(0.4):
            w.line(f"{a.text} += {name};")
    w.look(a.text)
    return None


def _callee_moves(w: IterationWriter) -> None:
    """A function changes what the loop counts with, through a pointer."""
    i, how = w.local("int", "0").text, w.random.choice(("push", "pull", "nudge", "settle"))
    fuel = w.local("int", "0")
    with w.around(f"while (COND({i} < {_bound(w)}))", [Place(i, "int"), fuel]):
        w.line(f"{how}(&{i}, {w.random.choice((w.fixed(), '1', '3'))});")
        if w.chance(0.5):
            w.line(f"{i}++;")
        w.line(f"if (COND(++{fuel.text} > 12)) break;")
    w.look(i)


def _aliases(w: IterationWriter) -> None:
    """A pointer that is, or is not, to the variable of the loop."""
    a, b, p, fuel = w.local("int"), w.local("int", "0"), w.name("p"), w.local("int", "0")
    test = f"COND({w.random.choice([source.text for source in w.inputs] or ['sink'])} > {w.constant(0, 3)})"
    w.line(f"int *{p} = {test} ? &{a.text} : &{b.text};")
    with w.around(f"while (COND({b.text} < {_bound(w)}))", [a, b]):
        w.line(f"*{p} += {w.constant(1, 2)};")
        if w.chance(0.5):
            w.line(f"{b.text}++;")
        if w.chance(0.2):
            w.line(f"{p} = &{w.random.choice((a, b)).text};")
        w.line(f"if (COND(++{fuel.text} > 15)) break;")
    w.look(a.text)


def _several_levels(w: IterationWriter) -> None:
    """Out of the inner and the outer loop at once, or back into the outer one."""
    a, label, (i, head) = w.home(), w.name("out"), _counting(w)
    j, inner = _counting(w)
    with w.around(head, [i, a]):
        with w.around(inner, [j, a]):
            w.move(a)
            test = w.random.choice(
                (f"{i.text} + {j.text} == {w.fixed()}", f"{i.text} == {j.text}", f"{i.text} * {j.text} > {w.fixed()}",
                 f"{a.text} == {w.fixed()}")
            )  # fmt: skip
            w.line(f"if (COND({test})) {w.random.choice((f'goto {label};', 'break;', 'continue;', 'return 0;'))}")
        if w.chance(0.4):
            w.move(a)
    w.line(f"{label}: ;")
    w.look(a.text)


def _triangle(w: IterationWriter) -> None:
    """The inner loop's bound is the outer loop's variable."""
    a, (i, head), j = w.home(), _counting(w), w.name("j")
    with w.around(head, [i, a]):
        begin, end = w.random.choice((("0", i.text), (i.text, w.constant(2, 8)), ("0", f"{i.text} + 1")))
        with w.around(f"for (int {j} = {begin}; COND({j} < {end}); {j}++)", [a]):
            w.move(a)
            if w.chance(0.2):
                w.line(f"{i.text}++;")
    w.look(a.text)


def _side_effects(w: IterationWriter) -> None:
    """Guards that change something, themselves or in a function."""
    a, bound = w.local("int", "0"), _bound(w)
    head = w.random.choice(
        (f"while (COND({a.text}++ < {bound}))", f"while (COND(({a.text} += 2) < {bound}))",
         f"while (COND(tally() < {bound}))", f"while (COND({a.text}++ < {bound}) && COND(tally() < 9))",
         f"for (; COND(++{a.text} != {bound}) && COND({a.text} < 30);)", f"while (COND(within({a.text}, {bound})))")
    )  # fmt: skip
    with w.around(head, [a]):
        w.line(w.random.choice(("sink++;", "gcount++;", "gcount += 2;", f"{a.text}++;")))
        if "within" in head:
            w.line(f"{a.text}++;")
    w.look(w.random.choice((a.text, "gcount", "gtally.n")))


def _wrapping(w: IterationWriter) -> None:
    """Variables that pass the end of their type on the way."""
    a, type_ = w.home(), w.random.choice(("unsigned char", "signed char", "unsigned char"))
    step, bound = w.random.choice((1, 3, 7, 51, 100)), w.fixed()
    u = w.local(type_, w.random.choice(("(unsigned char)250", "0", "120", w.fixed()))).text
    fuel = w.local("int", "0")
    relation = w.random.choice(("!=", "<", ">", "<="))
    with w.around(f"while (COND({u} {relation} {bound}))", [Place(u, type_), a]):
        w.line(f"{u} {w.random.choice(('+=', '+=', '-='))} {step};")
        w.move(a, "1")
        w.line(f"if (COND(++{fuel.text} > {w.random.choice((10, 50))})) break;")
    w.look(w.random.choice((u, a.text)))


def _cut_off(w: IterationWriter) -> None:
    """The guard sees only a part of the variable, or sees it as another type."""
    a, (i, _) = w.local(), _counting(w)
    seen = w.random.choice(
        (f"(unsigned char){a.text}", f"(signed char)({a.text} * 3)", f"({a.text} & 15)", f"(unsigned){a.text}",
         f"{a.text} / 3", f"(short){a.text}", f"{a.text} % 7", f"{a.text} * {a.text}", f"-{a.text}")
    )  # fmt: skip
    relation = w.random.choice(("<", "!=", "<=", ">"))
    with w.around(f"for (int {i.text} = 0; COND({seen} {relation} {_bound(w)}); {i.text}++)", [a, i]):
        w.move(a)
        w.line(f"if (COND({i.text} >= {w.random.choice((6, 20))})) break;")
    w.look(a.text)


def _changing_step(w: IterationWriter) -> None:
    """The step is changed as the loop runs; it may be zero, or change its sign."""
    a, s, fuel = w.local("int"), w.local("int", w.random.choice(("1", "0", "3", w.fixed()))), w.local("int", "0")
    with w.around(f"while (COND({a.text} < {_bound(w)}))", [a, s, fuel]):
        w.line(f"{a.text} += {s.text};")
        change = w.random.choice((f"{s.text}++;", f"{s.text}--;", f"{s.text} = {w.constant(1, 4)};", ""))
        if change:
            w.line(f"if (COND({fuel.text} {w.random.choice(('==', '<', '>'))} {w.constant(1, 4)})) {change}")
        w.line(f"if (COND(++{fuel.text} > 14)) break;")
    w.look(a.text)


def _flag(w: IterationWriter) -> None:
    """What ends the loop is set inside."""
    done, i, a = w.name("done"), w.name("i"), w.home()
    w.line(f"int {done} = 0, {i} = 0;")
    with w.around(f"while (COND({done} == 0))", [a]):
        w.line(f"if (COND({i} >= {_bound(w)})) {done} = 1;")
        w.move(a)
        w.line(f"{i}++;")
        w.line(f"if (COND({i} > 30)) {done}++;")
    w.look(a.text)


def _machine(w: IterationWriter) -> None:
    q, a, (i, head) = w.name("q"), w.home(), _counting(w)
    w.line(f"int {q} = {w.constant(0, 1)};")
    with w.around(head, [i, a]), w.block(f"switch (SWITCH({w.random.choice((q, q, f'({i.text} & 3)'))}))"):
        for case in range(w.random.choice((2, 3))):
            then = w.random.choice((f"{q} = {w.constant(0, 3)};", f"{a.text}++;", f"{q}++; {a.text} += 2;"))
            w.line(f"case {case}: {then} break;")
        if w.chance(0.7):
            w.line(f"default: {w.random.choice((f'{q} = 0;', f'{a.text}--;', f'{q}--;'))}")
    w.look(w.random.choice((q, a.text)))


def _faults(w: IterationWriter) -> None:
    """Undefined behaviour in some iteration."""
    a, (i, head) = w.local("int", w.random.choice(("0", "2147483640", "-2147483640"))), _counting(w)
    with w.around(head, [i, a]):
        w.line(
            w.random.choice(
                (f"gtable[{i.text}] += 1;", f"sink = 100 / ({w.fixed()} - {i.text});",
                 f"{a.text} += {w.constant(1, 3)};", f"{a.text} -= {w.fixed()};",
                 f"sink = 100 % ({i.text} - {w.constant(1, 7)});",
                 f"gcells[{w.fixed()} - {i.text}] = 1;", f"{a.text} = {i.text} * 400000000;")
            )
        )  # fmt: skip
    w.look(a.text)


def _walks(w: IterationWriter) -> None:
    """A pointer is what moves."""
    p, a, step = w.name("p"), w.home(), w.random.choice((1, 1, 2))
    end = f"({w.random.choice([source.text for source in w.inputs] or ['5'])} & 7)"
    relation = w.random.choice(("<", "!=")) if step == 1 else "<"
    head = f"for (int *{p} = gtable; COND({p} {relation} gtable + {end}); {p} += {step})"
    with w.around(head, [a]):
        w.line(
            w.random.choice((f"{a.text}++;", f"{a.text} += *{p};", f"*{p} = {a.text};", f"if (COND(*{p} == 3)) break;"))
        )
    w.look(w.random.choice((a.text, f"gtable[{w.constant(0, 7)}]")))


def _list(w: IterationWriter) -> None:
    p, a = w.name("p"), w.home()
    w.line(f"const struct node *{p} = &gnodes[{w.random.choice(('0', '1', w.constant(0, 3)))}];")
    with w.around(f"while (COND({p} != 0))", [a]):
        w.line(f"if (COND({p}->key == {w.fixed()})) {w.random.choice(('break;', f'{a.text} += 10;'))}")
        w.line(f"{a.text}++;")
        w.line(f"{p} = {p}->next;")
    w.look(a.text)


def _recursion(w: IterationWriter) -> None:
    """Loops on several levels of a recursive function."""
    w.line(f"sink = {w.random.choice(('descend', 'spread'))}(({_bound(w)}) & 7, ({w.fixed()}) & 3);")
    w.look(w.random.choice(("sink", "gcount")))


def _assumed(w: IterationWriter) -> None:
    a, (i, head) = w.home(), _counting(w)
    with w.around(head, [i, a]):
        w.move(a)
        w.line(f"__VERIFIER_assume({w.random.choice((i.text, a.text))} {w.random.choice(('!=', '<'))} {w.fixed()});")
    w.look(a.text)


def _indirect(w: IterationWriter) -> None:
    """The step is made by a function that a pointer names."""
    a, f, (i, head) = w.local("int", "0"), w.name("f"), _counting(w)
    test = f"COND({w.random.choice([source.text for source in w.inputs] or ['sink'])} > {w.constant(0, 3)})"
    w.line(f"int (*{f})(int) = {test} ? twice : upward;")
    with w.around(head, [i, a]):
        w.line(f"{a.text} = {f}({a.text}) & 1023;")
        if w.chance(0.3):
            w.line(f"{f} = upward;")
    w.look(a.text)


def _floating(w: IterationWriter) -> None:
    d, a, (i, head) = w.name("d"), w.home(), _counting(w)
    w.line(f"double {d} = 0;")
    with w.around(head, [i, a]):
        w.line(f"{d} += {w.random.choice(('0.5', '1', '2.25'))};")
        w.line(f"if (COND({d} > {w.constant(1, 6)})) {w.random.choice((f'{a.text}++;', 'break;'))}")
    w.look(w.random.choice((f"(int){d}", a.text)))


def _once(w: IterationWriter) -> None:
    """At most one or two rounds."""
    a = w.home()
    i = w.name("i")
    w.line(f"int {i} = {w.random.choice(('0', w.fixed()))};")
    with w.around(f"while (COND({i} {w.random.choice(('==', '<'))} {w.constant(1, 2)}))", [a]):
        w.move(a)
        w.line(f"{i} {w.random.choice(('= 5', '+= 100', '+= 1000'))};")
    w.look(a.text)


def _heap(w: IterationWriter) -> None:
    p, (i, head) = w.name("p"), _counting(w)
    w.line(f"int *{p} = malloc(sizeof(int));")
    w.line(f"*{p} = {w.start()};")
    with w.around(head, [i]):
        w.line(f"*{p} += {w.constant(1, 3)};")
        if w.chance(0.4):
            w.line(f"if (COND(*{p} == {w.fixed()})) break;")
    w.line(f"sink = *{p};")
    w.line(f"free({p});")
    w.look("sink")


def _parts(w: IterationWriter) -> None:
    """What moves is a part of something: some bits, one byte, a byte of what is also read as a whole."""
    (i, head), way = _counting(w), w.random.randrange(5)
    place = ("gpacked.few", "gpacked.some", "gtruth", "gunion.whole", "gbytes[3]")[way]
    with w.around(head, [i]):
        step = w.random.choice(("++", " += 3", " += 100", " -= 1")) if place != "gtruth" else " += 1"
        if place == "gunion.whole" and w.chance(0.7):
            w.line(f"gunion.parts[{w.constant(0, 3)}]{step};")
        else:
            w.line(f"{place}{step};")
        if w.chance(0.4):
            w.line(f"if (COND({place} {w.random.choice(('==', '>'))} {w.constant(0, 9)})) break;")
    w.look(place)


def _bulk(w: IterationWriter) -> None:
    """Library functions and copies of structs change more than one cell."""
    (i, head), whole = _counting(w), w.name("copy")
    w.line(f"struct tally {whole} = gtally;")
    with w.around(head, [i]):
        w.line(
            w.random.choice(
                (f"memset(gbytes, {i.text}, {w.constant(1, 8)});", "memcpy(gbytes + 1, gbytes, 4);",
                 f"{whole}.n++; gtally = {whole};", f"gtally = {whole}; gtally.n += {i.text};",
                 f"gbytes[{i.text} & 7] = memcmp(gbytes, gbytes + 4, 4) == 0;",
                 f"memmove(gbytes, gbytes + 1, 7); gbytes[0] += {w.constant(1, 3)};")
            )
        )  # fmt: skip
    w.look(w.random.choice(("gbytes[0]", "gbytes[3]", "gtally.n", f"{whole}.n")))


def _entered_in_the_middle(w: IterationWriter) -> None:
    """A switch into the body of a loop."""
    a, n = w.home(), w.local("int", f"({_bound(w)}) & 15")
    w.line(f"switch (SWITCH({n.text} & 3)) {{")
    w.line("case 0:")
    with w.around("do", [a, n]):
        w.line(f"{a.text}++;")
        w.line("case 1:")
        w.line(f"{a.text} += 2;")
        w.line("default:")
        w.line(f"{n.text} -= 4;")
    w.lines[-1] += f" while (COND({n.text} > 0));"
    w.line("}")
    w.look(a.text)


def _allocating(w: IterationWriter) -> None:
    """Every iteration has an object of its own."""
    a, (i, head), p = w.home(), _counting(w), w.name("p")
    with w.around(head, [i, a]):
        w.line(f"int *{p} = malloc(sizeof(int) * {w.random.choice(('1', '2', f'({i.text} + 1)'))});")
        w.line(f"*{p} = {w.random.choice((i.text, a.text, '3'))};")
        w.line(f"{a.text} += {w.random.choice((f'*{p}', '1', '2'))};")
        w.line(f"free({p});")
    w.look(a.text)


def _own_memory(w: IterationWriter) -> None:
    """Locals of the body whose addresses are taken, and one that keeps its value."""
    a, (i, head), x = w.home(), _counting(w), w.name("x")
    with w.around(head, [i, a]):
        w.line(f"int {x} = {w.random.choice(('0', i.text, a.text))};")
        w.line(f"push(&{x}, {w.random.choice((i.text, '2', w.fixed()))});")
        w.line(f"{a.text} {w.random.choice(('=', '+='))} {x};")
    w.look(a.text)


HOSTILE: tuple[Shape, ...] = (
    _accumulators, _accumulators, _bends, _bends, _bends, _phases, _phases, _table_guard, _array_writes, _inputs_inside,
    _callee_moves, _aliases, _several_levels, _several_levels, _triangle, _side_effects, _side_effects,
    _wrapping, _wrapping, _cut_off, _cut_off, _changing_step, _changing_step, _flag, _machine, _faults, _faults,
    _walks, _list, _recursion, _assumed, _indirect, _floating, _once, _heap, _parts, _parts, _bulk,
    _entered_in_the_middle, _allocating, _own_memory,
)  # fmt: skip
