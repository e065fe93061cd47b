"""The words that NeMo recognised in sereval's own format, with their times if it wrote them.

    python nemo_words.py MANIFEST.json > words.jsonl

Each line of the manifest that ``transcribe_speech.py`` writes has ``audio_filepath`` and
``pred_text``; with ``timestamps=True`` also ``word``, a list of words with their times in seconds.
The name of the audio without suffix is the id.
"""

import json
import os
import sys

with open(sys.argv[1], encoding="utf-8") as manifest:
    for line in manifest:
        row = json.loads(line)
        name, _ = os.path.splitext(os.path.basename(row["audio_filepath"]))
        document = {"id": name, "words": row["pred_text"].split()}
        if "word" in row:
            document["words"] = [one["word"] for one in row["word"]]
            document["times"] = [[one["start"], one["end"]] for one in row["word"]]
        print(json.dumps(document, ensure_ascii=False))
