"""Scores structured named entities found in speech and other noisy text.

The flow is ``read → project → best_mapping → evaluate``, and a user can stop after any step::

    import sereval

    references = sereval.read("ref/")                    # annotated, on a clean transcript
    hypotheses = sereval.read("hyp/")                    # a system's output
    evaluation = sereval.evaluate(references, hypotheses)
    evaluation.ser, evaluation.counts, evaluation.labels

Times are integer milliseconds, positions are frontiers between words, spans are half open.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .public import *  # noqa: F403 - all that it promises, here too

NAMESAKES = {"evaluate", "project"}
"""Modules that have the name of the public function in them."""


class _Package(ModuleType):
    """The package: the command line does not wait for names that only programs ask for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") and name != "__all__":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        public = import_module(".public", __name__)
        for promised in ("__all__", *public.__all__):
            self.__dict__.setdefault(promised, getattr(public, promised))
        return super().__getattribute__(name)

    def __setattr__(self, name: str, value: object) -> None:
        # a module that is imported becomes a name of its package, where the function keeps its own
        if not (name in NAMESAKES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.__all__})


sys.modules[__name__].__class__ = _Package
