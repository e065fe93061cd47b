"""The files that the sessions of the formats read or refuse, for laws that hold for all of them."""

from pathlib import Path
from typing import NamedTuple

from sessions import FORMATS, arguments, file_of, sessions


class FormatCase(NamedTuple):
    """Files by name, and the command line that reads the one of them that is of the format."""

    format: str
    title: str
    files: dict[str, bytes]
    line: list[str]
    is_read: bool

    @property
    def name(self) -> str:
        """The file that the command reads."""
        return self.line[1]

    @property
    def text(self) -> str:
        """The text of that file."""
        data = self.files[self.name]
        return data.decode("utf-16" if b"\0" in data else "utf-8")

    @property
    def is_plain(self) -> bool:
        """Whether it is read without any option, and is no UTF-16."""
        is_utf16 = b"\0" in self.files[self.name]
        return self.line[2:] == ["-", "--to", "native"] and not is_utf16

    def put(self, folder: Path) -> Path:
        """Put the files into a folder, and give the path of the one to be read."""
        for name, content in self.files.items():
            (folder / name).write_bytes(content)
        return folder / self.name


def _cases() -> list[FormatCase]:
    found = []
    for path in sorted(FORMATS.glob("*.txt")):
        for title, steps in sessions(path).items():
            files = dict(file_of(step) for step in steps if step.sign == "==")
            for step in steps:
                if step.sign == "$":
                    is_read = not step.shown[-1].startswith("[")
                    line = arguments(step.text)
                    found.append(FormatCase(path.stem, title, files, line, is_read))
    return found


ALL = _cases()
READ = [case for case in ALL if case.is_read]
"""Those that are read."""


def of(format: str, title: str) -> FormatCase:
    """The case of a format with this title."""
    [found] = [case for case in ALL if (case.format, case.title) == (format, title)]
    return found
