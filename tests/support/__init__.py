"""What tests of several folders share: a program checked for well-formedness, and a program as text."""
