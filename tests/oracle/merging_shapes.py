"""Ways through a program that differ in memory, in what they called and in how deep: shapes for merging to fail on.

Each shape makes a difference that some inputs bring about, and mostly a place to look at it. ``PRELUDE`` has what they
work on. What a library keeps for the program is in ``merging_library``.
"""

from __future__ import annotations

from oracle.merging_writer import MergeWriter, Place, Shape

PRELUDE = """\
struct pair { int a; int b; };
struct rich { struct pair in; unsigned few : 3; int some : 4; unsigned char bytes[4]; int *to; };
union both { unsigned whole; unsigned char parts[4]; };
struct node { int key; struct node *next; };
static int zero = 0;
static int sink = 0;
static int gflag = 0;
static int gcount = 0;
static int gcells[4] = {0, 1, 2, 3};
static int gother[4] = {3, 2, 1, 0};
static int gmatrix[2][3] = {{0, 1, 2}, {2, 1, 0}};
static struct pair gpair = {0, 1};
static struct pair gpairs[3] = {{0, 0}, {1, 1}, {2, 2}};
static struct rich grich = {{0, 0}, 0, 0, {0}, 0};
static union both gboth = {0};
static int *gto = &gcount;
static int **gtoto = &gto;
static double gdouble = 1;
static float gfloats[2] = {0, 1};
static const int gtable[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int first(int a, int b) { gcount = (gcount + 1) & 7; return a; }
static int broken(int a, int b) { if (a == 3) reach_error(); return b; }
static int (*gcalled)(int, int) = add;
static int (*gfunctions[4])(int, int) = {add, sub, first, broken};
static int tick(int by) {
  static int n = 0;
  n = (n + by) & 7;
  return n;
}
static int once(int v) {
  static int known = 0;
  static int kept = 0;
  if (!known) {
    known = 1;
    kept = v;
  }
  return kept;
}
static void put(int *p, int v) { if (p) *p = v; }
static int down(int n, int v) {
  if (n <= 0) return v & 7;
  if (v & 1) return down(n - 1, v + 3) + 1;
  return down(n - 1, v + 1);
}
static void fill(int n, int *p) {
  if (n <= 0) return;
  p[n & 3] = n;
  fill(n - 1, p);
}
static struct pair turned(struct pair p) { struct pair q = {p.b, p.a}; return q; }
"""

GLOBALS = (
    Place("gflag"), Place("gcount"), Place("gcells[1]"), Place("gcells[3]"), Place("gother[0]"), Place("gpair.a"),
    Place("gpair.b"), Place("grich.few", False), Place("grich.some", False), Place("grich.in.a"),
    Place("grich.bytes[2]", False), Place("gboth.parts[1]", False), Place("gmatrix[1][2]"), Place("(*gto)"),
    Place("(**gtoto)"), Place("gpairs[1].b"),
)  # fmt: skip


def _twins(w: MergeWriter) -> None:
    """Two decisions in a row, each with a difference; together they matter."""
    x, y = w.place(), w.place()
    for place in (x, y):
        one, other = w.random.sample(range(6), 2)
        with w.block(f"if ({w.test()})"):
            w.line(f"{place.text} = {one};")
        if w.chance(0.7):
            with w.block("else"):
                w.line(f"{place.text} = {other};")
        w.touched.append(place)
    w.look(w.random.choice((f"{x.text} * 8 + {y.text}", f"{x.text} - {y.text}", x.text)))


def _correlated(w: MergeWriter) -> None:
    """The same condition twice: what the first decided makes ways impossible at the second."""
    test, x = w.test(), w.local("int", "0")
    with w.block(f"if ({test})"):
        w.line(f"{x.text} = {w.constant(1, 3)};")
        w.item()
    if w.chance(0.5):
        w.item()
    with w.block(f"if ({test})"):
        w.look(x.text)
    if w.chance(0.6):
        with w.block("else"):
            w.look(w.random.choice((x.text, w.changed())))


