"""Functions without cycles: passages, expansions, what is useful in them, how many ways there are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from clew.base.errors import Unsupported
from clew.techniques.chains.acyclic import AcyclicFunction, Expansion, Passage
from depth import examples
from unit.execute.support import llvm


def outline(*edges: str) -> AcyclicFunction:
    """Of a function whose blocks are ``a: b c``: the first is the entry; without successors, a block returns."""
    blocks = {}
    for edge in edges:
        name, _, successors = edge.partition(":")
        blocks[name.strip()] = successors.split()
    text = ["define i32 @f(i1 %c, i8 %d) {"]
    for name, targets in blocks.items():
        text.append(f"{name}:")
        match targets:
            case []:
                text.append("ret i32 0")
            case [target]:
                text.append(f"br label %{target}")
            case [yes, no]:
                text.append(f"br i1 %c, label %{yes}, label %{no}")
            case [default, *others]:
                # All on one line: that is how the helper keeps them together.
                cases = " ".join(f"i8 {n}, label %{to}" for n, to in enumerate(others))
                text.append(f"switch i8 %d, label %{default} [ {cases} ]")
    return AcyclicFunction(llvm("\n".join([*text, "}"])).functions["f"])


def passage(of: AcyclicFunction, text: str) -> Passage:
    """``b`` or ``b/h``: block b, the loop with header h being closed."""
    block, *headers = text.split("/")
    return Passage(block, frozenset(of.headed[header] for header in headers))


def spelled(of: AcyclicFunction, place: Passage | None) -> str:
    return "|" if place is None else "/".join([place.block, *sorted(of.header[loop] for loop in place.closing)])


def onward(of: AcyclicFunction, expansion: Expansion) -> dict[str, str]:
    """Where each passage leads."""
    return {
        spelled(of, place): " ".join(spelled(of, to) for to in following.values())
        for place, following in expansion.onward.items()
    }


def after(of: AcyclicFunction, start: str, *goals: str, returns: bool = False) -> Expansion:
    return of.expansion(passage(of, start), None, frozenset(goals), returns)


def around(of: AcyclicFunction, header: str) -> Expansion:
    """An iteration."""
    loop = of.headed[header]
    return of.expansion(of.iteration(loop), loop, frozenset(), returns=False)


def names(of: AcyclicFunction, places: Iterator[Passage] | frozenset[Passage] | tuple[Passage, ...]) -> set[str]:
    return {spelled(of, place) for place in places}


LOOP = ("entry: head", "head: body out", "body: yes no", "yes: latch", "no: latch", "latch: head", "out:")
NESTED = ("entry: o", "o: i out", "i: x y", "x: i", "y: o", "out:")
EXITS = ("entry: h", "h: a out", "a: b early", "b: c h", "c: h late", "out: end", "early: end", "late: end", "end:")


def test_a_passage_after_all_iterations_does_not_come_back() -> None:
    of = outline(*LOOP)
    expansion = after(of, "entry", returns=True)
    assert onward(of, expansion) == {
        "entry": "head/head", "head/head": "body/head out", "body/head": "yes/head no/head",
        "yes/head": "latch/head", "no/head": "latch/head", "latch/head": "", "out": "",
    }  # fmt: skip
    assert names(of, expansion.useful) == {"entry", "head/head", "out"}
    assert expansion.paths == 1


def test_an_iteration_ends_at_the_header() -> None:
    of = outline(*LOOP)
    expansion = around(of, "head")
    assert spelled(of, expansion.start) == "head"
    assert onward(of, expansion) == {
        "head": "body", "body": "yes no", "yes": "latch", "no": "latch", "latch": "|",
    }  # fmt: skip
    assert expansion.paths == 2
    assert names(of, expansion.useful) == {"head", "body", "yes", "no", "latch"}


def test_a_target_in_a_loop() -> None:
    of = outline(*LOOP)
    expansion = after(of, "entry", "yes")
    assert names(of, expansion.useful) == {"entry", "head/head", "body/head", "yes/head"}
    assert expansion.paths == 1


def test_a_start_within_a_loop_goes_on_to_its_header() -> None:
    """The rest of the iteration first, then all complete ones, then the pass that leaves."""
    of = outline(*LOOP)
    expansion = after(of, "body", "out")
    assert onward(of, expansion)["latch"] == "head/head"
    assert onward(of, expansion)["body"] == "yes no"
    assert onward(of, expansion)["head/head"] == "body/head out"
    assert expansion.paths == 2
    assert names(of, expansion.useful) == {"body", "yes", "no", "latch", "head/head", "out"}


def test_a_start_at_a_header_is_within_an_iteration() -> None:
    of = outline(*LOOP)
    expansion = after(of, "head", "out")
    assert onward(of, expansion)["head"] == "body out"
    assert expansion.paths == 3  # left at once; or after the rest of this iteration, which has two ways


def test_goals_count_each_time_they_are_passed() -> None:
    of = outline(*LOOP)
    assert after(of, "body", "yes").paths == 1 + 2  # now, and in the last pass after either way
    assert after(of, "body", "yes", "out").paths == 1 + 2 * (1 + 1)


def test_loops_in_loops() -> None:
    of = outline(*NESTED)
    expansion = after(of, "entry", "x")
    assert onward(of, expansion) == {
        "entry": "o/o", "o/o": "i/i/o out", "i/i/o": "x/i/o y/o", "x/i/o": "", "y/o": "", "out": "",
    }  # fmt: skip
    assert expansion.paths == 1
    inner, outer = around(of, "i"), around(of, "o")
    assert onward(of, inner) == {"i": "x", "x": "|"}
    assert onward(of, outer) == {"o": "i/i", "i/i": "x/i y", "x/i": "", "y": "|"}
    assert (inner.paths, outer.paths) == (1, 1)
    assert names(of, outer.useful) == {"o", "i/i", "y"}


def test_a_start_within_an_inner_loop() -> None:
    of = outline(*NESTED)
    expansion = after(of, "x", "out")
    assert onward(of, expansion) == {
        "x": "i/i", "i/i": "x/i y", "x/i": "", "y": "o/o", "o/o": "i/i/o out", "i/i/o": "x/i/o y/o",
        "x/i/o": "", "y/o": "", "out": "",
    }  # fmt: skip
    assert expansion.paths == 1


def test_several_ways_out() -> None:
    of = outline(*EXITS)
    whole = after(of, "entry", returns=True)
    assert whole.paths == 3
    assert onward(of, whole)["b/h"] == "c/h"
    assert onward(of, whole)["c/h"] == "late"
    assert around(of, "h").paths == 2
    assert onward(of, around(of, "h"))["b"] == "c |"
    assert after(of, "entry", "late").paths == 1
    # From b: on to late in this iteration; or around (from b, from c), and out by any of three ways.
    assert after(of, "b", returns=True).paths == 1 + 2 * 3


def test_loops_in_sequence() -> None:
    of = outline("entry: p", "p: p q", "q: r s", "r: q", "s:")
    expansion = after(of, "entry", "s")
    assert onward(of, expansion) == {
        "entry": "p/p", "p/p": "q/q", "q/q": "r/q s", "r/q": "", "s": "",
    }  # fmt: skip
    assert onward(of, around(of, "p")) == {"p": "|"}
    assert expansion.paths == 1


def test_the_entry_cannot_be_a_header_but_its_successor_can() -> None:
    of = outline("entry: h", "h: h out", "out:")
    assert of.entry == Passage("entry", frozenset())
    assert of.headed == {"h": 0}


def test_follow() -> None:
    of = outline(*NESTED)

    def leads(start: str, to: str) -> str:
        return spelled(of, of.follow(passage(of, start), to))

    assert leads("entry", "o") == "o/o"
    assert leads("x", "i") == "i/i"  # an iteration under way is complete now
    assert leads("x/i", "i") == "|"  # there are no more of them
    assert leads("x/o", "i") == "i/i/o"
    assert leads("y/o", "o") == "|"
    assert leads("y", "o") == "o/o"
    assert leads("o/o", "out") == "out"
    assert leads("i/i/o", "y") == "y/o"


def test_what_comes_first_stands_first() -> None:
    of = outline(*EXITS)
    order = after(of, "b", returns=True).order
    place = {passage: number for number, passage in enumerate(order)}
    leads = after(of, "b", returns=True).onward
    assert place.keys() == leads.keys()
    assert all(place[a] < place[b] for a, targets in leads.items() for b in targets.values() if b is not None)


def test_nothing_leads_to_a_goal() -> None:
    of = outline("entry: a b", "a: a", "b:", "dead: b")
    expansion = after(of, "a", "b")
    assert expansion.paths == 0
    assert expansion.useful == frozenset()
    assert after(of, "entry", "b").useful == {passage(of, "entry"), passage(of, "b")}


def test_several_edges_to_one_block() -> None:
    of = outline("entry: a b a c", "a: end", "b: end", "c: end", "end:")
    assert after(of, "entry", "end").paths == 3


def test_expansions_are_kept() -> None:
    of = outline(*LOOP)
    assert after(of, "body", "out") is after(of, "body", "out")
    assert after(of, "body", "out") is not after(of, "body", "yes")


def test_a_loop_with_two_entries() -> None:
    with pytest.raises(Unsupported, match="entered by goto"):
        outline("entry: a b", "a: b", "b: a out", "out:")


# In general

LETTERS = "abcdefgh"


@st.composite
def graphs(draw: st.DrawFn) -> AcyclicFunction:
    """Functions of loops that are nested or follow each other, with jumps forwards, and back to headers around."""
    count = draw(st.integers(2, len(LETTERS) - 1))
    headers = [draw(st.booleans()) for _ in range(count)]
    edges = ["entry: a"]
    for number in range(count):
        choices = range(number + 1, count + 1)
        targets = {LETTERS[number + 1], LETTERS[draw(st.sampled_from(choices))]}
        if draw(st.booleans()):
            back = [LETTERS[n] for n in range(number + 1) if headers[n]]
            targets |= {draw(st.sampled_from(back))} if back else set()
        edges.append(f"{LETTERS[number]}: {' '.join(sorted(targets))}")
    edges.append(f"{LETTERS[count]}:")
    try:
        return outline(*edges)
    except Unsupported:  # a jump into a loop
        reject()


def walks(of: AcyclicFunction, start: Passage, goals: frozenset[str], most: int) -> Iterator[list[str]]:
    """Ways through the function itself, up to a goal or the end."""
    work = [[start.block]]
    while work:
        way = work.pop()
        if way[-1] in goals or not of.successors[way[-1]]:
            yield way
        if len(way) < most:
            work += [[*way, to] for to in of.successors[way[-1]]]


@settings(max_examples=examples(60))
@given(graphs())
def test_there_are_no_cycles_and_nothing_is_missing(of: AcyclicFunction) -> None:
    """Each walk of the function is one of the expansion, when complete iterations are left out of it."""
    last = of.function.blocks[-1].name
    expansion = of.expansion(of.entry, None, frozenset((last,)), returns=False)
    place = {passage: number for number, passage in enumerate(expansion.order)}
    assert all(place[a] < place[b] for a, to in expansion.onward.items() for b in to.values() if b is not None)
    seen = set()
    for way in walks(of, of.entry, frozenset((last,)), 10):
        straight = without_iterations(of, way)
        seen.add(tuple(straight))
        at: Passage | None = expansion.start
        for block in straight[1:]:
            assert at is not None and at in expansion.useful
            at = expansion.onward[at][block]
        assert at is not None and at.block == last
    assert len(seen) <= expansion.paths


def without_iterations(of: AcyclicFunction, way: list[str]) -> list[str]:
    """From its last time at a header on, if the loop was not left in between."""
    kept: list[str] = []
    for block in way:
        loop = of.headed.get(block)
        if loop is not None and block in kept:
            at = kept.index(block)
            if all(loop in of.around[other] for other in kept[at:]):
                del kept[at:]
        kept.append(block)
    return kept


def test_iterations_are_left_out() -> None:
    of = outline(*NESTED)
    assert without_iterations(of, "entry o i x i x i y o i y o out".split()) == ["entry", "o", "out"]
    assert without_iterations(of, "entry o i x i y o i x i x".split()) == ["entry", "o", "i", "x"]
