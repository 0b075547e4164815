"""The errors Clew looks for: names for ``--check``, properties, targets, leaks."""
