"""``python wheels.py NAME``: what pip says about the versions of a package, per kind of machine.

One process asks pip all the questions: to start it for each would take longer than its answers. ``== KIND`` comes
before each answer. The kind ``any`` counts source packages, too.
"""

from __future__ import annotations

import sys

MACHINES = ("x86_64", "aarch64")
PYTHONS = ("3.11", "3.12", "3.13")
GLIBC = (36, 35, 34, 31, 28, 27, 24, 17, 12, 5)
"""Of Debian 12, and what wheels are made for that run there."""


def platform_options(machine: str, python: str) -> list[str]:
    """Options of pip for a machine that is not this one: only wheels count there."""
    tags = [f"manylinux_2_{minor}_{machine}" for minor in GLIBC] + [f"manylinux2014_{machine}"]
    chosen = [word for tag in tags for word in ("--platform", tag)]
    return ["--only-binary", ":all:", "--implementation", "cp", "--python-version", python, *chosen]


def ask(name: str, kind: str, options: list[str]) -> None:
    """Ask for a version that nobody has: pip then names those it could have taken, and downloads nothing."""
    from pip._internal.cli.main import main

    print(f"== {kind}", flush=True)
    main(["download", "--no-deps", "--pre", "--retries", "0", *options, f"{name}==0.0a0"])


if __name__ == "__main__":
    ask(sys.argv[1], "any", [])
    for machine in MACHINES:
        ask(sys.argv[1], machine, platform_options(machine, PYTHONS[-1]))
