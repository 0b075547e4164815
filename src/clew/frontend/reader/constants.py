"""Constants: ``[2 x ptr] [ptr @f, ptr null]`` -> ``ConstAggregate``; constant expressions keep their shape.

A constant's type is always known before its text, as LLVM writes it first.
"""

from __future__ import annotations

import re

from clew.frontend.reader.cursor import Cursor, Malformed, UnsupportedText, unescape, unescape_bytes
from clew.frontend.reader.floats import FLOAT_LITERAL, float_bits
from clew.frontend.reader.types import TypeReader, with_shape
from clew.program.types import (
    PTR,
    ArrayType,
    FloatType,
    IntType,
    MetadataType,
    OpaqueType,
    PointerType,
    StructType,
    Type,
    VectorType,
)
from clew.program.values import (
    BlockAddress,
    ConstAggregate,
    Constant,
    ConstBytes,
    ConstExpr,
    ConstFloat,
    ConstInt,
    ConstNull,
    ConstUndef,
    ConstZero,
    GlobalRef,
    InlineAsm,
)

CAST_OPS = frozenset(
    "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp "
    "ptrtoint ptrtoaddr inttoptr bitcast addrspacecast".split()
)
BINARY_OPS = frozenset("add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem".split())
_OTHER_OPS = frozenset("getelementptr icmp fcmp select extractelement insertelement shufflevector fneg".split())
_EXPRESSIONS = CAST_OPS | BINARY_OPS | _OTHER_OPS
_LITERALS = frozenset(
    "null none undef poison zeroinitializer true false c splat "
    "blockaddress dso_local_equivalent no_cfi ptrauth asm".split()
)
VALUE_WORDS = _EXPRESSIONS | _LITERALS
"""Every word a constant can start with: what tells a value from an attribute before it."""

_HEX_INT = re.compile(r"([us])0x([0-9A-Fa-f]{1,4000})")
_INT_ARRAY = re.compile(r"\[(i\d+) -?\d{1,40}(?:, \1 -?\d{1,40})*\]")
_ASM = re.compile(r'asm((?:\s+[a-z]+)*)\s+"([^"]*)",\s*"([^"]*)"')


class ConstantReader:
    """Reads constants of one module."""

    def __init__(self, types: TypeReader) -> None:
        self._types = types
        self.mentioned: set[str] = set()
        """Names in what was read so far."""

    def typed(self, cursor: Cursor) -> Constant:
        """``T C``."""
        return self.read(cursor, self._types.read(cursor))

    def read(self, cursor: Cursor, type: Type) -> Constant:
        """The constant at the cursor, of the given type."""
        if isinstance(type, OpaqueType):
            raise UnsupportedText(f"a value of type {type}")
        match cursor.peek():
            case "@":
                return self._reference(cursor, type)
            case "[" | "{" | "<":
                return self._aggregate(cursor, type)
            case _:
                word = cursor.peek_word()
                if word in _EXPRESSIONS:
                    return self._expression(cursor, type)
                if word in _LITERALS:
                    return self._literal(cursor, type, word)
                return _number(cursor, type)

    def _reference(self, cursor: Cursor, type: Type) -> Constant:
        name = cursor.name("@")
        self.mentioned.add(name)
        return GlobalRef(name, _pointer(type))

    def _literal(self, cursor: Cursor, type: Type, word: str) -> Constant:
        if word == "c":
            return self._bytes(cursor, type)
        if word == "asm":
            return _inline_asm(cursor)
        cursor.word()
        match word:
            case "null":
                return ConstNull(_pointer(type))
            case "undef" | "poison":
                return ConstUndef(type, word == "poison")
            case "zeroinitializer":
                return ConstZero(type)
            case "true" | "false" if type == IntType(1):
                return ConstInt(type, int(word == "true"))
            case "splat":
                return self._splat(cursor, type)
            case "blockaddress":
                return _block_address(cursor)
            case "dso_local_equivalent" | "no_cfi":
                return self._reference(cursor, type)
            case "ptrauth" | "none":
                raise UnsupportedText(f"constant '{word}'")
        raise Malformed(f"'{word}' is no constant of type {type}")

    def _bytes(self, cursor: Cursor, type: Type) -> Constant:
        cursor.expect("c")
        data = unescape_bytes(cursor.string())
        if not isinstance(type, ArrayType) or type.element != IntType(8) or type.count != len(data):
            raise Malformed(f"a string of {len(data)} bytes is no constant of type {type}")
        return ConstBytes(type, data)

    def _splat(self, cursor: Cursor, type: Type) -> Constant:
        if not isinstance(type, VectorType):
            raise Malformed(f"'splat' is no constant of type {type}")
        cursor.expect("(")
        cursor.enter()
        element = self.typed(cursor)
        cursor.leave()
        cursor.expect(")")
        _check_element(element, type.element)
        return ConstAggregate(type, (element,) * type.count)

    def _aggregate(self, cursor: Cursor, type: Type) -> Constant:
        if isinstance(type, ArrayType) and isinstance(type.element, IntType):
            match = cursor.match(_INT_ARRAY)
            if match is not None:
                return _int_array(match[0], match[1], type, type.element)
        opening, closing, expected = _shape(type)
        cursor.expect(opening)
        cursor.enter()
        elements = cursor.listed(closing, lambda: self.typed(cursor))
        cursor.leave()
        fits = isinstance(expected, tuple) and len(expected) == len(elements)
        if not fits and not (isinstance(type, ArrayType | VectorType) and type.count == len(elements)):
            raise Malformed(f"{len(elements)} elements for a constant of type {type}")
        for index, element in enumerate(elements):
            _check_element(element, expected[index] if isinstance(expected, tuple) else expected)
        return ConstAggregate(type, tuple(elements))

    def _expression(self, cursor: Cursor, type: Type) -> Constant:
        """``op [flags] (operands)``. Flags and predicates other than a compare's are dropped."""
        op = cursor.word()
        predicate = ""
        while cursor.peek() not in ("(", ""):
            predicate = cursor.word()
            if predicate == "inrange":
                cursor.skip_brackets()
        cursor.expect("(")
        cursor.enter()
        source: Type | None = None
        if op == "getelementptr":
            source = self._types.read(cursor)
            cursor.expect(",")
        operands = [self.typed(cursor)]
        while cursor.accept(","):
            operands.append(self.typed(cursor))
        if op in CAST_OPS:
            cursor.expect("to")
            if self._types.read(cursor) != type:
                raise Malformed(f"a '{op}' expression is not of type {type}")
        cursor.leave()
        cursor.expect(")")
        if op in ("icmp", "fcmp"):
            raise UnsupportedText(f"constant expression '{op} {predicate}'")
        return ConstExpr(op, _expression_type(op, operands, type), tuple(operands), source)


