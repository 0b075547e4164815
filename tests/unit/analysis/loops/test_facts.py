"""What invariants say at headers makes relations simpler, and closures exact."""

from __future__ import annotations

from clew.analysis.absint.analyse import analyse
from clew.analysis.callees import Callees
from clew.analysis.loops.closure import Closure, Fixed, Memory
from clew.analysis.loops.facts import facts_of
from clew.analysis.loops.reading import Loops
from clew.analysis.mod_ref import ModRef
from clew.models.registry import all_models
from unit.analysis.loops.read import header
from unit.analysis.loops.text import constraint_text, describe_relation
from unit.execute.support import c_program

WEIGHTS = """
    extern int __VERIFIER_nondet_int(void);
    int main(void) {
      unsigned total = 0;
      for (int i = 0; i < 1000; i++) {
        int kind = __VERIFIER_nondet_int();
        if (kind == 0) total += 7; else if (kind == 1) total += 4; else total++;
        if (total > 9000) return 1;
      }
      return 0;
    }"""


def test_what_cannot_wrap_around_does_not() -> None:
    program = c_program(WEIGHTS)
    effects = ModRef(program, Callees(program, all_models()))
    invariants = analyse(effects, "main")
    assert invariants is not None
    loops = Loops(effects)
    supposing = loops.supposing(facts_of(invariants))
    head = header(program, "main")
    before, after = loops.closure("main", head), supposing.closure("main", head)
    assert isinstance(before, Closure) and isinstance(after, Closure)
    assert not before.exact and after.exact
    assert len(describe_relation(supposing.relation("main", head))) < len(
        describe_relation(loops.relation("main", head))
    )


def test_facts_are_about_what_a_loop_uses() -> None:
    program = c_program("""
        int g;
        int main(void) { int unused = 5, n = 10; for (g = 0; g < n; g++) ; return g + unused; }""")
    effects = ModRef(program, Callees(program, all_models()))
    invariants = analyse(effects, "main")
    assert invariants is not None
    facts = facts_of(invariants)("main", header(program, "main"))
    assert {constraint_text(fact) for fact in facts} >= {"g >= 0", "g <= 10"}
    variables = {v for fact in facts for v in fact.variables}
    assert variables == {Fixed(Memory("g", 0, 4), 32, True)}


def test_functions_that_are_called_in_several_ways_have_none() -> None:
    program = c_program("""
        static int f(int n) { int i = 0; while (i < n) i++; return i; }
        int main(void) { return f(3) + f(4); }""")
    effects = ModRef(program, Callees(program, all_models()))
    invariants = analyse(effects, "main")
    assert invariants is not None
    assert facts_of(invariants)("f", header(program, "f")) == ()
