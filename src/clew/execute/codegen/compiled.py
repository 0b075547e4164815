"""C functions in their compiled form, made piece by piece as execution reaches them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any

from clew.analysis.callees import Callees
from clew.analysis.nonescaping import Contained
from clew.base.dataclass import dataclass
from clew.execute.codegen import addresses, aggregates, calls, control, scalars, storage
from clew.execute.codegen.brief import is_brief
from clew.execute.codegen.code_store import code_store
from clew.execute.codegen.context import Context, Watch
from clew.execute.codegen.emitter import Emitter, Leaf, Origin
from clew.execute.codegen.plan import PiecePlan, PointKind
from clew.execute.codegen.source import SourceWriter
from clew.program.instructions import Instruction
from clew.program.layout import DataLayout
from clew.program.module import Function, Program
from clew.program.operands import registers
from clew.program.values import Constant

HANDLER_MODULES = (addresses, aggregates, calls, control, scalars, storage)
"""Importing them registers their handlers."""

Code = Callable[[Any, Any], None]
BriefCode = Callable[..., Any]
"""Takes a state, the frame of the caller, and the arguments; gives the result."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of generated code: a region, or the function that resumes at one point."""

    function: str
    leaves: tuple[Leaf, ...]
    origins: tuple[Origin | None, ...]
    """For each line of the source: the instruction it belongs to."""
    source: str
    filename: str


class CompiledFunction:
    """One C function. ``code`` maps points to Python functions and fills up on demand."""

    __slots__ = (
        "_context", "_places", "_plan", "_read", "brief", "code", "compiler", "entry", "function", "is_brief", "name",
    )  # fmt: skip

    def __init__(self, function: Function, compiler: Compiler) -> None:
        self.name = function.name
        self.function = function
        self.compiler = compiler
        self.code: dict[int, Code] = {}
        self.entry: Code = self._enter
        """What runs the function from its start."""
        self.is_brief = not compiler.traced and is_brief(function, compiler.callees.ends_tree)
        self.brief: BriefCode = self._run_briefly
        """What runs the function within a call, if it is brief."""
        self._plan: PiecePlan | None = None
        self._context: Context | None = None
        self._read: frozenset[str] | None = None
        self._places: dict[int, bytes] = {}

    @property
    def registers_read(self) -> frozenset[str]:
        """The names of the registers that some instruction reads."""
        if self._read is None:
            found = (registers(instruction) for block in self.function.blocks for instruction in block.instructions)
            self._read = frozenset(register.name for read in found for register in read)
        return self._read

    @property
    def plan(self) -> PiecePlan:
        """How the function is cut; worked out when first needed."""
        if self._plan is None:
            self._plan = PiecePlan(self.function, self.compiler.callees.ends_tree)
        return self._plan

    @property
    def context(self) -> Context:
        if self._context is None:
            self._context = Context(self.function, self.plan, self.compiler)
        return self._context

    def compile(self, number: int) -> Code:
        """The code that resumes at a point; compiles what is missing."""
        known = self.code.get(number)
        if known is not None:
            return known
        point = self.plan.points[number]
        start = (point.block, point.index)
        if point.kind is PointKind.LABEL or point.kind is PointKind.CONTINUATION:
            code = self._compile_region(self.plan.region_of(*start))
        else:
            emitter = Emitter(self.context, len(self.compiler.units), [])
            code = self._build(emitter, emitter.resume(point), f"at {number}")
        self.code[number] = code
        self.entry = self.code.get(0, self.entry)
        return code

    def renew(self) -> None:
        """Have all code of the function made anew, as it is needed; points keep their numbers."""
        self.code.clear()
        self.entry = self._enter
        self.brief = self._run_briefly

    def _enter(self, state: Any, frame: Any) -> None:
        self.compile(0)(state, frame)

    def _run_briefly(self, state: Any, frame: Any, *arguments: Any) -> Any:
        roots = [root for region in self.plan.regions for root in region]
        emitter = Emitter(self.context, len(self.compiler.units), roots, is_brief=True)
        self.brief = self._build(emitter, emitter.region(), "in place")
        return self.brief(state, frame, *arguments)

    def _compile_region(self, index: int) -> Code:
        roots = self.plan.regions[index]
        emitter = Emitter(self.context, len(self.compiler.units), roots)
        code: Code = self._build(emitter, emitter.region(), f"region {index}")
        for block, position in roots:
            first = self.plan.first(self.plan.blocks[block])
            is_label = position == first and block in self.plan.roots
            number = self.plan.label(block) if is_label else self.plan.continuation(block, position - 1)
            self.code[number] = code
        return code

    def _build(self, emitter: Emitter, source: SourceWriter, part: str) -> Any:
        """``part`` tells the unit from the others of the function: two may have one text, but not one origin."""
        text = source.text()
        code = self.compiler.store.compile(text, f"{self.name} {part}")
        unit = Unit(self.name, tuple(emitter.leaves), tuple(source.origins), text, code.co_filename)
        self.compiler.add(unit)
        namespace = {**self.compiler.helpers, **emitter.constants, "UNIT": emitter.unit}
        exec(code, namespace)
        return namespace["run"]

    def place(self, number: int) -> bytes:
        """Tells a point from all others of the program: the same in every process."""
        place = self._places.get(number)
        if place is None:
            point = self.plan.points[number]
            told = (self.name, point.kind.value, point.block, point.index, point.target)
            place = self._places[number] = repr(told).encode()
        return place

    def instruction(self, block: str, index: int) -> Instruction:
        return self.plan.blocks[block].instructions[index]


class Compiler:
    """Compiles the functions of one program. Holds every unit made so far, by number."""

    def __init__(
        self,
        program: Program,
        callees: Callees,
        constant: Callable[[Constant], Any],
        page_bits: int,
        helpers: Mapping[str, Any],
        traced: bool = False,
    ) -> None:
        self.program = program
        self.layout: DataLayout = program.layout
        self.callees = callees
        self.contained = Contained(program, callees)
        self.constant = constant
        self.page_bits = page_bits
        self.helpers = helpers
        self.traced = traced
        self.store = code_store(program.digest)
        self.units: list[Unit] = []
        self._functions: dict[str, CompiledFunction] = {}
        self._by_filename: dict[str, Unit] = {}
        self._origins: dict[tuple[str, int, int], tuple[str, Origin] | None] = {}
        self._watches: dict[str, Watch] = {}

    def watch(self, name: str) -> Watch:
        """What says whether calls of a watched model with this name are made."""
        known = self._watches.get(name)
        if known is None:
            known = self._watches[name] = Watch()
        return known

    def function(self, name: str) -> CompiledFunction:
        known = self._functions.get(name)
        if known is None:
            known = self._functions[name] = CompiledFunction(self.program.functions[name], self)
        return known

    def add(self, unit: Unit) -> None:
        self.units.append(unit)
        self._by_filename[unit.filename] = unit

    def origin(self, trace: TracebackType) -> tuple[str, Origin] | None:
        """The function and the instruction that an entry of a traceback is at; None if it is not in generated code."""
        code = trace.tb_frame.f_code
        unit = self._by_filename.get(code.co_filename)
        if unit is None:
            return None
        place = (code.co_filename, code.co_firstlineno, trace.tb_lasti)
        if place not in self._origins:  # kept, since Python goes through all lines of a function to number one
            where = unit.origins[trace.tb_lineno - 1]
            self._origins[place] = None if where is None else (unit.function, where)
        return self._origins[place]
