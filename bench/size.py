"""Counts what the project consists of, beside the counts of an earlier state.

Tokens are names, operators, numbers and strings outside docstrings, so that packing lines or
dropping comments gains nothing.

    python bench/size.py            # a table: now, and the difference from bench/size.json
    python bench/size.py --write    # keep the counts of now in bench/size.json
"""

from __future__ import annotations

import ast
import json
import sys
import tokenize
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "bench" / "size.json"
KINDS = ("tokens", "lines", "modules", "definitions", "words")
_COUNTED = (tokenize.NAME, tokenize.OP, tokenize.NUMBER, tokenize.STRING)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def of_module(path: Path) -> Counter[str]:
    """The counts of a module; lines are those with a token that counts."""
    nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
    inside = {  # the lines of strings that are statements: docstrings and comments on names
        line
        for node in nodes
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or 0) + 1)
    }
    with path.open("rb") as file:
        tokens = [
            token
            for token in tokenize.tokenize(file.readline)
            if token.type in _COUNTED and token.start[0] not in inside
        ]
    lines = {line for one in tokens for line in range(one.start[0], one.end[0] + 1)}
    definitions = sum(isinstance(node, _DEFINITIONS) for node in nodes)
    return Counter(tokens=len(tokens), lines=len(lines), modules=1, definitions=definitions)


def of_project() -> dict[str, Counter[str]]:
    """The counts of each folder of the package and the tests, and the words of the docs."""
    found: dict[str, Counter[str]] = {}
    for top in ("sereval", "tests"):
        for path in sorted((ROOT / top).rglob("*.py")):
            folder = "/".join(path.relative_to(ROOT).parts[:-1][:2])
            for name in {top, folder}:
                found.setdefault(name, Counter()).update(of_module(path))
    pages = {"docs": (ROOT / "docs").rglob("*.md"), "*.md": ROOT.glob("*.md")}
    for name, paths in pages.items():
        texts = [path.read_text("utf-8") for path in paths]
        found[name] = Counter(words=sum(len(text.split()) for text in texts), modules=len(texts))
    return dict(sorted(found.items()))


def main() -> None:
    """Print the table, or keep the counts."""
    now = of_project()
    if sys.argv[1:] == ["--write"]:
        rows = (f"{json.dumps(name)}: {json.dumps(counts)}" for name, counts in now.items())
        KEPT.write_text("{\n" + ",\n".join(rows) + "\n}\n", "utf-8")
        return
    before = json.loads(KEPT.read_text("utf-8"))
    print(f"{'':24}" + "".join(f"{kind:>20}" for kind in KINDS))
    for name in sorted({*now, *before}):
        cells = []
        for kind in KINDS:
            count = now.get(name, {}).get(kind, 0)
            change = count - before.get(name, {}).get(kind, 0)
            cells.append(
                f"{count:,}" + (f" ({change:+,})" if change else "") if count or change else ""
            )
        print(f"{name:24}" + "".join(f"{cell:>20}" for cell in cells))


if __name__ == "__main__":
    main()
