"""What branches say about states: laws against machine words on random conditions, and how much is understood."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from clew.analysis.absint.domain import Abstract
from clew.analysis.absint.linear import Constraint, Linear, at_least, at_most, equal
from clew.analysis.absint.variables import Held
from depth import examples
from unit.analysis.absint.analysed import invariants
from unit.analysis.absint.machine_words import (
    DOMAINS,
    WIDTHS,
    Code,
    UndefinedError,
    code,
    goes_to,
    knowledge,
    must_contain,
    run,
    words,
)

A, B, C, R = (Linear.of(Held(0, name)) for name in "abcr")
PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


def branching(body: str, *parameters: str, condition: str = "%c") -> str:
    return f"""
    define void @f({", ".join(parameters)}) {{
    entry:
    {body}
    br i1 {condition}, label %yes, label %no
    yes:
    ret void
    no:
    ret void
    }}
    """


def must_be_contained(data: st.DataObject, known: Code, bits: dict[str, int]) -> None:
    """The way that the machine takes is one that the state allows."""
    try:
        after = run(known.node(), bits)
    except UndefinedError:
        assume(False)
    state = known.top(data.draw(DOMAINS, "domain")).assume(data.draw(knowledge(known.valuation(bits)), "known"))
    state = known.transfer.after(state, known.node())
    must_contain(known.transfer.chosen(state, known.node(), goes_to(known.node(), after)), known.valuation(after))


@pytest.mark.parametrize("predicate", PREDICATES)
@settings(max_examples=examples(30))
@given(data=st.data())
def test_comparisons_contain_the_way_the_machine_takes(predicate: str, data: st.DataObject) -> None:
    width = data.draw(st.sampled_from(WIDTHS), "width")
    bits = {"a": data.draw(words(width), "a"), "b": data.draw(words(width), "b")}
    constant = str(data.draw(words(width), "constant"))
    left, right = data.draw(st.sampled_from((("%a", "%b"), ("%a", constant), (constant, "%b"))))
    text = branching(f"%c = icmp {predicate} i{width} {left}, {right}", f"i{width} %a", f"i{width} %b")
    must_be_contained(data, code(text, data.draw(st.sets(st.sampled_from("ab")), "signed")), bits)


@st.composite
def conditions(draw: st.DrawFn, width: int) -> str:
    """Code that computes ``%c`` from ``%a``, ``%b`` and a flag ``%f``, step by step."""
    lines: list[str] = []
    flags = ["%f"]
    for number in range(draw(st.integers(1, 6))):
        new = f"%c{number}"
        one, other = draw(st.sampled_from(flags)), draw(st.sampled_from(flags))
        match draw(st.sampled_from(("compare", "compare", "not", "and", "or", "select", "widened", "freeze"))):
            case "compare":
                right = draw(st.sampled_from(("%b", "%b", str(draw(words(width))))))
                lines.append(f"{new} = icmp {draw(st.sampled_from(PREDICATES))} i{width} %a, {right}")
            case "not":
                lines.append(f"{new} = xor i1 {one}, true")
            case "and" | "or" as op:
                lines.append(f"{new} = {op} i1 {one}, {other}")
            case "select":
                third = draw(st.sampled_from((*flags, "true", "false")))
                lines.append(f"{new} = select i1 {one}, i1 {other}, i1 {third}")
            case "widened":
                op, predicate = draw(st.sampled_from(("zext", "sext"))), draw(st.sampled_from(PREDICATES))
                lines.append(f"%w{number} = {op} i1 {one} to i8")
                lines.append(f"{new} = icmp {predicate} i8 %w{number}, {draw(st.sampled_from((0, 1, 255)))}")
            case "freeze":
                lines.append(f"{new} = freeze i1 {one}")
        flags.append(new)
    return "\n".join((*lines, f"%c = freeze i1 {flags[-1]}"))


@settings(max_examples=examples(120))
@given(data=st.data())
def test_conditions_contain_the_way_the_machine_takes(data: st.DataObject) -> None:
    width = data.draw(st.sampled_from(WIDTHS[1:]), "width")
    body = data.draw(conditions(width), "code")
    text = branching(body, f"i{width} %a", f"i{width} %b", "i1 %f")
    known = code(text, data.draw(st.sets(st.sampled_from("ab")), "signed"))
    bits = {name: data.draw(words(1 if name == "f" else width), name) for name in "abf"}
    must_be_contained(data, known, bits)


def overflowing(what: str, width: int) -> str:
    body = f"""
    %p = call {{ i{width}, i1 }} @llvm.{what}.with.overflow.i{width}(i{width} %a, i{width} %b)
    %r = extractvalue {{ i{width}, i1 }} %p, 0
    %c = extractvalue {{ i{width}, i1 }} %p, 1
    """
    declaration = f"declare {{ i{width}, i1 }} @llvm.{what}.with.overflow.i{width}(i{width}, i{width})\n"
    return declaration + branching(body, f"i{width} %a", f"i{width} %b")


@pytest.mark.parametrize("what", ["sadd", "uadd", "ssub", "usub", "smul", "umul"])
@settings(max_examples=examples(25))
@given(data=st.data())
def test_overflow_that_is_told_or_not(what: str, data: st.DataObject) -> None:
    width = data.draw(st.sampled_from(WIDTHS[1:]), "width")
    bits = {"a": data.draw(words(width), "a"), "b": data.draw(words(width), "b")}
    must_be_contained(data, code(overflowing(what, width), data.draw(st.sets(st.sampled_from("abr")), "signed")), bits)


@settings(max_examples=examples(80))
@given(data=st.data())
def test_switches_contain_the_way_the_machine_takes(data: st.DataObject) -> None:
    width = data.draw(st.sampled_from(WIDTHS), "width")
    a = data.draw(words(width), "a")
    near = words(width) | st.integers(-2, 2).map(lambda by: (a + by) % (1 << width))
    numbers = data.draw(st.lists(near, unique=True, max_size=5), "cases")
    cases = " ".join(f"i{width} {n}, label %{data.draw(st.sampled_from(('one', 'two', 'other')))}" for n in numbers)
    text = f"""
    define void @f(i{width} %a, i{width} %b) {{
    entry:
    switch i{width} %a, label %other [ {cases} ]
    one:
    ret void
    two:
    ret void
    other:
    ret void
    }}
    """
    known = code(text, data.draw(st.sets(st.sampled_from("ab")), "signed"))
    must_be_contained(data, known, {"a": a, "b": data.draw(words(width), "b")})


# How much is understood


def ways(body: str, signed: str, facts: Sequence[Constraint] = (), width: int = 32) -> tuple[Abstract, Abstract]:
    known = code(branching(body, f"i{width} %a", f"i{width} %b"), signed)
    state = known.transfer.after(known.top("polyhedra").assume(facts), known.node())
    yes, no = (known.transfer.chosen(state, known.node(), target) for target in ("yes", "no"))
    return yes, no


@pytest.mark.parametrize(
    ("body", "signed", "if_true", "if_false"),
    [
        ("%c = icmp slt i32 %a, %b", "ab", at_most(A, B - 1), at_least(A, B)),
        ("%c = icmp sge i32 7, %b", "ab", at_most(B, 7), at_least(B, 8)),
        ("%c = icmp ule i32 %a, %b", "", at_most(A, B), at_least(A, B + 1)),
        ("%c = icmp ult i32 %a, 10", "ab", at_least(A, 0), None),
        ("%c = icmp ult i32 %a, 10", "ab", at_most(A, 9), None),
        ("%c = icmp eq i32 %a, %b", "ab", equal(A, B), None),
        ("%c = icmp ne i32 %a, 0", "", at_least(A, 1), equal(A, 0)),
        ("%d = icmp slt i32 %a, 5\n%c = xor i1 %d, true", "ab", at_least(A, 5), at_most(A, 4)),
        ("%d = icmp sgt i32 %a, 5\n%e = icmp sgt i32 %b, 6\n%c = and i1 %d, %e", "ab", at_least(A + B, 13), None),
        ("%d = icmp sgt i32 %a, 5\n%e = icmp sgt i32 %a, 9\n%c = or i1 %d, %e", "ab", at_least(A, 6), at_most(A, 5)),
        ("%d = icmp sgt i32 %a, 5\n%c = select i1 %d, i1 true, i1 false", "ab", at_least(A, 6), at_most(A, 5)),
        ("%d = icmp sgt i32 %a, 5\n%e = zext i1 %d to i8\n%c = icmp ne i8 %e, 0", "ab", at_least(A, 6), at_most(A, 5)),
        ("%d = icmp sgt i32 %a, 5\n%e = zext i1 %d to i8\n%c = icmp eq i8 %e, 1", "ab", at_least(A, 6), at_most(A, 5)),
        ("%c = icmp eq i32 %a, %a", "ab", None, Constraint(Linear.number(-1))),
    ],
)  # fmt: skip
def test_both_outcomes_of_a_condition(
    body: str, signed: str, if_true: Constraint | None, if_false: Constraint | None
) -> None:
    yes, no = ways(body, signed)
    assert if_true is None or yes.entails(if_true)
    assert if_false is None or no.entails(if_false)


@pytest.mark.parametrize("read", ["%z = zext i1 %c to i32", "%z = xor i1 %c, true"])
def test_the_condition_itself_is_known_where_it_is_read_once_more(read: str) -> None:
    text = branching("%c = icmp slt i32 %a, %b", "i32 %a", "i32 %b")
    known = code(text.replace("yes:\n", f"yes:\n{read}\n"), "ab")
    state = known.transfer.after(known.top("polyhedra"), known.node())
    assert known.transfer.chosen(state, known.node(), "yes").entails(equal(C, 1))
    assert known.transfer.chosen(state, known.node(), "no").entails(equal(C, 0))


def test_a_condition_that_merges_with_others_is_known() -> None:
    text = branching("%c = icmp slt i32 %a, %b", "i32 %a", "i32 %b").replace("yes:\n", "yes:\nbr label %no\n", 1)
    text = text.replace("    ret void\n    no:\n", "    no:\n    %p = phi i1 [ %c, %entry ], [ false, %yes ]\n")
    known = code(text, "ab")
    state = known.transfer.after(known.top("polyhedra"), known.node())
    assert known.transfer.chosen(state, known.node(), "no").entails(equal(C, 0))


def test_a_condition_for_one_branch_is_not_kept() -> None:
    known = code(branching("%c = icmp slt i32 %a, %b", "i32 %a", "i32 %b"), "ab")
    state = known.transfer.after(known.top("polyhedra"), known.node())
    assert known.transfer.chosen(state, known.node(), "yes").constraints() == (at_most(A, B - 1),)


def test_an_outcome_that_cannot_be_is_nothing() -> None:
    yes, no = ways("%c = icmp sgt i32 %a, %b", "ab", [at_most(A, B)])
    assert yes.is_bottom and not no.is_bottom


def test_without_overflow_a_result_is_exact() -> None:
    known = code(overflowing("sadd", 32), "abr")
    state = known.transfer.after(known.top("polyhedra").assume([at_least(A, 0)]), known.node())
    no = known.transfer.chosen(state, known.node(), "no")
    yes = known.transfer.chosen(state, known.node(), "yes")
    assert no.entails(equal(R, A + B))
    assert yes.entails(at_least(A + B, 1 << 31))


def test_the_default_of_a_switch_leaves_cases_out_at_either_end() -> None:
    text = """
    define void @f(i8 %a) {
    entry:
    switch i8 %a, label %other [ i8 0, label %one i8 1, label %two i8 9, label %two i8 5, label %one ]
    one:
    ret void
    two:
    ret void
    other:
    ret void
    }
    """
    known = code(text, "")
    state = known.top("polyhedra").assume([at_most(A, 9)])
    bounds = [known.transfer.chosen(state, known.node(), target).bounds(A) for target in ("one", "two", "other")]
    assert bounds == [(0, 5), (1, 9), (2, 8)]


def test_what_two_conditions_say_where_they_come_together() -> None:
    body = """
        extern int __VERIFIER_nondet_int(void);
        extern void __VERIFIER_assume(int);
        int main(void) {
          int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), x = 0;
          __VERIFIER_assume(n >= 0 && n < 100 && m > n);
          int either = n < 5 || n > 90;
          if (!either) for (int i = 0; i < n; i++) { int last = i > 10 && i > x; if (last) x = i; }
          return x;
        }"""
    found = invariants(body)
    outline = found.outline(0)
    (loop,) = outline.forest.loops
    header = outline.graph.names[loop.header]
    (phi, *_) = [
        phi for phi in outline.blocks[header].phis if phi.result is not None and phi.result.name.startswith("i")
    ]
    state = found.before(0, header)
    assert phi.result is not None
    assert state.bounds(Linear.of(Held(0, phi.result.name))) == (0, 90)
    x = next(
        p.result.name for p in outline.blocks[header].phis if p.result is not None and p.result.name.startswith("x")
    )
    assert state.bounds(Linear.of(Held(0, x)))[0] == 0
