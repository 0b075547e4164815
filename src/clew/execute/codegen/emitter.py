"""Writes trees of blocks as Python source.

The generated function has the shape

    def run(s, f):                     # the state, its top frame
        m = s.memory; r4 = m.r4        # fast-path tables of memory that the code uses
        u = s.fresh[UNIT]              # which leaves were never taken (coverage)
        n = 0                          # instructions executed here
        ...unpack f.live for the point f.at, choose the root b...
        try:
            while True:
                if b < 1: ...tree of root 0...
                else: ...tree of root 1...
        finally:
            s.steps += n

SSA values are Python locals ``v7``. Whatever may fork or suspend gets the number of a point and the
tuple of values live there. A *leaf* is a way out of a tree; it counts the instructions on the way to
it and marks what it covers the first time it is taken.

A function that is *brief* (``brief.py``) has a second form, ``def run(s, p, v0, v1)``, for direct calls: it takes its
arguments as they are, and has no frame of its own (``f``) until something asks for one; ``p`` is the caller's.

Families of instructions register a handler with ``@emits(InstructionClass)``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import field
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

from clew.base.dataclass import dataclass
from clew.base.errors import InternalError, Unsupported
from clew.execute.codegen.arithmetic import OperationText, literal
from clew.execute.codegen.context import Context
from clew.execute.codegen.facts import Facts, Masked
from clew.execute.codegen.plan import Point, PointKind
from clew.execute.codegen.source import SourceWriter
from clew.program import instructions as ir
from clew.program.module import Block
from clew.program.types import IntType, PointerType, Type
from clew.program.values import Constant, ConstFloat, ConstInt, ConstUndef, MetadataArg, Register, Value

SHORT = 6
"""Instructions of a block that may be repeated instead of jumped to."""
MAX_SPANS = 24
ANY_ALIGNMENT = 1 << 64
"""What 0 is a multiple of, among others."""

Handler = Callable[["Emitter", Any], None]
_I = TypeVar("_I", bound=ir.Instruction)
HANDLERS: dict[type[ir.Instruction], Handler] = {}


def emits(kind: type[_I]) -> Callable[[Callable[[Emitter, _I], None]], Callable[[Emitter, _I], None]]:
    """Register the handler of an instruction class."""

    def register(handler: Callable[[Emitter, _I], None]) -> Callable[[Emitter, _I], None]:
        HANDLERS[kind] = handler
        return handler

    return register


Span = tuple[str, int, int]
"""A block, and the instructions of it (first, past the last) that are run."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A way out of a tree: what is run on the way, and the branch edges taken."""

    spans: tuple[Span, ...]
    edges: tuple[tuple[str, str], ...]


class Origin(NamedTuple):
    """Where a line of generated code comes from: an instruction, and the way through the tree that leads to it."""

    block: str
    position: int
    spans: tuple[Span, ...]
    """The last of them is in ``block``."""
    edges: tuple[tuple[str, str], ...]
    is_counted: bool = False
    """Whether generated code has counted the instructions on the way before this line."""

    @property
    def uncounted(self) -> int:
        """Instructions on the way through the tree, this one included, unless they are counted."""
        if self.is_counted:
            return 0
        *before, (_, first, _) = self.spans
        return sum(stop - start for _, start, stop in before) + self.position - first + 1


@dataclass(slots=True)
class Way:
    """Where the emitter is within a tree."""

    count: int = 0
    spans: tuple[Span, ...] = ()
    edges: tuple[tuple[str, str], ...] = ()
    facts: Facts = field(default_factory=Facts)

    def running(self, span: Span) -> Way:
        return Way(self.count, (*self.spans, span), self.edges, self.facts)

    def taking(self, source: str, target: str) -> Way:
        return Way(self.count, self.spans, (*self.edges, (source, target)), self.facts.copy())

    def aligned(self, masked: Masked) -> Way:
        """The same place, where the masked bits are known to be 0."""
        facts = self.facts.copy()
        facts.aligned[masked.number] = max(masked.alignment, facts.aligned.get(masked.number, 1))
        return Way(self.count, self.spans, self.edges, facts)


