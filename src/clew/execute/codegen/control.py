"""Handlers of terminators.

A branch asks the engine only when its condition is symbolic:

    if v5 is True or v5 is not False and branch(s, f, v5, 12, 13, (v1, v2)):

or, when the condition is a comparison that nothing else needs:

    try:
        t = v1 < 10
    except TypeError:
        t = test(s, f, ult(v1, 10, 32), 12, 13, (v1, v2))
    if t:

``branch`` lets the state's model decide, queues the other side as a pending sibling at its edge
point, and returns True or False.
"""

from __future__ import annotations

from functools import partial

from clew.execute.codegen.emitter import Emitter, Way, emits
from clew.program import instructions as ir
from clew.program.values import ConstUndef, Register


@emits(ir.Phi)
def _phi(e: Emitter, i: ir.Phi) -> None:
    """Assigned on the edges."""


@emits(ir.Jump)
def _jump(e: Emitter, i: ir.Jump) -> None:
    _give_code(e)
    e.go(e.block, i.target, e.path)


def _give_code(e: Emitter) -> None:
    """If this is where ``main`` gives its exit code, and it may be symbolic, have a look at it."""
    code = e.context.exit_codes.get(e.block)
    if isinstance(code, Register | ConstUndef):
        e.out.line(f"returned_code({e.here()}, {e.value(code)})")


@emits(ir.Branch)
def _branch(e: Emitter, i: ir.Branch) -> None:
    source, path = e.block, e.path
    condition = e.value(i.condition)
    if i.if_true == i.if_false:
        e.go(source, i.if_true, path.taking(source, i.if_true))
        return
    if condition in ("True", "False"):
        _take(e, source, i.if_true if condition == "True" else i.if_false, path)
        return
    plan = e.context.plan
    yes, no = plan.edge(source, i.if_true), plan.edge(source, i.if_false)
    live = e.tuple_of(plan.points[yes].live)
    form = e.pending.get(e.context.numbers[i.condition.name]) if isinstance(i.condition, Register) else None
    if form is not None:
        with e.out.block("try:"):
            e.out.line(f"t = {form.fast or form.general}")
        with e.out.block("except TypeError:"):
            e.out.line(f"t = test(s, {e.frame}, {form.general}, {yes}, {no}, {live})")
        test = "t"
    else:
        ask = f"branch(s, {e.frame}, {condition}, {yes}, {no}, {live})"
        inverse = path.facts.inverse.get(condition)
        test = f"{condition} is True or {condition} is not False and {ask}"
        if inverse is not None:
            test = f"{inverse} is False or {inverse} is not True and {ask}"
    number = e.number(i.condition)
    masked = path.facts.zero_tests.get(number) if number is not None else None
    with e.out.block(f"if {test}:"):
        _take(e, source, i.if_true, path if masked is None else path.aligned(masked))
    with e.out.block("else:"):
        _take(e, source, i.if_false, path)


@emits(ir.Switch)
def _switch(e: Emitter, i: ir.Switch) -> None:
    source, path = e.block, e.path
    targets = ir.successors(i)
    if len(targets) == 1:
        e.go(source, targets[0], path.taking(source, targets[0]))
        return
    plan = e.context.plan
    numbers = {target: plan.edge(source, target) for target in targets}
    live = e.tuple_of(plan.points[numbers[targets[0]]].live)
    value = e.value(i.value)
    # Concrete: one look-up gives the position of the target. Symbolic: the engine chooses among the cases.
    positions = {target: position for position, target in enumerate(targets)}
    places = {case: positions[target] for case, target in i.cases}
    table = e.constant(places)
    default = positions[i.default]
    cases: list[list[int]] = [[] for _ in targets]
    for case, place in places.items():
        cases[place].append(case)
    by_target = tuple((numbers[target], tuple(cases[position])) for target, position in positions.items())
    symbolic = f"switch(s, {e.frame}, {value}, {e.width(i.value.type)}, {e.constant(by_target)}, {default}, {live})"
    e.out.line(f"t = {table}.get({value}, {default}) if type({value}) is int else {symbolic}")
    _choose(e, source, targets)


def _choose(e: Emitter, source: str, targets: tuple[str, ...]) -> None:
    """Walk the edge whose position is in ``t``."""
    path = e.path
    bodies = [partial(_take, e, source, target, path) for target in targets]
    e.out.dispatch("t", bodies, [1] * len(bodies))


def _take(e: Emitter, source: str, target: str, path: Way) -> None:
    """Walk one of several edges. Traced code says so, and may be asked to stop there."""
    if e.context.traced:
        number, origin = e.context.plan.edge(source, target), e.out.origin
        with e.out.block(f"if s.step({number}):"):
            e.path = path.taking(source, target)
            e.leaf()
            e.suspend(number)
            e.out.line("return")
        e.out.origin = origin
    e.go(source, target, path.taking(source, target))


@emits(ir.IndirectBranch)
def _indirect(e: Emitter, i: ir.IndirectBranch) -> None:
    targets = ir.successors(i)
    if not targets:
        e.out.line(f"unsupported({e.here()}, 'indirect branch without targets')")
        return
    source = e.block
    addresses = {e.context.block_address(target): position for position, target in enumerate(targets)}
    e.out.line(f"t = jump_target({e.here()}, {e.value(i.address)}, {e.constant(addresses)})")
    _choose(e, source, targets)


@emits(ir.Return)
def _return(e: Emitter, i: ir.Return) -> None:
    _give_code(e)
    value = "None" if i.value is None else e.value(i.value)
    e.leaf()
    if e.is_brief:
        with e.out.block("if f is not None:"):
            e.out.line(f"leave(s, f, {value})")
        e.out.line(f"return {value}")
        return
    e.out.line("t = f.parent")
    # The common case in place: a caller that is this state's own, and no locals to release.
    with e.out.block("if t is None or f.allocated or t.owner is not s.owner:"):
        e.out.line(f"leave(s, f, {value})")
    with e.out.block("else:"):
        e.out.line(f"s.result = {value}")
        e.out.line("s.frame = t")
    e.out.line("return")


@emits(ir.Unreachable)
def _unreachable(e: Emitter, i: ir.Unreachable) -> None:
    e.leaf()
    e.out.line(f"unreachable({e.here()})")
    e.out.line("return")


@emits(ir.UnsupportedInstruction)
def _unsupported(e: Emitter, i: ir.UnsupportedInstruction) -> None:
    e.out.line(f"unsupported({e.here()}, {i.text!r})")
