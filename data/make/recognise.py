#!/usr/bin/env python3
"""Recognise the wavs with pocketsphinx and its own models: recognise.py WAV_DIR CTM_DIR

The audio is cut into utterances by pocketsphinx's voice activity detector, not by the
reference lines.  Pronunciation numbers, fillers and the dots of abbreviations are dropped
from the words; nothing else is changed.
"""

import re
import sys
from pathlib import Path

from corpus import RATE
from pocketsphinx import Decoder, Segmenter

FILLER = re.compile(r"<.*>|\[.*\]|\+\+.*\+\+")


def recognise(decoder, wav):
    """-> (start, duration, word, posterior) of every word"""
    with open(wav, "rb") as stream:
        stream.seek(44)  # the header of a plain wav
        for utterance in Segmenter(sample_rate=RATE).segment(stream):
            decoder.start_utt()
            decoder.process_raw(utterance.pcm, full_utt=True)
            decoder.end_utt()
            for s in decoder.seg() or []:
                word = re.sub(r"\(\d+\)$", "", s.word).replace(".", "")
                if not FILLER.fullmatch(s.word):
                    yield (
                        utterance.start_time + s.start_frame / 100,
                        (s.end_frame - s.start_frame + 1) / 100,
                        word,
                        min(1, s.prob),
                    )


def main(wav_dir, ctm_dir):
    Path(ctm_dir).mkdir(parents=True, exist_ok=True)
    for wav in sorted(Path(wav_dir).glob("*.wav")):
        decoder = Decoder(samprate=RATE, loglevel="FATAL")
        rows = [
            f"{wav.stem} 1 {start:.2f} {duration:.2f} {word} {conf:.3f}"
            for start, duration, word, conf in recognise(decoder, wav)
        ]
        Path(ctm_dir, wav.stem + ".ctm").write_text("\n".join(rows) + "\n", encoding="utf8")
        print(f"{wav.stem}: {len(rows)} words")


if __name__ == "__main__":
    main(*sys.argv[1:])
