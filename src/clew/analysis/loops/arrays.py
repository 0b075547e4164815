"""Loops that go over arrays: every round writes elements at places that move on by the same distance each time.

    for (i = 0; i < n; i++) if (b[i] > 0) a[2 * i] = b[i];         i moves by 1, the place of the store by 8 bytes

What is recognized here is a *guess* about the loop, made from the looks of its code: which variables it moves, by how
much; where it stores; on which conditions a round comes to its end. Whoever uses it checks what he makes of it while
the program runs (``clew.techniques.acceleration.array_cutting``): stores that are seen here may overlap, or what the
loop reads may be what it has just written.

What is certain: a round changes nothing but the phis of the header and what those stores write, reads at most one input
(a number, any one), and calls nothing else that writes memory or reads an input.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from clew.analysis.absint.linear import Linear
from clew.analysis.graph import ControlFlow, DominatorTree, Loop, LoopForest
from clew.analysis.loops.closure import Refusal
from clew.analysis.loops.loop_code import LARGEST, LoopCode, moved, plus, signed_value
from clew.analysis.mod_ref import ModRef
from clew.base.dataclass import dataclass
from clew.program import instructions as ir
from clew.program.module import Block, Function
from clew.program.types import IntType, PointerType, Type, is_plain
from clew.program.values import ConstInt, GlobalRef, Register, Value

IRREGULAR = "it changes a variable in another way than by adding the same number in every round"


@dataclass(frozen=True, slots=True)
class Stay:
    """A round comes to its end only if a condition has this value."""

    condition: Value
    value: bool


@dataclass(frozen=True, slots=True)
class ArrayStore:
    """A place that is written to, by one store or by several that have the same address."""

    pointer: Value
    """The address, as one of them has it."""
    type: Type
    stride: int
    """Bytes from the place of one round to that of the next."""


@dataclass(frozen=True, slots=True)
class ArrayLoop:
    """A loop over arrays."""

    header: str
    steps: dict[str, int]
    """By how much a round moves the phis of the header; addresses by bytes."""
    others: dict[str, Type]
    """Phis of the header that a round changes in another way."""
    stores: tuple[ArrayStore, ...]
    stays: tuple[Stay, ...]
    inputs: tuple[ir.Call, ...]
    """Calls that read a new input in every round: one at most."""
    inner: InnerLoop | None = None


@dataclass(frozen=True, slots=True)
class InnerLoop:
    """The loop in a loop over arrays, which alone stores something: all its rounds, one row after the other, go over
    elements that lie one behind the other."""

    loop: Loop
    shape: ArrayLoop
    starts: dict[str, Value]
    """The phis of its header when it is entered."""
    count: int
    """How many rounds it seems to have, each time; 0 if it stores nothing, and nobody needs to know."""


def array_loop(
    effects: ModRef, function: Function, graph: ControlFlow, tree: DominatorTree, forest: LoopForest, loop: Loop
) -> ArrayLoop | Refusal:
    """What a loop looks like, if it goes over arrays or just counts; else why it does not."""
    inner = [each for each in forest.loops if each.parent == loop.index]
    if loop.irreducible or len(inner) > 1:
        return Refusal("it has more than one entry, or several loops in it")
    reading = LoopCode(function, graph, loop, effects.program.layout)
    if inner:
        shape = array_loop(effects, function, graph, tree, forest, inner[0])
        return shape if isinstance(shape, Refusal) else _nest(effects, function, graph, tree, loop, inner[0], shape)
    inputs = tuple(_inputs(effects, graph, tree, loop, reading))
    problem = _problem(effects, function, reading.blocks, inputs)
    if len(inputs) > 1:
        problem = "it reads several inputs in a round"
    if problem:
        return Refusal(problem)
    steps, others = _moving(reading)
    stores: dict[object, ArrayStore] = {}
    for store in (i for block in reading.blocks for i in block.instructions if isinstance(i, ir.Store)):
        stride = reading.stride(store.pointer, steps)
        known = reading.number(store.pointer)
        if stride is None or known is None or abs(stride) > LARGEST:
            return Refusal("it stores at a place that does not move on by the same distance in every round")
        if 0 < abs(stride) < effects.program.layout.store_size(store.value.type):
            return Refusal("it stores at places that overlap")
        if stores.setdefault(known, ArrayStore(store.pointer, store.value.type, stride)).type != store.value.type:
            return Refusal("it stores values of different types at one place")
    if _is_entangled(reading, tuple(stores.values()), steps):
        return Refusal("it reads what it has written in earlier rounds, or writes it again")
    if others and not stores:
        return Refusal(IRREGULAR)
    stays = tuple(_stays(graph, tree, loop, reading))
    return ArrayLoop(reading.blocks[0].name, steps, others, tuple(stores.values()), stays, inputs)


def _moving(code: LoopCode) -> tuple[dict[str, int], dict[str, Type]]:
    """The phis of a header that a round moves by a number, and the others."""
    steps: dict[str, int] = {}
    others: dict[str, Type] = {}
    for phi in code.blocks[0].phis:
        assert phi.result is not None
        step = code.step(phi)
        if step is None:
            others[phi.result.name] = phi.result.type
        else:
            steps[phi.result.name] = step
    return steps, others


def _nest(
    effects: ModRef,
    function: Function,
    graph: ControlFlow,
    tree: DominatorTree,
    loop: Loop,
    inside: Loop,
    shape: ArrayLoop,
) -> ArrayLoop | Refusal:
    """A loop with a loop over arrays in it."""
    layout = effects.program.layout
    outer = LoopCode(function, graph, loop, layout)
    own = [block for block in outer.blocks if graph.numbers[block.name] not in inside.blocks]
    problem = _problem(effects, function, own, ())
    if problem or shape.inputs or shape.inner is not None:
        return Refusal(problem or "it has a loop in it that reads inputs, or has loops in it")
    if any(isinstance(i, ir.Store) for block in own for i in block.instructions):
        return Refusal("it stores something, and so does a loop in it")
    if not all(tree.dominates(inside.header, latch) for latch in loop.latches):
        return Refusal("it has a loop in it that some rounds do not come by")
    if any(to in loop.blocks and source != inside.header for source, to in inside.exits) or any(
        isinstance(i, ir.Store) for i in function.blocks[inside.header].instructions
    ):
        return Refusal("it has a loop in it that ends in the middle of a round")
    steps, others = _moving(outer)
    starts = _starts(function, graph, inside)
    if starts is None:
        return Refusal("it has a loop in it that begins in different ways")
    count = 0
    if shape.stores:
        count = _rounds(LoopCode(function, graph, inside, layout), shape, starts)
        code = LoopCode(function, graph, inside, layout).within(outer)
        for store in shape.stores:
            total = code.linear(store.pointer) or Linear()
            begin: Linear | None = Linear.number(total.constant)
            for part, factor in total.terms.items():
                first = starts.get(part.name) if isinstance(part, Register) else None
                begin = plus(begin, Linear.of(part) if first is None else code.linear(first), factor)
            if begin is None or not count or moved(begin, steps) != count * store.stride or not store.stride:
                return Refusal("it goes over elements that do not lie one behind the other")
    stays = tuple(_stays(graph, tree, loop, outer, inside.blocks))
    return ArrayLoop(
        outer.blocks[0].name, steps, others, shape.stores, stays, (), InnerLoop(inside, shape, starts, count)
    )


def _starts(function: Function, graph: ControlFlow, loop: Loop) -> dict[str, Value] | None:
    """The values of a header's phis when the loop is entered; None if they are not always the same ones."""
    latches = {graph.names[latch] for latch in loop.latches}
    found: dict[str, Value] = {}
    for phi in function.blocks[loop.header].phis:
        values = {value for value, source in phi.incoming if source not in latches}
        if len(values) != 1 or phi.result is None:
            return None
        found[phi.result.name] = values.pop()
    return found


