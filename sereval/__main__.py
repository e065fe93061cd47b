"""``python -m sereval``, and the command ``sereval``."""

import gc
import os
import sys

NEW_OBJECTS = 500_000
"""The number of new objects after which Python looks for garbage. Documents consist of hundreds of
thousands of objects without reference cycles, so a search finds almost nothing."""


def main() -> int:
    """Run the command line. Ctrl-C during its imports ends it with the usual status, 130."""
    _occupy_closed_streams()
    gc.set_threshold(NEW_OBJECTS, *gc.get_threshold()[1:])
    try:
        from .cli import main as run
        from .cli.outputs import handle_termination

        handle_termination()
        status = run()
        gc.freeze()
        return status
    except KeyboardInterrupt:
        return 130


def _occupy_closed_streams() -> None:
    """Open the null device for each closed standard stream: no other file may take its number."""
    is_for_all = True  # child processes inherit it
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # the system gives the next file the lowest free number
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), is_for_all)


if __name__ == "__main__":
    sys.exit(main())
