"""Random C statements over a scope: assignments, branches, bounded loops, switches, gotos, calls, prints.

Loops and calls burn the global ``fuel``, so every program ends soon. A goto never skips the initialisation of a
variable that is used after its label. Objects are always initialised where they are declared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from oracle.expressions import Expressions
from oracle.vocabulary import (
    FLOAT,
    FLOATS,
    INT,
    INTEGERS,
    SCALARS,
    Array,
    CType,
    Function,
    Scope,
    Struct,
    Variable,
)

INDENT = "  "
PRINTS = {
    "char": ("%d", "int"),
    "uchar": ("%u", "unsigned"),
    "short": ("%hd", "short"),
    "ushort": ("%#x", "unsigned"),
    "int": ("%d", "int"),
    "uint": ("%u", "unsigned"),
    "long": ("%ld", "long"),
    "ulong": ("%lx", "unsigned long"),
    "longlong": ("%lld", "long long"),
    "ulonglong": ("%llu", "unsigned long long"),
}


class Statements:
    """Draws statements. ``functions`` are those defined so far, hence callable without a cycle."""

    def __init__(self, random: Random, expressions: Expressions, functions: Sequence[Function], gotos: bool) -> None:
        self.random = random
        self.expressions = expressions
        self.functions = functions
        self.gotos = gotos
        self.names = 0
        self.places = 0

    def fresh(self, stem: str) -> str:
        """A new name; stems differ from those of globals (g, h, r_), which must not be shadowed by another type."""
        self.names += 1
        return f"{stem}{self.names}"

    def block(self, scope: Scope, depth: int, count: int) -> list[str]:
        """The lines of ``count`` statements, in a scope of their own."""
        inner = scope.inner()
        return [line for _ in range(count) for line in self.statement(inner, depth)]

    def statement(self, scope: Scope, depth: int) -> list[str]:
        flat: list[Callable[[Scope, int], list[str]]] = [
            *[self._assign] * 5,
            *[self._declare] * 2,
            *[self._call] * 2,
            self._update,
            self._pointer,
            self._copy,
            self._input,
            self._print,
            self._mix,
            self._variadic,
            self._local_array,
        ]
        nested: list[Callable[[Scope, int], list[str]]] = [
            *[self._if] * 3,
            self._for,
            self._while,
            self._do,
            self._switch,
        ]
        if self.gotos:
            nested += [self._goto_forward, self._goto_back]
        makers = flat + nested if depth > 0 else flat
        if scope.in_loop:
            makers = [*makers, self._leave]
        return self.random.choice(makers)(scope, depth)

    # --- flat statements

    def writable(self, scope: Scope) -> Variable | None:
        choice = [v for v in scope.variables if v.writable]
        return self.random.choice(choice) if choice else None

    def _assign(self, scope: Scope, depth: int) -> list[str]:
        if scope.arrays and self.random.random() < 0.4:
            array = self.random.choice(scope.arrays)
            places = "".join(f"[{self.expressions.index(n, scope)}]" for n in array.lengths)
            return [f"{array.text}{places} = {self.expressions.of(array.type, scope, 2)};"]
        target = self.writable(scope)
        if target is None:
            return self._declare(scope, depth)
        value = self.expressions.of(target.type, scope, 3)
        # A float member may share its bytes with an integer one, where the bits of a NaN would show.
        return [f"{target.text} = {f'number({value})' if target.type == FLOAT else value};"]

    def _update(self, scope: Scope, depth: int) -> list[str]:
        target = self.writable(scope)
        if target is None or target.type.floating:
            return self._assign(scope, depth)
        if not target.type.signed and self.random.random() < 0.3:
            return [f"{target.text}{self.random.choice(('++', '--'))};"]
        operators = ["&=", "|=", "^="]
        if not target.type.signed and target.type.bits >= 32:
            operators += ["+=", "-=", "*="]
        return [f"{target.text} {self.random.choice(operators)} {self.expressions.of(target.type, scope, 2)};"]

    def _declare(self, scope: Scope, depth: int) -> list[str]:
        type_, name = self.random.choice(SCALARS), self.fresh("v")
        line = f"{type_.spelling} {name} = {self.expressions.of(type_, scope, 2)};"
        if self.random.random() < 0.1:
            line = f"static {type_.spelling} {name} = 5;"
        scope.variables.append(Variable(name, type_))
        return [line]

    def _pointer(self, scope: Scope, depth: int) -> list[str]:
        """A pointer to a variable or into an array; from then on it is one more variable, ``(*p)``."""
        name = self.fresh("p")
        flat = [a for a in scope.arrays if len(a.lengths) == 1 and a.plain]
        if flat and self.random.random() < 0.5:
            array = self.random.choice(flat)
            step = f"{array.text} + {self.expressions.index(array.lengths[0], scope)}"
            lines = [f"{array.type.spelling} *{name} = {step};", f"mix((unsigned long long)({name} - {array.text}));"]
            scope.variables.append(Variable(f"(*{name})", array.type))
            return lines
        plain = [v for v in scope.variables if v.plain and v.writable]
        if not plain:
            return self._declare(scope, depth)
        target = self.random.choice(plain)
        others = [v for v in plain if v.type == target.type]
        second = self.random.choice(others)
        condition = self.expressions.condition(scope, 1)
        line = f"{target.type.spelling} *{name} = {condition} ? &{target.text} : &{second.text};"
        scope.variables.append(Variable(f"(*{name})", target.type))
        return [line]

    def _copy(self, scope: Scope, depth: int) -> list[str]:
        records = self.random.sample(scope.records, len(scope.records))
        for target in records:
            same = [r for r in records if r.struct == target.struct and r.text != target.text]
            if same:
                source = self.random.choice(same).text
                if self.random.random() < 0.5:
                    return [f"{target.text} = {source};"]
                return [f"memmove(&{target.text}, &{source}, sizeof {target.text});"]
        return self._assign(scope, depth)

    def _call(self, scope: Scope, depth: int) -> list[str]:
        if not self.functions:
            return self._assign(scope, depth)
        return self._call_of(self.random.choice(self.functions), scope)

    def _call_of(self, function: Function, scope: Scope) -> list[str]:
        arguments = [self._argument(p, scope) for p in function.parameters]
        if function.recursive:
            arguments[0] = str(self.random.randint(0, 4))
        called = function.name
        if function.in_table:
            called = f"table[{self.expressions.index(4, scope)}]"
        call = f"{called}({', '.join(arguments)})"
        name = self.fresh("r")
        if isinstance(function.result, Struct):
            scope.add_record(name, function.result)
            return [f"struct {function.result.name} {name} = {call};"]
        scope.variables.append(Variable(name, function.result))
        return [f"{function.result.spelling} {name} = {call};"]

    def repeat_calls(self, scope: Scope) -> list[str]:
        """A loop that calls every function, so that none stays unexecuted, and shows what each gives."""
        name, inner = self.fresh("i"), scope.inner()
        inner.variables.append(Variable(name, INT, writable=False))
        lines = [f"for (int {name} = 0; {name} < 4 && fuel-- > 0; {name}++) {{"]
        for function in self.functions:
            lines += [INDENT + line for line in self._call_of(function, inner)]
            if isinstance(function.result, CType) and not function.result.floating:
                conversion, cast = PRINTS[function.result.tag]
                shown = f'"{function.name} {conversion}\\n", ({cast}){inner.variables[-1].text}'
                lines.append(f"{INDENT}printf({shown});")
        return [*lines, "}"]

    def _argument(self, parameter: CType | Struct, scope: Scope) -> str:
        if isinstance(parameter, CType):
            return self.expressions.of(parameter, scope, 2)
        return self.random.choice([r.text for r in scope.records if r.struct == parameter])

    def _variadic(self, scope: Scope, depth: int) -> list[str]:
        pattern = [INT, INTEGERS[8], FLOATS[1]]
        count = self.random.randint(1, 7)
        arguments = [self.expressions.of(pattern[i % 3], scope, 1) for i in range(count)]
        return [f"mix((unsigned long long)add_all({count}, {', '.join(arguments)}));"]

    def _input(self, scope: Scope, depth: int) -> list[str]:
        type_, name = self.random.choice(INTEGERS), self.fresh("n")
        scope.variables.append(Variable(name, type_))
        return [f"{type_.spelling} {name} = __VERIFIER_nondet_{type_.tag}();"]

    def _print(self, scope: Scope, depth: int) -> list[str]:
        type_ = self.random.choice(INTEGERS)
        conversion, cast = PRINTS[type_.tag]
        self.places += 1
        if self.random.random() < 0.15:
            letter = self.expressions.index(26, scope)
            return [f'printf("%s %c\\n", "place {self.places}", "abcdefghijklmnopqrstuvwxyz"[{letter}]);']
        value = self.expressions.of(type_, scope, 1)
        return [f'printf("{self.places}: {conversion}\\n", ({cast}){value});']

    def _mix(self, scope: Scope, depth: int) -> list[str]:
        if self.random.random() < 0.25:
            type_ = self.random.choice(FLOATS)
            return [f"mix_{type_.tag}({self.expressions.of(type_, scope, 2)});"]
        return [f"mix((unsigned long long){self.expressions.of(self.random.choice(INTEGERS), scope, 2)});"]

    def _local_array(self, scope: Scope, depth: int) -> list[str]:
        type_, name, length = self.random.choice(INTEGERS), self.fresh("a"), self.random.randint(2, 9)
        array = Array(name, type_, (length,))
        kind = self.random.random()
        if kind < 0.2:  # of variable length; at least `length`, so that the indices drawn later fit
            size = f"{length} + ({self.expressions.of(INT, scope, 1)} & 7)"
            fill = self.random.randrange(256)
            lines = [f"{type_.spelling} {name}[{size}];", f"memset({name}, {fill}, sizeof {name});"]
        elif kind < 0.4:
            lines = [f"{type_.spelling} {name}[{length}];", f"memset({name}, 0, sizeof {name});"]
        else:
            values = ", ".join(self.expressions.of(type_, scope, 1) for _ in range(self.random.randint(1, length)))
            lines = [f"{type_.spelling} {name}[{length}] = {{{values}}};"]
        scope.arrays.append(array)
        return lines

    def _leave(self, scope: Scope, depth: int) -> list[str]:
        word = self.random.choice(("break", "continue"))
        return [f"if ({self.expressions.condition(scope, 1)})", f"{INDENT}{word};"]

    # --- nested statements

    def _body(self, scope: Scope, depth: int, *, in_loop: bool | None = None) -> list[str]:
        lines = self.block(scope.inner(in_loop=in_loop), depth - 1, self.random.randint(1, 3))
        return [INDENT + line for line in lines]

    def _if(self, scope: Scope, depth: int) -> list[str]:
        lines = [f"if ({self.expressions.condition(scope, 2)}) {{", *self._body(scope, depth)]
        if self.random.random() < 0.5:
            lines += ["} else {", *self._body(scope, depth)]
        return [*lines, "}"]

    def _for(self, scope: Scope, depth: int) -> list[str]:
        name, inner = self.fresh("i"), scope.inner()
        inner.variables.append(Variable(name, INT, writable=False))
        head = f"for (int {name} = 0; {name} < {self.random.randint(1, 9)} && fuel-- > 0; {name}++) {{"
        return [head, *self._body(inner, depth, in_loop=True), "}"]

    def _while(self, scope: Scope, depth: int) -> list[str]:
        condition = self.expressions.condition(scope, 1)
        name = self.fresh("w")
        head = f"while ({name}-- > 0 && {condition} && fuel-- > 0) {{"
        return [f"int {name} = {self.random.randint(1, 6)};", head, *self._body(scope, depth, in_loop=True), "}"]

    def _do(self, scope: Scope, depth: int) -> list[str]:
        name = self.fresh("d")
        tail = f"}} while ({name}-- > 0 && {self.expressions.condition(scope, 1)} && fuel-- > 0);"
        body = self._body(scope, depth, in_loop=True)
        return [f"int {name} = {self.random.randint(1, 6)};", "do {", *body, tail]

    def _switch(self, scope: Scope, depth: int) -> list[str]:
        lines = [f"switch ({self.expressions.index(12, scope, 2)}) {{"]
        labels = self.random.sample(range(8), self.random.randint(2, 5))
        if self.random.random() < 0.4:
            lines += ["case 8 ... 10: {", *self._body(scope, depth, in_loop=False), INDENT + "break;", "}"]
        for label in labels:
            lines += [f"case {label}: {{", *self._body(scope, depth, in_loop=False)]
            lines += [INDENT + "break;", "}"] if self.random.random() < 0.7 else ["}  /* falls through */"]
        if self.random.random() < 0.6:
            lines += ["default: {", *self._body(scope, depth, in_loop=False), "}"]
        else:
            lines += ["default:", INDENT + "break;"]
        return [*lines, "}"]

    def _goto_forward(self, scope: Scope, depth: int) -> list[str]:
        label = self.fresh("skip")
        jump = [f"if ({self.expressions.condition(scope, 1)})", f"{INDENT}goto {label};"]
        # The statements skipped stand in braces: nothing they declare is visible after the label.
        return [*jump, "{", *self._body(scope, depth), "}", f"{label}:;"]

    def _goto_back(self, scope: Scope, depth: int) -> list[str]:
        label, counter = self.fresh("again"), self.fresh("turn")
        start = [f"int {counter} = {self.random.randint(1, 4)};", f"{label}:;"]
        jump = f"if ({counter}-- > 0 && {self.expressions.condition(scope, 1)} && fuel-- > 0)"
        return [*start, "{", *self._body(scope, depth), "}", jump, f"{INDENT}goto {label};"]
