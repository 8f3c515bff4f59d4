"""Tables for terminals and for Markdown pages, and text of others made harmless for both."""

import html
import re
import textwrap
from collections.abc import Sequence

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_MARKUP = re.compile(r"([\\`\[\]{}$])")


def one_line(text: str) -> str:
    """Text on one line that moves no cursor and colours no terminal."""
    return _CONTROL.sub(" ", text).strip()


def escape_markdown(text: str) -> str:
    """Text of others, such as a model's, for a Markdown page: one line that is shown as it stands. It makes no tags, no
    links, no pictures and no code."""
    return _MARKUP.sub(r"\\\1", html.escape(one_line(text), quote=False))


COLUMNS = 100
"""So many a terminal has."""


def cut(text: str, width: int) -> str:
    """A text that is too wide without its middle: names differ at either end."""
    width = max(width, 2)
    return text if len(text) <= width else text[: width // 2] + "…" + text[len(text) + 1 - (width + 1) // 2 :]


def wrapped(line: str) -> str:
    """A line in as many columns as a terminal has."""
    return textwrap.fill(line, COLUMNS, subsequent_indent="    ", break_on_hyphens=False)


def text_table(head: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Columns two spaces apart under a ruled head; the columns numbered in `right` are flush right."""
    lines = [list(head), *map(list, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]

    def show(line: Sequence[str]) -> str:
        cells = (
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        return "  ".join(cells).rstrip()

    return "\n".join([show(head), "  ".join("-" * width for width in widths), *map(show, rows)])


def markdown_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], markup: bool = False, right: Sequence[int] = ()
) -> str:
    """A table of a Markdown page. Cells are shown as they stand, unless they are Markdown themselves (`markup`); the
    columns numbered in `right` are flush right."""
    rule = ["---:" if column in right else "---" for column in range(len(head))]
    lines = [head, rule, *(rows if markup else ([escape_markdown(cell) for cell in row] for row in rows))]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
