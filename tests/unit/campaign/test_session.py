"""Campaigns from list to record, with runs that are only played."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clew.base.budget import Interrupt
from clew.base.errors import UserError
from clew.campaign import session
from clew.campaign.listing import Listing, Run
from clew.campaign.processes import Ended
from clew.campaign.queue import Queue
from clew.campaign.results import CUT, DONE, FAILED, LOST, STOPPED, Outcome, outcome_of
from clew.campaign.session import Campaign
from clew.campaign.store import FolderStore, RemoteStore, Store, open_store
from clew.campaign.text import campaign_lines

Play = Callable[[Run, int], Ended]
"""How a run ends, given how often it was begun before."""


class Player:
    """Runs that end at once, in any order."""

    def __init__(self, play: Play, slots: int = 2) -> None:
        self.slots = slots
        self.begun: Counter[str] = Counter()
        self._play = play
        self._going: list[Ended] = []
        self._random = random.Random(0)

    def start(self, run: Run, seconds: float, out: Path) -> None:
        assert len(self._going) < self.slots
        ended = self._play(run, self.begun[run.name])
        self.begun[run.name] += 1
        if ended.summary is not None:
            out.mkdir()
            (out / "summary.json").write_text(json.dumps(ended.summary))
        self._going.append(ended)

    def wait(self, seconds: float) -> Ended | None:
        return self._going.pop(self._random.randrange(len(self._going))) if self._going else None

    def interrupt(self) -> None:
        pass

    def close(self) -> None:
        self._going.clear()


def summary(**more: Any) -> dict[str, Any]:
    branches = {"branches": {"covered": 1, "total": 2}}
    return {"tests": 1, "bugs": [], "coverage": branches, "stats": {"wall_seconds": 1.5}, "stopped": None, **more}


def well(run: Run, before: int) -> Ended:
    return Ended(run, 0, summary(), "")


def campaign(
    folder: Path, runs: list[Run], player: Player, store: Store, time: float | None = None
) -> tuple[list[Outcome], list[Run]]:
    listing = Listing(folder, tuple(runs), time)
    return Campaign(listing, player, store, Interrupt(), lambda outcome, queue: None).run()


def test_all_runs_once(tmp_path: Path) -> None:
    player, runs = Player(well), [Run(f"r{n}") for n in range(9)]
    outcomes, left = campaign(tmp_path, runs, player, FolderStore(tmp_path / "o"))
    assert sorted(outcome.run.name for outcome in outcomes) == sorted(run.name for run in runs)
    assert not left
    assert set(player.begun.values()) == {1}
    record = json.loads((tmp_path / "o" / "campaign.json").read_text())
    assert [run["name"] for run in record["runs"]] == sorted(run.name for run in runs)
    assert (tmp_path / "o" / "runs" / "r3" / "summary.json").is_file()


def test_lost_runs_are_tried_again(tmp_path: Path) -> None:
    """As often as they may; what failed by its own fault is not."""

    def play(run: Run, before: int) -> Ended:
        if run.name == "wrong":
            return Ended(run, 2, None, "no such file")
        return Ended(run, -9, None, "") if before < 2 else well(run, before)

    runs = [Run("wrong", retries=5), Run("often", retries=2), Run("once", retries=1)]
    player = Player(play)
    outcomes, _ = campaign(tmp_path, runs, player, FolderStore(tmp_path / "o"))
    assert {outcome.run.name: outcome.state for outcome in outcomes} == {"wrong": FAILED, "often": DONE, "once": LOST}
    assert player.begun == {"wrong": 1, "often": 3, "once": 2}
    told = "\n".join(campaign_lines(outcomes, [], "o"))
    assert "once: lost: ended by signal 9" in told
    assert "wrong: failed: no such file" in told


def test_resumed(tmp_path: Path) -> None:
    """What ended stays, unless it is another run by now; what was lost or cut short is done again."""
    kinds = {"fine": summary(), "slow": summary(stopped="time"), "stopped": summary(stopped="interrupted")}

    def play(run: Run, before: int) -> Ended:
        return Ended(run, 0, kinds[run.name], "") if run.name in kinds else Ended(run, -9, None, "")

    runs = [Run("fine"), Run("slow"), Run("stopped"), Run("dead", retries=0), Run("changed", retries=0)]
    campaign(tmp_path, runs, Player(play), FolderStore(tmp_path / "o"))
    again = Player(well)
    runs[4] = Run("changed", options=("-w",))
    outcomes, _ = campaign(tmp_path, runs, again, open_store(str(tmp_path / "o"), resume=True))
    assert set(again.begun) == {"stopped", "dead", "changed"}
    assert len(outcomes) == 5
    assert {outcome.run.name: outcome.state for outcome in outcomes}["slow"] == STOPPED


def test_time_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs get what is left, then none is begun; both are told."""
    clock = iter(range(0, 10_000, 10))
    monkeypatch.setattr(session.time, "monotonic", lambda: float(next(clock)))

    def play(run: Run, before: int) -> Ended:
        return Ended(run, 3, summary(stopped="time"), "")

    runs = [Run(f"r{n}", time=1000.0) for n in range(20)]
    outcomes, left = campaign(tmp_path, runs, Player(play, 1), FolderStore(tmp_path / "o"), time=95.0)
    assert outcomes and left
    assert len(outcomes) + len(left) == 20
    assert {outcome.state for outcome in outcomes} == {CUT}
    assert "not begun: " in "\n".join(campaign_lines(outcomes, left, "o"))


