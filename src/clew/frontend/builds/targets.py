"""What programs and libraries of a build are linked from, as its CMake or Ninja files say.

CMake writes a ``link.txt`` for each target (Makefiles), or one ``build.ninja``, as Meson does.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from clew.base.errors import UserError
from clew.base.suggest import suggest
from clew.frontend.responses import expanded

_OBJECTS = (".o", ".obj", ".a", ".lib", ".so", ".dll")
_NINJA_PATH = re.compile(r"(?:\$.|[^\s$:|])+")


class LinkTargets:
    """Outputs of a build, absolute, and what each is linked from."""

    def __init__(self, build: Path) -> None:
        self.inputs: dict[str, list[str]] = {}
        self._aliases: dict[str, str] = {}
        self._read_ninja(build)
        for file in sorted(build.rglob("CMakeFiles/*.dir/link.txt")):
            self._read_link(file)

    def find(self, name: str, build: Path) -> str | None:
        """The output that a user means by a path or a target's name."""
        for place in (Path.cwd(), build):
            path = _without_version(os.path.normpath(place.absolute() / name))
            found = [output for output in self.inputs if _without_version(output) == path]
            if found:
                return found[0]
        wanted = _without_version(name)
        plain = [
            output
            for output in self.inputs
            if _plain_name(output) == name or _without_version(Path(output).name) == wanted
        ]
        alias = self._aliases.get(name)
        if alias in self.inputs:
            return alias
        if len(plain) > 1:
            raise UserError(f"{name} may be {' or '.join(sorted(plain))}: name one of them")
        return plain[0] if plain else None

    def close_names(self, name: str) -> list[str]:
        """Names of targets that look like this one."""
        return suggest(name, self.names())

    def names(self) -> list[str]:
        """Names of all targets."""
        return sorted({_plain_name(output) for output in self.inputs})

    def objects(self, output: str) -> Iterator[str]:
        """Everything that an output is made of, directly or by libraries of the build; each once."""
        seen = {output}
        waiting = [output]
        while waiting:
            for path in self.inputs.get(waiting.pop(), ()):
                if path not in seen:
                    seen.add(path)
                    yield path
                    waiting.append(path)

    def _read_link(self, file: Path) -> None:
        """A ``link.txt``: commands of ``cc`` or ``ar``, as seen from the folder that has ``CMakeFiles``."""
        base = file.parents[2]
        try:
            text = file.read_text(encoding="utf-8", errors="replace")
            lines = [expanded(shlex.split(line), base=base) for line in text.splitlines() if line.strip()]
        except (OSError, ValueError, UserError):
            return
        for words in lines:
            named = [word for word in words[1:] if word.endswith(_OBJECTS) or re.search(r"\.so\.[\d.]+$", word)]
            output = words[words.index("-o") + 1] if "-o" in words[:-1] else next(iter(named), None)
            if output is None or "ranlib" in Path(words[0]).name:
                continue
            self._add(base, output, [word for word in named if word != output and not word.startswith("-")])
            self._aliases.setdefault(file.parent.name.removesuffix(".dir"), _absolute(base, output))

    def _read_ninja(self, build: Path) -> None:
        try:
            text = (build / "build.ninja").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return
        for line in text.replace("$\n", " ").splitlines():
            if line.startswith("build "):
                self._read_statement(build, line.removeprefix("build "))

    def _read_statement(self, build: Path, line: str) -> None:
        """``OUTPUT...: RULE INPUT... | IMPLICIT... || ORDER-ONLY...``."""
        head, colon, tail = re.sub(r"\$:", "$\0", line).partition(":")
        outputs = _ninja_paths(head.split("|")[0])
        rule, *inputs = _ninja_paths(re.split(r"\|\||\|@", tail)[0]) or [""]
        if not colon or not outputs or not inputs:
            return
        if rule == "phony":
            if len(inputs) == 1:
                self._aliases[outputs[0]] = _absolute(build, inputs[0])
        elif any(name.endswith((".o", ".obj")) for name in inputs):
            for output in outputs:
                self._add(build, output, inputs)

    def _add(self, base: Path, output: str, inputs: list[str]) -> None:
        self.inputs.setdefault(_absolute(base, output), []).extend(_absolute(base, name) for name in inputs)


def _ninja_paths(text: str) -> list[str]:
    return [re.sub(r"\$(.)", r"\1", path).replace("\0", ":") for path in _NINJA_PATH.findall(text)]


def _absolute(base: Path, name: str) -> str:
    return os.path.normpath(base.absolute() / name)


def _without_version(output: str) -> str:
    """``libexpat.so.1.12`` -> ``libexpat.so``, as links to it are called."""
    return re.sub(r"(\.so)[.\d]*$", r"\1", output)


def _plain_name(output: str) -> str:
    """``libexpat.so.1`` -> ``expat``."""
    return re.sub(r"\.(?:a|lib|dll|exe|so[.\d]*)$", "", Path(output).name).removeprefix("lib")
