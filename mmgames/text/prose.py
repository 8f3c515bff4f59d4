"""Words that stand in a Markdown file beside the code that uses them: paragraphs by their headings, or a page."""

import re
from functools import cache
from importlib.resources import files


@cache
def paragraphs(package: str | None, name: str) -> dict[str, str]:
    """The paragraphs of the file NAME.md of a package by their headings, each as one line."""
    assert package
    text = files(package).joinpath(f"{name}.md").read_text("utf-8")
    found = re.findall(r"^# (.+)\n((?:(?!# ).*\n)*)", text, re.M)
    return {heading: " ".join(body.split()) for heading, body in found}


def page(package: str | None, name: str = "README") -> str:
    """What stands below the title of NAME.md of a package."""
    assert package
    return files(package).joinpath(f"{name}.md").read_text("utf-8").partition("\n\n")[2]
