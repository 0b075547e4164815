"""Branches that only choose between values -> selects: fewer paths to explore for the same program.

    head: br c, then, join        then: x1 = x0 + 1; br join        join: x = phi [x0, head], [x1, then]
->  head: x1 = x0 + 1; x = select c, x1, x0; ...

    head: br a, next, no          next: b = ...; br b, yes, no
->  head: b = ...; c = select a, b, false; br c, yes, no

Until nothing changes, so that nested branches and chains of ``&&`` and ``||`` are selected from the inside out. What is
computed on the way must be cheap, without effects and unable to fail: no call, no division, no access to memory other
than loads that were just done (``if (a[i] > most) most = a[i];``). No pointers are selected: an access through a
symbolic pointer costs more than a path. Nor is what a switch decides on: the state of a state machine stays concrete.

What the way not taken would have computed is computed as well, and not used. Flags such as ``nsw`` stay, as in LLVM:
they promise something about the result only where it is used. A branch that is gone cannot be seen to depend on an
uninitialized value; for runs that look for such errors, this pass is not made.
"""

from __future__ import annotations

from dataclasses import replace
from heapq import heappop, heappush

from clew.frontend.drafts import Body, Draft
from clew.frontend.repeats import Repeats
from clew.program import instructions as ir
from clew.program.module import Function, Program
from clew.program.operands import operands
from clew.program.types import I1, FloatKind, FloatType, IntType, PointerType, Type
from clew.program.values import ConstInt, Register, Value

MOST_INSTRUCTIONS = 12
"""In one arm; and the most selects for one join."""

_PURE = (
    ir.Binary, ir.FNeg, ir.Compare, ir.Cast, ir.Select, ir.Freeze, ir.GetElementPtr, ir.ExtractValue, ir.InsertValue,
)  # fmt: skip
_COSTLY = frozenset({"udiv", "sdiv", "urem", "srem", "fdiv", "frem", "fptoui", "fptosi"})
_NUMBERS = (FloatKind.FLOAT, FloatKind.DOUBLE)

Choice = tuple[Value, Value]
"""A value if the condition holds, and if not."""


def convert(program: Program) -> Program:
    """The program with selects in place of simple branches. Functions without any are the same objects."""
    functions = {name: convert_function(function) for name, function in program.functions.items()}
    return replace(program, functions=functions)


def convert_function(function: Function) -> Function:
    """The function with selects in place of simple branches; itself, if it has none."""
    while not function.is_declaration:
        conversion = _Conversion(function)
        conversion.run()
        if not conversion.converted:
            break
        function = conversion.body.finished()
    return function


