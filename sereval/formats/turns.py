"""Words of turns in which only some moments have a time, as in ``transcriber`` and ``media``."""

from __future__ import annotations

from ..documents.model import Time, seconds
from .times import spread
from .xml import XmlNode, wrong


class TurnWords:
    """The words that have been read of a file, and the times between which they were said.

    Attributes:
        words: the words so far.
        times: start and end of the words before ``now``, in ms.
        breaks: the frontiers at moments with a time, in order.
        now: the last moment with a time, in ms.
    """

    def __init__(self) -> None:
        self.words: list[str] = []
        self.times: list[Time] = []
        self.breaks: list[int] = []
        self.now = 0

    def advance(self, node: XmlNode, time: int, end: int) -> None:
        """Go on to a moment; the words since the last one share the time between the two.

        Args:
            node: the node that has the time.
            time: the moment, in ms.
            end: the end of the turn, in ms.

        Raises:
            InputError: the moment is before the last one or after the turn.
        """
        if not self.now <= time <= end:
            raise wrong(
                node,
                f"time {seconds(time)} s, expected {seconds(self.now)} s (the time before) "
                f"to {seconds(end)} s (the end of the turn)",
            )
        waiting = self.words[len(self.times) :]
        self.times += spread([len(word) for word in waiting], self.now, time) if waiting else []
        self.now = time
        if self.words and self.breaks[-1:] != [len(self.words)]:
            self.breaks.append(len(self.words))
