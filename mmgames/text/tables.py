"""Tables for terminals and for Markdown pages, and text of others made harmless for both."""

from __future__ import annotations

import html
import re
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