class _Conversion:
    """One function's conversion. Blocks that may have become simple are looked at again, earlier ones first."""

    def __init__(self, function: Function) -> None:
        self.body = Body(function)
        self.blocks = self.body.blocks
        self.converted = 0
        """Branches."""
        self._steering = _steering(function)
        jumps = any(isinstance(block.terminator, ir.IndirectBranch) for block in function.blocks)
        # The addresses of blocks are known to the program: they all stay.
        self._work = [] if jumps else sorted((place, name) for name, place in self.body.order.items())

    def run(self) -> None:
        while self._work:
            _, name = heappop(self._work)
            head = self.blocks.get(name)
            if head is not None and self._simplify(head):
                for other in (name, *head.before):
                    heappush(self._work, (self.body.order[other], other))

    def _simplify(self, head: Draft) -> bool:
        """Change one thing about the end of a block, if possible."""
        end = head.terminator
        if isinstance(end, ir.Branch) and end.if_true == end.if_false:
            end = head.terminator = ir.Jump(None, end.location, end.if_true)
        if isinstance(end, ir.Jump):
            following = self.blocks[end.target]
            if len(following.before) > 1 or following is head:
                return False
            self.body.absorb(head, following)
            return True
        if not isinstance(end, ir.Branch) or end.implicit:
            return False
        if not self._select(head, end) and not self._chain(head, end):
            return False
        self.converted += 1
        return True

    # Values

    def _select(self, head: Draft, branch: ir.Branch) -> bool:
        """A branch whose sides meet at once, or after an arm that only computes."""
        yes, no = self.blocks[branch.if_true], self.blocks[branch.if_false]
        after_yes, after_no = self._after_arm(yes, head), self._after_arm(no, head)
        arms: tuple[Draft, ...]
        if after_yes is not None and after_yes == after_no:
            join, arms = self.blocks[after_yes], (yes, no)
        elif after_yes == no.name:
            join, arms = no, (yes,)
        elif after_no == yes.name:
            join, arms = yes, (no,)
        else:
            return False
        sources = tuple(side.name if side in arms else head.name for side in (yes, no))
        choices = self._choices(join, *sources)
        if choices is None:
            return False
        for arm in arms:
            self._move(arm, head)
            del self.blocks[arm.name]
        self._join(head, join, sources, branch, choices)
        head.terminator = ir.Jump(None, branch.location, join.name)
        return True

    def _after_arm(self, block: Draft, head: Draft) -> str | None:
        """Where an arm of a branch leads to; None if the block is none."""
        end = block.terminator
        if not isinstance(end, ir.Jump) or end.target == head.name or not self._is_simple(block, head):
            return None
        return end.target

    def _is_simple(self, block: Draft, head: Draft) -> bool:
        """Whether only ``head`` leads to the block, and it could as well be computed there."""
        if len(block.before) > 1 or block is head or len(block.body) > 2 * MOST_INSTRUCTIONS:
            return False
        if not all(_is_pure(instruction) or isinstance(instruction, ir.Load) for instruction in block.body):
            return False
        self.body.drop_joints(block)
        if any(isinstance(instruction, ir.Load) for instruction in block.body):
            self.body.leave_out(block, Repeats(head.body, self.body.now).of(block.body))
        return len(block.body) <= MOST_INSTRUCTIONS and all(_is_pure(instruction) for instruction in block.body)

    def _choices(self, join: Draft, yes: str, no: str) -> list[Choice] | None:
        """The values that the phis of a join have on two ways to it; None if that cannot be selected."""
        choices = []
        selects = 0
        for joint in join.joints:
            first, second = (self.body.now(joint.incoming[source]) for source in (yes, no))
            choices.append((first, second))
            if first != second:
                selects += 1
                if not _is_number(joint.result.type) or joint.result.name in self._steering:
                    return None
                if selects > MOST_INSTRUCTIONS:
                    return None
        return choices

    def _move(self, arm: Draft, head: Draft) -> None:
        """Compute an arm in its head. Variables do not have its values there, but their addresses are what they are."""
        self.body.append(head, arm.body, [update for update in arm.updates if update.declares])

    def _join(
        self, head: Draft, join: Draft, sources: tuple[str, ...], branch: ir.Branch, choices: list[Choice]
    ) -> None:
        """Both ways from ``sources`` to the join become one from ``head``."""
        only = join.before.keys() == set(sources)
        for joint, (yes, no) in zip(join.joints, choices, strict=True):
            for source in sources:
                del joint.incoming[source]
            value = yes
            if yes != no:
                value = joint.result if only else self.body.fresh(joint.result)
                head.body.append(ir.Select(value, branch.location, branch.condition, yes, no))
            elif only:
                self.body.become(joint.result, value)
            joint.incoming[head.name] = value
        if only:
            join.joints.clear()
        for source in sources:
            del join.before[source]
        join.before[head.name] = None

    # Conditions

    def _chain(self, head: Draft, branch: ir.Branch) -> bool:
        """A branch to another one that only computes a second condition, where both have a target in common."""
        for holds in (True, False):
            side, other = (branch.if_true, branch.if_false) if holds else (branch.if_false, branch.if_true)
            second, common = self.blocks[side], self.blocks[other]
            end = second.terminator
            if (
                isinstance(end, ir.Branch)
                and not end.implicit
                and end.if_true != end.if_false
                and other in (end.if_true, end.if_false)
                and self._is_simple(second, head)
            ):
                sources = (side, head.name) if holds else (head.name, side)
                choices = self._choices(common, *sources)
                if choices is not None:
                    self._merge(head, branch, second, common, choices, sources)
                    return True
        return False

    def _merge(
        self,
        head: Draft,
        branch: ir.Branch,
        second: Draft,
        common: Draft,
        choices: list[Choice],
        sources: tuple[str, ...],
    ) -> None:
        end = second.terminator
        assert isinstance(end, ir.Branch)
        beyond = self.blocks[end.if_false if end.if_true == common.name else end.if_true]
        self._move(second, head)
        del self.blocks[second.name]
        self._join(head, common, sources, branch, choices)
        self.body.redirect(beyond, second.name, head.name)
        # Where only the first condition is asked, it leads to the common target.
        skipped = ConstInt(I1, int(end.if_true == common.name))
        yes, no = (end.condition, skipped) if sources[0] == second.name else (skipped, end.condition)
        condition = self.body.fresh(_register_of(branch, end))
        head.body.append(ir.Select(condition, branch.location, branch.condition, yes, no))
        head.terminator = ir.Branch(None, branch.location, condition, end.if_true, end.if_false)


def _steering(function: Function) -> set[str]:
    """Registers whose values are those that a switch decides on."""
    sources: dict[str, tuple[Value, ...]] = {}
    work: list[Value] = []
    for block in function.blocks:
        for instruction in block.instructions:
            if isinstance(instruction, ir.Phi | ir.Select | ir.Cast) and instruction.result is not None:
                values = operands(instruction)
                sources[instruction.result.name] = values[1:] if isinstance(instruction, ir.Select) else values
            elif isinstance(instruction, ir.Switch):
                work.append(instruction.value)
    found: set[str] = set()
    while work:
        value = work.pop()
        if isinstance(value, Register) and value.name not in found:
            found.add(value.name)
            work.extend(sources.get(value.name, ()))
    return found


def _register_of(branch: ir.Branch, second: ir.Branch) -> Register:
    """One of the conditions, to name another after it."""
    for value in (second.condition, branch.condition):
        if isinstance(value, Register):
            return value
    return Register("both", I1)


def _is_pure(instruction: ir.Instruction) -> bool:
    """Cheap, without effects, and possible wherever its operands are there."""
    if not isinstance(instruction, _PURE) or instruction.result is None:
        return False
    if isinstance(instruction, ir.Binary | ir.Cast) and instruction.op in _COSTLY:
        return False
    return _is_number(instruction.result.type) or isinstance(instruction.result.type, PointerType)


def _is_number(type: Type) -> bool:
    return isinstance(type, IntType) or (isinstance(type, FloatType) and type.kind in _NUMBERS)
