"""As much of Ray as workers of a cluster need, in this process: actors in a thread, which die and are begun again."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future
from concurrent.futures import wait as wait_for
from types import SimpleNamespace
from typing import Any


class RayError(Exception):
    """Anything that goes wrong; ``cause`` is what a method of an actor has raised."""

    def __init__(self, text: str, cause: BaseException | None = None) -> None:
        super().__init__(text)
        self.cause = cause


class Stored:
    """An object in the store."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __await__(self) -> Generator[Any, None, Any]:
        yield from ()
        return self._value


class Actor:
    """The handle of one: methods are called as ``actor.method.remote(...)``."""

    def __init__(self, loop: asyncio.AbstractEventLoop, make: Callable[[], Any]) -> None:
        self._loop = loop
        self._make = make
        self._open: set[Future[Any]] = set()
        self.instance: Any = make()
        self.is_gone = False
        self.begun = 1
        self._messages = 0

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return SimpleNamespace(remote=lambda *arguments: self._call(name, arguments))

    def _call(self, name: str, arguments: tuple[Any, ...]) -> Future[Any]:
        told: Future[Any] = Future()
        if self.is_gone:
            told.set_exception(RayError("the actor is dead"))
        elif name == "leave":
            if arguments[0] == self.instance._life:
                self.die()
        else:
            self._open.add(told)
            self._messages += name == "tell"
            late = 0.02 if name == "tell" and self._messages % 2 else 0.0
            method = getattr(self.instance, name)(*arguments)
            asyncio.run_coroutine_threadsafe(self._run(method, told, late), self._loop)
        return told

    async def _run(self, method: Awaitable[Any], told: Future[Any], late: float) -> None:
        """Ray keeps no order of what is asked: every other message comes late."""
        await asyncio.sleep(late)
        try:
            result = await method
        except Exception as problem:
            self._settle(told, problem=RayError(str(problem), problem))
        else:
            self._settle(told, result)

    def _settle(self, told: Future[Any], result: Any = None, problem: Exception | None = None) -> None:
        self._open.discard(told)
        if not told.done():
            told.set_exception(problem) if problem is not None else told.set_result(result)

    def die(self, for_good: bool = False) -> None:
        """The process of the actor is killed; what it was asked fails; another one takes its place."""
        process = self.instance._process
        if process is not None:
            process.kill()
            process.wait()
        for told in list(self._open):
            self._settle(told, problem=RayError("the actor has died"))
        self.is_gone = for_good
        self.instance = self._make()
        self.begun += 1


class RayStandIn:
    """To be used as the package is."""

    exceptions = SimpleNamespace(RayError=RayError)

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self.actors: list[Actor] = []
        self.room = True
        """Whether there is room in the object store."""

    def put(self, value: Any) -> Stored:
        if not self.room:
            raise RayError("the object store is full")
        return Stored(value)

    def remote(self, **options: Any) -> Callable[[type], Any]:
        def made(kind: type) -> Any:
            return SimpleNamespace(remote=lambda *arguments: self._begin(lambda: kind(*arguments)))

        return made

    def _begin(self, make: Callable[[], Any]) -> Actor:
        self.actors.append(Actor(self._loop, make))
        return self.actors[-1]

    def wait(
        self, references: Sequence[Future[Any]], num_returns: int = 1, timeout: float | None = None
    ) -> tuple[list[Future[Any]], list[Future[Any]]]:
        done, left = wait_for(references, timeout, FIRST_COMPLETED)
        return list(done), list(left)

    def get(self, reference: Future[Any]) -> Any:
        return reference.result()

    def kill(self, actor: Actor) -> None:
        actor.die(for_good=True)

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 2.0}
