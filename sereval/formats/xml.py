"""Read XML with Python's expat; no entity is declared, expanded or fetched."""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.parsers import expat

from ..errors import InputError
from .file import quote

REFUSED, NAMED = "refused", "named"

_DEEPEST = 50


@dataclass(slots=True)
class XmlNode:
    """An element of XML: its children and the text between them, in order."""

    name: str
    attributes: dict[str, str]
    line: int
    content: list[XmlNode | str] = field(default_factory=list)

    @property
    def children(self) -> list[XmlNode]:
        return [part for part in self.content if isinstance(part, XmlNode)]

    @property
    def text(self) -> str:
        return "".join(part for part in self.content if isinstance(part, str)).strip()

    def attribute(self, name: str) -> str:
        if name not in self.attributes:
            raise wrong(self, f"no {name} in <{self.name}>")
        return self.attributes[name]

    def all(self, name: str) -> list[XmlNode]:
        """The children of a name; others are ignored."""
        return [child for child in self.children if child.name == name]

    def only(self, *names: str) -> list[XmlNode]:
        """The children; children with other names, and text between them, are refused."""
        if self.text:
            raise wrong(self, f"text {quote(self.text)} in <{self.name}>, expected none")
        for child in self.children:
            if child.name not in names:
                expected = " or ".join(f"<{name}>" for name in names)
                raise wrong(child, f"<{child.name}> in <{self.name}>, expected {expected}")
        return self.children

    def one(self, name: str) -> XmlNode:
        """The only child of a name; another number of them is refused."""
        children = self.all(name)
        if len(children) != 1:
            raise wrong(self, f"{len(children)} <{name}> in <{self.name}>, expected one")
        return children[0]


def wrong(node: XmlNode, message: str) -> InputError:
    """An error with the line of an element; the caller raises it."""
    return InputError(message, line=node.line)


def root_of(text: str, doctype: str = REFUSED) -> XmlNode:
    """The root element of an XML document.

    Args:
        text: the document.
        doctype: ``REFUSED`` refuses a document type; ``NAMED`` allows one that names a DTD, which
            is not read.

    Raises:
        InputError: an error with a line and no path: a text that is not XML; a document type, or
            declarations in it; an entity that XML does not define.

    >>> root_of('<a><b c="1"/>x</a>').children[0].attribute("c")
    '1'
    """
    parser = expat.ParserCreate()
    top = XmlNode("", {}, 1)
    path = [top]

    def here(message: str) -> InputError:
        return InputError(message, line=parser.CurrentLineNumber)

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(path) > _DEEPEST:
            raise here("elements nested too deeply")
        node = XmlNode(name, attributes, parser.CurrentLineNumber)
        path[-1].content.append(node)
        path.append(node)

    def declare(*parts: object) -> None:
        *_, has_declarations = parts
        if doctype == REFUSED:
            raise here("found a document type (<!DOCTYPE), expected none")
        if has_declarations:
            raise here("found declarations in the document type, expected the name of a DTD alone")

    def skip(*parts: object) -> None:
        raise here(f"entity &{parts[0]}; is not known")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: path.pop()
    parser.CharacterDataHandler = lambda text: path[-1].content.append(text)
    parser.StartDoctypeDeclHandler = declare
    parser.SkippedEntityHandler = skip
    is_final = True
    try:
        parser.Parse(text, is_final)
    except expat.ExpatError as error:
        message = f"not XML: {expat.ErrorString(error.code)}"
        raise InputError(message, line=error.lineno) from None
    return top.children[0]
