"""Abstract interpretation: linear facts about integers that hold whenever control is at a point of the program."""
