"""Debug info -> ``Location``, ``Variable``, names: what lets Clew speak of the user's source.

File names are the user's own: Clang keeps what the user wrote in the compile unit's file, and writes other
files relative to some directory; that directory is joined only if it is not the compilation's.
"""

from __future__ import annotations

import posixpath
import re

from clew.base.location import Location
from clew.frontend.reader.ctype_table import CTypeTable
from clew.frontend.reader.metadata import Metadata, MetadataNode
from clew.program.module import Variable

_LOCATION = re.compile(r"(?:distinct )?!DILocation\(line: (\d{1,9}), (?:column: (\d{1,9}), )?scope: !(\d+)[,)]")


class DebugInfo:
    """Answers questions about one module's debug info; all answers are memoized by node number."""

    def __init__(self, metadata: Metadata) -> None:
        self._metadata = metadata
        self.ctypes = CTypeTable(metadata)
        self._locations: dict[str, Location] = {}
        self._variables: dict[str, Variable] = {}
        self._scopes: dict[str, tuple[str, str]] = {}
        self._files: dict[str, str] = {}
        self._units: dict[str, str] | None = None
        self._directories: set[str] = set()

    def location(self, id: str) -> Location:
        """The place a DILocation names. Of inlined code: the innermost place and its own function."""
        known = self._locations.get(id)
        if known is None:
            match = _LOCATION.match(self._metadata.raw(id))
            if match is not None and match[1] != "0":
                line, column, scope = int(match[1]), int(match[2] or 0), match[3]
            else:
                node = self._metadata.node(id)
                line, column, scope = node.number("line"), node.number("column"), node.ref("scope") or ""
                around = node.ref("inlinedAt")
                if not line and around:
                    # Code that is nowhere in the source stands for the place it was put into.
                    known = self._locations[id] = self.location(around)
                    return known
            file, function = self._scope(scope) if scope else ("", "")
            known = self._locations[id] = Location(file, line, column, function)
        return known

    def variable(self, id: str) -> Variable:
        """The C variable a DILocalVariable names."""
        known = self._variables.get(id)
        if known is None:
            node = self._metadata.node(id)
            location = self._place(node) if node.number("line") else None
            ctype = self.ctypes.index(node.ref("type"))
            known = self._variables[id] = Variable(node.text("name"), ctype, node.number("arg"), location)
        return known

    def label(self, id: str) -> tuple[str, Location]:
        """Name and place of the C label a DILabel names."""
        node = self._metadata.node(id)
        return node.text("name"), self._place(node)

    def _place(self, node: MetadataNode) -> Location:
        """Where something is: in its own file, or else that of the scope around it."""
        scope, own_file = node.ref("scope"), node.ref("file")
        file, function = self._scope(scope) if scope else ("", "")
        file = self._file(own_file) if own_file else file
        return Location(file, node.number("line"), node.number("column"), function)

    def subprogram(self, id: str) -> tuple[Location | None, int]:
        """Where a function is defined (or declared), with its C name, and its C type."""
        node = self._metadata.node(id)
        file = node.ref("file")
        if node.kind != "DISubprogram":
            return None, -1
        location = Location(self._file(file) if file else "", node.number("line"), 0, node.text("name"))
        return location, self.ctypes.index(node.ref("type"))

    def global_variable(self, id: str) -> tuple[str, Location | None, int]:
        """Name, place and C type of the variable a DIGlobalVariableExpression describes."""
        node = self._metadata.node(id)
        inner = node.ref("var")
        if inner is not None:
            node = self._metadata.node(inner)
        location = self._place(node) if node.number("line") else None
        return node.text("name"), location, self.ctypes.index(node.ref("type"))

    def source_files(self) -> tuple[str, ...]:
        """The files that were compiled, as the user named them."""
        units = self._metadata.named("llvm.dbg.cu")
        files = [self._metadata.node(unit).ref("file") for unit in units]
        return tuple(dict.fromkeys(self._metadata.node(file).text("filename") for file in files if file))

    def _scope(self, id: str) -> tuple[str, str]:
        """File and function of a scope: the nearest file, its own first, and the nearest subprogram's name."""
        waiting: list[str] = []
        outer: str | None = id
        while outer is not None and outer not in self._scopes:
            # What the scopes around a scope say holds for it; to begin with, so that a cycle ends, nothing does.
            self._scopes[outer] = ("", "")
            waiting.append(outer)
            node = self._metadata.node(outer)
            outer = node.ref("scope") if node.kind != "DISubprogram" else None
        file, function = self._scopes[outer] if outer is not None else ("", "")
        for scope in reversed(waiting):
            node = self._metadata.node(scope)
            own = node.ref("file")
            file = self._file(own) if own else file
            function = node.text("name") if node.kind == "DISubprogram" else function
            self._scopes[scope] = (file, function)
        return self._scopes[id]

    def _file(self, id: str) -> str:
        known = self._files.get(id)
        if known is None:
            known = self._files[id] = self._spell_file(id)
        return known

    def _spell_file(self, id: str) -> str:
        node = self._metadata.node(id)
        name, directory = node.text("filename"), node.text("directory")
        given = self._given_names().get(_full_path(directory, name))
        if given is not None:
            return given
        return name if directory in self._directories else posixpath.join(directory, name)

    def _given_names(self) -> dict[str, str]:
        """Full path -> the name the user gave, for each compile unit."""
        if self._units is None:
            self._units = {}
            for unit in self._metadata.named("llvm.dbg.cu"):
                file = self._metadata.node(unit).ref("file")
                if file is not None:
                    node = self._metadata.node(file)
                    name, directory = node.text("filename"), node.text("directory")
                    self._units[_full_path(directory, name)] = name
                    self._directories.add(directory)
        return self._units


def _full_path(directory: str, name: str) -> str:
    return posixpath.normpath(posixpath.join(directory, name))
