"""poll, select, pipes, copies of descriptors, sockets."""

from __future__ import annotations

from unit.models.typed import explore_linked

PROGRAM = """
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>
#line 1
"""


def codes(body: str) -> list[int]:
    return sorted(set(explore_linked(PROGRAM + "int main(void) {" + body + "}").codes))


def test_what_is_ready_is_an_input() -> None:
    assert codes("struct pollfd p[2] = {{0, POLLIN, 0}, {-1, POLLIN, 7}}; int n = poll(p, 2, 5);"
                 "if (n < 0) return errno == EINTR ? 1 : 8; if (p[1].revents) return 9;"
                 "if (n == 0) return p[0].revents ? 7 : 2;"
                 "if (n > 1 || (p[0].revents & POLLOUT)) return 6; return 3;") == [1, 2, 3]  # fmt: skip
    assert codes("struct pollfd p = {0, POLLIN, 0}; return poll(&p, 1, -1) == 0;") == [0]
    assert codes("fd_set r; FD_ZERO(&r); FD_SET(3, &r); struct timeval t = {1, 0}; int n = select(4, &r, 0, 0, &t);"
                 "if (n < 0) return 1; if (FD_ISSET(2, &r)) return 9; if (n != !!FD_ISSET(3, &r)) return 8;"
                 "if (n) return 2; return 3;") == [1, 2, 3]  # fmt: skip


def test_a_pipe_gives_what_it_was_given() -> None:
    assert codes("int p[2]; char b[4] = {0}; if (pipe(p)) return 9; write(p[1], \"ab\", 2); write(p[1], \"c\", 1);"
                 "if (read(p[0], b, 4) != 3 || b[2] != 'c') return 8; if (write(p[0], b, 1) != -1) return 7;"
                 "return read(p[0], b, 4);") == [0]  # fmt: skip


def test_copies_and_flags() -> None:
    assert codes("int c = dup(1); if (c < 3 || dup2(1, 2) != 2 || dup(55) != -1 || errno != EBADF) return 9;"
                 "return fcntl(c, F_GETFL) != O_WRONLY || fcntl(99, F_GETFL) != -1;") == [0]  # fmt: skip


def test_a_socket_is_a_stream() -> None:
    found = explore_linked(
        PROGRAM
        + """
    int main(void) {
      char b[4];
      int s = socket(AF_INET, SOCK_STREAM, 0);
      if (s < 0) return 1;
      if (connect(s, 0, 0)) return 2;
      if (send(s, "hi", 2, 0) != 2) return 9;
      long n = recv(s, b, 4, 0);
      if (n < 0) return 8;
      if (n == 4 && b[3] == 'x') return 3;
      return 4;
    }"""
    )
    assert set(found.codes) == {1, 2, 3, 4}


def test_a_function_of_the_same_name_with_other_parameters_is_another() -> None:
    found = explore_linked("int poll(void); int send(); int main(void) { return poll() == 3 ? send(1) == 2 : 5; }")
    assert not found.kinds and {5} < set(found.codes)
    assert sum("not defined anywhere" in what for _, what, *_ in found.run.losses) == 2