def test_a_failure_loses_nothing(tmp_path: Path) -> None:
    def play(run: Run, before: int) -> Ended:
        if run.name == "r3":
            raise KeyboardInterrupt
        return well(run, before)

    with pytest.raises(KeyboardInterrupt):
        campaign(tmp_path, [Run(f"r{n}") for n in range(6)], Player(play, 1), FolderStore(tmp_path / "o"))
    record = json.loads((tmp_path / "o" / "campaign.json").read_text())
    assert [run["name"] for run in record["runs"]] == ["r0", "r1", "r2"]
    assert sorted(record["left"]) == ["r3", "r4", "r5"]


@pytest.mark.parametrize(
    ("expect", "found", "unexpected"),
    [
        (None, summary(), False),
        (None, summary(bugs=[{"kind": "assert"}]), True),
        (None, summary(bugs=[{"kind": "assert", "class": "possible"}]), False),
        ("FALSE", summary(verdict="FALSE", bugs=[{"kind": "assert"}]), False),
        ("TRUE", summary(verdict="FALSE", bugs=[{"kind": "assert"}]), True),
        ("TRUE", summary(verdict="UNKNOWN"), False),
    ],
)
def test_what_to_look_at(expect: str | None, found: dict[str, Any], unexpected: bool) -> None:
    run = Run("r", "verify" if expect else "test", expect=expect)
    assert outcome_of(run, "", 0, found, "").is_unexpected == unexpected


def test_queue_in_any_order() -> None:
    """Whatever ends when and how: every run is in one place, and all of them end."""
    chance = random.Random(7)
    for _ in range(200):
        runs = [Run(f"r{n}", retries=chance.randrange(3)) for n in range(chance.randrange(1, 8))]
        queue, begun = Queue.of(runs), Counter[str]()
        while not queue.is_done:
            run = queue.next() if chance.random() < 0.5 else None
            if run is not None:
                begun[run.name] += 1
            elif queue.running:
                name = chance.choice(list(queue.running))
                state = chance.choice((DONE, LOST))
                queue.end(Outcome(queue.running[name], "", state))
            places = [*(run.name for run in queue.waiting), *queue.running, *queue.ended]
            assert sorted(places) == sorted(run.name for run in runs)
        assert all(begun[run.name] <= 1 + run.retries for run in runs)


def test_stores_that_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="is not a folder"):
        open_store(str(tmp_path / "file"), resume=False)
    with pytest.raises(UserError, match="is not empty: choose a new --out, or go on there with --resume"):
        open_store(str(tmp_path), resume=False)
    with pytest.raises(UserError, match=r"there is no campaign in .* to go on with"):
        open_store(str(tmp_path), resume=True)
    (tmp_path / "campaign.json").write_text("[]")
    with pytest.raises(UserError, match="is broken: begin anew"):
        open_store(str(tmp_path), resume=True)


def test_results_elsewhere(tmp_path: Path) -> None:
    """What fsspec reaches, here in memory, holds the same as a folder would; and is gone on with."""
    pytest.importorskip("fsspec")
    runs = [Run("a/one"), Run("two")]
    store = open_store(f"memory://{tmp_path.name}/c", resume=False)
    assert isinstance(store, RemoteStore)
    campaign(tmp_path, runs, Player(well), store)
    again = Player(well)
    outcomes, _ = campaign(tmp_path, runs, again, open_store(f"memory://{tmp_path.name}/c", resume=True))
    assert (len(outcomes), again.begun) == (2, Counter())
    import fsspec

    files = fsspec.filesystem("memory")
    kept = {path.split("/c/", 1)[1] for path in files.find(f"/{tmp_path.name}/c")}
    assert kept == {"campaign.json", "runs/a/one/summary.json", "runs/two/summary.json"}
    with pytest.raises(UserError, match="is not empty"):
        open_store(f"memory://{tmp_path.name}/c", resume=False)
