"""``python -m clew``: the same as the console script."""

from clew.cli import main

if __name__ == "__main__":
    main()
