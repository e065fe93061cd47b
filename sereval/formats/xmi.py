"""XMI of UIMA, as INCEpTION and DKPro Core write it: a text, and annotations of its characters.

``<type3:NamedEntity xmi:id="13" sofa="1" begin="0" end="5" value="PER"/>``

Characters count in UTF-16, as in Java. No type system is needed: an annotation has its features as
attributes.

Source: the reference of Apache UIMA, "XMI CAS serialization".
"""

from __future__ import annotations

from itertools import pairwise

from ..documents.characters import Characters
from ..documents.checks import whole_number
from ..documents.model import Document
from ..errors import SerevalError
from .layers import Annotation, document_of, requested
from .source import Source, quote
from .utf16 import UTF16, Utf16Text
from .xml import XmlNode, root_of, wrong

_CAS = "http:///uima/cas.ecore"
_ABOUT = (
    "http:///uima/tcas.ecore",
    "http:///de/tudarmstadt/ukp/dkpro/core/api/metadata/type.ecore",
)
"""Name spaces of annotations of the whole text."""
_SEGMENTS = "http:///de/tudarmstadt/ukp/dkpro/core/api/segmentation/type.ecore"


def parse(source: Source) -> list[tuple[int | None, Document]]:
    """The document of an XMI file.

    The policies ``crossing`` and ``equal`` apply.

    Args:
        source: the file; the document takes its id. Its option ``columns`` may name the layers and
            features to read, such as ``Entity.kind``; none: ``NamedEntity.value``.

    Returns:
        One document. Its words are the tokens, if there are any; else white space separates them.
        Line breaks of the text are breaks.

    Raises:
        InputError: a file that is not XML; no text or several; an annotation outside the text, or
            without the feature; annotations that cross.
    """
    root = root_of(source.text)
    spaces = {
        name.partition(":")[2]: uri
        for name, uri in root.attributes.items()
        if name.startswith("xmlns:")
    }
    if root.name.rpartition(":")[2] != "XMI":
        raise wrong(root, f"found <{root.name}>, expected <xmi:XMI>")
    nodes = [(_uri(node, spaces), node.name.rpartition(":")[2], node) for node in root.children]
    text = _text([node for uri, name, node in nodes if (uri, name) == (_CAS, "Sofa")], root)
    wanted = requested(source)
    annotations: list[Annotation] = []
    tokens: list[Characters] = []
    others = 0
    for uri, name, node in nodes:
        features = [feature for layer, feature in wanted if layer in (name, _layer(uri, name))]
        if uri == _SEGMENTS and name == "Token":
            tokens.append(_span(node, text))
        elif features:
            label = node.attributes.get(features[0], "")
            if not label:
                raise wrong(node, f"<{node.name}> has no {features[0]}, expected a label")
            annotations.append(Annotation(label, *_span(node, text), node.line))
        elif uri not in (_CAS, _SEGMENTS, *_ABOUT) and "begin" in node.attributes:
            others += 1
    tokens.sort()
    for (_, end), (start, _) in pairwise(tokens):
        if start < end:
            raise source.error(f"two tokens share the character {start}, expected them apart")
    return [(None, document_of(source, text.text, annotations, tokens or None, others))]


def _uri(node: XmlNode, spaces: dict[str, str]) -> str:
    prefix, colon, _ = node.name.rpartition(":")
    if colon and prefix not in spaces:
        raise wrong(node, f"<{node.name}> has a prefix without a name space, expected one")
    return spaces.get(prefix, "")


def _layer(uri: str, name: str) -> str:
    """The full name of a type, such as ``webanno.custom.Entity``."""
    return f"{uri.removeprefix('http:///').removesuffix('.ecore').replace('/', '.')}.{name}"


def _text(sofas: list[XmlNode], root: XmlNode) -> Utf16Text:
    """The only text of the file."""
    found = [sofa for sofa in sofas if "sofaString" in sofa.attributes]
    if len(found) != 1:
        raise wrong(root, f"{len(found)} texts (sofaString), expected one")
    return Utf16Text(found[0].attribute("sofaString"))


def _span(node: XmlNode, text: Utf16Text) -> Characters:
    """The characters of an annotation, in code points."""
    try:
        start, end = (_number(node.attribute(name)) for name in ("begin", "end"))
        if not start < end <= text.longest:
            raise SerevalError(f"characters {start} to {end}, expected some of 0 to {text.longest}")
        return text.between((start, end), UTF16)
    except SerevalError as error:
        raise wrong(node, f"<{node.name}>: {error}") from None


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise SerevalError(f"found {quote(text)}, expected the number of a character")
    return whole_number(text)
