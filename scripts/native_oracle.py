"""Native runs against the interpreter and against the program itself, on programs of our generator.

    python scripts/native_oracle.py [--first N] [--count N]

Same end, same exit code, same output, same branches; every other program with the checks that Clang compiles in.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from clew.checks.check import chosen_kinds, sanitizers  # noqa: E402
from oracle import native  # noqa: E402
from oracle.generator import generate  # noqa: E402
from oracle.native_runs import compare, with_wide_inputs  # noqa: E402


def difference(seed: int, folder: Path) -> str:
    """What is not the same for one program; empty if nothing is."""
    drawn = generate(seed)
    source = folder / f"seed{seed}.c"
    source.write_text(with_wide_inputs(drawn.source), encoding="utf-8")
    compared = compare(source, drawn.inputs, sanitizers(chosen_kinds(None)) if seed % 2 else ())
    if compared.difference:
        return compared.difference
    plain = native.run(native.build(source, drawn.inputs, folder))
    shown = (compared.run.exit_code, compared.run.stdout)
    return "" if (plain.exit_code, plain.stdout) == shown else f"the program itself: {plain.exit_code}"


def main() -> int:
    """Exit code 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    chosen = parser.parse_args()
    wrong = 0
    for seed in range(chosen.first, chosen.first + chosen.count):
        with tempfile.TemporaryDirectory() as folder:
            found = difference(seed, Path(folder))
        if found:
            wrong += 1
            print(f"seed {seed}: {found}", flush=True)
    print(f"{chosen.count} programs, {wrong} different")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
