"""What tests of several folders share: a program checked for well-formedness, a program as text, and
what was written read back."""
