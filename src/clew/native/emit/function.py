"""A function in LLVM's text: its frame, its blocks, its branches with counters, and fuel for every way back."""

from __future__ import annotations

from clew.base.errors import Unsupported
from clew.native.emit.context import Context
from clew.native.emit.frame import StackFrame, frame_of
from clew.native.emit.instruction import emit_instruction
from clew.native.emit.shadow import Shadows
from clew.native.emit.spelling import type_text
from clew.native.emit.writer import BUG_UNREACHABLE, Writer
from clew.program import instructions as ir
from clew.program.jumps import marks_a_place
from clew.program.module import Block, Function
from clew.program.values import BlockAddress, GlobalRef

_SMALL = 40
"""Instructions of a function that may well become part of its callers."""


class FunctionWriter(Writer):
    """Writes one function."""

    def __init__(self, function: Function, context: Context) -> None:
        super().__init__(function, context)
        self._labels = {block.name: f"b{number}" for number, block in enumerate(function.blocks)}
        self._order = {block.name: number for number, block in enumerate(function.blocks)}
        self._edges: dict[tuple[str, str], str] = {}
        """From a block to a successor: the label of what lies between them, if something does."""
        self._frame: StackFrame | None = None
        if context.traced:
            self.shadow = Shadows(self)
        self._marks_places = any(marks_a_place(i) for i in function.instructions())

    def text(self) -> str:
        """All of it."""
        function = self.function
        parameters = [f"{type_text(p.value.type)} {self.value(p.value)}" for p in function.parameters]
        if function.type.varargs:
            parameters.append("i64 %arguments")
        parameters += self.shadow.parameters()
        head = f"define internal {type_text(function.type.result)} {self.context.symbol(function.name)}"
        hint = " inlinehint" if sum(1 for _ in function.instructions()) <= _SMALL else ""
        self.lines.append(f"{head}({', '.join(parameters)}) nounwind{hint} {{")
        self._enter()
        for block in function.blocks:
            for successor in ir.successors(block.terminator):
                if self._has_edge(block, successor):
                    self._edges[block.name, successor] = f"{self._labels[block.name]}e{len(self._edges)}"
        for block in function.blocks:
            self._block(block)
        self.lines.append("}")
        return "\n".join(self.lines)

    def _enter(self) -> None:
        self.lines.append("entry:")
        if any(isinstance(i, ir.Call) and not _is_intrinsic(i) for i in self.function.instructions()):
            self.line("call void @clew.burn()")
        allocations = [i for i in self.function.instructions() if isinstance(i, ir.Alloca)]
        if allocations:
            self._frame = frame_of(allocations, self.context.layout)
            for name, place, size in self._frame.objects:
                self.slots[name] = place
                self.inside[name] = 0, size
            self._frame.enter(self)
        if self._marks_places:
            self.context.declarations["clew_forget_jumps"] = "declare void @clew_forget_jumps(i64)"
            self.context.declarations["llvm.frameaddress"] = "declare ptr @llvm.frameaddress.p0(i32)"
            self.line("%frame.pointer = call ptr @llvm.frameaddress.p0(i32 0)")
            self.line("%frame.address = ptrtoint ptr %frame.pointer to i64")
        self.line(f"br label %{self._labels[self.function.blocks[0].name]}")

    # Blocks

    def _block(self, block: Block) -> None:
        self.block = block.name
        self.lines.append(f"{self._labels[block.name]}:")
        for phi in block.phis:
            self._phi(phi, block)
        for instruction in block.instructions[len(block.phis) : -1]:
            mark = len(self.lines)
            try:
                self.shadow.before(instruction)
                emit_instruction(self, instruction)
                self.shadow.after(instruction)
            except (Unsupported, TypeError) as problem:
                del self.lines[mark:]
                self._replace(instruction, str(problem))
        self.shadow.decide(block)
        self._terminator(block)
        for successor in ir.successors(block.terminator):
            self._edge(block, successor)

    def _replace(self, instruction: ir.Instruction, why: str) -> None:
        """An instruction that ends the run; what it would give is any value."""
        self.unsupported(why)
        if instruction.result is not None and type_text(instruction.result.type) != "void":
            self.line(f"{self.target(instruction)} = freeze {type_text(instruction.result.type)} poison")
            self.shadow.nothing(instruction)

    def _phi(self, phi: ir.Phi, block: Block) -> None:
        assert phi.result is not None
        labels = [
            (value, self._edges.get((source, block.name), self._labels[source])) for value, source in phi.incoming
        ]
        pairs = {label: f"[ {self.value(value)}, %{label} ]" for value, label in labels}
        self.line(f"{self.target(phi)} = phi {type_text(phi.result.type)} {', '.join(pairs.values())}")
        self.shadow.phi(phi, labels)

    def _counts(self, terminator: ir.Instruction) -> bool:
        """Whether a branch is one of the source, whose outcomes are counted."""
        return (
            not self.is_library
            and len(ir.successors(terminator)) > 1
            and not (isinstance(terminator, ir.Branch) and terminator.implicit)
        )

    def _is_back(self, block: Block, successor: str) -> bool:
        """Every circle has such an edge."""
        return self._order[successor] <= self._order[block.name]

    def _has_edge(self, block: Block, successor: str) -> bool:
        several = len(ir.successors(block.terminator)) > 1
        return several and (self._counts(block.terminator) or self._is_back(block, successor) or _repeats(block))

    def _way(self, block: Block, successor: str) -> str:
        return f"label %{self._edges.get((block.name, successor), self._labels[successor])}"

    def _edge(self, block: Block, successor: str) -> None:
        label = self._edges.get((block.name, successor))
        if label is None:
            return
        self.lines.append(f"{label}:")
        if self._counts(block.terminator):
            position = ir.successors(block.terminator).index(successor)
            site = self.context.branch(self.function.name, block.name, position)
            self.line(f"call void @clew.{'count' if self.context.counted else 'cover'}(i64 {site})")
        if self._is_back(block, successor):
            self.line("call void @clew.burn()")
        self.line(f"br label %{self._labels[successor]}")

    def _terminator(self, block: Block) -> None:
        terminator = block.terminator
        match terminator:
            case ir.Jump(target=target):
                if self._is_back(block, target):
                    self.line("call void @clew.burn()")
                self.line(f"br {self._way(block, target)}")
            case ir.Branch(if_true=yes, if_false=no) if yes == no:
                if self._is_back(block, yes):
                    self.line("call void @clew.burn()")
                self.line(f"br {self._way(block, yes)}")
            case ir.Branch(condition=condition, if_true=yes, if_false=no):
                self.line(f"br i1 {self.value(condition)}, {self._way(block, yes)}, {self._way(block, no)}")
            case ir.Switch():
                self._switch(block, terminator)
            case ir.IndirectBranch():
                self._indirect(block, terminator)
            case ir.Return(value=value):
                self.shadow.leave(value)
                if self._marks_places:
                    self.line("call void @clew_forget_jumps(i64 %frame.address)")
                if self._frame is not None:
                    self._frame.leave(self)
                self.line("ret void" if value is None else f"ret {self.typed(value)}")
            case _:
                self._no_way_on(terminator)

    def _switch(self, block: Block, terminator: ir.Switch) -> None:
        type = terminator.value.type
        width = self.width(type)
        cases = " ".join(
            f"{type_text(type)} {case - (1 << width) if case >> (width - 1) and width > 1 else case}, "
            f"{self._way(block, target)}"
            for case, target in terminator.cases
        )
        self.line(f"switch {self.typed(terminator.value)}, {self._way(block, terminator.default)} [ {cases} ]")

    def _indirect(self, block: Block, terminator: ir.IndirectBranch) -> None:
        """A switch over the addresses of blocks."""
        places = self.context.places
        cases = " ".join(
            f"i64 {places.value(BlockAddress(self.function.name, target))}, {self._way(block, target)}"
            for target in dict.fromkeys(terminator.targets)
        )
        label = f"{self._labels[block.name]}x"
        self.line(f"switch {self.typed(terminator.address)}, label %{label} [ {cases} ]")
        self.lines.append(f"{label}:")
        self.unsupported("a jump to somewhere else")
        self.line("unreachable")

    def _no_way_on(self, terminator: ir.Instruction) -> None:
        if isinstance(terminator, ir.Unreachable):
            self.fail(BUG_UNREACHABLE)
        else:
            self.unsupported(f"{type(terminator).__name__}")
        self.line("unreachable")


def _repeats(block: Block) -> bool:
    """Whether a successor is named more than once: a phi there has one value for all of them."""
    return isinstance(block.terminator, ir.Switch | ir.IndirectBranch)


def _is_intrinsic(call: ir.Call) -> bool:
    return isinstance(call.callee, GlobalRef) and call.callee.name.startswith("llvm.")


def emit_function(function: Function, context: Context) -> str:
    """A function of the program; what of it has no words ends the run where it is reached."""
    return FunctionWriter(function, context).text()
