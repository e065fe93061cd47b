"""The messages of sereval, as its modules write them, for the page that lists them.

A message is what a module passes on with an error, or prints as a warning or a note. The list is
read off the code, so no message is missing and none is left over. A value that is known only when
the program runs stands in it as ‹name›, or as … if it has no simple name.
"""

import ast
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import NamedTuple

import sereval

PACKAGE = Path(sereval.__file__).parent
ERRORS = {"SerevalError", "InputError", "CrossingError", "TypeError", "OSError"}
USAGE = {"UsageError", "BadParameter", "BadArgumentUsage", "UsageFault", "fail"}
MAKERS = {"error", "wrong", "fault", "refusal", "_difference", "_mismatch", "_refusal"}
PRINTERS = {"warn", "Note", "Step"}
UNTOLD = {"integrations", "report", "schemes"}
"""Folders whose other texts are no messages: headings, descriptions, parts of a page."""

SPECIAL = "\\`*_[]"
FIXED = re.compile(r"(?<![‹\w])[^\W\d_]{2,}(?!\w*›)")
"""A word of a message that is always in it."""

TITLES = {
    "errors": "Files that cannot be read",
    "formats": "Reading and writing files",
    "documents": "Documents and elements",
    "labels": "Labels, maps and grammars",
    "alignment": "Alignment and normalisation of words",
    "corpus": "Pairing documents, processes, clusters",
    "projection": "Projection",
    "mapping": "Mapping",
    "measures": "Counts and rates",
    "evaluation": "Scoring",
    "schemes": "Schemes and measures",
    "templates": "Templates",
    "analysis": "Analyses",
    "runs": "Runs",
    "integrations": "Integrations",
    "report": "Reports",
    "cli": "Command line",
}
"""The folders of the package as the page names them, in its order."""


class Message(NamedTuple):
    """A message.

    Args:
        module: its module, such as ``formats.ctm``.
        text: the message, with a place for each value.
        status: the exit status of a command that prints it.
    """

    module: str
    text: str
    status: int


def messages() -> list[Message]:
    """All messages of the package, in the order of the page; each once in a module."""
    found: dict[Message, None] = {}
    for folder in TITLES:
        for path in sorted([*PACKAGE.glob(f"{folder}.py"), *(PACKAGE / folder).rglob("*.py")]):
            module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
            tree = ast.parse(path.read_text("utf-8"))
            told = {one: None for node in in_order(tree) for one in of_node(node, folder)}
            for text, status in told:
                found[Message(module.removesuffix(".__init__"), text, status)] = None
    return list(found)


def in_order(tree: ast.Module) -> list[ast.AST]:
    """What may hold a message, from the first line of a module to its last."""
    kinds = (ast.Call, ast.Return, ast.Assign, ast.Yield, ast.Dict, ast.Tuple)
    nodes = [node for node in ast.walk(tree) if isinstance(node, kinds)]
    return sorted(nodes, key=lambda node: (node.lineno, node.col_offset))


def of_node(node: ast.AST, folder: str) -> Iterator[tuple[str, int]]:
    """The messages of a statement or call, each with its status: two if a condition chooses."""
    if isinstance(node, ast.Call):
        name = last_name(node.func)
        status = 2 if name in USAGE else 0 if name in PRINTERS else 1
        is_error = name in ERRORS | USAGE | MAKERS
        parts = node.args[:1] if is_error else node.args if name in PRINTERS else []
        least = 2
    else:
        status, least = 0, 2 if folder == "labels" else 4
        parts = [] if folder in UNTOLD else told(node)
    for text in (" ".join(text.split()) for part in parts for text in texts(part)):
        is_whole = text[:1] not in {",", ";"} and '="' not in text and not text.startswith("http")
        if is_whole and len(FIXED.findall(text)) >= least:
            yield text, status


def told(node: ast.AST) -> list[ast.expr]:
    """The expressions in a node that may be the text of a note."""
    if isinstance(node, ast.Dict):
        return [one for one in (*node.keys, *node.values) if one is not None]
    if isinstance(node, ast.Tuple):
        return [one for one in node.elts if isinstance(one, ast.JoinedStr)]
    value = getattr(node, "value", None)
    return [] if value is None else [value]


def last_name(node: ast.expr) -> str:
    """The last name of a dotted name."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def texts(node: ast.expr) -> list[str]:
    """The texts that an expression may be, with a place for each value."""
    if isinstance(node, ast.Constant):
        return [str(node.value)]
    if isinstance(node, ast.JoinedStr):
        return ["".join(map(part, node.values))]
    if isinstance(node, ast.IfExp):
        return [*texts(node.body), *texts(node.orelse)]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [a + b for a in texts(node.left) for b in texts(node.right)]
    if isinstance(node, ast.Call) and last_name(node.func) == "one_line":
        return texts(node.args[0])
    return [place_of(node)]


def part(node: ast.expr) -> str:
    """A part of a formatted text."""
    return place_of(node.value) if isinstance(node, ast.FormattedValue) else texts(node)[0]


def place_of(node: ast.expr) -> str:
    """The place of a value: its name, if it has a simple one."""
    name = last_name(node)
    if isinstance(node, ast.Call) and last_name(node.func) in {"quote", "one_line", "repr"}:
        return place_of(node.args[0])
    return f"‹{name.strip('_').replace('_', ' ')}›" if name and name != name.upper() else "…"


def as_markdown() -> str:
    """The messages in a list for each module, under the titles of their folders."""
    lines: list[str] = []
    folder = module = ""
    for one in messages():
        if one.module.partition(".")[0] != folder:
            folder = one.module.partition(".")[0]
            lines += ["", f"## {TITLES[folder]}"]
        if one.module != module:
            module = one.module
            lines += ["", f"### `{module}`", ""]
        lines.append(f"* {escaped(one.text)}{' *(usage)*' if one.status == 2 else ''}")
    return "\n".join(lines).strip()


def escaped(text: str) -> str:
    """A text without marks of Markdown and HTML."""
    return escape("".join(f"\\{c}" if c in SPECIAL else c for c in text), quote=False)
