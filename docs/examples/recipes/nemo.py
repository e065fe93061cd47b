"""Predictions of NeMo's recipe ``speech_intent_slot`` in the form of SLURP, which sereval scores.

    python nemo.py MANIFEST.json > found.jsonl

Each line of the manifest that the recipe writes has ``audio_filepath`` and ``pred_text``: a
dictionary of Python as text, with ``|`` in place of commas. A text that is none counts as an answer
without entities; standard error says how many there are.
"""

import ast
import json
import os
import sys


def text_of(entity, key):
    """The text of an entity; NeMo's own evaluation takes ``none`` where there is none."""
    found = entity.get(key)
    return found if isinstance(found, str) else "none"


def entities(text):
    """The entities of an answer; ``None``: it cannot be read."""
    try:
        found = ast.literal_eval(text.replace("|", ",")).get("entities", [])
        return [{key: text_of(one, key) for key in ("type", "filler")} for one in found]
    except (SyntaxError, ValueError, TypeError, AttributeError):
        return None


unread = 0
with open(sys.argv[1], encoding="utf-8") as manifest:
    for line in manifest:
        row = json.loads(line)
        found = entities(row["pred_text"])
        unread += found is None
        name = os.path.basename(row["audio_filepath"])
        print(json.dumps({"file": name, "entities": found or []}, ensure_ascii=False))
print(f"{unread} answers that cannot be read", file=sys.stderr)
