"""The signature of a score: the names and values of all that can change a digit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

Part: TypeAlias = tuple[str, str | None]
"""A name with its value; ``None``: the name alone."""


class Signature(tuple[Part, ...]):
    """Names with their values, in order.

    >>> signature = Signature([("SER", None), ("tolerance", "0.3"), ("version", "1")])
    >>> print(signature)
    SER|tolerance:0.3|version:1
    """

    __slots__ = ()

    def __str__(self) -> str:
        """The line that reports print."""
        return "|".join(name if value is None else f"{name}:{value}" for name, value in self)

    def but(self, **values: str) -> Signature:
        """The signature with other values of some names.

        Args:
            values: the new values, by name; names that the signature lacks are ignored.

        >>> print(Signature([("SER", None), ("tolerance", "0.3")]).but(tolerance="0:1:0.1"))
        SER|tolerance:0:1:0.1
        """
        return Signature((name, values.get(name, value)) for name, value in self)


def joint(signatures: Iterable[Signature]) -> Signature:
    """The joint signature of scores that differ only in how their files were read.

    Args:
        signatures: the signatures of scores with the same settings; each ends with the version.

    Returns:
        Each name once, with all its values.

    >>> one = Signature([("SER", None), ("version", "1")])
    >>> other = Signature([("SER", None), ("hypothesis read", "tags=iob1"), ("version", "1")])
    >>> joint([one, other]) == joint([other, one]) == other
    True
    """
    found: dict[str, list[str]] = {}
    for signature in signatures:
        for name, value in signature:
            values = found.setdefault(name, [])
            values += [one for one in (value or "").split(",") if one and one not in values]
    found["version"] = found.pop("version")  # last, as in each of them
    return Signature((name, ",".join(values) or None) for name, values in found.items())
