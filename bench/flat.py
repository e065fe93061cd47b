"""The flat corpora that other scorers can read: columns of tags, and lines of words."""

from __future__ import annotations

from pathlib import Path
from random import Random

LABELS = ("AMOUNT", "FUNC", "LOC", "MISC", "ORG", "PER", "PROD", "TIME")
VOCABULARY = [f"w{k}" for k in range(5_000)]
WORDS = 10
"""Words for each entity."""

SAME, RELABELLED, MOVED, BOTH = 0.80, 0.86, 0.92, 0.96
"""Of 1: what becomes of an entity; the rest is missed. One more in twenty is made up."""


def columns(entities: int, documents: int, folder: Path) -> tuple[Path, Path]:
    """Write ``ref/flat.iob`` and ``hyp/flat.iob``, IOB2 on the same words; returns their paths.

    Args:
        entities: of the reference, in all; ten words for each.
        documents: over which they are spread, parted by ``-DOCSTART-`` where there are several.
    """
    rng = Random(f"columns {entities} {documents}")
    of_side: tuple[list[str], list[str]] = ([], [])
    for _ in range(documents):
        n = entities // documents * WORDS
        words = rng.choices(VOCABULARY, k=n)
        for lines, tags in zip(of_side, _tags(entities // documents, rng), strict=True):
            if documents > 1:
                lines.append("-DOCSTART- O\n\n")
            lines += [f"{word} {tag}\n" for word, tag in zip(words, tags, strict=True)]
            lines.append("\n")
    return _written(of_side, folder, "flat.iob")


def _tags(entities: int, rng: Random) -> tuple[list[str], list[str]]:
    """Tags of both sides of a document."""
    n = entities * WORDS
    gold, found = ["O"] * n, ["O"] * n
    for place in sorted(rng.sample(range(n // 3), entities)):
        start, end, label = 3 * place, 3 * place + rng.randint(1, 3), rng.choice(LABELS)
        _put(gold, label, start, end)
        fate = rng.random()
        if fate < SAME:
            _put(found, label, start, end)
        elif fate < RELABELLED:
            _put(found, rng.choice(LABELS), start, end)
        elif fate < MOVED:
            _put(found, label, start, end + 1)
        elif fate < BOTH:
            _put(found, rng.choice(LABELS), start, end + 1)
    for _ in range(entities // 20):
        start = rng.randrange(n - 2)
        _put(found, rng.choice(LABELS), start, start + 2)
    return gold, found


def _put(tags: list[str], label: str, start: int, end: int) -> None:
    """Tag an entity if there is room for it."""
    if end <= len(tags) and all(tag == "O" for tag in tags[start:end]):
        tags[start:end] = [f"B-{label}"] + [f"I-{label}"] * (end - start - 1)


def lines(words: int, documents: int, folder: Path) -> tuple[Path, Path]:
    """Write ``ref/words.txt`` and ``hyp/words.txt``, a line for each document.

    One word in five is an error: half of them substituted, and as many deleted as inserted.
    """
    rng = Random(f"lines {words} {documents}")
    of_side: tuple[list[str], list[str]] = ([], [])
    for _ in range(documents):
        said = rng.choices(VOCABULARY, k=words // documents)
        heard: list[str] = []
        for word in said:
            fate = rng.random()
            if fate >= 0.05:
                heard.append(rng.choice(VOCABULARY) if fate < 0.15 else word)
            if fate >= 0.95:
                heard.append(rng.choice(VOCABULARY))
        for side, found in zip(of_side, (said, heard), strict=True):
            side.append(" ".join(found) + "\n")
    return _written(of_side, folder, "words.txt")


def _written(sides: tuple[list[str], list[str]], folder: Path, name: str) -> tuple[Path, Path]:
    paths = folder / "ref" / name, folder / "hyp" / name
    for path, side in zip(paths, sides, strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(side), encoding="utf-8")
    return paths
