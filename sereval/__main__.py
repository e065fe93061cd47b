"""``python -m sereval``, and the command ``sereval``."""

import sys


def main() -> int:
    """Run the command line; an interruption while it loads is one like any other."""
    try:
        from .cli import main as run

        return run()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
