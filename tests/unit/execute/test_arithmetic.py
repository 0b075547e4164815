"""The texts of arithmetic: concrete and symbolic operands, checked against plain C semantics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.execute.codegen import arithmetic, floats
from clew.execute.codegen.arithmetic import OperationText
from clew.execute.helpers import helper_names
from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.sort import BOOL, F32, F64, bv
from clew.program.types import FloatKind, FloatType, IntType, Type
from depth import examples

NAMES = helper_names()
few = settings(max_examples=examples(10))
WIDTHS = (8, 16, 32, 64)
SHIFTS = ("shl", "lshr", "ashr")
BINARY = ("add", "sub", "mul", "and", "or", "xor", *SHIFTS)
PREDICATES = ("eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge")
ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
}  # fmt: skip


def signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) else value


def quotient(a: int, b: int) -> int:
    """C's division, toward zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def meaning(op: str, a: int, b: int, width: int) -> int:
    """What C computes; shifts beyond the width give what SMT says."""
    x, y = signed(a, width), signed(b, width)
    results: dict[str, Callable[[], int]] = {
        "add": lambda: a + b, "sub": lambda: a - b, "mul": lambda: a * b,
        "and": lambda: a & b, "or": lambda: a | b, "xor": lambda: a ^ b,
        "shl": lambda: a << min(b, width), "lshr": lambda: a >> min(b, width), "ashr": lambda: x >> min(b, width),
        "udiv": lambda: a // b, "urem": lambda: a % b,
        "sdiv": lambda: quotient(x, y), "srem": lambda: x - y * quotient(x, y),
    }  # fmt: skip
    return results[op]() & ((1 << width) - 1)


def compared(predicate: str, a: int, b: int, width: int) -> bool:
    if predicate[0] == "s":
        a, b = signed(a, width), signed(b, width)
    return ORDERS[predicate[-2:]](a, b)


def run(text: str, **values: Any) -> Any:
    return eval(text, {**NAMES, **values})


def symbol(name: str, width: int) -> Expr:
    made = build.symbol(name, BOOL if width == 1 else bv(width))
    assert isinstance(made, Expr)
    return made


