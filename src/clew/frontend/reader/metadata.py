"""The module's metadata as raw text, taken apart only where something asks for it.

Most nodes (TBAA, loop hints) are never asked for. Answers are tolerant about fields, since debug info
only serves people; but a reference to a node that does not exist is malformed text.
"""

from __future__ import annotations

import re

from clew.base.dataclass import dataclass
from clew.frontend.reader.cursor import Malformed, unescape

_NODE = re.compile(r"(?:distinct )?!(\w+)\((.*)\)\s*(?:;.*)?$")
_FIELD = re.compile(r'(\w+): ("[^"]*"|[^,"(]*(?:\([^)]*\))?[^,"]*)')
_ELEMENT = re.compile(r'!(\d+)|!?"[^"]*"|null|\w+ -?\d+')
_INTEGER = re.compile(r"-?\d{1,40}$")


@dataclass(frozen=True, slots=True)
class MetadataNode:
    """A specialised node such as ``!DILocation(line: 3, scope: !5)``."""

    kind: str
    fields: dict[str, str]

    def text(self, key: str) -> str:
        """The string at ``key``; empty if there is none."""
        value = self.fields.get(key, "")
        return unescape(value[1:-1]) if value[:1] == '"' and len(value) > 1 else ""

    def number(self, key: str, default: int = 0) -> int:
        value = self.fields.get(key, "")
        return int(value) if _INTEGER.match(value) else default

    def ref(self, key: str) -> str | None:
        """The id of the node ``key`` refers to."""
        value = self.fields.get(key, "")
        return value[1:] if value[:1] == "!" and value[1:].isdigit() else None

    def word(self, key: str) -> str:
        return self.fields.get(key, "")


class Metadata:
    """All numbered and named metadata of a module."""

    def __init__(self) -> None:
        self._raw: dict[str, str] = {}
        self._nodes: dict[str, MetadataNode] = {}
        self._lines: dict[str, int] = {}

    def define(self, line: str, number: int) -> None:
        """Note a ``!12 = ...`` line, the ``number``-th of the module."""
        name, equals, body = line.partition(" = ")
        if not equals:
            raise Malformed("expected '!name = ...'")
        self._raw[name[1:]] = body
        self._lines[name[1:]] = number

    def line(self, id: str) -> int:
        """The line node ``id`` is defined on; 0 if it is not defined."""
        return self._lines.get(id, 0)

    def raw(self, id: str) -> str:
        text = self._raw.get(id)
        if text is None:
            raise Malformed(f"metadata !{id} is not defined")
        return text

    def node(self, id: str) -> MetadataNode:
        """The specialised node with number ``id``; of kind "" if the node is a plain tuple."""
        known = self._nodes.get(id)
        if known is None:
            match = _NODE.match(self.raw(id))
            known = MetadataNode(match[1], dict(_FIELD.findall(match[2]))) if match else MetadataNode("", {})
            self._nodes[id] = known
        return known

    def elements(self, id: str | None) -> list[str | None]:
        """The ids a tuple ``!{!1, null, !3}`` lists; None for anything that is not a reference."""
        if id is None:
            return []
        body = self.raw(id).partition("{")[2]
        return [match[1] for match in _ELEMENT.finditer(body)]

    def named(self, name: str) -> list[str]:
        """The ids a named node such as ``!llvm.dbg.cu`` lists; empty if it does not exist."""
        return [id for id in self.elements(name) if id is not None] if name in self._raw else []
