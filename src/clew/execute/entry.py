"""The first state: memory as the program starts, and a frame at its entry function."""

from __future__ import annotations

from typing import Any

from clew.execute.frame import Frame
from clew.execute.harness import Harness
from clew.execute.run import Run
from clew.execute.state import State
from clew.execute.undefined import UninitializedReads
from clew.expr.evaluate import EMPTY_MODEL
from clew.program.module import Function

PROGRAM_NAME = b"program\0"


def program_state(run: Run, entry: Function) -> State:
    """A state about to run ``entry`` as a program: ``argc`` is 1, ``argv`` holds a name."""
    state = _blank(run)
    return _start(state, entry, _main_arguments(state, entry))


def function_state(run: Run, entry: Function, array_length: int) -> State:
    """A state about to call ``entry`` with every parameter an input."""
    state = _blank(run)
    harness = Harness(state, array_length)
    return _start(state, entry, harness.arguments(entry))


def _blank(run: Run) -> State:
    memory = run.machine.initial_memory.fork()
    memory.on_uninitialised = UninitializedReads(run)
    return State(run, memory, EMPTY_MODEL)


def _start(state: State, entry: Function, arguments: tuple[Any, ...]) -> State:
    """The entry's frame, below those of constructors, which return into it."""
    run = state.run
    frame = Frame(run.compiler.function(entry.name), arguments, None, state.owner)
    for name in reversed(run.program.constructors):
        if not run.program.functions[name].is_declaration:
            frame = Frame(run.compiler.function(name), (), frame, state.owner)
    state.frame = frame
    return state


def _main_arguments(state: State, entry: Function) -> tuple[Any, ...]:
    """``argc``, ``argv`` and ``envp``, as far as ``main`` takes them."""
    memory = state.memory
    pointer = state.run.layout.pointer_bytes
    name = memory.allocate(len(PROGRAM_NAME), "argument", "argv[0]", 1, None, PROGRAM_NAME)
    argv = memory.allocate(2 * pointer, "argument", "argv", 16, None, b"")
    memory.store_bits(argv, name, pointer)
    envp = memory.allocate(pointer, "argument", "envp", 16, None, b"")
    return (1, argv, envp)[: len(entry.parameters)]
