"""One object of the program's memory: its identity and its contents, byte by byte or word by word.

Contents have three layers. ``data`` holds concrete bytes. ``words`` lays symbolic words over them,
each kept whole, so that a stored ``i32`` or ``double`` comes back as the same node. ``array`` is an
SMT array, there once the object was accessed at a symbolic offset. ``shadow`` says, per byte, which
layer has the value (see ``storage``); it is None while every byte is concrete and initialised.

Invariants: words do not overlap, and the shadow of each reads WORD REST REST ...; ``pending`` counts
the shadow bytes other than PLAIN; ``array`` agrees with the object wherever a byte is neither UNSET
nor marked in ``dirty`` (while ``shadow`` is None: wherever ``data`` still equals ``snapshot``).

Nothing here checks bounds, permissions or ownership: ``AddressSpace`` does, before it calls.
"""

from __future__ import annotations

from dataclasses import field
from typing import Final

from clew.base.dataclass import dataclass
from clew.expr.build import concat, extract, fp_to_bits, select_word
from clew.expr.node import BV, Expr, Value
from clew.memory.storage import (
    ALL_PLAIN,
    ARRAY,
    ONE_WORD,
    PACK,
    PLAIN,
    PLAIN_BYTE,
    REST,
    UNPACK,
    UNSET_BYTE,
    WORD,
    WORD_BYTE,
    Buffer,
    duplicate,
    filled,
)

WORD_CODES: Final = {n: bytes([WORD]) + bytes([REST]) * (n - 1) for n in range(1, 17)}


class Owner:
    """Identity of an address space for copy-on-write: it may change an object in place only if it is its owner."""

    __slots__ = ()


def as_bits(word: Expr) -> Expr:
    """A stored word as a bit-vector."""
    if word.mask:  # only bit-vectors have one here
        return word
    bits = fp_to_bits(word, word.sort)
    assert isinstance(bits, Expr)
    return bits


