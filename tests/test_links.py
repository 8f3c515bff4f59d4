"""Links between the pages of the repository lead somewhere, and what notes on decisions name is there.

What the site makes of them is seen in tests/docs."""

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


NOTES = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
HOMES = ("mmgames", "baselines", "wrappers", "assets", "benchmarks", "examples", "tests", "docs", ".ci")
SOURCES = [
    *(path for home in HOMES for kind in ("*.py", "*.md") for path in sorted((ROOT / home).rglob(kind))),
    *(path for path in sorted(ROOT.glob("*")) if path.suffix in (".md", ".toml", ".py") or path.name == "Makefile"),
]
TO_A_NOTE = re.compile(r"decisions/(\d{3}[\w-]*)|\bnotes? (\d{3})\b")
BY_NUMBER = re.compile(r"\[(\d{3})\]\((?:[\w.-]+/)*(\w+)")
TO_A_FILE = re.compile(r"((?:[\w.]+/)*\w+\.(?:py|md|json|txt)|[a-z_]+(?:/[a-z_]+)+)/?(?:: (\w+))?")
COMMAND = re.compile(r"python -m (?:mmgames\.(?=baselines|wrappers))?([\w.]+)")


def test_notes_are_few_and_numbered_and_stand_in_their_index_once() -> None:
    listed = re.findall(r"^(\d{3}-[\w-]+)$", (ROOT / "docs" / "decisions" / "index.md").read_text("utf-8"), re.M)
    assert listed == [note.stem for note in NOTES]
    assert [int(note.name[:3]) for note in NOTES] == [*range(1, len(NOTES) + 1)] and len(NOTES) <= 30


@pytest.mark.parametrize("note", NOTES, ids=lambda note: note.stem)
def test_a_note_says_question_decision_and_consequence(note: Path) -> None:
    text = note.read_text("utf-8")
    said = re.findall(r"^\*\*(Question|Decision|Consequence)\.\*\*", text, re.M)
    assert text.startswith(f"# {note.name[:3]} · ") and said == ["Question", "Decision", "Consequence"]


def test_references_to_notes_lead_to_the_one_they_name() -> None:
    known = {name for note in NOTES for name in (note.name[:3], note.stem)}
    wrong = []
    for source in SOURCES:
        text = source.read_text("utf-8", errors="replace")
        missing = [found[0] for found in TO_A_NOTE.finditer(text) if (found[1] or found[2]) not in known]
        others = [found[0] for found in BY_NUMBER.finditer(text) if found[1] != found[2]]
        wrong += [f"{source.relative_to(ROOT)}: {each}" for each in (*missing, *others)]
    assert not wrong, f"These do not lead to the note that they name: {wrong}"


@pytest.mark.parametrize("page", [*NOTES, ROOT / "docs" / "design.md"], ids=lambda page: page.stem)
def test_files_and_commands_that_a_note_names_are_there(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.S | re.M)
    for named in re.findall(r"`([^`]+)`", text):
        if command := COMMAND.match(named):
            assert list(ROOT.glob(f"{command[1].replace('.', '/')}*")), f"{page.name}: no module for {named}"
        elif path := TO_A_FILE.fullmatch(named):
            found = [*ROOT.glob(path[1]), *(each for home in HOMES for each in (ROOT / home).rglob(path[1]))]
            assert found, f"{page.name} names {path[1]}, which is not there"
            assert path[2] is None or path[2] in found[0].read_text("utf-8"), f"{page.name}: {named} is not there"
