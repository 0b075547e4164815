"""Real libraries for the table ``combination``: ours are the harnesses in ``programs/targets`` alone.

The sources are fetched by the user, who names the folder with ``--targets``: a folder for each library, by its name.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks.case import Case
from benchmarks.configurations import REACH, TEST, VERIFY
from benchmarks.subject import PROGRAMS
from clew.base.errors import UserError


@dataclass(frozen=True, slots=True)
class Library:
    """Where a library comes from, and what of it is needed."""

    folder: str
    origin: str
    """On GitHub."""
    header: str
    sources: tuple[str, ...] = ()

    def files(self, targets: Path) -> tuple[Path, ...]:
        """Its sources; UserError that says what to fetch if something is missing."""
        place = targets / self.folder
        for name in (self.header, *self.sources):
            if not (place / name).is_file():
                raise UserError(f"--targets: there is no {place / name}: fetch github.com/{self.origin} into {place}")
        return tuple(place / name for name in self.sources)


@dataclass(frozen=True, slots=True)
class Target:
    """One way to use a library."""

    name: str
    harness: str
    library: Library
    options: tuple[str, ...]
    command: str = TEST
    expected: str = ""

    def case(self, targets: Path) -> Case:
        """As a program of the table; UserError if the library is not there."""
        files = (PROGRAMS / "targets" / self.harness, *self.library.files(targets))
        include = f"-I{targets / self.library.folder}"
        return Case(
            self.name, files, expected=self.expected, options=(include, *self.options), command=self.command
        )  # fmt: skip


_CJSON = Library("cJSON", "DaveGamble/cJSON", "cJSON.h", ("cJSON.c",))
_INIH = Library("inih", "benhoyt/inih", "ini.h", ("ini.c",))
_JSMN = Library("jsmn", "zserge/jsmn", "jsmn.h")
_MEMORY = ("--check", "memory")

TARGETS = (
    Target("targets/cjson-6", "cjson.c", _CJSON, ("-DN=6",)),
    Target("targets/cjson-10", "cjson.c", _CJSON, ("-DN=10",)),
    Target("targets/inih-6", "inih.c", _INIH, ("-DN=6",)),
    Target("targets/inih-16", "inih.c", _INIH, ("-DN=16",)),
    Target("targets/inih-raw", "inih.c", _INIH, ("-DN=6", "-DRAW", "-DINI_MAX_LINE=4")),
    Target("targets/jsmn-6", "jsmn.c", _JSMN, ("-DN=6", "-DUSE")),
    Target("targets/jsmn-10", "jsmn.c", _JSMN, ("-DN=10", "-DUSE")),
    Target("verify/jsmn-4", "jsmn.c", _JSMN, ("-DN=4", *_MEMORY), VERIFY, "TRUE"),
    Target("verify/jsmn-6", "jsmn.c", _JSMN, ("-DN=6", *_MEMORY), VERIFY, "TRUE"),
    Target("reach/inih-195", "inih.c", _INIH, ("-DN=6", "--line", "ini.c:195"), REACH),
)
"""Line 195 of ``ini.c`` handles a refused continuation line in the version of 2024; in another one it may be anything,
so there is no verdict that must be."""
