"""Random functions over pointers, several to a file: aliases, lists, trees, arrays of structs, callbacks.

No function dereferences what may be null, and no loop runs for long, so that nothing but its assertions can fail. Each
assertion has a number and stands on a line of its own: ``CHECK(7, a->v != 2);``. Compiled with ``-DORACLE`` a file is
a program that tries all small heaps: see ``heaps_native``.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

VALUES = 3
"""Numbers in native heaps are below this."""

HEADER = """\
#ifdef ORACLE
void violated(int number);
#define CHECK(number, condition) do { if (!(condition)) violated(number); } while (0)
#else
#include <assert.h>
#define CHECK(number, condition) assert(condition)
#endif
struct node { unsigned v; struct node *next; };
struct tree { struct tree *l, *r; unsigned v; };
struct pair { struct node *n; unsigned *u; unsigned w; };
unsigned shared;
struct node anchor;
"""


@dataclass(frozen=True)
class Kind:
    """A type of parameters: how C spells it, and what ``heaps_native`` calls to get one."""

    name: str
    declaration: str
    pick: str


KINDS = (
    Kind("node", "struct node *{}", "pick_node()"),
    Kind("number", "unsigned *{}", "pick_number()"),
    Kind("tree", "struct tree *{}", "pick_tree()"),
    Kind("pair", "struct pair *{}", "pick_pair()"),
    Kind("link", "struct node **{}", "pick_link()"),
    Kind("scalar", "unsigned {}", "pick(VALUES)"),
    Kind("apply", "unsigned (*{})(unsigned)", "pick_apply()"),
    Kind("visit", "void (*{})(struct node *)", "pick_visit()"),
    Kind("find", "struct node *(*{})(struct node *)", "pick_find()"),
)
_BY_NAME = {kind.name: kind for kind in KINDS}
_WEIGHTS = (6, 5, 2, 2, 2, 2, 1, 2, 1)


@dataclass
class Function:
    """One function: its parameters by kind, and the lines of its assertions by number."""

    name: str
    parameters: list[tuple[str, str]]
    body: list[str] = field(default_factory=list)

    @property
    def source(self) -> str:
        declared = ", ".join(_BY_NAME[kind].declaration.format(name) for name, kind in self.parameters)
        return "\n".join([f"int {self.name}({declared}) {{", *self.body, "  return 0;", "}"])


@dataclass(frozen=True)
class Batch:
    """A file with functions ``f0``, ``f1``, ...; ``lines``: of each function's assertions, by number."""

    source: str
    functions: tuple[Function, ...]
    lines: dict[str, dict[int, int]]


def generate(seed: int, count: int = 8, size: int = 7) -> Batch:
    """The functions of a seed, each of about ``size`` statements."""
    writers = [_Writer(random.Random(f"{seed}/{number}"), f"f{number}", size) for number in range(count)]
    numbers = iter(range(1, 10_000))
    functions = tuple(writer.function(numbers) for writer in writers)
    source = HEADER + "\n".join(function.source for function in functions) + "\n"
    lines: dict[str, dict[int, int]] = {function.name: {} for function in functions}
    current = ""
    for line, text in enumerate(source.split("\n"), 1):
        if text.startswith("int f"):
            current = text[4 : text.index("(")]
        elif "CHECK(" in text and current:
            lines[current][int(text.split("CHECK(")[1].split(",")[0])] = line
    return Batch(source, functions, lines)


