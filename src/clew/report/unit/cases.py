"""One test as the body of a C function: the memory, the call, and what was seen of it.

What was seen is the behaviour of the code as it is, right or wrong: such tests notice when it changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from clew.base.dataclass import dataclass
from clew.report.callplan import CallPlan, Signature, Slot
from clew.report.csyntax import c_string, c_value, declared, literal
from clew.report.lines import some
from clew.report.records import BranchId, Test
from clew.report.unit.callbacks import Callbacks
from clew.report.unit.not_in_c import NotInCError
from clew.report.unit.objects import Objects
from clew.report.values import Behaviour, InputValue

_MOST_SHOWN = 4
"""Branches that a comment names."""


Outcome = tuple[str, int, str]
"""File, line, and which way a branch goes there."""


@dataclass(frozen=True, slots=True)
class Case:
    """A test in C."""

    name: str
    covers: str
    """What it is the first to cover, for a comment."""
    callbacks: tuple[str, ...]
    """Definitions of the functions that it passes."""
    arrange: tuple[str, ...]
    call: str
    checks: tuple[str, ...]
    """Conditions that hold after the call."""
    bug: str = ""
    """What goes wrong in it: then it is not to be run."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The function that is tested."""

    name: str
    signature: Signature
    plan: CallPlan


def cases_of(
    subject: Subject, tests: Sequence[Test], places: Mapping[BranchId, Outcome]
) -> tuple[list[Case], list[str]]:
    """All that can be told in C, in an order that depends on the tests alone, and why others cannot."""
    cases: list[Case] = []
    left_out: list[str] = []
    seen: set[BranchId] = set()
    for test in sorted(tests, key=_order):
        if test.error is None and test.reason != "path" and test.covers and test.covers <= seen:
            continue  # smaller ones do what it does
        try:
            cases.append(_case(subject, test, len(cases) + 1, _covered(test.covers - seen, places)))
            seen |= test.covers
        except NotInCError as why:
            left_out.append(str(why))
    return cases, left_out


def _order(test: Test) -> tuple[object, ...]:
    """Those with bugs last; small ones first."""
    inputs = [repr(value.to_json()) for value in test.inputs]
    return test.error is not None, len(inputs), sum(map(len, inputs)), inputs


def _case(subject: Subject, test: Test, number: int, covers: str) -> Case:
    others = [value for value in test.inputs if not value.in_heap and value.kind != "parameter"]
    if others:
        raise NotInCError(_needs(others[0]))
    if _reads_addresses(test.inputs):
        raise NotInCError("addresses that are read as bytes")
    behaviour = test.behaviour
    if behaviour is None and test.error is None:
        raise NotInCError("a call that does not return")
    behaviour = behaviour or Behaviour()
    if behaviour.varies:
        raise NotInCError("addresses, which are others in each run")
    name = f"{subject.name}_{number}"
    callbacks = Callbacks(test.inputs, name, subject.signature)
    objects = Objects(test.inputs, behaviour.freed, (subject.name,), callbacks, subject.signature.visible)
    definitions = callbacks.definitions()
    arrange = [*objects.lines(), *callbacks.arrange({n: v.address for n, v in objects.variables.items()})]
    arguments = [_argument(*slot, test.inputs, objects, arrange) for slot in _slots(subject)]
    call = f"{subject.name}({', '.join(arguments)})"
    checks = [
        *_result_checks(objects, behaviour, subject), *objects.checks(behaviour.changed), *callbacks.checks()
    ]  # fmt: skip
    if behaviour.result is not None and checks:
        call = f"{declared(subject.signature.result, 'result')} = {call}"
    bug = "" if test.error is None else _bug(test)
    return Case(name, covers, tuple(definitions), tuple(arrange), f"{call};", tuple(checks), bug)


def _reads_addresses(inputs: Sequence[InputValue]) -> bool:
    """Whether a pointer to characters leads to where pointers are: what is there differs from run to run."""
    holding = {value.at.object for value in inputs if value.kind == "cell" and value.points and value.at is not None}
    texts = (value.points for value in inputs if value.points and value.type.endswith("char *"))
    return any(points.kind == "object" and points.which in holding for points in texts)


def _needs(value: InputValue) -> str:
    if value.kind == "made-up":
        return f"what {value.name} does, which nobody defines"
    return f"the input {value.name}, which the function reads by itself"


def _slots(subject: Subject) -> list[tuple[Slot, str, bool]]:
    """What goes into each parameter, its type, and whether that is a struct."""
    plan, types = subject.plan.parameters, subject.signature.parameters
    if len(plan) != len(types):
        raise NotInCError("a struct that is passed in pieces")
    return list(zip(plan, types, subject.signature.records, strict=True))


def _argument(
    slot: Slot, type: str, record: bool, inputs: Sequence[InputValue], objects: Objects, arrange: list[str]
) -> str:
    if slot.type == "ptr":
        pointers = [value for value in inputs if value.kind == "pointer"]
        points = pointers[slot.pointer].points
        return "NULL" if points is None else objects.pointer(points, type)
    if slot.type == "bytes":
        variable = objects.variables[slot.given]
        if variable.raw:
            raise NotInCError("a struct without a name that is passed by value")
        return variable.whole
    given = [value for value in inputs if value.kind == "parameter"]
    if record:
        pieces = given[slot.input : slot.input + slot.count]
        if any(piece.points is not None for piece in pieces):
            raise NotInCError("a struct with pointers that is passed in registers")
        name = f"value_{slot.input + 1}"
        arrange.append(f"{type} {name};")
        arrange.append(f"memcpy(&{name}, {literal(b''.join(piece.to_bytes() for piece in pieces))}, sizeof {name});")
        return name
    value = given[slot.input]
    if value.points is not None:
        raise NotInCError("a number that is a pointer")
    return c_value(value)


def _result_checks(objects: Objects, behaviour: Behaviour, subject: Subject) -> Iterator[str]:
    result = behaviour.result
    if result is None or "(" in subject.signature.result:
        return
    if behaviour.text is not None and result.points is not None and result.points.kind != "object":
        yield f"strcmp({'(const char *)' * ('unsigned' in result.type)}result, {c_string(behaviour.text)}) == 0"
    else:
        yield from objects.same("result", result)


def _covered(new: frozenset[BranchId], places: Mapping[BranchId, Outcome]) -> str:
    found = sorted({places[branch] for branch in new if branch in places})
    return some([f"{file}:{line} {outcome}" for file, line, outcome in found], _MOST_SHOWN)


def _bug(test: Test) -> str:
    assert test.error is not None
    place = f" at {test.error.location}" if test.error.location else ""
    return f"{test.error.kind}{place}: {test.error.message}"
