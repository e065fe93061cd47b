"""The words that a recipe of SpeechBrain recognised in sereval's own format.

    python speechbrain_words.py wer.txt > words.jsonl

The recipe writes three lines for each utterance below its name: the words of the reference, the
edits and the recognised words, with `` ; `` between them. The words have no times.
"""

import json
import sys

BETWEEN = "=" * 80

with open(sys.argv[1], encoding="utf-8") as report:
    lines = report.read().split("\n")
for k, line in enumerate(lines):
    name, is_header, _ = line.rpartition(", %WER ")
    if not is_header or lines[k - 1] != BETWEEN:
        continue
    edits, words = (row.split(" ; ") for row in lines[k + 2 : k + 4])
    if len(edits) != len(words):
        sys.exit(
            f"line {k + 4}: {len(words)} words for {len(edits)} edits; is there ' ; ' in a word?"
        )
    pairs = zip(map(str.strip, edits), map(str.strip, words), strict=True)
    found = [word for edit, word in pairs if edit not in ("", "D")]
    print(json.dumps({"id": name, "words": found}, ensure_ascii=False))
