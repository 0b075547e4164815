"""Arrays as one cell: any one, which nobody has chosen, and whose contents alone are remembered."""
