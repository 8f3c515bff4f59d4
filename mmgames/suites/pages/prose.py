"""The words of a paper's page of results, from the Markdown file beside this that has the page's name.

A heading there names a paragraph; below some headings stands a list, of which an item may begin with a column's name.
"""

import re
from functools import cache
from importlib.resources import files


@cache
def paragraphs(page: str) -> dict[str, str]:
    """The paragraphs of a page by their headings."""
    text = files(__package__).joinpath(f"{page}.md").read_text("utf-8")
    found = re.findall(r"^# (.+)\n((?:(?!# ).*\n)*)", text, re.M)
    return {heading: " ".join(body.split()) for heading, body in found}


def items(page: str, heading: str) -> tuple[str, ...]:
    """The items of a list."""
    return tuple(paragraphs(page)[heading].removeprefix("* ").split(" * "))


def by_column(page: str, heading: str) -> dict[str, str]:
    """The items of a list by the columns they begin with."""
    return {column: why for column, _, why in (item.partition(": ") for item in items(page, heading))}
