"""Smart constructors by theme; ``clew.expr.build`` offers all of them under one name."""
