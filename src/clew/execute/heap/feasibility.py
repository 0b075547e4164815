"""At the end of a path: can the pointers that nobody followed be what the path says about them?

Such a pointer is still a symbol. It was compared with others, perhaps with something added to it, and may have a value
at which no object can be. Another model puts it right, or there is none, and then no caller can bring about the path.
"""

from __future__ import annotations

from clew.execute.heap.allocation import inside, overlaps, places_in, surroundings_of
from clew.execute.heap.binding import LEFT_OUT
from clew.execute.heap.facts import KnownObject, LazyPointer
from clew.execute.heap.shapes import Span
from clew.execute.inputs import reads
from clew.execute.state import State
from clew.expr import build
from clew.expr.node import Bool
from clew.solver.interface import Answer


def is_realizable(s: State) -> bool:
    """Whether callers can bring about a path; the state's model is then one that shows how."""
    pointers = _unbound(s)
    if not pointers:
        return True
    objects = _objects(s, pointers)
    if all(_is_fine(s, pointer, objects) for pointer in pointers):
        return True
    valid = build.conjunction([_points_to_one(s, pointer, objects) for pointer in pointers])
    result = s.feasible(valid)
    if result.model is not None:
        s.model = result.model
        return True
    if result.answer is Answer.UNKNOWN:
        s.run.note_unknown(s, "an input pointer: " + result.reason)
        return False
    apart = [build.lor(_points_to_one(s, p, objects), build.lnot(overlaps(s, p, s.heap.objects))) for p in pointers]
    if s.feasible(build.conjunction(apart)).answer is not Answer.UNSAT:
        s.run.note_loss("bounded", LEFT_OUT, s)
    return False


def _unbound(s: State) -> list[LazyPointer]:
    """Pointers of the path that point to nothing in particular."""
    found: dict[int, LazyPointer] = {}
    for read in reads(s.inputs):
        if read.heap is not None and read.heap.target is not None:
            for symbol in getattr(read.values[0], "symbols", ()):
                pointer = s.run.lazy.get(symbol)
                if isinstance(pointer, LazyPointer) and symbol not in s.heap.bound and not _is_plain(s, pointer):
                    found[pointer.home] = pointer
    return [found[home] for home in sorted(found)]


def _is_plain(s: State, pointer: LazyPointer) -> bool:
    return pointer.cut or surroundings_of(s).shapes.is_function(pointer.target)


def _objects(s: State, pointers: list[LazyPointer]) -> list[KnownObject]:
    """What there is, with what would be made for pointers that nobody followed."""
    around = surroundings_of(s)
    shapes, length = around.shapes, around.options.array_length
    made = [
        KnownObject(p.home, p.target, length, max(1, shapes.size(p.target) * length), p.name, 0)
        for p in pointers
        if s.heap.find(p.home) is None
    ]
    return [*s.heap.objects, *around.variables, *made]


def _is_fine(s: State, pointer: LazyPointer, objects: list[KnownObject]) -> bool:
    """Whether a pointer points where an object can be, with the state's model."""
    around, address = surroundings_of(s), int(s.model.eval(pointer.term))
    if address == pointer.home or (address == 0 and around.options.nulls):
        return True
    near = [obj for obj in objects if obj.base <= address < obj.base + obj.size] if around.options.aliases else []
    return any(_is_in(span, address - obj.base) for obj in near for span in places_in(around, pointer, obj))


def _is_in(span: Span, offset: int) -> bool:
    steps, rest = divmod(offset - span.start, span.stride)
    return not rest and 0 <= steps < span.count


def _points_to_one(s: State, pointer: LazyPointer, objects: list[KnownObject]) -> Bool:
    """The condition that a pointer is null, or points where an object can be."""
    around, bits, term = surroundings_of(s), s.run.pointer_bits, pointer.term
    cases: list[Bool] = [build.eq(term, pointer.home, bits)]
    if around.options.nulls:
        cases.append(build.eq(term, 0, bits))
    for obj in objects if around.options.aliases else ():
        cases += [inside(term, obj.base, span, bits) for span in places_in(around, pointer, obj)]
    return build.disjunction(cases)
