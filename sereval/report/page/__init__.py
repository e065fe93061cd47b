"""An evaluation as web pages: the score of every document, and every error in a time line.

The pages need no network. Without JavaScript they show the figures, the words of both sides with
their elements in brackets, and a line for each error. The script draws the documents when they come
into view, from the data that ``scene`` writes, and adds filters, keys and sound. The modules
``tables`` and ``view`` compute what needs no script; templates write it. Each file contains its
style and its script, so it can be passed on alone; the content security policy of the file allows
no others.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import chain
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ...analysis.audit import Audit, audit
from ...analysis.balance import GROUPS
from ...analysis.blame import Blame
from ...analysis.causes import CAUSES
from ...analysis.rates import AnyScore, ids_of
from ...analysis.resampling import Resampling
from ...corpus.store import Store, StorePlace
from ...evaluation.report import LEGEND, ON_PAGE
from ...evaluation.totals import Evaluation
from ...labels.relabel import labels_of
from ...render.numbers import counted
from ...render.report import heads
from ..cases import NAMES
from .blame import NAMES as NAMES_OF_GROUPS
from .blame import TITLES, BlameOnPage
from .files import recordings, slugs
from .scene import embedded
from .systems import CHANGES, Runs, SystemsPage, anchors
from .tables import Confusion, Figures, LabelPair, by_label, figures, notes, tables
from .view import OnePage, PageDocument, chips, clock, documents_of
from .waves import peaks as peaks_of
from .waves import undecoded

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = [
    "anchors",
    "pages",
    "peaks_of",
    "recordings",
    "render",
    "render_systems",
    "summary",
    "undecoded",
]

TABLES = ("dom.js", "tables.js")
"""The parts of the script of a page without documents, in order; they share their names."""

DOCUMENTS = ("data.js", "scale.js", "draw.js", "entries.js", "page.js", "sound.js", "start.js")
"""The parts that a page with documents has besides. They run after the page is first painted."""

SYSTEMS = (*DOCUMENTS[:-1], "chart.js", DOCUMENTS[-1])
"""Those of the page of several systems."""

PIECES = 50
"""How many pieces of a template are joined."""

MOST_ROWS, MOST_WORDS, MOST_DOCUMENTS = 4_000, 10_000, 40
"""The limits of a single page. A larger score gets a page for each document."""


def render(score: AnyScore, **look: Any) -> dict[str, str]:
    """The pages of a score by file name, ``index.html`` first; arguments as for :func:`pages`.

    >>> from sereval import Document, evaluate, tree
    >>> document = Document("show", ("Jacques", "Chirac"), tree([("pers", 0, 2)]))
    >>> list(render(evaluate([document], [document])))
    ['index.html']
    """
    found = {name: "".join(text) for name, text in pages(score, **look)}
    return {"index.html": "", **found}


def pages(
    score: AnyScore,
    *,
    title: str = "",
    audio: Mapping[str, str] | None = None,
    one_file: bool = False,
    most_documents: int = MOST_DOCUMENTS,
    blame: Blame | None = None,
    resampling: Resampling | None = None,
    peaks: Mapping[str, str] | None = None,
) -> Iterator[tuple[str, Iterator[str]]]:
    """The pages of a score, one after another; only one document is in memory.

    Args:
        score: an evaluation, or a score of another scheme that keeps the outcome of each element.
        title: the title of the pages, such as the names of the system and the reference.
        audio: for a document's id, the link from the page to its recording. A document without a
            link has no sound. See :func:`recordings`.
        one_file: whether to write everything into ``index.html``, even if it gets large.
        most_documents: the most documents of one file if ``one_file`` is false.
        blame: the blame of the cases of the score, with the same settings; ``None``: no blame.
        resampling: the settings of the intervals of the blame; ``None``: the defaults.
        peaks: for a document's id, its wave form. See :func:`peaks_of`.

    Yields:
        The name of a file, and the pieces of its text. If it is not one file, there is a page for
        each document, and for each reference label a page with its cases; ``index.html`` is the
        last. Equal scores give equal text.
    """
    one_file = one_file or _is_small(score, most_documents)
    found = None if blame is None else BlameOnPage(blame, resampling or Resampling())
    return _Site(
        score, audio or {}, peaks or {}, title=title, one_file=one_file, blame=found
    ).files()


def summary(evaluation: Evaluation) -> str:
    """An evaluation as an HTML table for notebooks: a fragment with inline styles.

    >>> from sereval import Document, evaluate, tree
    >>> document = Document("show", ("Dol",), tree([("<loc>", 0, 1)]))
    >>> "&lt;loc&gt;" in summary(evaluate([document], [document]))
    True
    """
    counts, costs = evaluation.counts, evaluation.settings.costs
    return environment().get_template("summary.html").render(
        columns=heads(ON_PAGE),
        total=figures("all", counts, costs),
        size=counted(counts.ref, "reference element"),
        rows=by_label(evaluation),
        kinds=len(evaluation.kinds),
        notes=[LEGEND, *notes(evaluation)],
        signature=str(evaluation.signature),
    )  # fmt: skip


def _is_small(score: AnyScore, most_documents: int) -> bool:
    documents = documents_of(score)
    if len(documents) > most_documents:
        return False
    sizes = [
        (len(d.reference.elements) + len(d.hypothesis.elements), len(d.hypothesis.words))
        for d in documents
    ]
    rows, words = (sum(size[k] for size in sizes) for k in (0, 1))
    return rows <= MOST_ROWS and words <= MOST_WORDS


class _Site:
    """The files of one evaluation."""

    def __init__(
        self,
        score: AnyScore,
        audio: Mapping[str, str],
        peaks: Mapping[str, str],
        *,
        title: str,
        one_file: bool,
        blame: BlameOnPage | None,
    ) -> None:
        self.score, self.audio, self.tables = score, audio, tables(score)
        self.peaks = peaks
        self.title, self.one_file, self.blame = title, one_file, blame
        self.slugs = slugs(ids_of(score))
        sides = ((document.reference, document.hypothesis) for document in documents_of(score))
        labels = labels_of(chain.from_iterable(sides))
        self.labels = {label: n for n, label in enumerate(sorted(labels))}
        self.confusion = Confusion()
        self.environment = environment()
        self.environment.globals.update(self._everywhere())

    def _everywhere(self) -> dict[str, Any]:
        """The variables of all templates."""
        words = self.score.settings if isinstance(self.score, Evaluation) else self.score.words
        return {
            "style": _style(),
            "has_windows": words.tolerance is not None,
            "title": self.title,
            "signature": str(self.score.signature) if self.blame is None else self.blame.signature,
            "blame": self.blame,
            "names": NAMES,
            "shared": embedded(_shared(self.labels)),
            "columns": self.tables.columns,
            "labels": self.labels,
            "one_file": self.one_file,
            "slugs": self.slugs,
            "has_audio": bool(self.audio),
            "file_of": self.file_of,
            "cases_file": self.cases_file,
            "cell_query": _cell_query,
            "chips": chips,
        }

    def file_of(self, id: str) -> str:
        """The file of a document; empty if all documents are in one file."""
        return "" if self.one_file else f"{self.slugs[id]}.html"

    def cases_file(self, anchor: str) -> str:
        """The file of a cell's cases; there is one for each row of the matrix."""
        return "" if self.one_file else f"cases-{anchor.split('-')[1]}.html"

    def files(self) -> Iterator[tuple[str, Iterator[str]]]:
        """The name and the pieces of each file, the index last."""
        order, figures_of = self.tables.order, self.tables.documents
        places = {id: place for place, id in enumerate(order)}
        counted: Counter[str] = Counter()
        drawn: dict[str, StorePlace[PageDocument]] = {}
        store: Store[PageDocument] = Store()
        for document in audit(self.score):
            place = places[document.id]
            page = self._page(document, figures_of[place])
            self.confusion.add(page.id, page.cases)
            if self.one_file:
                counted += page.counted
                drawn[page.id] = store.put(page.drawn())
            else:
                text = self._write(
                    "document.html",
                    parts=DOCUMENTS,
                    page=page.drawn(),
                    previous=order[place - 1] if place else None,
                    following=order[place + 1] if place + 1 < len(order) else None,
                )
                yield self.file_of(page.id), text
        if not self.one_file:
            yield from self._cases()
        yield "index.html", self._index([drawn[id] for id in order if id in drawn], counted)

    def _page(self, document: Audit, its: Figures) -> OnePage:
        recording = self.audio.get(document.id)
        slug = self.slugs[document.id]
        return OnePage(
            document, slug, its, self.labels, recording, self.peaks.get(document.id), self.blame
        )

    def _cases(self) -> Iterator[tuple[str, Iterator[str]]]:
        files: dict[str, list[LabelPair]] = {}
        for cell in self.confusion.in_order():
            files.setdefault(self.cases_file(self.confusion.anchor(cell)), []).append(cell)
        for file, cells in files.items():
            label = cells[0][0]
            yield (
                file,
                self._write("cases.html", confusion=self.confusion, cells=cells, label=label),
            )

    def _index(
        self, pages: Sequence[StorePlace[PageDocument]], counted: Counter[str]
    ) -> Iterator[str]:
        """The index.

        Args:
            pages: the places of the documents, worst first; empty: they have files of their own.
            counted: the number of cases of each class in them.
        """
        return self._write(
            "index.html",
            parts=DOCUMENTS,
            tables=self.tables,
            confusion=self.confusion,
            cases_of=self._cases_of(),
            badge_links=self._badge_links(self.tables.order),
            pages=pages,
            order=self.tables.order,
            counted=counted,
        )

    def _cases_of(self) -> dict[str, str]:
        """For each label, a link to the worst document that has an error with it."""
        if self.one_file:
            return {label: f"?label={_quote(label)}#errors" for label in self.labels}
        return {
            label: f"{self.file_of(id)}?label={_quote(label)}#{self.slugs[id]}"
            for label, id in self.tables.worst.items()
        }

    def _badge_links(self, order: Sequence[str]) -> dict[str, str]:
        """For each filter by badge, a link to the worst document that has such a case."""
        if self.blame is None:
            return {}
        found = self.blame.first_with(order)
        if self.one_file:
            return {value: f"?blame={value}#errors" for value in found}
        return {
            value: f"{self.file_of(id)}?blame={value}#{self.slugs[id]}"
            for value, id in found.items()
        }

    def _write(self, template: str, *, parts: tuple[str, ...] = (), **values: Any) -> Iterator[str]:
        return written(self.environment, template, parts, **values)


