"""What arms in several processes leave to each other: how it gets from one ledger into another, and why that is sound.

Each process has a ledger, all of them copies of one. What is entered in one is told to the process of the command,
which enters it in its own, and then tells the others. These invariants make an answer of many processes worth what one
of a single process is:

1. *Facts only grow.* A proof, a failure that re-execution has shown, an error that nobody asked for stay what they are
   once they are entered. So it does not matter when somebody hears of one, nor in which order.
2. *Entered here before it is told to others.* An arm relies on what others know only after the process of the command
   has entered it: nothing rests on a fact that died with the process which had it.
3. *A proof rests on its own run, and on facts.* An arm calls something proved for what its own runs have shown, all of
   which are in its process: paths that were lost, cut or left there keep it from a proof there. Of others it uses only
   that properties are settled (it does not look for their violations), and errors that nobody asked for, which only
   ever keep it from a proof. So losses of other arms, bounds that they came to, or their death take nothing from it.
4. *What waits, is bounded or was cut is no fact.* It is told as what the run of an arm amounts to (``RunRecord``), for
   the summary; others never learn of it.
5. *Lemmas are facts about the program*, whatever is asked: what loops keep on any path. They are told by value, and
   used by whoever finds them to be about the loops that the own analysis of the program has.
6. *Questions are the same.* Properties are known by kind and place, which do not depend on how an arm prepares the
   program.

What is told is bounded: answers and failures by the number of properties, lemmas are told once, the rest is counters.
Clauses that searches learn go another way (``clew.techniques.conflicts.clause_exchange``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clew.checks.properties import PropertyKey
from clew.jobs.ledger import Ledger
from clew.jobs.sharing.relay import Relay
from clew.jobs.side_by_side.messages import News
from clew.report.listener import Listener
from clew.report.records import TARGET_TEST, Bug, Test
from clew.techniques.tasks import Answer, Proved

if TYPE_CHECKING:
    from clew.techniques.invariants.candidates.lemmas import Lemmas


class Diary:
    """What the process of an arm has told of its ledger, and what not yet."""

    def __init__(self, ledger: Ledger, relay: Relay) -> None:
        self._ledger = ledger
        self._relay = relay
        relay.keep()
        self._note()

    def _note(self) -> None:
        findings = self._ledger.findings
        self._answers: dict[PropertyKey, Answer] = dict(self._ledger.answers)
        self._arrival = findings.arrival
        self._unasked: dict[PropertyKey, str] = dict(findings.unasked)
        self._doubtful = frozenset(findings.doubtful)
        self._lemmas = set(self._ledger.lemmas)

    def has_news(self) -> bool:
        """Whether there is something that should be told soon: what others need not look for any more."""
        if self._relay.has_found or self._new_lemmas():
            return True
        return any(self._answers.get(key) != answer for key, answer in proofs(self._ledger))

    def _new_lemmas(self) -> dict[bool, Lemmas]:
        """Where none were found, others may have more time to look for some."""
        known = self._ledger.lemmas
        return {ranked: lemmas for ranked, lemmas in known.items() if lemmas and ranked not in self._lemmas}

    def has_more(self) -> bool:
        """Whether there is anything to tell of what was found."""
        findings = self._ledger.findings
        told = self._arrival is findings.arrival and self._unasked == findings.unasked
        return self._relay.has_any or not told or self._doubtful != findings.doubtful

    def news(self) -> News:
        """What was entered since this was asked last."""
        ledger, findings = self._ledger, self._ledger.findings
        found, warnings = self._relay.taken()
        news = News(
            {key: answer for key, answer in ledger.answers.items() if self._answers.get(key) != answer},
            found,
            findings.arrival if findings.arrival is not self._arrival else None,
            {key: bound for key, bound in findings.unasked.items() if self._unasked.get(key) != bound},
            frozenset(findings.doubtful) - self._doubtful,
            warnings,
            ledger.loop_invariants,
            self._new_lemmas(),
        )
        self._note()
        return news

    def learn(self, news: News) -> None:
        """Enter what others have found out: it is not to be told again."""
        ledger = self._ledger
        enter(ledger, news, Listener())
        self._answers |= {key: answer for key, answer in news.answers.items() if ledger.answers.get(key) == answer}
        self._unasked |= news.unasked
        self._doubtful |= news.doubtful
        self._lemmas |= set(news.lemmas)
        if news.arrival is ledger.findings.arrival:
            self._arrival = news.arrival


def enter(ledger: Ledger, news: News, listener: Listener) -> News:
    """Enter what another process has told; what of it was new, for others: proofs and what was found, no more."""
    findings = ledger.findings
    before = dict(ledger.answers)
    for key, bound in news.unasked.items():
        findings.meet_unasked(key, bound)
    findings.doubtful |= news.doubtful
    for text in news.warnings:
        if text not in findings.warnings:
            findings.warnings.append(text)
            listener.warning(text)
    found = _file(ledger, news, listener)
    ledger.answer_open(news.answers, of_run=True)
    fresh = {key: answer for key, answer in proofs(ledger) if before.get(key) != answer}
    if fresh and news.loop_invariants:
        ledger.loop_invariants = news.loop_invariants
    arrival = news.arrival if news.arrival is findings.arrival else None
    lemmas = {ranked: told for ranked, told in news.lemmas.items() if not ledger.lemmas.get(ranked)}
    ledger.lemmas |= lemmas
    return News(fresh, found, arrival, news.unasked, news.doubtful, lemmas=lemmas)


def proofs(ledger: Ledger) -> list[tuple[PropertyKey, Answer]]:
    """What a ledger has as proved."""
    return [(key, answer) for key, answer in ledger.answers.items() if isinstance(answer, Proved)]


def _file(ledger: Ledger, news: News, listener: Listener) -> tuple[Bug, ...]:
    """File what was found, and tell the listener of what is new."""
    findings, bugs, shown = ledger.findings, list[Bug](), list[Test]()
    arrived = news.arrival is not None and findings.arrive(news.arrival)
    for one in news.found:
        if isinstance(one, Bug):
            if findings.take(one):
                bugs.append(one)
                for test in shown:
                    findings.tests += 1
                    listener.test_found(test)
                listener.bug_found(one)
            shown.clear()
        elif one.reason != TARGET_TEST:
            shown.append(one)
        elif arrived:
            findings.tests += 1
            listener.test_found(one)
    return tuple(bugs)
