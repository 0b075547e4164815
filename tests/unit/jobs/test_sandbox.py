"""What a hostile program can do in a replay: nothing, whichever mechanisms the system has; or it is not run."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from clew.base.errors import UserError
from clew.base.options import ReplayRequest
from clew.frontend.options import CompileOptions
from clew.jobs import replay
from clew.jobs.native import build as native
from clew.jobs.replay import run_replay
from clew.report.replay_records import Replayed, Status

pytestmark = [pytest.mark.skipif(shutil.which("cc") is None, reason="no system compiler"), pytest.mark.native]

SOURCE = Path(__file__).with_name("hostile.c")
MEMORY, SEGMENTS, OWN, EVERYONE = 23, 24, 26, 27
USERS = (65534, 65533) if os.geteuid() == 0 else (os.getuid(), os.getuid())
"""Those that tests may run as: nobody, and an ordinary user."""
WAYS = {
    0: "connects to a socket by path", 1: "connects to an abstract socket", 2: "connects to a port",
    3: "changes permissions", 4: "changes times", 5: "truncates", 6: "opens for writing", 7: "removes", 8: "links",
    9: "reads what is private", 10: "kills", 11: "attaches a debugger", 12: "changes priority or limits",
    13: "writes to /proc", 14: "adds a key", 15: "makes a namespace", 16: "leaves shared memory",
    17: "leaves a file in /dev/shm", 18: "leaves a file in /tmp", 19: "opens rare sockets", 20: "is root",
    21: "fills the disk", 22: "hides files in memory", 25: "reads what is root's",
    EVERYONE: "kills everyone",
}  # fmt: skip
"""What ends with exit code 1 where it can be done."""
MODES = {
    "all": (),
    "user": ("root",),
    "no-namespaces": ("namespaces",),
    "user-no-namespaces": ("root", "namespaces"),
    "user-old-landlock": ("root", "namespaces", "scopes"),
}
BETWEEN = {"user", "user-no-namespaces"}
"""Modes that lack something, but not all that the last one lacks."""
KEY = 0x0C1E0000 + os.getpid() % 0x10000


@dataclass(frozen=True)
class Surroundings:
    """What the program is after, and where it starts from."""

    folder: Path
    run: Path
    victims: list[subprocess.Popen[bytes]]

    def intact(self) -> None:
        for name in "ab":
            file = (self.folder / name).stat()
            assert (file.st_mode & 0o777, file.st_size, file.st_mtime) == (0o666, 6, 1000.0)
        assert not (self.folder / "other").exists()
        assert [victim.poll() for victim in self.victims] == [None, None]
        assert not Path(f"/tmp/clew-{KEY}").exists() and not Path(f"/dev/shm/clew-{KEY}").exists()
        segments = Path("/proc/sysvipc/shm")
        assert not segments.exists() or not any(line.split()[0] == str(KEY) for line in segments.open())


@pytest.fixture(scope="module")
def surroundings() -> Iterator[Surroundings]:
    with tempfile.TemporaryDirectory(prefix="clew-hostile-") as name, tempfile.TemporaryDirectory() as other:
        folder, run = Path(name), Path(other)
        folder.chmod(0o777)
        run.chmod(0o711)
        for letter, user in zip("ab", USERS, strict=True):
            (folder / letter).write_text("secret")
            (folder / letter).chmod(0o666)
            os.chown(folder / letter, user, -1)
            os.utime(folder / letter, (1000.0, 1000.0))
        sockets = [socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX), socket.socket()]
        abstract = f"clew-{os.getpid()}"
        for one, address in zip(sockets, (str(folder / "socket"), f"\0{abstract}", ("127.0.0.1", 0)), strict=True):
            one.bind(address)
            one.listen()
        (folder / "socket").chmod(0o777)
        victims = [subprocess.Popen(["sleep", "1000"], user=user) for user in USERS]
        defines = {"FOLDER": f'"{folder}"', "ABSTRACT": f'"{abstract}"', "PORT": sockets[2].getsockname()[1],
                   "VICTIM_A": victims[0].pid, "VICTIM_B": victims[1].pid, "KEY": KEY,
                   "TEXT(x)": "TEXT_(x)", "TEXT_(x)": "#x"}  # fmt: skip
        _write_run(run, [f"-D{name}={value}" for name, value in defines.items()])
        try:
            yield Surroundings(folder, run, victims)
        finally:
            for victim in victims:
                victim.kill()
                victim.wait()
            for one in sockets:
                one.close()


def _write_run(folder: Path, flags: list[str]) -> None:
    """An output folder as ``clew test`` writes it."""
    (folder / "tests").mkdir()
    for x in range(EVERYONE + 1):
        value = {"name": "x", "type": "int", "value": x, "bits": 32, "kind": "nondet"}
        test = {"inputs": [value], "error": None, "ends": "exit", "exit_code": 0}
        (folder / f"tests/{x:06d}.json").write_text(json.dumps(test))
    build = {"directory": None, "entry": "main", "function": None, "flags": flags, "target": None, "data_model": None,
             "program_hash": None, "call": None, "argv": ["70"]}  # fmt: skip
    summary = {"command": "test", "files": [str(SOURCE)], "tests": EVERYONE + 1, "build": build}
    (folder / "summary.json").write_text(json.dumps(summary))


@pytest.fixture(scope="module")
def program(surroundings: Surroundings) -> Iterator[None]:
    """Compiles once for all modes, without sanitizers: they take long to start."""
    built: list[native.NativeProgram] = []
    place = surroundings.run / "program"
    place.mkdir()

    def build(sources: native.Sources, options: CompileOptions, folder: Path, *_: object) -> native.NativeProgram:
        if not built:
            built.append(native.build(sources, options, place))
        return built[0]

    every = native.compilers

    def plain(*arguments: Any) -> Iterator[native.NativeCompiler]:
        return (one for one in every(*arguments) if "without checks" in one.name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(replay, "build", build)
        patch.setattr(native, "compilers", plain)
        yield


@pytest.fixture(
    scope="module", params=[pytest.param(mode, marks=[pytest.mark.thorough] * (mode in BETWEEN)) for mode in MODES]
)
def results(request: pytest.FixtureRequest, surroundings: Surroundings, program: None) -> tuple[Replayed, ...]:
    """All tests in one mode; the file and the process that are attacked belong to the user that attacks."""
    without = MODES[request.param]
    if os.geteuid() != 0 and "root" not in without:
        pytest.skip("not run by root")
    try:
        report = run_replay(ReplayRequest(surroundings.run, seconds=10.0, memory_mb=128, without=without))
    except UserError as error:
        pytest.skip(str(error))
    print(report.containment, report.missing)
    return report.tests


@pytest.mark.slow
def test_nothing_gets_out(results: tuple[Replayed, ...], surroundings: Surroundings) -> None:
    out = {x: f"{what}: {results[x].observed} {results[x].notes}" for x, what in WAYS.items()
           if results[x].observed not in ("exit 0", "wrote more than permitted")}  # fmt: skip
    assert not out
    surroundings.intact()


def test_memory_is_counted_for_all_processes(results: tuple[Replayed, ...]) -> None:
    assert results[MEMORY].observed == "used more memory than permitted"
    assert results[SEGMENTS].observed in ("used more memory than permitted", "exit 0")


def test_the_own_folder_can_be_used(results: tuple[Replayed, ...]) -> None:
    assert results[OWN].status is Status.AGREED
    assert results[OWN].notes == ("wrote 1 file into its folder",)


def test_no_containment_no_replay(surroundings: Surroundings, program: None) -> None:
    for without in (("namespaces", "landlock"), ("namespaces", "seccomp")):
        with pytest.raises(UserError, match=r"cannot contain native programs .* add --uncontained"):
            run_replay(ReplayRequest(surroundings.run, without=without))
