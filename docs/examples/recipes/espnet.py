"""Predictions of ESPnet's recipe ``slurp_entity`` in the form of SLURP, which sereval scores.

    python espnet.py text > found.jsonl

Each line of ``text``, which ESPnet's inference writes, has the name of an utterance and what was
recognised: ``SCENARIO_ACTION SEP TYPE FILL WORDS SEP … SEP WORDS``. Entities stand between the
first and the last ``SEP``. What stands there in another form is no entity; standard error says how
often.
"""

import json
import sys


def parts(words, mark):
    """The words between the marks, with blanks between the words."""
    found = [[]]
    for word in words:
        if word == mark:
            found.append([])
        else:
            found[-1].append(word)
    return [" ".join(part) for part in found]


unread = 0
with open(sys.argv[1], encoding="utf-8") as texts:
    for line in texts:
        utterance, *words = line.split()
        intent, *others = parts(words, "SEP")
        scenario, _, action = intent.partition("_")
        found = [parts(part.split(), "FILL") for part in others[:-1]]
        entities = [{"type": one[0], "filler": one[1]} for one in found if len(one) == 2]
        unread += len(found) - len(entities)
        name = f"audio-{utterance.rpartition('_')[2]}.flac"
        row = {"scenario": scenario, "action": action, "entities": entities, "file": name}
        print(json.dumps(row, ensure_ascii=False))
print(f"{unread} entities that cannot be read", file=sys.stderr)
