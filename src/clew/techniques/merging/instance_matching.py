"""Whether a state is an instance of an earlier one at the same place: the earlier one's symbols bound to values.

    earlier:  n = x@0,  i = 3,  last = x@0 + 1         now:  n = 7,  i = 3,  last = 8       x@0 -> 7
                                                       now:  n = 7,  i = 4,  last = 9       i and last differ

A symbol that is held by itself can be bound to anything; then everything else that has it in it must agree. What the
earlier state says about its symbols (constraints older than the place) is not asked for: clauses say what counts.
Symbols of values that the program never defined only match such symbols.
"""

from __future__ import annotations

import struct
from collections.abc import Set
from dataclasses import field
from typing import Any

from clew.base.dataclass import dataclass
from clew.checks.leaks import pointed_to
from clew.expr.node import Expr
from clew.expr.op import SYMBOL
from clew.expr.walk import substitute
from clew.memory.changes import cell_at, differences, word_at
from clew.memory.object import MemoryObject
from clew.memory.storage import REST, UNSET, WORD, WORD_BYTE
from clew.techniques.merging.lifting import is_address
from clew.techniques.merging.limits import USUAL, Limits
from clew.techniques.merging.snapshot import Contents, Extent, Holder, InMemory, InRegister, Snapshot
from clew.techniques.merging.work import CELL, COMPARISON


@dataclass(slots=True)
class Match:
    """``bindings`` take the earlier state's symbols to values; ``differing`` holders have other values in any case.

    ``hopeless``: what differs is nothing that could be replaced by a symbol.
    """

    bindings: dict[Expr, Any] = field(default_factory=dict)
    differing: dict[Holder, None] = field(default_factory=dict)
    hopeless: bool = False
    work: int = COMPARISON
    """What it took to find out."""

    @property
    def is_instance(self) -> bool:
        return not self.hopeless and not self.differing


def same(a: Any, b: Any) -> bool:
    """Whether two values are one, as far as their looks tell."""
    if a is b:
        return True
    if isinstance(a, Expr) or isinstance(b, Expr):
        return False
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, float) and isinstance(b, float):
        return struct.pack("<d", a) == struct.pack("<d", b)  # 0.0 and -0.0 are equal, and yet not the same
    return type(a) is type(b) and bool(a == b)


def match(old: Snapshot, new: Snapshot, lookups: Set[str], undefined: Set[Expr], limits: Limits = USUAL) -> Match:
    """Compare a state with an earlier one. ``lookups``: what models kept, and were asked for, from there on."""
    return _Matching(old, new, undefined, limits).run(lookups)


