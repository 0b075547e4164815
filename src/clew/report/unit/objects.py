"""The memory of a test in C: an object each becomes a variable with an initializer, pointers become addresses.

``cJSON array = {.type = 32, .child = &array_child};``

Objects that others point to are declared before those. Where two point to each other, one pointer is set afterwards. An
object that the function frees is allocated. Where C has no name for a part (a bit-field, an unnamed struct), its bytes
are copied.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from clew.base.dataclass import dataclass
from clew.report.csyntax import c_value, literal
from clew.report.unit.callbacks import Callbacks
from clew.report.unit.not_in_c import NotInCError
from clew.report.values import ARRAY, InputValue, Pointee

_KEYWORDS = frozenset(
    "auto break case char const continue default do double else enum extern float for goto if inline int long register "
    "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while result".split()
)
_PATH = re.compile(r"(?:\.[A-Za-z_]\w*|\[\d+\])*")
_TYPE = re.compile(r"[A-Za-z_][\w *]*(?:\[\d+\])*")


@dataclass(frozen=True, slots=True)
class Variable:
    """An object of a test as a variable."""

    number: int
    name: str
    type: str
    """Element type of an array, the type itself otherwise."""
    count: int | None
    """Elements of an array; None for what is none."""
    size: int
    raw: bool
    """Its type has no name in C: bytes, which are aligned for anything."""
    allocated: bool
    label: str
    """What the parts of the object are called by, as ``*array``."""

    @property
    def is_bytes(self) -> bool:
        return self.type == "unsigned char"

    @property
    def address(self) -> str:
        return self.name if self.allocated or self.count is not None or self.raw else f"&{self.name}"

    @property
    def whole(self) -> str:
        """The object itself, as an expression."""
        if self.count is not None or self.raw or not self.allocated:
            return self.name
        return f"(*{self.name})"

    def part(self, cell: InputValue) -> str | None:
        """What leads from the object to a cell (``.next``, ``[2].x``, nothing for all of it); None if that has no
        name in C."""
        if cell.type.startswith("unsigned char[") or self.raw:  # it may be a union
            return "" if cell.name == self.label and len(cell.to_bytes()) == self.size and self.is_bytes else None
        bare = self.label.removeprefix("*")
        for prefix, instead in ((f"{bare}->", "."), (bare, "")):
            if cell.name.startswith(prefix) and bare != self.label:
                path = instead + cell.name.removeprefix(prefix)
                return path if _PATH.fullmatch(path) else None
        if cell.name == self.label:
            return ""
        path = cell.name.removeprefix(self.label)
        return path if path != cell.name and _PATH.fullmatch(path) else None


class Objects:
    """The objects of one test."""

    def __init__(
        self,
        inputs: Sequence[InputValue],
        freed: Iterable[int],
        taken: Iterable[str],
        callbacks: Callbacks,
        visible: Mapping[str, str],
    ) -> None:
        """``taken`` are names that variables must not have; ``visible`` what the tests can name."""
        self._callbacks = callbacks
        self._visible = visible
        self._cells: dict[int, list[InputValue]] = {}
        gone, names = frozenset(freed), set(taken) | _KEYWORDS
        self.variables: dict[int, Variable] = {}
        named = _named_by_pointers(inputs)
        for value in inputs:
            if value.kind == "memory" and value.at is not None and value.route is None:
                number = value.at.object
                self.variables[number] = _variable(number, named.get(number, value), number in gone, names)
            elif value.kind == "cell" and value.at is not None and callbacks.is_initial(value):
                self._cells.setdefault(value.at.object, []).append(value)

    def lines(self) -> Iterator[str]:
        """Declarations, and what has to be set after them."""
        declared: set[int] = set()
        later: list[str] = []
        for number in sorted(self.variables, reverse=True):
            declared.add(number)
            variable = self.variables[number]
            entries: list[str] = []
            copies: list[str] = []
            for cell in self._cells.get(number, ()):
                path = variable.part(cell)
                text = self.value(cell)
                if text is None:
                    continue
                refers = cell.points is not None and cell.points.kind == "object"
                if path is None:
                    copies += self._copy(variable, cell)
                elif refers and cell.points is not None and cell.points.which not in declared - {number}:
                    later.append(f"{_lvalue(variable, path)} = {text};")
                elif path == "" and text.startswith(("{", '"')):
                    entries.append(text)
                else:
                    entries.append(f"{path} = {text}" if path else text)
            yield from _declaration(variable, entries)
            later += copies
        yield from later

    def _copy(self, variable: Variable, cell: InputValue) -> Iterator[str]:
        """Set bytes that C has no name for."""
        assert cell.at is not None
        place = f"(char *){variable.address} + {cell.at.offset}" if cell.at.offset else variable.address
        if cell.points is not None:
            yield f"memcpy({place}, &(const void *){{{self.pointer(cell.points, '')}}}, sizeof(void *));"
        else:
            data = cell.to_bytes()
            yield f"memcpy({place}, {literal(data)}, {len(data)});"

    def value(self, cell: InputValue) -> str | None:
        """What a cell is initialized with; None for zeros."""
        if cell.points is not None:
            return None if cell.points.kind == "null" else self.pointer(cell.points, cell.type)
        return c_value(cell) if any(cell.to_bytes()) else None

    def pointer(self, points: Pointee, type: str) -> str:
        """A pointer as an expression, of a type that it is assigned to."""
        match points.kind:
            case "null":
                return "NULL"
            case "object" if points.which in self.variables:
                return _address(self.variables[int(points.which)], points.offset, type)
            case "global" if str(points.which) in self._visible:
                base = f"&{self._visible[str(points.which)]}"
                return f"(void *)((char *){base} + {points.offset})" if points.offset else f"(void *){base}"
            case "function" if str(points.which) in self._visible:
                return self._visible[str(points.which)]
            case "callback":
                name = self._callbacks.name(int(points.which))
                return f"(void *){name}" if _plain(type) in ("", "void*") else name
            case "number":
                return f"(void *){points.which:#x}"
        raise NotInCError(f"a pointer to {points.shown()}")

    def checks(self, changed: Iterable[InputValue]) -> Iterator[str]:
        """Conditions that hold after the call."""
        for cell in changed:
            assert cell.at is not None
            variable = self.variables.get(cell.at.object)
            if variable is None or cell.name.startswith("padding of "):
                continue
            path = variable.part(cell)
            if path is not None:
                yield from self.same(_lvalue(variable, path), cell)
            elif cell.points is None:
                place = f"(char *){variable.address} + {cell.at.offset}"
                yield f"memcmp({place}, {literal(cell.to_bytes())}, {len(cell.to_bytes())}) == 0"

    def same(self, expression: str, value: InputValue) -> Iterator[str]:
        """The condition that an expression has a value."""
        if value.points is not None:
            known = value.points.kind != "made" and not self._is_hidden(value.points)
            yield f"{expression} == {self.pointer(value.points, value.type)}" if known else f"{expression} != NULL"
        elif isinstance(value.value, bytes):
            yield f"memcmp({expression}, {literal(value.value)}, {len(value.value)}) == 0"
        elif isinstance(value.value, float):
            nan = value.value != value.value
            yield f"isnan({expression})" if nan else f"{expression} == {c_value(value)}"
        else:
            # Narrow values are compared as ints: what an unsigned type makes of a negative number must be said.
            cast = f"({value.type})" if value.value < 0 and value.bits < 32 else ""
            yield f"{expression} == {cast}{c_value(value)}"

    def _is_hidden(self, points: Pointee) -> bool:
        return points.kind in ("global", "function") and str(points.which) not in self._visible


def _named_by_pointers(inputs: Sequence[InputValue]) -> dict[int, InputValue]:
    """Objects that the function does not look into, with the name and the type of the one pointer that leads there."""
    leading: dict[int, list[InputValue]] = {}
    for value in inputs:
        if value.points is not None and value.points.kind == "object":
            leading.setdefault(int(value.points.which), []).append(value)
    found = {}
    for value in inputs:
        if value.name != "memory" or value.at is None:
            continue
        pointers = leading.get(value.at.object, [])
        if len(pointers) == 1 and pointers[0].points and not pointers[0].points.offset:
            type = re.sub(r"\bconst\b", "", pointers[0].type.removesuffix("*")).strip()
            if type != "void":
                found[value.at.object] = replace(value, name=f"*{pointers[0].name}", type=type)
    return found


def _variable(number: int, value: InputValue, gone: bool, names: set[str]) -> Variable:
    array = ARRAY.match(value.type)
    type, count = (array["element"], int(array["count"])) if array else (value.type, None)
    raw = not _TYPE.fullmatch(type) or value.name == "memory" or type == "unsigned char"
    name = re.sub(r"\W+", "_", value.name.replace("->", "_")).strip("_") or "object"
    if name in names or not name.isidentifier():
        name = next(new for n in range(len(names) + 1) if (new := f"{name}_{n + 2}") not in names)
    names.add(name)
    size = int(value.value)
    return Variable(number, name, "unsigned char" if raw else type, count, size, raw, gone, value.name)


def _lvalue(variable: Variable, path: str) -> str:
    if variable.allocated and variable.count is None and path.startswith(".") and not variable.raw:
        return f"{variable.name}->{path[1:]}"
    if not path and variable.count is not None:
        return variable.name
    return variable.whole + path


def _address(variable: Variable, offset: int, type: str) -> str:
    if offset:
        return f"(void *)((char *){variable.address} + {offset})"
    # What a pointer points to may become const on the way, but no more than that.
    qualified = type.count("*") > 1 and type.count("const") != variable.type.count("const")
    if variable.raw or qualified or _plain(type) != _plain(f"{variable.type} *"):
        return f"(void *){variable.address}"
    return variable.address


def _plain(type: str) -> str:
    """A pointer type without words that do not matter for an assignment."""
    return re.sub(r"\b(?:const|struct|union|volatile|restrict)\b|\s", "", type)


def _declaration(variable: Variable, entries: Sequence[str]) -> Iterator[str]:
    name, size = variable.name, variable.size
    braced = (
        entries[0] if len(entries) == 1 and entries[0].startswith(("{", '"')) else f"{{{', '.join(entries) or '0'}}}"
    )
    if variable.raw:
        if variable.allocated:
            yield f"unsigned char *{name} = calloc(1, {max(1, size)});"
            if entries:
                yield f"memcpy({name}, (unsigned char[{size}]){braced}, {size});"
        else:
            yield f"_Alignas(16) unsigned char {name}[{max(1, size)}] = {braced};"
    elif variable.allocated:
        count = variable.count if variable.count is not None else 1
        yield f"{variable.type} *{name} = calloc({count}, sizeof *{name});"
        if entries and variable.count is not None:
            yield f"memcpy({name}, ({variable.type}[{count}]){braced}, {count} * sizeof *{name});"
        elif entries:
            yield f"*{name} = ({variable.type}){braced if braced.startswith('{') else f'{{{braced}}}'};"
    elif variable.count is not None:
        yield f"{variable.type} {name}[{variable.count}] = {braced};"
    elif len(entries) == 1 and not entries[0].startswith((".", "[", "{", '"')):
        yield f"{variable.type} {name} = {entries[0]};"
    else:
        yield f"{variable.type} {name} = {braced};"