class _Writer:
    """Draws one function. Pointers are variables, and known to be null or not along the way."""

    def __init__(self, random: random.Random, name: str, size: int) -> None:
        self._random = random
        self._size = size
        kinds = random.choices([kind.name for kind in KINDS], _WEIGHTS, k=random.randint(1, 3))
        if all(kind in ("scalar", "apply") for kind in kinds):
            kinds.append("node")
        self._function = Function(name, [(f"{kind}{place}", kind) for place, kind in enumerate(kinds)])
        self._variables = dict(self._function.parameters)
        self._safe: set[str] = set()
        """Pointers that are not null here."""
        self._written: list[tuple[str, str]] = []
        """Places and the numbers that were put there."""
        self._depth = 0
        self._locals = 0

    def function(self, numbers: Iterator[int]) -> Function:
        self._numbers = numbers
        body = self._function.body
        if self._random.random() < 0.6:
            pointers = [name for name, kind in self._function.parameters if kind != "scalar"]
            body += self._block(f"if ({' && '.join(pointers)}) {{", pointers, self._size)
        else:
            body += self._lines(self._size)
        body += self._check()
        return self._function

    def _indent(self, text: str) -> str:
        return "  " * (self._depth + 1) + text

    def _lines(self, size: int) -> list[str]:
        found: list[str] = []
        while size > 0:
            lines = self._statement(size)
            size -= max(1, len(lines))
            found += lines
        return found

    def _statement(self, size: int) -> list[str]:
        choices = [self._guard] * 4 + [self._write] * 5 + [self._check] * 3 + [self._local] * 2 + [self._call] * 3
        choices += [self._loop] * (2 if self._depth < 2 else 0)
        if self._depth >= 3:
            choices = [self._write, self._check]
        return self._random.choice(choices)(size) if size > 1 else self._check()

    # Expressions

    def _named(self, *kinds: str, safe: bool = False) -> list[str]:
        return [name for name, kind in self._variables.items() if kind in kinds and (not safe or name in self._safe)]

    def _places(self) -> list[str]:
        """Numbers that can be written."""
        found = [f"{name}->v" for name in self._named("node", "tree", safe=True)]
        found += [f"*{name}" for name in self._named("number", safe=True)]
        found += [f"{name}->w" for name in self._named("pair", safe=True)]
        if not found or self._random.random() < 0.3:
            found += ["shared", "anchor.v"]
        return found

    def _number(self) -> str:
        scalars = self._named("scalar")
        choices = [str(self._random.randrange(VALUES + 1)), self._random.choice(self._places())]
        if scalars:
            choices.append(self._random.choice(scalars))
        return self._random.choice(choices)

    def _links(self) -> list[str]:
        """Pointers to nodes that can be read and written where they are."""
        found = [f"{name}->next" for name in self._named("node", safe=True)]
        found += [f"{name}->n" for name in self._named("pair", safe=True)]
        found += [f"*{name}" for name in self._named("link", safe=True)]
        return found

    def _node(self) -> str:
        return self._random.choice([*self._named("node"), *self._links(), "&anchor", "0"])

    # Statements

    def _guard(self, size: int) -> list[str]:
        pointers = [name for name, kind in self._variables.items() if kind != "scalar" and name not in self._safe]
        if not pointers:
            return self._branch(size)
        chosen = self._random.sample(pointers, min(len(pointers), self._random.randint(1, 2)))
        return self._block(f"if ({' && '.join(chosen)}) {{", chosen, size - 1)

    def _branch(self, size: int) -> list[str]:
        return self._block(f"if ({self._condition()}) {{", [], size - 1)

    def _block(self, head: str, safe: list[str], size: int) -> list[str]:
        before, known = set(self._safe), dict(self._variables)
        lines = [self._indent(head)]
        self._safe |= set(safe)
        self._depth += 1
        lines += self._lines(max(1, size))
        self._depth -= 1
        # What the block changed may be null behind it.
        self._safe = before & self._safe
        self._variables = known
        return [*lines, self._indent("}")]

    def _condition(self) -> str:
        kind = self._random.randrange(4)
        nodes = self._named("node")
        if kind == 0 and len(nodes) > 1:
            a, b = self._random.sample(nodes, 2)
            return f"{a} {self._random.choice(['==', '!='])} {b}"
        numbers = self._named("number")
        safe = self._named("node", "tree", safe=True)
        if kind == 1 and numbers and safe:
            return f"{self._random.choice(numbers)} {self._random.choice(['==', '!='])} &{self._random.choice(safe)}->v"
        if kind == 2:
            first = self._node()
            others = [text for text in (self._node() for _ in range(4)) if text != first]
            if others and {first, others[0]} != {"0", "&anchor"}:
                return f"{first} {self._random.choice(['==', '!='])} {others[0]}"
        return f"{self._random.choice(self._places())} {self._random.choice(['==', '!=', '<'])} {self._number()}"

    def _check(self, size: int = 0) -> list[str]:
        return [self._indent(f"CHECK({next(self._numbers)}, {self._claim()});")]

    def _claim(self) -> str:
        """Something that holds unless pointers, or callbacks, are in the way; or anything."""
        written = [(place, text) for place, text in self._written if place in self._places()]
        if written and self._random.random() < 0.6:
            place, text = self._random.choice(written[-3:])
            return f"{place} == {text}"
        if self._random.random() < 0.5:
            return f"{self._condition()} || {self._condition()}"
        return self._condition()

    def _write(self, size: int) -> list[str]:
        links = self._links()
        if links and self._random.random() < 0.35:
            return [self._indent(f"{self._random.choice(links)} = {self._node()};")]
        trees = self._named("tree", safe=True)
        if trees and self._random.random() < 0.3:
            value = self._random.choice([*self._named("tree"), "0"])
            return [self._indent(f"{self._random.choice(trees)}->{self._random.choice('lr')} = {value};")]
        text = self._number()
        if self._random.random() < 0.3:
            text = f"({text} + 1) % {VALUES}u"
        place = self._random.choice(self._places())
        if text.isdigit():
            self._written.append((place, text))
        return [self._indent(f"{place} = {text};")]

    def _local(self, size: int) -> list[str]:
        """A new pointer, or another value for one."""
        trees, pairs = self._named("tree", safe=True), self._named("pair", safe=True)
        self._locals += 1
        name = f"x{self._locals}"
        if trees and self._random.random() < 0.4:
            self._variables[name] = "tree"
            text = f"struct tree *{name} = {self._random.choice(trees)}->{self._random.choice('lr')};"
        elif pairs and self._random.random() < 0.5:
            self._variables[name] = "number"
            text = f"unsigned *{name} = {self._random.choice(pairs)}->u;"
        elif self._named("node", "tree", safe=True) and self._random.random() < 0.2:
            owner = self._random.choice(self._named("node", "tree", safe=True))
            self._variables[name] = "number"
            self._safe.add(name)
            text = f"unsigned *{name} = &{owner}->v;"
        else:
            text = f"struct node *{name} = {self._node()};"
            self._variables[name] = "node"
        return [self._indent(text)]

    def _loop(self, size: int) -> list[str]:
        self._locals += 1
        walker, count = f"x{self._locals}", f"k{self._locals}"
        start = self._node()
        step = f"{walker} = {walker}->next"
        bound = self._random.randint(1, 3)
        head = f"unsigned {count} = 0;"
        loop = f"for (struct node *{walker} = {start}; {walker} && {count} < {bound}; {step}, {count}++) {{"
        lines = [self._indent(head)]
        self._variables[walker] = "node"
        inner = self._block(loop, [walker], min(3, size - 2))
        self._variables.pop(walker, None)
        self._safe.discard(walker)
        self._variables[count] = "scalar"
        return [*lines, *inner]

    def _call(self, size: int) -> list[str]:
        callbacks = self._named("apply", "visit", "find", safe=True)
        if not callbacks:
            return self._guard(size) if self._depth < 2 else self._write(size)
        name = self._random.choice(callbacks)
        kind = self._variables[name]
        nodes = self._named("node")
        if kind == "apply":
            return [self._indent(f"shared = {name}({self._number()}) % 4u;")]
        argument = self._random.choice(nodes) if nodes else "&anchor"
        if kind == "visit":
            return [self._indent(f"{name}({argument});")]
        self._locals += 1
        self._variables[f"x{self._locals}"] = "node"
        return [self._indent(f"struct node *x{self._locals} = {name}({argument});")]
