#!/usr/bin/env python3
"""Gives elements on the recogniser's words a confidence: native JSON in and out, the CTMs' folder.

The taggers only find or do not find; what is uncertain is whether the words were said. An element
is as sure as the least sure of its words, by the recogniser's own confidences in the CTM.
"""

import json
import sys
from pathlib import Path

for line in sys.stdin:
    document = json.loads(line)
    rows = Path(sys.argv[1], f"{document['id']}.ctm").read_text("utf-8").splitlines()
    sure = [float(row.split()[5]) for row in rows]
    for element in document["elements"]:
        element["confidence"] = min(sure[element["start"] : element["end"]])
    print(json.dumps(document, separators=(",", ":")))
