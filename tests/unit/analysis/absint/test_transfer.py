"""Nodes and edges on abstract states: phis, selects that belong together, calls, memory, what is forgotten when."""

from __future__ import annotations

from clew.analysis.absint.domain import Abstract
from clew.analysis.absint.domains import make_domain
from clew.analysis.absint.frames import EdgeKind, Supergraph
from clew.analysis.absint.linear import Constraint, Linear, at_least, at_most, equal
from clew.analysis.absint.transfer import Transfer
from clew.analysis.absint.variables import GLOBAL, Cell, Held, Initial
from clew.program.module import Program
from unit.analysis.absint.analysed import invariants, transfer_of
from unit.execute.support import c_program, llvm


def reg(name: str, frame: int = 0) -> Linear:
    return Linear.of(Held(frame, name))


def top(transfer: Transfer, *facts: Constraint) -> Abstract:
    return make_domain("polyhedra", transfer.numbers.range).top().assume(facts)


def along(graph: Supergraph, transfer: Transfer, state: Abstract, source: str, target: str) -> Abstract:
    start, end = graph.starts[0, source], graph.starts[0, target]
    (edge,) = [edge for edge in graph.outgoing[start] if edge.target == end]
    return transfer.along(transfer.after(state, graph.nodes[start]), edge)


def test_phis_get_their_values_at_once() -> None:
    graph, transfer = transfer_of(
        llvm("""
        define i32 @main(i32 %n, i32 %m) {
        entry:
        br label %loop
        loop:
        %a = phi i32 [ %n, %entry ], [ %b, %next ]
        %b = phi i32 [ %m, %entry ], [ %a, %next ]
        %c = phi i32 [ 0, %entry ], [ %a, %next ]
        %d = icmp slt i32 %c, 9
        br i1 %d, label %next, label %end
        next:
        br label %loop
        end:
        ret i32 %b
        }
        """)
    )
    before = top(transfer, equal(reg("a"), 1), equal(reg("b"), 2), equal(reg("c"), 3))
    after = along(graph, transfer, before, "next", "loop")
    assert [after.bounds(reg(name)) for name in "abc"] == [(2, 2), (1, 1), (1, 1)]
    entered = along(graph, transfer, top(transfer, equal(reg("n"), reg("m") + 1)), "entry", "loop")
    assert entered.entails(equal(reg("a"), reg("b") + 1)) and entered.entails(equal(reg("c"), 0))


def test_a_phi_of_an_unknown_value_is_unknown() -> None:
    graph, transfer = transfer_of(
        llvm("""
        define i32 @main() {
        entry:
        br label %end
        end:
        %a = phi i32 [ undef, %entry ]
        ret i32 %a
        }
        """)
    )
    after = along(graph, transfer, top(transfer, equal(reg("a"), 1)), "entry", "end")
    assert not after.entails(equal(reg("a"), 1)) and not after.is_bottom


def test_selects_with_one_condition_belong_together() -> None:
    graph, transfer = transfer_of(
        llvm("""
        define i32 @main(i1 %c, i1 %d) {
        entry:
        %a = select i1 %c, i32 1, i32 5
        %b = select i1 %c, i32 2, i32 10
        %e = select i1 %d, i32 1, i32 5
        ret i32 %a
        }
        """)
    )
    node = graph.nodes[0]
    after = transfer.after(top(transfer), node)
    assert after.entails(equal(reg("b"), reg("a") * 2))
    assert not after.entails(equal(reg("e"), reg("a")))
    assert transfer.after(top(transfer), node, 1).entails(at_most(reg("a"), 5))
    assert not transfer.after(top(transfer), node, 0).entails(at_most(reg("a"), 5))


def test_what_no_code_needs_any_more_is_forgotten_but_for_inputs() -> None:
    known = invariants(
        llvm("""
        define i32 @main(i32 %n) {
        entry:
        %x = call i32 @__VERIFIER_nondet_int()
        %p = icmp eq i32 %n, 0
        %c = icmp slt i32 %x, 7
        %y = zext i1 %p to i32
        %z = zext i1 %c to i32
        br i1 %c, label %on, label %end
        on:
        br label %end
        end:
        ret i32 0
        }
        """)
    )
    state = known.before(0, "on")
    assert state.entails(at_most(reg("x"), 6)), "an input"
    mentioned = {variable for constraint in state.constraints() for variable in constraint.variables}
    assert not {Held(0, name) for name in "cypz"} & mentioned
    assert known.on_edge(0, "entry", "on").entails(equal(reg("c"), 1)), "before it is forgotten"
    assert set(known.ghosts) == {Held(0, "x"), Held(0, "n")}


CALL = """
define i32 @callee(i8 %s, i64 %w, i32 %k) {
entry:
%local = alloca i32
store i32 %k, ptr %local
%v = load i32, ptr %local
%r = add i32 %v, 1
ret i32 %r
}
define i32 @main(i32 %n) {
entry:
%t = trunc i32 %n to i8
%r = call i32 @callee(i8 %t, i64 7, i32 %n)
%u = udiv i8 %t, 3
ret i32 %r
}
"""


