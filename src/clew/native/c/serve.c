/* The process that runs the program: it shuts itself in, then serves requests until there are no more.

   After clew_serve has begun there is no way to the kernel but to read a request from descriptor 0, to write an answer
   to descriptor 1, to have the kernel forget what pages hold, and to end. Requests are one byte: r (run the input), a (run it, and keep it if it is new), m (mutate
   what is kept); all else is in the shared memory. */

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "trace.h"

int prctl(int, ...);
long read(int, void *, unsigned long);
long write(int, const void *, unsigned long);
long syscall(long, ...);
void *memset(void *, int, unsigned long);

#if defined(__x86_64__)
#define PROCESSOR AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define PROCESSOR AUDIT_ARCH_AARCH64
#else
#error "native runs are for x86_64 and aarch64"
#endif

static jmp_buf home;
static volatile int running;
static u8 signal_stack[1 << 16];

/* The run ends, wherever it is. */
_Noreturn void clew_end(u32 how, u64 detail, u64 place) {
  shared->end = how;
  shared->detail = detail;
  shared->place = place;
  longjmp(home, 1);
}

/* What the program's code calls where it cannot go on. */

void clew_fail(u32 bug, u64 site) { clew_end(END_BUG, bug, site); }

void clew_unsupported(u64 site) { clew_end(END_UNSUPPORTED, 0, site); }

void clew_out_of_fuel(void) { clew_end(END_FUEL, 0, 0); }

/* The code of a function that a pointer leads to: it must be the beginning of one, and of this type. */
const void *clew_target(u64 address, u64 signature, u64 site) {
  u64 number = (address - clew_function_base) >> 4;
  if (address < clew_function_base || address & 15 || number >= clew_function_count)
    clew_end(END_BUG, BUG_CALL, site);
  if (!clew_function_codes[number] || clew_function_signatures[number] != signature)
    clew_end(END_UNSUPPORTED, 0, site);
  return clew_function_codes[number];
}

/* A store to a constant, or the machine's stack is at its end: no check comes before these. */
static void fault(int signal) {
  if (!running)
    syscall(SYS_exit, 70);
  clew_end(END_FAULT, signal, 0);
}

/* One run with the input of the request; its counters stay, everything else is as it was before. */
void clew_run_once(void) {
  memset((void *)COUNTERS, 0, clew_site_count);
  shared->fuel = shared->fuel_per_run;
  if (clew_is_traced)
    clew_reset_trace();
  shared->input_used = shared->output_size = 0;
  running = 1;
  if (!setjmp(home))
    clew_program();
  running = 0;
  clew_reset_memory();
  clew_forget_all_jumps();
  clew_reset_environment();
  clew_reset_strings();
  clew_reset_files();
}

static int shut_in(void) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PROCESSOR, 0, 12),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 11, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigreturn, 10, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_madvise, 6, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_read, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 0, 6),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 1, 5, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 3, 2),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MADV_DONTNEED, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof code / sizeof *code, code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    return -1;
  if (!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0)) {
    clew_may_discard = 1;
    return 0;
  }
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0);
}

/* Serve until there are no more requests; comes back only if the kernel has nothing to shut a process in with. */
int clew_serve(void) {
  stack_t stack = {.ss_sp = signal_stack, .ss_size = sizeof signal_stack};
  struct sigaction action = {.sa_handler = fault, .sa_flags = SA_NODEFER | SA_ONSTACK};
  int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
  if (sigaltstack(&stack, 0))
    return -1;
  for (u64 at = 0; at < sizeof signals / sizeof *signals; at++)
    if (sigaction(signals[at], &action, 0))
      return -1;
  if (shut_in())
    return -1;
  for (char request = 'h';;) {
    if (request == 'r')
      clew_run_once();
    else if (request == 'a')
      clew_add_input();
    else if (request == 'm')
      clew_mutate();
    if (write(1, &request, 1) != 1 || read(0, &request, 1) != 1)
      syscall(SYS_exit, 0);
  }
}
