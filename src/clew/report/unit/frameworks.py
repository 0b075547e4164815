"""Test frameworks: how each one writes a test, what it says for a condition, and how all of them are run.

``plain``   a ``main`` of its own; every test in a process of its own, or the one whose number is given
``ctest``   the same, and a CMake file that adds each test
``check``   https://libcheck.github.io
``unity``   https://www.throwtheswitch.org/unity
``gtest``   C functions that tests of GoogleTest call, each in a process of its own
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from clew.base.dataclass import dataclass
from clew.report.unit.cases import Case

Lines = Iterator[str]

_PROCESSES = """int fork(void);
int waitpid(int, int *, int);
void _exit(int);"""
_EXPECT = """#define EXPECT(condition) \\
  ((condition) ? (void)0 : \\
   (fprintf(stderr, "%s:%d: expected %s\\n", __FILE__, __LINE__, #condition), {leave}(1)))"""
_RUN_ALONE = """
static int passes(int number) {
  int status = 0, child;
  fflush(NULL);
  child = fork();
  if (child == 0) {
    tests[number].run();
    fflush(NULL);
    _exit(0);
  }
  if (child < 0 || waitpid(child, &status, 0) != child) return 0;
  if (status) fprintf(stderr, "FAILED %s\\n", tests[number].name);
  return status == 0;
}

/* Without arguments, all tests; else those whose numbers are given, from 1. */
int main(int argc, char **argv) {
  int count = (int)(sizeof tests / sizeof *tests) - 1, failed = 0, number;
  for (number = 0; argc < 2 && number < count; number++) failed += !passes(number);
  for (number = 1; number < argc; number++)
    failed += atoi(argv[number]) < 1 || atoi(argv[number]) > count || !passes(atoi(argv[number]) - 1);
  printf("%d failed of %d\\n", failed, argc < 2 ? count : argc - 1);
  return failed != 0;
}"""
_CHECK_MAIN = """  suite_add_tcase(suite, tests);
  srunner_set_fork_status(runner, CK_FORK);
  srunner_run_all(runner, CK_NORMAL);
  failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}"""
_UNITY_ALONE = """/* The function changes variables of the program: each test starts with those as they are at first. */
static void alone(void (*test)(void), const char *name) {
  int status = 0, child;
  fflush(NULL);
  child = fork();
  if (child == 0) {
    UnityBegin(__FILE__);
    UnityDefaultTestRun(test, name, __LINE__);
    _exit(UnityEnd());
  }
  Unity.TestFailures += waitpid(child, &status, 0) != child || status != 0;
  Unity.NumberOfTests++;
}
"""


@dataclass(frozen=True, slots=True)
class File:
    """Everything that a framework has to know about one file of tests."""

    stem: str
    """Its name without the ending, ``test_f``."""
    function: str
    cases: Sequence[Case]
    stateful: bool

    @property
    def running(self) -> list[Case]:
        """The tests that are run."""
        return [case for case in self.cases if not case.bug]


@dataclass(frozen=True, slots=True)
class Framework:
    """A way to write tests."""

    head: Callable[[File], Lines]
    """Behind the tested source, before the tests."""
    opening: str
    """The first line of a test, from its name."""
    closing: str
    tail: Callable[[File], Lines]
    """Behind the tests."""
    beside: Callable[[File], Iterator[tuple[str, Lines]]]
    """Further files, by name."""


def _nothing(file: File) -> Iterator[tuple[str, Lines]]:
    return iter(())


def _no_tail(file: File) -> Lines:
    return iter(())


def _own_head(file: File) -> Lines:
    yield "/* A failed expectation ends the test; each one runs in a process of its own. */"
    yield _EXPECT.format(leave="_exit")
    yield _PROCESSES


def _own_tail(file: File) -> Lines:
    yield "static const struct { const char *name; void (*run)(void); } tests[] = {"
    yield from (f'  {{"{case.name}", {case.name}}},' for case in file.running)
    yield "  {NULL, NULL},"
    yield "};"
    yield _RUN_ALONE


def _cmake(file: File) -> Iterator[tuple[str, Lines]]:
    def lines() -> Lines:
        stem = file.stem
        yield f"# include({stem}.cmake) in a CMakeLists.txt, after enable_testing(), adds these tests."
        yield f"# {stem}_OPTIONS and {stem}_SOURCES: what the tested code needs to be compiled and linked."
        yield f"add_executable({stem} ${{CMAKE_CURRENT_LIST_DIR}}/{stem}.c ${{{stem}_SOURCES}})"
        yield f"target_compile_options({stem} PRIVATE ${{{stem}_OPTIONS}})"
        yield f"target_link_libraries({stem} PRIVATE m)"
        for number, case in enumerate(file.running, 1):
            yield f"add_test(NAME {case.name} COMMAND {stem} {number})"

    yield f"{file.stem}.cmake", lines()


def _check_head(file: File) -> Lines:
    yield "#include <check.h>"
    yield '#define EXPECT(condition) ck_assert_msg((condition), "expected %s", #condition)'


def _check_tail(file: File) -> Lines:
    yield "int main(void) {"
    yield f'  Suite *suite = suite_create("{file.function}");'
    yield '  TCase *tests = tcase_create("behaviour");'
    yield "  SRunner *runner = srunner_create(suite);"
    yield "  int failed;"
    yield from (f"  tcase_add_test(tests, {case.name});" for case in file.running)
    yield _CHECK_MAIN


def _unity_head(file: File) -> Lines:
    yield '#include "unity.h"'
    yield "#define EXPECT(condition) TEST_ASSERT_TRUE_MESSAGE((condition), #condition)"
    yield "void setUp(void) {}"
    yield "void tearDown(void) {}"
    if file.stateful:
        yield _PROCESSES


def _unity_tail(file: File) -> Lines:
    if file.stateful:
        yield _UNITY_ALONE
    yield "int main(void) {"
    yield "  UNITY_BEGIN();"
    for case in file.running:
        yield f'  alone({case.name}, "{case.name}");' if file.stateful else f"  RUN_TEST({case.name});"
    yield "  return UNITY_END();"
    yield "}"


def _gtest_head(file: File) -> Lines:
    yield f"/* {file.stem}.cc has the tests that call these functions, each in a process of its own. */"
    yield _EXPECT.format(leave="exit")


def _gtest_files(file: File) -> Iterator[tuple[str, Lines]]:
    def lines() -> Lines:
        yield f"// Tests of {file.function}, whose bodies are in {file.stem}.c: link both with gtest and gtest_main."
        yield "#include <cstdlib>"
        yield "#include <gtest/gtest.h>"
        yield ""
        yield 'extern "C" {'
        yield from (f"void {case.name}(void);" for case in file.running)
        yield "}"
        for case in file.running:
            yield ""
            yield f"TEST({_camel(file.function)}, {_camel(case.name)}) {{"
            yield f'  EXPECT_EXIT({{ {case.name}(); std::exit(0); }}, testing::ExitedWithCode(0), "");'
            yield "}"

    yield f"{file.stem}.cc", lines()


def _camel(name: str) -> str:
    """GoogleTest wants names without underscores."""
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


_STATIC, _END = "static void {}(void) {{", "}"
FRAMEWORKS = {
    "plain": Framework(_own_head, _STATIC, _END, _own_tail, _nothing),
    "ctest": Framework(_own_head, _STATIC, _END, _own_tail, _cmake),
    "check": Framework(_check_head, "START_TEST({}) {{", "}\nEND_TEST", _check_tail, _nothing),
    "unity": Framework(_unity_head, _STATIC, _END, _unity_tail, _nothing),
    "gtest": Framework(_gtest_head, "void {}(void) {{", _END, _no_tail, _gtest_files),
}
"""By the names that ``--emit`` knows."""
