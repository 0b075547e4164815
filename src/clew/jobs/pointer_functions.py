"""Functions that are given pointers or promises, and programs that jump between functions: which techniques take part.

Lazy initialization decides on the way what pointers point to, and makes objects then. Merging, summaries, invariants,
conflicts and chains compare states, generalize them, or know what code does without running it, and none of them
knows of objects that are not there yet, of promises about parameters, or of control that comes back to a call of
``setjmp``. So they are left out, here and nowhere else: paths are just run.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from clew.base.options import ReachRequest, Request, TestRequest, VerifyRequest
from clew.execute.heap.shapes import is_given_pointers
from clew.jobs.reexecution import find_entry
from clew.program.jumps import has_jumps
from clew.program.module import Program

R = TypeVar("R", bound=Request)

NARROWED = {
    "no_alias": "pointers that point to the same object (--no-alias)",
    "no_null": "null pointers (--no-null)",
    "own_objects": "pointers to the same object that the function does not compare",
}


def plainly(request: R, program: Program) -> R:
    """The request, without techniques that know neither lazy initialization nor jumps, if it has to do with these."""
    is_plain = request.function is None or not (
        request.promises or is_given_pointers(program, find_entry(program, request.function).function)
    )
    if is_plain and not has_jumps(program):
        return request
    match request:
        case TestRequest():
            changed: Request = replace(request, merge=False, summarize=False, invariants=False, navigate=False)
        case VerifyRequest():
            changed = replace(request, strategy="plain", invariants=False, keep_branches=True)
        case ReachRequest():
            changed = replace(request, strategy="plain", keep_branches=True)
        case _:
            changed = request
    assert isinstance(changed, type(request))
    return changed


def narrowed(request: Request) -> tuple[str, ...]:
    """What the user's options leave out of the memory that a function is given."""
    if request.function is None:
        return ()
    given = {
        **{name: getattr(request, name) for name in NARROWED},
        "own_objects": request.guess and request.own_objects,
    }
    return tuple(text for name, text in NARROWED.items() if given[name])
