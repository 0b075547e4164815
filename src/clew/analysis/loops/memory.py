"""Memory on a path: integers at known places of globals and locals are followed, everything else is forgotten."""

from __future__ import annotations

from clew.analysis.absint.known_pointers import initial_value
from clew.analysis.absint.linear import Linear
from clew.analysis.absint.views import Views, is_number
from clew.analysis.escape import Area, Object
from clew.analysis.loops.closure import Fixed, Memory
from clew.analysis.loops.path import Activation, Address, Content, Number, Path, Refused, Slot
from clew.analysis.mod_ref import ModRef
from clew.base.memo import remembered
from clew.program import instructions as ir
from clew.program.layout import offset_of
from clew.program.types import IntType, Type
from clew.program.values import ConstExpr, GlobalRef, Register, Value


class Contents:
    """Loads, stores, and what calls may write, for the paths through one loop."""

    def __init__(self, effects: ModRef, function: str) -> None:
        self._effects = effects
        self._program = effects.program
        self._layout = effects.program.layout
        self._function = function
        self._signed: dict[Slot, bool] = {}
        self._cells: dict[tuple[int, Object], list[Slot]] = {}
        self.mixed: dict[tuple[int, Object], None] = {}
        """Objects whose bytes are read or written in more than one way: they are not followed at all."""

    # Addresses

    def address(self, frame: Activation, value: Value) -> Address | None:
        """Where a pointer points to, if it is known at least into which object."""
        match value:
            case GlobalRef(name=name) if name in self._program.globals:
                return Address(0, name, 0)
            case ConstExpr(op="getelementptr", operands=(base, *indices), source_type=type) if type is not None:
                return self._moved(self.address(frame, base), type, tuple(indices))
            case Register(name=name):
                if name in frame.registers:
                    known = frame.registers[name]
                    return known if isinstance(known, Address) else None
                return self._outer(frame, name)
        return None

    def _outer(self, frame: Activation, name: str) -> Address | None:
        """Of a register that is defined outside of the loop."""
        match frame.outline.definitions.get(name):
            case ir.Alloca() as alloca if alloca in frame.outline.function.blocks[0].instructions:
                return Address(frame.number, (frame.outline.function.name, name), 0)
            case ir.GetElementPtr(base=base, source_type=type, indices=indices):
                return self._moved(self.address(frame, base), type, indices)
            case ir.Cast(op="bitcast", operand=operand) | ir.Freeze(operand=operand):
                return self.address(frame, operand)
        return None

    def element(self, frame: Activation, i: ir.GetElementPtr) -> Address | None:
        """Where ``getelementptr`` leads."""
        return self._moved(self.address(frame, i.base), i.source_type, i.indices)

    def _moved(self, base: Address | None, type: Type, indices: tuple[Value, ...]) -> Address | None:
        if base is None:
            return None
        by = offset_of(self._layout, type, indices)
        return Address(base.frame, base.object, None if by is None or base.offset is None else base.offset + by)

    # Cells

    def _slot(self, where: Address | None, type: Type) -> Slot | None:
        """The cell of an integer, if it is one that is followed."""
        if where is None or where.offset is None or not is_number(type):
            return None
        assert isinstance(type, IntType)
        size = self._layout.store_size(type)
        whole = self._effects.size(where.object)
        if type.width % 8 or whole is None or not 0 <= where.offset <= whole - size:
            return None
        owner = (where.frame, where.object)
        slot = (where.frame, where.object, where.offset, size)
        cells = self._cells.setdefault(owner, [])
        if slot not in cells:
            if any(s[2] < slot[2] + size and slot[2] < s[2] + s[3] for s in cells):
                self.mixed[owner] = None
            cells.append(slot)
        return None if owner in self.mixed else slot

    @remembered
    def views(self, function: str) -> Views:
        """How registers of a function are read as numbers."""
        return Views(self._program.functions[function], self._program.ctypes)

    def declare(self, place: Memory, signed: bool) -> None:
        """Say how a cell is read as a number."""
        self._signed.setdefault((0, place.object, place.offset, place.size), signed)

    def fixed(self, slot: Slot) -> Fixed:
        """The contents of a cell at the header."""
        return Fixed(Memory(*slot[1:]), 8 * slot[3], self._signed.get(slot, True))

    def load(self, path: Path, where: Address | None, result: Register) -> Number | None:
        """What a load gives; None for what is no integer."""
        if not is_number(result.type):
            return None
        assert isinstance(result.type, IntType)
        slot = self._slot(where, result.type)
        function = path.top.outline.function.name
        signed = self.views(function).is_signed(result.name)
        if slot is None or where is None:
            return path.opaque(result.type.width, "the body reads memory that is not followed", signed)
        self._signed.setdefault(slot, signed)
        if slot in path.memory:
            return path.memory[slot]
        constant = self._initial(where, slot[3])
        if constant is not None:
            return Number.constant(constant, result.type.width)
        if where.frame != 0 or slot[:2] in path.blurred:
            return path.opaque(result.type.width, "the body reads memory that was not followed", signed)
        return Number(Linear.of(self.fixed(slot)), result.type.width)

    def _initial(self, where: Address, size: int) -> int | None:
        variable = self._program.globals.get(where.object) if isinstance(where.object, str) else None
        if variable is None or not variable.constant or where.offset is None:
            return None
        return initial_value(self._layout, variable.initializer, where.offset, size)

    def store(self, path: Path, where: Address | None, value: Content | None, i: ir.Store) -> None:
        """What a store does; a value that is no number is forgotten."""
        if where is None:
            self.written(path, i)
            return
        slot = self._slot(where, i.value.type)
        if slot is None or not isinstance(value, Number):
            self.blur(path, where.frame, where.object, "the body writes memory that is not followed")
            return
        if isinstance(i.value, Register):
            function = path.top.outline.function.name
            self._signed.setdefault(slot, self.views(function).is_signed(i.value.name))
        path.memory[slot] = value

    # Forgetting

    def blur(self, path: Path, frame: int, thing: Object, reason: str) -> None:
        """Forget the contents of an object."""
        path.doubt(reason)
        path.blurred[frame, thing] = None
        for slot in [slot for slot in path.memory if slot[:2] == (frame, thing)]:
            del path.memory[slot]

    def undefine(self, path: Path, where: Address) -> None:
        """A local variable begins or ends: it has no contents."""
        owner = (where.frame, where.object)
        path.blurred[owner] = path.dead[owner] = None
        for slot in [slot for slot in path.memory if slot[:2] == owner]:
            del path.memory[slot]

    def written(self, path: Path, i: ir.Instruction) -> None:
        """Forget what an instruction of the running function may write."""
        reason = "the body writes memory through pointers, or in calls that are not followed"
        frames = {frame.outline.function.name: frame.number for frame in path.frames}
        for thing in self._effects.objects(self._effects.written_by(path.top.outline.function.name, i)):
            if isinstance(thing, Area):
                raise Refused("it writes memory that has no name")
            if isinstance(thing, str):
                self.blur(path, 0, thing, reason)
            elif thing[0] in frames:
                if self._effects.calls.is_recursive(thing[0]):
                    raise Refused("it writes local variables of a recursive function")
                self.blur(path, frames[thing[0]], thing, reason)
            elif self._function in self._effects.calls.reachable(thing[0]):
                raise Refused("it writes local variables of a function that waits for it")
