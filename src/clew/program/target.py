"""What the target's compiler and C library have chosen where processors differ.

The program says which target it is for; the processor this runs on never matters.
"""

from __future__ import annotations

from clew.base.dataclass import dataclass
from clew.program.ctypes import CBase
from clew.program.module import Program
from clew.program.types import FloatKind

_X86 = frozenset({"x86_64", "amd64", "x86", "i386", "i486", "i586", "i686"})
_QUAD = frozenset(
    {"aarch64", "aarch64_be", "riscv32", "riscv64", "loongarch64", "mips64", "mips64el", "s390x", "sparcv9"}
)
_INT_MAX = (1 << 31) - 1


@dataclass(frozen=True, slots=True)
class Target:
    """A processor as C programs see it."""

    architecture: str
    """The first part of the triple."""
    signed_char: bool
    """Whether a plain ``char`` can be negative."""

    @property
    def ilogb_zero(self) -> int:
        """``FP_ILOGB0`` of the C library."""
        return -_INT_MAX - 1 if self._is_x86 else -_INT_MAX

    @property
    def ilogb_nan(self) -> int:
        """``FP_ILOGBNAN`` of the C library."""
        return -_INT_MAX - 1 if self._is_x86 else _INT_MAX

    @property
    def saturates(self) -> bool:
        """Whether a conversion of a number out of range to an integer (``lround``) gives the nearest one, and zero for
        NaN, as ARM has it; otherwise all of them give the most negative one, as x86 has it.
        """
        return not self._is_x86

    @property
    def long_double(self) -> FloatKind:
        """The format of a ``long double``."""
        if self._is_x86:
            return FloatKind.X86_FP80
        return FloatKind.FP128 if self.architecture in _QUAD else FloatKind.DOUBLE

    @property
    def _is_x86(self) -> bool:
        return self.architecture in _X86


def target_of(program: Program) -> Target:
    """The target a program was compiled for. Debug info knows of flags such as ``-funsigned-char``."""
    architecture = program.triple.split("-")[0]
    for ctype in program.ctypes.entries:
        if isinstance(ctype, CBase) and ctype.name == "char":
            return Target(architecture, ctype.encoding == "signed_char")
    return Target(architecture, architecture in _X86)