def test_arguments_and_results_of_calls() -> None:
    graph, transfer = transfer_of(llvm(CALL))
    (call,) = [edge for edge in graph.edges if edge.kind is EdgeKind.CALL]
    (back,) = [edge for edge in graph.edges if edge.kind is EdgeKind.RETURN]
    before = transfer.after(top(transfer, at_least(reg("n"), 0), at_most(reg("n"), 99)), graph.nodes[call.source])
    inside = transfer.along(before, call)
    assert inside.entails(equal(reg("w", 1), 7)) and inside.entails(equal(reg("k", 1), reg("n")))
    assert inside.entails(equal(reg("s", 1), reg("n")))
    behind = transfer.along(transfer.after(inside, graph.nodes[back.source]), back)
    assert behind.entails(equal(reg("r"), reg("n") + 1))
    frames = {
        v.frame for constraint in behind.constraints() for v in constraint.variables if isinstance(v, Held | Cell)
    }
    assert frames == {0}, "what belongs to the callee is gone"


def test_an_argument_in_another_view_is_converted_or_forgotten() -> None:
    program = llvm("""
    define i32 @callee(i32 %k) {
    entry:
    %r = udiv i32 %k, 2
    ret i32 %r
    }
    define i32 @main(i32 %n) {
    entry:
    %m = sdiv i32 %n, 1
    %r = call i32 @callee(i32 %n)
    ret i32 %r
    }
    """)
    graph, transfer = transfer_of(program)
    assert transfer.numbers.is_signed(Held(0, "n")) and not transfer.numbers.is_signed(Held(1, "k"))
    (call,) = [edge for edge in graph.edges if edge.kind is EdgeKind.CALL]
    negative = transfer.along(top(transfer, at_most(reg("n"), -1)), call)
    assert negative.entails(equal(reg("k", 1), reg("n") + (1 << 32)))
    either = transfer.along(top(transfer), call)
    assert either.bounds(reg("k", 1)) == (0, (1 << 32) - 1)


# Memory


def cell_of(program: Program, name: str, size: int, offset: int = 0) -> Linear:
    assert name in program.globals
    return Linear.of(Cell(GLOBAL, name, offset, size))


GLOBALS = """
@word = global i32 -5
@limit = constant i32 9
@pair = global [2 x i8] c"\\01\\FF"
define i32 @main(i32 %n, ptr %p) {
entry:
%w = load i32, ptr @word
%l = load i32, ptr @limit
%b = load i8, ptr getelementptr ([2 x i8], ptr @pair, i64 0, i64 1)
%u = zext i8 %b to i32
%a = load i8, ptr @pair
br label %write
write:
store i32 %n, ptr @word
br label %half
half:
store i16 0, ptr @word
br label %other
other:
store i32 3, ptr @word
br label %through
through:
store i32 1, ptr %p
br label %end
end:
%v = load volatile i32, ptr @word
ret i32 0
}
"""


def test_globals_begin_with_their_initializers() -> None:
    program = llvm(GLOBALS)
    graph, transfer = transfer_of(program)
    state = transfer.start(top(transfer), True)
    assert state.entails(equal(cell_of(program, "word", 4), -5)) and state.entails(
        equal(cell_of(program, "limit", 4), 9)
    )
    assert state.entails(equal(cell_of(program, "pair", 1, 1), 255)), "read without a sign"
    later = transfer.start(top(transfer), False)
    assert not later.entails(equal(cell_of(program, "word", 4), -5)) and later.entails(
        equal(cell_of(program, "limit", 4), 9)
    )
    loaded = transfer.after(state, graph.nodes[0])
    assert [loaded.bounds(reg(name)) for name in "wlub"] == [(-5, -5), (9, 9), (255, 255), (255, 255)]


def test_stores_and_what_they_overwrite() -> None:
    program = llvm(GLOBALS)
    graph, transfer = transfer_of(program)
    word, high = cell_of(program, "word", 4), cell_of(program, "pair", 1, 1)
    state = transfer.start(top(transfer), True)

    def after(block: str) -> Abstract:
        return transfer.after(state, graph.nodes[graph.starts[0, block]])

    state = after("write")
    assert state.entails(equal(word, reg("n")))
    state = after("half")
    assert not state.entails(equal(word, reg("n"))) and state.entails(equal(high, 255))
    state = after("other")
    assert state.entails(equal(word, 3))
    state = after("through")
    assert state.entails(equal(high, 255)) == state.entails(equal(word, 3))
    state = state.assume([equal(word, 3)])
    assert after("end").bounds(reg("v")) == (-(1 << 31), (1 << 31) - 1), "volatile"


def test_an_input_in_memory_stays_known() -> None:
    known = invariants(
        c_program("""
        void klee_make_symbolic(void *, __SIZE_TYPE__, const char *);
        int main(void) {
          int x;
          klee_make_symbolic(&x, sizeof x, "x");
          if (x < 0 || x > 5) return 1;
          int y = x;
          x = 7;
          if (y == 3) return x;
          return 0;
        }
        """)
    )
    (ghost,) = known.ghosts
    assert isinstance(ghost, Initial) and known.width(ghost) == 32
    bounds = {known.before(0, block.name).bounds(Linear.of(ghost)) for block in known.frames[0].function.blocks}
    assert (3, 3) in bounds or (0, 5) in bounds
