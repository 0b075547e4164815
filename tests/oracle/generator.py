"""Random C programs without undefined behaviour, for comparing the engine with the native program.

``generate(seed)`` is deterministic. A program reads its inputs through ``__VERIFIER_nondet_*``, prints values on
its way and a checksum at its end, and returns a part of the checksum. What a program contains: all integer
types, floats, structs (nested, with bit-fields and array members), unions, arrays of one and two dimensions,
pointers, function pointers, calls that take and return structs, recursion, varargs, switch, goto.

    vocabulary -> expressions -> statements -> generator (here); prelude is the fixed part
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from oracle.expressions import Expressions
from oracle.prelude import prelude
from oracle.statements import INDENT, Statements
from oracle.vocabulary import (
    FLOAT,
    INT,
    INTEGERS,
    LLONG,
    SCALARS,
    UNSIGNED,
    Array,
    CType,
    Field,
    Function,
    Scope,
    Struct,
    Variable,
)

FUEL = 600


@dataclass(frozen=True)
class GeneratedProgram:
    """C source, and the values that its calls of ``__VERIFIER_nondet_*`` give, in order; then zeros.

    A value is taken modulo 2**n, n being the width of the type asked for.
    """

    seed: int
    source: str
    inputs: tuple[int, ...]


def generate(seed: int, fuel: int = FUEL) -> GeneratedProgram:
    random = Random(seed)
    source = _Program(random).text(fuel)
    inputs = tuple(random.choice((random.getrandbits(64), random.getrandbits(7), 0, 1)) for _ in range(40))
    return GeneratedProgram(seed, source, inputs)


class _Program:
    """The global part of one program: types, globals, functions, main."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.expressions = Expressions(random)
        self.globals = Scope()
        self.functions: list[Function] = []
        self.structs: list[Struct] = []
        self.lines: list[str] = []
        self.gotos = random.random() < 0.5

    def text(self, fuel: int) -> str:
        for i in range(self.random.randint(2, 3)):
            self._struct(f"s{i}")
        self._bit_fields()
        self._union()
        self._global_objects()
        for i in range(self.random.randint(2, 5)):
            self._function(f"f{i}")
        if self.random.random() < 0.7:
            self._recursive_function()
        self._function_table()
        self._main()
        return prelude(fuel) + "\n" + "\n".join(self.lines) + "\n"

    # --- types

    def _struct(self, name: str) -> None:
        fields = [Field(f"m{i}", self.random.choice(SCALARS)) for i in range(self.random.randint(1, 5))]
        if self.random.random() < 0.5:
            fields.append(Field("list", self.random.choice(INTEGERS), length=self.random.randint(2, 5)))
        nestable = [s for s in self.structs if s.inner is None]
        inner = self.random.choice(nestable) if nestable and self.random.random() < 0.5 else None
        self._define(Struct(name, tuple(fields), inner))

    def _bit_fields(self) -> None:
        fields = []
        for i in range(self.random.randint(3, 6)):
            type_ = self.random.choice((INT, UNSIGNED, UNSIGNED, INTEGERS[9]))
            fields.append(Field(f"b{i}", type_, width=self.random.randint(1, 30 if type_.bits <= 32 else 39)))
        fields.insert(2, Field("between", self.random.choice(INTEGERS)))
        self._define(Struct("bits", tuple(fields)))

    def _define(self, struct: Struct) -> None:
        self.structs.append(struct)
        self.lines.append(f"struct {struct.name} {{")
        for member in struct.fields:
            # `int` alone may be unsigned in a bit-field; the standard leaves that open.
            sign = "signed " if member.width and member.type.signed else ""
            size = f" : {member.width}" if member.width else f"[{member.length}]" if member.length else ""
            self.lines.append(f"{INDENT}{sign}{member.type.spelling} {member.name}{size};")
        if struct.inner is not None:
            self.lines.append(f"{INDENT}struct {struct.inner.name} inner;")
        self.lines.append("};")

    def _union(self) -> None:
        """Members of one size; the float member is only ever given numbers (see Statements._assign)."""
        self.lines += ["static union {", "  unsigned whole;", "  int number;", "  float real;"]
        self.lines += ["  unsigned char bytes[4];", "  unsigned short halves[2];", "} shared;"]
        scope = self.globals
        members = (("whole", UNSIGNED), ("number", INT), ("real", FLOAT))
        scope.variables += [Variable(f"shared.{name}", type_, plain=False) for name, type_ in members]
        scope.arrays.append(Array("shared.bytes", INTEGERS[1], (4,), plain=False))
        scope.arrays.append(Array("shared.halves", INTEGERS[3], (2,), plain=False))

    # --- globals

    def _global_objects(self) -> None:
        scope = self.globals
        for i in range(self.random.randint(3, 6)):
            type_ = self.random.choice(SCALARS)
            self.lines.append(f"static {type_.spelling} g{i} = {self.expressions.literal(type_)};")
            scope.variables.append(Variable(f"g{i}", type_))
        for i in range(self.random.randint(1, 3)):
            type_ = self.random.choice(INTEGERS)
            lengths = tuple(self.random.randint(2, 8) for _ in range(self.random.randint(1, 2)))
            sizes = "".join(f"[{n}]" for n in lengths)
            values = ", ".join(self.expressions.literal(type_) for _ in range(self.random.randint(1, lengths[-1])))
            start = f"{{{values}}}" if len(lengths) == 1 else f"{{{{{values}}}}}"
            self.lines.append(f"static {type_.spelling} h{i}{sizes} = {start};")
            scope.arrays.append(Array(f"h{i}", type_, lengths))
        for struct in self.structs:
            first = self.expressions.literal(struct.fields[0].type)
            self.lines.append(f"static struct {struct.name} r_{struct.name} = {{.{struct.fields[0].name} = {first}}};")
            scope.add_record(f"r_{struct.name}", struct)

    # --- functions

    def _statements(self) -> Statements:
        return Statements(self.random, self.expressions, tuple(self.functions), self.gotos)

    def _function(self, name: str, parameters: tuple[CType | Struct, ...] | None = None) -> Function:
        drawn = tuple(self._parameter() for _ in range(self.random.randint(0, 4)))
        result = self.random.choice(SCALARS) if parameters or self.random.random() < 0.8 else self._any_struct()
        if parameters is not None:
            result = INT
        function = Function(name, result, drawn if parameters is None else parameters)
        scope = self._head(function)
        self._burn(function)
        self._emit(self._statements().block(scope, 2, self.random.randint(2, 4)))
        self._emit([f"return {self._result(function, scope)};"])
        self.lines.append("}")
        self.functions.append(function)
        return function

    def _recursive_function(self) -> None:
        second = self.random.choice(INTEGERS)
        function = Function("walk", LLONG, (INT, second), recursive=True)
        scope = self._head(function)
        self._burn(function)
        self._emit([f"if (x0 <= 0)\n{INDENT * 2}return {self.expressions.of(LLONG, scope, 2)};"])
        # The depth only ever shrinks, whatever the body does.
        scope.variables = [v for v in scope.variables if v.text != "x0"]
        self._emit(self._statements().block(scope, 1, 2))
        deeper = [f"walk(x0 - 1, {self.expressions.of(second, scope, 2)})" for _ in range(2)]
        self._emit([f"long long left = {deeper[0]};", f"long long right = {deeper[1]};"])
        self._emit(["return (long long)((unsigned long long)left * 3u + (unsigned long long)right);"])
        self.lines.append("}")
        self.functions.append(function)

    def _function_table(self) -> None:
        """Four functions of one type, called through a table: the last of them stands for all in `functions`."""
        made = []
        for i in range(4):
            made.append(self._function(f"t_{i}", (INT, UNSIGNED)))
            self.functions.pop()
        names = ", ".join(f.name for f in made)
        self.lines.append(f"static int (*const table[4])(int, unsigned) = {{{names}}};")
        self.functions.append(replace(made[-1], in_table=True))

    def _head(self, function: Function) -> Scope:
        scope = self.globals.inner()
        parameters = []
        for i, parameter in enumerate(function.parameters):
            if isinstance(parameter, Struct):
                parameters.append(f"struct {parameter.name} x{i}")
                scope.add_record(f"x{i}", parameter)
            else:
                parameters.append(f"{parameter.spelling} x{i}")
                scope.variables.append(Variable(f"x{i}", parameter))
        spelling = function.result.spelling if isinstance(function.result, CType) else f"struct {function.result.name}"
        self.lines.append(f"static {spelling} {function.name}({', '.join(parameters) or 'void'}) {{")
        return scope

    def _burn(self, function: Function) -> None:
        nothing = "0" if isinstance(function.result, CType) else f"r_{function.result.name}"
        self._emit([f"if (fuel-- <= 0)\n{INDENT * 2}return {nothing};"])

    def _result(self, function: Function, scope: Scope) -> str:
        if isinstance(function.result, CType):
            return self.expressions.of(function.result, scope, 3)
        return self.random.choice([r.text for r in scope.records if r.struct == function.result])

    def _parameter(self) -> CType | Struct:
        return self.random.choice(SCALARS) if self.random.random() < 0.75 else self._any_struct()

    def _any_struct(self) -> Struct:
        return self.random.choice(self.structs)

    def _main(self) -> None:
        self.lines.append("int main(void) {")
        statements, scope = self._statements(), self.globals.inner()
        for _ in range(self.random.randint(4, 8)):
            self._emit(statements.statement(scope, 3))
        self._emit(statements.repeat_calls(scope))
        for _ in range(self.random.randint(2, 5)):
            self._emit(statements.statement(scope, 3))
        for variable in self.globals.variables:
            helper = f"mix_{variable.type.tag}" if variable.type.floating else "mix"
            cast = "" if variable.type.floating else "(unsigned long long)"
            self._emit([f"{helper}({cast}{variable.text});"])
        for array in self.globals.arrays:
            self._emit(self._mix_array(array))
        self._emit(['printf("checksum %016llx, fuel %d\\n", checksum, fuel);', "return (int)(checksum & 127u);"])
        self.lines.append("}")

    def _mix_array(self, array: Array) -> list[str]:
        lines, place = [], array.text
        for i, length in enumerate(array.lengths):
            lines.append(f"{INDENT * i}for (int k{i} = 0; k{i} < {length}; k{i}++)")
            place += f"[k{i}]"
        return [*lines, f"{INDENT * len(array.lengths)}mix((unsigned long long){place});"]

    def _emit(self, lines: list[str]) -> None:
        self.lines += [INDENT + line for line in lines]
