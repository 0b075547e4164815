"""Numbers and words that scanf reads: explored without their text, against the real libc with texts.

Each path is run natively with the file that its inputs stand for, and must end the same way; and what native runs do
with texts at random, some path must do. Programs tell all they see by their exit code.
"""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from clew.report.test_environment import setting_of
from unit.models.running import HEADERS, Ran, run_all

CLASSES = """
static int sign(long v) { return v < 0 ? 1 : v > 0 ? 2 : 0; }
static int next(FILE *f) {
    int c = fgetc(f);
    return c == EOF ? 0 : c == '-' ? 1 : c == ' ' ? 2 : c >= '0' && c <= '9' ? 3 : c == 'x' ? 4 : 5;
}
static FILE *given(void) { FILE *f = fopen("in.txt", "r"); if (!f) exit(255); return f; }
"""
PROGRAMS = {
    "two": """int a = 0, b = 0, n = fscanf(f, "%d %d", &a, &b);
        return (n + 1) * 24 + sign(a) * 8 + sign(b) * 2 + !!feof(f);""",
    "line": """int a = 0, n = fscanf(f, "%d\\n", &a), e = !!feof(f);
        return (n + 1) * 48 + sign(a) * 16 + e * 8 + next(f);""",
    "comma": """int a = 0, b = 0, n = fscanf(f, "%d,%d", &a, &b);
        return (n + 1) * 54 + sign(a) * 18 + sign(b) * 6 + next(f);""",
    "again": """int a = 0, n = fscanf(f, "%d", &a), m = fscanf(f, "%d", &a);
        return (n + 1) * 54 + (m + 1) * 18 + sign(a) * 6 + next(f);""",
    "hex": """unsigned a = 0; int n = fscanf(f, "%x", &a), e = !!feof(f);
        return (n + 1) * 48 + (a == 0 ? 0 : a > 255 ? 1 : 2) * 16 + e * 8 + next(f);""",
    "octal": """unsigned short a = 0; int n = fscanf(f, "%ho", &a);
        return (n + 1) * 48 + (a == 0 ? 0 : a > 7 ? 1 : 2) * 16 + next(f);""",
    "letter": """long a = 0; char c = 0; int n = fscanf(f, "%ld %c", &a, &c);
        return (n + 1) * 48 + sign(a) * 16 + (c == 'x') * 8 + next(f);""",
    "skipped": """unsigned char a = 0; int n = fscanf(f, "%*u%hhu", &a);
        return (n + 1) * 48 + (a == 0 ? 0 : a > 99 ? 1 : 2) * 16 + next(f);""",
    "real": """double a = 0; int n = fscanf(f, "%lf", &a), e = !!feof(f);
        return (n + 1) * 80 + (a != a ? 0 : a > 1e308 ? 1 : a > 0.5 ? 2 : a == 0 ? 3 : 4) * 16 + e * 8 + next(f);""",
    "float": """float a = 0; int c = 0, n = fscanf(f, "%f %d", &a, &c);
        return (n + 1) * 60 + (a != a ? 0 : a == 0.1f ? 1 : a > 0.5 ? 2 : a == 0 ? 3 : 4) * 12 + (c == 7) * 6
        + next(f);""",
    "rewound": """int a = 0, b = 0, n = fscanf(f, "%d", &a); rewind(f); int m = fscanf(f, "%d", &b);
        return (n == m && a == b) * 128 + (n + 1) * 32 + sign(a) * 8 + next(f);""",
    "word": """char s[4] = ""; int n = fscanf(f, "%3s", s), e = !!feof(f);
        return (n + 1) * 72 + (s[0] == 'x') * 36 + (strlen(s) % 3) * 12 + e * 6 + next(f);""",
    "named": """char s[4] = ""; int a = 0, n = fscanf(f, "%2s %d", s, &a);
        return (n + 1) * 64 + (strlen(s) == 2) * 32 + sign(a) * 8 + next(f);""",
    "digits": """int a = 0, n = fscanf(f, "%2d", &a), e = !!feof(f);
        return (n + 1) * 72 + (a < 0 ? 0 : a > 9 ? 1 : 2) * 12 + e * 6 + next(f);""",
    "skips": """int a = 0, n = fscanf(f, "%*s %d", &a), e = !!feof(f);
        return (n + 1) * 48 + sign(a) * 16 + e * 8 + next(f);""",
    "set": """char s[8] = ""; int n = fscanf(f, "%3[0-9]", s), e = !!feof(f);
        return (n + 1) * 72 + (strlen(s) % 4) * 12 + e * 6 + next(f);""",
}
FROM_STANDARD_INPUT = ["two", "line", "comma", "hex", "letter", "real", "word", "named"]
PIECES = [
    b" ", b"\n", b"-", b"+", b"0", b"7", b"12", b"x", b"0x", b"a", b",", b"8", b"99999999999999999999", b".", b"\xff",
    b"e", b"p", b"inf", b"inity", b"nan", b"i", b"n", b"(", b"1e9", b"0.1"]  # fmt: skip

TEXTS = 30


