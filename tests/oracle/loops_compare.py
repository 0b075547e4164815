"""Loops compiled, read and closed, and compared with all iterations there are."""

from __future__ import annotations

import re
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from clew.analysis.absint.analyse import analyse
from clew.analysis.callees import Callees
from clew.analysis.graph import control_flow, loop_forest
from clew.analysis.loops.closure import Memory, Place, Refusal
from clew.analysis.loops.facts import facts_of
from clew.analysis.loops.limits import USUAL, Limits
from clew.analysis.loops.reading import Loops
from clew.analysis.mod_ref import ModRef
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.models.registry import all_models
from clew.program import instructions as ir
from clew.program.module import Function, Program
from clew.program.values import Register
from oracle.loops_native import WORK, Asked, compare
from oracle.loops_programs import HEAD, READING, LoopProgram
from oracle.loops_shapes import draw
from oracle.loops_tables import PlaceNumber, Relation, of_closure, of_relation


@dataclass
class Batch:
    """What came out."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: dict[str, str] = field(default_factory=dict)
    """By the name of the loop: what is wrong with it."""


def places_of(program: LoopProgram, function: Function) -> PlaceNumber:
    """Which variable is in a place; registers that are the same number in more bits stand for parameters."""
    made = {i.result.name: i for i in function.instructions() if i.result is not None}
    names = [name for name, _ in program.variables]

    def number(place: Place) -> int:
        while isinstance(place, Register) and isinstance(cast := made.get(place.name), ir.Cast):
            assert isinstance(cast.operand, Register)
            place = cast.operand
        name = place.object if isinstance(place, Memory) else place.name
        name = name[1] if isinstance(name, tuple) else name
        assert isinstance(name, str)
        return next(n for n, known in enumerate(names) if name == known or name.startswith((f"{known}.", f"{known}_")))

    return number


def _dead(program: LoopProgram, function: Function, header: int) -> frozenset[str]:
    """Local variables that the loop assigns, and whose values at the header nobody needs: they have no phi there."""
    assigned = {
        name
        for name, _ in program.variables
        if name not in program.globals
        and re.search(rf"\b{name} ([-+^*]|>>|<<)?=[^=]|\b{name}(\+\+|--)|&{name}\b", program.body)
    }
    places: list[ir.Instruction] = [*function.blocks[header].phis]
    places += [i for i in function.instructions() if isinstance(i, ir.Alloca)]
    kept = {i.result.name.partition(".")[0] for i in places if i.result is not None}
    return frozenset(assigned - kept)


class _Reader:
    """Reads and closes the loops of one program."""

    def __init__(self, program: Program, counts: Counter[str], limits: Limits) -> None:
        self._program = program
        self._effects = ModRef(program, Callees(program, all_models()))
        self._plain = Loops(self._effects, limits)
        self._counts = counts

    def asked(self, drawn: LoopProgram) -> Asked | None:
        """What is to be compared about a loop."""
        function = self._program.functions[drawn.name]
        graph = control_flow(function)
        forest = loop_forest(graph)
        if not forest.loops:
            self._counts["no loop"] += 1
            return None
        invariants = None if drawn.start is None else analyse(self._effects, drawn.name)
        loops = self._plain if invariants is None else self._plain.supposing(facts_of(invariants))
        header = graph.names[forest.loops[0].header]
        number = places_of(drawn, function)
        relations: list[Relation] = []
        relation = loops.relation(drawn.name, header)
        if not isinstance(relation, Refusal):
            relations.append(of_relation(relation, number))
        closure = loops.closure(drawn.name, header)
        if isinstance(closure, Refusal):
            self._counts[f"refused ({closure.reason})"] += 1
        else:
            kind = "exact with congruences" if closure.exact_with_congruences else f"not exact ({closure.reason})"
            self._counts["exact" if closure.exact else kind] += 1
            relations.append(of_closure(closure, number))
        if not relations:
            return None
        return Asked(drawn, tuple(relations), number, _dead(drawn, function, forest.loops[0].header))


def examine(seeds: Sequence[int], folder: Path, work: int = WORK, limits: Limits = USUAL) -> Batch:
    """The loops of some seeds. A failure of the tool is wrong, too."""
    programs = [draw(seed) for seed in seeds]
    source = folder / "loops.c"
    source.write_text("\n".join([HEAD, READING, *(p.reading() for p in programs)]), encoding="utf-8")
    result = Batch()
    reader = _Reader(load([source], CompileOptions(flags=("-w", "-std=gnu2x")), None), result.counts, limits)
    asked: list[Asked] = []
    for each in programs:
        try:
            found = reader.asked(each)
        except Exception:
            result.wrong[each.name] = each.reading() + traceback.format_exc()
            continue
        if found is not None:
            asked.append(found)
    for each, verdicts in zip(asked, compare(asked, folder, work), strict=True):
        for relation, verdict in zip(each.relations, verdicts, strict=True):
            result.counts["relations compared" if relation.once else "closures compared"] += 1
            result.counts["relations in full" if relation.once else "closures in full"] += (
                verdict.starts == verdict.all_starts
            )
            if verdict.missing or verdict.extra:
                what = f"{'exact ' if relation.exact else ''}{'relation' if relation.once else 'closure'}"
                result.wrong[each.program.name] = (
                    f"{each.program.reading()}{what}: {verdict.missing} missing, {verdict.extra} too many,"
                    f" {verdict.example}\n"
                )
    return result
