"""Files that are no programs: one clear line and exit code 2."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from regression.conftest import Outcome

Clew = Callable[..., Outcome]
Write = Callable[..., str]


def test_missing_file(clew: Clew) -> None:
    clew("nothing.c").refused("nothing.c", "no such file")


def test_directory(clew: Clew) -> None:
    Path("folder.c").mkdir()
    clew("folder.c").refused("is a directory", "folder.c/*.c")


def test_pipe_is_not_waited_for(clew: Clew) -> None:
    os.mkfifo("pipe.c")
    clew("pipe.c").refused("pipe.c is not a regular file")


def test_empty_file(clew: Clew, write: Write) -> None:
    clew(write(b"")).refused("no main", "--function")


def test_binary_garbage_named_c(clew: Clew, write: Write) -> None:
    clew(write(bytes(range(1, 256)) * 4)).refused("does not compile")


def test_diagnostics_are_shown_as_they_are(clew: Clew, write: Write) -> None:
    outcome = clew(write(b"int main(void) { return missing; }\n"))
    outcome.refused("p.c does not compile")
    assert "p.c:1:25: error: use of undeclared identifier 'missing'\n" in outcome.err


def test_missing_header(clew: Clew, write: Write) -> None:
    outcome = clew(write('#include "nowhere.h"\nint main(void) { return 0; }\n'))
    outcome.refused("does not compile")
    assert "'nowhere.h' file not found" in outcome.err


def test_unknown_function_gets_suggestions(clew: Clew, write: Write) -> None:
    clew(write("int compare(int a) { return a; }\n"), "--function", "comapre").refused("did you mean 'compare'?")


def test_declared_function_is_told_from_an_unknown_one(clew: Clew, write: Write) -> None:
    name = write("int compare(int a); int caller(void) { return compare(3); }\n")
    clew(name, "--function", "compare").refused("'compare' is only declared")


def test_empty_function_name_does_not_mean_main(clew: Clew, write: Write) -> None:
    clew(write("int main(void) { return 0; }\n"), "--function", "").refused("no function ''")


def test_function_with_variable_arguments(clew: Clew, write: Write) -> None:
    clew(write("int sum(int n, ...) { return n; }\n"), "--function", "sum").refused("variable arguments")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("p.bc", b"", ["not LLVM bitcode"]),
        ("p.bc", b"BC\xc0\xde", ["damaged"]),
        ("p.bc", b"BC\xc0\xde" + bytes(400), ["damaged"]),
        ("p.ll", b"BC\xc0\xde" + bytes(400), ["is bitcode, not LLVM text"]),
        ("p.ll", b"define i32 @main() {\n  ret i3", ["not LLVM text"]),
        ("p.ll", b"define i32 @main() {\n  %a = frobnicate i32 0\n  ret i32 %a\n}\n", ["not LLVM text"]),
        ("p.ll", b'target datalayout = "E-m:e"\ndefine i32 @main() {\n  ret i32 0\n}\n', ["big-endian"]),
    ],
)
def test_damaged_llvm_code(clew: Clew, write: Write, name: str, content: bytes, words: list[str]) -> None:
    clew(write(content, name)).refused(name, *words)


def test_bytes_that_are_no_text_do_no_harm_in_comments(clew: Clew, write: Write) -> None:
    text = b'; \xff\xe9\ntarget triple = "x86_64-linux-gnu"\ndefine i32 @main() {\n  ret i32 0\n}\n'
    assert clew(write(text, "p.ll")).code == 0


def test_a_data_model_cannot_be_chosen_for_compiled_code(clew: Clew, write: Write) -> None:
    name = write('target triple = "x86_64-linux-gnu"\ndefine i32 @main() {\n  ret i32 0\n}\n', "p.ll")
    clew(name, "--data-model", "ILP32").refused("compiled for x86_64-linux-gnu", "--data-model")
    assert clew(name, "--data-model", "LP64").code == 0


def test_output_of_the_compiler_that_is_no_text_stays_on_one_line(clew: Clew, write: Write) -> None:
    outcome = clew(write("int main(void) { return 0; }\n"), "--", "-emit-ast")
    outcome.refused("bad LLVM text")
    assert len(outcome.err.splitlines()) == 1
