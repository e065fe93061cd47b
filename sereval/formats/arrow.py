"""Data sets of Hugging Face: Arrow files, which ``save_to_disk`` writes, and Parquet files."""

from __future__ import annotations

import json
from typing import Any

from ..errors import SerevalError
from .annotated import TOKENS, documents_of_texts, documents_of_tokens
from .file import Documents, File
from .records import Record

UNREADABLE = (EOFError, OSError, ValueError, LookupError, AttributeError, TypeError)
"""What a damaged file raises besides the errors of pyarrow."""


def read_arrow(file: File) -> Documents:
    """
    The folder that `save_to_disk` of Hugging Face's `datasets` writes for one split, an Arrow file
    of it, or a Parquet file. They need the [extra `arrow`](../install.md#extras). Each row is a
    document, read by its columns: `tokens` with `ner_tags` or `tags`, and others as in
    [tokens](#tokens); `text` with `entities` or `spans`, and others as in [offsets](#offsets).
    Other columns are ignored. Numbers of tags or labels get their names from the features that the
    file has (`ClassLabel`). The number in a message is that of the row, from 1.

    Refused: numbers that the features do not name, as −1 in a hidden test set.
    """
    records = []
    for line, record in enumerate(_rows(file), 1):
        records.append((line, Record(record, "row")))
    if not records:
        raise file.error("found no row in it, expected one or more")
    columns = records[0][1].values.keys()
    is_tokens = any(columns >= {*keys} for _, *keys in TOKENS)
    yield from (documents_of_tokens if is_tokens else documents_of_texts)(file, records)


def _rows(file: File) -> list[dict[str, Any]]:
    """The rows, with names in place of the numbers of classes."""
    try:
        import pyarrow  # an extra, and slow to import
        from pyarrow import ipc, parquet
    except ImportError:
        raise file.error(
            "data sets need pyarrow, which is not installed: pip install 'sereval[arrow]'"
        ) from None
    assert file.data is not None
    data = pyarrow.BufferReader(file.data)
    try:
        if file.data.startswith(b"PAR1"):
            table = parquet.read_table(data)
        elif file.data.startswith(b"ARROW1"):
            table = ipc.open_file(data).read_all()
        else:
            table = ipc.open_stream(data).read_all()
            if not file.data.endswith(bytes(4)):  # the end of a stream
                raise EOFError
        table.validate(full=True)
        rows: list[dict[str, Any]] = table.to_pylist()
        about = json.loads((table.schema.metadata or {}).get(b"huggingface", b"{}"))
        features = dict(about.get("info", {}).get("features", {}))
    except (
        pyarrow.ArrowException,
        EOFError,
        OSError,
        ValueError,
        LookupError,
        AttributeError,
        TypeError,
    ):
        raise file.error("pyarrow cannot read it, expected an Arrow or Parquet file") from None
    for line, row in enumerate(rows, 1):
        with file.at(line):
            row.update({key: _named(row[key], features.get(key), key) for key in row})
    return rows


def _named(value: Any, feature: Any, column: str) -> Any:
    """A value of a column, with the names of the classes in it."""
    if isinstance(feature, list):  # as older versions write the feature of a list
        feature = {"feature": next(iter(feature), None)}
    if value is None or not isinstance(feature, dict):
        return value
    if feature.get("_type") == "ClassLabel":
        names = feature.get("names")
        if not isinstance(names, list) or not isinstance(value, int):
            raise SerevalError(f'"{column}": found a class without names, expected its names')
        if not 0 <= value < len(names):
            raise SerevalError(
                f'"{column}": found {value}, expected a class from 0 to {len(names) - 1}'
            )
        return names[value]
    if isinstance(value, list):
        return [_named(item, feature.get("feature"), column) for item in value]
    if isinstance(value, dict):
        return {key: _named(item, feature.get(key), column) for key, item in value.items()}
    return value
