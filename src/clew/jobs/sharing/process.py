"""A worker that was not forked: a process that is given a program, and explores what it is told to.

    python -m clew.jobs.sharing.process NUMBER SOCKET SLOTS

The two files are those of ``clew.parallel.local.Channel``. The first message is a ``Package``.
"""

from __future__ import annotations

import mmap
import os
import socket
import sys
from traceback import format_exc

from clew.base.budget import default_memory_mb
from clew.base.garbage import no_collection
from clew.base.processes import available_cores, die_with_parent
from clew.base.watchdog import Stopped
from clew.jobs.ladders import climb, test_ladder
from clew.jobs.ledger import Ledger
from clew.jobs.phases.phase import Context
from clew.jobs.sharing.merging import learn
from clew.jobs.sharing.package import Package
from clew.parallel.local import Channel
from clew.parallel.messages import Begin, Broken, Joined
from clew.report.listener import Listener
from clew.techniques.registry import make_techniques


def explore(package: Package, channel: Channel) -> None:
    """Prepare the run, say so, and take part in it; this does not return."""
    request = package.request
    budget = request.budget()
    if request.memory_mb is None:
        budget.memory_mb = _share_mb(request.jobs)
    ledger = Ledger(request, "test", budget)
    context = Context(request, Listener(), budget, ledger, package.load())
    first, ladder = test_ladder(context, make_techniques(request))
    ready = first.prepare()
    channel.send(Joined(package.digest, socket.gethostname(), os.getpid()))
    begin: Begin = channel.receive(None)
    if begin.seconds is not None:
        budget.seconds = budget.elapsed() + begin.seconds
    learn(ready.run, begin.knowledge)
    first.sharing.join(channel)
    with no_collection():
        climb(ladder, budget, ledger)


def _share_mb(workers: int) -> float | None:
    """What a worker may take of this machine, which may have others."""
    limit = default_memory_mb()
    return None if limit is None else limit / min(workers, available_cores())


def main() -> None:
    """The process, from its arguments on."""
    number, end, slots = map(int, sys.argv[1:])
    die_with_parent()
    channel = Channel(number, socket.socket(fileno=end), mmap.mmap(slots, 0))
    os.close(slots)
    try:
        explore(channel.receive(None), channel)
    except Stopped:
        os._exit(1)
    except BaseException:
        channel.send(Broken(format_exc()))
    os._exit(1)


if __name__ == "__main__":
    main()
