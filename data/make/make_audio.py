#!/usr/bin/env python3
"""One wav per document: make_audio.py TEXT_DIR CLIP_DIR WAV_DIR

A bulletin is spoken by flite sentence by sentence, `librivox` is its clips; half a second
of very quiet noise goes before, between and after (digital silence upsets the recogniser's
noise estimate).  clean/<doc>.wav is that; noisy/<doc>.wav has white noise on top, as many
decibels below the speech as the source's setting `noise` says (none: the same audio).
clean/<doc>.tsv holds start and end of each line, in seconds.
"""

import array
import random
import subprocess
import sys
import zlib
from pathlib import Path

from corpus import RATE, read_source, read_wav, spoken, write_wav

PAUSE = RATE // 2
FRAME = RATE // 100


def hush(rng):
    return array.array("h", (round(rng.gauss(0, 4)) for _ in range(PAUSE))).tobytes()


def add_noise(rng, pcm, decibels):
    samples = array.array("h", pcm)
    power = sum(x * x for x in samples) / len(samples)
    level = power**0.5 * 10 ** (-decibels / 20)
    noisy = (max(-32768, min(32767, round(x + rng.gauss(0, level)))) for x in samples)
    return array.array("h", noisy).tobytes()


def speak(voice, text, path):
    subprocess.run(["flite", "-voice", voice, "-t", text, "-o", str(path)], check=True)
    return read_wav(path)


def main(text_dir, clip_dir, wav_dir):
    clean, noisy = Path(wav_dir, "clean"), Path(wav_dir, "noisy")
    for folder in clean, noisy:
        folder.mkdir(parents=True, exist_ok=True)
    for source in sorted(Path(text_dir).glob("*.txt")):
        settings, lines = read_source(source)
        clips = settings.get("clips", "").split()
        rng = random.Random(zlib.crc32(source.stem.encode()))
        pcm, times = hush(rng), []
        for k, line in enumerate(lines):
            if clips:
                audio = read_wav(Path(clip_dir, clips[k] + ".wav"))
            else:
                audio = speak(settings["voice"], spoken(line), clean / "sentence.tmp")
            audio = audio[: len(audio) // (2 * FRAME) * 2 * FRAME]  # whole frames of 10 ms
            times.append((len(pcm) / 2 / RATE, (len(pcm) + len(audio)) / 2 / RATE))
            pcm += audio + hush(rng)
        write_wav(clean / f"{source.stem}.wav", pcm)
        (clean / f"{source.stem}.tsv").write_text(
            "".join(f"{start:.2f}\t{end:.2f}\n" for start, end in times)
        )
        if "noise" in settings:
            pcm = add_noise(rng, pcm, float(settings["noise"]))
        write_wav(noisy / f"{source.stem}.wav", pcm)
        print(f"{source.stem}: {len(pcm) / 2 / RATE:.1f} s")
    (clean / "sentence.tmp").unlink(missing_ok=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
