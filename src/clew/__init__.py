"""Clew: a symbolic execution engine for C that finds the way through a program's paths.

>>> import clew
>>> result = clew.test("p.c", time=10)

``docs/guide/python.md`` has more. Everything but the version is imported when it is first used.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:  # what ``typing`` has under this name, without its import
    from clew.api.commands import invariants, loops, reach, resume, test, verify
    from clew.api.results import Result
    from clew.base.budget import Interrupt, StopReason
    from clew.base.errors import UserError as Error
    from clew.base.location import Location
    from clew.report.invariant_report import InvariantReport
    from clew.report.listener import Snapshot
    from clew.report.loop_report import LoopReport
    from clew.report.records import Bug, Coverage, LossNote, Property, Summary, Test
    from clew.report.values import InputValue

__version__ = "0.1.0"
__all__ = [
    "Bug", "Coverage", "Error", "InputValue", "Interrupt", "InvariantReport", "Location", "LoopReport", "LossNote",
    "Property", "Result", "Snapshot", "StopReason", "Summary", "Test", "__version__", "invariants", "loops", "reach",
    "resume", "test", "verify",
]  # fmt: skip

_HOMES = {
    "clew.api.commands": ("invariants", "loops", "reach", "resume", "test", "verify"),
    "clew.api.results": ("Result",),
    "clew.base.budget": ("Interrupt", "StopReason"),
    "clew.base.errors": ("UserError",),
    "clew.base.location": ("Location",),
    "clew.report.invariant_report": ("InvariantReport",),
    "clew.report.listener": ("Snapshot",),
    "clew.report.loop_report": ("LoopReport",),
    "clew.report.records": ("Bug", "Coverage", "LossNote", "Property", "Summary", "Test"),
    "clew.report.values": ("InputValue",),
}
_OTHER_NAMES = {"Error": "UserError"}


def __getattr__(name: str) -> object:
    """A name of the public API, from the module that defines it."""
    if name in __all__:
        from importlib import import_module

        own = _OTHER_NAMES.get(name, name)
        for module, names in _HOMES.items():
            if own in names:
                return getattr(import_module(module), own)
    raise AttributeError(f"module 'clew' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
