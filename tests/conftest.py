"""Shared set-up of the test suite: fixed Hypothesis profile, a compile cache of its own, a target for every test."""

from __future__ import annotations

import ctypes
import gc
import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from clew.base.garbage import collect_rarely
from clew.expr.node import prune_table
from clew.frontend import target
from depth import DEPTH, QUICK, THOROUGH, selected
from targets import target_for

# Derandomized: a red run is red again. No deadline: the machines are shared and slow at times.
settings.register_profile(
    "usual",
    derandomize=True,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
    max_examples=40,
)
settings.register_profile(QUICK, parent=settings.get_profile("usual"), max_examples=10)
settings.register_profile(THOROUGH, parent=settings.get_profile("usual"), derandomize=False, max_examples=1000)
settings.load_profile(DEPTH)

REPOSITORY = Path(__file__).resolve().parent.parent
HOST_TARGET = target.host_target


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return REPOSITORY


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the user's compile cache out of the tests; all workers of one run share one folder.

    The interpreters that tests start keep the bytecode of the package beside it, whatever the environment says: to
    compile it again and again would take longer than most of what they do.
    """
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    os.environ["XDG_CACHE_HOME"] = str(shared / "cache")
    os.environ["XDG_STATE_HOME"] = str(shared / "state")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.fixture(autouse=True, scope="session")
def probed_once() -> None:
    """Each way to compile natively is tried once, not for every program."""
    from clew.jobs.native import build, compilers

    known: dict[compilers.NativeCompiler, tuple[tuple[bool, bool, str], bytes]] = {}

    def probe(compiler: compilers.NativeCompiler, folder: Path) -> tuple[bool, bool, str]:
        program = folder / "probe"
        if compiler not in known:
            found = compilers.probe(compiler, folder)
            known[compiler] = found, program.read_bytes() if found[0] else b""
        program.write_bytes(known[compiler][1])
        return known[compiler][0]

    build.probe = probe


@pytest.fixture(autouse=True, scope="session")
def heard_signals() -> None:
    """Programs that are started in the background ignore some signals, and so would all that tests start."""
    for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, usual)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Programs of a test that name no target get that of the test's file: results do not depend on the host.

    Only what decides for a program without a target is replaced; that a native run needs the host is still known.
    Tests marked ``native`` compare with native runs, or with processes of their own.
    """
    native = item.get_closest_marker("native") is not None or item.path.is_relative_to(REPOSITORY / "tests" / "oracle")
    chosen = target_for(item.path.relative_to(REPOSITORY).as_posix())
    target.host_target = HOST_TARGET if native else lambda machine=None: chosen


class Tidy:
    """Gives memory back between tests once they have left much behind.

    A run of the engine leaves cycles, keeps Python from looking for them, and ends with its process as a rule; here
    hundreds of runs share one. A look goes through all that thousands of tests have imported: so it is a rare one, and
    Python itself looks as seldom as in a process of Clew's own.
    """

    GROWTH = 160 << 20

    def __init__(self) -> None:
        self.kept = resident()

    def pytest_collection_finish(self) -> None:
        gc.collect()
        gc.freeze()
        collect_rarely()

    def pytest_runtest_logfinish(self) -> None:
        if resident() < self.kept + self.GROWTH:
            return
        gc.collect()
        prune_table()
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
        self.kept = resident()


def resident() -> int:
    """Bytes of memory this process has now; 0 where nobody says."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Tidy(), "tidy")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what this run is not meant to take (``depth.py``)."""
    if any("::" in argument for argument in config.args):
        return
    kept = selected(items)
    chosen = set(kept)
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = kept
