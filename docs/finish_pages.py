"""Adds to the pages of the site what the theme leaves out for people who read with a keyboard or a screen reader."""

import itertools
import re
from pathlib import Path

TABLE = re.compile(r'<div class="table-wrapper')
CODE = re.compile(r"<pre>(?=<span></span>)")
ARTICLE = '<article role="main" id="furo-main-content">'
SAME_EVERYWHERE = {
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="All pages">',
    '<aside class="toc-drawer': '<aside aria-label="This page" class="toc-drawer',
    '<th class="head"></th>': '<td class="head"></td>',
    '<th class="head"><p></p></th>': '<td class="head"></td>',
}


def finish_pages(folder: Path) -> int:
    """Change all pages of a site; how many there are."""
    pages = sorted(folder.rglob("*.html"))
    for page in pages:
        page.write_text(finished(page.read_text("utf-8"), page.name), "utf-8")
    return len(pages)


def finished(html: str, name: str = "") -> str:
    """A page whose headings have levels, whose wide parts are reached and moved by keys, and whose parts have names."""
    for found, better in SAME_EVERYWHERE.items():
        html = html.replace(found, better)
    tables, codes = itertools.count(1), itertools.count(1)
    html = TABLE.sub(
        lambda _: f'<div tabindex="0" role="region" aria-label="Table {next(tables)}" class="table-wrapper', html
    )
    html = CODE.sub(lambda _: f'<pre tabindex="0" role="region" aria-label="Code {next(codes)}">', html)
    if name == "search.html" and "<h1" not in html:
        html = html.replace(ARTICLE, f"{ARTICLE}<h1>Search</h1>", 1)
    return html
