"""Links between pages lead somewhere, what notes name is there, and README as a front page is whole."""

import importlib.util
import re
import tomllib
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote

import numpy as np
import pytest
from PIL import Image

import mmgames

ROOT = Path(__file__).parents[1]
FOLDERS = (".", "benchmarks", "benchmarks/*", "examples", "docs", "docs/*")
PAGES = [page for folder in FOLDERS for page in sorted(ROOT.glob(f"{folder}/*.md"))]
MADE = ("environments", "agents", "reference", "leaderboard", "gallery.md")
WRITTEN_FOR_THE_SITE = tuple(ROOT / "docs" / name for name in MADE)
LINK = re.compile(r"(?<!\\)\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)|<(?:a|img|source)[^>]+(?:href|src)=\"([^\"]+)\"")
ELSEWHERE = re.compile(r"^[a-z]+:", re.I)


def anchors(page: Path) -> set[str]:
    """The headings of a page as they are linked to, and the anchors that it sets itself."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.S | re.M)
    headings = re.findall(r"^#+ (.+)$", text, re.M)
    named = re.findall(r"^\(([\w-]+)\)=$|(?:id|name)=\"([\w-]+)\"", text, re.M)
    made = {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}
    return made | {one or other for one, other in named}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_of_a_page_lead_to_files_and_headings(page: Path) -> None:
    prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.S | re.M)
    for linked in (one or other for one, other in LINK.findall(prose)):
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


def test_notes_are_few_say_what_they_should_and_references_lead_to_them() -> None:
    listed = re.findall(r"^(\d{3}-[\w-]+)$", (ROOT / "docs" / "decisions" / "index.md").read_text("utf-8"), re.M)
    assert listed == [note.stem for note in NOTES]
    assert [int(note.name[:3]) for note in NOTES] == [*range(1, len(NOTES) + 1)] and len(NOTES) <= 30
    for note in NOTES:
        text = note.read_text("utf-8")
        said = re.findall(r"^\*\*(Question|Decision|Consequence)\.\*\*", text, re.M)
        assert text.startswith(f"# {note.name[:3]} · ") and said == ["Question", "Decision", "Consequence"]
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


PICTURES = ROOT / "docs" / "pictures"
README = (ROOT / "README.md").read_text("utf-8")
COLUMN = 830  # pixels, where README is read


@pytest.fixture(scope="module")
def front_page() -> ModuleType:
    found = importlib.util.spec_from_file_location("front_page", ROOT / "docs" / "front_page.py")
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_the_front_page_is_whole(front_page: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, drawing in front_page.badges().items():
        assert (PICTURES / f"badge-{name}.svg").read_text("utf-8") == drawing, "run `make readme`"
        assert f"badge-{name}.svg" in README
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    versions = re.findall(r"Python :: (3\.\d+)", "\n".join(about["classifiers"]))
    assert f"python: {' | '.join(versions)}<" in front_page.badges()["python"]
    for name in ("overcooked", "spy"):
        path = PICTURES / f"{name}.gif"
        assert path.name in README and path.stat().st_size < 1_000_000
        with Image.open(path) as film:
            assert film.n_frames > 10 and film.width <= COLUMN // 2
    rows = re.findall(r"^\| \[[\w-]+\]\(https://arxiv\.org/abs/([\d.]+)\) \|.*\[page\]\((.+)\) \|$", README, re.M)
    assert len(rows) == len(set(rows)) == 5
    cited = (ROOT / "CITATION.cff").read_text("utf-8")
    assert all(f"https://arxiv.org/abs/{paper}" in cited and (ROOT / page).is_file() for paper, page in rows)
    shown = {family: mmgames.specs[f"mmgames/{name}-v0"].family for family, (name, _) in front_page.TILES.items()}
    assert shown == {spec.family: spec.family for spec in mmgames.specs.values() if spec.namespace == "mmgames"}
    with Image.open(PICTURES / "families.png") as picture:
        assert picture.width == 2 * COLUMN + 4
        down = -(-len(front_page.TILES) // front_page.ACROSS)
        assert picture.height == down * (front_page.SIZE + 3 * front_page.LETTER + front_page.GAP) + front_page.GAP
    monkeypatch.setattr(front_page.registry, "why_missing", lambda spec: "not installed")
    picture = front_page.position("TwoRobotPickCube", 0)
    assert picture.shape == (front_page.SIZE, front_page.SIZE, 3) and np.ptp(picture) > 100
