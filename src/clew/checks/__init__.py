"""The classes of errors Clew looks for: one per file, each a name for ``--check``.

A check names the kinds of bugs it covers and what Clang has to put into the code for it. How an error
shows is the business of memory, executor and models; ``leaks`` alone has work of its own, at exit.
"""
