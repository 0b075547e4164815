"""Loops compiled, read and closed, and compared with all iterations there are."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from clew.analysis.absint.linear import Variable
from clew.analysis.callees import Callees
from clew.analysis.graph import control_flow, loop_forest
from clew.analysis.loops.closure import Closure, Congruence, Fixed, Refusal
from clew.analysis.loops.reading import Loops
from clew.analysis.mod_ref import ModRef
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.models.registry import all_models
from clew.program import instructions as ir
from clew.program.module import Function
from clew.program.values import Register
from oracle.loops_native import compare
from oracle.loops_programs import HEAD, READING, LoopProgram, draw


def _renamed(closure: Closure, function: Function) -> Closure:
    """With parameters in the place of registers that are the same number in more bits."""
    made = {i.result.name: i for i in function.instructions() if i.result is not None}

    def renamed(variable: Variable) -> Variable:
        if not isinstance(variable, Fixed) or not isinstance(variable.place, Register):
            return variable
        place = variable.place
        while isinstance(cast := made.get(place.name), ir.Cast) and isinstance(cast.operand, Register):
            place = cast.operand
        return dataclasses.replace(variable, place=place)

    disjuncts = tuple(tuple(c.about(c.linear.renamed(renamed)) for c in each) for each in closure.disjuncts)
    congruences = tuple(
        tuple(Congruence(tuple((f, tuple(map(renamed, vs))) for f, vs in c.terms), c.bits) for c in each)
        for each in closure.congruences
    )
    return dataclasses.replace(closure, disjuncts=disjuncts, congruences=congruences)


def _dead(program: LoopProgram, function: Function, header: int) -> frozenset[str]:
    """Local variables that the loop assigns, and whose values at the header nobody needs: they have no phi there."""
    assigned = {
        name
        for name, _ in program.variables
        if name not in program.globals and re.search(rf"\b{name} [-+]?=[^=]|&{name}\b", program.body)
    }
    places: list[ir.Instruction] = [*function.blocks[header].phis]
    places += [i for i in function.instructions() if isinstance(i, ir.Alloca)]
    kept = {i.result.name.partition(".")[0] for i in places if i.result is not None}
    return frozenset(assigned - kept)


@dataclass
class Batch:
    """What came out."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: dict[str, str] = field(default_factory=dict)
    """By the name of the loop: what is wrong with it."""


def examine(seeds: Sequence[int], folder: Path) -> Batch:
    """The loops of some seeds."""
    programs = [draw(seed) for seed in seeds]
    source = folder / "loops.c"
    source.write_text("\n".join([HEAD, READING, *(p.reading() for p in programs)]), encoding="utf-8")
    program = load([source], CompileOptions(flags=("-w", "-std=gnu2x")), None)
    loops = Loops(ModRef(program, Callees(program, all_models())))
    result = Batch()
    closed: list[tuple[LoopProgram, Closure, frozenset[str]]] = []
    for each in programs:
        graph = control_flow(program.functions[each.name])
        forest = loop_forest(graph)
        if not forest.loops:
            result.counts["no loop"] += 1
            continue
        closure = loops.closure(each.name, graph.names[forest.loops[0].header])
        if isinstance(closure, Refusal):
            result.counts[f"refused ({closure.reason})"] += 1
            continue
        kind = "exact with congruences" if closure.exact_with_congruences else f"not exact ({closure.reason})"
        result.counts["exact" if closure.exact else kind] += 1
        dead = _dead(each, program.functions[each.name], forest.loops[0].header)
        closed.append((each, _renamed(closure, program.functions[each.name]), dead))
    verdicts = compare(closed, folder)
    for each, closure, _ in closed:
        verdict = verdicts[each.name]
        exact = closure.exact or closure.exact_with_congruences
        if verdict.missing or (verdict.extra and exact):
            kind = "exact" if exact else closure.reason
            result.wrong[each.name] = (
                f"{each.reading()}{kind}: {verdict.missing} missing, {verdict.extra} too many, {verdict.example}\n"
            )
        elif verdict.extra == 0 and not exact:
            result.counts["exact without saying so"] += 1
    return result
