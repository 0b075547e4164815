"""The coordinator: who gets which jobs, what becomes of those of the dead, and when all is done."""

from __future__ import annotations

from random import Random

from clew.parallel.coordinator import BATCH, DEATHS, MOST_DEATHS, ROUNDS, Ask, Assign, Command, Coordinator, Replace
from clew.parallel.prefix import Prefix


def job(number: int) -> Prefix:
    return Prefix(b"", number, 0)


def numbers(jobs: list[Prefix]) -> list[int]:
    return sorted(prefix.choices for prefix in jobs)


def of(worker: int, count: int, coordinator: Coordinator) -> list[tuple[int, Prefix]]:
    return [(place, job(place)) for place in coordinator.numbers(count)]


def test_an_idle_worker_takes_from_the_one_with_most_jobs() -> None:
    coordinator = Coordinator(0)
    assert coordinator.joined(0, of(0, 3, coordinator)) == []
    assert coordinator.joined(1, of(1, 6, coordinator)) == []
    assert coordinator.joined(2) == [Ask(1, 3)]
    assert coordinator.joined(3) == [Ask(0, 1)]  # the other one, since that one has not answered
    assert coordinator.joined(4) == []
    given = [job(6), job(7), job(8)]
    commands = coordinator.committed(1, [], [6, 7, 8], given)
    assert [command.worker for command in commands if isinstance(command, Assign)] == [2, 3, 4]
    assert numbers(coordinator.left()) == list(range(9))
    assert not coordinator.is_done


def test_many_jobs_are_handed_out_in_few_portions() -> None:
    """What is got at once is followed together. Where there are few for each, all have some."""
    coordinator = Coordinator(0)
    coordinator.queue += [job(number) for number in range(ROUNDS * 10 * BATCH)]
    (first,) = coordinator.joined(0)
    assert isinstance(first, Assign) and len(first.jobs) == 10 * BATCH
    (second,) = coordinator.joined(1)
    assert isinstance(second, Assign) and len(second.jobs) == (ROUNDS - 1) * 10 * BATCH // (2 * ROUNDS)
    few = Coordinator(0)
    few.queue += [job(number) for number in range(BATCH + 2)]
    assert [len(command.jobs) for command in few.joined(0) if isinstance(command, Assign)] == [BATCH]


def test_who_has_none_to_give_is_asked_again_when_that_has_changed() -> None:
    coordinator = Coordinator(100)
    coordinator.joined(0, [(1, job(1)), (2, job(2))])
    assert coordinator.joined(1) == [Ask(0, 1)]
    assert coordinator.committed(0, [], [], ()) == []
    assert coordinator.committed(0, [(3, job(3))], []) == [Ask(0, 1)]


def test_a_copy_has_jobs_of_the_worker_that_it_was_made_from() -> None:
    coordinator = Coordinator(100)
    coordinator.joined(0, [(1, job(1)), (2, job(2)), (-1, job(3))])
    coordinator.committed(0, [], [], waiting=9)
    assert coordinator.joined(1) == [Ask(0, 4)]  # states are divided, whatever jobs they are
    assert coordinator.dividing(0) == 1
    assert not coordinator.knows(1) and not coordinator.is_done
    assert coordinator.joined(2) == []  # who was asked is not asked again
    assert coordinator.divided(0, 1, [2], [-1]) == [Ask(0, 2)]
    assert numbers(coordinator.left()) == [1, 2, 3, 3]
    coordinator.died(1)
    assert numbers(coordinator.queue) == []  # the idle one has them
    assert numbers(coordinator.left()) == [1, 2, 3, 3]


def test_who_has_nothing_to_divide_is_asked_again_when_that_has_changed() -> None:
    coordinator = Coordinator(100)
    coordinator.joined(0, [(1, job(1)), (2, job(2))])
    coordinator.joined(1)
    assert coordinator.dividing(0) == 1
    assert coordinator.divided(0, 1, [], []) == []
    assert coordinator.joined(1) == []
    assert coordinator.committed(0, [(3, job(3))], [], waiting=5) == [Ask(0, 2)]
    assert coordinator.dividing(0) == 1
    assert coordinator.divided(0, 1, [], []) == [] == coordinator.joined(1)
    assert [coordinator.committed(0, [], [], waiting=number) for number in (6, 7, 8)] == [[], [], [Ask(0, 4)]]


