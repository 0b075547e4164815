"""Random programs for checking invariants: loops of all kinds over integers of all kinds, and what is in their way.

``generate(seed)`` is deterministic. Loops count up and down, by one and by more, to inputs and to constants, with
guards that wrap-around gets past; nested, also triangular; left in the middle, entered there by ``goto``, made of
``goto`` alone. Variables are registers, globals, members, cells of arrays and what pointers point to; functions are
called in loops and call themselves; inputs are read in loops.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from oracle.invariants_writer import EXTREMES, INPUT, WIDE, ExpressionWriter, Place

HEAD = """\
#include <string.h>
extern void __VERIFIER_assume(int);
extern void klee_make_symbolic(void *, unsigned long, const char *);
struct pair { int x; short y; unsigned char z[4]; };
union bits { int whole; unsigned short half[2]; signed char byte[4]; };
static long spare;
"""
MOST_INPUTS = 60


@dataclass(frozen=True)
class Drawn:
    """A program, and inputs to run it with."""

    source: str
    runs: tuple[tuple[int, ...], ...]


def generate(seed: int, runs: int = 12) -> Drawn:
    random = Random(seed)
    source = _Program(random).text()
    return Drawn(source, tuple(_inputs(random) for _ in range(runs)))


def _inputs(random: Random) -> tuple[int, ...]:
    """Numbers of one temper: all small, all extreme, anything, or mixed."""
    temper = random.randrange(5)
    return tuple(_number(random, temper) for _ in range(MOST_INPUTS))


def _number(random: Random, temper: int) -> int:
    match temper if temper < 4 else random.randrange(4):
        case 0:
            return random.randint(0, 12)
        case 1:
            return random.randint(-40, 300)
        case 2:
            return random.choice((*EXTREMES, 0, -1, 1, (1 << 63) - 1, -(1 << 63))) + random.randint(-1, 1)
        case _:
            return random.getrandbits(64) - (1 << 63)


class _Program(ExpressionWriter):
    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.in_loop = 0
        self.in_switch = 0
        self.depth = 0
        self.result = "int"
        self.gotos = random.random() < 0.4

    def text(self) -> str:
        for kind, tag in INPUT.items():
            self.line(f"extern {kind if tag != 'char' else 'char'} __VERIFIER_nondet_{tag}(void);")
        for _ in range(self.random.choice((0, 1, 2, 3))):
            kind = self.type()
            name = self.name("g")
            self.line(f"static {kind} {name} = {self.random.randint(0, 5)};")
            self.places.append(Place(name, kind))
        if self.chance(0.3):
            self.line(f"static {self._array()};")
        globals_ = list(self.places), list(self.arrays)
        for _ in range(self.random.choice((0, 0, 1, 1, 2))):
            self._function()
            self.places, self.arrays = list(globals_[0]), list(globals_[1])
        if self.chance(0.15):
            self._recursive()
            self.places, self.arrays = list(globals_[0]), list(globals_[1])
        if len(self.functions) > 1 and self.chance(0.3):
            self._table()
        self.result = "int"
        with self.block("int main(void)"):
            self._locals(self.random.randint(2, 4))
            self._statements(self.random.randint(2, 5))
            self.line(f"return {self.expression(1)};")
        return HEAD + "\n".join(self.lines) + "\n"

    # Functions and declarations

    def _function(self) -> None:
        kinds = tuple(self._parameter() for _ in range(self.random.randint(0, 3)))
        name, self.result = self.name("f"), self.type()
        parameters = [(kind, self.name("p")) for kind in kinds]
        listed = ", ".join(f"{kind}{'' if kind.endswith('*') else ' '}{text}" for kind, text in parameters)
        with self.block(f"static {self.result} {name}({listed or 'void'})"):
            for kind, text in parameters:
                if kind.endswith("*"):
                    self.pointers.append((text, kind[:-2]))
                else:
                    self.places.append(Place(text, kind))
            self._locals(self.random.randint(0, 2))
            self._statements(self.random.randint(1, 3))
            self.line(f"return {self.expression(2)};")
        self.functions.append((name, self.result, kinds))

    def _parameter(self) -> str:
        return f"{self.type()} *" if self.chance(0.2) else self.type()

    def _recursive(self) -> None:
        name, kind = self.name("r"), self.type()
        self.result = "int"
        with self.block(f"static int {name}({kind} n, int s)"):
            self.line(f"if (n <= {self.number_of_size(3)} || n > {self.random.choice((10, 20, 40))}) return s;")
            self.places += [Place("n", kind), Place("s", "int")]
            self._locals(1)
            self._statements(1)
            self.line(f"int back = {name}(n - {self.random.randint(1, 3)}, {self.affine()});")
            self.places.append(Place("back", "int"))
            self._statements(1)
            self.line(f"return {self.random.choice(('back', 's', self.affine()))};")
        self.functions.append((name, "int", (kind, "int")))

    def _table(self) -> None:
        """Calls through a pointer."""
        name, result, kinds = self.random.choice(self.functions)
        pointer = self.name("call")
        self.line(f"static {result} (*{pointer})({', '.join(kinds) or 'void'}) = {name};")
        self.functions.append((pointer, result, kinds))

    def _array(self) -> str:
        length, kind, name = self.random.choice((2, 4, 8)), self.type(), self.name("a")
        self.arrays.append((name, kind, length))
        return f"{kind} {name}[{length}]"

    def _locals(self, count: int) -> None:
        for _ in range(count):
            self._declare()
        if self.chance(0.25):
            self.line(f"{self._array()} = {{{self.number_of_size(9)}}};")
        if self.chance(0.12):
            name = self.name("s")
            self.line(f"struct pair {name} = {{{self.number_of_size(9)}, {self.number_of_size(9)}}};")
            self.places += [Place(f"{name}.x", "int"), Place(f"{name}.y", "short")]
            self.arrays.append((f"{name}.z", "unsigned char", 4))
        if self.chance(0.15):
            name = self.name("u")
            self.line(f"union bits {name} = {{{self.number_of_size(99)}}};")
            self.places += [Place(f"{name}.whole", "int"), Place(f"{name}.half[1]", "unsigned short")]
            self.places += [Place(f"{name}.byte[0]", "signed char")]
        if self.chance(0.3):
            self._pointer()

    def _declare(self) -> None:
        kind, name = self.type(), self.name("x")
        start = self.random.random()
        if start < 0.08 and kind != "_Bool":
            self.line(f"{kind} {name};")
            self.line(f'klee_make_symbolic(&{name}, sizeof {name}, "{name}");')
        elif start < 0.5:
            self.line(f"{kind} {name} = {self.input(kind)};")
        else:
            self.line(f"{kind} {name} = {self.random.choice(('0', '0', '1', self.number(), self.affine()))};")
        self.places.append(Place(name, kind))

    def _pointer(self) -> None:
        own = [place for place in self.places if place.own]
        if own:
            place, name = self.random.choice(own), self.name("q")
            self.line(f"{place.type} *{name} = &{place.text};")
            self.pointers.append((name, place.type))

    # Statements

    def _statements(self, count: int) -> None:
        for _ in range(count):
            self._statement()

    def _statement(self) -> None:
        self.depth += 1
        choices = [self._assign, self._step, self._step, self._step]
        choices += [self._store, self._input, self._assume, self._leave, self._change_pointer, self._copy]
        if self.depth < 4:
            choices += [self._if, self._if, self._switch, *[self._loop] * (7 if self.in_loop < 2 else 2)]
            choices += [self._goto_loop, self._two_entries] if self.gotos else []
        self.random.choice(choices)()
        self.depth -= 1

    def _target(self) -> str:
        kind = self.random.random()
        if kind < 0.1 and self.pointers:
            return f"*{self.random.choice(self.pointers)[0]}"
        if kind < 0.15 and self.read_only:
            return self.random.choice(self.read_only).text
        return self.random.choice(self.places).text if self.places else "spare"

    def _assign(self) -> None:
        self.line(f"{self._target()} = {self.affine() if self.chance(0.4) else self.expression(3)};")

    def _step(self) -> None:
        target = self._target()
        kind = self.random.random()
        if kind < 0.35:
            self.line(f"({target}){self.random.choice(('++', '++', '--'))};")
        elif kind < 0.8:
            by = self.random.choice((1, 2, 3, 4, 5, 10, self.variable()))
            self.line(f"{target} {self.random.choice(('+=', '-='))} {by};")
        else:
            operator = self.random.choice(("*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="))
            self.line(f"{target} {operator} {self.random.choice((1, 2, 2, 3, 4))};")

    def _store(self) -> None:
        if not self.arrays:
            self._assign()
            return
        name, _, length = self.random.choice(self.arrays)
        index = self.random.choice((f"{self.variable()} & {length - 1}", str(self.random.randrange(length))))
        self.line(f"{name}[{index}] {self.random.choice(('=', '+=', '='))} {self.affine()};")

    def _input(self) -> None:
        kind = self.type()
        name = self.name("x")
        self.line(f"{kind} {name} = {self.input(kind)};")
        self.places.append(Place(name, kind))

    def _assume(self) -> None:
        if self.chance(0.3):
            self.line(f"__VERIFIER_assume({self.condition(1)});")
        else:
            self._step()

    def _leave(self) -> None:
        ways = [f"return {self.affine()};"] if self.depth > 1 else []
        if self.in_loop and not self.in_switch:
            ways += ["break;", "break;", "continue;"]
        if ways:
            if self.chance(0.4):
                self.line(f"{{ int flag = {self.condition(2)}; if (flag) {self.random.choice(ways)} }}")
                return
            self.line(f"if ({self.condition(0)}) {self.random.choice(ways)}")
        else:
            self._assign()

    def _change_pointer(self) -> None:
        if not self.pointers:
            self._pointer()
            return
        name, kind = self.random.choice(self.pointers)
        same = [place.text for place in self.places if place.own and place.type == kind]
        cells = [
            f"{array}[{self.variable()} & {length - 1}]" for array, element, length in self.arrays if element == kind
        ]
        if same or cells:
            self.line(f"if ({self.condition(0)}) {name} = &{self.random.choice(same + cells)};")

    def _copy(self) -> None:
        """Memory written by library calls and by calls of other functions."""
        own = [place for place in self.places if place.own]
        wide = [place for place in own if place.type in WIDE]
        if wide and self.chance(0.25):
            part = self.random.choice(("signed char", "unsigned char", "short"))
            at = self.random.choice((f"{self.variable()} & 1", "0", "1"))
            self.line(f"(({part} *)&{self.random.choice(wide).text})[{at}] = {self.affine()};")
        elif own and self.chance(0.3):
            place = self.random.choice(own)
            self.line(f"memset(&{place.text}, {self.random.choice((0, 1, 255))}, sizeof {place.text});")
        elif self.arrays and self.chance(0.4):
            name, _, _ = self.random.choice(self.arrays)
            self.line(f"memset({name}, {self.number_of_size(3)}, sizeof {name});")
        else:
            called = self.call()
            self.line(f"{called};" if called else f"{self._target()} = {self.expression(2)};")

    def _if(self) -> None:
        with self.block(f"if ({self.condition()})"):
            self._statements(self.random.randint(1, 2))
        if self.chance(0.5):
            with self.block("else"):
                self._statements(self.random.randint(1, 2))

    def _switch(self) -> None:
        self.in_switch += 1
        self.line(f"switch ({self.affine()}) {{")
        for value in sorted(self.random.sample(range(-3, 9), self.random.randint(1, 4))):
            with self.block(f"case {value}:"):
                self._statements(1)
                if self.chance(0.7):
                    self.line("break;")
        if self.chance(0.6):
            with self.block("default:"):
                self._statements(1)
        self.line("}")
        self.in_switch -= 1

    # Loops

    def _loop(self) -> None:
        inside, outer = self.in_switch, self.in_loop
        self.in_switch, self.in_loop = 0, outer + 1
        self.random.choice((self._for, self._for, self._for, self._while, self._while, self._do, self._endless))()
        self.in_switch, self.in_loop = inside, outer

    def _for(self) -> None:
        kind, name = self.type(), self.name("i")
        outer = [place.text for place in self.read_only]
        limit = self.random.choice(
            (self.variable(), self.variable(), str(self.random.randint(1, 20)), self.affine(), *outer)
        )
        step = self.random.choice((1, 1, 1, 2, 3))
        if self.chance(0.3):
            end = self.random.choice(("> 0", ">= 0", "> 0", f"!= {self.number_of_size(4)}", f"> {self.variable()}"))
            head = f"for ({kind} {name} = {limit}; {name} {end}; {name} -= {step})"
        else:
            start = self.random.choice(("0", "0", "1", *outer, self.affine()))
            relation = self.random.choice(("<", "<", "<", "<=", "!="))
            head = f"for ({kind} {name} = {start}; {name} {relation} {limit}; {name} += {step})"
        with self.block(head):
            self.read_only.append(Place(name, kind))
            self._statements(self.random.randint(1, 3))

    def _while(self) -> None:
        with self.block(f"while ({self.condition()})"):
            self._step()
            self._statements(self.random.randint(1, 3))

    def _do(self) -> None:
        with self.block("do", f"}} while ({self.condition()});"):
            self._step()
            self._statements(self.random.randint(0, 2))

    def _endless(self) -> None:
        with self.block("for (;;)"):
            self._statements(self.random.randint(0, 1))
            self.line(f"if ({self.condition(0)}) break;")
            self._step()
            self._statements(self.random.randint(0, 2))

    def _goto_loop(self) -> None:
        label, loop = self.name("again"), self.in_loop
        self.line(f"{label}:;")
        self.in_loop = 0
        with self.block(""):
            self._step()
            self._statements(self.random.randint(1, 2))
        self.in_loop = loop
        self.line(f"if ({self.condition(0)}) goto {label};")

    def _two_entries(self) -> None:
        """A jump into the middle of a loop, past no declaration."""
        label, loop = self.name("inside"), self.in_loop
        self.in_loop = 0
        self.line(f"if ({self.condition(0)}) goto {label};")
        with self.block(f"while ({self.condition(0)})"):
            self._step()
            self.line(f"{label}:;")
            self._step()
            if self.chance(0.4):
                with self.block(f"if ({self.condition(0)})"):
                    self._statements(1)
        self.in_loop = loop
