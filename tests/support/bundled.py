"""The bundled recordings: a system on the words of a recogniser, with times, or on manual ones."""

from paths import DATA
from strategies import Scoring

import sereval
from sereval.documents.model import Document


def timed_by(
    documents: list[Document], times: str, format: str, tier: str | None
) -> list[Document]:
    """Documents with the times of the files of the same names."""
    of_id = {d.id: d for d in sereval.read(DATA / times, format=format, tier=tier)}
    return [sereval.time_words(d, of_id[d.id]) for d in documents]


def bundled(system: str, words: str, tolerance: int = 500) -> Scoring:
    """The output of a system, and the reference."""
    references = sereval.read(DATA / "ref", format="inline")
    hypotheses = sereval.read(DATA / "hyp" / system / words, format="inline")
    if words == "manual":
        return Scoring(references, hypotheses)
    return Scoring(
        timed_by(references, "align", "textgrid", "words"),
        timed_by(hypotheses, "asr", "ctm", None),
        tolerance,
    )
