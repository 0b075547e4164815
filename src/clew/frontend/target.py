"""Target triples: which one a run uses, and how each compiler spells it.

The default is always a Linux target, on every host: ``ziglang`` brings the headers for it, and
the engine's models of libc follow Linux.
"""

from __future__ import annotations

import os

from clew.base.errors import UserError
from clew.frontend.options import CompileOptions

_DATA_MODELS = {"ILP32": "x86-linux-gnu", "LP64": "x86_64-linux-gnu"}

_MACHINES = {
    "x86_64": "x86_64-linux-gnu",
    "amd64": "x86_64-linux-gnu",
    "aarch64": "aarch64-linux-gnu",
    "arm64": "aarch64-linux-gnu",
    "i386": "x86-linux-gnu",
    "i686": "x86-linux-gnu",
    "armv7l": "arm-linux-gnueabihf",
    "riscv64": "riscv64-linux-gnu",
}

_ZIG_ARCHITECTURES = {"amd64": "x86_64", "arm64": "aarch64", "i386": "x86", "i486": "x86", "i586": "x86", "i686": "x86"}
_VENDORS = {"unknown", "pc", "redhat", "suse", "alpine"}


def choose_target(options: CompileOptions) -> str:
    """The triple to compile for."""
    if options.data_model is None:
        return options.target or host_target()
    triple = _DATA_MODELS[options.data_model]
    if options.target is not None and zig_triple(options.target) != triple:
        raise UserError(
            f"--target {options.target} and --data-model {options.data_model} (which is {triple}) disagree; "
            "give only one of them"
        )
    return triple


def host_target(machine: str | None = None) -> str:
    """The Linux target for the processor this runs on; x86_64 where it is not one we know."""
    return _MACHINES.get((machine or _machine()).lower(), "x86_64-linux-gnu")


def _machine() -> str:
    if hasattr(os, "uname"):
        return os.uname().machine  # What platform.machine() says, without the time its import takes.
    import platform

    return platform.machine()


def zig_triple(triple: str) -> str:
    """``x86_64-pc-linux-gnu`` -> ``x86_64-linux-gnu``: Zig's triples name no vendor."""
    parts = triple.split("-")
    if len(parts) > 2 and parts[1] in _VENDORS:
        del parts[1]
    parts[0] = _ZIG_ARCHITECTURES.get(parts[0], parts[0])
    return "-".join(parts)


def clang_triple(triple: str) -> str:
    """``x86-linux-gnu`` -> ``i386-linux-gnu``: Clang does not know an architecture ``x86``."""
    first, dash, rest = triple.partition("-")
    return ("i386" if first == "x86" else first) + dash + rest
