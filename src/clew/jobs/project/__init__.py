"""A whole project: which of its functions to test, in which order, and what all runs together have shown."""
