"""``clew bench``: the project's own figures, measured on the user's machine. Part of the source tree only."""
