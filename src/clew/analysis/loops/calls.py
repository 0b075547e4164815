"""Calls in the body of a loop: functions are entered, inputs are unknowns, and whatever ends a path ends it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clew.analysis.absint.views import is_number, overflow_operation
from clew.analysis.callees import Callee, CalleeKind
from clew.analysis.callgraph import accepts
from clew.analysis.escape import WRITING
from clew.analysis.loops import arithmetic
from clew.analysis.loops.conditions import assume
from clew.analysis.loops.evaluation import Evaluation
from clew.analysis.loops.path import Activation, Content, Number, Path, Refused
from clew.program import instructions as ir
from clew.program.traps import TRAP
from clew.program.types import IntType
from clew.program.values import Value

_SILENT = ("llvm.dbg.", "llvm.donothing", "llvm.prefetch", "llvm.experimental.noalias", "llvm.invariant.", "llvm.var.")
_ENDING = (TRAP, "llvm.trap", "llvm.debugtrap")


def call(evaluation: Evaluation, path: Path, i: ir.Call) -> Iterable[Path]:
    """What comes after a call."""
    target = evaluation.effects.callees.resolve(i)
    match target.kind:
        case CalleeKind.INTRINSIC:
            return _intrinsic(evaluation, path, i, target.name)
        case CalleeKind.MODEL:
            return _model(evaluation, path, i, target)
        case CalleeKind.FUNCTION:
            return _function(evaluation, path, i, target.name)
        case CalleeKind.INDIRECT:
            raise Refused("it calls functions through pointers")
        case CalleeKind.ASSEMBLY:
            raise Refused("it has inline assembly")
    raise Refused(f"it calls {target.name}, which is not defined")


def leave(evaluation: Evaluation, path: Path, value: Value | None) -> Iterator[Path]:
    """A return from a function that the body has called."""
    if len(path.frames) == 1:
        return
    result = None if value is None else evaluation.value(path, value)
    path.frames.pop()
    frame = path.top
    path.give(frame.block.instructions[frame.index - 1].result, result)
    yield path


def _given(path: Path, i: ir.Call, value: Content | None) -> Iterator[Path]:
    path.give(i.result, value)
    yield path


def _unknown_result(path: Path, i: ir.Call, reason: str) -> Iterator[Path]:
    if i.result is not None and is_number(i.result.type):
        assert isinstance(i.result.type, IntType)
        return _given(path, i, path.opaque(i.result.type.width, reason))
    return _given(path, i, None)


# Intrinsics


def _intrinsic(evaluation: Evaluation, path: Path, i: ir.Call, name: str) -> Iterator[Path]:
    arguments = [argument.value for argument in i.arguments]
    if name in _ENDING:
        return
    if name == "llvm.assume":
        yield from assume(path, evaluation.truth(path, arguments[0]), True, evaluation.limits)
    elif name.startswith("llvm.expect."):
        yield from _given(path, i, evaluation.value(path, arguments[0]))
    elif name.startswith("llvm.lifetime."):
        where = evaluation.contents.address(path.top, arguments[-1])
        if where is not None:
            evaluation.contents.undefine(path, where)
        yield path
    elif name.startswith(_SILENT):
        yield path
    elif name.startswith(("llvm.va_", "llvm.stack", "llvm.eh.")):
        raise Refused(f"it calls {name}")
    elif name.startswith(WRITING):
        evaluation.contents.written(path, i)
        yield from _unknown_result(path, i, f"the body calls {name}")
    else:
        yield from _computed(evaluation, path, i, name)


def _computed(evaluation: Evaluation, path: Path, i: ir.Call, name: str) -> Iterator[Path]:
    """Intrinsics that compute."""
    arguments = [argument.value for argument in i.arguments]
    operation = overflow_operation(i)
    kind = name.removeprefix("llvm.").partition(".")[0]
    two = len(arguments) >= 2 and all(is_number(value.type) for value in arguments[:2])
    if operation is None and not (two and kind in ("smax", "smin", "umax", "umin", "abs")):
        yield from _unknown_result(path, i, f"the body calls {name}")
        return
    for way, left in evaluation.number(path, arguments[0]):
        if kind == "abs":
            results = arithmetic.magnitude(way, left, evaluation.limits)
            yield from _each(i, results)
            continue
        for end, right in evaluation.number(way, arguments[1]):
            if operation is not None:
                results = arithmetic.with_overflow(end, operation[0], operation[1], left, right, evaluation.limits)
            else:
                results = arithmetic.chosen(end, kind, left, right, evaluation.limits)
            yield from _each(i, results)


def _each(i: ir.Call, results: arithmetic.Results) -> Iterator[Path]:
    for path, value in results:
        path.give(i.result, value)
        yield path


# Models


def _model(evaluation: Evaluation, path: Path, i: ir.Call, target: Callee) -> Iterator[Path]:
    effect = target.effect
    if not effect.is_simple or effect.diverts:
        raise Refused(f"it calls {target.name}, which does more than memory shows")
    if effect.is_end:
        return
    if effect.assumes and i.arguments:
        for way, number in evaluation.number(path, i.arguments[0].value):
            yield from assume(way, arithmetic.as_truth(number), True, evaluation.limits)
        return
    if effect.makes_object:
        path.reads_inputs = True
        evaluation.contents.written(path, i)
        yield from _unknown_result(path, i, f"the body calls {target.name}")
        return
    path.reads_inputs |= effect.is_input
    if effect.is_input and i.result is not None and is_number(i.result.type):
        yield from _input(evaluation, path, i, target)
        return
    yield from _unknown_result(path, i, f"the body calls {target.name}")


def _input(evaluation: Evaluation, path: Path, i: ir.Call, target: Callee) -> Iterator[Path]:
    """A new input: any number of its type, or of the range that its model has."""
    assert i.result is not None and isinstance(i.result.type, IntType)
    effect, width = target.effect, i.result.type.width
    if effect.bounded and effect.result is not None:
        yield from _given(path, i, Number(path.unknown(*effect.result), width))
        return
    if not effect.fresh and width > 1:
        path.doubt(f"the body calls {target.name}")
    signed = width > 1 and evaluation.contents.views(path.top.outline.function.name).is_signed(i.result.name)
    yield from _given(path, i, path.any_number(width, signed))


# Functions


def _function(evaluation: Evaluation, path: Path, i: ir.Call, name: str) -> Iterator[Path]:
    function = evaluation.effects.program.functions[name]
    plain = len(i.arguments) == len(function.parameters) and not any(argument.byval for argument in i.arguments)
    if (
        not plain
        or not accepts(function, i)
        or evaluation.effects.calls.is_recursive(name)
        or len(path.frames) > evaluation.limits.call_depth
    ):
        if not evaluation.effects.is_plain((i,)):
            raise Refused(f"it calls {name}, which does more than memory shows")
        evaluation.contents.written(path, i)
        path.doubt(f"the body calls {name}, which is not followed")
        yield from _unknown_result(path, i, f"the body calls {name}, which is not followed")
        return
    path.unknowns += 1
    entry = Activation(path.unknowns, evaluation.outline(name), function.blocks[0])
    if entry.outline.forest.headed_by(0) is not None:
        raise Refused(f"{name} begins with a loop")
    for parameter, argument in zip(function.parameters, i.arguments, strict=True):
        assert hasattr(parameter.value, "name")
        entry.registers[parameter.value.name] = evaluation.value(path, argument.value)
    path.frames.append(entry)
    yield path
