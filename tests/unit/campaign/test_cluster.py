"""Runs on a cluster: what travels, what is refused, and, where Ray is installed, a real one."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from clew.base.budget import Interrupt
from clew.base.errors import UserError
from clew.campaign.cluster import ClusterRunner, pack, run_here, unpack
from clew.campaign.listing import Run, read_listing
from clew.campaign.results import DONE
from clew.campaign.session import Campaign
from clew.campaign.store import FolderStore


def test_a_folder_travels(tmp_path: Path) -> None:
    (tmp_path / "a" / "tests").mkdir(parents=True)
    (tmp_path / "a" / "tests" / "000001.json").write_text("{}")
    unpack(pack(tmp_path / "a"), tmp_path / "b")
    assert (tmp_path / "b" / "tests" / "000001.json").read_text() == "{}"
    assert pack(tmp_path / "none") == b""
    unpack(b"", tmp_path / "c")
    assert not (tmp_path / "c").exists()


def test_nothing_is_written_elsewhere(tmp_path: Path) -> None:
    """An archive of a worker is not trusted."""
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w:gz") as archive:
        archive.addfile(tarfile.TarInfo("../outside"))
    with pytest.raises(tarfile.FilterError):
        unpack(written.getvalue(), tmp_path / "in")
    assert not (tmp_path / "outside").exists()


def test_another_version() -> None:
    with pytest.raises(UserError, match=r"a worker has Clew .*, this is 0\.0\.0\.other: install the same version"):
        run_here(Run("r"), 1.0, "0.0.0.other")


@pytest.mark.thorough
def test_a_real_cluster(tmp_path: Path) -> None:
    """All runs come back with what they would have left here; one whose worker dies is run again."""
    pytest.importorskip("ray")
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.c").write_text("int main(void) { return 0; }\n")
    (tmp_path / "list.toml").write_text('defaults = {time = 60, retries = 3}\n[[run]]\neach = "*.c"\n')
    listing = read_listing(tmp_path / "list.toml")
    runner = ClusterRunner("auto", tmp_path)
    store = FolderStore(tmp_path / "out")
    runner.start(listing.runs[0], 60.0, store.begin("killed"))
    for task in list(runner._going):
        runner._ray.cancel(task, force=True)
    ended = None
    while ended is None:
        ended = runner.wait(1.0)
    outcomes, left = Campaign(listing, runner, store, Interrupt(), lambda outcome, queue: None).run()
    assert not left
    assert {outcome.run.name: outcome.state for outcome in outcomes} == {"a": DONE, "b": DONE, "c": DONE}
    assert (tmp_path / "out" / "runs" / "b" / "tests" / "000001.json").is_file()