def operands(width: int) -> st.SearchStrategy[int]:
    top = 1 << width
    edges = sorted({0, 1, 2, 3, width - 1, width, width + 1, top // 2 - 1, top // 2, top // 2 + 1, top - 2, top - 1})
    return st.sampled_from(edges) | st.integers(0, top - 1)


def check(form: OperationText, expected: Any, width: int, a: int, b: int | None = None) -> None:
    """All that a form promises, for these operand values.

    ``width`` is that of the operands ``a`` and ``b``; constant operands are part of the text.
    """
    given = {"a": a} if b is None else {"a": a, "b": b}
    texts = [form.general] + ([form.fast] if form.fast else [])
    for text in texts:
        result = run(text, **given)
        assert type(result) is type(expected)
        assert result == expected, text
    symbols = {name: symbol(name, width) for name in given}
    model = Model({symbols[name]: value for name, value in given.items()})
    for names in [("a",), ("b",), ("a", "b")]:
        mixed = {name: symbols[name] if name in names else value for name, value in given.items()}
        if not any(name in form.general for name in names if name in given) or mixed == given:
            continue
        symbolic = run(form.general, **mixed)
        found = model.eval(symbolic)
        assert type(found) is type(expected)
        assert found == expected, form.general
        if form.fast:
            check_fast(form, mixed, symbolic)


def check_fast(form: OperationText, mixed: dict[str, Any], symbolic: Any) -> None:
    """The fast text raises on a symbolic operand, unless a concrete one sends it to the general text it contains."""
    try:
        result = run(form.fast, **mixed)
    except TypeError:
        return
    assert form.general in form.fast, f"{form.fast} swallows a symbol"
    assert result is symbolic


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("op", BINARY)
@few
@given(data=st.data())
def test_binary(op: str, width: int, data: st.DataObject) -> None:
    a, b = data.draw(operands(width)), data.draw(operands(width))
    expected = meaning(op, a, b, width)
    check(arithmetic.binary(op, "a", "b", width), expected, width, a, b)
    check(arithmetic.binary(op, "a", str(b), width), expected, width, a)
    constant = arithmetic.binary(op, str(b), "a", width)
    check(constant, meaning(op, b, a, width), width, a)


@pytest.mark.parametrize("op", BINARY[:6])
def test_binary_on_single_bits(op: str) -> None:
    for a in (False, True):
        for b in (False, True):
            form = arithmetic.binary(op, "a", "b", 1)
            expected = bool(meaning(op, int(a), int(b), 1))
            assert run(form.general, a=a, b=b) is expected
            symbols = {name: symbol(name, 1) for name in "ab"}
            model = Model({symbols["a"]: a, symbols["b"]: b})
            assert model.eval(run(form.general, **symbols)) is expected
            assert model.eval(run(form.general, a=symbols["a"], b=b)) is expected


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("op", sorted(arithmetic.DIVISIONS))
@few
@given(data=st.data())
def test_division(op: str, width: int, data: st.DataObject) -> None:
    a, b = data.draw(operands(width)), data.draw(operands(width).filter(bool))
    if op[0] == "s" and (a, b) == (1 << (width - 1), (1 << width) - 1):
        b = 1
    expected = meaning(op, a, b, width)
    check(arithmetic.division(op, "a", "b", width, f"{op}(a, b, {width})"), expected, width, a, b)
    check(arithmetic.division(op, "a", str(b), width, f"{op}(a, {b}, {width})"), expected, width, a)


@pytest.mark.parametrize("op", sorted(arithmetic.DIVISIONS))
def test_what_division_leaves_to_the_engine(op: str) -> None:
    """A divisor of 0 and the signed overflow go to the general text, which checks."""
    asked: list[str] = []
    for divisor in ("b", "0"):
        form = arithmetic.division(op, "a", divisor, 32, "general()")
        assert eval(form.fast, {"a": 5, "b": 0, "general": lambda: asked.append(op)}) is None
    assert asked == [op, op]
    if op[0] == "s":
        form = arithmetic.division(op, "a", "b", 32, "general()")
        eval(form.fast, {"a": 1 << 31, "b": (1 << 32) - 1, "general": lambda: asked.append(op)})
        assert len(asked) == 3


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("predicate", PREDICATES)
@few
@given(data=st.data())
def test_comparison(predicate: str, width: int, data: st.DataObject) -> None:
    a, b = data.draw(operands(width)), data.draw(operands(width))
    expected = compared(predicate, a, b, width)
    check(arithmetic.compare(predicate, "a", "b", width), expected, width, a, b)
    against = arithmetic.compare(predicate, "a", str(b), width)
    assert run(against.general, a=a) is expected and run(against.fast, a=a) is expected
    mirrored = arithmetic.compare(predicate, str(b), "a", width)
    assert run(mirrored.general, a=a) is run(mirrored.fast, a=a) is compared(predicate, b, a, width)
    for form in (against, mirrored):
        with pytest.raises(TypeError):
            run(form.fast, a=symbol("a", width))


@pytest.mark.parametrize("predicate", PREDICATES)
def test_comparison_with_every_constant(predicate: str) -> None:
    """Exhaustive for one side: all bytes against the boundaries, as constants on either side."""
    for constant in (0, 1, 126, 127, 128, 129, 254, 255):
        right = arithmetic.compare(predicate, "a", str(constant), 8)
        left = arithmetic.compare(predicate, str(constant), "a", 8)
        for a in range(256):
            assert run(right.fast, a=a) is compared(predicate, a, constant, 8)
            assert run(left.fast, a=a) is compared(predicate, constant, a, 8)


@pytest.mark.parametrize("predicate", PREDICATES)
def test_comparison_of_single_bits(predicate: str) -> None:
    form = arithmetic.compare_bool(predicate, "a", "b")
    symbols = {name: symbol(name, 1) for name in "ab"}
    for a in (False, True):
        for b in (False, True):
            expected = compared(predicate, int(a), int(b), 1)
            assert run(form.general, a=a, b=b) is expected
            model = Model({symbols["a"]: a, symbols["b"]: b})
            for left in (a, symbols["a"]):
                for right in (b, symbols["b"]):
                    assert model.eval(run(form.general, a=left, b=right)) is expected


@pytest.mark.parametrize("wide", WIDTHS[1:])
@pytest.mark.parametrize("narrow", WIDTHS[:-1])
@few
@given(data=st.data())
def test_resizing(narrow: int, wide: int, data: st.DataObject) -> None:
    if narrow >= wide:
        return
    a, big = data.draw(operands(narrow)), data.draw(operands(wide))
    check(arithmetic.resize("zext", "a", narrow, wide), a, narrow, a)
    check(arithmetic.resize("sext", "a", narrow, wide), signed(a, narrow) & ((1 << wide) - 1), narrow, a)
    check(arithmetic.resize("trunc", "a", wide, narrow), big & ((1 << narrow) - 1), wide, big)
    check(arithmetic.resize("trunc", "a", wide, 1), bool(big & 1), wide, big)


@pytest.mark.parametrize("width", WIDTHS)
def test_extending_single_bits(width: int) -> None:
    bit = symbol("bit", 1)
    for value in (False, True):
        for op, expected in (("zext", int(value)), ("sext", ((1 << width) - 1) * value)):
            form = arithmetic.resize(op, "a", 1, width)
            assert run(form.general, a=value) == expected
            assert type(run(form.general, a=value)) is int
            assert Model({bit: value}).eval(run(form.general, a=bit)) == expected


# Floating point

FLOAT, DOUBLE = FloatType(FloatKind.FLOAT), FloatType(FloatKind.DOUBLE)
singles = st.floats(width=32, allow_nan=True)
doubles = st.floats(allow_nan=True)


def same(a: float, b: float) -> bool:
    return (a != a and b != b) or (a == b and str(a) == str(b))


@pytest.mark.parametrize("op", ("fadd", "fsub", "fmul", "fdiv"))
@few
@given(data=st.data())
def test_float_arithmetic(op: str, data: st.DataObject) -> None:
    for type, values, sort in ((FLOAT, singles, F32), (DOUBLE, doubles, F64)):
        a, b = data.draw(values), data.draw(values)
        text = floats.binary(op, "a", "b", type)
        expected = getattr(build, op)(a, b, sort)
        result = run(text, a=a, b=b)
        assert same(result, expected)
        x, y = build.symbol("x", sort), build.symbol("y", sort)
        assert isinstance(x, Expr) and isinstance(y, Expr)
        model = Model({x: a, y: b})
        assert same(model.eval(run(text, a=x, b=y)), expected)
        assert same(model.eval(run(text, a=a, b=y)), expected)
        assert same(model.eval(run(text, a=x, b=b)), expected)


def float_relation(predicate: str, a: float, b: float) -> bool:
    unordered = a != a or b != b
    if predicate in ("true", "false"):
        return predicate == "true"
    if predicate in ("ord", "uno"):
        return unordered == (predicate == "uno")
    relation = ORDERS[predicate[1:]](a, b)
    return relation and not unordered if predicate[0] == "o" else relation or unordered


@pytest.mark.parametrize("predicate", "oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true false".split())
@few
@given(a=doubles, b=doubles)
def test_float_comparison(predicate: str, a: float, b: float) -> None:
    text = floats.compare(predicate, "a", "b")
    x, y = build.symbol("x", F64), build.symbol("y", F64)
    assert isinstance(x, Expr) and isinstance(y, Expr)
    model = Model({x: a, y: b})
    expected = float_relation(predicate, a, b)
    assert run(text, a=a, b=b) is expected
    for left in (a, x):
        for right in (b, y):
            assert model.eval(run(text, a=left, b=right)) is expected


CASTS: list[tuple[str, Type, Type]] = [
    ("fptosi", DOUBLE, IntType(32)), ("fptoui", DOUBLE, IntType(64)), ("fptosi", FLOAT, IntType(8)),
    ("sitofp", IntType(32), DOUBLE), ("uitofp", IntType(64), FLOAT), ("sitofp", IntType(64), DOUBLE),
    ("fptrunc", DOUBLE, FLOAT), ("fpext", FLOAT, DOUBLE), ("bitcast", DOUBLE, IntType(64)),
    ("bitcast", IntType(32), FLOAT),
]  # fmt: skip


@pytest.mark.parametrize(("op", "source", "target"), CASTS, ids=lambda part: str(part))
@few
@given(data=st.data())
def test_float_casts_agree_on_symbols(op: str, source: Type, target: Type, data: st.DataObject) -> None:
    text = floats.cast(op, "a", source, target)
    if isinstance(source, IntType):
        value: Any = data.draw(operands(source.width))
        name = build.symbol("n", bv(source.width))
    else:
        limit = 100.0 if target == IntType(8) else 2.0**30
        plain = st.floats(0.0 if op == "fptoui" else -limit, limit, width=32)
        value = data.draw(plain if op.startswith("fpto") else singles if source == FLOAT else doubles)
        name = build.symbol("x", F32 if source == FLOAT else F64)
    assert isinstance(name, Expr)
    found = Model({name: value}).eval(run(text, a=name))
    concrete = run(text, a=value)
    assert type(found) is type(concrete)
    assert same(found, concrete) if isinstance(concrete, float) else found == concrete
    if op == "fptosi":
        assert isinstance(target, IntType)
        assert concrete == int(value) & ((1 << target.width) - 1)
    if op == "sitofp" and target == DOUBLE and isinstance(source, IntType):
        assert concrete == float(signed(value, source.width))
