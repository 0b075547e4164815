"""``clew bench``: the project's own figures, measured on the user's machine. Sits above ``jobs``, below ``cli``."""
