"""`python -m gainsayer` is the command line."""

from gainsayer.cli import main

if __name__ == "__main__":
    main()
