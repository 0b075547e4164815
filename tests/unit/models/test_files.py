"""Files and descriptors in programs."""

from __future__ import annotations

from unit.models.running import run_all

ERRORS = "#include <errno.h>\n#include <fcntl.h>\n"


def test_a_file_is_missing_or_holds_symbolic_bytes() -> None:
    ran = run_all(
        """FILE *f = fopen("data.txt", "r"); if (!f) return 1; int c = fgetc(f); fclose(f);
        if (c == EOF) return 2; return c == 'q' ? 3 : 4;"""
    )
    assert ran.codes == [1, 2, 3, 4]
    inputs = ran.inputs(3)
    assert list(inputs) == ["data.txt exists", "data.txt length", "data.txt"]
    assert inputs["data.txt exists"] == 1
    assert bytes(inputs["data.txt"])[:1] == b"q"  # type: ignore[call-overload]
    assert not ran.losses  # nobody asks how it goes on


def test_a_file_grows_with_the_blocks_that_are_read() -> None:
    ran = run_all(
        """struct { char head[40]; int count; } h; FILE *f = fopen("d", "r"); if (!f) return 1;
        if (fread(&h, sizeof h, 1, f) != 1) return 2; if (h.head[39] != 'x' || h.count < 0 || h.count > 1) return 3;
        int more[25]; if (h.count && fread(more, 4, 25, f) != 25) return 4;
        return h.count ? more[24] == 7 ? 6 : 7 : 5;"""
    )
    assert sorted(set(ran.codes)) == [1, 2, 3, 4, 5, 6, 7] and not ran.losses
    inputs = ran.inputs(6)
    assert list(inputs) == ["d exists", "d length", "d", "d from 16", "d from 44"]
    assert inputs["d length"] >= 144 and bytes(inputs["d from 44"])[96:100] == b"\7\0\0\0"  # type: ignore


def test_a_file_is_bounded_when_its_length_matters() -> None:
    ran = run_all("""FILE *f = fopen("d", "r"); if (!f) return 99; fseek(f, 0, SEEK_END); return ftell(f) > 16;""")
    assert sorted(set(ran.codes)) == [0, 99]
    assert any("16 bytes" in loss for loss in ran.losses)
    ran = run_all("""FILE *f = fopen("d", "r"); if (!f) return 99; int n = 0; while (getc(f) != EOF) n++; return n;""")
    assert sorted(set(ran.codes)) == [*range(17), 99]
    assert any("16 bytes" in loss for loss in ran.losses)


def test_the_same_file_has_the_same_contents() -> None:
    ran = run_all(
        """FILE *f = fopen("a", "r"), *g = fopen("a", "r"); if (!f != !g) return 9; if (!f) return 1;
        int r = fgetc(f) == fgetc(g) ? 0 : 9; fclose(f); fclose(g); return r;"""
    )
    assert ran.codes == [0, 1]


def test_what_is_written_is_read_back() -> None:
    ran = run_all(
        """FILE *f = fopen("out", "w"); if (!f) return 9; fprintf(f, "%d-%s\\n", 42, "x"); fputc('!', f); fclose(f);
        f = fopen("out", "r"); if (!f) return 8; char b[16]; if (!fgets(b, 16, f)) return 7;
        if (strcmp(b, "42-x\\n")) return 6; if (fgetc(f) != '!' || fgetc(f) != EOF) return 5; fclose(f);
        if (remove("out")) return 4; return fopen("out", "r") ? 3 : 0;"""
    )
    assert ran.codes == [0]


