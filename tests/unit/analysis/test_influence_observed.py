"""What is said not to depend on input, against runs with different inputs; where pointers lead, against accesses.

Two runs are at the same place if they came there by the same calls, in the same round of each loop around. There,
registers that do not depend on input must be the same.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from clew.analysis.callees import LibraryModel
from clew.analysis.graph import LoopForest, control_flow, loop_forest
from clew.execute.invocation import Invocation
from clew.execute.library import MODELS
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.models.registry import all_models
from clew.program import instructions as ir
from clew.program.module import Block, Function, Program
from clew.program.operands import registers
from clew.program.types import METADATA, VOID, FunctionType, IntType
from clew.program.values import GlobalRef, MetadataArg, Register
from clew.runtime.linking import link
from oracle.generator import generate
from oracle.merging_programs import generate as generate_meeting
from support.concrete import run_concrete
from unit.analysis.influences import influence_of
from unit.analysis.test_effects_observed import POINTERS, Watch
from unit.analysis.test_effects_observed import PROBE as ACCESS
from unit.execute.support import c_program

PROBE = "clew.test.value"
FEATURES = Path(__file__).resolve().parents[2] / "programs" / "features"
WITHOUT_ACCESSES = {
    "abort_assumes", "assembly_arm", "assembly_x86", "copies_side_by_side", "floats", "goto", "longlong", "switch",
}  # fmt: skip
"""Features whose programs keep everything in registers."""
OPTIONS = CompileOptions(flags=("-std=gnu11", "-w"))


@dataclasses.dataclass
class Shadow:
    """A call that is going on."""

    place: tuple[Any, ...]
    forest: LoopForest
    block: int = -1
    rounds: dict[int, int] = dataclasses.field(default_factory=dict)
    calls: int = 0

    def move(self, block: int) -> None:
        for loop in self.forest.around(block):
            if loop.header == block:
                self.rounds[loop.index] = self.rounds[loop.index] + 1 if self.block in loop.blocks else 0
        self.block, self.calls = block, 0

    def here(self) -> tuple[Any, ...]:
        return (self.place, self.block, *(self.rounds[loop.index] for loop in self.forest.around(self.block)))


class Recorder:
    """A program that tells of every block it comes to and every integer it computes or reads."""

    def __init__(self, program: Program) -> None:
        self.sites: list[tuple[str, str, str]] = []
        """What happens, in which function, to which block or register."""
        self.forests = {
            name: loop_forest(control_flow(function))
            for name, function in program.functions.items()
            if not function.is_declaration
        }
        functions = {
            name: self._told(function) if name in self.forests else function
            for name, function in program.functions.items()
        }
        self.program = dataclasses.replace(program, functions=functions)
        self.blocks = {name: [block.name for block in program.functions[name].blocks] for name in self.forests}
        self._stack: list[Shadow] = []
        self._values: dict[tuple[Any, ...], tuple[str, str, str, Any]] = {}
        self._known: dict[tuple[Any, ...], int] = {}

    def regular(self) -> bool:
        return not any(loop.irreducible for forest in self.forests.values() for loop in forest.loops)

    def _tell(self, what: str, function: str, name: str, register: Register | None = None) -> ir.Call:
        self.sites.append((what, function, name))
        key = ir.Argument(MetadataArg(str(len(self.sites) - 1)))
        if register is None:
            return ir.Call(None, None, GlobalRef(PROBE), FunctionType(VOID, (METADATA,)), (key,))
        kinds = FunctionType(VOID, (METADATA, register.type))
        return ir.Call(None, None, GlobalRef(PROBE), kinds, (key, ir.Argument(register)))

    def _told(self, function: Function) -> Function:
        return dataclasses.replace(
            function, blocks=tuple(Block(b.name, tuple(self._block(function, b))) for b in function.blocks)
        )

    def _block(self, function: Function, block: Block) -> Iterator[ir.Instruction]:
        name = function.name
        phis = [each for each in block.instructions if isinstance(each, ir.Phi)]
        yield from phis
        if block is function.blocks[0]:
            yield self._tell("enter", name, block.name)
        yield self._tell("block", name, block.name)
        for phi in phis:
            if phi.result is not None and isinstance(phi.result.type, IntType):
                yield self._tell("value", name, phi.result.name, phi.result)
        for instruction in block.instructions[len(phis) :]:
            for register in registers(instruction):
                if isinstance(register.type, IntType):
                    yield self._tell("value", name, register.name, register)
            if isinstance(instruction, ir.Return):
                yield self._tell("leave", name, "")
            yield instruction
            result = instruction.result
            if result is not None and isinstance(result.type, IntType):
                yield self._tell("value", name, result.name, result)

    def told(self, call: Invocation, _: Any, value: Any = None) -> None:
        text = call.argument(0)
        assert isinstance(text, MetadataArg)
        what, function, name = self.sites[int(text.text)]
        if what == "enter":
            place: tuple[Any, ...] = (function,)
            if self._stack:
                caller = self._stack[-1]
                caller.calls += 1
                # Places are nested as deep as calls are: numbers keep them small.
                above = self._known.setdefault(caller.here(), len(self._known))
                place = (function, above, caller.calls)
            self._stack.append(Shadow(place, self.forests[function]))
        elif what == "leave":
            self._stack.pop()
        elif what == "block":
            self._stack[-1].move(self.blocks[function].index(name))
        else:
            shadow = self._stack[-1]
            block = self.blocks[function][shadow.block]
            self._values[(shadow.here(), name)] = (function, name, block, value)

    def run(self, inputs: list[int]) -> dict[tuple[Any, ...], tuple[str, str, str, Any]]:
        self._stack, self._values = [], {}
        run_concrete(self.program, inputs)
        return self._values


def compare(program: Program, runs: list[list[int]], monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Check all runs against the first; how many values were the same by analysis, and how many differed."""
    recorder = Recorder(program)
    if not recorder.regular():
        return 0, 0
    influence = influence_of(program)
    all_models()
    monkeypatch.setitem(MODELS, PROBE, LibraryModel(PROBE, recorder.told, True))
    first = recorder.run(runs[0])
    fixed = differing = 0
    for inputs in runs[1:]:
        other = recorder.run(inputs)
        for key in first.keys() & other.keys():
            function, register, block, value = first[key]
            differing += other[key][3] != value
            if not influence.depends(function, register, block):
                fixed += 1
                assert other[key][3] == value, f"%{register} in {block} of {function} is {value} and {other[key][3]}"
    return fixed, differing