def _narrowed(w: MergeWriter) -> None:
    """The state is the same on all ways, and only what is known of an input differs."""
    x = w.input()
    with w.block(f"if ({x} {w.random.choice(('>', '<', '==', '!='))} {w.constant(0, 3)})"):
        w.line(w.random.choice(("sink = 1;", f"__VERIFIER_assume({w.atom()});", "sink++;", "sink = 0;")))
    if w.chance(0.3):
        w.item()
    w.look(w.random.choice((x, f"{x} * 2 - 1", f"({x} & 3)", f"{x} + {w.changed()}")))


def _aliases(w: MergeWriter) -> None:
    """Which object a pointer points to is decided by input; it is written through."""
    x, y, p = w.plain(), w.plain(), w.name("p")
    w.line(f"int *{p} = {w.test()} ? &{x} : &{y};")
    if w.chance(0.3):
        w.line(f"if ({w.test()}) {p} = &{w.plain()};")
    w.line(f"*{p} = {w.value()};")
    if w.chance(0.4):
        w.places.append(Place(f"(*{p})"))
    w.touched += (Place(x), Place(y))
    w.look(w.random.choice((x, y, f"{x} * 4 + {y}", f"(*{p})", f"({p} == &{x})")))


def _retargeted(w: MergeWriter) -> None:
    """A global pointer, or one behind it, or one in a struct, points elsewhere on some ways."""
    target = w.random.choice(("&gcount", "&gflag", "&gcells[2]", "&gpair.b", "gcells + 1"))
    how = w.random.choice((f"gto = {target};", f"*gtoto = {target};", f"grich.to = {target};"))
    w.line(f"if ({w.test()}) {how}")
    if w.chance(0.5):
        w.item()
    if "grich" in how:
        w.line(f"if (grich.to) *grich.to = {w.value()};")
    else:
        w.line(f"{w.random.choice(('*gto', '**gtoto'))} = {w.value()};")
    w.look(w.random.choice(("gcount", "gflag", "gcells[2]", "gpair.b", "gcells[1] + gcount * 4", "*gto")))


def _indexed(w: MergeWriter) -> None:
    """A write, or a read, at an index that is an input."""
    array = w.random.choice(("gcells", "gother", "gmatrix[1]", "grich.bytes", "gboth.parts"))
    length = 3 if array == "gmatrix[1]" else 4
    index = w.random.choice((f"({w.input()} & {length - 1})", f"({w.changed()} & {length - 1})", w.input()))
    if w.chance(0.6):
        with w.block(f"if ({w.test()})"):
            w.line(f"{array}[{index}] = {w.value()};")
    else:
        w.line(f"{array}[{index}] = {w.value()};")
    if w.chance(0.4):
        w.item()
    at = w.constant(0, length - 1)
    w.look(w.random.choice((f"{array}[{at}]", f"{array}[{index}]", f"{array}[0] + {array}[1] * 4 + {array}[2] * 16")))


def _structs(w: MergeWriter) -> None:
    """Structs are copied whole, by value, by memory functions."""
    s = w.name("s")
    w.line(f"struct pair {s} = {{{w.value()}, {w.value()}}};")
    with w.block(f"if ({w.test()})"):
        w.line(
            w.random.choice(
                (f"{s} = gpair;", f"gpair = {s};", f"{s} = turned({s});", f"memcpy(&gpair, &{s}, sizeof {s});",
                 f"gpairs[{w.input()} & 1] = {s};", f"memset(&{s}, 0, sizeof {s});", f"{s}.a = {s}.b;",
                 f"grich.in = {s};", f"memmove(gpairs, gpairs + 1, sizeof {s});")
            )
        )  # fmt: skip
    w.places += (Place(f"{s}.a"), Place(f"{s}.b"))
    w.touched += (Place(f"{s}.a"), Place("gpair.a"))
    w.look(w.random.choice((f"{s}.a", f"{s}.a * 8 + {s}.b", "gpair.a + gpair.b * 8", "gpairs[1].a", "grich.in.b")))


