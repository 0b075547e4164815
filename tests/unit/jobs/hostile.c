/* Tries to get out, in as many ways as there are inputs. Exit code 0: it could not; 1: it did. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

int __VERIFIER_nondet_int(void);

static int connects(const char *path, size_t size) {
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  int s = socket(AF_UNIX, SOCK_STREAM, 0);
  memcpy(name.sun_path, path, size);
  return !connect(s, (struct sockaddr *)&name, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + size));
}

static int connects_tcp(void) {
  struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  return !connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&name, sizeof name);
}

static int touches_of_children(int children, size_t megabytes) {
  for (int i = 0; i < children; i++)
    if (!fork()) {
      char *p = mmap(0, megabytes << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      for (size_t at = 0; p != MAP_FAILED && at < megabytes << 20; at += 4096) p[at] = 1;
      pause();
      _exit(0);
    }
  while (wait(0) > 0) {}
  return 1;
}

static int segments(int count, size_t megabytes) {
  for (int i = 0; i < count; i++) {
    char *p = shmat(shmget(IPC_PRIVATE, megabytes << 20, 0600), 0, 0);
    if (p == (char *)-1) return 0;
    for (size_t at = 0; at < megabytes << 20; at += 4096) p[at] = 1;
    shmdt(p);
  }
  sleep(1);
  return 1;
}

static int writes(int files, size_t megabytes, int in_memory) {
  static char block[1 << 20];
  for (int i = 0; i < files; i++) {
    char name[16];
    snprintf(name, sizeof name, "f%d", i);
    int file = in_memory ? (int)syscall(SYS_memfd_create, name, 0) : open(name, O_WRONLY | O_CREAT, 0600);
    for (size_t n = 0; n < megabytes; n++)
      if (write(file, block, sizeof block) != sizeof block) return 0;
  }
  sleep(1); /* time to be noticed */
  return 1;
}

/* Way number x, against one of two users' files and processes. */
static int escapes(int x, const char *file, const char *other, int victim) {
  struct rlimit limit = {64, 64};
  char c, name[64];
  switch (x) {
  case 0: return connects(FOLDER "/socket", sizeof FOLDER "/socket");
  case 1: return connects("\0" ABSTRACT, sizeof ABSTRACT);
  case 2: return connects_tcp();
  case 3: return !chmod(file, 0777);
  case 4: return !utimensat(AT_FDCWD, file, 0, 0);
  case 5: return !truncate(file, 0);
  case 6: return open(file, O_RDWR) >= 0;
  case 7: return !unlink(file);
  case 8: return !link(file, other);
  case 9: return read(open(file, O_RDONLY), &c, 1) == 1;
  case 10: return !kill(victim, SIGKILL);
  case 11: return !ptrace(PTRACE_ATTACH, victim, 0, 0);
  case 12: return !setpriority(PRIO_PROCESS, victim, 19) || !prlimit(victim, RLIMIT_NOFILE, &limit, 0) ||
                  !setpriority(PRIO_PROCESS, getppid(), 19) || !prlimit(getppid(), RLIMIT_NOFILE, &limit, 0);
  case 13: snprintf(name, sizeof name, "/proc/%d/oom_score_adj", victim); return open(name, O_WRONLY) >= 0;
  case 14: return syscall(SYS_add_key, "user", "clew", "x", (size_t)1, -3) >= 0;
  case 15: return !syscall(SYS_unshare, 0x10000000);
  case 16: shmget(KEY, 4096, IPC_CREAT | 0600); return 0;
  case 17: close(open("/dev/shm/clew-" TEXT(KEY), O_CREAT | O_WRONLY, 0600)); return 0;
  case 18: close(open("/tmp/clew-" TEXT(KEY), O_CREAT | O_WRONLY, 0600)); return 0;
  case 19: return socket(AF_NETLINK, SOCK_RAW, 0) >= 0 || socket(40, SOCK_STREAM, 0) >= 0;
  case 20: return getuid() == 0 || geteuid() == 0 || !setuid(0);
  case 21: return writes(8, 15, 0);
  case 22: return writes(20, 15, 1);
  case 23: return touches_of_children(10, 60);
  case 24: return segments(8, 30);
  case 25: return fopen("/etc/shadow", "r") != 0 || open("/dev/mem", O_RDONLY) >= 0;
  }
  return 2;
}

static int own_folder(void) {
  FILE *f = fopen("own", "w");
  return !f || fclose(f) || mkdir("d", 0700) || rename("own", "d/own");
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 26) return own_folder();
  if (x == 27) return kill(-1, SIGKILL) && errno != EPERM && errno != ESRCH;
  return escapes(x, FOLDER "/a", FOLDER "/other", VICTIM_A) || escapes(x, FOLDER "/b", FOLDER "/other", VICTIM_B);
}
