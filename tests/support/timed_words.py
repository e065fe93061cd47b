"""The same timed words in every format that has times, written as other programs write them."""

import csv
import html
import io
import json

WORDS = ("item", "[", '"', "</a>", "l'", "B-LOC", "&lt;", "été")
TIMES = tuple((500 * k, 500 * k + 250) for k in range(len(WORDS)))


def as_ctm():
    rows = zip(WORDS, TIMES, strict=True)
    return "".join(f"d 1 {start / 1000} 0.25 {word}\n" for word, (start, _) in rows)


def as_textgrid(is_short):
    marks = [
        (f"{start / 1000}", f"{end / 1000}", '"' + word.replace('"', '""') + '"')
        for word, (start, end) in zip(WORDS, TIMES, strict=True)
    ]
    if is_short:
        rows = "\n".join("\n".join(mark) for mark in marks)
        return (
            'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n9\n<exists>\n1\n'
            f'"IntervalTier"\n"words"\n0\n9\n{len(marks)}\n{rows}\n'
        )
    rows = "\n".join(
        f"intervals [{k}]:\n xmin = {start} \n xmax = {end} \n text = {text} "
        for k, (start, end, text) in enumerate(marks, 1)
    )
    return (
        'File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0 \nxmax = 9 \n'
        "tiers? <exists> \nsize = 1 \nitem []: \nitem [1]:\n"
        'class = "IntervalTier" \nname = "words" \nxmin = 0 \nxmax = 9 \n'
        f"intervals: size = {len(marks)} \n{rows}\n"
    )


def as_rttm():
    rows = zip(WORDS, TIMES, strict=True)
    return "".join(f"LEXEME d 1 {a / 1000} 0.25 {word} lex ada 1\n" for word, (a, _) in rows)


def as_subtitles():
    """Words in one cue of WebVTT, with marks of time where they begin and end."""
    rows = zip(WORDS, TIMES, strict=True)
    words = (f"<00:0{a / 1000:.3f}>{html.escape(w)}<00:0{b / 1000:.3f}>" for w, (a, b) in rows)
    return f"WEBVTT\n\n00:00.000 --> 00:09.000\n{' '.join(words)}\n"


def as_nlp():
    rows = zip(WORDS, TIMES, strict=True)
    words = "".join(f"{w}|1|{a / 1000}|{b / 1000}||LC|[]|[]\n" for w, (a, b) in rows)
    return f"token|speaker|ts|endTs|punctuation|case|tags|wer_tags\n{words}"


def as_whisper():
    """Words as Whisper writes them, with a space before each."""
    rows = zip(WORDS, TIMES, strict=True)
    words = [{"word": f" {w}", "start": a / 1000, "end": b / 1000} for w, (a, b) in rows]
    return json.dumps({"text": "", "segments": [{"id": 0, "words": words}]})


def as_vosk():
    """Words as Vosk writes them, a result each."""
    rows = zip(WORDS, TIMES, strict=True)
    words = [{"conf": 1.0, "start": a / 1000, "end": b / 1000, "word": w} for w, (a, b) in rows]
    return "".join(json.dumps({"result": [word], "text": word["word"]}) for word in words)


def as_recogniser():
    """Words as AssemblyAI writes them, in whole milliseconds."""
    words = [{"text": w, "start": a, "end": b} for w, (a, b) in zip(WORDS, TIMES, strict=True)]
    return json.dumps({"audio_url": "d", "status": "completed", "words": words})


def as_mfa(is_json):
    """Words as the Montreal Forced Aligner writes them, with silence and phones."""
    entries = [[a / 1000, b / 1000, w] for w, (a, b) in zip(WORDS, TIMES, strict=True)]
    if is_json:
        tiers = {"words": {"type": "interval", "entries": [[0.25, 0.5, "<eps>"], *entries]}}
        return json.dumps({"start": 0, "end": 9, "tiers": tiers})
    file = io.StringIO()
    rows = [[*entry, kind, "x"] for kind in ("words", "phones") for entry in entries]
    csv.writer(file).writerows([["Begin", "End", "Label", "Type", "Speaker"], *rows])
    return file.getvalue()


def as_eaf():
    """Words as ELAN writes them, each between two slots of its own."""
    slots, words = [], []
    for k, (word, times) in enumerate(zip(WORDS, TIMES, strict=True)):
        for side, ms in zip("ab", times, strict=True):
            slots.append(f'<TIME_SLOT TIME_SLOT_ID="{side}{k}" TIME_VALUE="{ms}"/>')
        words.append(
            f'<ANNOTATION><ALIGNABLE_ANNOTATION TIME_SLOT_REF1="a{k}" TIME_SLOT_REF2="b{k}">\n'
            f"<ANNOTATION_VALUE>{html.escape(word)}</ANNOTATION_VALUE>\n"
            "</ALIGNABLE_ANNOTATION></ANNOTATION>"
        )
    return (
        f"<ANNOTATION_DOCUMENT><TIME_ORDER>{''.join(slots)}</TIME_ORDER>\n"
        f'<TIER TIER_ID="words">{"".join(words)}</TIER></ANNOTATION_DOCUMENT>'
    )
