"""Read XML with Python's expat; no entity is declared, expanded or fetched, and no DTD is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from ..errors import InputError, SerevalError
from .build import milliseconds
from .file import quote

_DEEPEST = 50


@dataclass(slots=True, eq=False)
class XmlNode:
    """An element of XML: its children and the texts between them, in order."""

    space: str
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

    def time(self, name: str) -> int:
        """An attribute in seconds, in ms."""
        text = self.attribute(name)
        try:
            return milliseconds(text)
        except SerevalError as error:
            raise wrong(self, f"{name}: {error}") from None

    def all(self, name: str) -> list[XmlNode]:
        """The children of a name; text between the children is refused."""
        if self.text:
            raise wrong(self, f"text {quote(self.text)} in <{self.name}>, expected none")
        return [child for child in self.children if child.name == name]

    def one(self, name: str) -> XmlNode:
        """The only child of a name; another number of them is refused."""
        children = [child for child in self.children if child.name == name]
        if len(children) != 1:
            raise wrong(self, f"{len(children)} <{name}> in <{self.name}>, expected one")
        return children[0]

    def inside(self, name: str) -> Iterator[XmlNode]:
        """The elements of a name at any depth, but not inside one another."""
        for child in self.children:
            if child.name == name:
                yield child
            else:
                yield from child.inside(name)


def by_name(nodes: list[XmlNode], attribute: str, what: str) -> dict[str, XmlNode]:
    """Elements by the attribute that names them; a name that stands twice is refused."""
    found: dict[str, XmlNode] = {}
    for node in nodes:
        name = node.attribute(attribute)
        if found.setdefault(name, node) is not node:
            first = found[name].line
            raise wrong(node, f"{what} {quote(name)} stands twice, the first on line {first}")
    return found


def wrong(node: XmlNode, message: str) -> InputError:
    """An error with the line of an element; the caller raises it."""
    return InputError(message, line=node.line)


def root_of(text: str, name: str = "") -> XmlNode:
    """The root element of an XML document."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text, parser.buffer_size = True, 1 << 20  # a text is one piece, or few
    top = XmlNode("", "", {}, 1)
    path = [top]

    def here(message: str) -> InputError:
        return InputError(message, line=parser.CurrentLineNumber)

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(path) > _DEEPEST:
            raise here("elements nested too deeply")
        space, _, name = name.rpartition(" ")
        node = XmlNode(space, name, attributes, parser.CurrentLineNumber)
        path[-1].content.append(node)
        path.append(node)

    def characters(text: str) -> None:
        content = path[-1].content
        last = content.pop() if content and isinstance(content[-1], str) else ""
        content.append(f"{last}{text}")

    def declare(*parts: object) -> None:
        if parts[-1]:
            raise here("found declarations in the document type, expected the name of a DTD alone")

    def skip(*parts: object) -> None:
        raise here(f"entity &{parts[0]}; is not known")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: path.pop()
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = declare
    parser.SkippedEntityHandler = skip
    is_final = True
    try:
        parser.Parse(text, is_final)
    except expat.ExpatError as error:
        message = f"not XML: {expat.ErrorString(error.code)}"
        raise InputError(message, line=error.lineno) from None
    (root,) = top.children
    if name and root.name != name:
        raise wrong(root, f"found <{root.name}>, expected <{name}>")
    return root
