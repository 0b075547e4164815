"""Loops as a trace of blocks shows them."""

from __future__ import annotations

from clew.techniques.summaries.loop_structure import Trace


def run(*blocks: str) -> Trace:
    trace = Trace((blocks[0],))
    for block in blocks[1:]:
        trace = trace.to(block)
    return trace


def test_a_loop_shows_when_its_header_is_run_again() -> None:
    assert run("entry", "head", "body").loops == {}
    trace = run("entry", "head", "body", "head")
    assert trace.loops == {"head": frozenset({"head", "body"})}
    assert trace.names[trace.current] == "head"


def test_blocks_that_are_new_count_as_part_of_the_loop() -> None:
    """Whether they are is not clear before control comes back."""
    trace = run("entry", "head", "body", "head", "after")
    assert trace.loops["head"] == {"head", "body", "after"}
    back = trace.to("other").to("head")
    assert back.loops["head"] == {"head", "body", "after", "other"}


def test_a_way_out_shows_when_it_was_taken_before() -> None:
    """A loop in a loop: the second time round it is known where the inner one ends."""
    once = ("entry", "outer", "inner", "body", "inner", "body", "inner", "next", "outer")
    trace = run(*once)
    assert trace.loops["inner"] == {"inner", "body"}
    assert trace.loops["outer"] == {"outer", "inner", "body", "next"}
    assert trace.to("inner").to("next").loops == trace.loops


def test_edges_that_are_known_change_nothing() -> None:
    trace = run("entry", "head", "body", "head")
    again = trace.to("body").to("head")
    assert again.edges == trace.edges and again.loops is trace.loops
