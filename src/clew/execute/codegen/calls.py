"""Handlers of calls. A call into C suspends the frame; models and intrinsics run in place."""

from __future__ import annotations

from clew.analysis.callees import Callee, CalleeKind
from clew.execute.codegen.emitter import Emitter, emits
from clew.execute.codegen.intrinsics import emit_intrinsic
from clew.program import instructions as ir
from clew.program.module import Function
from clew.program.types import Type, VoidType
from clew.program.values import MetadataArg


@emits(ir.Call)
def _call(e: Emitter, i: ir.Call) -> None:
    callee = e.context.callees.resolve(i)
    _HANDLERS[callee.kind](e, i, callee)


def _values(e: Emitter, arguments: tuple[ir.Argument, ...]) -> str:
    return _tuple([e.value(argument.value) for argument in arguments])


def _tuple(texts: list[str]) -> str:
    return "(" + "".join(f"{text}, " for text in texts) + ")" if texts else "()"


def _assign(e: Emitter, i: ir.Call, text: str) -> None:
    e.out.line(text if i.result is None else f"{e.target(i)} = {text}")


def _function(e: Emitter, i: ir.Call, callee: Callee) -> None:
    """Suspend this frame after the call, enter the callee's, and run it."""
    function: Function = callee.target
    if _mismatch(i, function):
        e.out.line(f"unsupported({e.here()}, 'call of {callee.name} with other types than it is defined with')")
        e.out.line("return")
        return
    fixed = i.arguments[: len(function.parameters)]
    extra = i.arguments[len(function.parameters) :] if function.type.varargs else ()
    missing = [e.constant(p.value.type) for p in function.parameters[len(fixed) :]]
    values = [e.value(argument.value) for argument in fixed]
    arguments = _tuple(values)
    if missing:
        arguments += " + (" + "".join(f"undefined(s, {type}), " for type in missing) + ")"
    copies = tuple((n, a.byval, a.align) for n, a in enumerate(fixed) if a.byval is not None)
    here = e.here()
    compiled = e.context.compiled(callee.name)
    target = e.constant(compiled)
    e.settle(e.context.plan.points[e.context.plan.continuation(e.block, e.index)].live)
    e.leaf()
    e.suspend(e.context.plan.continuation(e.block, e.index))
    if compiled.is_brief and not (copies or extra or missing):
        _run_in_place(e, i, target, values)
    elif copies or extra:
        types = tuple((a.value.type, a.byval, a.align) for a in extra)
        rest = f"{e.constant(copies)}, {_values(e, extra)}, {e.constant(types)}"
        e.out.line(f"enter_with({here}, {target}, {arguments}, {rest})")
        with e.out.block("if f.depth & 63:"):
            _run_through(e, i, target, "s.frame")
    else:
        with e.out.block("if f.depth & 63:"):
            e.out.line(f"s.frame = t = Frame({target}, {arguments}, f, s.owner)")
            _run_through(e, i, target, "t")
        with e.out.block("else:"):
            e.out.line(f"enter(s, f, {target}, {arguments})")
    e.out.line("return")


def _run_through(e: Emitter, i: ir.Call, target: str, frame: str) -> None:
    """Run the callee from here; if it comes back without a stop on the way, go on with all locals in place.

    Whatever interrupts it (a fork, a slice that is over, a deep call) leaves another frame on top or the slice used
    up; then everything returns to the engine, which finds the suspended frames in order. Only some depths call
    through, so Python's own stack stays shallow.
    """
    number = e.root_number(e.block, e.index + 1)
    if number is None:
        return
    e.out.line(f"{target}.entry(s, {frame})")
    with e.out.block("if s.frame is f and s.steps < s.stop:"):
        if i.result is not None:
            e.out.line(f"{e.target(i)} = s.result")
        e.out.line(f"b = {number}")
        e.out.line("continue")


