"""Traced runs: what a run computed from its input, node by node, and which of it decided where it went.

What the process writes is looked at before it is used: a trace that does not hold together is none.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

from clew.base.cache import Cache
from clew.base.dataclass import dataclass
from clew.native import places, trace_places
from clew.native.build import Building, check_host
from clew.native.emit.context import Site
from clew.native.emit.module import NativeCode, emit_program
from clew.native.executor import FUEL, NativeExecutor, NativeRun
from clew.native.trace_ops import RecordKind
from clew.native.traced_library import with_library
from clew.program.module import Function, Program

NODE = struct.Struct("<BBHIIIQQ")
"""A node as the process writes it: the fields of ``Node``."""
_RECORD = struct.Struct("<IIIIQQ")
_SMALL = 200_000
"""Characters of code that is optimized: it takes the compiler a second for each so many."""
_HEADER = struct.Struct("<QQQQ")


class Node(NamedTuple):
    """A step of a computation; see ``NodeOp``."""

    op: int
    width: int
    extra: int
    a: int
    b: int
    c: int
    immediate: int
    """The operand that is 0."""
    value: int
    """What the run computed."""


class Record(NamedTuple):
    """What a run did because of its input; see ``RecordKind``."""

    site: int
    node: int
    kind: RecordKind
    taken: int
    """The outcome of a condition, or the size of an access."""
    value: int
    more: int


@dataclass(frozen=True, slots=True)
class Trace:
    """Of one run."""

    data: bytes
    """The input."""
    run: NativeRun
    records: tuple[Record, ...]
    sites: tuple[Site, ...]
    is_cut: bool
    """Whether there was no room for all of it."""
    nodes: bytes
    tables: bytes

    def node(self, number: int) -> Node:
        """A node, by its number; operands have smaller numbers."""
        return Node(*NODE.unpack_from(self.nodes, NODE.size * number))

    @property
    def node_count(self) -> int:
        """How many there are, with number 0, which is none."""
        return len(self.nodes) // NODE.size

    def table(self, offset: int) -> tuple[int, bytes]:
        """The address of an object, and what it held."""
        address, size = struct.unpack_from("<QI", self.tables, offset)
        return address, self.tables[offset + 16 : offset + 16 + size]


class TracedExecutor(NativeExecutor):
    """A process for traced runs of one program; use it in a ``with`` statement."""

    def __init__(self, library: bytes, code: NativeCode, stdin: int | None, program: Program) -> None:
        super().__init__(library, code, stdin)
        self.program = program
        """The program with those functions of the runtime that are traced with it."""

    def trace(self, data: bytes, fuel: int = FUEL, seconds: float = 10.0) -> Trace:
        """One run with this input, and all that it did because of it."""
        run = self.run(data, fuel, seconds)
        node_count, record_count, is_cut, tables = _HEADER.unpack(self._bytes(trace_places.TRACE, _HEADER.size))
        if node_count > trace_places.MOST_NODES or record_count > trace_places.MOST_RECORDS:
            node_count = record_count = 0
        records = self._bytes(trace_places.RECORDS, _RECORD.size * record_count)
        found = tuple(Record(*fields) for fields in _RECORD.iter_unpack(records))
        if not all(one.node < max(node_count, 1) and one.site < len(self._code.sites) for one in found):
            found = ()
        nodes = self._bytes(trace_places.NODES, NODE.size * node_count)
        held = self._bytes(trace_places.TABLES, min(tables, trace_places.TABLES_SIZE))
        return Trace(data[: places.INPUT_SIZE], run, found, self._code.sites, bool(is_cut), nodes, held)


class TracedProgram:
    """``entry`` as a program of its own that is traced: the compiler is at work beside the caller until ``executor`` or
    ``stop``. Unsupported where the program is for another processor, or does not fit into the arena."""

    def __init__(
        self, program: Program, entry: Function, arguments: tuple[bytes | int, ...] = (), cache: Cache | None = None
    ) -> None:
        check_host(program.triple, program.layout.pointer_bits)
        self._whole, library = with_library(program, cache)
        self._code = emit_program(self._whole, entry, arguments, False, library)
        self._building = Building(self._code.text, cache, "-O2" if len(self._code.text) <= _SMALL else "-O0")

    def executor(self, stdin: int | None = None) -> TracedExecutor:
        """An executor that gives the program so many bytes of standard input at most.

        Unsupported where the program cannot be compiled.
        """
        return TracedExecutor(self._building.finish(), self._code, stdin, self._whole)

    def stop(self) -> None:
        """It is not needed: the compiler ends."""
        self._building.stop()
