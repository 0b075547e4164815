"""The generator keeps its promises: deterministic, free of undefined behaviour, and not boring."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from oracle import native
from oracle.generator import generate

SANITIZERS = ("-O1", "-fsanitize=undefined,address", "-fno-sanitize-recover=all")


def sanitizers_work(folder: Path) -> bool:
    """Whether this machine's compiler can link and run with sanitizers (many small images cannot)."""
    probe = folder / "probe.c"
    probe.write_text("int main(void) { return 0; }\n", encoding="utf-8")
    try:
        return native.run(native.build(probe, [], folder, SANITIZERS)).exit_code == 0
    except (native.CompileFailed, subprocess.SubprocessError, OSError):
        return False


def test_same_seed_same_program() -> None:
    assert generate(7) == generate(7)
    assert generate(7) != generate(8)


@pytest.mark.sample(6)
@pytest.mark.parametrize("seed", range(1000, 1006))
def test_programs_are_free_of_undefined_behaviour(seed: int, tmp_path: Path) -> None:
    if not sanitizers_work(tmp_path):
        pytest.skip("no sanitizers with this compiler")
    drawn = generate(seed)
    source = tmp_path / "drawn.c"
    source.write_text(drawn.source, encoding="utf-8")
    outcome = native.run(native.build(source, drawn.inputs, tmp_path, SANITIZERS))
    assert outcome.exit_code is not None and outcome.exit_code >= 0
    assert outcome.stderr == b""


def test_the_family_has_every_feature() -> None:
    text = "".join(generate(seed).source for seed in range(30))
    wanted = ("goto ", "switch (", "case 8 ... 10", "do {", "while (", "table[", "walk(", "add_all(", "memmove(",
              "__VERIFIER_nondet_", ".inner.", " : ", "shared.real", "(*p", "static ", "memset(", " ? &")  # fmt: skip
    assert [word for word in wanted if word not in text] == []
    assert any("goto " not in generate(seed).source for seed in range(30))


def test_inputs_reach_the_native_program(tmp_path: Path) -> None:
    source = tmp_path / "echo.c"
    source.write_text(
        "#include <stdio.h>\n"
        "extern int __VERIFIER_nondet_int(void);\n"
        "extern unsigned char __VERIFIER_nondet_uchar(void);\n"
        "int main(void) {\n"
        "  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_uchar(), c = __VERIFIER_nondet_int();\n"
        '  printf("%d %d %d", a, b, c);\n'
        "  return 3;\n"
        "}\n",
        encoding="utf-8",
    )
    outcome = native.run(native.build(source, [-5, 257], tmp_path))
    assert (outcome.exit_code, outcome.stdout) == (3, b"-5 1 0")


def test_time_limit_of_the_native_program(tmp_path: Path) -> None:
    source = tmp_path / "forever.c"
    source.write_text("int main(void) { volatile int i = 1; while (i) i = 1; }\n", encoding="utf-8")
    assert native.run(native.build(source, [], tmp_path), seconds=0.3).exit_code is None
