"""Results in editors: a language server that shows what output folders say about the source."""