def test_moving() -> None:
    ran = run_all(
        """FILE *f = tmpfile(); fwrite("abcdef", 1, 6, f); if (ftell(f) != 6) return 1; rewind(f);
        if (fgetc(f) != 'a') return 2; fseek(f, 2, SEEK_CUR); if (fgetc(f) != 'd') return 3;
        fseek(f, -1, SEEK_END); if (fgetc(f) != 'f' || ftell(f) != 6) return 4;
        if (fgetc(f) != EOF || !feof(f)) return 5;
        fseek(f, 1, SEEK_SET); if (feof(f)) return 6; fputc('X', f); rewind(f); char b[8] = {0}; fread(b, 1, 8, f);
        return strcmp(b, "aXcdef") ? 7 : fseek(f, -1, SEEK_SET) ? 0 : 8;"""
    )
    assert ran.codes == [0]


def test_appending() -> None:
    ran = run_all(
        """FILE *f = fopen("log", "w"); fputs("one", f); fclose(f); f = fopen("log", "a"); fputs("two", f); fclose(f);
        f = fopen("log", "r"); char b[8]; return fgets(b, 8, f) && !strcmp(b, "onetwo") ? 0 : 1;"""
    )
    assert ran.codes == [0]


def test_using_a_closed_stream() -> None:
    assert run_all('FILE *f = fopen("o", "w"); fclose(f); fputs("x", f); return 0;').bugs == ["use-after-free"]
    assert run_all('FILE *f = fopen("o", "w"); fclose(f); fclose(f); return 0;').bugs == ["use-after-free"]


def test_something_that_is_no_stream() -> None:
    assert run_all('int x = 0; fputs("x", (FILE *)&x); return 0;').bugs == ["other"]


def test_text_of_symbolic_length_cannot_be_read_back() -> None:
    write = 'unsigned char c = getchar(); FILE *f = fopen("o", "w"); fprintf(f, "%d", c); fputs("x", f); fclose(f); '
    ran = run_all(write + 'f = fopen("o", "r"); return fgetc(f) == EOF;', stdin=1)
    assert ran.ends == []
    assert any("symbolic length" in loss for loss in ran.losses)
    assert run_all(write + "return 3;", stdin=1).codes == [3]


def test_descriptors() -> None:
    ran = run_all(
        """if (write(1, "hi", 2) != 2 || isatty(0)) return 1; char c; if (read(0, &c, 1) != 1) return 2;
        if (close(0)) return 3; return read(0, &c, 1) < 0 ? 0 : 4;""",
        stdin=1,
    )
    assert ran.codes == [0, 2]
    assert all(output == b"hi" for _, _, output in ran.ends)


def test_the_inputs_come_in_the_order_of_reading() -> None:
    ran = run_all(
        """int c = getchar(); FILE *f = fopen("b", "r"); FILE *g = fopen("a", "r");
        return c == 'x' && f && g && fgetc(f) == '1' && fgetc(g) == '2' ? 7 : 0;""",
        stdin=1,
    )
    assert list(ran.inputs(7)) == [
        "stdin length", "stdin", "b exists", "b length", "b", "a exists", "a length", "a",
    ]  # fmt: skip


def test_an_empty_name_names_no_file() -> None:
    ran = run_all(
        ERRORS
        + """int main(void) { if (fopen("", "r") || fopen("", "w") || fopen("", "a+")) return 1;
        if (errno != ENOENT) return 2;
        errno = 0; if (open("", O_RDWR | O_CREAT, 0600) != -1 || errno != ENOENT) return 3;
        return access("", 0) == -1 && remove("") && rename("", "b") ? 0 : 4; }"""
    )
    assert ran.codes == [0] and not ran.losses


def test_what_fails_leaves_errno() -> None:
    ran = run_all(
        ERRORS
        + """int main(void) { char b[2]; if (!fopen("a", "r") && errno != ENOENT) return 1; errno = 0;
        if (fopen("a", "q") || errno != EINVAL) return 2; errno = 0;
        if (read(9, b, 2) != -1 || errno != EBADF) return 3; errno = 0;
        if (write(9, b, 2) != -1 || errno != EBADF) return 4; errno = 0; if (!close(9) || errno != EBADF) return 5;
        errno = 0; if (isatty(1) || errno != ENOTTY) return 6; return 0; }"""
    )
    assert ran.codes == [0, 0]
