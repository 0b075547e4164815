"""Decisions on symbolic values: branches, switches, checks, assumptions, values that must be concrete.

The state's model makes every decision without a solver. What it decides against becomes a pending
sibling, which the solver sees only if the search picks it.
"""

from __future__ import annotations

from typing import Any

from clew.execute.context import RunContext
from clew.execute.definedness import defined
from clew.execute.ends import BEYOND, LENGTH, AlreadyReported, Dropped, Failed, ending
from clew.execute.entropy import pinned
from clew.execute.forking import Live, fork_at
from clew.execute.frame import Frame
from clew.execute.heap.binding import known, settled
from clew.execute.sites import Decision
from clew.execute.state import State
from clew.expr import build
from clew.expr.node import Bool, Expr, as_bool
from clew.expr.sort import BOOL
from clew.expr.walk import substitute
from clew.solver.interface import Answer

NOWHERE = "a pointer in something that is not defined here: where it leads is not explored"

Targets = tuple[tuple[int, tuple[int, ...]], ...]
"""The targets of a switch: the point of the edge, and the cases that lead there."""
MAX_SWITCHES = 2_000
"""Switches on some value whose conditions are kept."""
MAX_CONCRETE = 64
"""Values tried for one symbolic quantity that has to be concrete, before the rest is given up."""


def branch(s: State, f: Frame, condition: Any, yes: int, no: int, live: Live) -> bool:
    """Decide a symbolic branch; ``yes`` and ``no`` are the points of the two edges."""
    if not isinstance(condition, Expr):
        raise TypeError(f"branch on {condition!r}")
    run = s.run
    if run.lazy:
        condition = known(s, condition)
        if not isinstance(condition, Expr):
            return bool(condition)
    if run.entropy:
        condition = pinned(s, condition)
        if not isinstance(condition, Expr):
            return bool(condition)
    negation = as_bool(build.lnot(condition))
    found = _unless_defined(s, condition) if run.undefined else None
    if found is not None:
        certain, end = found
        for edge, side in ((yes, condition), (no, negation)):
            fork_at(s, f, edge, live, build.land(certain, side))
        raise end or Failed("uninitialized", "branch depends on an uninitialized value")
    taken = bool(s.model.eval(condition))
    kept, other = (condition, negation) if taken else (negation, condition)
    s.decided += 1
    chosen, declined = (yes, no) if taken else (no, yes)
    if s.implies(kept, None, f, declined):
        for again in run.events.repeated_branch:
            again(s, kept)
        return taken
    for listener in run.events.branch:
        listener(s, f, kept)
    fork_at(s, f, declined, live, other)
    s.path = s.path.add(kept)
    s.decisions = Decision(s.decisions, f.function, chosen)
    return taken


def require_defined(
    s: State, f: Frame, point: int, live: Live, value: Expr, message: str, decides: bool = True
) -> None:
    """``value`` must not depend on values the program never defined, where it decides what happens next.

    Inputs for which it does not are a sibling that executes the instruction again. If it decides nothing, the path
    goes on where the solver leaves that open; the loss is noted.
    """
    found = _unless_defined(s, value)
    if found is not None:
        condition, end = found
        if end is not None and not decides:
            return
        fork_at(s, f, point, live, condition)
        raise end or Failed("uninitialized", message)


