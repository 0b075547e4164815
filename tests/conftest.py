"""Shared set-up of the test suite: fixed Hypothesis profile, a compile cache of its own, a target for every test."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from clew.frontend import target
from targets import target_for

# Derandomized: a red run is red again. No deadline: the machines are shared and slow at times.
settings.register_profile(
    "clew", derandomize=True, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", parent=settings.get_profile("clew"), derandomize=False, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "clew"))

REPOSITORY = Path(__file__).resolve().parent.parent
HOST = target.host_target()


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return REPOSITORY


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the user's compile cache out of the tests; all workers of one run share one folder."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    os.environ["XDG_CACHE_HOME"] = str(shared / "cache")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Programs of a test that name no target get that of the test's file: results do not depend on the host.

    Only what decides for a program without a target is replaced; that a native run needs the host is still known.
    Tests marked ``native`` compare with native runs.
    """
    native = item.get_closest_marker("native") is not None or item.path.is_relative_to(REPOSITORY / "tests" / "oracle")
    chosen = HOST if native else target_for(item.path.relative_to(REPOSITORY).as_posix())
    target.host_target = lambda machine=None: chosen
