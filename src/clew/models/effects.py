"""What models do to the program's memory, and what their results depend on. For analyses of whole programs.

A model is in one of these lists only if its code was read for it; a model that is in none may do anything to what it
can get at. What a model keeps outside of the program's memory (open files, the environment, output) is not part of
this: only ``PURE`` and ``FRESH`` say that a result does not depend on it.
"""

from __future__ import annotations

from clew.analysis.escape import UNKNOWN_MODEL, ModelEffect, Writes
from clew.execute.instrument.havoc import ASSUME, HAVOC, HAVOC_OBJECT
from clew.execute.instrument.loop_marks import ENTER, HEADER
from clew.execute.instrument.merge_points import MERGE_POINT
from clew.execute.instrument.targets import TARGET


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _variants(text: str) -> frozenset[str]:
    """Functions of mathematics for ``double``, ``float`` and ``long double``."""
    return frozenset(name + suffix for name in text.split() for suffix in ("", "f", "l"))


_CLASSES = "isupper islower isalpha isdigit isxdigit isspace isprint isgraph isblank iscntrl ispunct isalnum"

PURE: frozenset[str] = (
    frozenset(form.format(name) for name in _CLASSES.split() for form in ("{}", "{}_l", "__{}_l"))
    | _words("isascii toascii tolower _tolower tolower_l __tolower_l toupper _toupper toupper_l __toupper_l")
    | _words("abs labs llabs imaxabs ffs ffsl ffsll difftime getpagesize")
    | _variants("fabs fma fmin fmax copysign fdim floor ceil trunc round rint nearbyint roundeven")
    | _variants("lround llround lrint llrint ilogb")
    | _words("isnan __isnan isnanf __isnanf __isnanl isinf __isinf isinff __isinff __isinfl")
    | _words("finite __finite finitef __finitef __finitel __signbit __signbitf __signbitl")
    | _words("__fpclassify __fpclassifyf __fpclassifyl")
)  # fmt: skip
"""The result is a function of the (scalar) arguments alone; nothing else happens, no path forks or ends."""

FRESH: frozenset[str] = frozenset(
    f"__VERIFIER_nondet_{name}"
    for name in (
        "char schar uchar unsigned_char short ushort int uint unsigned long ulong longlong ulonglong float double "
        "pointer size_t u8 u16 u32 U32 s8 s16 s32 loff_t pchar charp sector_t const_char_pointer pthread_t int128 "
        "uint128 time_t"
    ).split()
) | {"arc4random", HAVOC}
"""Every call gives a new input that nothing constrains: any value of the result's type. (The name of its symbol
depends on how many inputs were read before; its value does not.)"""

FRESH_BOUNDED: frozenset[str] = _words("__VERIFIER_nondet_bool rand random lrand48 mrand48 drand48")
"""As FRESH, but the path gets a constraint that keeps the value in a fixed range, or the value is a fixed function
of the new input."""

NAMED: dict[str, int] = {"klee_int": 0, "klee_range": 2, "klee_make_symbolic": 2}
"""Functions that make an input with a name of its own: which argument that is."""

ASSUMING = _words("__VERIFIER_assume klee_assume __builtin_assume") | {ASSUME}
"""They end the path if their argument is zero."""
ENDING = _words(
    "exit _exit _Exit quick_exit abort klee_silent_exit klee_abort klee_report_error __clew_end "
    "__assert_fail __assert_perror_fail __assert __assert_rtn reach_error __VERIFIER_error "
    "setjmp _setjmp sigsetjmp __sigsetjmp longjmp _longjmp siglongjmp pthread_create thrd_create clone fork vfork"
) | {TARGET}
"""They end the path, one way or another."""
UNFORESEEN: frozenset[str] = _words(
    "setjmp _setjmp sigsetjmp __sigsetjmp longjmp _longjmp siglongjmp pthread_create thrd_create clone fork vfork "
    "kill killpg alarm ualarm setitimer"
)
"""Control may go elsewhere after them than to the next instruction, which the models do not follow."""
_READING = _words(
    "strlen strnlen strcmp strcoll strncmp strcasecmp strncasecmp memcmp bcmp strspn strcspn "
    "puts fputs fputs_unlocked fwrite fwrite_unlocked perror psignal "
    "klee_int klee_range klee_check_memory_access klee_get_obj_size"
)
"""They read what their arguments point to, and give no pointer."""
_SEARCHING = _words("strchr index strchrnul memchr rawmemchr strrchr rindex memrchr strpbrk strstr strcasestr memmem")
"""They read, and give pointers into what they were given."""
_STREAMS = _words(
    "putchar putchar_unlocked putc fputc _IO_putc putc_unlocked fputc_unlocked "
    "getchar getchar_unlocked getc fgetc _IO_getc getc_unlocked fgetc_unlocked ungetc "
    "feof ferror feof_unlocked ferror_unlocked clearerr clearerr_unlocked fflush fflush_unlocked "
    "fileno fileno_unlocked fseek fseeko fseeko64 rewind ftell ftello ftello64 fsync fdatasync"
)
"""They change files and streams, which are not in the program's memory."""
_REST = _words(
    "__VERIFIER_atomic_begin __VERIFIER_atomic_end free srand srandom srand48 arc4random_stir arc4random_uniform "
    "klee_choose klee_is_symbolic klee_is_replay klee_get_errno klee_get_valuef klee_get_valued klee_get_valuel "
    "klee_get_valuell klee_get_value_i32 klee_get_value_i64 klee_prefer_cex klee_posix_prefer_cex klee_mark_global "
    "klee_warning klee_warning_once klee_print_expr klee_print_range klee_stack_trace klee_set_forking klee_open_merge "
    "klee_close_merge klee_alias_function getpid getppid getpgrp gettid getuid geteuid getgid getegid sched_yield sync "
    "clock tzset sleep usleep thrd_yield nanosleep thrd_sleep sigprocmask pthread_sigmask siginterrupt sigaltstack "
    "sigpending alarm ualarm setitimer kill killpg __clew_result __clew_default_action __clew_destructor"
) | {HEADER, ENTER, MERGE_POINT}  # fmt: skip