@dataclass(slots=True)
class Emitter:
    """Writes one unit: a region, or the short function that resumes at some other point."""

    context: Context
    unit: int
    roots: list[tuple[str, int]]
    is_brief: bool = False
    """Whether this is the form of a brief function that is called in place."""
    out: SourceWriter = field(default_factory=SourceWriter)
    leaves: list[Leaf] = field(default_factory=list)
    tables: dict[str, None] = field(default_factory=dict)
    constants: dict[str, Any] = field(default_factory=dict)
    block: str = ""
    index: int = 0
    path: Way = field(default_factory=Way)
    pending: dict[int, OperationText] = field(default_factory=dict)
    """Deferred values defined on the way here, by register number."""
    plain: dict[str, str] = field(default_factory=dict)
    """Deferred extensions: the text of what they extend."""
    addresses: dict[str, Any] = field(default_factory=dict)
    """Deferred addresses, taken apart."""
    _root_numbers: dict[tuple[str, int], int] = field(default_factory=dict)
    _root: tuple[str, int] = ("", 0)
    _undefined: int = 0

    # Texts of operands

    def value(self, value: Value) -> str:
        """The text of an operand."""
        match value:
            case Register(name=name):
                return self.computed(self.context.numbers[name])
            case ConstInt(type=IntType(width=1), value=bit):
                return "True" if bit else "False"
            case ConstInt(value=number):
                return str(number)
            case ConstUndef(type=type):
                # A name of its own: an operand's text may be used twice, and both must see one value.
                self._undefined += 1
                name = f"q{self._undefined}"
                self.out.line(f"{name} = undefined(s, {self.constant(type)})")
                return name
            case MetadataArg():
                return "None"
        assert isinstance(value, Constant)
        try:
            concrete = self.context.constant(value)
        except Unsupported as problem:
            # Only a path that comes here meets it.
            self.out.line(f"q = no_such_value({problem.feature!r})")
            return "q"
        if type_is_plain(concrete) and not isinstance(value, ConstFloat):
            return repr(concrete)
        return self.constant(concrete)

    def register(self, number: int) -> str:
        """The text of a register: its variable, or its definition if that was deferred or put off."""
        facts = self.path.facts
        number = facts.of(number)
        text = facts.texts.get(number)
        if text is not None:
            return text
        form = self.pending.get(number) or facts.lazy.get(number)
        return f"v{number}" if form is None else f"({form.general})"

    def computed(self, number: int) -> str:
        """The text of a register, which is computed here if that was put off."""
        facts = self.path.facts
        form = facts.lazy.pop(facts.of(number), None)
        if form is not None:
            self._write(facts.of(number), form)
        return self.register(number)

    def settle(self, live: Iterable[int]) -> None:
        """Give a variable to each of these registers that has none yet: what comes next reads the variables."""
        facts = self.path.facts
        for number in sorted(live):
            if number in facts.same or number in facts.texts or number in facts.lazy:
                text = self.computed(number)
                if text != f"v{number}":
                    self.out.line(f"v{number} = {text}")

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Write what is rarely run: what is computed there may have to be computed again behind it."""
        before = self.path.facts
        self.path.facts = before.copy()
        try:
            yield
        finally:
            self.path.facts = before

    def number(self, value: Value) -> int | None:
        """The number of a register, or of the one that stands for it; None for constants."""
        return self.path.facts.of(self.context.numbers[value.name]) if isinstance(value, Register) else None

    def alignment(self, value: Value) -> int:
        """A power of two that a number or address is a multiple of."""
        number = self.number(value)
        if number is not None:
            return self.path.facts.aligned.get(number, 1)
        constant = literal(self.value(value)) if isinstance(value, Constant) else None
        return 1 if constant is None else constant & -constant or ANY_ALIGNMENT

    def equate(self, instruction: ir.Instruction, other: Value) -> None:
        """An instruction's result is the value of an operand."""
        assert instruction.result is not None
        number = self.number(other)
        if number is None or number in self.pending:
            self.assign(instruction, OperationText(self.value(other)))
        else:
            self.path.facts.same[self.context.numbers[instruction.result.name]] = number

    def put_off(self, instruction: ir.Instruction, form: OperationText) -> int:
        """Compute an instruction's result when it is needed; yields the number of the register that stands for it."""
        assert instruction.result is not None
        number = self.context.numbers[instruction.result.name]
        facts = self.path.facts
        before = facts.known.get(form.general)
        if before is not None:
            facts.same[number] = before
            return before
        facts.known[form.general] = number
        facts.lazy[number] = form
        return number

    def assign(self, instruction: ir.Instruction, form: OperationText) -> None:
        """Give an instruction's result its value, now or at its uses."""
        assert instruction.result is not None
        number = self.context.numbers[instruction.result.name]
        facts = self.path.facts
        if not form.fast and (form.general in ("True", "False") or literal(form.general) is not None):
            facts.texts[number] = form.general
            return
        if instruction.result.name in self.context.deferred:
            self.pending[number] = form
            if isinstance(instruction, ir.Cast):
                self.plain[instruction.result.name] = self.value(instruction.operand)
            return
        before = facts.known.get(form.general)
        if before is not None:
            facts.same[number] = before
            return
        if "(s, " not in form.general:
            facts.known[form.general] = number
        self._write(number, form)

    def _write(self, number: int, form: OperationText) -> None:
        if not form.fast:
            self.out.line(f"v{number} = {form.general}")
            return
        with self.out.block("try:"):
            self.out.line(f"v{number} = {form.fast}")
        with self.out.block("except TypeError:"):
            self.out.line(f"v{number} = {form.general}")

    def constant(self, thing: Any) -> str:
        """A name for an object the code refers to."""
        for name, known in self.constants.items():
            if known is thing:
                return name
        name = f"k{len(self.constants)}"
        self.constants[name] = thing
        return name

    def table(self, name: str) -> str:
        """One of the fast-path tables of memory."""
        self.tables[name] = None
        return name

    def target(self, instruction: ir.Instruction) -> str:
        assert instruction.result is not None
        return f"v{self.context.numbers[instruction.result.name]}"

    def width(self, type: Type) -> int:
        """Bits of an integer or pointer type."""
        match type:
            case IntType(width=width):
                return width
            case PointerType():
                return self.context.layout.pointer_bits
        raise InternalError(f"{type} is not an integer")

    def tuple_of(self, numbers: tuple[int, ...]) -> str:
        facts = self.path.facts
        if {*facts.same, *facts.texts, *facts.lazy, *self.pending}.isdisjoint(numbers):
            return _variables(numbers)
        return "(" + "".join([f"{self.register(number)}, " for number in numbers]) + ")"

    # Suspension

    @property
    def frame(self) -> str:
        """The text of the frame, as an argument of a helper."""
        if not self.is_brief:
            return "f"
        return f"(f := f or activate(s, p, {self.constant(self.context.compiled(self.context.function.name))}))"

    def here(self) -> str:
        """Arguments ``s, f, point, live`` of a helper that may fork and execute this instruction again."""
        plan = self.context.plan
        number = plan.retry(self.block, self.index)
        return f"s, {self.frame}, {number}, {self.tuple_of(plan.points[number].live)}"

    def suspend(self, number: int) -> None:
        """Leave the frame at a point."""
        point = self.context.plan.points[number]
        self.out.line(f"f.at = {number}")
        self.out.line(f"f.live = {self.tuple_of(point.live)}")

    # Trees

    def leaf(self) -> None:
        """Account for the way taken through the tree."""
        number = len(self.leaves)
        self.leaves.append(Leaf(self.path.spans, self.path.edges))
        self.out.line(f"{'s.steps' if self.is_brief else 'n'} += {self.path.count}")
        self.out.origin = self.out.origin and self.out.origin._replace(is_counted=True)
        with self.out.block(f"if u[{number}]:"):
            self.out.line(f"cover(s, UNIT, {number})")

    def tree(self, block: Block, index: int) -> None:
        """Everything from instruction ``index`` of ``block`` up to the next roots."""
        name = block.name
        stop = next(
            (
                at + 1
                for at in range(index, len(block.instructions))
                if self.context.plan.ends_tree(block.instructions[at])
            ),
            len(block.instructions),
        )
        self.path = self.path.running((name, index, stop))
        for position in range(index, stop):
            instruction = block.instructions[position]
            self.block, self.index = name, position
            self.out.origin = Origin(name, position, self.path.spans, self.path.edges)
            self.path.count += 1
            handler = HANDLERS.get(type(instruction))
            if handler is None:
                raise InternalError(f"no handler for {type(instruction).__name__}")
            handler(self, instruction)
            if self.context.traced and instruction.result is not None and self.context.logged(instruction):
                self.out.line(f"s.log({self.value(instruction.result)})")

    def go(self, source: str, target: str, path: Way) -> None:
        """Walk the edge from ``source`` to ``target``: assign phis, then inline the target or jump to it."""
        plan = self.context.plan
        block = plan.blocks[target]
        self.path = path
        phis = {self.context.numbers[phi.result.name] for phi, _ in self.context.phis(block) if phi.result is not None}
        nested = target not in plan.roots or self._worth_repeating(block)
        redefined = phis or self.context.is_back_edge(source, target)
        if redefined or not nested:
            self.settle(plan.liveness.live_in[target] - phis)
        self._assign_phis(block, source)
        if redefined:
            path.facts = Facts()
        if nested:
            self.tree(block, plan.first(block))
            return
        self.leaf()
        start = (target, plan.first(block))
        number = self.root_number(*start)
        if number is None:
            self.suspend(plan.label(target))
            self.out.line("return")
            return
        if self._comes_around(source, target):
            with self.out.block("if n > s.slice:"):
                self.suspend(plan.label(target))
                self.out.line("return")
        if start != self._root:
            self.out.line(f"b = {number}")
        self.out.line("continue")

    def _comes_around(self, source: str, target: str) -> bool:
        """Whether this edge, or one on the way to it, leads back to the head of a loop (which may be written there)."""
        ways = [(source, target), *pairwise(span[0] for span in self.path.spans)]
        return any(self.context.is_back_edge(*edge) for edge in ways)

    def root_number(self, block: str, index: int) -> int | None:
        """The number of a root of this unit; None for one of another unit."""
        return self._root_numbers.get((block, index))

    def _worth_repeating(self, block: Block) -> bool:
        """A short block that only leads on is written at each of its predecessors, to save the jump to it."""
        return (
            len(block.instructions) <= SHORT
            and isinstance(block.terminator, ir.Jump)
            and not any(block.name == span[0] for span in self.path.spans)
            and len(self.path.spans) < MAX_SPANS
            and not any(self.context.plan.ends_tree(instruction) for instruction in block.instructions)
        )

    def _assign_phis(self, block: Block, source: str) -> None:
        targets, values = [], []
        for phi, incoming in self.context.phis(block):
            if source not in incoming:
                raise InternalError(f"phi in {block.name} has no value for {source}")
            text = self.value(incoming[source])
            if self.context.traced and isinstance(incoming[source], ConstUndef):
                self.out.line(f"s.log({text})")
            if text != self.target(phi):
                targets.append(self.target(phi))
                values.append(text)
        if targets:
            self.out.line(f"{', '.join(targets)} = {', '.join(values)}")

    # Whole units

    def region(self) -> SourceWriter:
        """The function of a region: a loop over its roots."""
        self._root_numbers = {root: number for number, root in enumerate(self.roots)}
        bodies = [self._root_body(root) for root in self.roots]
        weights = [self.context.weight(block) for block, _ in self.roots]
        with self.out.block("while True:"):
            self.out.dispatch("b", bodies, weights)
        return self._wrap_brief() if self.is_brief else self._wrap(self._entries())

    def _root_body(self, root: tuple[str, int]) -> Callable[[], None]:
        def body() -> None:
            self._root = root
            self.path = Way()
            self.tree(self.context.plan.blocks[root[0]], root[1])

        return body

    def resume(self, point: Point) -> SourceWriter:
        """The function that goes on from a point which is no root."""
        self._root = ("", 0)
        if point.kind is PointKind.EDGE:
            self.go(point.block, point.target, Way(0, (), ((point.block, point.target),)))
        else:
            self.tree(self.context.plan.blocks[point.block], point.index)
        return self._wrap([(-1, point, None)])

    def _entries(self) -> list[tuple[int, Point, int | None]]:
        plan = self.context.plan
        entries: list[tuple[int, Point, int | None]] = []
        for number, (block, index) in enumerate(self.roots):
            if index == plan.first(plan.blocks[block]) and block in plan.roots:
                entries.append((plan.label(block), plan.points[plan.label(block)], number))
            else:
                point = plan.continuation(block, index - 1)
                entries.append((point, plan.points[point], number))
        return sorted(entries, key=lambda entry: entry[0])

    def _wrap(self, entries: list[tuple[int, Point, int | None]]) -> SourceWriter:
        head = SourceWriter()
        with head.block("def run(s, f):"):
            self._begin(head)
            head.line("n = 0")
            if len(entries) > 1:
                head.line("at = f.at")
            _unpack_entries(head, entries, self.context)
            with head.block("try:"):
                head.include(self.out)
            with head.block("finally:"):
                head.line("s.steps += n")
        return head

    def _wrap_brief(self) -> SourceWriter:
        head = SourceWriter()
        arguments = "".join(f", v{number}" for number in range(len(self.context.function.parameters)))
        with head.block(f"def run(s, p{arguments}):"):
            self._begin(head)
            head.line("f = None")
            head.line("b = 0")
            head.include(self.out)
        return head

    def _begin(self, head: SourceWriter) -> None:
        if self.tables:
            head.line("m = s.memory")
        for table in self.tables:
            head.line(f"{table} = m.{table}")
        head.line("u = s.fresh[UNIT]")


