"""Runs native tests where they can do no harm: a program of its own, that uses nothing but Python's library.

    serve.py -> means.py                   what does this kernel permit? The first line of the answer
        `-> warden.py                      one test: set up, start, watch, end everything, tell
              |- root.py                   namespaces, and a file system in which there is only what a program needs
              |- landlock.py, seccomp.py   what the program may still ask the kernel for
              `- limits.py, processes.py   what it may use, and what it uses

``docs/decisions/0017-what-replay-promises.md`` says what is promised, and by which mechanism.
"""