@pytest.fixture(scope="module")
def natives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One native program that runs each of them."""
    folder = tmp_path_factory.mktemp("native")
    functions = "".join(f"static int p_{name}(FILE *f) {{ {body} }}\n" for name, body in PROGRAMS.items())
    calls = "".join(f'if (!strcmp(v[1], "{name}")) return p_{name}(c > 2 ? stdin : given());\n' for name in PROGRAMS)
    source = folder / "p.c"
    source.write_text(f"{HEADERS}{CLASSES}{functions}int main(int c, char **v) {{ {calls} return 254; }}")
    subprocess.run(["cc", "-w", "-o", str(folder / "p"), str(source)], check=True)
    return folder


def native(folder: Path, name: str, text: bytes | None, standard: bool) -> int:
    (folder / "in.txt").unlink(missing_ok=True)
    if text is not None and not standard:
        (folder / "in.txt").write_bytes(text)
    words = ["./p", name, *["-"] * standard]
    return subprocess.run(words, cwd=folder, check=False, input=text if standard else b"").returncode


def explored(name: str, standard: bool) -> Ran:
    return run_all(f"{CLASSES}int main(void) {{ FILE *f = {'stdin' if standard else 'given()'}; {PROGRAMS[name]} }}")


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    ("name", "standard"), [*((name, False) for name in PROGRAMS), *((name, True) for name in FROM_STANDARD_INPUT)]
)
def test_paths_and_texts_agree(name: str, standard: bool, natives: Path) -> None:
    ran = explored(name, standard)
    assert not ran.losses
    for code, inputs, _ in ran.ends:
        setting = setting_of(inputs)
        text = setting.stdin if standard else setting.files["in.txt"]
        assert native(natives, name, text, standard) == code, (text, inputs)
    chance = random.Random(name)
    for _ in range(TEXTS):
        text = b"".join(chance.choices(PIECES, k=chance.randrange(7)))
        assert native(natives, name, text, standard) in ran.codes, text


@pytest.mark.parametrize(
    ("body", "loss"),
    [
        ("return ftell(f);", "how far it has read"),
        ("return fseek(f, 1, SEEK_CUR);", "how far it has read"),
        ("return fseek(f, 3, SEEK_SET);", "how far it has read"),
        ("fseek(f, 0, SEEK_END); return 0;", "files of more than"),
        ("rewind(f); return fgetc(f);", "read once more"),
        ('rewind(f); long b; return fscanf(f, "%ld", &b);', "read once more"),
        ("rewind(f); fputc('1', f); rewind(f); return fgetc(f);", "files of more than"),
    ],
)
def test_who_looks_at_the_text_of_a_number_gets_one_of_many(body: str, loss: str) -> None:
    start = 'FILE *f = fopen("in.txt", "r+"); int a; if (!f || fscanf(f, "%d", &a) != 1) return 9;'
    ran = run_all(f"{start} {body}")
    assert any(loss in said for said in ran.losses)


@pytest.mark.sample(3)
@pytest.mark.parametrize("source", ["stdin", 'fopen("in.txt", "r")'])
@pytest.mark.parametrize("form", ["%i", " %i", "%*d %i"])
def test_numbers_whose_text_is_looked_at_are_read_behind_white_space(form: str, source: str) -> None:
    """Numbers in any base are no inputs themselves: of short texts, there are all."""
    ran = run_all(f'FILE *f = {source}; int v; if (!f || fscanf(f, "{form}", &v) != 1) return 2; return v == 31;')
    assert {0, 1, 2} <= set(ran.codes)
    assert all("bytes" in said for said in ran.losses)


def test_a_word_that_does_not_fit_is_out_of_bounds() -> None:
    for source in ('FILE *f = fopen("in.txt", "r"); if (!f) return 1;', "FILE *f = stdin;"):
        ran = run_all(f'{source} char s[40]; return fscanf(f, "%s", s) == 1 ? 2 : 3;')
        assert ran.bugs == ["out-of-bounds"] and set(ran.codes) - {1} == {2, 3} and not ran.losses
        ran = run_all(f'{source} char s[40]; return fscanf(f, "%39s", s) == 1 ? 2 : 3;')
        assert not ran.bugs and not ran.losses


def test_loops_that_read_numbers_until_there_are_none() -> None:
    ran = run_all(
        """int n, count = 0; unsigned sum = 0;
        while (scanf("%d", &n) == 1) { sum += n; if (++count == 20) break; }
        return count == 20 ? sum == 7 : 2 + !!feof(stdin);"""
    )
    assert sorted(set(ran.codes)) == [0, 1, 2, 3] and not ran.losses
    assert len(ran.ends) < 100


def test_a_file_has_room_for_many_numbers() -> None:
    ran = run_all(
        """FILE *f = fopen("in.txt", "r"); if (!f) return 1; int n, sum = 0;
        for (int i = 0; i < 30; i++) { if (fscanf(f, "%d", &n) != 1) return 2; if (n < 0 || n > 9) return 3; sum += n; }
        return sum > 270 ? 4 : sum == 270 ? 5 : 6;"""
    )
    assert sorted(set(ran.codes)) == [1, 2, 3, 5, 6] and not ran.losses
    text = setting_of(next(inputs for code, inputs, _ in ran.ends if code == 5)).files["in.txt"]
    assert text is not None and text.split()[:29] == [b"9"] * 29