def _unpack_entries(out: SourceWriter, entries: list[tuple[int, Point, int | None]], context: Context) -> None:
    """Take the live values out of the frame, for whichever of the points it is suspended at."""
    if len(entries) == 1:
        _unpack(out, entries[0][1], entries[0][2], context)
        return
    middle = 1 if entries[0][0] == 0 else len(entries) // 2
    with out.block(f"if at < {entries[middle][0]}:"):
        _unpack_entries(out, entries[:middle], context)
    with out.block("else:"):
        _unpack_entries(out, entries[middle:], context)


def _unpack(out: SourceWriter, point: Point, root: int | None, context: Context) -> None:
    if point.live:
        out.line("".join(f"v{number}, " for number in point.live) + "= f.live")
    if point.kind is PointKind.CONTINUATION:
        call = context.plan.blocks[point.block].instructions[point.index - 1]
        if call.result is not None:
            out.line(f"v{context.numbers[call.result.name]} = s.result")
    if root is not None:
        out.line(f"b = {root}")


@lru_cache(4096)
def _variables(numbers: tuple[int, ...]) -> str:
    """The tuple of the variables of some registers."""
    return "(" + "".join([f"v{number}, " for number in numbers]) + ")"


def type_is_plain(value: object) -> bool:
    """Whether ``repr`` of the value is a short literal."""
    return type(value) in (int, bool)
