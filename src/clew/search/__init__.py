"""Which pending sibling is next. One strategy per file; ``registry`` knows them by name."""
