#!/bin/bash
# Rebuilds ref, align, asr, hyp and clip.ogg from make/text:  make/rebuild.sh DATA_DIR WORK_DIR
#
# Needed: the commands sereval, flite (2.2), oggenc, sox and npm/node (18 or newer); the LibriVox clips of
# the Debian package pocketsphinx-testdata (CLIPS says where, if not in its usual place);
# Python 3.11 or newer with the packages of make/requirements.txt (PYTHON says which python).
# WORK_DIR takes the wavs (some 40 MB) and node_modules.
set -euo pipefail
make=$(cd "$(dirname "$0")" && pwd)
data=$(cd "$1" && pwd)
mkdir -p "$2"
work=$(cd "$2" && pwd)
python=${PYTHON:-python3}
clips=${CLIPS:-/usr/share/pocketsphinx/test/data/librivox}

"$python" "$make/make_ref.py" "$make/text" "$data/ref"
"$python" "$make/make_audio.py" "$make/text" "$clips" "$work/wav"
"$python" "$make/align.py" "$work/wav/clean" "$data/ref" "$data/align"
"$python" "$make/recognise.py" "$work/wav/noisy" "$data/asr"

cp "$make/tag_compromise.mjs" "$work"
npm install --silent --prefix "$work" compromise@14.17.0
mkdir -p "$data"/hyp/{compromise,gazetteer}/{asr,manual}
for ref in "$data"/ref/*.ne; do
  doc=$(basename "$ref" .ne)
  for condition in manual asr; do
    words=$ref
    [ $condition = manual ] || words=$data/asr/$doc.ctm
    "$python" "$make/words.py" "$words" > "$work/words.txt"
    node "$work/tag_compromise.mjs" < "$work/words.txt" > "$data/hyp/compromise/$condition/$doc.ne"
    "$python" "$make/tag_gazetteer.py" < "$work/words.txt" > "$data/hyp/gazetteer/$condition/$doc.ne"
  done
done

sereval convert "$data/hyp/gazetteer/asr" - --to native | "$python" "$make/confidence.py" "$data/asr" \
  > "$data/hyp/gazetteer/confidence.jsonl"

# the clip: the first three sentences of one bulletin, as the recogniser heard them
sox "$work/wav/noisy/mandela.wav" "$work/clip.wav" trim 0 14.3
oggenc --quiet --quality 3 --serial 1 --output "$data/clip.ogg" "$work/clip.wav"

"$python" "$make/check.py" "$data"
"$python" "$make/stats.py" "$data"
