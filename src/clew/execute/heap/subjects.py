"""What promises are about: parameters of a function, and members of structs that these lead to."""

from __future__ import annotations

from clew.base.dataclass import dataclass
from clew.execute.heap.shapes import Shapes
from clew.program.ctypes import CBase, CEnum, CFunction, CPointer, CRecord
from clew.program.instructions import Argument
from clew.program.module import Function
from clew.program.types import IntType, PointerType


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function as C has it."""

    name: str
    ctype: int
    argument: Argument

    def pointee(self, shapes: Shapes) -> int | None:
        """The C type that it points to (-1: not known); None for what is no pointer."""
        kind = shapes.strip(self.ctype)
        held = self.argument.byval or self.argument.sret
        if not isinstance(self.argument.value.type, PointerType) or held is not None or isinstance(kind, CRecord):
            return None
        return kind.to if isinstance(kind, CPointer) else -1

    def limits(self, shapes: Shapes) -> tuple[int, int] | None:
        """The least and the greatest number that it can be; None for what is no whole number."""
        type = self.argument.value.type
        return _limits(shapes, self.ctype, type.width) if isinstance(type, IntType) else None

    def spelling(self, shapes: Shapes) -> str:
        """Its type."""
        return shapes.ctypes.spell(self.ctype) if self.ctype >= 0 else str(self.argument.value.type)


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a struct that a pointer leads to."""

    name: str
    """With what leads to it: ``list.next.value``."""
    holder: str
    """The pointer: a parameter, or another member."""
    ctype: int
    offset: int
    """Bytes from where the pointer leads to."""

    def pointee(self, shapes: Shapes) -> int | None:
        """As of parameters."""
        kind = shapes.strip(self.ctype)
        return kind.to if isinstance(kind, CPointer) else None

    def limits(self, shapes: Shapes) -> tuple[int, int] | None:
        """As of parameters."""
        whole = isinstance(shapes.strip(self.ctype), CBase | CEnum)
        return _limits(shapes, self.ctype, 8 * shapes.size(self.ctype)) if whole else None

    def spelling(self, shapes: Shapes) -> str:
        """Its type."""
        return shapes.ctypes.spell(self.ctype)


Subject = Parameter | Member


def _limits(shapes: Shapes, ctype: int, width: int) -> tuple[int, int] | None:
    kind = shapes.strip(ctype)
    if isinstance(kind, CRecord) or (isinstance(kind, CBase) and kind.encoding == "float"):
        return None
    if isinstance(kind, CBase) and kind.encoding == "boolean":
        return 0, 1
    signed = shapes.is_signed(ctype)
    return (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)


def parameters_of(function: Function, shapes: Shapes) -> list[Parameter]:
    """The parameters, in order; where a struct is passed in pieces, LLVM's: those that are C's, too, bear its names."""
    kind = shapes.strip(function.ctype)
    types = kind.params if isinstance(kind, CFunction) else ()
    if len(types) == len(function.parameters):
        names = parameter_names(function)
    else:
        names = [getattr(parameter.value, "name", f"p{n}") for n, parameter in enumerate(function.parameters)]
        known = _parameter_types(function)
        types = tuple(known.get(name, -1) for name in names)
    return [Parameter(*each) for each in zip(names, types, function.parameters, strict=True)]


def _parameter_types(function: Function) -> dict[str, int]:
    """C types of the parameters by name."""
    updates = [update.variable for block in function.blocks[:1] for update in block.updates]
    return {variable.name: variable.ctype for variable in updates if variable.parameter}


def parameter_names(function: Function) -> list[str]:
    """C names of the parameters, in order; LLVM's names where debug info is missing."""
    names = [getattr(parameter.value, "name", f"p{n}") for n, parameter in enumerate(function.parameters)]
    for block in function.blocks[:1]:
        for update in block.updates:
            place = update.variable.parameter - 1
            if 0 <= place < len(names):
                names[place] = update.variable.name
    return names
