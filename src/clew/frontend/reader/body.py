"""The body of a function: lines -> blocks.

One line is one instruction, label or debug record, except that ``switch`` and a few unsupported
instructions go on over several lines; those are joined first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.base.errors import UserError
from clew.base.location import Location
from clew.frontend.reader.accesses import ACCESSES
from clew.frontend.reader.control import CONTROL, TERMINATORS
from clew.frontend.reader.cursor import Malformed, UnsupportedText, name_of
from clew.frontend.reader.operands import Context, Line, Reader, Scope
from clew.frontend.reader.plain import read_plain
from clew.frontend.reader.records import read_label, read_record
from clew.frontend.reader.straight import STRAIGHT
from clew.program.instructions import Instruction, Phi, Terminator, Unreachable, UnsupportedInstruction, successors
from clew.program.module import Block, Landmark, VariableUpdate
from clew.program.types import OpaqueType
from clew.program.values import Register

READERS: dict[str, Reader] = {**STRAIGHT, **ACCESSES, **CONTROL}

_HEAD = re.compile(
    r"\s*(?:%(?P<name>[-\w$.]+|\"[^\"]*\")\s*=\s*)?(?:(?:tail|musttail|notail)\s+)?(?P<op>[a-z_]\w*)(?:\s+|$|(?=[,;]))"
)
_LABEL = re.compile(r'([-\w$.]+|"[^"]*"):\s*(?:;.*)?$')
_ATTACHED_LOCATION = re.compile(r",\s*!dbg !(\d+)(?:,\s*![^\"]*)?\s*(?:;.*)?$")
_CONTINUED = ("invoke", "callbr", "landingpad", "catchswitch")
_CONTINUATION = " " * 10
_BLANKS = (" ", "\t")
_UNKNOWN = OpaqueType("unsupported")


class BodyReader:
    """Reads one function body. ``first`` is the 1-based number of the body's first line."""

    def __init__(self, context: Context, lines: Sequence[str], first: int, entry: str) -> None:
        self._scope = Scope(context)
        self._lines = lines
        self._first = first
        self._blocks: list[Block] = []
        self._name: str | None = None
        self._entry = entry
        self._instructions: list[Instruction] = []
        self._updates: list[VariableUpdate] = []
        self._landmarks: list[Landmark] = []
        self._names: set[str] = set()
        self._ended = False
        self._cut = False
        """Whether a terminator was replaced, so that edges are missing."""

    def read(self) -> tuple[Block, ...]:
        index = 0
        try:
            while index < len(self._lines):
                index = self._line(index)
            self._finish_block()
            if not self._blocks:
                raise Malformed("a function without blocks")
        except Malformed as error:
            number = self._first + min(index, len(self._lines))
            raise UserError(f"bad LLVM text, line {number}: {error}") from None
        return tuple(self._prune_phis() if self._cut else self._blocks)

    def _prune_phis(self) -> list[Block]:
        """Blocks whose phis no longer name predecessors whose terminator was replaced by ``unreachable``."""
        edges = {(block.name, target) for block in self._blocks for target in successors(block.terminator)}
        pruned: list[Block] = []
        for block in self._blocks:
            instructions: list[Instruction] = []
            for instruction in block.instructions:
                if isinstance(instruction, Phi):
                    kept = [pair for pair in instruction.incoming if (pair[1], block.name) in edges]
                    instruction = Phi(instruction.result, instruction.location, tuple(kept))
                instructions.append(instruction)
            pruned.append(Block(block.name, tuple(instructions), block.updates, block.landmarks))
        return pruned

    def _line(self, index: int) -> int:
        """Read the logical line that starts at ``index``; the index after it."""
        line = self._lines[index]
        head = _HEAD.match(line) if line[:1] in _BLANKS else None
        if head is None:
            self._other(line)
            return index + 1
        name, op = head["name"], head["op"]
        end = index + 1
        try:
            plain = read_plain(self._scope, line, head.end(), op, name)
            if plain is not None:
                self._add(plain)
                return end
            line, end = self._join(line, op, end)
            self._add(self._instruction(line, head.end(), op, name))
        except UnsupportedText:
            self._add_unsupported(line, op, name)
        return end

    def _join(self, line: str, op: str, end: int) -> tuple[str, int]:
        """The whole text of an instruction that goes on in the next lines, and the index after it."""
        lines = [line]
        if line.rstrip().endswith("["):
            while end < len(self._lines) and "]" not in lines[-1]:
                lines.append(self._lines[end].partition(";")[0])
                end += 1
        elif op in _CONTINUED:
            while end < len(self._lines) and self._lines[end].startswith(_CONTINUATION):
                lines.append(self._lines[end])
                end += 1
        return "\n".join(lines), end

    def _instruction(self, line: str, pos: int, op: str, name: str | None) -> Instruction:
        reader = READERS.get(op)
        if reader is None:
            raise UnsupportedText(op)
        register = name_of(name) if name is not None else None
        whole = Line(self._scope, line, pos, op, register, self._location(line))
        instruction = reader(whole)
        whole.finish()
        if name is not None and instruction.result is None:
            raise Malformed(f"'{op}' yields nothing that could have a name")
        return instruction

    def _location(self, line: str) -> Location | None:
        match = _ATTACHED_LOCATION.search(line)
        return self._scope.context.debug.location(match[1]) if match else None

    def _add(self, instruction: Instruction) -> None:
        if self._ended:
            raise Malformed("an instruction after the end of its block")
        if isinstance(instruction, Phi) and self._instructions and not isinstance(self._instructions[-1], Phi):
            raise Malformed("a phi after other instructions")
        self._instructions.append(instruction)
        self._ended = isinstance(instruction, Terminator)

    def _add_unsupported(self, line: str, op: str, name: str | None) -> None:
        """Keep the text, so that the path that meets it can say what it met."""
        location = self._location(line)
        result = Register(name_of(name), _UNKNOWN) if name is not None else None
        text = " ".join(line.partition(", !dbg ")[0].split())
        self._add(UnsupportedInstruction(result, location, text))
        if op in TERMINATORS:
            self._cut = True
            self._add(Unreachable(None, location))

    def _other(self, line: str) -> None:
        """A label, a debug record, a comment or an empty line."""
        text = line.strip()
        if not text or text[0] == ";":
            return
        if text.startswith("#dbg_"):
            self._record(line)
            return
        match = _LABEL.match(text)
        if match is None:
            raise Malformed(f"expected an instruction, found '{text[:40]}'")
        self._start_block(name_of(match[1]))

    def _record(self, line: str) -> None:
        index = len(self._instructions)
        label = read_label(self._scope, line, index)
        update = None if label is not None else read_record(self._scope, line, index)
        if label is not None and not self._ended:
            self._landmarks.append(label)
        elif update is not None and not self._ended:
            self._updates.append(update)

    def _start_block(self, name: str) -> None:
        self._finish_block()
        if name in self._names:
            raise Malformed(f"block '{name}' is defined twice")
        self._names.add(name)
        self._name = name

    def _finish_block(self) -> None:
        """Close the block read so far. The entry block may have no label; then it has a number."""
        if self._name is None and not self._instructions:
            return
        if not self._ended:
            raise Malformed("the block before has no terminator")
        name = self._entry if self._name is None else self._name
        self._names.add(name)
        parts = tuple(self._instructions), tuple(self._updates), tuple(self._landmarks)
        self._blocks.append(Block(name, *parts))
        self._instructions, self._updates, self._landmarks, self._ended = [], [], [], False
