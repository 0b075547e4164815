"""sys/stat.h, dirent.h and locks: what is asked about files and directories, in C with models behind it."""

from __future__ import annotations

from unit.execute.support import explore
from unit.models.typed import explore_linked, linked

PROGRAM = """
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#line 1
"""
LARGE = "#define _FILE_OFFSET_BITS 64\n"


def codes(body: str) -> list[int]:
    return sorted(set(explore_linked(PROGRAM + "int main(void) {" + body + "}").codes))


def test_a_name_is_missing_a_file_or_a_directory() -> None:
    assert codes('struct stat s; if (stat("d", &s)) return errno == ENOENT ? 1 : 9; if (S_ISDIR(s.st_mode)) return 2;'
                 'if (!S_ISREG(s.st_mode) || s.st_size < 0) return 8;'
                 'if (s.st_size > 3) return 3; return 4;') == [1, 2, 3, 4]  # fmt: skip


def test_the_size_is_how_much_can_be_read() -> None:
    assert codes('struct stat s; int f = open("d", O_RDONLY); if (f < 0) return 1; if (fstat(f, &s)) return 9;'
                 "char b[16]; return read(f, b, 16) == s.st_size ? 0 : 8;") == [0, 1]  # fmt: skip
    assert codes("struct stat s; return fstat(77, &s) == -1 && errno == EBADF ? 0 : 9;") == [0]
    assert codes('FILE *f = fopen("o", "w"); fputs("abc", f); fclose(f); struct stat s; stat("o", &s);'
                 "return s.st_size != 3;") == [0]  # fmt: skip


def test_layouts_of_other_targets() -> None:
    body = "int main(void) { struct stat s; fstat(1, &s); return !S_ISCHR(s.st_mode) || s.st_size || s.st_nlink != 1; }"
    for target in ("aarch64-linux-gnu", "x86-linux-gnu"):
        assert explore(linked(PROGRAM + body, target)).codes == [0]
    assert explore(linked(LARGE + PROGRAM + body, "x86-linux-gnu")).codes == [0], "where sizes and layout differ"


def test_large_files_are_the_same_under_other_names() -> None:
    body = """int main(void) {
      struct stat s;
      if (stat("d", &s)) return errno == ENOENT ? 1 : 9;
      if (!S_ISDIR(s.st_mode)) return lstat("d", &s) || !S_ISREG(s.st_mode) ? 8 : 2;
      DIR *d = opendir("d");
      if (!d) return 7;
      struct dirent *e = readdir(d);
      return e && e->d_type == DT_DIR && !strcmp(e->d_name, ".") && !closedir(d) ? 3 : 6;
    }"""
    for target in ("x86_64-linux-gnu", "x86-linux-gnu"):
        found = explore(linked(LARGE + PROGRAM + body, target))
        assert set(found.codes) == {1, 2, 3}
        assert not any("not defined" in what for _, what, *_ in found.run.losses)


def test_a_directory_has_entries() -> None:
    found = explore_linked(
        PROGRAM
        + """
    int main(void) {
      DIR *d = opendir(".");
      if (!d) return 9;
      int n = 0, hit = 0;
      for (struct dirent *e; (e = readdir(d)); n++) {
        if (n < 2 && strncmp(e->d_name, "..", n + 1)) return 8;
        if (n >= 2 && !e->d_name[0]) return 7;
        if (!strcmp(e->d_name, "x.c")) hit = 1;
      }
      closedir(d);
      return hit ? 1 : n;
    }"""
    )
    assert set(found.codes) == {1, 2, 3, 4}
    assert any("directories of more than 2" in what for _, what, *_ in found.run.losses)


def test_one_thread_needs_no_locks() -> None:
    assert codes("static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_key_t k; int x;"
                 "if (pthread_mutex_lock(&m) || pthread_mutex_unlock(&m) || pthread_key_create(&k, 0)) return 9;"
                 "if (pthread_getspecific(k)) return 8; pthread_setspecific(k, &x);"
                 "if (pthread_getspecific(k) != &x) return 7;"
                 "return !pthread_equal(pthread_self(), pthread_self());") == [0]  # fmt: skip
