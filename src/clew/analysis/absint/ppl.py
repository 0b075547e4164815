"""The Parma Polyhedra Library, behind our own rows: constraints over given variables to its objects and back.

All that knows the library is here. It is imported when it is first needed, and it is licensed under the GPL: nothing
else may come to depend on it.
"""

from __future__ import annotations

import faulthandler
import importlib
import signal
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from types import ModuleType
from typing import Any

from clew.analysis.absint.linear import Constraint, Linear, Variable

_INTERRUPTS = (signal.SIGINT, signal.SIGHUP, signal.SIGALRM, signal.SIGPROF)
_CRASHES = (signal.SIGQUIT, signal.SIGILL, signal.SIGABRT, signal.SIGFPE, signal.SIGBUS, signal.SIGSEGV)

LARGEST = 1 << 48
"""Coefficients beyond this are not worth their cost: such constraints are left out."""


@contextmanager
def _own_signals() -> Iterator[None]:
    """Signals keep their handlers, whatever an import does: a helper of the library takes them over.

    None of the signals arrives in between. What Python cannot put back (``faulthandler``, handlers written in C) stays
    taken over; outside of the main thread nothing can be put back.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = _INTERRUPTS if faulthandler.is_enabled() else _INTERRUPTS + _CRASHES
    handlers = {number: signal.getsignal(number) for number in numbers}
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTS)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            if handler is not None:
                signal.signal(number, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


@contextmanager
def _cheap_version() -> Iterator[None]:
    """A stand-in for ``importlib.metadata``, unless it is there already.

    ``gmpy2``, which the library's interface imports, asks it for its own version and nothing else. Loading it takes
    longer than all the rest together.
    """
    name = "importlib.metadata"
    if name in sys.modules:
        yield
        return
    stand_in = ModuleType(name)
    stand_in.__dict__.update(version=lambda package: "unknown", PackageNotFoundError=ImportError)
    sys.modules[name] = stand_in
    try:
        yield
    finally:
        if sys.modules.get(name) is stand_in:
            del sys.modules[name]


@cache
def library() -> Any:
    """The library's module. ImportError where it is not installed."""
    with _own_signals():
        try:
            with _cheap_version():
                importlib.import_module("gmpy2")
        except ImportError:
            raise
        except Exception:  # a version of it that wants more of the stand-in
            sys.modules.pop("gmpy2", None)
        return importlib.import_module("ppl")


def available() -> bool:
    try:
        library()
    except ImportError:
        return False
    return True


def _expression(linear: Linear, places: Mapping[Variable, int], constant: int) -> Any:
    return library().Linear_Expression({places[v]: c for v, c in linear.terms.items()}, constant)


def polyhedron(rows: Iterable[Constraint], variables: Sequence[Variable]) -> Any:
    """A closed polyhedron with a dimension for each variable, in their order."""
    ppl = library()
    places = {variable: place for place, variable in enumerate(variables)}
    system = ppl.Constraint_System()
    for row in rows:
        expression = _expression(row.linear, places, row.linear.constant)
        system.insert(expression == 0 if row.equality else expression >= 0)
    result = ppl.C_Polyhedron(len(variables), "universe")
    result.add_constraints(system)
    return result


def rows_of(poly: Any, variables: Sequence[Variable]) -> list[Constraint] | None:
    """The fewest constraints that describe a polyhedron, equalities first. None if there is no integer point in it.

    (Not found to be in it, that is.) Constraints with very large coefficients are left out.
    """
    if poly.is_empty():
        return None
    equalities: list[Constraint] = []
    inequalities: list[Constraint] = []
    for constraint in poly.minimized_constraints():
        coefficients = constraint.coefficients()
        terms = {variables[place]: int(c) for place, c in enumerate(coefficients) if c}
        row = Constraint(Linear(terms, int(constraint.inhomogeneous_term())), constraint.is_equality())
        if row.is_false:
            return None
        if not row.is_true and max(map(abs, row.linear.terms.values())) <= LARGEST:
            (equalities if row.equality else inequalities).append(row)
    return equalities + inequalities


def without(
    rows: Iterable[Constraint], variables: Sequence[Variable], gone: Iterable[Variable]
) -> list[Constraint] | None:
    """Rows for the projection that leaves some of the variables out."""
    poly = polyhedron(rows, variables)
    places = {variable: place for place, variable in enumerate(variables)}
    ppl = library()
    for variable in gone:
        poly.unconstrain(ppl.Variable(places[variable]))
    return rows_of(poly, variables)


class MixedIntegerProgram:
    """A linear program: greatest values of expressions under constraints.

    ``least`` are the least values of variables that have one: the library is given the distances from there, since a
    variable that is not negative costs it nothing.
    """

    __slots__ = ("_least", "_places", "_problem")

    def __init__(
        self, rows: Iterable[Constraint], variables: Sequence[Variable], least: Mapping[Variable, int]
    ) -> None:
        self._places = {variable: place for place, variable in enumerate(variables)}
        self._least = least
        ppl = library()
        self._problem = problem = ppl.MIP_Problem(len(variables))
        for variable in least:
            problem.add_constraint(ppl.Variable(self._places[variable]) >= 0)
        for row in rows:
            expression = _expression(row.linear, self._places, row.linear.constant + self._offset(row.linear))
            problem.add_constraint(expression == 0 if row.equality else expression >= 0)
        problem.set_optimization_mode("maximization")

    def _offset(self, linear: Linear) -> int:
        least = self._least
        return sum(factor * least[variable] for variable, factor in linear.terms.items() if variable in least)

    def is_feasible(self) -> bool:
        return bool(self._problem.is_satisfiable())

    def greatest(self, linear: Linear) -> tuple[int, int] | None:
        """The greatest value of an expression without its constant, as a fraction; None if there is none."""
        self._problem.set_objective_function(_expression(linear, self._places, 0))
        if self._problem.solve()["status"] != "optimized":
            return None
        value = self._problem.optimal_value()
        divisor = int(value.denominator)
        return int(value.numerator) + self._offset(linear) * divisor, divisor
