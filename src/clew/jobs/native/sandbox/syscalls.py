"""The kernel's calls that Python's library lacks, and the numbers of those that tests are kept from."""

from __future__ import annotations

import ctypes
import os
import platform
import sys

_TABLE = """
mount 165 40 21            umount - - 22              umount2 166 39 52          pivot_root 155 41 217
move_mount 429 429 429     open_tree 428 428 428      fsopen 430 430 430         fsconfig 431 431 431
fsmount 432 432 432        fspick 433 433 433         mount_setattr 442 442 442  unshare 272 97 310
setns 308 268 346          clone 56 220 120           clone3 435 435 435         keyctl 250 219 288
add_key 248 217 286        request_key 249 218 287    bpf 321 280 357            perf_event_open 298 241 336
userfaultfd 323 282 374    io_uring_setup 425 425 425 io_uring_enter 426 426 426 io_uring_register 427 427 427
memfd_create 319 279 356   memfd_secret 447 447 447   process_vm_readv 310 270 347
process_vm_writev 311 271 348                         pidfd_getfd 438 438 438    kcmp 312 272 349
open_by_handle_at 304 265 342                         fanotify_init 300 262 338  quotactl 179 60 131
quotactl_fd 443 443 443    syslog 103 116 103         acct 163 89 51             socket 41 198 359
socketcall - - 102         ipc - - 117                shmget 29 194 395          semget 64 190 393
msgget 68 186 399          mq_open 240 180 277        chmod 90 - 15              fchmod 91 52 94
fchmodat 268 53 306        fchmodat2 452 452 452      chown 92 - 182             chown32 - - 212
fchown 93 55 95            fchown32 - - 207           lchown 94 - 16             lchown32 - - 198
fchownat 260 54 298        utime 132 - 30             utimes 235 - 271           utimensat 280 88 320
utimensat_time64 - - 412   futimesat 261 - 299        setxattr 188 5 226         lsetxattr 189 6 227
fsetxattr 190 7 228        removexattr 197 14 235     lremovexattr 198 15 236    fremovexattr 199 16 237
ioctl 16 29 54             fcntl 72 25 55             fcntl64 - - 221            setpriority 141 140 97
ioprio_set 251 30 289      sched_setscheduler 144 119 156                        sched_setparam 142 118 154
sched_setattr 314 274 351  sched_setaffinity 203 122 241                         prlimit64 302 261 340
kill 62 129 37             tkill 200 130 238
tgkill 234 131 270         rt_sigqueueinfo 129 138 178                           rt_tgsigqueueinfo 297 240 335
pidfd_send_signal 424 424 424                         ptrace 101 117 26
"""
"""Name, and its number on x86_64, aarch64 and i386."""

LAST_KNOWN = 462
"""The newest call that was looked at (``mseal``); what came after it is not for tests."""

_libc = ctypes.CDLL(None, use_errno=True)


def _numbers(column: int) -> dict[str, int]:
    words = iter(_TABLE.split())
    rows = zip(words, words, words, words, strict=True)
    return {row[0]: int(row[1 + column]) for row in rows if row[1 + column] != "-"}


NUMBERS: dict[str, dict[str, int]] = {
    name: _numbers(column) for column, name in enumerate(("x86_64", "aarch64", "i386"))
}


def machine() -> str:
    """The processor that this Python's calls are made for; one that ``NUMBERS`` knows, or empty."""
    name = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine())
    return name if name in NUMBERS and sys.maxsize > 1 << 32 and sys.byteorder == "little" else ""


def prctl(option: int, value: int) -> int:
    """``prctl`` with one argument; its result, -1 when it fails."""
    unused = ctypes.c_ulong(0)
    return int(_libc.prctl(option, ctypes.c_ulong(value), unused, unused, unused))


def syscall(number: int, *arguments: object) -> int:
    """A call by its number; OSError when it fails."""
    return _checked(_libc.syscall(ctypes.c_long(number), *arguments), f"system call {number}")


def unshare(flags: int) -> None:
    """New namespaces for this process (for its children: the one of process numbers)."""
    _checked(_libc.unshare(ctypes.c_int(flags)), "unshare")


def mount(source: str | None, target: str, kind: str | None, flags: int, data: str = "") -> None:
    """``mount``; OSError that names the target."""
    words = [None if word is None else os.fsencode(word) for word in (source, target, kind)]
    _checked(_libc.mount(*words, ctypes.c_ulong(flags), os.fsencode(data)), f"mount {target}")


def unmount(target: str, flags: int) -> None:
    """``umount2``."""
    _checked(_libc.umount2(os.fsencode(target), ctypes.c_int(flags)), f"umount {target}")


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result
