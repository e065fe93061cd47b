"""How the time and the memory of each reader grow with the file: documents of n, 2 n and 4 n words.

``python bench/growth.py [N]`` prints, for each format, seconds of processor time, the ratio to the
half as long document, which is 2 where time is linear, and bytes of memory for each byte of the
file at its peak. Every third word is an element where the format has any.
"""

from __future__ import annotations

import io
import json
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from sereval import Document, Element, read
from sereval.formats import FORMATS, build, files


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


def ace(n: int) -> str:
    mention = (
        '<entity TYPE="loc"><entity_mention TYPE="NAM"><extent>'
        '<charseq START="{0}" END="{0}">w</charseq></extent></entity_mention></entity>\n'
    )
    entities = "".join(mention.format(6 * k) for k in range(n // 3))
    return f'<source_file><document DOCID="d">{entities}</document></source_file>'


def answers(n: int) -> str:
    return json.dumps({"id": "d", "answer": "".join(f"loc: w{k} x\n" for k in range(n // 3))})


def exb(n: int) -> str:
    points = "".join(f'<tli id="T{k}" time="{k}"/>' for k in range(n + 1))
    events = "".join(f'<event start="T{k}" end="T{k + 1}">w{k} </event>\n' for k in range(n))
    return (
        f"<basic-transcription><head/><basic-body><common-timeline>{points}</common-timeline>"
        f'<tier id="words" type="t">{events}</tier></basic-body></basic-transcription>'
    )


def media(n: int) -> str:
    turns = "".join(
        f'<turn speaker="spk" startTime="{k}" endTime="{k + 1}">'
        '<semAnnotation withContext="false">'
        '<sem concept="loc" specif="null"><transcription>w</transcription></sem>'
        '<sem concept="null" specif="null"><transcription>a b</transcription></sem>'
        "</semAnnotation></turn>\n"
        for k in range(n // 3)
    )
    return f'<media><dialogue id="d">{turns}</dialogue></media>'


def webanno(n: int) -> str:
    layer = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
    rows = (
        f"#Text=w a b\n{k + 1}-1\t{6 * k}-{6 * k + 1}\tw\tloc\t\n"
        f"{k + 1}-2\t{6 * k + 2}-{6 * k + 3}\ta\t_\t\n"
        f"{k + 1}-3\t{6 * k + 4}-{6 * k + 5}\tb\t_\t\n\n"
        for k in range(n // 3)
    )
    return f"#FORMAT=WebAnno TSV 3.3\n#T_SP={layer}|value\n\n\n{''.join(rows)}"


def xmi(n: int) -> str:
    spaces = "http:///de/tudarmstadt/ukp/dkpro/core/api"
    nodes = "".join(
        f'<token:Token sofa="1" begin="{6 * k + start}" end="{6 * k + start + 1}"/>'
        for k in range(n // 3)
        for start in (0, 2, 4)
    ) + "".join(
        f'<ner:NamedEntity sofa="1" begin="{6 * k}" end="{6 * k + 1}" value="loc"/>\n'
        for k in range(n // 3)
    )
    return (
        '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" '
        f'xmlns:token="{spaces}/segmentation/type.ecore" xmlns:ner="{spaces}/ner/type.ecore">'
        f'{nodes}<cas:Sofa xmi:id="1" sofaString="{text(n)}"/></xmi:XMI>'
    )


def text(n: int) -> str:
    """The words of formats whose elements stand beside a text."""
    return "w a b " * (n // 3)


def parquet(n: int) -> bytes:
    """A data set of Hugging Face, of one row."""
    import pyarrow  # an extra
    from pyarrow import parquet as files_of

    words, out = [f"w{k}" for k in range(n)], io.BytesIO()
    tags = ["B-LOC" if k % 3 == 0 else "O" for k in range(n)]
    files_of.write_table(pyarrow.table({"tokens": [words], "ner_tags": [tags]}), out)
    return out.getvalue()


def written(format: str) -> Callable[[int], str | bytes]:
    """A function that writes a document in a format that sereval writes."""

    def write(n: int) -> str | bytes:
        elements = tuple(Element("loc", k, k + 1) for k in range(0, n, 3))
        times = tuple((1000 * k, 1000 * k + 500) for k in range(n))
        breaks = tuple(range(10, n, 10))
        words = tuple(f"w{k}" for k in range(n))
        document = Document("d", words, elements, times, breaks)
        content, *_ = build.written(document, format).files.values()
        return content

    return write


FILES: dict[str, Callable[[int], str | bytes]] = {
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
    "trn": lambda n: " ".join(f"w{k}" for k in range(n)) + " (d-1)\n",
    "kalditext": lambda n: "d-1 " + " ".join(f"w{k}" for k in range(n)) + "\n",
    "csv": lambda n: f"id,text\nd,{text(n)}\n",
    "manifest": lambda n: f'{{"audio_filepath": "d.wav", "duration": {n}, "text": "{text(n)}"}}\n',
    "lines": lambda n: f"{text(n)}\n",
    "parquet": parquet,
    "recogniser": recogniser,
    "slurp": slurp,
    "slue": slue,
    "stm": written("stm"),
    "seglst": written("seglst"),
    "vtt": written("webvtt"),
    "nlp": lambda n: "".join(
        ["token|ts|endTs|tags\n", *(f"w{k}|{k}|{k}.5|['{k}:LOC']\n" for k in range(n))]
    ),
    "tokens": written("tokens"),
    "srt": written("subrip"),
    "spacy": written("docbin"),
    "apf.xml": ace,
    "answers.jsonl": answers,
    "exb": exb,
    "media": media,
    "webanno": webanno,
    "xmi": xmi,
}
"""By suffix, the functions that write so many words."""

BESIDE: dict[str, tuple[str, Callable[[int], str]]] = {
    "ann": ("txt", text),
    "apf.xml": ("sgm", lambda n: f"<TEXT>{text(n)}</TEXT>"),
}
"""By suffix, the suffix of the file beside it and what that file holds."""


def left_out() -> list[str]:
    """The formats that no file here has."""
    return sorted(set(FORMATS) - {next(files(f"d.{suffix}")).format for suffix in FILES})


def store(folder: Path, suffix: str, n: int) -> Path:
    """Write a file of so many words, and the file beside it if the format has two.

    Args:
        folder: where the files go.
        suffix: one of ``FILES``.
        n: the number of words.

    Returns:
        The path of the file.
    """
    path = folder / f"d{n}.{suffix}"
    content = FILES[suffix](n)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    if suffix in BESIDE:
        other, write = BESIDE[suffix]
        (folder / f"d{n}.{other}").write_text(write(n), "utf-8")
    return path


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
    if missing := left_out():
        sys.exit(f"no file of {', '.join(missing)}, expected one of each format")
    with tempfile.TemporaryDirectory() as folder:
        for suffix in FILES:
            paths = [store(Path(folder), suffix, size) for size in (n, 2 * n, 4 * n)]
            seconds = [min(measured(path) for _ in range(2)) for path in paths]
            ratios = " ".join(f"{b / a:5.2f}" for a, b in zip(seconds, seconds[1:], strict=False))
            print(f"{suffix:14} {seconds[-1]:7.2f} s   ratios {ratios}   {peak(paths[0]):5.1f} B/B")


if __name__ == "__main__":
    main(int((*sys.argv, "30000")[1]))
