"""Types: ``{ i32, [4 x i8] }`` -> ``StructType((I32, ArrayType(4, I8)))``.

Named structs are resolved to their structure when first used. Invariant: the same text gives the
same (identical) type object for plain words and named structs, so comparisons are cheap.
Types Clew does not model (scalable vectors, tokens) become ``OpaqueType``; no value of such a type is
ever built (see ``operands``).
"""

from __future__ import annotations

import re

from clew.frontend.reader.cursor import Cursor, Malformed, name_of
from clew.program.types import (
    LABEL,
    METADATA,
    VOID,
    ArrayType,
    FloatKind,
    FloatType,
    FunctionType,
    IntType,
    OpaqueType,
    PointerType,
    StructType,
    Type,
    VectorType,
)

MAX_INT_WIDTH = 1 << 23
MAX_VECTOR = 1 << 16

_WORD_TYPE = re.compile(r"[a-z]\w*")
_PLAIN = re.compile(r"(i\d+|ptr|float|double|void)\b[ \t\n]*+(?!\(|addrspace)")
"""A type that is one word, with nothing behind it that belongs to it."""
_NAMED = re.compile(r'%("[^"]*"|[-\w$.]+)')
_INT = re.compile(r"i([1-9]\d{0,7})")
_OPAQUE_WORDS = ("token", "x86_amx", "x86_mmx", "target")


class TypeReader:
    """Reads types of one module; knows its named structs."""

    def __init__(self) -> None:
        self._words: dict[str, Type] = {kind.value: FloatType(kind) for kind in FloatKind}
        self._words |= {"void": VOID, "ptr": PointerType(), "label": LABEL, "metadata": METADATA}
        self._words |= {word: OpaqueType(word) for word in _OPAQUE_WORDS}
        self._bodies: dict[str, str] = {}
        self._named: dict[str, Type] = {}
        self._resolving: set[str] = set()
        self._texts: dict[str, Type] = {}

    def define(self, name: str, body: str) -> None:
        """Note ``%name = type body``; it is read on first use, since bodies refer to later names."""
        self._bodies[name] = body

    def starts_type(self, cursor: Cursor) -> bool:
        """Whether a type (not an attribute or a keyword) comes next."""
        char = cursor.peek()
        if char in ("%", "[", "{", "<"):
            return True
        word = cursor.peek_word()
        return word in self._words or _INT.fullmatch(word) is not None

    def from_text(self, text: str) -> Type:
        """The type a whole ``text`` spells; memoized."""
        known = self._texts.get(text)
        if known is None:
            cursor = Cursor(text)
            known = self.read(cursor)
            if cursor.pos != len(text):
                raise Malformed(f"'{text}' is not a type")
            self._texts[text] = known
        return known

    def read(self, cursor: Cursor) -> Type:
        """One type at the cursor, with the suffix of a function type if there is one."""
        match = _PLAIN.match(cursor.text, cursor.pos)
        plain = None if match is None else self._words.get(match[1])
        if match is not None and plain is not None:
            cursor.pos = match.end()
            return plain
        type = self._read_base(cursor)
        while cursor.peek() == "(":
            type = self._read_function(cursor, type)
        return type

    def _read_base(self, cursor: Cursor) -> Type:
        match cursor.peek():
            case "%":
                return self._read_named(cursor)
            case "[":
                return self._read_sequence(cursor, "[", "]")
            case "<":
                if cursor.text.startswith("<{", cursor.pos):
                    cursor.expect("<")
                    fields = self._read_fields(cursor)
                    cursor.expect(">")
                    return StructType(fields, packed=True)
                return self._read_sequence(cursor, "<", ">")
            case "{":
                return StructType(self._read_fields(cursor))
            case _:
                return self._read_word(cursor)

    def _read_word(self, cursor: Cursor) -> Type:
        match = _WORD_TYPE.match(cursor.text, cursor.pos)
        if match is None:
            raise cursor.error("a type")
        word = match[0]
        type = self._words.get(word)
        if type is None:
            type = self._words[word] = self._int_type(cursor, word)
        cursor.pos = match.end()
        cursor.skip_blanks()
        if word == "ptr" and cursor.accept_word("addrspace"):
            cursor.expect("(")
            space = cursor.integer()
            cursor.expect(")")
            return PointerType(space)
        if word == "target":
            return OpaqueType("target" + cursor.skip_brackets())
        return type

    def _int_type(self, cursor: Cursor, word: str) -> Type:
        match = _INT.fullmatch(word)
        if match is None or int(match[1]) > MAX_INT_WIDTH:
            raise cursor.error("a type")
        return IntType(int(match[1]))

    def _read_named(self, cursor: Cursor) -> Type:
        match = cursor.match(_NAMED)
        if match is None:
            raise cursor.error("the name of a type")
        name = name_of(match[1])
        known = self._named.get(name)
        if known is None:
            known = self._named[name] = self._resolve(cursor, name)
        return known

    def _resolve(self, cursor: Cursor, name: str) -> Type:
        if name not in self._bodies:
            raise Malformed(f"type '%{name}' is not defined")
        if name in self._resolving:
            raise Malformed(f"type '%{name}' contains itself")
        if self._bodies[name] == "opaque":
            return OpaqueType(name)
        self._resolving.add(name)
        inner = Cursor(self._bodies[name])
        inner.depth = cursor.depth
        type = self.read(inner)
        inner.finish()
        self._resolving.discard(name)
        return type

    def _read_fields(self, cursor: Cursor) -> tuple[Type, ...]:
        cursor.expect("{")
        cursor.enter()
        fields = cursor.listed("}", lambda: self.read(cursor))
        cursor.leave()
        return tuple(fields)

    def _read_sequence(self, cursor: Cursor, opening: str, closing: str) -> Type:
        cursor.expect(opening)
        scalable = cursor.accept_word("vscale")
        if scalable:
            cursor.expect("x")
        count = cursor.integer()
        cursor.expect("x")
        cursor.enter()
        element = self.read(cursor)
        cursor.leave()
        cursor.expect(closing)
        if count < 0:
            raise Malformed("an array or vector has a negative length")
        if opening == "[":
            return ArrayType(count, element)
        if scalable:
            return OpaqueType(f"<vscale x {count} x {element}>")
        if not 0 < count <= MAX_VECTOR:
            raise Malformed(f"a vector of {count} elements")
        return VectorType(count, element)

    def _read_function(self, cursor: Cursor, result: Type) -> FunctionType:
        cursor.expect("(")
        cursor.enter()
        params = cursor.listed(")", lambda: None if cursor.accept("...") else self.read(cursor))
        cursor.leave()
        return FunctionType(result, tuple(param for param in params if param is not None), None in params)


def with_shape(like: Type, element: Type) -> Type:
    """``element``, or a vector of it if ``like`` is a vector: the result type of compares and the like."""
    return VectorType(like.count, element) if isinstance(like, VectorType) else element


def indexed_type(type: Type, indices: tuple[int, ...]) -> Type:
    """The type found by following ``indices`` into an aggregate."""
    for index in indices:
        if isinstance(type, StructType) and 0 <= index < len(type.fields):
            type = type.fields[index]
        elif isinstance(type, ArrayType) and 0 <= index < type.count:
            type = type.element
        else:
            raise Malformed(f"index {index} does not fit into {type}")
    return type