def _int_array(text: str, element_text: str, type: ArrayType, element: IntType) -> Constant:
    """Tables of plain integers are the long constants of C programs, so they have a shortcut."""
    skip, mask = len(element_text) + 1, (1 << element.width) - 1
    texts = text[1:-1].split(", ")
    if len(texts) != type.count or element_text != str(element):
        raise Malformed(f"{len(texts)} elements of type {element_text} for a constant of type {type}")
    known = {part: ConstInt(element, int(part[skip:]) & mask) for part in set(texts)}
    return ConstAggregate(type, tuple([known[part] for part in texts]))


def _expression_type(op: str, operands: list[Constant], type: Type) -> Type:
    """The type of an expression, which must be the expected ``type``."""
    first = operands[0].type
    found = type
    if op == "getelementptr":
        shapes = [operand.type for operand in operands if isinstance(operand.type, VectorType)]
        element = first.element if isinstance(first, VectorType) else first
        found = with_shape(shapes[0], element) if shapes else element
    elif op in BINARY_OPS or op == "insertelement":
        found = first
    if found != type:
        raise Malformed(f"a '{op}' expression of type {found} where {type} is expected")
    return type


def _shape(type: Type) -> tuple[str, str, Type | tuple[Type, ...]]:
    """Brackets of an aggregate constant of ``type`` and the types of its elements."""
    match type:
        case ArrayType(element=element):
            return "[", "]", element
        case VectorType(element=element):
            return "<", ">", element
        case StructType(fields=fields, packed=True):
            return "<{", "}>", fields
        case StructType(fields=fields):
            return "{", "}", fields
        case _:
            raise Malformed(f"an aggregate is no constant of type {type}")


def _check_element(element: Constant, expected: Type) -> None:
    if element.type is not expected and element.type != expected:
        raise Malformed(f"an element of type {element.type} where {expected} is expected")


def _pointer(type: Type) -> Type:
    if not isinstance(type, PointerType):
        raise Malformed(f"a pointer is no constant of type {type}")
    return type


def _number(cursor: Cursor, type: Type) -> Constant:
    if isinstance(type, IntType):
        value = cursor.accept_integer()
        if value is None:
            match = cursor.match(_HEX_INT)
            if match is None:
                raise cursor.error(f"a constant of type {type}")
            value = int(match[2], 16)
        return ConstInt(type, value & (1 << type.width) - 1)
    if isinstance(type, FloatType):
        match = cursor.match(FLOAT_LITERAL)
        if match is None:
            raise cursor.error(f"a constant of type {type}")
        return ConstFloat(type, float_bits(match[0], type.kind))
    wanted = "metadata" if isinstance(type, MetadataType) else f"a constant of type {type}"
    raise cursor.error(wanted)


def _block_address(cursor: Cursor) -> Constant:
    cursor.expect("(")
    function = cursor.name("@")
    cursor.expect(",")
    block = cursor.name("%")
    cursor.expect(")")
    return BlockAddress(function, block)


def _inline_asm(cursor: Cursor) -> Constant:
    match = cursor.match(_ASM)
    if match is None:
        raise cursor.error("inline assembly")
    return InlineAsm(unescape(match[2]), unescape(match[3]), PTR)