def _statics(w: MergeWriter) -> None:
    """A function keeps something from call to call."""
    name = w.random.choice(("tick", "once"))
    with w.block(f"if ({w.test()})"):
        w.line(f"sink = {name}({w.constant(1, 3)});")
    if w.chance(0.5):
        w.item()
    x = w.place()
    w.line(f"{x.text} = {name}({w.constant(0, 3)});")
    w.touched.append(x)
    w.look(x.text)


def _pointed_functions(w: MergeWriter) -> None:
    """Which function is called was decided by input, here or long ago."""
    x = w.place()
    w.line(
        w.random.choice(
            (f"if ({w.test()}) gcalled = {w.random.choice(('sub', 'first', 'broken'))};",
             f"gcalled = gfunctions[{w.input()} & {w.random.choice((1, 3))}];",
             f"gcalled = {w.test()} ? sub : {w.random.choice(('add', 'broken'))};")
        )
    )  # fmt: skip
    if w.chance(0.6):
        w.item()
    w.line(f"{x.text} = gcalled({w.value()}, {w.value()});")
    w.touched.append(x)
    w.look(w.random.choice((x.text, "gcount", "(gcalled == sub)")))


def _recursion(w: MergeWriter) -> None:
    """The same places on several levels, and ways that come back from different ones."""
    x = w.place()
    if w.chance(0.6):
        w.line(f"{x.text} = down({w.input()} & 3, {w.value()});")
        w.touched.append(x)
        w.look(x.text)
    else:
        w.line(f"fill({w.input()} & 3, {w.random.choice(('gcells', 'gother'))});")
        w.look(w.random.choice(("gcells[1]", "gcells[2] + gother[2] * 4", "gother[3]")))


def _uninitialized(w: MergeWriter) -> None:
    """A variable has a value on some ways only; it may be looked at on others, too."""
    x, test = w.name("u"), w.test()
    w.line(f"UNSET(int {x});")
    w.line(f"if ({test}) {x} = {w.value()};")
    for _ in range(w.random.choice((0, 1, 2))):
        w.line(f"if ({w.test()}) {x} = {w.constant(0, 3)};")
    if w.chance(0.5):
        w.item()
    use = w.random.choice((f"{x} == {w.constant(0, 3)}", f"{x} > 0", f"gtable[{x} & 7] == 9"))
    w.line(f"if (({w.random.choice((test, test, w.test()))}) && {use}) {w.random.choice(('sink++;', 'gcount = 5;'))}")


def _counts(w: MergeWriter) -> None:
    """A loop that counts what holds: many ways to the same number."""
    x, i, source = w.place(), w.name("i"), w.input()
    most = w.random.choice((2, 3, 4))
    with w.loop(f"for (int {i} = 0; {i} < {most}; {i}++)", most):
        step = w.random.choice((f"{x.text} = ({x.text} + 1) & 7;", f"gcells[{i}] = 1;", f"{x.text} ^= {i};"))
        w.line(f"if (({source} >> {i}) & 1) {step}")
        if w.chance(0.3):
            w.line(f"if ({w.test()}) {w.random.choice(('break;', 'continue;', 'sink++;'))}")
    w.touched.append(x)
    w.look(w.random.choice((x.text, "gcells[0] + gcells[1] + gcells[2]")))


def _machine(w: MergeWriter) -> None:
    """A state machine with an input in each round."""
    q, c, i = w.name("q"), w.name("in"), w.name("i")
    if not w.affords(27):
        return _counts(w)
    w.line(f"int {q} = {w.constant(0, 1)};")
    with w.block(f"for (int {i} = 0; {i} < 3; {i}++)"):
        w.line(f"IN({c}, int, int, 0, 2);")
        w.line(f"switch ({q} * 3 + {c}) {{")
        for case in w.random.sample(range(9), w.random.randint(3, 6)):
            then = w.random.choice(
                (f"{q} = {w.constant(0, 2)};", f"{q} = {w.constant(0, 2)};", f"{w.changed()} = {q};")
            )
            w.line(f"case {case}: {then} break;")
        w.line(f"default: {w.random.choice((f'{q} = 0;', 'break;', 'gflag = 1;'))}")
        w.line("}")
    w.look(w.random.choice((q, f"{q} * 4 + {w.changed()}")))
    return None


