"""Dynamic loop summaries: one execution of a loop generalized to all iteration counts, while it runs."""
