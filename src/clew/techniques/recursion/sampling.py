"""Samples of calls: a program that keeps the arguments and results of recursive functions, and what these suggest."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence

from clew.analysis.mod_ref import ModRef
from clew.execute.instrument.candidates import sample
from clew.program import instructions as ir
from clew.program.editing import Draft
from clew.program.module import Block, Function, Program
from clew.program.types import IntType
from clew.program.values import GlobalRef, Register, Value
from clew.techniques.recursion import proposals
from clew.techniques.recursion.conditions import Term
from clew.techniques.recursion.contracts import RESULT, Component, Contract, afterwards, parameter

CONDITIONS = 60
"""Of one half of a contract."""


def sampling(effects: ModRef, component: Component) -> Program:
    """The program with calls that keep what the functions of a component are given, and give back."""
    program = effects.program
    functions = dict(program.functions)
    for number, name in enumerate(component.names):
        functions[name] = _sampled(program, component, functions[name], number)
    return dataclasses.replace(program, functions=functions)


def proposed(program: Program, component: Component, taken: Iterable[Sequence[int]]) -> dict[str, Contract]:
    """Contracts that the samples of calls suggest, some of which may hold."""
    samples: dict[str, list[proposals.Sample]] = {name: [] for name in component.names}
    for number, *values in taken:
        name = component.names[number]
        terms = _terms(program, component, program.functions[name])
        samples[name].append(
            {term: _signed(value, width) for (term, width), value in zip(terms.items(), values, strict=True)}
        )
    return {name: _contract(program, component, name, samples[name]) for name in component.names}


def _contract(program: Program, component: Component, name: str, samples: list[proposals.Sample]) -> Contract:
    if not samples:
        return Contract()
    function = program.functions[name]
    terms = _terms(program, component, function)
    new = [term for term in terms if term == RESULT or term.endswith("'")]
    known = [term for term in terms if term not in new]
    return Contract(
        tuple(proposals.before(function, samples, known)[:CONDITIONS]),
        tuple(proposals.after(function, samples, known, new)[:CONDITIONS]),
    )


def _terms(program: Program, component: Component, function: Function) -> dict[Term, int]:
    """What a sample of a function holds, in order, and the widths."""
    found = {
        parameter(place): given.value.type.width
        for place, given in enumerate(function.parameters)
        if isinstance(given.value.type, IntType)
    }
    scalars = {name: _width(program, name) for name in component.scalars}
    found.update(scalars)
    if isinstance(function.type.result, IntType):
        found[RESULT] = function.type.result.width
    found.update({afterwards(name): width for name, width in scalars.items()})
    return found


def _width(program: Program, name: str) -> int:
    type = program.globals[name].type
    assert isinstance(type, IntType)
    return type.width


def _signed(value: int, width: int) -> int:
    return value - (1 << width) if width > 1 and value >> (width - 1) else value


def _sampled(program: Program, component: Component, function: Function, number: int) -> Function:
    first = Draft("")
    before = {name: _load(first, program, name, "before") for name in component.scalars}
    blocks = [_kept(program, component, function, block, number, before) for block in function.blocks]
    blocks[0] = blocks[0].inserted({len(blocks[0].phis): tuple(first.instructions)})
    return dataclasses.replace(function, blocks=tuple(blocks))


def _kept(
    program: Program, component: Component, function: Function, block: Block, number: int, before: Mapping[str, Value]
) -> Block:
    """A block that keeps a sample before it returns."""
    last = block.instructions[-1]
    if not isinstance(last, ir.Return):
        return block
    draft = Draft("")
    values = [given.value for given in function.parameters if isinstance(given.value.type, IntType)]
    values += before.values()
    if last.value is not None:
        values.append(last.value)
    values += [_load(draft, program, name, f"after.{block.name}") for name in component.scalars]
    draft.add(sample(number, values))
    return block.inserted({len(block.instructions) - 1: tuple(draft.instructions)})


def _load(draft: Draft, program: Program, name: str, when: str) -> Value:
    result = Register(f"clew.{when}.{name}", program.globals[name].type)
    return draft.add(ir.Load(result, None, GlobalRef(name), 1))
