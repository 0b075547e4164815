"""Calls that a changed program can have to become more general: any value, any contents, only some of the paths.

No C program can define functions of these names. Their models are in ``clew.models.anything``.
"""

from __future__ import annotations

ANY = "clew.any"
"""Gives a new value of the call's type, which nothing constrains."""
FILL = "clew.fill"
"""Gives an object (address, size) new contents."""
ASSUME = "clew.assume"
"""Ends the path, which is of no interest, unless its argument is other than zero."""
