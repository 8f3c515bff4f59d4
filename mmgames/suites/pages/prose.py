"""The words of a paper's page of results, from the Markdown file beside this that has the page's name.

Below some headings stands a list, of which an item may begin with a column's name.
"""

from functools import partial

from mmgames.text import prose

paragraphs = partial(prose.paragraphs, __package__)
"""The paragraphs of a page by their headings."""


def items(page: str, heading: str) -> tuple[str, ...]:
    """The items of a list."""
    return tuple(paragraphs(page)[heading].removeprefix("* ").split(" * "))


def by_column(page: str, heading: str) -> dict[str, str]:
    """The items of a list by the columns they begin with."""
    return {column: why for column, _, why in (item.partition(": ") for item in items(page, heading))}
