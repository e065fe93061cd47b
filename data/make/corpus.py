"""Shared by the scripts: reading the annotation sources, `.ne` lines and CTM files.

A source (text/<doc>.txt) is the text to be spoken, one sentence per line, with the
annotation in braces: `{type {component words} words}`.  `{a/b words}` is short for
`{a {b words}}`.  Lines that start with `# key: value` are settings (`voice` or `clips`).
Commas and full stops are there for the synthesiser and are not words of the reference.
"""

import re
import wave
from pathlib import Path

RATE = 16000
TYPES = """
pers.ind pers.coll loc.adm.town loc.adm.reg loc.adm.nat loc.adm.sup loc.phys.geo loc.phys.hydro
loc.phys.astro loc.add.phys org.ent org.adm amount time.date.abs time.date.rel time.hour.abs
time.hour.rel prod.object prod.art prod.media prod.fin prod.soft prod.award prod.serv prod.doctr
prod.rule func.ind func.coll
"""
COMPONENTS = """
name kind qualifier demonym val unit object range-mark name.last name.first name.middle title
address.number po-box zip-code other-address-component week day month year century millenium
reference-era time-modifier
"""
TYPES, COMPONENTS = set(TYPES.split()), set(COMPONENTS.split())
TAG = re.compile(r"</?([a-z][a-z.-]*)>$")
PIECE = re.compile(r"\{[^\s{}]+|\}|[^\s{}]+")


def read_source(path):
    """-> (settings, annotated lines) of one source file"""
    settings, lines = {}, []
    for line in Path(path).read_text(encoding="utf8").splitlines():
        if line.startswith("#"):
            key, _, value = line[1:].partition(":")
            settings[key.strip()] = value.strip()
        elif line.strip():
            lines.append(line)
    return settings, lines


def spoken(line):
    """the sentence as the synthesiser gets it: no annotation, punctuation kept"""
    return re.sub(r"\s+", " ", re.sub(r"\{\S+|\}", "", line)).strip()


def to_ne(line):
    """a source line -> a `.ne` line"""
    out, open_labels = [], []
    for piece in PIECE.findall(line):
        if piece.startswith("{"):
            chain = piece[1:].split("/")
            open_labels.append(chain)
            out += [f"<{label}>" for label in chain]
        elif piece == "}":
            out += [f"</{label}>" for label in reversed(open_labels.pop())]
        elif word := piece.strip(".,"):
            out.append(escape(word))
    if open_labels:
        raise ValueError(f"brace not closed: {line}")
    return " ".join(out)


def escape(word):
    return word.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def unescape(word):
    return word.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def ne_words(line):
    return [unescape(t) for t in line.split() if not TAG.match(t)]


def ne_elements(line):
    """-> (label, first word, end, depth) of every element; raises ValueError if unbalanced"""
    found, stack, n = [], [], 0
    for token in line.split():
        tag = TAG.match(token)
        if not tag:
            n += 1
        elif token.startswith("</"):
            if not stack or stack[-1][0] != tag[1]:
                raise ValueError(f"unexpected {token} in: {line}")
            label, start = stack.pop()
            found.append((label, start, n, len(stack) + 1))
        else:
            stack.append((tag[1], n))
    if stack:
        raise ValueError(f"not closed: {stack} in: {line}")
    return found


def write_spans(words, spans):
    """words and properly nested (start, end, label) spans -> a `.ne` line.

    Of two spans over the same words, the one that comes first in `spans` is outside.
    """
    order = sorted(enumerate(spans), key=lambda k: (k[1][0], -k[1][1], k[0]))
    out, stack = [], []
    for i in range(len(words) + 1):
        while stack and stack[-1][1] == i:
            out.append(f"</{stack.pop()[2]}>")
        while order and order[0][1][0] == i:
            stack.append(order.pop(0)[1])
            out.append(f"<{stack[-1][2]}>")
        if i < len(words):
            out.append(escape(words[i]))
    return " ".join(out)


def read_ctm(path):
    """-> [(start, duration, word)]"""
    rows = [line.split() for line in Path(path).read_text(encoding="utf8").splitlines()]
    return [(float(r[2]), float(r[3]), r[4]) for r in rows]


def ctm_lines(rows, pause=0.3):
    """The recogniser has no sentences: its words cut into lines where it heard a pause."""
    lines, end = [], None
    for start, duration, word in rows:
        if end is None or start - end >= pause:
            lines.append([])
        lines[-1].append(word)
        end = start + duration
    return lines


def read_wav(path):
    with wave.open(str(path)) as f:
        if (f.getframerate(), f.getnchannels(), f.getsampwidth()) != (RATE, 1, 2):
            raise ValueError(f"{path}: not 16 kHz, 16 bit, mono")
        return f.readframes(f.getnframes())


def write_wav(path, pcm):
    with wave.open(str(path), "wb") as f:
        f.setparams((1, 2, RATE, 0, "NONE", "not compressed"))
        f.writeframes(pcm)
