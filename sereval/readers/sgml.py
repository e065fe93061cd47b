"""MUC's SGML: ``<ENAMEX TYPE="PERSON">Newt Gingrich</ENAMEX>``, with ``TIMEX`` and ``NUMEX``.

All else is as in the inline format: white space and tags end a word, a line break is an utterance
boundary, one document a file. The label is the type; other markup is not expected.

Source: Chinchor, MUC-6 named entity task definition.
"""

from __future__ import annotations

import re

from ..model import Document
from .inline import Builder, build
from .source import Source

_TAG = re.compile(
    r"""<(/)?(ENAMEX|TIMEX|NUMEX)"""
    r"""(?(1)\s*|\s+TYPE\s*=\s*"?([\w.:-]+)"?\s*)>"""  # an opening tag has a type
)


def parse(source: Source) -> list[tuple[int | None, Document]]:
    """The document of an SGML file.

    Args:
        source: the file; the document takes its id.

    Raises:
        InputError: an opening tag without a type, any other tag, whatever the inline format
            refuses.

    >>> [(_, newt)] = parse(Source("a.sgml", "a", '<ENAMEX TYPE="PERSON">NEWT GINGRICH</ENAMEX>'))
    >>> newt.elements
    (Element(label='PERSON', start=0, end=2, parent=None),)
    """
    return build(Builder(source, _TAG, '<ENAMEX TYPE="PERSON"> or </ENAMEX>'))
