#!/usr/bin/env python3
"""Force-align the reference: align.py WAV_DIR REF_DIR TEXTGRID_DIR

Line by line with pocketsphinx, first its words, then the phones of those words.  Words
that its dictionary lacks are in extra.dict.  Written as Praat TextGrids (long text) with
the tiers `words` and `phones`; silence is the empty label.
"""

import sys
import tempfile
from pathlib import Path

from corpus import RATE, ne_words, read_wav
from pocketsphinx import Decoder, get_model_path

MARGIN = 10  # frames of pause kept at both ends


def make_decoder():
    entries = Path(get_model_path("en-us/cmudict-en-us.dict")).read_text(encoding="utf8")
    extra = Path(__file__).with_name("extra.dict").read_text(encoding="utf8")
    with tempfile.NamedTemporaryFile("w", suffix=".dict") as f:
        f.write(entries + extra)
        f.flush()
        return Decoder(
            dict=f.name,
            lm=None,
            samprate=RATE,
            loglevel="FATAL",
            bestpath=False,
            beam=1e-100,
            pbeam=1e-100,
            wbeam=1e-80,
        )


def run(decoder, pcm):
    decoder.start_utt()
    decoder.process_raw(pcm, full_utt=True)
    decoder.end_utt()


def align_line(decoder, pcm, words, shift):
    """-> word intervals, phone intervals (start frame, end frame, label)"""
    decoder.set_align_text(" ".join(words).lower())
    run(decoder, pcm)
    if decoder.hyp() is None:
        raise RuntimeError(f"no alignment for {' '.join(words)}")
    decoder.set_alignment()
    run(decoder, pcm)
    # an entry is valid only while the iteration stands on it
    aligned = [
        (w.name.split("(")[0], w.start, w.start + w.duration, [(p.start, p.name) for p in w])
        for w in decoder.get_alignment()
        if not w.name.startswith(("<", "["))
    ]
    if [a[0] for a in aligned] != [w.lower() for w in words]:
        raise RuntimeError(f"other words aligned for {' '.join(words)}")
    word_tier, phone_tier = [], []
    for word, (_, start, stop, phones) in zip(words, aligned, strict=True):
        starts = [start] + [at for at, _ in phones[1:]] + [stop]
        word_tier.append((shift + start, shift + stop, word))
        phone_tier += [
            (shift + a, shift + b, name)
            for a, b, (_, name) in zip(starts, starts[1:], phones, strict=False)
        ]
    return word_tier, phone_tier


def tiled(intervals, end):
    """the intervals with the empty label put in between"""
    at = 0
    for start, stop, label in intervals:
        if start > at:
            yield at, start, ""
        yield start, stop, label
        at = stop
    if end > at:
        yield at, end, ""


def textgrid(tiers, end):
    out = [
        'File type = "ooTextFile"',
        'Object class = "TextGrid"',
        "",
        "xmin = 0",
        f"xmax = {end / 100:g}",
        "tiers? <exists>",
        f"size = {len(tiers)}",
        "item []:",
    ]
    for k, (name, intervals) in enumerate(tiers, 1):
        rows = list(tiled(intervals, end))
        out += [
            f" item [{k}]:",
            '  class = "IntervalTier"',
            f'  name = "{name}"',
            "  xmin = 0",
            f"  xmax = {end / 100:g}",
            f"  intervals: size = {len(rows)}",
        ]
        for n, (start, stop, label) in enumerate(rows, 1):
            out += [
                f"  intervals [{n}]:",
                f"   xmin = {start / 100:g}",
                f"   xmax = {stop / 100:g}",
                f'   text = "{label}"',
            ]
    return "\n".join(out) + "\n"


def main(wav_dir, ref_dir, grid_dir):
    Path(grid_dir).mkdir(parents=True, exist_ok=True)
    decoder = make_decoder()
    for ref in sorted(Path(ref_dir).glob("*.ne")):
        pcm = read_wav(Path(wav_dir, ref.stem + ".wav"))
        frame = RATE // 100 * 2  # bytes in 10 ms
        times = Path(wav_dir, ref.stem + ".tsv").read_text().splitlines()
        words, phones = [], []
        for span, line in zip(times, ref.read_text(encoding="utf8").splitlines(), strict=True):
            first, last = (round(float(t) * 100) for t in span.split("\t"))
            first, last = first - MARGIN, last + MARGIN
            w, p = align_line(decoder, pcm[first * frame : last * frame], ne_words(line), first)
            words, phones = words + w, phones + p
        grid = textgrid([("words", words), ("phones", phones)], len(pcm) // frame)
        Path(grid_dir, ref.stem + ".TextGrid").write_text(grid, encoding="utf8")
        print(f"{ref.stem}: {len(words)} words, {len(phones)} phones aligned")


if __name__ == "__main__":
    main(*sys.argv[1:])
