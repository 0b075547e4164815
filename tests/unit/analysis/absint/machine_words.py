"""Abstract states against machine words: straight code is run on bits, and the state behind it has to contain that run.

Views of registers are chosen by the test, not by the analysis: any choice has to be correct.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from unittest.mock import patch

from hypothesis import strategies as st

from clew.analysis.absint.domain import Abstract
from clew.analysis.absint.domains import make_domain
from clew.analysis.absint.frames import FlowNode, Reach, Supergraph, supergraph
from clew.analysis.absint.linear import Constraint, Linear, at_least, at_most, equal
from clew.analysis.absint.transfer import Transfer
from clew.analysis.absint.variables import Held
from clew.analysis.callees import Callees
from clew.analysis.mod_ref import ModRef
from clew.models.registry import all_models
from clew.program import instructions as ir
from clew.program.types import IntType
from clew.program.values import ConstInt, ConstZero, GlobalRef, Register, Value
from unit.execute.support import llvm

WIDTHS = (1, 4, 8, 32)
Bits = dict[str, int]
"""Unsigned, by register; of a struct, the parts are ``name.0`` and ``name.1``."""


class UndefinedError(Exception):
    """The code divides by zero, or shifts too far."""


def signed_value(bits: int, width: int) -> int:
    return bits - (1 << width) if bits >> (width - 1) else bits


class ForcedViews:
    """Stands in for ``Views``: these registers are signed, and no others."""

    def __init__(self, signed: frozenset[str]) -> None:
        self._signed = signed

    def is_signed(self, register: str) -> bool:
        return register in self._signed


@dataclass(frozen=True)
class Code:
    """A function ``f``, ready for states to be taken through it."""

    graph: Supergraph
    transfer: Transfer

    def node(self, block: str = "entry") -> FlowNode:
        return self.graph.nodes[self.graph.starts[0, block]]

    def top(self, domain: str) -> Abstract:
        return make_domain(domain, self.transfer.numbers.range).top()

    def valuation(self, bits: Mapping[str, int]) -> dict[Held, int]:
        """Registers as numbers, each in its view."""
        numbers = self.transfer.numbers
        found = {}
        for name, value in bits.items():
            if numbers.is_held(0, name):
                held = Held(0, name)
                width = numbers.width(held)
                is_signed = numbers.is_signed(held) and width > 1
                found[held] = signed_value(value, width) if is_signed else value
        return found


def code(text: str, signed: Iterable[str]) -> Code:
    return _code(text, frozenset(signed))


@cache
def _code(text: str, signed: frozenset[str]) -> Code:
    program = llvm(text)
    effects = ModRef(program, Callees(program, all_models()))
    graph = supergraph(effects, "f", (), Reach())
    with patch("clew.analysis.absint.numbers.Views", lambda function, ctypes: ForcedViews(signed)):
        transfer = Transfer(graph, effects, lambda *_: frozenset())
    return Code(graph, transfer)


# Running on bits


def operand(bits: Bits, value: Value) -> int:
    match value:
        case Register(name=name):
            return bits[name]
        case ConstInt(value=number):
            return number
        case ConstZero():
            return 0
    raise AssertionError(value)


def binary(op: str, width: int, a: int, b: int) -> int:
    x, y = signed_value(a, width), signed_value(b, width)
    if op in ("udiv", "sdiv", "urem", "srem") and (b == 0 or (op[0] == "s" and y == -1 and x == -1 << (width - 1))):
        raise UndefinedError
    if op in ("shl", "lshr", "ashr") and b >= width:
        raise UndefinedError
    if op in ("sdiv", "srem"):
        quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
        return (quotient if op == "sdiv" else x - quotient * y) % (1 << width)
    results = {
        "add": lambda: a + b, "sub": lambda: a - b, "mul": lambda: a * b, "shl": lambda: a << b, "lshr": lambda: a >> b,
        "ashr": lambda: x >> b, "udiv": lambda: a // b, "urem": lambda: a % b, "and": lambda: a & b,
        "or": lambda: a | b, "xor": lambda: a ^ b,
    }  # fmt: skip
    return results[op]() % (1 << width)


def compare(predicate: str, width: int, a: int, b: int) -> bool:
    if predicate in ("eq", "ne"):
        return (a == b) == (predicate == "eq")
    x, y = (signed_value(a, width), signed_value(b, width)) if predicate[0] == "s" else (a, b)
    return {"lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}[predicate[1:]]


def overflows(what: str, width: int, a: int, b: int) -> bool:
    """Whether ``sadd`` or one of its kin tells of overflow."""
    x, y = (signed_value(a, width), signed_value(b, width)) if what[0] == "s" else (a, b)
    exact = {"add": x + y, "sub": x - y, "mul": x * y}[what[1:]]
    least, greatest = (-1 << (width - 1), (1 << (width - 1)) - 1) if what[0] == "s" else (0, (1 << width) - 1)
    return not least <= exact <= greatest


def _width(value: Value) -> int:
    assert isinstance(value.type, IntType)
    return value.type.width


def run(node: FlowNode, given: Mapping[str, int]) -> Bits:
    """All registers behind the instructions of a node."""
    bits = dict(given)
    for i in node.block.instructions[node.first : node.stop]:
        name = i.result.name if i.result is not None else ""
        match i:
            case ir.Binary(op=op, left=left, right=right):
                bits[name] = binary(op, _width(left), operand(bits, left), operand(bits, right))
            case ir.Compare(predicate=predicate, left=left, right=right):
                bits[name] = compare(predicate, _width(left), operand(bits, left), operand(bits, right))
            case ir.Cast(op=op, operand=value, result=Register(type=IntType(width=width))):
                number = operand(bits, value)
                bits[name] = (signed_value(number, _width(value)) if op == "sext" else number) % (1 << width)
            case ir.Select(condition=condition, if_true=yes, if_false=no):
                bits[name] = operand(bits, yes if operand(bits, condition) else no)
            case ir.Freeze(operand=value):
                bits[name] = operand(bits, value)
            case ir.Call(callee=GlobalRef(name=callee), arguments=arguments):
                a, b = (operand(bits, argument.value) for argument in arguments)
                what, width = callee.split(".")[1], _width(arguments[0].value)
                bits[f"{name}.0"] = binary(what[1:], width, a, b)
                bits[f"{name}.1"] = overflows(what, width, a, b)
            case ir.ExtractValue(aggregate=Register(name=whole), indices=(index,)):
                bits[name] = bits[f"{whole}.{index}"]
            case _:
                assert isinstance(i, ir.Terminator)
    return {register: int(value) for register, value in bits.items()}


def goes_to(node: FlowNode, bits: Bits) -> str:
    """The successor that a node's terminator chooses."""
    match node.block.terminator:
        case ir.Branch(condition=condition, if_true=yes, if_false=no):
            return yes if operand(bits, condition) else no
        case ir.Switch(value=value, default=default, cases=cases):
            number = operand(bits, value)
            return next((to for case, to in cases if case % (1 << _width(value)) == number), default)
    raise AssertionError(node.block.terminator)


