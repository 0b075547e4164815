"""Calls to the kernel that a test has no use for, and through which it could get out, fail (seccomp's filter).

    rules   ->  "clone" fails with EPERM if its flags ask for a namespace   ->  a program for the kernel's BPF machine

The filter knows the calls of x86_64 (with i386, which its kernels run, too) and aarch64; a call in any other
way of calling ends the process. Calls newer than those that were looked at do not exist for a test.
"""

from __future__ import annotations

import ctypes
import errno
import struct
from collections.abc import Iterable, Sequence

from clew.base.dataclass import dataclass
from clew.jobs.native.sandbox.syscalls import LAST_KNOWN, NUMBERS, machine, prctl

_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7, "i386": 0x40000003}
_TOGETHER = {"x86_64": ("x86_64", "i386"), "aarch64": ("aarch64",)}
_X32 = 0x40000000
"""Set in the numbers of x32's calls, which x86_64 kernels may run, too."""

_SET_SECCOMP, _FILTER = 22, 2
_LOAD, _JUMP, _EQUAL, _GREATER, _ANY_BIT, _RETURN = 0x20, 0x05, 0x15, 0x25, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER_AT, _ARCH_AT, _ARGUMENTS_AT = 0, 4, 16

_NAMESPACES = 0x7E020080
"""Flags of ``clone`` that make a namespace."""
_UNIX, _INET, _INET6 = 1, 2, 10
_SET_FLAGS, _SET_FLAGS32, _SET_EXTENDED = 0x40086602, 0x40046602, 0x401C5820
"""``ioctl`` requests that change the attributes of a file that is open for reading only."""
_SET_OWNER, _SET_OWNER_EX = 8, 15
"""``fcntl`` commands that let the kernel send signals to someone."""

_NEVER = """mount umount umount2 pivot_root move_mount open_tree fsopen fsconfig fsmount fspick mount_setattr unshare
setns keyctl add_key request_key bpf perf_event_open userfaultfd io_uring_setup io_uring_enter io_uring_register
memfd_create memfd_secret process_vm_readv process_vm_writev pidfd_getfd kcmp open_by_handle_at fanotify_init quotactl
quotactl_fd syslog acct""".split()
_SHARED = "socketcall ipc shmget semget msgget mq_open".split()
"""What outlives a process, or reaches others, where there is no namespace for it."""
_ATTRIBUTES = """chmod fchmod fchmodat fchmodat2 chown chown32 fchown fchown32 lchown lchown32 fchownat utime utimes
utimensat utimensat_time64 futimesat setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr""".split()
"""What Landlock leaves open: attributes of files that one cannot write to."""
_OTHERS = "setpriority ioprio_set sched_setscheduler sched_setparam sched_setattr sched_setaffinity".split()
"""What slows other processes down: with namespaces, too, since the overseer is in reach there."""
_SIGNALS = "rt_sigqueueinfo rt_tgsigqueueinfo pidfd_send_signal".split()


@dataclass(frozen=True, slots=True)
class Rule:
    """A call that fails: always, or depending on the low 32 bits of one argument."""

    name: str
    error: int = errno.EPERM
    argument: int | None = None
    only: tuple[int, ...] = ()
    """It succeeds with these values alone."""
    never: tuple[int, ...] = ()
    """It fails with these values alone."""
    mask: int = 0
    """It fails with any of these bits."""


def rules(namespaces: bool, scoped_signals: bool, own: int) -> list[Rule]:
    """What fails for a process ``own``; it may have namespaces, and signals that reach no others."""
    found = [Rule(name) for name in (*_NEVER, *_OTHERS)]
    found += [Rule("prlimit64", argument=0, only=(0,))]
    # The flags of clone3 are in memory, where a filter cannot look: with ENOSYS, libraries take clone.
    found += [Rule("clone", argument=0, mask=_NAMESPACES), Rule("clone3", errno.ENOSYS)]
    if namespaces:
        # VSOCK, for one, reaches beyond any namespace of networks.
        return [*found, Rule("socket", errno.EAFNOSUPPORT, 0, only=(_UNIX, _INET, _INET6)), Rule("socketcall")]
    found += [Rule(name) for name in ("socket", *_SHARED, *_ATTRIBUTES)]
    found += [Rule("ioctl", argument=1, never=(_SET_FLAGS, _SET_FLAGS32, _SET_EXTENDED))]
    if not scoped_signals:
        found += [Rule(name) for name in (*_SIGNALS, "ptrace")]
        found += [Rule(name, argument=0, only=(own, 0)) for name in ("kill", "tgkill")]
        found += [Rule("tkill", argument=0, only=(own,))]
        found += [Rule(name, argument=1, never=(_SET_OWNER, _SET_OWNER_EX)) for name in ("fcntl", "fcntl64")]
    return found


def install(wanted: Sequence[Rule]) -> None:
    """From here on, for this process and all that it starts; OSError where the kernel has no filters."""
    code = assemble(wanted, machine())
    words = ctypes.create_string_buffer(code, len(code))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(words)))
    unused = ctypes.c_ulong(0)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_SET_SECCOMP, ctypes.c_ulong(_FILTER), ctypes.byref(program), unused, unused) != 0:
        raise OSError(ctypes.get_errno(), "seccomp")


def available() -> bool:
    """Whether filters can be written for this processor, and the kernel has them."""
    return machine() in _TOGETHER and prctl(21, 0) >= 0


def assemble(wanted: Sequence[Rule], processor: str) -> bytes:
    """The filter as the kernel reads it."""
    code = [_step(_LOAD, _ARCH_AT)]
    for name in _TOGETHER[processor]:
        section = _section(wanted, name)
        # Jumps over more than 255 steps have to be unconditional.
        code += [_step(_EQUAL, _AUDIT[name], 1, 0), _step(_JUMP, len(section)), *section]
    return b"".join([*code, _step(_RETURN, _KILL)])


def _section(wanted: Iterable[Rule], name: str) -> list[bytes]:
    """The part for one way of calling; every way through it ends in a verdict."""
    code = [_step(_LOAD, _NUMBER_AT)]
    if name == "x86_64":
        code += [_step(_ANY_BIT, _X32, 0, 1), _step(_RETURN, _KILL)]
    code += [_step(_GREATER, LAST_KNOWN, 0, 1), _step(_RETURN, _ERRNO | errno.ENOSYS)]
    for rule in wanted:
        if rule.name in NUMBERS[name]:
            body = _body(rule)
            code += [_step(_EQUAL, NUMBERS[name][rule.name], 0, len(body)), *body]
    return [*code, _step(_RETURN, _ALLOW)]


def _body(rule: Rule) -> list[bytes]:
    """What is asked once the number of the call has matched."""
    allow, refuse = _step(_RETURN, _ALLOW), _step(_RETURN, _ERRNO | rule.error)
    if rule.argument is None:
        return [refuse]
    load = _step(_LOAD, _ARGUMENTS_AT + 8 * rule.argument)
    if rule.mask:
        return [load, _step(_ANY_BIT, rule.mask, 0, 1), refuse, allow]
    values, matched, otherwise = (rule.only, allow, refuse) if rule.only else (rule.never, refuse, allow)
    tests = [_step(_EQUAL, value, len(values) - position, 0) for position, value in enumerate(values)]
    return [load, *tests, otherwise, matched]


def _step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value & 0xFFFFFFFF)