def test_all_is_done_when_nobody_has_anything() -> None:
    coordinator = Coordinator(100)
    coordinator.joined(0, [(1, job(1))])
    coordinator.joined(1)
    assert not coordinator.is_done
    coordinator.committed(0, [], [1])
    assert not coordinator.is_done  # it has not said that it is idle
    coordinator.committed(0, [], [], idle=True)
    assert coordinator.is_done
    assert coordinator.left() == []


def test_jobs_of_the_dead_go_to_others_and_a_job_that_kills_is_set_aside() -> None:
    coordinator = Coordinator(100)
    coordinator.joined(0, [(1, job(1)), (2, job(2))])
    commands: list[Command] = coordinator.died(0, 1)
    assert commands == [Replace(0)]
    for _ in range(DEATHS - 1):
        assert coordinator.set_aside == []
        (taken,) = coordinator.joined(0)
        assert isinstance(taken, Assign)
        place = next(number for number, prefix in taken.jobs if prefix.choices == 1)
        coordinator.died(0, place)
    assert numbers(coordinator.set_aside) == [1]
    assert numbers(coordinator.left()) == [2]


def test_workers_are_not_replaced_for_ever() -> None:
    coordinator = Coordinator(100)
    coordinator.joined(0, [(1, job(1))])
    for _ in range(MOST_DEATHS):
        assert Replace(0) in coordinator.died(0)
        coordinator.joined(0)
    assert coordinator.died(0) == []
    assert coordinator.is_done
    assert numbers(coordinator.left()) == [1]


def test_every_leaf_of_a_tree_is_done_once_whoever_dies() -> None:
    for seed in range(20):
        assert sorted(_simulated(Random(seed), workers=1 + seed % 4)) == list(range(256))


def _simulated(random: Random, workers: int) -> list[int]:
    """Leaves of a tree of 256, as told: a job splits in two, workers die between two words."""
    coordinator = Coordinator(1 << 20)
    queues: dict[int, dict[int, Prefix]] = {number: {} for number in range(workers)}
    leaves: list[int] = []
    fresh = iter(range(1, 1 << 20))
    todo = coordinator.joined(0, [(0, Prefix(b"", 0, 256))])
    queues[0][0] = Prefix(b"", 0, 256)
    for number in range(1, workers):
        todo += coordinator.joined(number)
    deaths = 0
    while not coordinator.is_done:
        for command in todo:
            if isinstance(command, Assign):
                assert 1 <= len(command.jobs) <= BATCH  # there are never many for each
                queues[command.worker] = dict(command.jobs)
        asked = {command.worker: command.count for command in todo if isinstance(command, Ask)}
        todo = []
        for worker, count in asked.items():
            given = dict(list(queues[worker].items())[:count])
            queues[worker] = {key: value for key, value in queues[worker].items() if key not in given}
            todo += coordinator.committed(worker, [], list(given), list(given.values()))
        busy = [number for number, queue in queues.items() if queue]
        if todo or not busy:
            continue
        worker = random.choice(busy)
        if deaths < 20 and random.random() < 0.05:
            deaths += 1
            queues[worker] = {}
            todo += coordinator.died(worker) + coordinator.joined(worker)
            continue
        key, prefix = queues[worker].popitem()
        if prefix.executed == 1:
            leaves.append(prefix.choices)
            todo += coordinator.committed(worker, [], [key], idle=not queues[worker])
        else:
            half = prefix.executed // 2
            opened = [(next(fresh), Prefix(b"", prefix.choices + part * half, half)) for part in (0, 1)]
            queues[worker].update(opened)
            todo += coordinator.committed(worker, opened, [key])
    return leaves