def _unless_defined(s: State, value: Expr) -> tuple[Bool, Dropped | None] | None:
    """None if undefined values do not matter here; else where they certainly do not, and how else the path ends.

    Setting a bit-field reads and keeps the bits around it, which may be undefined; another choice for
    them must make a difference. The state's model becomes one that shows it.
    """
    run = s.run
    loose = value.symbols & run.undefined
    if not loose or s.model_is_fixed:
        return None
    renamed = {symbol: build.symbol(f"{symbol.value}'", symbol.sort) for symbol in loose}
    other: Any = substitute(value, renamed)
    differs = build.lnot(build.iff(value, other)) if value.sort is BOOL else build.ne(value, other, value.width)
    if differs is False:
        return None
    condition, exact = defined(value, run.undefined)
    if condition is True:
        return None
    if s.implies_all(condition):
        return None
    # The condition is about what was chosen, and easy; what was computed from it may be a checksum.
    if isinstance(condition, Expr) and s.feasible(build.lnot(condition)).answer is Answer.UNSAT:
        return None
    result = s.feasible(differs)
    if result.answer is Answer.UNSAT:
        return None
    if result.answer is Answer.UNKNOWN:
        run.note_unknown(s, "uninitialized value: " + result.reason)
        return condition, Dropped()
    assert result.model is not None
    s.model = result.model
    if not exact:
        run.note_loss("bounded", "inputs for which an uninitialized value may not matter", s)
    return condition, None


def test(s: State, f: Frame, condition: Any, yes: int, no: int, live: Live) -> bool:
    """Decide a branch whose condition may or may not be symbolic."""
    return condition if isinstance(condition, bool) else branch(s, f, condition, yes, no, live)


def decided(s: State, f: Frame, point: int, live: Live, condition: Any) -> Any:
    """The condition of a conditional expression, which is no branch, but decides between values all the same."""
    if isinstance(condition, Expr) and s.run.undefined and is_use(s):
        require_defined(s, f, point, live, condition, "a choice depends on an uninitialized value")
    return condition


def is_use(s: State) -> bool:
    """Whether uses of undefined values are asked for that do not decide which way a path takes: else it goes on."""
    checks = s.run.options.checks
    return checks is None or "uninitialized" in checks


def switch(
    s: State,
    f: Frame,
    value: Any,
    width: int,
    by_target: Targets,
    default: int,
    live: Live,
) -> int:
    """Decide a symbolic switch; yields the position of the chosen target in ``by_target``."""
    run = s.run
    if run.lazy:
        value = known(s, value)
    s.decided += 1
    found = _unless_defined(s, value) if run.undefined and isinstance(value, Expr) else None
    concrete = s.model.eval(value)
    chosen = default
    for position, (_, cases) in enumerate(by_target):
        if concrete in cases:
            chosen = position
    kept: Any = True
    for position, ((point, _), hits) in enumerate(
        zip(by_target, _hits(run, value, width, by_target, default), strict=True)
    ):
        if found is not None:
            fork_at(s, f, point, live, build.land(found[0], hits))
        elif position == chosen:
            kept = hits
        elif hits is not False:
            fork_at(s, f, point, live, hits)
    if found is not None:
        raise found[1] or Failed("uninitialized", "switch depends on an uninitialized value")
    if isinstance(kept, Expr):
        for listener in run.events.branch:
            listener(s, f, kept)
        s.path = s.path.add(kept)
        s.decisions = Decision(s.decisions, f.function, by_target[chosen][0])
    return chosen


def _hits(run: RunContext, value: Any, width: int, by_target: Targets, default: int) -> list[Any]:
    """The conditions under which a switch goes to each of its targets."""
    if len(run.switches) > MAX_SWITCHES:
        run.switches.clear()
    key = (value, width, by_target, default)
    known = run.switches.get(key)
    if known is None:
        known = [build.disjunction([build.eq(value, case, width) for case in cases]) for _, cases in by_target]
        # The default's own listed cases lead there too.
        own = by_target[default][1]
        misses = [build.ne(value, case, width) for _, cases in by_target for case in cases if case not in own]
        known[default] = build.conjunction(misses)
        run.switches[key] = known
    return known