# Asking


def must_contain(state: Abstract, valuation: Mapping[Held, int]) -> None:
    """Fail if a state says that something which happens does not."""
    assert not state.is_bottom, valuation
    for constraint in state.constraints():
        if all(variable in valuation for variable in constraint.variables):
            assert constraint.holds(valuation), (constraint, valuation)
    for held, number in valuation.items():
        low, high = state.bounds(Linear.of(held))
        assert (low is None or low <= number) and (high is None or number <= high), (held, low, high, number)
    pinned = state.assume([equal(Linear.of(held), number) for held, number in valuation.items()])
    assert not pinned.is_bottom, valuation


# Drawing

DOMAINS = st.sampled_from(("polyhedra", "polyhedra", "octagons", "intervals"))


def words(width: int) -> st.SearchStrategy[int]:
    half, top = 1 << (width - 1), (1 << width) - 1
    corners = {value & top for value in (0, 1, 2, 3, 7, half - 2, half - 1, half, half + 1, top - 1, top)}
    return st.sampled_from(sorted(corners)) | st.integers(0, top)


SLACK = st.sampled_from((None, 0, 0, 1, 2, 5))


@st.composite
def knowledge(draw: st.DrawFn, valuation: Mapping[Held, int]) -> list[Constraint]:
    """Constraints that a valuation satisfies: a box, and relations between two variables."""
    found: list[Constraint] = []
    for held, number in valuation.items():
        below, above = draw(SLACK), draw(SLACK)
        found += [] if below is None else [at_least(Linear.of(held), number - below)]
        found += [] if above is None else [at_most(Linear.of(held), number + above)]
    variables = list(valuation)
    for _ in range(draw(st.integers(0, 2)) if len(variables) > 1 else 0):
        one, other = draw(st.permutations(variables))[:2]
        left = Linear.of(one, draw(st.sampled_from((1, 1, -1, 2)))) + Linear.of(other, draw(st.sampled_from((1, -1))))
        slack = draw(SLACK)
        if slack is not None:
            found.append(at_least(left, left.value(valuation) - slack))
    return found