def _run_in_place(e: Emitter, i: ir.Call, target: str, arguments: list[str]) -> None:
    """Run a brief callee, which makes a frame of its own only if something needs that.

    Then the callee may have left another frame on top, and all returns to the engine, as above.
    """
    number = e.root_number(e.block, e.index + 1)
    result = "t" if i.result is None else e.target(i)
    e.out.line(f"{result} = {target}.brief({', '.join(['s', 'f', *arguments])})")
    with e.out.block("if s.frame is f:"):
        if number is not None:
            with e.out.block("if s.steps < s.stop:"):
                e.out.line(f"b = {number}")
                e.out.line("continue")
        e.out.line(f"s.result = {result}")


def _mismatch(i: ir.Call, function: Function) -> bool:
    """Whether caller and callee disagree on types that both mention."""
    pairs: list[tuple[Type, Type]] = [
        (argument.value.type, parameter.value.type)
        for argument, parameter in zip(i.arguments, function.parameters, strict=False)
    ]
    if i.result is not None and not isinstance(i.result.type, VoidType):
        pairs.append((i.result.type, function.type.result))
    return any(passed != expected for passed, expected in pairs)


def _indirect(e: Emitter, i: ir.Call, callee: Callee) -> None:
    """The callee is known only at run time: the engine finds it and enters it, or runs its model."""
    address, arguments, here = e.value(i.callee), _values(e, i.arguments), e.here()
    e.leaf()
    point = e.context.plan.continuation(e.block, e.index)
    after = e.tuple_of(e.context.plan.points[point].live)
    e.out.line(f"enter_indirect({here}, {address}, {arguments}, {e.constant(i)}, {point}, {after})")
    e.out.line("return")


def _model(e: Emitter, i: ir.Call, callee: Callee) -> None:
    if callee.effect.returns_twice:  # the frame has to be suspended behind it
        _indirect(e, i, callee)
        return
    if not callee.target.watched:
        _assign(e, i, _model_call(e, i, callee))
        return
    name = i.arguments[0].value
    assert isinstance(name, MetadataArg)
    watch = e.context.watch(name.text)
    if watch.is_needless:
        watch.left_out(e.context.compiled(e.context.function.name).renew)
        return
    with e.out.block(f"if {e.constant(watch)}.on:"):
        _assign(e, i, _model_call(e, i, callee))


def _model_call(e: Emitter, i: ir.Call, callee: Callee) -> str:
    return f"call_model({e.here()}, {e.constant(callee.target)}, {e.constant(i)}, {_values(e, i.arguments)})"


def _undefined(e: Emitter, i: ir.Call, callee: Callee) -> None:
    _assign(e, i, f"call_undefined({e.here()}, {callee.name!r}, {e.constant(i)}, {_values(e, i.arguments)})")


def _assembly(e: Emitter, i: ir.Call, callee: Callee) -> None:
    if callee.target is None:
        e.out.line(f"unsupported({e.here()}, {'inline assembly ' + repr(callee.name)!r})")
    else:
        _assign(e, i, f"assembly(s, {e.constant(callee.target)}, {e.constant(i)}, {_values(e, i.arguments)})")
        return
    if i.result is not None:
        e.out.line(f"{e.target(i)} = 0")


def _intrinsic(e: Emitter, i: ir.Call, callee: Callee) -> None:
    emit_intrinsic(e, i, callee.name)


@emits(ir.VaArg)
def _va_arg(e: Emitter, i: ir.VaArg) -> None:
    assert i.result is not None
    e.out.line(f"{e.target(i)} = next_argument({e.here()}, {e.value(i.list)}, {e.constant(i.result.type)})")


_HANDLERS = {
    CalleeKind.FUNCTION: _function,
    CalleeKind.INDIRECT: _indirect,
    CalleeKind.MODEL: _model,
    CalleeKind.UNDEFINED: _undefined,
    CalleeKind.ASSEMBLY: _assembly,
    CalleeKind.INTRINSIC: _intrinsic,
}
