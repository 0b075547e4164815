"""C types of debug info -> the program's ``CTypes`` table.

Types refer to each other in cycles, so a type first gets an index and is converted later, from a
work list; only types something asks for are converted.
"""

from __future__ import annotations

from clew.frontend.reader.cursor import Malformed
from clew.frontend.reader.metadata import Metadata, MetadataNode
from clew.program.ctypes import CArray, CBase, CEnum, CFunction, CMember, CNamed, CPointer, CRecord, CType, CTypes

_QUALIFIERS = {
    "DW_TAG_const_type": "const",
    "DW_TAG_volatile_type": "volatile",
    "DW_TAG_restrict_type": "restrict",
    "DW_TAG_atomic_type": "_Atomic",
}
_RECORDS = ("DW_TAG_structure_type", "DW_TAG_union_type", "DW_TAG_class_type")
_UNKNOWN = CBase("<unknown>", 0, "unsigned")


class CTypeTable:
    """Gives out indices and fills the table."""

    def __init__(self, metadata: Metadata) -> None:
        self._metadata = metadata
        self._indices: dict[str, int] = {}
        self._entries: list[CType] = []
        self._pending: list[tuple[int, str]] = []

    def index(self, id: str | None) -> int:
        """The table index of the type with metadata number ``id``; -1 for ``void``."""
        if id is None:
            return -1
        known = self._indices.get(id)
        if known is None:
            known = self._indices[id] = self._reserve()
            self._pending.append((known, id))
        return known

    def finish(self) -> CTypes:
        """Convert everything asked for, and what that refers to."""
        while self._pending:
            index, id = self._pending.pop()
            try:
                self._entries[index] = self._convert(self._metadata.node(id))
            except Malformed as error:
                error.line = self._metadata.line(id)
                raise
        return CTypes(tuple(self._entries))

    def _reserve(self) -> int:
        self._entries.append(_UNKNOWN)
        return len(self._entries) - 1

    def _add(self, entry: CType) -> int:
        self._entries.append(entry)
        return len(self._entries) - 1

    def _convert(self, node: MetadataNode) -> CType:
        match node.kind:
            case "DIBasicType":
                return _base(node)
            case "DIDerivedType":
                return self._derived(node)
            case "DICompositeType":
                return self._composite(node)
            case "DISubroutineType":
                return self._function(node)
            case _:
                return _UNKNOWN

    def _derived(self, node: MetadataNode) -> CType:
        tag, to = node.word("tag"), self.index(node.ref("baseType"))
        if tag == "DW_TAG_typedef":
            return CNamed(node.text("name"), to)
        if tag in _QUALIFIERS:
            return CNamed(_QUALIFIERS[tag], to, qualifier=True)
        if tag == "DW_TAG_pointer_type":
            return CPointer(to, node.number("size"))
        return CNamed(node.text("name"), to)

    def _composite(self, node: MetadataNode) -> CType:
        tag = node.word("tag")
        if tag in _RECORDS:
            members = self._metadata.elements(node.ref("elements"))
            parts = tuple(self._member(self._metadata.node(id)) for id in members if id is not None)
            return CRecord(node.text("name"), tag == "DW_TAG_union_type", node.number("size"), parts)
        if tag == "DW_TAG_enumeration_type":
            return self._enum(node)
        if tag == "DW_TAG_array_type":
            return self._array(node)
        return _UNKNOWN

    def _member(self, node: MetadataNode) -> CMember:
        ctype = self.index(node.ref("baseType"))
        bitfield = "DIFlagBitField" in node.word("flags")
        return CMember(node.text("name"), ctype, node.number("offset"), node.number("size"), bitfield)

    def _enum(self, node: MetadataNode) -> CType:
        base = node.ref("baseType")
        signed = base is not None and "unsigned" not in self._metadata.node(base).word("encoding")
        constants = []
        for id in self._metadata.elements(node.ref("elements")):
            if id is not None:
                enumerator = self._metadata.node(id)
                constants.append((enumerator.text("name"), enumerator.number("value")))
        return CEnum(node.text("name"), node.number("size"), signed, tuple(constants))

    def _array(self, node: MetadataNode) -> CType:
        """One node per dimension, the innermost (last) first."""
        counts = []
        for id in self._metadata.elements(node.ref("elements")):
            dimension = self._metadata.node(id) if id is not None else MetadataNode("", {})
            counts.append(dimension.number("count", -1))
        element = self.index(node.ref("baseType"))
        bits, known = node.number("size"), all(count > 0 for count in counts)
        inner_bits = bits
        for count in counts if known else ():
            inner_bits //= count
        for count in reversed(counts[1:]):
            inner_bits = inner_bits * count if known else 0
            element = self._add(CArray(element, count, inner_bits))
        return CArray(element, counts[0] if counts else -1, bits)

    def _function(self, node: MetadataNode) -> CType:
        """A ``null`` first is ``void``, a ``null`` last means more arguments may follow."""
        result, *params = self._metadata.elements(node.ref("types")) or [None]
        varargs = bool(params) and params[-1] is None
        if varargs:
            params.pop()
        return CFunction(self.index(result), tuple(self.index(param) for param in params), varargs)


def _base(node: MetadataNode) -> CType:
    encoding = node.word("encoding").removeprefix("DW_ATE_")
    return CBase(node.text("name"), node.number("size"), "unsigned" if encoding in ("UTF", "") else encoding)
