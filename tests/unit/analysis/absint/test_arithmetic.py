"""Integer operations on abstract states: laws against machine words, and how exact they are where that can be said."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from clew.analysis.absint.linear import Constraint, Linear, at_least, at_most, equal
from clew.analysis.absint.variables import Held
from depth import examples
from unit.analysis.absint.machine_words import (
    DOMAINS,
    WIDTHS,
    Bits,
    Code,
    UndefinedError,
    code,
    knowledge,
    must_contain,
    run,
    words,
)

A, B, R = Linear.of(Held(0, "a")), Linear.of(Held(0, "b")), Linear.of(Held(0, "r"))
BINARY = ("add", "sub", "mul", "shl", "lshr", "ashr", "udiv", "sdiv", "urem", "srem", "and", "or", "xor")


def function(body: str, *parameters: str) -> str:
    return f"define void @f({', '.join(parameters)}) {{\nentry:\n{body}\nret void\n}}\n"


def behind(known: Code, bits: Bits, domain: str, facts: list[Constraint]) -> None:
    """Take a state that is true of the parameters through the code: it stays true."""
    try:
        after = run(known.node(), bits)
    except UndefinedError:
        assume(False)
    state = known.top(domain).assume(facts)
    must_contain(state, known.valuation(bits))
    must_contain(known.transfer.after(state, known.node()), known.valuation(after))


@pytest.mark.slow
@pytest.mark.parametrize("op", BINARY)
@settings(max_examples=examples(25))
@given(data=st.data())
def test_operations_contain_what_the_machine_computes(op: str, data: st.DataObject) -> None:
    width = data.draw(st.sampled_from(WIDTHS), "width")
    a, b = data.draw(words(width), "a"), data.draw(words(width), "b")
    if op in ("shl", "lshr", "ashr"):
        b %= width
    shape = data.draw(st.sampled_from(("both", "right", "right", "left")), "constants")
    left, right = ("%a" if shape != "left" else str(a)), ("%b" if shape != "right" else str(b))
    text = function(f"%r = {op} i{width} {left}, {right}", f"i{width} %a", f"i{width} %b")
    known = code(text, data.draw(st.sets(st.sampled_from("abr")), "signed"))
    bits = {"a": a, "b": b}
    behind(known, bits, data.draw(DOMAINS), data.draw(knowledge(known.valuation(bits))))


@pytest.mark.parametrize("op", ["trunc", "zext", "sext"])
@settings(max_examples=examples(25))
@given(data=st.data())
def test_conversions_contain_what_the_machine_computes(op: str, data: st.DataObject) -> None:
    narrow, wide = sorted(data.draw(st.lists(st.sampled_from(WIDTHS), min_size=2, max_size=2, unique=True)))
    source, target = (wide, narrow) if op == "trunc" else (narrow, wide)
    a = data.draw(words(source), "a")
    text = function(f"%r = {op} i{source} %a to i{target}", f"i{source} %a", "i8 %b")
    known = code(text, data.draw(st.sets(st.sampled_from("abr")), "signed"))
    bits = {"a": a, "b": data.draw(words(8), "b")}
    behind(known, bits, data.draw(DOMAINS), data.draw(knowledge(known.valuation(bits))))


@settings(max_examples=examples(60))
@given(data=st.data())
def test_selects_and_copies_contain_what_the_machine_computes(data: st.DataObject) -> None:
    width = data.draw(st.sampled_from(WIDTHS), "width")
    predicate = data.draw(st.sampled_from(("eq", "ne", "slt", "sge", "ugt", "ule")))
    chosen = data.draw(st.permutations(("%a", "%b", str(data.draw(words(width))))))
    body = f"""
    %c = icmp {predicate} i{width} %a, %b
    %r = select i1 %c, i{width} {chosen[0]}, i{width} {chosen[1]}
    %s = select i1 %c, i{width} %r, i{width} {chosen[2]}
    %t = freeze i{width} %s
    %u = select i1 %d, i{width} %r, i{width} %t
    """
    known = code(
        function(body, f"i{width} %a", f"i{width} %b", "i1 %d"), data.draw(st.sets(st.sampled_from("abrstu")), "signed")
    )
    bits = {"a": data.draw(words(width), "a"), "b": data.draw(words(width), "b"), "d": data.draw(words(1), "d")}
    behind(known, bits, data.draw(DOMAINS), data.draw(knowledge(known.valuation(bits))))


@pytest.mark.parametrize("what", ["sadd", "uadd", "ssub", "usub", "smul", "umul"])
@settings(max_examples=examples(15))
@given(data=st.data())
def test_results_of_operations_that_tell_of_overflow(what: str, data: st.DataObject) -> None:
    width = data.draw(st.sampled_from(WIDTHS[1:]), "width")
    body = f"""
    %p = call {{ i{width}, i1 }} @llvm.{what}.with.overflow.i{width}(i{width} %a, i{width} %b)
    %r = extractvalue {{ i{width}, i1 }} %p, 0
    %o = extractvalue {{ i{width}, i1 }} %p, 1
    """
    text = (
        f"declare {{ i{width}, i1 }} @llvm.{what}.with.overflow.i{width}(i{width}, i{width})\n"
        + function(body, f"i{width} %a", f"i{width} %b")
    )  # fmt: skip
    known = code(text, data.draw(st.sets(st.sampled_from("abr")), "signed"))
    bits = {"a": data.draw(words(width), "a"), "b": data.draw(words(width), "b")}
    behind(known, bits, data.draw(DOMAINS), data.draw(knowledge(known.valuation(bits))))


# Exactness

X = "i32 %a", "i32 %b"
LOW, HIGH = -(1 << 31), (1 << 31) - 1


def between(linear: Linear, low: int, high: int) -> list[Constraint]:
    return [at_least(linear, low), at_most(linear, high)]


SMALL = [*between(A, -100, 100), *between(B, -100, 100)]


@pytest.mark.parametrize(
    ("body", "signed", "facts", "follows"),
    [
        ("%r = add i32 %a, %b", "abr", SMALL, [equal(R, A + B)]),
        ("%r = sub i32 %a, %b", "abr", SMALL, [equal(R, A - B)]),
        ("%r = sub i32 7, %a", "abr", SMALL, [equal(R, -A + 7)]),
        ("%r = add i32 %a, -1", "", between(A, 1, 9), [equal(R, A - 1)]),
        ("%r = mul i32 %a, 3", "abr", SMALL, [equal(R, A * 3)]),
        ("%r = mul i32 %a, %b", "abr", [*SMALL, equal(B, -5)], [equal(R, A * -5)]),
        ("%r = mul i32 %a, %b", "abr", SMALL, between(R, -10000, 10000)),
        ("%r = shl i32 %a, 4", "abr", SMALL, [equal(R, A * 16)]),
        ("%r = sdiv i32 %a, 2", "abr", between(A, 0, 100), [at_most(R * 2, A), at_least(R * 2, A - 1)]),
        ("%r = sdiv i32 %a, 2", "abr", between(A, -100, 0), [at_most(R * 2, A + 1), at_least(R * 2, A)]),
        ("%r = ashr i32 %a, 1", "abr", SMALL, [at_most(R * 2, A), at_least(R * 2, A - 1)]),
        ("%r = udiv i32 %a, 10", "", [], [at_most(R * 10, A), at_least(R * 10, A - 9)]),
        ("%r = sdiv i32 %a, %b", "abr", between(A, 0, 9), between(R, -9, 9)),
        ("%r = urem i32 %a, 10", "", [], [*between(R, 0, 9), at_most(R, A)]),
        ("%r = srem i32 %a, 10", "abr", [], between(R, -9, 9)),
        ("%r = srem i32 %a, 10", "abr", between(A, 3, 7), [equal(R, A)]),
        ("%r = urem i32 %a, %b", "", between(A, 0, 7), between(R, 0, 7)),
        ("%r = and i32 %a, 15", "abr", [], between(R, 0, 15)),
        ("%r = and i32 %a, 15", "abr", between(A, 0, 12), [equal(R, A)]),
        ("%r = or i32 %a, %b", "", [*between(A, 2, 5), *between(B, 0, 5)], [*between(R, 2, 7), at_least(R, B)]),
        ("%r = xor i32 %a, %b", "", [*between(A, 2, 5), *between(B, 0, 5)], [*between(R, 0, 7), at_most(R, A + B)]),
        ("%r = xor i32 %a, -1", "abr", [], [equal(R, -A - 1)]),
        ("%r = trunc i32 %a to i8", "abr", between(A, -128, 127), [equal(R, A)]),
        ("%r = trunc i32 %a to i8", "abr", between(A, 256, 300), [equal(R, A - 256)]),
        ("%r = zext i32 %a to i64", "", [], [equal(R, A)]),
        ("%r = zext i32 %a to i64", "abr", between(A, LOW, -1), [equal(R, A + (1 << 32))]),
        ("%r = zext i32 %a to i64", "abr", [], between(R, 0, (1 << 32) - 1)),
        ("%r = sext i32 %a to i64", "abr", [], [equal(R, A)]),
        ("%r = sext i32 %a to i64", "br", [], between(R, LOW, HIGH)),
        ("%r = freeze i32 %a", "abr", [], [equal(R, A)]),
        ("%c = icmp slt i32 %a, %b\n%r = select i1 %c, i32 %a, i32 %b", "abr", [], [at_most(R, A), at_most(R, B)]),
    ],
)
def test_results_are_as_exact_as_can_be_said(
    body: str, signed: str, facts: list[Constraint], follows: list[Constraint]
) -> None:
    known = code(function(body, *X), signed)
    state = known.transfer.after(known.top("polyhedra").assume(facts), known.node())
    assert [constraint for constraint in follows if not state.entails(constraint)] == []


@pytest.mark.parametrize(
    ("body", "signed", "facts"),
    [
        ("%r = add i32 %a, 1", "abr", []),
        ("%r = sub i32 %a, 1", "", []),
        ("%r = mul i32 %a, 2", "abr", [at_least(A, 0)]),
        ("%r = shl i32 %a, 1", "", []),
        ("%r = trunc i32 %a to i8", "abr", between(A, 0, 256)),
    ],
)
def test_a_result_that_may_wrap_is_forgotten(body: str, signed: str, facts: list[Constraint]) -> None:
    known = code(function(body, *X), signed)
    state = known.transfer.after(known.top("polyhedra").assume(facts), known.node())
    assert state.bounds(R) == known.transfer.numbers.range(Held(0, "r"))


def test_what_is_known_of_operands_stays_known() -> None:
    known = code(function("%r = add i32 %a, %b", *X), "abr")
    state = known.transfer.after(known.top("polyhedra").assume([equal(A, B + 3)]), known.node())
    assert state.entails(equal(A, B + 3)) and not state.is_bottom