class _Matching:
    def __init__(self, old: Snapshot, new: Snapshot, undefined: Set[Expr], limits: Limits) -> None:
        self._most, self._least_cell = limits.differences, limits.least_cell
        self._old, self._new, self._undefined = old, new, undefined
        self._found = Match()
        self._later: dict[Holder, None] = {}
        """Compared once all symbols are bound."""

    def run(self, lookups: Set[str]) -> Match:
        found = self._found
        if not self._same_surroundings(lookups):
            found.hopeless = True
            return found
        self._registers()
        if found.hopeless or not self._objects() or not self._extents():
            found.hopeless = True
            return found
        self._settle()
        if found.bindings and not found.bindings.keys().isdisjoint(self._old.elsewhere(lookups)):
            found.hopeless = True
        if len(found.differing) > self._most:
            found.hopeless = True
        return found

    def _same_surroundings(self, lookups: Set[str]) -> bool:
        old, new = self._old, self._new
        if old.kept is not new.kept:
            if any(not same(old.kept.get(name), new.kept.get(name)) for name in lookups):
                return False
            if _heap_kept(old) != _heap_kept(new):
                return False
        for (allocated, arguments), (others, given) in zip(old.frames, new.frames, strict=True):
            if allocated is not others and allocated != others:
                return False
            if arguments is not given and not same(tuple(v for _, v in arguments), tuple(v for _, v in given)):
                return False
        return True

    # One by one

    def _registers(self) -> None:
        for frame, (old, new) in enumerate(zip(self._old.registers, self._new.registers, strict=True)):
            if old is new:
                continue
            for place, (one, other) in enumerate(zip(old, new, strict=True)):
                if one is not other and not (type(one) is int is type(other) and one == other):
                    self._compare(InRegister(frame, place), one, other)

    def _compare(self, holder: Holder, one: Any, other: Any) -> None:
        """Take note of a value, and of what an earlier one has to be bound to so that both agree."""
        if isinstance(one, Expr) and one.op is SYMBOL and not isinstance(other, tuple):
            bindings = self._found.bindings
            if one not in bindings and self._may_bind(one, other):
                bindings[one] = other
                return
            self._later[holder] = None
        elif not same(one, other):
            self._later[holder] = None

    def _may_bind(self, symbol: Expr, value: Any) -> bool:
        if isinstance(value, Expr):
            if value.sort is not symbol.sort:
                return False
            if value.symbols & self._undefined:
                return symbol in self._undefined and value in self._undefined
        # Pointers are resolved by what they look like, and a symbol looks like none.
        return symbol not in self._undefined and not self._is_address(value)

    def _is_address(self, value: Any) -> bool:
        """The same is asked with every earlier state."""
        if not isinstance(value, Expr):
            return is_address(self._new.memory, value)
        known = self._new.addresses.get(value)
        if known is None:
            known = self._new.addresses[value] = is_address(self._new.memory, value)
        return known

    def _objects(self) -> bool:
        """All of memory; False if objects differ in what no symbol can stand for."""
        old, new = self._old.memory.pages, self._new.memory.pages
        if old is new:
            return True
        changed = [(page, obj) for page, obj in new.items() if old.get(page) is not obj]
        bits = self._new.memory.page_bits
        self._found.work += CELL * len(changed)
        for page, obj in changed:
            if obj.base >> bits != page:
                continue
            was = old.get(page)
            if was is None or not _alike(was, obj):
                if not self._is_dead(was, obj):
                    return False
            elif not self._contents(was, obj):
                return False
        if len(old) + sum(page not in old for page, _ in changed) == len(new):
            return True
        return all(page in new or self._is_dead(obj, None) for page, obj in old.items())

    def _is_dead(self, was: MemoryObject | None, obj: MemoryObject | None) -> bool:
        return (was is None or self._old.is_dead(was)) and (obj is None or self._new.is_dead(obj))

    def _contents(self, was: MemoryObject, obj: MemoryObject) -> bool:
        if _never_written(was) != _never_written(obj):  # there no symbol can stand for a value
            return self._is_dead(was, obj)
        addresses: list[int] = []
        comparable = differences(was, obj, addresses)
        self._found.work += CELL * len(addresses)
        if (not comparable or addresses) and self._is_dead(was, obj):
            return True
        if not comparable or len(addresses) > 8 * self._most:
            return False
        past = 0
        for address in sorted(addresses):
            if address < past:
                continue
            cell = self._cell(was, address, past)
            if cell is None:
                return False
            past = cell.address + cell.size
            one, other = self._old.value(cell), self._new.value(cell)
            if one is None or other is None:
                return False
            self._compare(cell, one, other)
        return True

    def _cell(self, was: MemoryObject, address: int, past: int) -> InMemory | None:
        """The word that a byte belongs to: that of the earlier state if it has one there."""
        new, offset = self._new.memory, address - was.base
        if was.shadow is not None and was.shadow[offset] in (WORD, REST):
            start = was.shadow.rfind(WORD_BYTE, 0, offset + 1)
            return InMemory(was.base + start, was.words[start].width >> 3) if was.base + start >= past else None
        scalar = self._new.variables.scalar(was, offset)
        if scalar is None or scalar[1] < self._least_cell:
            cell = self._unless_taken(*cell_at(address, new, {}, past), past)
            if scalar is None or (cell is not None and self._has_values(cell)):
                return cell or InMemory(address, 1)
        return self._unless_taken(was.base + scalar[0], scalar[1], past) or InMemory(address, 1)

    def _unless_taken(self, start: int, size: int, past: int) -> InMemory | None:
        """A cell, unless the earlier state has a word in it, or what comes before ``past`` was compared already."""
        if start < past or any(word_at(self._old.memory, at) for at in range(start, start + size)):
            return None
        return InMemory(start, size)

    def _has_values(self, cell: InMemory) -> bool:
        return self._old.value(cell) is not None and self._new.value(cell) is not None

    def _extents(self) -> bool:
        old, new = self._old.memory.extents, self._new.memory.extents
        if old.keys() != new.keys():
            return False
        for base, size in old.items():
            if size is not new[base]:
                self._compare(Extent(base), size, new[base])
        return True

    # All together

    def _settle(self) -> None:
        """Everything that has a bound symbol in it must agree with what that is bound to."""
        found = self._found
        bindings = {symbol: value for symbol, value in found.bindings.items() if value is not symbol}
        holders = dict(self._later)
        if bindings:
            known = self._old.holders
            for symbol in bindings:
                holders.update(dict.fromkeys(known.get(symbol, ())))
        for holder in holders:
            one, other = self._old.value(holder), self._new.value(holder)
            bound = one in bindings if isinstance(one, Expr) else False
            if one is None or other is None or not same(bindings[one] if bound else _instance(one, bindings), other):
                if self._is_of_dead(holder):
                    continue
                found.differing[holder] = None
                found.hopeless |= isinstance(holder, Contents) or one is None or other is None
        found.bindings = bindings

    def _is_of_dead(self, holder: Holder) -> bool:
        if not isinstance(holder, InMemory | Contents):
            return False
        address = holder.address if isinstance(holder, InMemory) else holder.base
        was, obj = self._old.memory.find(address), self._new.memory.find(address)
        return self._is_dead(was[0] if was else None, obj[0] if obj else None)


def _instance(value: Any, bindings: dict[Expr, Any]) -> Any:
    if isinstance(value, tuple):
        return tuple(_instance(part, bindings) for part in value)
    return substitute(value, bindings) if bindings else value


def _heap_kept(snapshot: Snapshot) -> set[int]:
    """Heap objects that models know of: they are not lost when the program ends."""
    pointed = (obj for value in snapshot.kept.values() for obj in pointed_to(snapshot.memory, value))
    return {obj.base for obj in pointed if obj.kind == "heap"}


def _never_written(obj: MemoryObject) -> bytes | None:
    """Which bytes have no value; None if all have one."""
    if obj.shadow is None or UNSET not in obj.shadow:
        return None
    return bytes(obj.shadow).translate(_NEVER_WRITTEN)


_NEVER_WRITTEN = bytes(code == UNSET for code in range(256))


def _alike(was: MemoryObject, obj: MemoryObject) -> bool:
    # Where memory was allocated is what is told of it if it is lost.
    same = was.base == obj.base and was.size == obj.size and was.kind == obj.kind and was.constant == obj.constant
    return same and (was.kind != "heap" or was.site == obj.site)
