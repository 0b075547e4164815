"""Operands of instructions inside one function, and the facts about the module they depend on.

Values are memoized by their text (``"i32 %x"``): the same operand is read once per function, a constant
once per module.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field

from clew.base.dataclass import dataclass
from clew.base.location import Location
from clew.frontend.reader.attributes import Groups, read_parameter_attributes
from clew.frontend.reader.constants import ConstantReader
from clew.frontend.reader.cursor import Cursor, Malformed, UnsupportedText, name_of
from clew.frontend.reader.debuginfo import DebugInfo
from clew.frontend.reader.metadata import Metadata
from clew.frontend.reader.types import TypeReader
from clew.program.instructions import Argument, Instruction
from clew.program.layout import DataLayout
from clew.program.types import I1, MetadataType, OpaqueType, Type
from clew.program.values import Constant, MetadataArg, Register, Value

_PLAIN = re.compile(r"((?:i\d+|ptr|double|float) [%@]?[-\w$.]+)(?![-\w$.(\"])[ \t\n]*")
"""A type and a value that need no look at what comes behind them."""


@dataclass(slots=True)
class Context:
    """What the readers of one module share."""

    types: TypeReader
    constants: ConstantReader
    metadata: Metadata
    debug: DebugInfo
    groups: Groups
    layout: DataLayout = field(default_factory=DataLayout)
    noreturn: set[str] = field(default_factory=set)
    """Names of functions declared ``noreturn``."""
    constant_texts: dict[str, Constant] = field(default_factory=dict)
    flag_texts: dict[str, frozenset[str]] = field(default_factory=dict)

    @staticmethod
    def fresh() -> Context:
        types, metadata = TypeReader(), Metadata()
        return Context(types, ConstantReader(types), metadata, DebugInfo(metadata), Groups())

    def flags(self, text: str) -> frozenset[str]:
        known = self.flag_texts.get(text)
        if known is None:
            known = self.flag_texts[text] = frozenset(text.split())
        return known

    def natural_align(self, type: Type) -> int:
        """The alignment of an access that does not give one."""
        try:
            return self.layout.align(type)
        except TypeError:
            raise UnsupportedText(f"an access of type {type}") from None


class Scope:
    """The operands of one function."""

    __slots__ = ("context", "values")

    def __init__(self, context: Context) -> None:
        self.context = context
        self.values: dict[str, Value] = {}

    def register(self, name: str, type: Type) -> Register:
        if isinstance(type, OpaqueType):
            raise UnsupportedText(f"a value of type {type}")
        return Register(name, type)

    def from_text(self, type_text: str, text: str) -> Value:
        """The operand ``text`` of the type ``type_text`` spells; memoized."""
        key = f"{type_text} {text}"
        known = self.values.get(key)
        if known is None:
            known = self.values[key] = self._make(key, type_text, text)
        return known

    def _make(self, key: str, type_text: str, text: str) -> Value:
        if text[:1] == "%":
            return self.register(name_of(text[1:]), self.context.types.from_text(type_text))
        known = self.context.constant_texts.get(key)
        if known is None:
            cursor = Cursor(text)
            known = self.context.constants.read(cursor, self.context.types.from_text(type_text))
            if cursor.pos != len(text):
                raise Malformed(f"'{text}' is no operand")
            self.context.constant_texts[key] = known
        return known

    def value(self, cursor: Cursor, type: Type) -> Value:
        """The operand at the cursor, of the given type."""
        if cursor.peek() == "%":
            return self.register(cursor.name("%"), type)
        return self.context.constants.read(cursor, type)

    def typed_value(self, cursor: Cursor) -> Value:
        """``T V``. Plain ones are memoized by their text."""
        match = _PLAIN.match(cursor.text, cursor.pos)
        if match is None:
            return self.value(cursor, self.context.types.read(cursor))
        known = self.values.get(match[1])
        if known is None:
            known = self.value(cursor, self.context.types.read(cursor))
            if cursor.pos == match.end():
                self.values[match[1]] = known
        else:
            cursor.pos = match.end()
        return known

    def condition(self, cursor: Cursor) -> Value:
        value = self.typed_value(cursor)
        if value.type != I1:
            raise Malformed(f"a condition of type {value.type}")
        return value

    def argument(self, cursor: Cursor) -> Argument:
        """One argument of a call: type, attributes, value."""
        type = self.context.types.read(cursor)
        if isinstance(type, MetadataType):
            return Argument(self.metadata_argument(cursor))
        attributes = read_parameter_attributes(cursor, self.context.types)
        value = self.value(cursor, type)
        return Argument(value, attributes.byval, attributes.sret, attributes.align)

    def metadata_argument(self, cursor: Cursor) -> MetadataArg:
        """Text up to the comma or parenthesis that ends the argument."""
        start = cursor.pos
        while cursor.peek() not in (",", ")", ""):
            if cursor.peek() == '"':
                cursor.string()
            elif cursor.peek() in ("(", "["):
                cursor.skip_brackets()
            elif cursor.peek() == "{":
                end = cursor.text.find("}", cursor.pos)
                cursor.pos = end + 1 if end >= 0 else len(cursor.text)
            else:
                cursor.pos += 1
        return MetadataArg(cursor.text[start : cursor.pos].strip())


FLAG_WORDS = (
    "nsw", "nuw", "exact", "disjoint", "nneg", "samesign", "inbounds", "nusw",
    "fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc",
)  # fmt: skip


class Line(Cursor):
    """An instruction: its text, read from behind the opcode on, and what its operands and its result are made with."""

    __slots__ = ("location", "op", "register", "scope")

    def __init__(
        self, scope: Scope, text: str, pos: int, op: str, register: str | None, location: Location | None
    ) -> None:
        super().__init__(text, pos)
        self.scope = scope
        self.op = op
        self.register = register
        """The name of its result, if it has one."""
        self.location = location

    def value(self) -> Value:
        """``T V``."""
        return self.scope.typed_value(self)

    def next_value(self, type: Type | None = None) -> Value:
        """``, T V``; just ``, V`` where the type is known."""
        self.expect(",")
        return self.scope.typed_value(self) if type is None else self.scope.value(self, type)

    def type(self) -> Type:
        return self.scope.context.types.read(self)

    def label(self) -> str:
        """``label %name``."""
        self.expect("label")
        return self.name("%")

    def flags(self) -> frozenset[str]:
        words = []
        while word := self.accept_word(*FLAG_WORDS):
            words.append(word)
        return self.scope.context.flags(" ".join(words))

    def accept_operand(self) -> bool:
        """Skip a comma that is not the start of the metadata attachments."""
        if self.peek() != "," or self.text[self.pos + 1 :].lstrip()[:1] == "!":
            return False
        return self.accept(",")

    def result(self, type: Type) -> Register:
        """The register that an instruction which yields a value of ``type`` defines."""
        if self.register is None:
            raise Malformed("the result of the instruction has no name")
        return self.scope.register(self.register, type)


Reader = Callable[[Line], Instruction]
"""Reads an instruction, up to its metadata attachments."""