@dataclass(slots=True, eq=False, repr=False)
class MemoryObject:
    """An allocated object. ``viewed`` has a bit for every fast-path table that may hold a view of it."""

    base: int
    size: int
    kind: str
    name: str
    site: object
    owner: Owner | None
    data: Buffer
    shadow: Buffer | None
    pending: int
    words: dict[int, Expr] = field(default_factory=dict)
    constant: bool = False
    viewed: int = 0
    array: Expr | None = None
    dirty: Buffer | None = None
    snapshot: bytes | None = None
    life: int = 0
    """How many local variables were at this address before, in the same call: one for each run of the block."""

    @property
    def end(self) -> int:
        """The address just past the object."""
        return self.base + self.size

    def __repr__(self) -> str:
        return f"<{self.kind} object {self.name!r} of {self.size} bytes at {self.base:#x}>"

    def copy(self, owner: Owner) -> MemoryObject:
        """The same object for another owner, to be changed apart from this one."""
        shadow = self.shadow
        twin = MemoryObject(
            self.base,
            self.size,
            self.kind,
            self.name,
            self.site,
            owner,
            duplicate(self.data),
            None if shadow is None else duplicate(shadow),
            self.pending,
            life=self.life,
        )
        if shadow is not None:
            twin.words = self.words.copy()
        if self.array is not None:
            twin.array = self.array
            twin.snapshot = self.snapshot
            twin.dirty = None if self.dirty is None else duplicate(self.dirty)
        return twin

    # -- writing ------------------------------------------------------------------------------

    def put(self, offset: int, value: Value, nbytes: int) -> None:
        """Write a value of ``nbytes`` bytes, concrete or not (a concrete float: as bits)."""
        if type(value) is Expr:
            self.put_word(offset, value, nbytes)
        else:
            self.put_int(offset, int(value), nbytes)

    def put_int(self, offset: int, value: int, nbytes: int) -> None:
        """Write a concrete value."""
        self.data[offset : offset + nbytes] = value.to_bytes(nbytes, "little")
        if self.shadow is not None:
            self.mark_plain(offset, offset + nbytes)

    def put_word(self, offset: int, word: Expr, nbytes: int) -> None:
        """Write a symbolic value. Views of the object must be gone."""
        shadow = self.shadow
        if shadow is None:
            shadow = self.leave_plain()
        unpack = UNPACK.get(nbytes)
        codes = -1 if unpack is None else unpack(shadow, offset)[0]
        if codes == 0:
            PACK[nbytes](shadow, offset, ONE_WORD[nbytes])
        elif codes > 0 and codes == ALL_PLAIN[nbytes]:
            PACK[nbytes](shadow, offset, ONE_WORD[nbytes])
            self.pending += nbytes
        else:
            self._lay_over(shadow, offset, word.width, nbytes)
        self.words[offset] = word
        if self.dirty is not None:
            self.dirty[offset : offset + nbytes] = PLAIN_BYTE * nbytes

    def _lay_over(self, shadow: Buffer, offset: int, width: int, nbytes: int) -> None:
        """Make room for a word where there may be others, whole or in part."""
        old = self.words.get(offset)
        if old is None or old.width != width:
            end = offset + nbytes
            self.cut(offset, end)
            self.pending += bytes(shadow[offset:end]).count(PLAIN)
            shadow[offset:end] = WORD_CODES.get(nbytes) or word_codes(nbytes)

    def note_int(self, offset: int, nbytes: int) -> bool:
        """A concrete value of 1, 2, 4 or 8 bytes has just been written to ``data``; there is a shadow. Yields whether
        there is none any more."""
        shadow = self.shadow
        assert shadow is not None
        codes = UNPACK[nbytes](shadow, offset)[0]
        plain = ALL_PLAIN[nbytes]
        if codes != plain:
            if codes:
                if codes != ONE_WORD[nbytes] or self.words[offset].width != nbytes << 3:
                    self.mark_plain(offset, offset + nbytes)
                    return self.pending == 0
                del self.words[offset]
            PACK[nbytes](shadow, offset, plain)
            self.pending -= nbytes
            if not self.pending:
                self.settle()
                return True
        if self.dirty is not None:
            PACK[nbytes](self.dirty, offset, plain)
        return False

    def mark_plain(self, offset: int, end: int) -> None:
        """``data`` has the value of these bytes from now on."""
        shadow = self.shadow
        assert shadow is not None
        self.cut(offset, end)
        length = end - offset
        self.pending -= length - bytes(shadow[offset:end]).count(PLAIN)
        shadow[offset:end] = PLAIN_BYTE * length
        if self.dirty is not None:
            self.dirty[offset:end] = PLAIN_BYTE * length
        if not self.pending:
            self.settle()

    def leave_plain(self) -> Buffer:
        """Some byte is about to become other than PLAIN."""
        shadow = self.shadow = filled(self.size, PLAIN_BYTE)
        self.pending = 0
        self.array = self.snapshot = None
        return shadow

    def settle(self) -> None:
        """Every byte is PLAIN: the other layers are empty, or say nothing ``data`` does not."""
        self.shadow = None
        self.array = self.dirty = self.snapshot = None

    def cut(self, offset: int, end: int) -> None:
        """Forget the words in a range about to be overwritten; keep what sticks out at either side.

        The shadow inside the range is left for the caller to set.
        """
        shadow, words = self.shadow, self.words
        assert shadow is not None
        if not words:
            return
        if offset < end and shadow[offset] == REST:
            start = shadow.rfind(WORD_BYTE, 0, offset)
            word = words.pop(start)
            stop = start + (word.width >> 3)
            self._keep(word, start, start, offset)
            if stop > end:
                self._keep(word, start, end, stop)
                return
        if end < self.size and shadow[end] == REST:
            start = shadow.rfind(WORD_BYTE, 0, end)
            word = words.pop(start)
            self._keep(word, start, end, start + (word.width >> 3))
        self._forget(offset, end)

    def _keep(self, word: Expr, start: int, first: int, stop: int) -> None:
        """Bytes ``first`` to ``stop`` of a word that starts at ``start`` become a piece of their own."""
        shadow = self.shadow
        assert shadow is not None
        piece = extract(as_bits(word), 8 * (stop - start) - 1, 8 * (first - start))
        length = stop - first
        if type(piece) is Expr:
            self.words[first] = piece
            shadow[first:stop] = WORD_CODES.get(length) or word_codes(length)
        else:
            self.data[first:stop] = int(piece).to_bytes(length, "little")
            shadow[first:stop] = PLAIN_BYTE * length
            self.pending -= length

    def _forget(self, offset: int, end: int) -> None:
        words = self.words
        if end - offset <= 16:
            for position in range(offset, end):
                words.pop(position, None)
        elif end - offset == self.size:
            words.clear()
        else:
            for position in word_starts(self, offset, end):
                words.pop(position, None)

    # -- reading ------------------------------------------------------------------------------

    def gather(self, offset: int, nbytes: int) -> BV:
        """The value of a few bytes, none of them UNSET, as one bit-vector."""
        end = offset + nbytes
        if self.shadow is None:
            return int.from_bytes(self.data[offset:end], "little")
        value: BV = 0
        position = offset
        while position < end:
            piece, stop = self._piece(position, end)
            if position == offset:
                value = piece
            else:
                value = concat(piece, 8 * (stop - position), value, 8 * (position - offset))
            position = stop
        return value

    def _piece(self, position: int, end: int) -> tuple[BV, int]:
        """The longest piece from ``position`` on that lies in one layer, and where it stops."""
        shadow = self.shadow
        assert shadow is not None
        code = shadow[position]
        if code == PLAIN:
            stop = position + 1
            while stop < end and shadow[stop] == PLAIN:
                stop += 1
            return int.from_bytes(self.data[position:stop], "little"), stop
        if code == ARRAY:
            assert self.array is not None
            stop = position + 1
            while stop < end and shadow[stop] == ARRAY:
                stop += 1
            return select_word(self.array, position, stop - position), stop
        start = position if code == WORD else shadow.rfind(WORD_BYTE, 0, position)
        word = as_bits(self.words[start])
        stop = min(end, start + (word.width >> 3))
        if position == start and 8 * (stop - start) == word.width:
            return word, stop
        return extract(word, 8 * (stop - start) - 1, 8 * (position - start)), stop

    def recall(self, offset: int, value: BV, nbytes: int) -> None:
        """Lay what the array says about some bytes over it, so that the next reads need not ask it."""
        self.put(offset, value, nbytes)
        if self.dirty is not None:
            self.dirty[offset : offset + nbytes] = UNSET_BYTE * nbytes


def word_codes(nbytes: int) -> bytes:
    """The shadow of a word."""
    return bytes([WORD]) + bytes([REST]) * (nbytes - 1)


def word_starts(obj: MemoryObject, offset: int, end: int) -> list[int]:
    """Where words start in a range, in order."""
    shadow = obj.shadow
    if shadow is None or not obj.words:
        return []
    starts = []
    position = shadow.find(WORD_BYTE, offset, end)
    while position >= 0:
        starts.append(position)
        position = shadow.find(WORD_BYTE, position + 1, end)
    return starts