def _inputs_on_one_way(w: MergeWriter) -> None:
    """An input is read on some ways only, so the next one is another input there."""
    x, y = w.local("int", "0"), w.name("in")
    if not w.affords(9):
        return _twins(w)
    other = w.name("in")
    with w.block(f"if ({w.test()})"):
        w.line(f"IN({other}, int, int, 0, 2);")
        w.line(f"{x.text} = {w.random.choice((other, f'{other} > 1', '1'))};")
    w.line(f"IN({y}, int, int, 0, 2);")
    w.inputs.append(y)
    w.touched.append(x)
    w.look(w.random.choice((f"{x.text} * 4 + {y}", y, f"{x.text} == {y}")))
    return None


def _lists(w: MergeWriter) -> None:
    """A list of as many nodes as inputs say, in places that depend on them."""
    p, n, k = w.name("list"), w.name("n"), w.name("k")
    w.line(f"struct node {n}[3] = {{{{{w.value()}, 0}}, {{{w.value()}, 0}}, {{3, 0}}}}, *{p} = 0;")
    for at in w.random.sample(range(3), w.random.choice((2, 3))):
        w.line(f"if ({w.test()}) {{ {n}[{at}].next = {p}; {p} = &{n}[{at}]; }}")
    w.line(f"int {k} = 0;")
    with w.block(f"for (struct node *i = {p}; i; i = i->next)"):
        w.line(f"{k} = {w.random.choice((f'{k} * 4 + (i->key & 3)', f'{k} + 1', f'{k} + i->key'))};")
    if w.chance(0.3):
        w.line(f"sink = {p}->key;")
    w.look(k)


def _assumed(w: MergeWriter) -> None:
    with w.block(f"if ({w.test()})"):
        w.line(f"__VERIFIER_assume({w.atom()});")
    w.look(w.measure())


def _must_hold(w: MergeWriter) -> None:
    """What some ways cannot survive: nothing behind it was seen on them."""
    x = w.random.choice((w.input(), w.changed()))
    number = w.random.randint(0, 2)
    w.line(
        f"if ({x} {w.random.choice(('==', '>', '<', '!='))} {number}) {w.random.choice(('sink = 1;', 'gflag = 2;'))}"
    )
    w.line(
        w.random.choice(
            (f"__VERIFIER_assume({x} {w.random.choice(('!=', '<', '>'))} {number});", f"sink = 9 / ({x} - {number});",
             f"assert({x} != {number});", f"gcells[{x}] = 1;", f"if ({x} == {number}) exit(0);",
             f"sink = gtable[{x} * 3];")
        )
    )  # fmt: skip
    w.item()
    w.look()


def _kinds(w: MergeWriter) -> None:
    """Several errors at one place, each on other ways."""
    p, a, n = w.name("p"), w.name("a"), w.input()
    w.line(f"int {a}[3] = {{0}}, *{p} = {a};")
    w.line(f"if ({w.test()}) {p} = {w.random.choice(('0', '0', '&gcount', 'gcells + 1'))};")
    with w.block(f"if ({w.test()})"):
        x = w.local("int")
        w.line(f"{p} = &{x.text};")
    w.line(f"if ({w.test()}) {p} += {w.constant(1, 3)};")
    if w.chance(0.3):
        w.item()
    w.line(w.random.choice((f"sink = {p}[{w.constant(0, 1)}];", f"{p}[{n} & 1] = 1;", f"sink = *{p};")))
    w.look()


