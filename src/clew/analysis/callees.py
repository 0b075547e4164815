"""What a call goes to: an intrinsic of LLVM, a model in Python, a C function, or nobody knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from inspect import signature
from typing import Any

from clew.analysis.model_effect import UNDECLARED, ModelEffect
from clew.base.dataclass import dataclass
from clew.base.memo import remembered
from clew.program import instructions as ir
from clew.program.assembly import asm_effect
from clew.program.module import Function, Program
from clew.program.values import GlobalRef, InlineAsm


class CalleeKind(Enum):
    """The ways a call is carried out."""

    INTRINSIC = "intrinsic"
    MODEL = "model"
    FUNCTION = "function"
    INDIRECT = "indirect"
    UNDEFINED = "undefined"
    ASSEMBLY = "assembly"


@dataclass(frozen=True, slots=True)
class LibraryModel:
    """The model of one C function."""

    name: str
    run: Callable[..., Any]
    overrides: bool = False
    """Used even where the program defines the function itself."""
    effect: ModelEffect = UNDECLARED
    watched: bool = False
    """Generated code makes the call only while the ``Watch`` that its first argument names is on."""

    def takes(self, count: int) -> bool:
        """Whether the function can have so many parameters: another one may have its name."""
        parameters = list(signature(self.run).parameters.values())[1:]
        needed = sum(each.default is each.empty and each.kind is not each.VAR_POSITIONAL for each in parameters)
        return needed <= count and (
            count <= len(parameters) or any(each.kind is each.VAR_POSITIONAL for each in parameters)
        )


@dataclass(frozen=True, slots=True)
class Callee:
    """The resolved target of a direct call."""

    kind: CalleeKind
    name: str = ""
    target: Any = None
    """The ``LibraryModel``, the ``Function`` or, of assembly, the ``AsmEffect`` if that is known."""

    @property
    def effect(self) -> ModelEffect:
        """What a call may do, if it goes to a model."""
        return self.target.effect if isinstance(self.target, LibraryModel) else UNDECLARED


class Callees:
    """Resolves calls of one program."""

    def __init__(self, program: Program, models: Mapping[str, LibraryModel]) -> None:
        self._program = program
        self._models = models

    def resolve(self, call: ir.Call) -> Callee:
        """The target of a call instruction."""
        match call.callee:
            case GlobalRef(name=name):
                callee = self.named(name)
                if callee.kind is CalleeKind.MODEL and not self._fits(callee, len(call.arguments)):
                    return Callee(CalleeKind.UNDEFINED, name)
                return callee
            case InlineAsm(text=text):
                return Callee(CalleeKind.ASSEMBLY, text, asm_effect(call.callee, call.type.result))
        return Callee(CalleeKind.INDIRECT)

    @remembered
    def _fits(self, callee: Callee, count: int) -> bool:
        return bool(callee.target.takes(count))

    @remembered
    def named(self, name: str) -> Callee:
        """The function of this name, through aliases."""
        if name.startswith("llvm."):
            return Callee(CalleeKind.INTRINSIC, name)
        model = self._models.get(name)
        if model is not None and model.overrides:
            return Callee(CalleeKind.MODEL, name, model)
        seen = {name}
        while name in self._program.aliases:
            target = self._program.aliases[name].target
            if not isinstance(target, GlobalRef) or target.name in seen:
                return Callee(CalleeKind.INDIRECT)
            name = target.name
            seen.add(name)
        function: Function | None = self._program.functions.get(name)
        if function is not None and not function.is_declaration:
            return Callee(CalleeKind.FUNCTION, name, function)
        if model is not None and (function is None or function.type.varargs or self._declared(model, function)):
            return Callee(CalleeKind.MODEL, name, model)
        return Callee(CalleeKind.UNDEFINED, name)

    @staticmethod
    def _declared(model: LibraryModel, function: Function) -> bool:
        return model.takes(len(function.type.params))

    def ends_tree(self, instruction: ir.Instruction) -> bool:
        """Whether an instruction may enter another C function, or control may come back to behind it."""
        if not isinstance(instruction, ir.Call):
            return False
        callee = self.resolve(instruction)
        return callee.kind in (CalleeKind.FUNCTION, CalleeKind.INDIRECT) or callee.effect.returns_twice
