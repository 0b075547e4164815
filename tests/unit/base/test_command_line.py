"""Command lines of compilers, taken apart."""

from __future__ import annotations

from clew.base.command_line import meaningful, parse_command, relocated, without


def test_flags_of_builds_can_be_pasted() -> None:
    pasted = (
        "-O2 -g3 -c -o out/x.o -lm -l ssl -L/usr/lib -pthread -MD -MF x.d -Wall -Werror -fPIC -march=native -I inc"
        " -DN=3 -D_FORTIFY_SOURCE=2 -Wl,-z,now -flto=auto -fsanitize=address -isystem sys -std=gnu99 -Wp,-MMD,x.d"
    )
    assert " ".join(meaningful(pasted.split())) == (
        "-pthread -Wall -fPIC -march=native -I inc -DN=3 -isystem sys -std=gnu99"
    )


def test_what_is_compiled_and_made() -> None:
    line = parse_command("-c -Iinc a.c b.i -o x.o".split())
    assert (line.sources, line.output, line.objects_only, line.makes_code) == (("a.c", "b.i"), "x.o", True, True)
    line = parse_command("main.o lib.a start.S util.cpp -lm".split())
    assert (line.sources, line.others, line.output) == ((), ("start.S", "util.cpp"), None)
    assert parse_command("-x c header -x none y.S".split()).sources == ("header",)
    assert parse_command("-xc++ y.c".split()).others == ("y.c",)


def test_calls_that_make_no_code() -> None:
    for words in ("-E a.c", "-M a.c", "-MM a.c", "--version", "-print-search-dirs", "-fsyntax-only a.c", "-S a.c"):
        assert not parse_command(words.split()).makes_code, words
    for words in ("a.c", "-MMD -c a.c", "-MD -MP -c a.c"):
        assert parse_command(words.split()).makes_code, words
    assert parse_command(["-c", "-xc", "-"]).reads_input


def test_flags_are_taken_out_with_their_values() -> None:
    assert without(("-Xclang", "-foo", "-I", "-foo", "-mbar", "-w"), {"-foo", "-mbar"}) == ("-w",)
    assert without(("-I", "x", "-w"), {"-w"}) == ("-I", "x")


def test_folders_get_other_names() -> None:
    flags = "-I inc -Ilib -isystem sys -idirafter late -include conf.h -include-pch h.pch -DI=-Ix".split()
    assert " ".join(relocated(flags, lambda path: f"/at/{path}")) == (
        "-I/at/inc -I/at/lib -isystem /at/sys -idirafter /at/late -include /at/conf.h -include-pch h.pch -DI=-Ix"
    )