def written(
    environment: Environment, template: str, parts: tuple[str, ...] = (), **values: Any
) -> Iterator[str]:
    """The pieces of a page.

    Args:
        environment: the templates.
        template: the name of one.
        parts: the parts of the script of the documents; empty: it has none.
        values: the variables of the template.
    """
    stream = environment.get_template(template).stream(**_script(parts), **values)
    stream.enable_buffering(PIECES)
    return stream


def render_systems(
    runs: Runs,
    *,
    title: str = "",
    report: str = "",
    audio: Mapping[str, str] | None = None,
    peaks: Mapping[str, str] | None = None,
    blames: Mapping[tuple[str, str], Blame] | None = None,
) -> str:
    """One page for several systems: on several words, at several tolerances.

    Args:
        runs: for each condition and each system, its score at each tolerance.
        title: the title of the page.
        report: the text of a report on the systems, which the page quotes.
        audio: for a document's id, the link from the page to its recording.
        peaks: for a document's id, its wave form. See :func:`peaks_of`.
        blames: the blame of a system in a condition, for the badges of its cases.

    Raises:
        SerevalError: two systems of a condition have different words.

    >>> from sereval import Document, evaluate, tree
    >>> document = Document("show", ("Dol",), tree([("loc", 0, 1)]))
    >>> score = evaluate([document], [document])
    >>> "fixed by B" in render_systems({"manual": {"crf": [score], "gaz": [score]}})
    True
    """
    page = SystemsPage(runs, audio or {}, peaks or {}, blames or {})
    found = environment()
    found.globals.update(
        style=_style(),
        title=title,
        names=NAMES,
        labels=page.labels,
        blame=None,
        has_audio=bool(audio),
        has_windows=bool(page.tolerances),
        shared=embedded({**_shared(page.labels), **page.shared()}),
    )
    return found.get_template("systems.html").render(
        **_script(SYSTEMS), page=page, report=report, changes=CHANGES
    )


