"""Writes the files of tests/integrations/recipes with the packages whose recipes they come from.

    python tests/support/recipes.py espnet|nemo|speechbrain …

The packages are too large for the development environment; each function imports the one it needs.
README.md in that folder has the versions that wrote the files.
"""

import sys
from pathlib import Path

KEPT = Path(__file__).parents[1] / "integrations" / "recipes"

SPOKEN = (
    ("slurp_u1_1", "calendar_set SEP date FILL the friday SEP date FILL friday SEP remind me"),
    ("slurp_u1_1-headset", "calendar_set SEP remind me"),
    ("slurp_u2_2", "call_make SEP person FILL jo's SEP place home SEP call jo's home"),
)
"""What a model of the recipe slurp_entity recognised; one entity has no filler."""

MEANINGS = (
    "{'scenario': 'calendar'| 'action': 'set'| 'entities': [{'type': 'date'| 'filler': "
    "'the friday'}| {'type': 'date'| 'filler': 'friday'}]}",
    "{'scenario': 'calendar'| 'action': 'set'| 'entities': []}",
    "{'scenario': 'call'| 'action': 'make'| 'entities': [{'type': 'person'| 'filler': 'jo'}",
)
"""The texts that a model of NeMo or SpeechBrain gave for the same recordings; one is cut off."""


def espnet(folder):
    """What ESPnet's inference writes for each set: a file of texts."""
    from espnet2.fileio.datadir_writer import DatadirWriter

    with DatadirWriter(folder) as writer:
        for name, text in SPOKEN:
            writer["text"][name] = text


def speechbrain(folder):
    """What the recipes of SpeechBrain write: the file of word error rates."""
    from speechbrain.utils.metric_stats import ErrorRateStats

    said = {
        "show, 1": ("recevrons Benoît ici", "recevons Benoît Benoît"),
        "show-2": ("oui", ""),
        "show-3": ("vingt", "vingt <eps> ans"),
    }
    stats = ErrorRateStats()
    for name, (reference, recognised) in said.items():
        stats.append([name], [recognised.split()], [reference.split()])
    with open(folder / "wer.txt", "w", encoding="utf-8") as file:
        stats.write_stats(file)


def nemo(folder):
    """What NeMo's transcription writes: manifests, with and without times, and files of words."""
    from nemo.collections.asr.data.audio_to_ctm_dataset import ASRCTMPredictionWriter, FrameCtmUnit
    from nemo.collections.asr.parts.utils.manifest_utils import get_ctm_line, write_ctm
    from nemo.collections.asr.parts.utils.rnnt_utils import Hypothesis
    from nemo.collections.asr.parts.utils.transcribe_utils import write_transcription
    from omegaconf import OmegaConf

    def transcribed(name, found, audio, **options):
        asked = {
            "append_pred": False,
            "output_filename": str(folder / name),
            "audio_dir": "audio",
            "decoding": {"beam": {"return_best_hypothesis": True}},
        }
        write_transcription(found, OmegaConf.create(asked), "model", audio, **options)

    meanings = [f"slurp_real/audio-{name}.flac" for name in ("1", "1-headset", "2")]
    transcribed("meanings.json", list(MEANINGS), meanings)

    words = [("recevrons", 0, 4), ("Benoît", 4, 8), ("Magimel", 9, 12)]
    times = [
        {
            "word": word,
            "start_offset": start,
            "end_offset": end,
            "start": start * 0.08,
            "end": end * 0.08,
        }
        for word, start, end in words
    ]
    said = Hypothesis(0.0, [], text=" ".join(word for word, _, _ in words))
    said.timestamp = {"timestep": None, "word": times, "segment": []}
    silence = Hypothesis(0.0, [], text="")
    silence.timestamp = {"word": [], "segment": []}
    transcribed("words.json", [said, silence], ["show.wav", "silence.wav"], timestamps=True)

    units = [FrameCtmUnit(word, start, end - start, 0.93) for word, start, end in words]
    writer = ASRCTMPredictionWriter.__new__(ASRCTMPredictionWriter)
    writer.time_per_frame = 0.08
    writer.write_ctm("show", folder / "show.ctm", units)
    lines = [
        (
            start,
            get_ctm_line("show", 1, start * 0.08, (end - start) * 0.08, word, None, "lex", "ada"),
        )
        for word, start, end in words
    ]
    write_ctm(folder / "session.ctm", lines)


WRITERS = {"espnet": espnet, "nemo": nemo, "speechbrain": speechbrain}
"""The function that writes the files of a package, by the name of the package."""

if __name__ == "__main__":
    for package in sys.argv[1:]:
        (KEPT / package).mkdir(parents=True, exist_ok=True)
        WRITERS[package](KEPT / package)
