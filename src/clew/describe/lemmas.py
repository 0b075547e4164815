"""Lemmas in terms of the source: ``x % 2 == 0``, ``2*s == i*i - i (mod 2^32)``, ``flag == 0 or x <= n``."""

from __future__ import annotations

from clew.describe.c_names import CNames
from clew.describe.c_text import Speller
from clew.expr.node import Expr
from clew.expr.op import CONST, EQ, ITE, LAND, LNOT, SYMBOL
from clew.expr.polynomials import ONE, Monomial, Polynomial, plus, polynomial
from clew.expr.rewrite.boolean import negated
from clew.expr.sort import SortKind
from clew.program.module import Program
from clew.techniques.invariants.candidates.heads import Head, Place
from clew.techniques.invariants.candidates.lemmas import Lemma
from clew.techniques.invariants.candidates.ranking import Ranking


class LemmaDescriber:
    """Texts for the lemmas of one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._source = CNames(program)

    def text(self, lemma: Lemma) -> str:
        """What a lemma says."""
        return _Writer(self._names(lemma.head)).condition(lemma.condition)

    def ranking(self, ranking: Ranking) -> str:
        """Why a loop ends."""
        speller = Speller(self._names(ranking.head).__getitem__)
        text = ", then ".join(speller.text(_positive(part)) for part in ranking.parts) + " gets smaller each time"
        if ranking.most is None:
            return text
        return f"{text}, {ranking.most:,} iterations at most"

    def _names(self, head: Head) -> dict[Expr, str]:
        """Of all terms; what the loop leaves alone bears the name of a variable of its, if that began with it."""
        changed = {self._name(head, term.what) for term in head.terms if term.changed}
        found: dict[Expr, str] = {}
        for term in head.terms:
            name = self._name(head, term.what)
            found[term.symbol] = f"{name}@entry" if name in changed and not term.changed else name
        return found

    def _name(self, head: Head, what: str | Place) -> str:
        function = self._program.functions[head.function]
        if isinstance(what, str):
            return self._source.variable(function, what)
        if isinstance(what.object, str):
            return self._source.part_of_global(self._program.globals[what.object], what.offset)
        assert isinstance(what.object, tuple)
        return self._source.part_of_local(function, what.object[1], what.offset)


def _positive(e: Expr) -> Expr:
    """Of what is zero unless some condition holds: what it is then."""
    return next((arm for arm in e.args[1:] if arm.op is not CONST), e) if e.op is ITE else e


class _Writer:
    """Writes conditions over symbols that have names."""

    def __init__(self, names: dict[Expr, str]) -> None:
        self._names = names
        self._speller = Speller(names.__getitem__)

    def condition(self, e: Expr) -> str:
        """A disjunction, an equality, or what C has a text for."""
        inner = e.args[0] if e.op is LNOT else None
        if inner is not None and inner.op is LAND:
            texts = [self.condition(negated(part)) for part in inner.args]
            return " or ".join(sorted(texts, key=lambda text: (len(text), text)))
        equal = e if inner is None else inner
        is_bit = equal.op is EQ and equal.args[0].sort.kind is SortKind.BV and equal.args[0].width == 1
        if e.op is EQ or is_bit:
            return self._equality(equal, int(e.op is LNOT)) or self._speller.text(e)
        return self._speller.text(e)

    def _equality(self, e: Expr, more: int) -> str:
        """``left == right + more``, modulo the power of two that their width says; empty if it is about parts."""
        if e.args[0].sort.kind is not SortKind.BV:
            return ""
        bits = e.args[0].width
        left, right = (polynomial(arg, bits) for arg in e.args)
        whole = plus(plus(left, right, -1, bits), {ONE: 1}, -more, bits)
        atoms = {atom for monomial in whole for atom in monomial}
        if any(atom.op is not SYMBOL for atom in atoms):
            return ""
        minus = {m: (1 << bits) - c for m, c in whole.items() if c >> (bits - 1) and (m == ONE or bits > 1)}
        positive = {m: c for m, c in whole.items() if m not in minus}
        if not any(m != ONE for m in positive):
            positive, minus = minus, positive
        if len(atoms) == 1 and bits < max(atom.width for atom in atoms) and not any(m != ONE for m in minus):
            rest = minus.get(ONE, 0) - positive.pop(ONE, 0)
            return f"{self._sum(positive)} % {1 << bits} == {rest % (1 << bits)}" if len(positive) == 1 else ""
        return self._both(positive, minus, bits)

    def _both(self, positive: Polynomial, negative: Polynomial, bits: int) -> str:
        text = f"{self._sum(positive)} == {self._sum(negative)}"
        parts = [(m, c) for m, c in (*positive.items(), *negative.items()) if m != ONE]
        plain = all(len(m) == 1 and c == 1 and m[0].width == bits for m, c in parts)
        return text if plain and len(positive) + len(negative) <= 2 else f"{text} (mod 2^{bits})"

    def _sum(self, terms: Polynomial) -> str:
        parts = [self._term(m, c) for m, c in sorted(terms.items(), key=lambda item: self._rank(item[0]))]
        return " + ".join(parts) if parts else "0"

    def _rank(self, monomial: Monomial) -> tuple[bool, int, list[str]]:
        return monomial == ONE, len(monomial), [self._names[atom] for atom in monomial]

    def _term(self, monomial: Monomial, factor: int) -> str:
        names = sorted(self._names[atom] for atom in monomial)
        return "*".join(names if names and factor == 1 else [str(factor), *names])