def _hidden(w: MergeWriter) -> None:
    """A local variable that only a pointer in disguise leads to."""
    x, e = w.name("a"), w.name("e")
    w.line(f"int {x}[2] = {{{w.value()}, 0}};")
    there, back = w.random.choice(((f"~(unsigned long){x}", f"~{e}"), (f"(unsigned long){x} * 2", f"({e} / 2)"),
                                   (f"(unsigned long){x}", e)))  # fmt: skip
    w.line(f"unsigned long {e} = {there};")
    w.line(f"if ({w.test()}) {x}[{w.constant(0, 1)}] = {w.value()};")
    w.item()
    w.look(w.random.choice((f"((int *){back})[0]", f"*((int *){back} + 1)")))


def _unset_memory(w: MergeWriter) -> None:
    """Memory that only some ways have written before it decides."""
    a = w.name("a")
    w.line(f"{w.random.choice(('int', 'char', 'long'))} {a}[3];")
    w.line(f"{a}[{w.constant(0, 2)}] = {w.value()};")
    w.line(f"if ({w.test()}) {a}[{w.random.choice((w.constant(0, 2), f'{w.input()} & 1'))}] = {w.value()};")
    if w.chance(0.4):
        w.line(f"if ({w.test()}) memset({a}, 0, sizeof {a});")
    if w.chance(0.4):
        w.item()
    w.line(
        f"if ({w.test()} && {a}[{w.constant(0, 2)}] > 0) {w.random.choice(('sink++;', 'gflag = 1;', 'reach_error();'))}"
    )


def _kept_doubles(w: MergeWriter) -> None:
    """Floating-point numbers in memory."""
    w.line(f"if ({w.test()}) gdouble = {w.random.choice(('0.5', '2', '-0.0', 'gdouble + 1'))};")
    index = w.random.choice(("0", f"{w.input()} & 1"))
    w.line(f"if ({w.test()}) gfloats[{index}] = {w.random.choice(('1.5f', '0', 'gdouble'))};")
    if w.chance(0.5):
        w.item()
    w.look(
        w.random.choice(
            ("(int)(gdouble * 2)", "(gdouble > gfloats[0])", "(int)(gfloats[0] + gfloats[1])", "(gdouble == 0)")
        )
    )


def _into_loops(w: MergeWriter) -> None:
    """A loop that is entered in its middle on some ways."""
    n, k = w.name("n"), w.name("k")
    w.line(f"int {n} = {w.random.choice((2, 3))}, {k} = 0;")
    w.line(f"switch ({w.input()} & {w.random.choice((1, 3))}) {{")
    w.line("case 0:")
    with w.block("do"):
        w.line(f"{k} += 1;")
        w.line("case 1:")
        w.line(f"{k} += {w.random.choice(('2', w.changed() + ' & 1'))};")
        w.line("default:")
        w.line(f"{n}--;")
    w.lines[-1] += f" while ({n} > 0);"
    w.line("}")
    w.look(k)


def _variable_arrays(w: MergeWriter) -> None:
    """How long a local array is was decided by input, or by a way."""
    n, a = w.local("int", "2"), w.name("a")
    w.line(f"if ({w.test()}) {n.text} = {w.constant(1, 3)};")
    with w.block(""):
        w.line(f"char {a}[{w.random.choice((n.text, n.text, f'({w.input()} & 1) + 1'))}];")
        w.line(f"memset({a}, 1, {w.random.choice((f'sizeof {a}', n.text, '1'))});")
        w.line(f"if ({w.test()}) {a}[{w.random.choice((f'{w.input()} & 1', f'{n.text} - 1', '1'))}] = 2;")
        w.line(f"sink = {a}[0];")
    w.places.remove(n)
    w.look(w.random.choice(("sink", n.text)))


def _remembered(w: MergeWriter) -> None:
    """Flags of decisions, looked at together, far behind them."""
    flags = [w.local(w.random.choice(("int", "_Bool", "unsigned char")), "0") for _ in range(w.random.choice((2, 3)))]
    for flag in flags:
        with w.block(f"if ({w.test()})"):
            w.line(f"{flag.text} = 1;")
            if w.chance(0.3):
                w.item()
    w.touched += flags
    w.look(" + ".join(f"{flag.text} * {1 << at}" for at, flag in enumerate(flags)))