def _shared(labels: Iterable[str]) -> dict[str, Any]:
    """What the script needs for all documents: names by their numbers."""
    return {
        "labels": list(labels),
        "classes": list(NAMES.items()),
        "groups": [[group, NAMES_OF_GROUPS[group], TITLES[group]] for group in GROUPS],
        "causes": CAUSES,
    }


def _quote(text: str) -> str:
    return quote(text, safe="", errors="replace")


def _cell_query(cell: LabelPair) -> str:
    """The query that selects the cases of a cell; an empty label stands for no element."""
    reference, hypothesis = (_quote(label or "") for label in cell)
    return f"?ref={reference}&hyp={hypothesis}"


def environment() -> Environment:
    """The environment of the templates; it escapes all values."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    found = Environment(
        loader=PackageLoader(__name__),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals.update(clock=clock)
    found.filters["numbered"] = lambda names: list(enumerate(names))
    return found


@cache
def _script(documents: tuple[str, ...]) -> dict[str, str]:
    """The script of a page, and the content security policy that allows it.

    Args:
        documents: the parts for its documents; empty: it has none.
    """
    tables, late = (list(chain.from_iterable(map(_lines, parts))) for parts in (TABLES, documents))
    late = ["afterPaint(() => {", *late, "});"] if late else []
    script = "\n".join(["(() => {", '"use strict";', *tables, *late, "})();"])
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
        f"media-src 'self' file:; script-src 'sha256-{digest}'"
    )
    return {"script": script, "policy": policy}


def _style() -> str:
    """The style of all pages, without the spaces that only help who writes it."""
    return re.sub(r"\s*([{};,])\s*|(?<=:) ", r"\1", "\n".join(_lines("page.css")))


def _lines(name: str) -> Iterator[str]:
    """The lines of a template file, without indents, empty lines and whole-line comments."""
    text = resources.files(__name__).joinpath("templates", name).read_text("utf-8")
    for line in text.splitlines():
        stripped = line.strip()
        if stripped and not stripped.startswith(("//", "/*")):
            yield stripped
