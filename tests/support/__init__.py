"""What tests of several folders share: a program checked for well-formedness, a program as text, a
solver that tries everything, and what was written read back."""
