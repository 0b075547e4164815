"""libc functions written in C: those that call back into the program, or loop over its data.

``link`` adds the ones a program needs, and nothing where it needs none. They are compiled without debug
information for the program's target, so no report ever shows them as the user's code.
"""

from clew.runtime.linking import PROVIDED, link

__all__ = ["PROVIDED", "link"]
