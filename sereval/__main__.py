"""``python -m sereval``, and the command ``sereval``."""

import gc
import os
import sys

NEW_OBJECTS = 200_000
"""How many come before it is looked for garbage. Documents are made of hundreds of thousands of
values that refer to none that come after them: next to nothing that is found is garbage."""


def main() -> int:
    """Run the command line; an interruption while it loads is one like any other."""
    _occupy_closed_streams()
    gc.set_threshold(NEW_OBJECTS, *gc.get_threshold()[1:])
    try:
        from .cli import main as run
        from .cli.signals import handle_termination

        with handle_termination():
            status = run()
            gc.freeze()
            return status
    except KeyboardInterrupt:
        return 130


def _occupy_closed_streams() -> None:
    """No file that is opened later gets the number of a stream that somebody writes to."""
    is_for_all = True  # processes that are begun have it too
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # the lowest free number is the next one opened
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), is_for_all)


if __name__ == "__main__":
    sys.exit(main())
