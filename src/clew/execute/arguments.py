"""What a program is started with: ``argc``, ``argv``, the environment, standard input.

``argv[0]`` is the program's name; ``--args`` gives the other words, known or symbolic; ``--stdin`` the number of
symbolic bytes of standard input. Both are inputs of the program, read before it starts: first ``argv[1]``, ``argv[2]``,
... as far as they are symbolic, then ``stdin length`` and ``stdin``. Models find standard input and its streams in the
environment of the state.
"""

from __future__ import annotations

from typing import Any, Final

from clew.execute.decide import assume
from clew.execute.inputs import InputKind, InputRead, read_input, read_object
from clew.execute.state import State
from clew.expr import build
from clew.expr.node import Expr
from clew.program.module import Function

STANDARD_INPUT: Final = "standard input"
"""Environment: bytes of standard input and how many of them are there; without ``--stdin`` it is like any file."""
STANDARD_STREAMS: Final = "standard streams"
"""Environment: addresses of the objects behind ``stdin``, ``stdout`` and ``stderr``."""
_STREAM_NAMES: Final = ("stdin", "stdout", "stderr")
_STREAM_SIZE: Final = 16
_ENVIRON: Final = ("environ", "__environ", "_environ")
LIBRARY_VARIABLES: Final = frozenset((*_STREAM_NAMES, *_ENVIRON))
"""Variables that the C library defines, and that have their values when the program starts."""
LENGTH_OF: Final = " length"
"""Behind the name of an input: the name of the one that says how long it is."""
LENGTH: Final = f"stdin{LENGTH_OF}"
EMPTY_ENVIRONMENT: Final = "environments that hold something: environ is empty, whatever getenv() finds"


def main_arguments(state: State, entry: Function) -> tuple[Any, ...]:
    """``argc``, ``argv`` and ``envp``, as far as ``main`` takes them."""
    pointer = state.run.layout.pointer_bytes
    memory = state.memory
    words = [_word(state, word, place) for place, word in enumerate(state.run.options.argv)]
    argv = memory.allocate((len(words) + 1) * pointer, "argument", "argv", 16, None, b"")
    for place, address in enumerate(words):
        memory.store_bits(argv + place * pointer, address, pointer)
    envp = memory.allocate(pointer, "argument", "envp", 16, None, b"")
    for name in _ENVIRON:
        _define(state, name, envp)
    if len(entry.parameters) > 2 or any(name in state.run.program.globals for name in _ENVIRON):
        state.run.note_loss("bounded", EMPTY_ENVIRONMENT, state)
    return (len(words), argv, envp)[: len(entry.parameters)]


def _word(state: State, word: bytes | int, place: int) -> int:
    """The address of one argument: a known word, or a symbolic string of at most so many bytes."""
    name = f"argv[{place}]"
    if isinstance(word, bytes):
        return state.memory.allocate(len(word) + 1, "argument", name, 1, None, word)
    address = state.memory.allocate(word + 1, "argument", name, 1, None, b"")
    if word:
        state.memory.write_bytes(address, read_object(state, name, f"char[{word}]", word))
    return address


def standard_input(state: State, size: int | None) -> None:
    """Read the inputs that stand for standard input: their number, at most ``size``, and the bytes."""
    if size is None:
        return
    if size == 0:
        state.environment = state.environment.set(STANDARD_INPUT, ((), 0))
        return
    length = read_length(state, LENGTH, size)
    data = read_object(state, "stdin", f"char[{size}]", size)
    state.environment = state.environment.set(STANDARD_INPUT, (data, length))


def read_length(state: State, name: str, usual: int, most: int | None = None) -> Any:
    """An input that says how long another one is: at most ``usual``, or ``most``."""
    length = read_input(state, name, "unsigned int", 32, InputKind.NONDET)
    if isinstance(length, Expr) and length not in state.model.values:
        # The first path reads all there is for now, rather than nothing.
        state.model = state.model.updated({length: usual})
    assume(state, build.ule(length, usual if most is None else most, 32))
    return length


def is_length(read: InputRead) -> bool:
    """Whether an input says how long another one is."""
    return read.kind is InputKind.NONDET and read.name.endswith(LENGTH_OF)


def standard_streams(state: State) -> None:
    """Objects for the three streams every program has, and the variables that point to them."""
    addresses = tuple(
        state.memory.allocate(_STREAM_SIZE, "stream", name, 16, None, b"", constant=True) for name in _STREAM_NAMES
    )
    for name, address in zip(_STREAM_NAMES, addresses, strict=True):
        _define(state, name, address)
    state.environment = state.environment.set(STANDARD_STREAMS, addresses)


def _define(state: State, name: str, value: int) -> None:
    """Give a variable of libc's its value, where the program declares it and does not define it itself."""
    variable = state.run.program.globals.get(name)
    if variable is None or variable.initializer is not None:
        return
    found = state.memory.find(state.run.globals.addresses[name])
    pointer = state.run.layout.pointer_bytes
    if found is None or found[0].size < pointer:
        return
    # musl declares the streams constant: the value is given where others are left undefined.
    hook = state.memory.on_uninitialised
    state.memory.on_uninitialised = lambda obj, offset, nbytes: value
    state.memory.materialise(found[0], 0, pointer)
    state.memory.on_uninitialised = hook