def drawn_inputs(seed: int, count: int, *small: int) -> list[list[int]]:
    """Inputs of some runs: of the given values, or of all sizes."""
    random = Random(seed)
    if small:
        return [random.choices(small, k=400) for _ in range(count)]
    sizes = (0, 1, 3, 8, 32)
    return [[random.getrandbits(random.choice(sizes)) for _ in range(2000)] for _ in range(count)]


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize("seed", [0])
def test_values_of_generated_programs(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "program.c"
    source.write_text(generate(seed).source, encoding="utf-8")
    fixed, differing = compare(load([source], OPTIONS, None), drawn_inputs(seed, 2), monkeypatch)
    assert fixed > 10 and differing > 0


@pytest.mark.slow
@pytest.mark.sample(6)
@pytest.mark.parametrize("seed", range(6))
def test_values_of_programs_whose_paths_meet(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "program.c"
    source.write_text(generate_meeting(seed).source, encoding="utf-8")
    compare(load([source], OPTIONS, None), drawn_inputs(seed, 6, 0, 1, 2), monkeypatch)


LOOPS = """
    int rand(void);
    int table[8] = {3, 1, 4, 1, 5, 9, 2, 6}, seen[8], total;
    static int find(int what) { for (int i = 0; i < 8; i++) if (table[i] == what) return i; return -1; }
    static int rounds(int n) { int k = 0; while (k * k < n) { total += k; k++; } return k; }
    int main(void) {
        int x = rand() % 10, y = rand() % 5, odd = 0, plain = 0, best = 0;
        for (int i = 0; i < 8; i++) {
            plain += i;
            if (table[i] > x) { odd++; continue; }
            for (int j = 0; j < 8; j++) { if (j == y + i) break; best += j; seen[j] = i; }
        }
        int where = find(x), many = rounds(x);
        for (int i = 0; i < 3; i++) { plain ^= i; if (i == where) goto out; }
        plain++;
    out:
        do { many--; if (many == y) break; } while (many > 0);
        return plain + odd + best + where + many + seen[2] + total;
    }
"""


@pytest.mark.slow
def test_values_of_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    fixed, differing = compare(c_program(LOOPS), drawn_inputs(1, 12), monkeypatch)
    assert fixed > 300 and differing > 300


class Followed(Watch):
    """Accesses, against where pointers lead across functions."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.targets = influence_of(program)._taint.targets

    def saw(self, call: Invocation, _: Any, address: Any) -> None:
        super().saw(call, _, address)
        text = call.argument(0)
        assert isinstance(text, MetadataArg)
        function, instruction = self.sites[int(text.text)]
        found = call.state.memory.find(call.pointer(address))
        if found is not None and not isinstance(instruction, ir.Alloca):
            bit = self.effects.bit(self._object(call, found[0].base, found[0].kind))
            assert self.targets.pointed(function, call.argument(1)) & bit == bit, f"{instruction} in {function}"


def follow(program: Program, inputs: list[int], monkeypatch: pytest.MonkeyPatch) -> int:
    watch = Followed(program)
    all_models()
    monkeypatch.setitem(MODELS, ACCESS, LibraryModel(ACCESS, watch.saw, True))
    run_concrete(watch.program, inputs)
    return watch.seen


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_pointers_of_generated_programs(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "program.c"
    source.write_text(generate(seed).source, encoding="utf-8")
    assert follow(load([source], OPTIONS, None), drawn_inputs(seed, 1)[0], monkeypatch) > 10


@pytest.mark.sample(5)
@pytest.mark.parametrize("path", sorted(FEATURES.glob("*.c")), ids=lambda path: path.stem)
def test_pointers_of_features(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = link(load([path], OPTIONS, None), OPTIONS)
    (inputs,) = drawn_inputs(3, 1)
    assert (follow(program, inputs, monkeypatch) > 3) == (path.stem not in WITHOUT_ACCESSES)


def test_pointers_of_all_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    assert follow(link(c_program(POINTERS), CompileOptions()), [], monkeypatch) > 300