WRITES_NOTHING: frozenset[str] = (
    PURE | FRESH | FRESH_BOUNDED | ASSUMING | ENDING | _READING | _SEARCHING | _STREAMS | _REST
)
"""They write no memory that the program can read, not even ``errno``. (For ``printf`` and its kin that depends on
the format: see ``effect_of``.)"""

_OWN = (
    _words("malloc calloc aligned_alloc memalign strerror atoi atol atoll atof system")
    | _words("__errno_location __errno __error _errno __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc")
    | _words("strdup __strdup strndup __strndup fopen fopen64 fdopen tmpfile tmpfile64 open open64 access fclose")
    | _words("write __write close lseek lseek64 isatty")
    | _variants("sqrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 log10")
    | _variants("log1p logb cbrt erf erfc tgamma lgamma pow atan2 hypot fmod remainder nextafter ldexp scalbn scalbln")
)
"""They write what they allocate, or ``errno``, and do not keep what they are given."""
_INTO_ARGUMENTS = (
    _words("klee_make_symbolic rand_r getrandom getentropy arc4random_buf bzero bcopy explicit_bzero")
    | {HAVOC_OBJECT}
    | _words("__explicit_bzero_chk strlcpy __strlcpy_chk strlcat __strlcat_chk strxfrm read __read __read_chk")
    | _words("fread fread_unlocked __fread_chk time gettimeofday clock_gettime clock_getres timespec_get")
    | _words("mktime timegm timelocal strftime")
    | _words("scanf __isoc99_scanf __isoc23_scanf fscanf __isoc99_fscanf __isoc23_fscanf")
    | _words("sscanf __isoc99_sscanf __isoc23_sscanf")
    | _variants("modf frexp")
)
"""They write where their arguments point to, and do not keep them."""
_RETURNING_ARGUMENTS = (
    _words("memcpy memmove __memcpy_chk __memmove_chk mempcpy __mempcpy __mempcpy_chk memset __memset_chk memccpy")
    | _words("strcpy __strcpy_chk stpcpy __stpcpy_chk strncpy __strncpy_chk stpncpy __stpncpy_chk")
    | _words("strcat __strcat_chk strncat __strncat_chk fgets fgets_unlocked __fgets_chk gets __gets_chk")
    | _words("localtime_r gmtime_r asctime_r ctime_r")
    | _words("strtol strtoll strtoimax strtoq __isoc23_strtol __isoc23_strtoll __isoc23_strtoimax __strtol_internal")
    | _words("__strtoll_internal strtoul strtoull strtoumax strtouq __isoc23_strtoul __isoc23_strtoull")
    | _words("__isoc23_strtoumax __strtoul_internal __strtoull_internal strtod strtof strtold")
)
"""They write where their arguments point to, and give these pointers back."""
GIVING_BACK: frozenset[str] = _SEARCHING | {
    name for name in _RETURNING_ARGUMENTS if not name.startswith(("strto", "__strto", "__isoc23_strto"))
}
"""They give back pointers that they got, and keep them nowhere else."""
_PRINTING = {"printf": 0, "__printf_chk": 1, "fprintf": 1, "__fprintf_chk": 2, "dprintf": 1}
"""They print; the number of the format."""
_FORMATTING = {"sprintf": 1, "snprintf": 2, "__sprintf_chk": 3, "__snprintf_chk": 4}
"""They print into their first argument; the number of the format."""

EXACT: frozenset[str] = (
    PURE | FRESH | FRESH_BOUNDED | NAMED.keys() | ASSUMING | ENDING | _READING | _SEARCHING | _STREAMS
    | _PRINTING.keys() | {HEADER, ENTER, MERGE_POINT}
    | _words("free srand srandom klee_make_symbolic atoi atol atoll bzero bcopy write __write close lseek lseek64")
    | _RETURNING_ARGUMENTS - _words("strtod strtof strtold localtime_r gmtime_r asctime_r ctime_r")
)  # fmt: skip
"""They do with symbols what they do with numbers, if need be on several paths; others may know less then."""


def _table() -> dict[str, ModelEffect]:
    table: dict[str, ModelEffect] = {}
    for names, effect in (
        (WRITES_NOTHING, ModelEffect(Writes.NOTHING, keeps=False)),
        (_SEARCHING, ModelEffect(Writes.NOTHING, keeps=True)),
        (_OWN, ModelEffect(Writes.OWN, keeps=False)),
        (_INTO_ARGUMENTS, ModelEffect(Writes.ARGUMENTS, keeps=False)),
        (_RETURNING_ARGUMENTS, ModelEffect(Writes.ARGUMENTS, keeps=True)),
    ):
        table.update(dict.fromkeys(names, effect))
    table.update({name: ModelEffect(Writes.NOTHING, False, form) for name, form in _PRINTING.items()})
    table.update({name: ModelEffect(Writes.ARGUMENTS, False, form) for name, form in _FORMATTING.items()})
    return table


_EFFECTS = _table()


def effect_of(name: str) -> ModelEffect:
    """What the model of a C function does to memory: to be handed to ``clew.analysis.mod_ref.Effects``."""
    return _EFFECTS.get(name, UNKNOWN_MODEL)
