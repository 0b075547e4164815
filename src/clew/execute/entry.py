"""The first state: memory as the program starts, and a frame at its entry function."""

from __future__ import annotations

from typing import Any

from clew.execute.arguments import main_arguments, standard_input, standard_streams
from clew.execute.frame import Frame
from clew.execute.harness import Harness
from clew.execute.heap.surroundings import HeapOptions, Surroundings
from clew.execute.instrument.targets import probes_of
from clew.execute.made_up import make_up_variables
from clew.execute.run import Run
from clew.execute.state import State
from clew.execute.undefined import UninitializedReads
from clew.expr.evaluate import EMPTY_MODEL
from clew.program.module import FINISH, Function


def program_state(run: Run, entry: Function) -> State:
    """A state about to run ``entry`` as a program, with its arguments and standard input."""
    state = _blank(run)
    arguments = main_arguments(state, entry)
    standard_input(state, run.options.stdin)
    return _start(state, entry, arguments, FINISH if FINISH in run.program.runtime else None)


def function_state(run: Run, entry: Function, options: HeapOptions) -> State:
    """A state about to call ``entry`` with every parameter an input."""
    state = _blank(run)
    if run.surroundings is None:
        run.surroundings = Surroundings(run.program, run.globals, run.callees, entry, options, probes_of)
    state.memory.keep_clear(run.surroundings.region.low)
    if options.elsewhere:
        state.memory.move_on()
    arguments = Harness(state, run.surroundings).arguments(entry)
    standard_input(state, run.options.stdin)
    return _start(state, entry, arguments)


def _blank(run: Run) -> State:
    memory = run.machine.initial_memory.fork()
    memory.on_uninitialised = UninitializedReads(run)
    state = State(run, memory, EMPTY_MODEL)
    standard_streams(state)
    return state


def _start(state: State, entry: Function, arguments: tuple[Any, ...], last: str | None = None) -> State:
    """The entry's frame, below those of constructors, which return into it; it may return into a ``last`` function."""
    run = state.run
    make_up_variables(state, entry.name)
    below = Frame(run.compiler.function(last), (), None, state.owner) if last is not None else None
    frame = Frame(run.compiler.function(entry.name), arguments, below, state.owner)
    for name in reversed(run.program.constructors):
        if not run.program.functions[name].is_declaration:
            frame = Frame(run.compiler.function(name), (), frame, state.owner)
    state.frame = frame
    return state
