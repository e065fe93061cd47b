"""Readers of the page of an evaluation, and of what a notebook shows of it: without a browser."""

import json
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
    [lost] = re.findall(r"(\d+) unplaceable", top.all("p", "note")[0].text) or [0]
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
    """The cases that the script draws under the time lines, with their costs."""
    shared = next(one for one in top.all("script") if one.attributes.get("id") == "shared")
    labels = json.loads(shared.text)["labels"]
    names = _names(top)
    elements = []
    for case in top.cases:
        document = names[case.anchor.rpartition("-")[0]]
        cost = Fraction(case.cost)
        for side, numbers in zip(("Ref", "Hyp"), case.labels, strict=True):
            if numbers is not None:
                own = labels[numbers[0] if isinstance(numbers, list) else numbers]
                elements.append(Element(document, own, side, case.letter.replace("U", ""), cost))
                cost = Fraction(0)  # stands with the first of a pair
    return tally(elements)


def _names(top: Node) -> dict[str, str]:
    """The name of each document by its anchor."""
    links = _table(top, "by-document").all("tbody")[0].all("th")
    return {
        link.attributes["href"].partition("#")[2]: link.text
        for cell in links
        for link in cell.all("a")
    }


def plain(top: Node) -> Rows:
    """The errors of the plain form: a line for each, with its cost."""
    names = _names(top)
    elements = []
    for article in top.all("article", "document"):
        for line in article.all("ol", "plain")[0].all("li"):
            letter = line.all("b")[0].text
            if letter not in ("U", "C"):
                *_, cost = re.findall(r" · ([\d.]+)(?: |$)", line.inside[-1])
                name = names[article.attributes["id"]]
                side = "Hyp" if letter == "I" else "Ref"
                elements.append(Element(name, "", side, letter, Fraction(cost)))
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
    """The cases that the numbers of the matrix lead to, by document."""
    elements = []
    for line in top.all("p", "found"):
        counts = dict(re.findall(r"(\w+) (\d+)", line.all("small")[0].text))
        errors = line.all("a")[1:]
        assert len(errors) == sum(int(n) for letter, n in counts.items() if letter != "C")
        for letter, number in counts.items():
            side = "Hyp" if letter == "I" else "Ref"
            elements += [Element(line.all("a")[0].text, "", side, letter)] * int(number)
    return tally(elements)


def notebook(out: Outputs) -> Rows:
    """A table alone, in which kinds stand among the labels."""
    top = tree_of(summary(out.evaluation()))
    header, first, *others = ([cell.text for cell in row.tags] for row in top.all("tr"))
    rows = {ALL: figures(header, first)}
    for row in others:
        kind = "kind" if row[0] in ("types", "components") else "label"
        rows[kind, row[0]] = figures(header, row)
    [lost] = re.findall(r"(\d+) unplaceable", top.text) or [0]
    rows[ALL]["unplaceable"] = int(lost)
    return rows
