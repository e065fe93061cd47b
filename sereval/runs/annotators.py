"""Several annotators: from their files to the agreement of their annotations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from ..analysis.agreement import Annotators, annotators
from ..corpus.pairs import OTHER_NAME, exact
from ..documents.model import Document, Note, Place
from ..errors import UsageFault
from ..formats import FORMATS, ReadingOptions, files
from ..formats.annotated import annotators as annotators_of_tasks
from ..labels.relabel import labels_of
from ..version import __version__
from .pairs import distinct_names
from .scoring import LABEL_OPTIONS, RunRequest, flag, run_of
from .sides import Sides

EFFECTIVE = {
    *LABEL_OPTIONS,
    *("grammar", "places", "ref_format", "encoding", "reading", "columns"),
    *("format", "output", "table"),
}
"""The options that have an effect with several annotators: their annotations are not aligned."""


def agreement_of(
    paths: Sequence[str],
    asked: RunRequest,
    places: int,
    tell: Callable[[str, Iterable[Note]], object] = lambda *_: None,
) -> Annotators:
    """Read the annotations of several annotators, and count their agreement."""
    for name in asked.named:
        if name not in EFFECTIVE and name in asked.values:
            expected = f"{flag(name)} has no effect with several annotators"
            raise UsageFault(f"{expected}, expected two")
    run, sides = run_of(asked), asked.sides
    read = {
        # nothing is shared: each annotator of an export has other documents at the same path
        name: _read(path, sides._replace(reading=reading, known={}), tell)
        for name, path, reading in _annotations(paths, asked, sides)
    }
    if all(len(own) == 1 for own in read.values()):
        read = _as_one(read, paths, tell)
    every = [one for own in read.values() for one in own]
    labels = run.settings.labels
    labels.check(labels_of(every), run.settings.neutral)
    found = {}
    for name, own in read.items():
        found[name] = [labels.relabel(one) for one in own]
    settings = (*labels.signature, ("version", __version__))
    return annotators(found, places=places, settings=settings)


def _as_one(
    read: Mapping[str, list[Document]],
    paths: Sequence[str],
    tell: Callable[[str, Iterable[Note]], object],
) -> dict[str, list[Document]]:
    """The only document of each annotator, under the name of the first."""
    first = next(iter(read.values()))[0].id
    for path, [one] in zip(paths, read.values(), strict=False):
        if one.id != first:
            tell(path, [Note(OTHER_NAME, 1, places=(Place(f"{one.id} with {first}"),))])
    return {name: [replace(one, id=first)] for name, [one] in read.items()}


def _annotations(
    paths: Sequence[str], asked: RunRequest, sides: Sides
) -> list[tuple[str, str, ReadingOptions]]:
    """The name of each annotator, the path of the annotations, and how it is read."""
    reading = sides.reading
    if len(paths) > 1:
        named = distinct_names(paths, "annotators")
        return [(name, path, reading) for name, path in zip(named, paths, strict=True)]
    own = _annotators_in(paths[0], sides)
    if len(own) < 2:
        raise UsageFault(
            "found one path, expected the annotations of two or more annotators, or an export of "
            "Label Studio with several"
        )
    policies = dict(reading.policies)
    return [
        (name, paths[0], replace(reading, policies=tuple({**policies, "annotator": name}.items())))
        for name in own
    ]


def _annotators_in(path: str, sides: Sides) -> list[str]:
    """The annotators of the exports of Label Studio at a path."""
    reading = sides.wanting(ref=FORMATS).reading_of("ref")
    found: set[str] = set()
    for file in files(path, reading):
        if file.format == "labelstudio":
            found.update(annotators_of_tasks(file.opened()))
    return sorted(filter(None, found))


def _read(
    path: str,
    sides: Sides,
    tell: Callable[[str, Iterable[Note]], object],
) -> list[Document]:
    """The documents of one annotator."""
    [entries] = sides.entries({"ref": path})
    found = [exact(entry.read()) for entry in entries or []]
    tell(path, [note for one in found for note in one.notes])
    return found
