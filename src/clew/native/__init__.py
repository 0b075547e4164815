"""Native runs: a program compiled to machine code with the checks of the engine, and run in a process that is shut in.

    places      where everything of a program lies      \\
    emit/       our IR -> LLVM's text, with checks        >  build: a library, cached  ->  executor: runs, mutation
    c/          the runtime: memory, libc, mutation     /                                  (child: its other end)

What a native run finds is a proposal: the interpreter confirms it (``docs/decisions/0038-native-executor.md``).
"""
