"""How the time and the memory of each reader grow with the file: documents of n, 2 n and 4 n words.

``python bench/growth.py [N]`` prints, for each format, seconds of processor time, the ratio to the
half as long document, which is 2 where time is linear, and bytes of memory for each byte of the
file at its peak. Every third word is an element where the format has any.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from sereval import Document, Element, read
from sereval.formats import FORMATS, files


def inline(n: int) -> str:
    return "".join(f"<loc> w{k} </loc> a b\n" for k in range(n // 3))


def textgrid(n: int) -> str:
    rows = "".join(f'{k}\n{k + 1}\n"w{k}"\n' for k in range(n))
    head = f'File type = "ooTextFile short"\n"TextGrid"\n\n0\n{n}\n<exists>\n1\n"IntervalTier"\n'
    return f'{head}"words"\n0\n{n}\n{n}\n{rows}'


def native(n: int) -> str:
    elements = [{"label": "loc", "start": k, "end": k + 1} for k in range(0, n, 3)]
    times = [[k, k + 0.5] for k in range(n)]
    words = [f"w{k}" for k in range(n)]
    return json.dumps({"id": "d", "words": words, "times": times, "elements": elements})


def vosk(n: int) -> str:
    words = [{"word": f"w{k}", "start": k, "end": k + 0.5, "conf": 1.0} for k in range(n)]
    return json.dumps({"result": words, "text": " ".join(f"w{k}" for k in range(n))})


def brat(n: int) -> str:
    return "".join(f"T{k}\tloc {6 * k} {6 * k + 1}\tw\n" for k in range(n // 3))


def offsets(n: int) -> str:
    spans = [{"start": 6 * k, "end": 6 * k + 1, "label": "loc"} for k in range(n // 3)]
    return json.dumps({"text": "w a b " * (n // 3), "spans": spans})


def transcriber(n: int) -> str:
    turns = "".join(
        f'<Turn startTime="{k}" endTime="{k + 1}"><Sync time="{k}"/>'
        '<Event desc="loc" type="entities" extent="begin"/>w'
        '<Event desc="loc" type="entities" extent="end"/>a b</Turn>'
        for k in range(n // 3)
    )
    section = f'<Section type="report" startTime="0" endTime="{n}">{turns}</Section>'
    return f'<?xml version="1.0"?><Trans><Episode>{section}</Episode></Trans>'


def whisper(n: int) -> str:
    words = [{"word": f" w{k}", "start": k, "end": k + 0.5} for k in range(n)]
    return json.dumps({"segments": [{"start": 0, "end": n, "words": words}]})


def mfa(n: int) -> str:
    rows = "".join(f"{k},{k + 1},w{k},words,\n" for k in range(n))
    return f"Begin,End,Label,Type,Speaker\n{rows}"


def aref(n: int) -> str:
    tag = '<annotation id="{}" type="loc" ftype="{}" depth="0" parent="-1" />'
    return "".join(f"{tag.format(k, 's')} w{k} {tag.format(k, 'e')} a b\n" for k in range(n // 3))


def kaldi(n: int) -> str:
    words = [{"word": f"w{k}", "start": k, "length": 0.5} for k in range(n)]
    said = {"transcript": " ".join(f"w{k}" for k in range(n)), "word-alignment": words}
    result = {"final": True, "hypotheses": [said]}
    return json.dumps({"status": 0, "segment-start": 0, "segment-length": n, "result": result})


def labelstudio(n: int) -> str:
    result = [
        {"type": "labels", "value": {"start": 6 * k, "end": 6 * k + 1, "labels": ["loc"]}}
        for k in range(n // 3)
    ]
    text = {"text": "w a b " * (n // 3)}
    return json.dumps([{"id": 7, "data": text, "annotations": [{"result": result}]}])


def mentions(n: int) -> str:
    return json.dumps({"id": "d", "mentions": [["loc", f"w{k} x"] for k in range(n // 3)]})


def eaf(n: int) -> str:
    slots = "".join(
        f'<TIME_SLOT TIME_SLOT_ID="t{k}" TIME_VALUE="{1000 * k}"/>\n' for k in range(n + 1)
    )
    words = "".join(
        f'<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a{k}" TIME_SLOT_REF1="t{k}" '
        f'TIME_SLOT_REF2="t{k + 1}"><ANNOTATION_VALUE>w{k}</ANNOTATION_VALUE>'
        "</ALIGNABLE_ANNOTATION></ANNOTATION>\n"
        for k in range(n)
    )
    return (
        '<?xml version="1.0"?>\n<ANNOTATION_DOCUMENT FORMAT="3.0">'
        '<HEADER TIME_UNITS="milliseconds"/>'
        f'<TIME_ORDER>{slots}</TIME_ORDER><TIER LINGUISTIC_TYPE_REF="l" TIER_ID="words">{words}'
        '</TIER><LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="l" TIME_ALIGNABLE="true"/>'
        "</ANNOTATION_DOCUMENT>"
    )


def rttm(n: int) -> str:
    return "".join(f"LEXEME d 1 {k} 0.5 w{k} lex ada 1\n" for k in range(n))


def recogniser(n: int) -> str:
    words = [{"text": f"w{k}", "start": 100 * k, "end": 100 * k + 50} for k in range(n)]
    return json.dumps({"id": "d", "audio_url": "a", "status": "completed", "words": words})


def slurp(n: int) -> str:
    return "".join(
        json.dumps({"file": f"{k}.flac", "entities": [{"type": "loc", "filler": f"w{k}"}]}) + "\n"
        for k in range(n // 3)
    )


def slue(n: int) -> str:
    head = "id\traw_text\tnormalized_text\traw_ner\tnormalized_ner\n"
    row = "d{0}\tw a b\tw a b\t[['LOC', 0, 1]]\t[['LOC', 0, 1]]\n"
    return head + "".join(row.format(k) for k in range(n // 3))


def written(format: str) -> Callable[[int], str]:
    """A function that writes a document in a format that sereval writes."""

    def write(n: int) -> str:
        elements = tuple(Element("loc", k, k + 1) for k in range(0, n, 3))
        times = tuple((1000 * k, 1000 * k + 500) for k in range(n))
        breaks = tuple(range(10, n, 10))
        words = tuple(f"w{k}" for k in range(n))
        document = Document("d", words, elements, times, breaks)
        text, *_ = FORMATS[format].write(document).files.values()
        return text

    return write


FILES: dict[str, Callable[[int], str]] = {
    "ne": inline,
    "sgml": lambda n: "".join(f'<ENAMEX TYPE="LOC">w{k}</ENAMEX> a b\n' for k in range(n // 3)),
    "iob": lambda n: "".join(
        f"w{k}\t{'OB'[k % 3 == 0]}{'-loc' * (k % 3 == 0)}\n" for k in range(n)
    ),
    "jsonl": native,
    "ann": brat,
    "offsets": offsets,
    "trs": transcriber,
    "TextGrid": textgrid,
    "ctm": lambda n: "".join(f"d 1 {k}.00 0.50 w{k}\n" for k in range(n)),
    "whisper": whisper,
    "vosk": vosk,
    "mfa": mfa,
    "aref": aref,
    "eaf": eaf,
    "kaldi": kaldi,
    "labelstudio": labelstudio,
    "mentions.jsonl": mentions,
    "rttm": rttm,
    "recogniser": recogniser,
    "slurp": slurp,
    "slue": slue,
    "stm": written("stm"),
    "seglst": written("seglst"),
    "vtt": written("webvtt"),
    "nlp": written("nlp"),
    "tokens": written("tokens"),
}
"""By suffix, the functions that write so many words."""


def measured(path: Path) -> float:
    """Seconds of processor time for reading a file."""
    begun = time.process_time()
    read(path)
    return time.process_time() - begun


def peak(path: Path) -> float:
    """Bytes of memory for each byte of a file, while it is read."""
    tracemalloc.start()
    read(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / path.stat().st_size


def main(n: int) -> None:
    """Print a line for each format."""
    measured_here = {next(files(f"d.{suffix}")).format for suffix in FILES}
    if left_out := sorted(set(FORMATS) - measured_here):
        sys.exit(f"no file of {', '.join(left_out)}, expected one of each format")
    with tempfile.TemporaryDirectory() as folder:
        for suffix, write in FILES.items():
            seconds = []
            for size in (n, 2 * n, 4 * n):
                path = Path(folder, f"d{size}.{suffix}")
                path.write_text(write(size), "utf-8")
                if suffix == "ann":
                    path.with_suffix(".txt").write_text("w a b " * (size // 3), "utf-8")
                seconds.append(min(measured(path) for _ in range(2)))
            ratios = " ".join(f"{b / a:5.2f}" for a, b in zip(seconds, seconds[1:], strict=False))
            smallest = Path(folder, f"d{n}.{suffix}")
            print(f"{suffix:14} {seconds[-1]:7.2f} s   ratios {ratios}   {peak(smallest):5.1f} B/B")


if __name__ == "__main__":
    main(int((*sys.argv, "30000")[1]))
