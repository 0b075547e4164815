"""What each kind of bugs means, and what helps: the text that code-scanning services show beside a result."""

from __future__ import annotations

from collections.abc import Mapping

RULE_HELP: Mapping[str, str] = {
    "assert": "An input makes the condition of an assertion false. Either the condition does not always "
    "hold, and the code must handle that, or callers promise more than the code says.",
    "error-call": "An input leads to a call of the function that marks an error (reach_error, __VERIFIER_error).",
    "abort": "An input leads to abort() or to a trap. Reject the input before, or return an error to the caller.",
    "out-of-bounds": "Memory outside of an object is read or written. Check the index or the length against the "
    "size of the object before the access; mind the terminating zero of strings.",
    "overlap": "A function writes memory that it reads, which memcpy(), strcpy(), strcat(), sprintf() and their "
    "relatives must not. Copy with memmove(), or print into another buffer.",
    "null-dereference": "A null pointer is followed. Check what may be null where it comes from (a failed "
    "allocation, a search without a result, an optional parameter).",
    "use-after-free": "Memory is used after it was freed, or a local variable after its block has ended. "
    "Make one place own the object, and set pointers to null where it is freed.",
    "double-free": "The same memory is freed twice. Make one place own it, and set the pointer to null behind free().",
    "invalid-free": "free() gets a pointer that malloc() and its relatives did not return: one into the middle "
    "of an object, to a local or to a global variable.",
    "memory-leak": "Heap memory is lost: nothing points to it any more when the program, or the function, "
    "returns. Free it on every way out, those for errors included.",
    "uninitialized": "A value that nobody has written decides a branch, is an address or a size, or leaves the "
    "program. Initialize the variable, or check that the function that should set it has "
    "succeeded.",
    "signed-overflow": "The result of signed arithmetic does not fit its type, which is undefined: compilers take "
    "it to be impossible. Check the operands before, use a wider or an unsigned type, or "
    "__builtin_add_overflow and the like.",
    "division-by-zero": "The divisor of / or % can be zero. Check it before.",
    "shift": "A shift by a negative amount, by as many bits as the type has or more, or of a signed "
    "value that loses bits, is undefined. Check the amount, and shift unsigned values.",
    "misaligned": "Memory is accessed through a pointer that is not aligned as its type requires. Copy with "
    "memcpy() instead.",
    "unreachable": "Code that is declared unreachable, or the end of a function that should return a value, is "
    "reached.",
    "other": "The program does something that C leaves undefined; the message says what.",
}
"""By kind; a kind without a text has its title only."""
