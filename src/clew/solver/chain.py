"""The whole solver stack on one page.

    feasible(path, c, model)        refuted before? else what is left of c after the path's facts about bytes, with the
                                    constraints of the path that share symbols with that:
        validate      (optional)    re-checks every answer of the layers below
        byte                        what constraints leave of the values of one byte
        shortcuts                   c with not c; bounds that leave a term no value
        cache                       known cores and models, also of smaller and larger queries
        reuse                       the current model, a few recent ones
        repair                      patch the current model through invertible operators
        slopes                      move floats of it until comparisons hold
        propagation                 values of bytes that constraints leave over, one by one and in rows
        known                       what constraints say of terms, in all others; what is left passes the layers from
                                    repair on once more
        algebra                     polynomials that are equal, and should not be
        integers                    linear constraints without a solution
        apart                       a large query goes to a process of its own, that can be ended
        decide                      a backend, incrementally (Bitwuzla); then the others if it gives up (Z3)

Each layer has the same ``check`` and answers or asks the next. UNSAT only ever comes from byte, shortcuts, a
cached core, propagation, known, algebra, integers or a backend; a limit that was hit is UNKNOWN.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from clew.expr.build import lnot
from clew.expr.evaluate import EMPTY_MODEL, Model
from clew.expr.node import Bool, Expr
from clew.solver import byte_facts
from clew.solver.backends.registry import BACKENDS, backends_of
from clew.solver.interface import Answer, Backend, CoreSolver, Query, Result, Solver, SolverOptions, sat, unsat
from clew.solver.layers import repair, reuse, slopes
from clew.solver.layers.algebra import Algebra
from clew.solver.layers.cache import NAME as CACHE
from clew.solver.layers.cache import Cache
from clew.solver.layers.decide import Decide
from clew.solver.layers.forked import Apart
from clew.solver.layers.integers import Integers
from clew.solver.layers.known_values import KnownValues
from clew.solver.layers.one_byte import NAME as BYTE
from clew.solver.layers.one_byte import OneByte
from clew.solver.layers.propagation import Propagation
from clew.solver.layers.repair import Repair
from clew.solver.layers.reuse import ModelReuse
from clew.solver.layers.shortcuts import Shortcuts
from clew.solver.layers.slopes import Slopes
from clew.solver.layers.validate import Validate
from clew.solver.path import PathCondition, conjuncts
from clew.solver.patience import Patience
from clew.solver.refutations import Refutations
from clew.solver.stats import SolverStats
from clew.solver.value_tables import least


def build_chain(options: SolverOptions, stats: SolverStats) -> SolverChain:
    """Compose the stack."""
    patience, stop = Patience(stats), options.stop or (lambda: False)
    options = replace(options, stop=lambda: patience.is_over() or stop())

    def maker(name: str) -> Callable[[], Backend]:
        return lambda: BACKENDS.get(name)(options, stats)

    makers = [maker(name) for name in backends_of(options)]
    first = makers[0]()
    assert isinstance(first, CoreSolver)
    here = Decide([lambda: first, *makers[1:]], options.stop)
    apart = Apart(here, first, lambda: Decide(makers, options.stop), options, stats)
    below = Algebra(Integers(apart))
    less = Propagation(below, stats)
    known = KnownValues(below, Shortcuts(_patching(less, options)), stats)
    propagation = Propagation(known, stats)
    solver = _patching(propagation, options)
    models = solver = ModelReuse(solver, options.recent_models)
    cache = solver = Cache(
        solver, options.cache_entries, stats, cheap=frozenset((repair.NAME, reuse.NAME, slopes.NAME))
    )
    solver = OneByte(Shortcuts(solver))
    validate = None
    if options.validate:
        solver = validate = Validate(solver, Decide([maker(BACKENDS.names()[-1])]))
    clearers = (models.clear, cache.clear, byte_facts.clear, first.clear, apart.clear)
    return SolverChain(solver, apart, stats, patience, clearers, options.cache_entries, validate)


def _stated(path: PathCondition, core: Query, c: Expr, left: Expr, parts: Sequence[Expr]) -> Query:
    """A core of what is left of a path and of ``c``, in terms of what was stated."""
    if left is c:
        own = core.intersection(parts)
        return path.stated(core - own) | own
    return path.stated(core.difference(parts)).union(path.grounds(c), conjuncts(c))


def _of_one_byte(path: PathCondition, c: Expr, model: Model) -> Result | None:
    """Whether ``c`` is about one byte of which the path says nothing but which values it can have, and one fits."""
    symbols = c.symbols
    values = path.values_with(c) if len(symbols) == 1 else None
    if not values:
        return None
    (byte,) = symbols
    if values >> model.values.get(byte, 0) & 1:
        return sat(model, "model")
    return sat(model.updated({byte: least(values)}), BYTE)


def _patching(below: Solver, options: SolverOptions) -> Solver:
    """The layers that change the current model until it fits, unless they are not wanted."""
    return Repair(Slopes(below), options.repair_attempts) if options.repair_attempts else below


class SolverChain:
    """What the engine asks. One per run: it owns caches and solver instances."""

    def __init__(
        self,
        top: Solver,
        cores: CoreSolver,
        stats: SolverStats,
        patience: Patience,
        clearers: Sequence[Callable[[], None]] = (),
        refutations: int = 4096,
        validate: Validate | None = None,
    ) -> None:
        """``validate``: who checks what is not asked of ``top``, too."""
        self._top = top
        self._validate = validate
        self._cores = cores
        self._refutations = Refutations(refutations)
        self.repeating = False
        self._clearers = (*clearers, self._refutations.clear)
        self.stats = stats
        self.patience = patience

    def feasible(self, path: PathCondition, c: Bool, model: Model | None) -> Result:
        """Is ``path`` and ``c`` satisfiable?

        ``model`` must satisfy ``path``; the model of a SAT answer satisfies both and differs from it only in
        the symbols of the slice. Without a model the whole path is solved, group by group.
        """
        if model is None:
            known = self.model_of(path)
            if known.model is None:
                return known
            model = known.model
        if type(c) is not Expr:
            return self._answered(sat(model, "constant") if c else unsat("constant"))
        result = _of_one_byte(path, c, model)
        if result is None:
            if c in path or model.eval(c):
                return self._answered(sat(model, "model"))
            if lnot(c) in path:
                return self._answered(unsat("path"))
            core = self._refutations.find(path, c)
            if core is not None:
                self.stats.cache_hits += 1
                return self._answered(unsat(CACHE, core))
            result = self._reduced(path, c, model)
        if self._validate is not None:
            self._validate.confirm(result, frozenset((*path, *conjuncts(c))), model)
        return self._answered(result)

    def _reduced(self, path: PathCondition, c: Expr, model: Model) -> Result:
        """The same for a condition that the model does not meet: by what is left of it on the path."""
        left = path.reduced(c)
        if left is False:
            return unsat(BYTE, path.contradiction(c))
        if not isinstance(left, Expr):  # true, though the model violates it: it is not one of the path
            left = c
        found = None if left is c else _of_one_byte(path, left, model)
        if found is not None:
            return found
        parts = conjuncts(left)
        result = self._top.check(path.related(left).union(parts), model)
        return result if result.core is None else result._replace(core=_stated(path, result.core, c, left, parts))

    def refutation(self, path: PathCondition, c: Expr) -> Query | None:
        """``c`` and constraints of ``path`` that contradict it, if such are known from an earlier question.

        None while ``repeating``: a path that is followed again forks where it did, whatever has been learned since.
        """
        return None if self.repeating else self._refutations.find(path, c)

    def model_of(self, path: PathCondition, hint: Model | None = None) -> Result:
        """A model of all of ``path``, which may turn out infeasible. Values of ``hint`` are kept where possible."""
        model = hint or EMPTY_MODEL
        open_question: Result | None = None
        for group in path.groups():
            result = self.check(group, model)
            if result.answer is Answer.UNSAT:
                return result if result.core is None else result._replace(core=path.stated(result.core))
            if result.model is None:
                open_question = result
            else:
                model = result.model
        return open_question or sat(model, "groups")

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        """Decide a conjunction as it stands."""
        return self._answered(self._top.check(constraints, hint))

    def unsat_assumptions(
        self, base: Sequence[Expr], assumptions: Sequence[Expr], seconds: float | None = None
    ) -> list[Expr] | None:
        """The assumptions that contradict ``base``; None unless UNSAT, within ``seconds`` if these are given."""
        return self._cores.unsat_assumptions(base, assumptions, seconds)

    def clear(self) -> None:
        """Drop cached answers, models and solver instances, and with them the expressions they hold; answers do not
        change."""
        for clear in self._clearers:
            clear()

    def _answered(self, result: Result) -> Result:
        self.stats.count(result.source)
        if result.answer is Answer.UNKNOWN:
            self.stats.unknowns += 1
        elif result.core is not None:
            self._refutations.add(result.core)
        return result
