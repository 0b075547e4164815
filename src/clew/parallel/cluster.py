"""Workers as actors of a Ray cluster, as the coordinator's side has them.

Ray places them and begins dead ones again. A worker takes part when it says that it is ready (``Joined``), be it at
once, or an hour later, when a machine is added for it. Whatever goes wrong between an actor and here, the worker counts
as dead from then on, and what it says after that as never said: its jobs are done by others.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from typing import Any

from clew import __version__
from clew.base.errors import UserError
from clew.base.ray_cluster import one_line
from clew.parallel.actor import Heard, WorkerActor
from clew.parallel.messages import Commit, Joined

FAILURES = 5
"""Times that an actor may fail without having been ready in between."""


class ClusterLost(Exception):
    """No worker of the cluster can be had any more; says why."""


class ClusterWorkers:
    """At most ``count`` workers, numbered from 0 on. ``ray`` is the package, connected to a cluster."""

    divides = False
    """A worker has no copies: they would be on its machine."""

    def __init__(self, ray: Any, count: int, module: str, package: bytes, digest: str) -> None:
        """``package`` is what each worker gets first; it is kept once for each machine. ``module`` is what it runs."""
        self._ray = ray
        self.count = count
        self._digest = digest
        try:
            self._package = ray.put(package)
        except ray.exceptions.RayError as problem:
            raise UserError(
                f"the program ({len(package) >> 20} MB) does not fit into the cluster's object store:"
                f" {one_line(problem)}; start Ray with a larger --object-store-memory"
            ) from None
        actor = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=0, scheduling_strategy="SPREAD")(WorkerActor)
        self._actors = [actor.remote(number, __version__, module) for number in range(count)]
        self._hearing: dict[Any, int] = {}
        self._lives: dict[int, str] = {}
        """Of workers that are ready."""
        self._sent = [0] * count
        """Messages to each, in that life."""
        self.where: dict[int, tuple[str, int]] = {}
        """The machine and the process of each, when it was ready last."""
        self._died_at: dict[int, int | None] = {}
        self._ended: set[int] = set()
        """Workers that have said their last word."""
        self._failures = [0] * count
        self._refused: dict[int, str] = {}
        """Workers that cannot be had, and why."""
        self.messages = 0
        for number in range(count):
            self._listen(number)

    def __contains__(self, number: int) -> bool:
        return number in self._lives

    def __len__(self) -> int:
        return len(self._lives)

    def refusals(self) -> Sequence[str]:
        """Why workers cannot be had, each reason once."""
        return tuple(dict.fromkeys(self._refused.values()))

    def send(self, number: int, message: object) -> None:
        """Tell a worker something, if it is there."""
        if number in self._lives:
            self.messages += 1
            self._actors[number].tell.remote(self._lives[number], self._sent[number], pickle.dumps(message))
            self._sent[number] += 1

    def wait(self, seconds: float) -> Iterator[tuple[int, Any]]:
        """Messages, as (worker, message), that come within the time; None for one that has died.

        ClusterLost if there is no worker any more, and none will come.
        """
        if len(self._refused) == self.count:
            raise ClusterLost("; ".join(self.refusals()))
        if not self._hearing:
            return
        ready, _ = self._ray.wait(list(self._hearing), timeout=seconds)
        if ready:
            ready, _ = self._ray.wait(list(self._hearing), num_returns=len(self._hearing), timeout=0)
        for reference in ready:
            yield from self._heard(self._hearing.pop(reference), reference)

    def job_of(self, number: int) -> int | None:
        """The job that a worker was at when it died, if that is known."""
        return self._died_at.get(number)

    def memory_mb(self) -> dict[int, float]:
        """Nothing: memory on other machines is up to the workers, and to Ray."""
        return {}

    def name_of(self, number: int) -> str:
        """What people call a worker: its number, and its machine."""
        return f"{number} {self.where[number][0]}"

    def interrupt(self) -> None:
        """Ask all to stop in order."""
        for number, life in self._lives.items():
            self._actors[number].interrupt.remote(life)

    def kill(self, number: int) -> None:
        """End a worker that does not listen: it counts as dead, and nothing takes its place."""
        if self._lives.pop(number, None) is not None:
            self._died_at[number] = None
        self._ray.kill(self._actors[number])

    def close(self) -> None:
        """End all of them."""
        self._hearing.clear()
        self._lives.clear()
        for actor in self._actors:
            self._ray.kill(actor)
        self._actors.clear()

    # What comes

    def _listen(self, number: int) -> None:
        package = () if number in self._lives else (self._package,)
        self._hearing[self._actors[number].hear.remote(package)] = number

    def _heard(self, number: int, reference: Any) -> Iterator[tuple[int, Any]]:
        try:
            heard: Heard = self._ray.get(reference)
        except self._ray.exceptions.RayError as problem:
            yield from self._failed(number, problem)
            return
        if self._lives.get(number, heard.life) != heard.life:  # begun again before that was heard of
            yield from self._bury(number, None)
        if heard.died_at is not None and number in self._ended:
            yield from self._bury(number, None)
            return
        if heard.died_at is not None:
            self._actors[number].leave.remote(heard.life)
            yield from self._bury(number, heard.died_at)
            self._begin_again(number, "the process of a worker ends at once, again and again")
            return
        for data in heard.messages:
            self.messages += 1
            message = pickle.loads(data)
            if isinstance(message, Joined):
                self._join(number, heard.life, message)
            elif isinstance(message, Commit) and message.ends:
                self._ended.add(number)
            if number in self._lives:
                yield number, message
        if number not in self._refused:
            self._listen(number)

    def _join(self, number: int, life: str, message: Joined) -> None:
        if message.digest != self._digest:
            self._refused[number] = (
                "a worker of the cluster has another program than this one: it was damaged on its way"
            )
            return
        self._lives[number] = life
        self._sent[number] = 0
        self.where[number] = (message.machine, message.process)
        self._failures[number] = 0

    def _failed(self, number: int, problem: Exception) -> Iterator[tuple[int, Any]]:
        """The actor, its machine, or the way there: Ray begins it again, unless it says that it will not work."""
        if number in self._lives:
            self._actors[number].leave.remote(self._lives[number])  # if it was the way there
            yield from self._bury(number, None)
        cause = getattr(problem, "cause", None)
        if isinstance(cause, UserError):
            self._refused[number] = str(cause)
        else:
            self._begin_again(number, f"{type(problem).__name__}: {one_line(problem)}")

    def _begin_again(self, number: int, why: str) -> None:
        self._failures[number] += 1
        if self._failures[number] > FAILURES:
            self._refused[number] = why
        else:
            self._listen(number)

    def _bury(self, number: int, at: int | None) -> Iterator[tuple[int, Any]]:
        if self._lives.pop(number, None) is not None:
            self._died_at[number] = at
            yield number, None
