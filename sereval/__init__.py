"""Scores structured named entities found in speech and other noisy text.

The flow is ``read → project → best_mapping → evaluate``, and a user can stop after any step::

    import sereval

    references = sereval.read("ref/")                    # annotated, on a clean transcript
    hypotheses = sereval.read("hyp/")                    # a system's output
    evaluation = sereval.evaluate(references, hypotheses)
    evaluation.ser, evaluation.counts, evaluation.labels

Times are integer milliseconds, positions are frontiers between words, spans are half open.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .public import *  # noqa: F403 - all that it promises, here too


def __getattr__(name: str) -> Any:
    """A public name, loaded when it is first asked for: the command line needs none of them."""
    if not name.startswith("_") or name == "__all__":
        public = import_module(".public", __name__)
        if name == "__all__" or name in public.__all__:
            return globals().setdefault(name, getattr(public, name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return ["__version__", *import_module(".public", __name__).__all__]
