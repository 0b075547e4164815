"""Loops over arrays as one round: the one after any number of others, whose elements are written at once.

    for (i = 0; i < n; i++) a[i] = f(i);

    enter:   %j = any number of rounds, for which the conditions hold (what would have ended the loop before has not)
             i = %j;  for all k < %j: a[k] = f(k)                                                  (``clew.fill``)
    header:  the round itself, as it was: with all its checks; or the loop is left here
    leave:   is this the state that ``enter`` makes for %j + 1?  Then the path ends (``stop``): it is among those
             that begin there. Else nothing is known about later rounds (a loss).

Induction on the number of rounds says that each of them is seen, whatever was guessed about the loop: those with the
number 0 are the program's own, and the round with number j leads to what ``enter`` makes for j + 1, or to a loss. The
conditions on %j may be any, as long as they hold for 0, and aliases need no analysis: ``leave`` compares addresses and
contents. (``clew.analysis.loops.arrays`` says what is certain: a round changes nothing else.)

Where a round reads an input, those of the rounds before are any (``clew.series``); ``leave`` takes it that the one of
this round is the next of them, which nothing has been said about.

In a nest, the elements of all rounds of the inner loop count, row by row, and ``leave`` compares any one of its row:
one that nothing is known about. The inner loop is replaced as well, with all that was said.

A path may be one that the program does not have: for a loop that is left in the middle, say, nobody asks whether it
would have been left before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from clew.analysis.graph import ControlFlow, Loop
from clew.analysis.loops.arrays import ArrayLoop
from clew.analysis.loops.loop_code import LoopCode
from clew.base.bits import range_of_width
from clew.base.dataclass import dataclass
from clew.execute.instrument.comprehension import choice, element_index, exchange, fill, give_up, instance, peek, series
from clew.execute.instrument.havoc import assume, generalize, havoc_register, is_renewable
from clew.execute.instrument.loop_surgery import LoopSurgery
from clew.program import instructions as ir
from clew.program.editing import Draft
from clew.program.layout import DataLayout
from clew.program.module import Function
from clew.program.operands import operands
from clew.program.types import I1, I32, I64, IntType
from clew.program.values import ConstInt, Register, Value
from clew.techniques.acceleration.round_code import Round, RoundWriter, Unclear, constant

MOST_ROUNDS = 1 << 40
"""Rounds that are taken together."""
LARGEST_INPUT = 8
"""Bytes of an input that a round reads."""
MOST_ELEMENTS = 1 << 31
"""Elements of a nest: dividing smaller numbers is easier."""
_SIGNED = frozenset(("slt", "sle", "sgt", "sge"))
_UNSIGNED = frozenset(("ult", "ule", "ugt", "uge"))


class ArrayCutting:
    """Makes loops of one function such rounds."""

    def __init__(self, surgery: LoopSurgery, function: Function, graph: ControlFlow, layout: DataLayout) -> None:
        self._surgery = surgery
        self._function = function
        self._graph = graph
        self._layout = layout
        self._written: dict[int, _Writing] = {}
        """By the number of the loop."""

    def is_cut(self, loop: Loop) -> bool:
        """Whether a loop was changed already, with one around it."""
        return loop.index in self._written

    def cut(self, loop: Loop, shape: ArrayLoop) -> str:
        """Change the loop, with one that is in it; why that cannot be done, or nothing."""
        code = LoopCode(self._function, self._graph, loop, self._layout)
        ways = (self._function.blocks[number].terminator for number in self._graph.predecessors[loop.header])
        if not all(isinstance(way, ir.Jump | ir.Branch | ir.Switch) for way in ways):
            return "it is entered by a computed jump"
        if any(not is_renewable(type) for type in shape.others.values()):
            return "it changes what cannot be given a new value"
        given = {phi.result.name: phi.result for phi in code.blocks[0].phis if phi.result}
        inner = shape.inner
        if inner is None:
            writing = _Writing(self._surgery.name, code, shape, self._layout)
        else:
            inside = LoopCode(self._function, self._graph, inner.loop, self._layout)
            writing = _Writing(self._surgery.name, inside.within(code), shape, self._layout, code)
        try:
            writing.enter(Draft(""), given)
        except Unclear as unclear:
            return str(unclear)
        if inner is not None:
            problem = self.cut(inner.loop, inner.shape)
            if problem:
                return problem
            writing.inner = self._written[inner.loop.index]
        self._surgery.open(loop, writing.enter, writing.leave)
        self._written[loop.index] = writing
        return ""


@dataclass(slots=True)
class _Kept:
    """What ``enter`` has computed for ``leave``."""

    rounds: Value
    next_allowed: Value
    """Whether the conditions hold for one more round."""
    addresses: list[Value]
    """Where each store writes in the first round ..."""
    begins: list[Value]
    """... and where it begins to write in this one."""
    which: Value
    """One of the elements that a store writes in this round, by its number among them: any one in a nest, else 0."""
    contents: list[Value]
    """What each store leaves there."""
    inputs: list[tuple[Value, Value]]
    """Inputs of this round, and what they are among those of all."""


class _Writing:
    """Writes the code of one loop; ``around`` is its code where ``code`` is that of the loop in it, with all that is
    computed there."""

    def __init__(
        self,
        name: Callable[[str], str],
        code: LoopCode,
        shape: ArrayLoop,
        layout: DataLayout,
        around: LoopCode | None = None,
    ) -> None:
        self._name = name
        self._loop = code
        self._shape = shape
        self._layout = layout
        self._around = around or code
        self._kept: _Kept | None = None
        self.inner: _Writing | None = None
        """What was written for the loop in this one."""

    def enter(self, draft: Draft, given: Mapping[str, Value]) -> Mapping[str, Value]:
        """The state after any number of rounds."""
        out, shape = RoundWriter(draft, self._name), self._shape
        out.add(generalize())
        rounds = self._any_rounds(out)
        pointer = IntType(self._layout.pointer_bits)
        number = out.number(out.add(element_index(out.register(pointer))), I64)
        starting = self._round(out, given, ConstInt(I64, 0))
        addresses = [starting.value(store.pointer) for store in shape.stores]
        general = self._round(out, given, number, shape)
        inputs = [self._input(out, general, call, rounds) for call in shape.inputs]
        elements = general.elements()
        by_rounds = general if shape.inner is None else self._outer(out, given, number, shape)
        now, later = self._conditions(out, given, rounds, starting, by_rounds.stays())
        none = out.compare("eq", rounds, ConstInt(I64, 0))
        out.add(assume(out.number(out.binary("or", none, now), I32)))
        first, which = self._of_round(out, rounds)
        one = out.binary("add", first, which)
        contents = [out.add(instance(out.register(element.type), element, one)) for element in elements]
        begins = [
            out.moved(address, store.stride, first) for address, store in zip(addresses, shape.stores, strict=True)
        ]
        self._kept = _Kept(rounds, later, addresses, begins, which, contents, inputs)
        parts: list[Value] = []
        for address, store, element in zip(addresses, shape.stores, elements, strict=True):
            parts += (address, constant(I64, store.stride), element)
        if parts:
            out.add(fill(first, *parts))
        renewed = {name: out.moved(given[name], step, rounds) for name, step in shape.steps.items()}
        for name, type in shape.others.items():
            fresh = out.add(havoc_register(out.register(type)))
            renewed[name] = out.add(choice(out.register(type), none, given[name], fresh))
        return renewed

    def _any_rounds(self, out: RoundWriter) -> Value:
        """Any number of rounds. Where counters have 32 bits or less, so has the number: then places that
        are computed from either are the same at sight."""
        most = self._counted()
        if most == MOST_ROUNDS:
            return out.add(havoc_register(out.register(I64)))
        narrow = out.add(havoc_register(out.register(I32)))
        return out.number(out.binary("and", narrow, ConstInt(I32, most)), I64)

    def _counted(self) -> int:
        """The most rounds that there is a number for."""
        names = [name for name, step in self._shape.steps.items() if step and self._loop.width(name) <= 32]
        if not names:
            return MOST_ROUNDS
        return (1 << 31) - 1 if all(map(self._is_signed, names)) else (1 << 32) - 1

    def _of_round(self, out: RoundWriter, rounds: Value) -> tuple[Value, Value]:
        """How many elements there are before a round, and the number of one of its own: any of them."""
        inner = self._shape.inner
        if inner is None or not inner.count:
            return rounds, ConstInt(I64, 0)
        width = ConstInt(I64, inner.count)
        first = out.binary("mul", rounds, width)
        which = out.add(havoc_register(out.register(I64)))
        out.add(assume(out.number(out.compare("ult", which, width), I32)))
        return first, which

    def _round(
        self, out: RoundWriter, given: Mapping[str, Value], number: Value, shape: ArrayLoop | None = None
    ) -> Round:
        """The round that writes the element with a number; in a nest, that of the inner loop."""
        inner = self._shape.inner
        if inner is None or not inner.count:
            return self._outer(out, given, number, shape)
        narrow, width = out.number(number, I32), ConstInt(I32, inner.count)
        row, column = (out.number(out.binary(op, narrow, width), I64) for op in ("udiv", "urem"))
        around = self._outer(out, given, row)
        phis = {
            name: out.moved(around.value(inner.starts[name]), step, column) for name, step in inner.shape.steps.items()
        }
        return Round(out, self._loop, {**self._moved(out, given, row), **phis}, shape)

    def _outer(
        self, out: RoundWriter, given: Mapping[str, Value], number: Value, shape: ArrayLoop | None = None
    ) -> Round:
        """The round with a number, of the loop itself."""
        return Round(out, self._around, self._moved(out, given, number), shape)

    def _moved(self, out: RoundWriter, given: Mapping[str, Value], number: Value) -> dict[str, Value]:
        return {name: out.moved(given[name], step, number) for name, step in self._shape.steps.items()}

    def _conditions(
        self, out: RoundWriter, given: Mapping[str, Value], rounds: Value, starting: Round, stays: list[Value]
    ) -> tuple[Value, Value]:
        """Whether there may be so many rounds, and one more."""
        following = out.binary("add", rounds, ConstInt(I64, 1))
        before = out.binary("sub", rounds, ConstInt(I64, 1))
        limits = self._limits(out, starting)
        now, later = (
            out.all(
                [
                    *(self._is_within(out, limit, count) for limit in limits),
                    *self._in_range(out, given, count),
                    *(out.add(instance(out.register(I1), stay, last)) for stay in stays),
                ]
            )
            for count, last in ((rounds, before), (following, rounds))
        )
        return now, later

    def leave(self, draft: Draft, carried: Mapping[str, Value], stop: str) -> tuple[Draft, ...]:
        """Whether the state is the one after one more round."""
        kept = self._kept
        assert kept is not None
        out = RoundWriter(draft, self._name)
        lost = Draft(self._name("lost"))
        for read, expected in kept.inputs:
            out.add(assume(out.number(out.compare("eq", read, expected), I32)))
        written = self._begun(out)
        conditions = [out.compare("eq", real, begin) for real, begin in zip(written, kept.begins, strict=True)]
        inner = self._shape.inner
        if inner is not None and inner.count:
            assert self.inner is not None and self.inner._kept is not None
            conditions.append(out.compare("eq", self.inner._kept.rounds, ConstInt(I64, inner.count)))
        for real, store, content in zip(written, self._shape.stores, kept.contents, strict=True):
            place = out.moved(real, store.stride, kept.which)
            for read, expected in kept.inputs:
                content = out.add(exchange(out.register(content.type), content, expected, read))
            conditions.append(out.compare("eq", out.add(peek(out.register(content.type), place)), content))
        conditions.append(kept.next_allowed)
        checks = [draft, *(Draft(self._name("check")) for _ in conditions[1:])]
        for check, condition, following in zip(checks, conditions, [*checks[1:], None], strict=True):
            target = stop if following is None else following.name
            check.add(ir.Branch(None, None, condition, target, lost.name, implicit=True))
        lost.add(give_up())
        lost.add(ir.Unreachable(None, None))
        return (*checks[1:], lost)

    def _begun(self, out: RoundWriter) -> list[Value]:
        """Where this round has begun to write, for each store."""
        if self._shape.inner is not None:
            assert self.inner is not None and self.inner._kept is not None
            return self.inner._kept.addresses
        now = Round(out, self._loop, None)
        return [now.value(store.pointer) for store in self._shape.stores]

    def _input(self, out: RoundWriter, general: Round, call: ir.Call, rounds: Value) -> tuple[Value, Value]:
        """Read what all rounds read; the input of this round, and what it has to be then."""
        assert call.result is not None
        each = general.give(call.result.name, out.add(series(out.register(call.result.type), rounds, call.location)))
        return call.result, out.add(instance(out.register(each.type), each, rounds))

    # Conditions on the number of rounds: any will do

    def _in_range(self, out: RoundWriter, given: Mapping[str, Value], count: Value) -> list[Value]:
        """That no variable has wrapped around after so many rounds; numbers of 64 bits do not, for so few of them."""
        inputs = [LARGEST_INPUT] if self._shape.inputs else []
        largest = max([1, *inputs, *(abs(step) for step in self._shape.steps.values()), *self._strides()])
        most = min(self._counted(), (1 << (self._layout.pointer_bits - 1)) // largest)
        if self._shape.inner is not None:
            most = min(most, MOST_ELEMENTS // max(1, self._shape.inner.count))
        found = [out.compare("ule", count, ConstInt(I64, most))]
        for name, step in self._shape.steps.items():
            type = given[name].type
            if step == 0 or not isinstance(type, IntType) or type.width > 32:
                continue
            is_signed = self._is_signed(name)
            wide = out.number(given[name], I64, "sext" if is_signed else "zext")
            last = out.binary("add", wide, out.binary("mul", count, constant(I64, step)))
            least, greatest = range_of_width(type.width, is_signed)
            found.append(out.compare("sge", last, constant(I64, least)))
            found.append(out.compare("sle", last, constant(I64, greatest)))
        return found

    def _strides(self) -> list[int]:
        inner = self._shape.inner
        return [abs(store.stride) * (inner.count if inner else 1) for store in self._shape.stores]

    def _is_signed(self, name: str) -> bool:
        """Whether a variable seems to be a signed number."""
        votes = 0
        for instruction in self._loop.definitions.values():
            if any(isinstance(value, Register) and value.name == name for value in operands(instruction)):
                match instruction:
                    case ir.Compare(predicate=predicate):
                        votes += (predicate in _SIGNED) - (predicate in _UNSIGNED)
                    case ir.Cast(op=op):
                        votes += (op == "sext") - (op == "zext")
                    case ir.Binary(flags=flags):
                        votes += "nsw" in flags
                    case ir.Call():
                        votes += 1
        return votes > 0

    def _limits(self, out: RoundWriter, starting: Round) -> list[tuple[Value, int]]:
        """Where the loop goes on until two values are equal: how far they are apart, and what a round adds."""
        found: list[tuple[Value, int]] = []
        for stay in self._shape.stays:
            made = self._loop.definitions.get(stay.condition.name) if isinstance(stay.condition, Register) else None
            if not isinstance(made, ir.Compare) or made.predicate != ("ne" if stay.value else "eq"):
                continue
            steps = [self._loop.stride(side, self._shape.steps) for side in (made.left, made.right)]
            if None in steps or (steps[0] == 0) == (steps[1] == 0):
                continue
            step = (steps[0] or 0) - (steps[1] or 0)
            try:
                left, right = starting.value(made.left), starting.value(made.right)
            except Unclear:
                continue
            type = IntType(self._layout.bits(left.type))
            one, other = out.number(left, type), out.number(right, type)
            distance = out.binary("sub", other, one) if step > 0 else out.binary("sub", one, other)
            found.append((out.number(distance, I64), abs(step)))
        return found

    def _is_within(self, out: RoundWriter, limit: tuple[Value, int], count: Value) -> Value:
        distance, step = limit
        if step == 1:
            return out.compare("ule", count, distance)
        never = out.compare("ne", out.binary("urem", distance, ConstInt(I64, step)), ConstInt(I64, 0))
        within = out.compare("ule", count, out.binary("udiv", distance, ConstInt(I64, step)))
        return out.binary("or", never, within)
