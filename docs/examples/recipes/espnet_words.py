"""The words that ESPnet or Kaldi recognised in sereval's own format.

    python espnet_words.py text > words.jsonl

Each line of ``text`` has the name of an utterance and its words. They have no times.
"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as texts:
    for line in texts:
        utterance, *words = line.split()
        print(json.dumps({"id": utterance, "words": words}, ensure_ascii=False))
