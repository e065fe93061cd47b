"""Readers of the page of an evaluation, and of what a notebook shows of it: without a browser."""

import re
from fractions import Fraction

from outputs import ALL, Element, Outputs, Rows, figures, tally
from pages import Node, tree_of

from sereval.report.page import render, summary


def one_file(out: Outputs) -> Node:
    """The page of a small corpus."""
    if one_file not in out.made:
        path = out.path("audit", "--format", "html", suffix=".html")
        out.made[one_file] = tree_of(path.read_text("utf-8"))
    return out.made[one_file]


def many_files(out: Outputs) -> Node:
    """The pages of a large corpus, the first page first, read as if they were one."""
    if many_files not in out.made:
        files = render(out.evaluation(), most_documents=0)
        assert len(files) > 2
        out.made[many_files] = tree_of("".join(files.values()))
    return out.made[many_files]


def read(files, part, out: Outputs) -> Rows:
    """A part of the page, of one file or of many."""
    return part(files(out))


def _table(top: Node, id: str) -> Node:
    [table] = [table for table in top.all("table") if table.has("id", id)]
    return table


def head(top: Node) -> Rows:
    """The headline: rate, cost, elements of both sides, those without a place."""
    ser, cost, ref, hyp, *_ = (bold.text for bold in top.all("div", "total")[0].all("b"))
    [lost] = re.findall(r"(\d+) unplaceable", top.all("p", "note")[0].text)
    counts = {"cost": cost, "Ref": ref, "Hyp": hyp, "unplaceable": lost}
    return {ALL: {"SER": ser, **{name: Fraction(text) for name, text in counts.items()}}}


def tables(top: Node) -> Rows:
    """All tables of figures; kinds stand ahead of labels."""
    rows: Rows = {}
    for id, kind in (("totals", "all"), ("by-document", "document"), ("by-label", "label")):
        table = _table(top, id)
        columns = [cell.text for cell in table.all("thead")[0].all("th")]
        for body in table.all("tbody"):
            for row in body.all("tr"):
                of = "kind" if body.has("class", "kinds") else kind
                cells = [cell.text for cell in row.tags]
                rows[ALL if kind == "all" else (of, cells[0])] = figures(columns, cells)
    return rows


def entries(top: Node) -> Rows:
    """The entries under the time lines, with their costs."""
    links = _table(top, "by-document").all("tbody")[0].all("th")
    names = {
        link.attributes["href"].partition("#")[2]: link.text
        for cell in links
        for link in cell.all("a")
    }
    elements = []
    for article in top.all("article", "document"):
        document = names[article.attributes["id"]]
        for entry in article.all("li", "entry"):
            letter = entry.attributes["data-class"].replace("U", "")
            [cost] = (Fraction(cell.text) for cell in entry.all("span", "cost"))
            for side, half in zip(("Ref", "Hyp"), entry.all("span", "half"), strict=True):
                for label in half.all("b", "label"):
                    own = label.text.split(" | ")[0]
                    elements.append(Element(document, own, side, letter, cost))
                    cost = Fraction(0)  # stands with the first of a pair
    return tally(elements)


def matrix(top: Node) -> Rows:
    """The confusion matrix: margins, deletions and insertions; what is inside adds up to them."""
    header, *body, footer = (row.tags for row in _table(top, "matrix").all("tr"))
    numbers = [[int(cell.text or 0) for cell in row[1:]] for row in (*body, footer[:-1])]
    *inner, totals = numbers
    assert [sum(column) for column in zip(*inner, strict=True)][:-1] == totals
    assert [sum(row[:-1]) for row in inner] == [row[-1] for row in inner]
    rows: Rows = {}

    def of(name: str) -> dict[str, object]:
        return rows.setdefault(("label", name), dict.fromkeys(("Ref", "Hyp", "D", "I"), 0))

    for column, total in zip(header[1:-1], totals, strict=True):
        if not column.has("class", "t-D"):
            of(column.text)["Hyp"] = total
    for (name, *_), row in zip(body, inner, strict=True):
        if not name.has("class", "t-I"):
            of(name.text)["Ref"] = row[-1]
        for column, number in zip(header[1:-1], row, strict=False):
            if name.has("class", "t-I"):
                of(column.text)["I"] = number
            elif column.has("class", "t-D"):
                of(name.text)["D"] = number
    sums = {name: sum(row[name] for row in rows.values()) for name in ("Ref", "Hyp", "D", "I")}
    return {ALL: sums, **rows}


def found(top: Node) -> Rows:
    """The cases that the numbers of the matrix lead to."""
    cases = [case for list in top.all("ul", "found") for case in list.all("li")]
    return tally(
        Element(case.all("small")[0].text, "", "Hyp" if letter == "I" else "Ref", letter)
        for case in cases
        for letter in [case.all("span", "k")[0].text]
    )


def notebook(out: Outputs) -> Rows:
    """A table alone, in which kinds stand among the labels."""
    top = tree_of(summary(out.evaluation()))
    header, first, *others = ([cell.text for cell in row.tags] for row in top.all("tr"))
    rows = {ALL: figures(header, first)}
    for row in others:
        kind = "kind" if row[0] in ("types", "components") else "label"
        rows[kind, row[0]] = figures(header, row)
    [lost] = re.findall(r"(\d+) unplaceable", top.text)
    rows[ALL]["unplaceable"] = int(lost)
    return rows