def _cast(w: MergeWriter) -> None:
    """A difference that a conversion hides, or shows."""
    x = w.place().text
    w.line(f"if ({w.test()}) {x} = {w.random.choice((256, 257, 65536, -1, 128))};")
    w.look(w.random.choice((f"(unsigned char){x}", f"(short){x}", f"({x} & 255)", f"{x} / 256", f"(unsigned){x} % 7")))


def _floating(w: MergeWriter) -> None:
    d = w.name("d")
    w.line(f"double {d} = {w.constant(0, 2)};")
    w.line(f"if ({w.test()}) {d} {w.random.choice(('+= 0.5', '= 1.5', '*= 2'))};")
    w.line(f"if ({w.test()}) {d} += {w.random.choice(('1', '0.25'))};")
    w.look(w.random.choice((f"(int){d}", f"(int)({d} * 4)", f"({d} > 1.25)")))


def _longer(w: MergeWriter) -> None:
    """A loop looks for a mark that only some ways leave: on others it runs out of the array."""
    a, i = w.name("a"), w.name("i")
    w.line(f"unsigned char {a}[4] = {{0}};")
    w.line(f"if ({w.test()}) {a}[{w.random.choice((w.constant(0, 3), f'{w.input()} & 3'))}] = {w.constant(1, 2)};")
    if w.chance(0.4):
        w.line(f"{a}[3] = 1;")
    elif w.chance(0.5):
        w.line(f"if ({w.test()}) {a}[2] = 1;")
    w.line(f"int {i} = 0;")
    w.line(f"while ({a}[{i}] == 0) {i}++;" if w.chance(0.5) else f"while ({i} < 4 && !{a}[{i}]) {i}++;")
    w.look(i)


def _scoped(w: MergeWriter) -> None:
    """A pointer to something that has ended by the time some ways use it."""
    p = w.name("p")
    w.line(f"int *{p} = &gcount;")
    with w.block(f"if ({w.test()})"):
        x = w.local("int")
        w.line(f"{x.text} = {w.value()};")
        w.line(f"{w.random.choice((f'{p} = &{x.text};', f'put(&{x.text}, 3);', f'if ({w.test()}) {p} = &{x.text};'))}")
        w.line(f"sink = *{p};")
    w.line(f"if ({w.test()}) sink = *{p};")
    w.look("sink")


def _summed(w: MergeWriter) -> None:
    """Sums that several ways reach alike, and what was added is forgotten."""
    x = w.local("int", "0")
    for _ in range(w.random.choice((2, 3))):
        w.line(f"if ({w.test()}) {x.text} += {w.random.choice((1, 1, 2, 3))};")
    w.touched.append(x)
    w.look(x.text)


def _shared_bytes(w: MergeWriter) -> None:
    """Bytes of a word, written one by one and read as a whole, or the other way round."""
    w.line(f"if ({w.test()}) gboth.parts[{w.constant(0, 3)}] = {w.value()};")
    w.line(f"if ({w.test()}) gboth.whole {w.random.choice(('= 258', '^= 256', '+= 255', '= 0'))};")
    w.look(w.random.choice(("gboth.parts[0]", "gboth.parts[1]", "(gboth.whole > 255)", "gboth.whole & 1023")))


SHAPES: tuple[Shape, ...] = (
    _twins, _twins, _correlated, _correlated, _narrowed, _narrowed, _aliases, _aliases, _retargeted, _indexed, _indexed,
    _structs, _statics, _pointed_functions, _recursion, _uninitialized, _counts, _counts, _machine, _inputs_on_one_way,
    _inputs_on_one_way, _lists, _assumed, _remembered, _remembered, _cast, _floating, _longer, _scoped, _summed,
    _summed, _shared_bytes, _must_hold, _must_hold, _must_hold, _kinds, _kinds, _hidden, _unset_memory, _unset_memory,
    _kept_doubles, _into_loops, _variable_arrays,
)  # fmt: skip
