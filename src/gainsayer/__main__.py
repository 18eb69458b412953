"""`gainsayer` and `python -m gainsayer` are the command line."""

import sys


def main() -> None:
    """Run the command line; stopped while its modules are still loading, it says so like any other time."""
    try:
        from gainsayer.cli import main as run

        run()
    except (KeyboardInterrupt, RuntimeError) as stop:
        # Python 3.11 wraps what happens while a class is made.
        if not isinstance(stop, KeyboardInterrupt) and not isinstance(stop.__cause__, KeyboardInterrupt):
            raise
        print("Stopped.", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