def _rounds(code: LoopCode, shape: ArrayLoop, starts: Mapping[str, Value]) -> int:
    """How many rounds a loop seems to have that goes from one number to another; 0 if that is not known."""
    if len(shape.stays) != 1 or not isinstance(shape.stays[0].condition, Register):
        return 0
    stay = shape.stays[0]
    test = code.definitions.get(shape.stays[0].condition.name)
    if not isinstance(test, ir.Compare) or not isinstance(test.left, Register) or not isinstance(test.right, ConstInt):
        return 0
    predicate = test.predicate if stay.value else ir.NEGATED[test.predicate]
    begin, step, end = starts.get(test.left.name), shape.steps.get(test.left.name), signed_value(test.right)
    if not isinstance(begin, ConstInt) or not step:
        return 0
    distance = (end - signed_value(begin)) * (1 if step > 0 else -1)
    if predicate[1:] in ("le", "ge"):
        distance += 1
    return max(0, -(-distance // abs(step)))


def _stays(
    graph: ControlFlow, tree: DominatorTree, loop: Loop, code: LoopCode, but: frozenset[int] = frozenset()
) -> Iterator[Stay]:
    """The conditions on which a round comes to its end: of branches that every round passes, and that may leave it."""
    for block in code.blocks:
        number = graph.numbers[block.name]
        last = block.terminator
        if (
            number in but
            or not isinstance(last, ir.Branch)
            or not all(tree.dominates(number, latch) for latch in loop.latches)
        ):
            continue
        inside = [graph.numbers[name] in loop.blocks for name in (last.if_true, last.if_false)]
        if inside[0] != inside[1]:
            yield Stay(last.condition, inside[0])


def _is_entangled(code: LoopCode, stores: tuple[ArrayStore, ...], steps: Mapping[str, int]) -> bool:
    """Whether a round seems to touch what others have written: then it is no use to take them together."""
    loads = [i for block in code.blocks for i in block.instructions if isinstance(i, ir.Load)]
    for store in stores:
        size = code.size(store.type)
        for other in stores:
            if other is not store and _meets(code, store, size, other.pointer, code.size(other.type), steps, False):
                return True
        for load in loads:
            assert load.result is not None
            held = code.size(load.result.type)
            if (load.pointer != store.pointer or not store.stride) and _meets(
                code, store, size, load.pointer, held, steps, True
            ):
                return True
    return False


def _meets(
    code: LoopCode, store: ArrayStore, size: int, pointer: Value, held: int, steps: Mapping[str, int], behind: bool
) -> bool:
    """Whether a place in the same object is one that a store of another round writes; with ``behind``, of an earlier
    one."""
    distance = plus(code.linear(pointer), code.linear(store.pointer), -1)
    if distance is None:
        return False
    apart, parts = distance.constant, distance.terms
    if any(isinstance(p, GlobalRef) or (isinstance(p, Register) and isinstance(p.type, PointerType)) for p in parts):
        return False  # of another object, as it seems
    if any(isinstance(part, Register) and part.name in steps for part in parts) or not store.stride:
        return True
    if parts:
        return False  # it depends on something fixed
    stride = abs(store.stride)
    onto = apart % stride
    return (onto < size or onto + held > stride) and (apart * store.stride < 0 if behind else apart != 0)


def _inputs(effects: ModRef, graph: ControlFlow, tree: DominatorTree, loop: Loop, code: LoopCode) -> Iterator[ir.Call]:
    """Calls that every round makes, and that give any number."""
    for block in code.blocks:
        if all(tree.dominates(graph.numbers[block.name], latch) for latch in loop.latches):
            for i in block.instructions:
                if isinstance(i, ir.Call) and i.result is not None and isinstance(i.result.type, IntType):
                    effect = effects.callees.resolve(i).effect
                    if effect.fresh and effect.named is None and is_plain(i.result.type):
                        yield i


def _problem(effects: ModRef, function: Function, blocks: Iterable[Block], inputs: tuple[ir.Call, ...]) -> str:
    """What a loop has that nothing is known about; empty if there is nothing."""
    for instruction in (i for block in blocks for i in block.instructions):
        match instruction:
            case ir.Load(volatile=True) | ir.Store(volatile=True):
                return "it accesses a volatile object"
            case ir.Store(value=value) if not is_plain(value.type):
                return "it stores values that are no integers"
            case ir.Call() if instruction not in inputs and not _is_harmless(effects, function, instruction):
                return "it calls a function that writes memory or reads an input"
            case ir.Alloca() | ir.AtomicUpdate() | ir.CompareExchange() | ir.VaArg() | ir.UnsupportedInstruction():
                return "it changes memory in an unusual way"
    return ""


def _is_harmless(effects: ModRef, function: Function, call: ir.Call) -> bool:
    """Whether a call, with all that it calls, leaves no trace: it writes nothing, and reads no input."""
    return not effects.written_by(function.name, call) and effects.is_plain((call,), inputs=False)