def require(s: State, f: Frame, point: int, live: Live, condition: Any, kind: str, message: str) -> None:
    """A check: ``condition`` must hold here, else the path has the bug ``kind``.

    Where both can happen the path goes on with the condition, and the failing case is a sibling
    that executes the instruction again, fails there and is reported. A failure that was reported
    before, for the same kind and place, is not looked for again.
    """
    if s.run.lazy:
        condition = known(s, condition)
    if condition is True:
        return
    if condition is False:
        raise ending(kind, message)
    negation = build.lnot(condition)
    check = s.run.check_id(kind, f, point)
    if s.implies(condition, check):
        return
    if s.extensions and s.supposes_no_errors and kind not in (BEYOND, LENGTH):
        assume(s, condition)
        return
    reported = check in s.run.reported
    if s.model.eval(condition):
        fork_at(s, f, point, live, negation, None, check, wanted=not reported)
        s.path = s.path.add(condition)
        return
    fork_at(s, f, point, live, condition)
    if reported:
        raise AlreadyReported
    s.path = s.path.add(negation)
    raise ending(kind, message)


def assume(s: State, condition: Any) -> None:
    """Go on only where ``condition`` holds. May need the solver, when the model violates it."""
    if s.run.lazy:
        condition = known(s, condition)
    if condition is True:
        return
    if condition is False:
        raise Dropped
    if not s.model.eval(condition):
        if s.model_is_fixed:
            raise Dropped
        result = s.feasible(condition)
        if result.answer is Answer.UNSAT:
            raise Dropped
        if result.answer is Answer.UNKNOWN:
            s.run.note_unknown(s, "assumption: " + result.reason)
            raise Dropped
        assert result.model is not None
        s.model = result.model
    s.path = s.path.add(condition)


def assume_quietly(s: State, f: Frame, point: int, live: Live, condition: Any, *_: Any) -> None:
    """``llvm.assume``: a promise of the compiler's; what breaks it is undefined behaviour caught elsewhere."""


def concretize(s: State, f: Frame, point: int, live: Live, value: Any, width: int) -> int:
    """A concrete value for something symbolic; other values are siblings that execute the instruction again."""
    if not isinstance(value, Expr):
        return int(value)
    run = s.run
    if run.lazy:
        value = settled(s, f, point, live, value)
        if not isinstance(value, Expr):
            return int(value)
    if run.undefined:
        require_defined(s, f, point, live, value, "an uninitialized value decides an address or a size")
    concrete = int(s.model.eval(value))
    kept = build.eq(value, concrete, width)
    if isinstance(kept, Expr) and not s.implies(kept):
        if _tries(s, f, point) < MAX_CONCRETE:
            fork_at(s, f, point, live, build.ne(value, concrete, width))
        else:
            run.note_loss("bounded", f"more than {MAX_CONCRETE} values of a symbolic size, address or index", s)
        s.path = s.path.add(kept)
    return concrete


def _tries(s: State, f: Frame, point: int) -> int:
    """How often the path has just come back to this instruction, each time for another value."""
    count, last = 0, s.decisions
    while last is not None and last.choice == point and last.function is f.function and count < MAX_CONCRETE:
        count, last = count + 1, last.previous
    return count


def divide(s: State, f: Frame, point: int, live: Live, operation: Any, a: Any, b: Any, width: int) -> Any:
    """A division: the divisor must not be 0, and the most negative number not be divided by -1."""
    require(s, f, point, live, build.ne(b, 0, width), "division-by-zero", "division by zero")
    if operation in (build.sdiv, build.srem):
        lowest, minus_one = 1 << (width - 1), (1 << width) - 1
        fine = build.lor(build.ne(a, lowest, width), build.ne(b, minus_one, width))
        require(s, f, point, live, fine, "signed-overflow", "division of the most negative number by -1")
    return operation(a, b, width)


def jump_target(s: State, f: Frame, point: int, live: Live, address: Any, positions: dict[int, int]) -> int:
    """The target of a computed goto."""
    where = concretize(s, f, point, live, address, s.run.pointer_bits)
    if where not in positions:
        raise Failed("other", "computed goto to something that is no label of the list")
    return positions[where]
