"""Links between the pages of the repository lead somewhere. What the site makes of them is seen in tests/docs."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = (".", "benchmarks", "benchmarks/*", "examples", "docs", "docs/*")
PAGES = [page for folder in FOLDERS for page in sorted(ROOT.glob(f"{folder}/*.md"))]
MADE = ("environments", "agents", "reference", "leaderboard", "gallery.md")
WRITTEN_FOR_THE_SITE = tuple(ROOT / "docs" / name for name in MADE)
LINK = re.compile(r"(?<!\\)\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)|<(?:a|img|source)[^>]+(?:href|src)=\"([^\"]+)\"")
ELSEWHERE = re.compile(r"^[a-z]+:", re.I)


def prose(page: Path) -> str:
    """A page without its code."""
    return re.sub(r"^```.*?^```$|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.S | re.M)


def anchors(page: Path) -> set[str]:
    """The headings of a page as they are linked to, and the anchors that it sets itself."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.S | re.M)
    headings = re.findall(r"^#+ (.+)$", text, re.M)
    named = re.findall(r"^\(([\w-]+)\)=$|(?:id|name)=\"([\w-]+)\"", text, re.M)
    made = {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}
    return made | {one or other for one, other in named}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_of_a_page_lead_to_files_and_headings(page: Path) -> None:
    for linked in (one or other for one, other in LINK.findall(prose(page))):
        if ELSEWHERE.match(linked):
            continue
        path, _, fragment = unquote(linked).partition("#")
        target = (page.parent / path).resolve() if path else page
        if any(target.is_relative_to(written) for written in WRITTEN_FOR_THE_SITE):
            continue
        assert target.exists(), f"{page.name} points to {linked}, which is not there"
        if fragment and target.suffix == ".md":
            assert fragment in anchors(target), f"{page.name} points to {linked}, a heading that is not there"
