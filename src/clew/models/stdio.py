"""stdio.h: output. Printing never forks; only what the program can read back is made exact.

Standard output is kept as bytes, where a symbolic part shows as ``?``; standard error is dropped; files keep what
was written to them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from clew.analysis.model_effect import ANYTHING, READS, ModelEffect, prints, prints_into
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.expr import build
from clew.expr.node import Expr
from clew.models import streams, texts
from clew.models.formatting import Formatter
from clew.models.mirrors import fixed_values
from clew.models.texts import LENGTH_BITS, Text
from clew.models.varargs import Arguments, forms


def _result_is_used(call: Invocation) -> bool:
    result = call.call.result
    return result is not None and result.name in call.frame.function.registers_read


# Formatted output


def _print(call: Invocation, form: Any, arguments: Arguments, number: int = 1) -> Any:
    """Print to a descriptor."""
    opened = streams.descriptor(call, number)
    to_file = opened is not None and opened.file not in (streams.STDOUT, streams.STDERR)
    formatter = Formatter(call, arguments, exact=to_file or _result_is_used(call))
    pieces = formatter.pieces(texts.one_value(call, form))
    values = fixed_values(call, number, pieces) if to_file else None
    for address, value, size in formatter.counts:
        call.store(address, value, size)
    shown = b"".join(piece.shown for piece in pieces)
    streams.put(call, number, values, shown, formatter.length)
    return formatter.length


def _print_to_stream(call: Invocation, stream: Any, form: Any, arguments: Arguments) -> Any:
    return _print(call, form, arguments, streams.stream_at(call, stream)[1].descriptor)


def _print_to_descriptor(call: Invocation, number: Any, form: Any, arguments: Arguments) -> Any:
    return _print(call, form, arguments, call.concrete(number, 32))


# Formatting into memory


def _format(call: Invocation, form: Any, arguments: Arguments) -> tuple[Text, Formatter]:
    formatter = Formatter(call, arguments, exact=True)
    return texts.join(formatter.pieces(texts.one_value(call, form)), call), formatter


def _into(call: Invocation, target: Any, size: Any, form: Any, arguments: Arguments) -> Any:
    """Put formatted text into a buffer; ``size`` None: as much as there is."""
    limit = None if size is None else call.pointer(size)
    text, formatter = _format(call, form, arguments)
    if limit != 0:
        to, shown, bits = call.pointer(target), text if limit is None else _cut(text, limit - 1), call.pointer_bits
        written = build.add(texts.resized(shown.length, bits), 1, bits)
        for address, read in formatter.strings:
            call.require_apart(to, written, address, texts.resized(read, bits), unless_same=False)
        texts.store_text(call, to, shown)
    for address, value, width in formatter.counts:
        call.store(address, value, width)
    return text.length


def _cut(text: Text, limit: int) -> Text:
    """The first bytes of a text."""
    if text.most <= limit:
        return text
    if text.fixed:
        return texts.of_values(list(text.values()[:limit]))
    shorter = build.umin(text.length, limit, LENGTH_BITS)
    return texts.of_values(list(text.values()[:limit]), shorter, min(text.least, limit))


def _into_buffer(call: Invocation, target: Any, form: Any, arguments: Arguments) -> Any:
    return _into(call, target, None, form, arguments)


def _allocated(call: Invocation, target: Any, form: Any, arguments: Arguments) -> Any:
    """``asprintf``: a new heap object that holds the text; it is as large as its longest form."""
    where = call.pointer(target)
    text, _ = _format(call, form, arguments)
    size = text.most + 1 if text.fixed else call.concrete(text.length, LENGTH_BITS) + 1
    text = texts.of_values(list(text.values()[: size - 1]))
    address = call.state.memory.allocate(size, "heap", "", 16, call.location, b"")
    texts.store_text(call, address, text)
    call.store(where, address, call.state.run.layout.pointer_bytes)
    return text.length


def _family(
    name: str, handler: Callable[..., Any], leading: int, checks: int, effect: Callable[[int], ModelEffect]
) -> None:
    """All forms of a function: arguments passed or in a ``va_list``, checked (``__*_chk``) or not.

    ``leading`` arguments come before the format; in checked forms ``checks`` more: what the compiler knows.
    """
    for spelling, ignored in (("{}", 0), ("__{}_chk", checks)):
        direct, listed = forms(handler, leading, ignored)
        model(spelling.format(name), effect=effect(leading + ignored))(direct)
        model(spelling.format(f"v{name}"), effect=ANYTHING)(listed)


_family("printf", _print, 0, 1, prints)
_family("fprintf", _print_to_stream, 1, 1, prints)
_family("dprintf", _print_to_descriptor, 1, 1, prints)
_family("sprintf", _into_buffer, 1, 2, prints_into)
_family("snprintf", _into, 2, 2, prints_into)
_family("asprintf", _allocated, 1, 1, lambda place: ANYTHING)
model("__asprintf", effect=ANYTHING)(forms(_allocated, 1)[0])


# Characters and strings


def _write_text(call: Invocation, number: int, text: Text) -> None:
    streams.put(call, number, fixed_values(call, number, [text]), text.shown, text.length)


@model("puts", effect=READS)
def puts(call: Invocation, address: Any) -> int:
    text = texts.append(texts.c_string(call, call.pointer(address)), texts.literal(b"\n"))
    _write_text(call, 1, text)
    return 1 if not text.fixed else int(text.length)


@model("fputs", "fputs_unlocked", effect=READS)
def fputs(call: Invocation, address: Any, stream: Any) -> int:
    _, place = streams.stream_at(call, stream)
    _write_text(call, place.descriptor, texts.c_string(call, call.pointer(address)))
    return 1


def _put_char(call: Invocation, number: int, char: Any) -> Any:
    byte = build.extract(char, 7, 0) if isinstance(char, Expr) else char & 255
    call.printed(byte, "an uninitialized character is printed")
    _write_text(call, number, texts.of_values([byte]))
    return build.zext(byte, 8, 32)


@model("putchar", effect=READS)
@model("putchar_unlocked", overrides=True, effect=READS)
def putchar(call: Invocation, char: Any) -> Any:
    return _put_char(call, 1, char)


@model("putc", "fputc", "_IO_putc", effect=READS)
@model("putc_unlocked", "fputc_unlocked", overrides=True, effect=READS)  # in glibc's header, by fields of its streams
def putc(call: Invocation, char: Any, stream: Any) -> Any:
    return _put_char(call, streams.stream_at(call, stream)[1].descriptor, char)


def write_memory(call: Invocation, number: int, address: Any, count: int) -> None:
    """Write bytes of memory to a descriptor."""
    values: Sequence[Any] = call.read_bytes(call.pointer(address), count) if count else []
    call.written(values)
    _write_text(call, number, texts.of_values(values))


@model("fwrite", "fwrite_unlocked", effect=READS)
def fwrite(call: Invocation, address: Any, size: Any, count: Any, stream: Any) -> Any:
    _, place = streams.stream_at(call, stream)
    total = call.pointer(size) * call.pointer(count)
    write_memory(call, place.descriptor, address, total)
    return count if total else 0


@model("perror", effect=READS)
def perror(call: Invocation, address: Any) -> None:
    """Prints to standard error, which is not kept; the string must be one."""
    where = call.pointer(address)
    if where:
        texts.c_string(call, where)


@model("psignal", effect=READS)
def psignal(call: Invocation, number: Any, address: Any) -> None:
    perror(call, address)
