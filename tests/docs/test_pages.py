"""The documentation is true: its code runs, its guide to a new game leads to a game, its site is whole."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

import pytest
from PIL import Image

import mmgames
from mmgames import cli
from mmgames.agents.finding import known_agents
from mmgames.core import registry
from mmgames.core.constants import OWN_OPTIONS
from mmgames.play.viewer import Viewer
from tests.accessibility import sticks_out, violations
from tests.chat_server import serving, words

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
ADD_A_GAME = DOCS / "guides" / "add-a-game.md"
ROOMS = DOCS / "guides" / "rooms.md"  # its commands listen until they are stopped; tests/test_network_rooms.py does
PAGES = [DOCS / "index.md", *sorted({*(DOCS / "guides").glob("*.md")} - {ADD_A_GAME, ROOMS})]

RUN_BLOCKS = """
import json, shlex, sys
from mmgames.cli import main

for name, language, code in json.load(open(sys.argv[1], encoding="utf-8")):
    print(f"-- {name}", flush=True)
    if language == "python":
        exec(compile(code, name, "exec"), {"__name__": "__main__"})
        continue
    for line in code.splitlines():
        program, *arguments = shlex.split(line, comments=True) or [""]
        assert program != "mmgames" or main(arguments) == 0, line
"""


class Block(NamedTuple):
    language: str
    attribute: str  # what follows the language, such as needs=train
    file: str  # the file that the block is the content of, as the line above it says
    code: str


def blocks(page: str) -> list[Block]:
    found = re.finditer(r"(?:^\*\*`([\w/]+\.py)`\*\*\n\n)?^```(\w+) *([^\n]*)\n(.*?)^```$", page, re.S | re.M)
    return [Block(match[2], match[3], match[1] or "", match[4]) for match in found]


def run(script: str, *arguments: str, folder: Path, path: Path | None = None) -> str:
    """What a Python script prints that is run in `folder`; it has to succeed."""
    more = {} if path is None else {"PYTHONPATH": str(path)}
    line, environment = [sys.executable, "-c", script, *arguments], {**os.environ, **more}
    done = subprocess.run(line, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run_blocks(page: Path, folder: Path, path: Path | None = None) -> str:
    """Run a page's Python blocks, each on its own, and its `mmgames` commands, in the order of the page."""
    wanted = [
        (f"{page.name}, block {number}", block.language, block.code)
        for number, block in enumerate(blocks(page.read_text("utf-8")), 1)
        if block.language in ("python", "shell") and not block.attribute and not block.file
    ]
    assert wanted
    (folder / "blocks.json").write_text(json.dumps(wanted), "utf-8")
    return run(RUN_BLOCKS, "blocks.json", folder=folder, path=path)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_code_on_the_page_runs_as_it_stands(page: Path, tmp_path: Path) -> None:
    run_blocks(page, tmp_path)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_code_that_needs_an_extra_says_which(page: Path) -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    for block in blocks(page.read_text("utf-8")):
        if block.attribute:
            need, _, extra = block.attribute.partition("=")
            assert need == "needs" and extra in extras
            compile(block.code, page.name, "exec")


def test_every_option_of_the_faces_is_listed() -> None:
    assert set(re.findall(r"^\| `(\w+)` \|", (DOCS / "options.md").read_text("utf-8"), re.M)) >= set(OWN_OPTIONS)


@pytest.fixture(scope="module")
def with_nim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as it is installed, and the guide's files in the places that the guide names."""
    tree = tmp_path_factory.mktemp("with_nim")
    without = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "mmgames", tree / "mmgames", ignore=without)
    for folder in ("baselines", "wrappers", "assets"):
        shutil.copytree(ROOT / folder, tree / "mmgames" / folder, ignore=without)
    for block in blocks(ADD_A_GAME.read_text("utf-8")):
        if block.file:
            place = tree / block.file if block.file.startswith("mmgames/") else tree / "mmgames" / block.file
            if place.exists():  # the second statement of the rules
                place = place.with_name("kernel_rules.py")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(block.code, "utf-8")
    return tree


def test_the_guides_game_is_listed_and_all_its_commands_run(with_nim: Path, tmp_path: Path) -> None:
    told = run_blocks(ADD_A_GAME, tmp_path, path=with_nim)
    assert re.search(r"^mmgames/Nim-v0 +first, second +sequential +perfect +discrete$", told, re.M)
    assert re.search(r"^first +nim_sum +1\.000", told, re.M), "whoever knows the strategy and begins always wins"
    assert (tmp_path / "nim.png").exists()


def test_the_guides_kernel_states_the_same_rules(with_nim: Path) -> None:
    script = """
import numpy as np
import mmgames
from mmgames.core import registry
from mmgames.games.nim import kernel_rules, rules

loaded, rng = registry.load("mmgames/Nim-v0"), np.random.default_rng(0)
for episode in range(60):
    last = ("wins", "loses")[episode % 2]
    values, kernel = (module.Nim(loaded.spec, last_stone=last) for module in (rules, kernel_rules))
    one, two = values.start(rng), kernel.start(rng)
    while True:
        assert values.movers(one) == kernel.movers(two) and values.returns(one) == kernel.returns(two)
        for seat in (0, 1, None):
            seen = values.view(one, seat)
            assert tuple(seen) == tuple(kernel.view(two, seat))
            assert (loaded.picture.features(seen) == kernel.features(two, seat or 0)).all()
        if not values.movers(one):
            break
        mover = values.movers(one)[0]
        legal = list(values.legal(one, mover))
        assert legal == list(kernel.legal(two, mover))
        move = {mover: int(rng.choice(legal))}
        one, two = values.play(one, move, rng), kernel.play(two, move, rng)
print("same")
"""
    assert run(script, folder=with_nim, path=with_nim).strip() == "same"


def test_the_guides_game_is_found_in_a_package_of_its_own(with_nim: Path, tmp_path: Path) -> None:
    (toml,) = [block.code for block in blocks(ADD_A_GAME.read_text("utf-8")) if block.language == "toml"]
    shutil.copytree(with_nim / "mmgames" / "games" / "nim", tmp_path / "my_games" / "nim")
    agent = (with_nim / "mmgames" / "baselines" / "nim.py").read_text("utf-8")
    (tmp_path / "my_games" / "strategy.py").write_text(agent.replace("mmgames.games.nim", "my_games.nim"), "utf-8")
    facts = tmp_path / "my_games" / "nim" / "__init__.py"
    facts.write_text(facts.read_text("utf-8").replace("mmgames.baselines.nim", "my_games.strategy"), "utf-8")
    about = tmp_path / "my_games-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: my-games\nVersion: 1\n", "utf-8")
    entry = toml.replace('[project.entry-points."mmgames.games"]', "[mmgames.games]").replace('"', "")
    (about / "entry_points.txt").write_text(entry, "utf-8")
    script = """
import mmgames
print(mmgames.specs["mmgames/Nim-v0"].package)
print(mmgames.match("Nim", ["nim_sum", "random"], episodes=2).returns().tolist())
"""
    told = run(script, folder=tmp_path, path=tmp_path)
    assert told.splitlines() == ["my_games.nim", "[[1.0, -1.0], [1.0, -1.0]]"]

    (kit,) = [block.code for block in blocks(ADD_A_GAME.read_text("utf-8")) if "conformance(" in block.code]
    (tmp_path / "test_nim.py").write_text(kit, "utf-8")
    script = "import sys, pytest; sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', 'test_nim.py']))"
    told = run(script, folder=tmp_path, path=tmp_path)
    assert re.search(r"^[5-9]\d passed", told, re.M), told


class Links(HTMLParser):
    """Everything an HTML page points to, and the anchors it has."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.followed: set[str] = set()
        self.loaded: set[str] = set()
        self.anchors: set[str] = set()
        self.text = page.read_text("utf-8")
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if "id" in values:
            self.anchors.add(values["id"])
        if "href" in values:
            (self.followed if tag == "a" else self.loaded).add(values["href"])
        if "src" in values:
            self.loaded.add(values["src"])


class Site(NamedTuple):
    folder: Path
    sources: Path
    pages: dict[Path, Links]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder, sources = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("sources")
    line = [sys.executable, str(DOCS / "build_site.py"), "--out", str(folder), "--work", str(sources)]
    done = subprocess.run(line, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning" not in done.stderr.lower()
    return Site(folder, sources, {page: Links(page) for page in folder.rglob("*.html")})


def test_every_environment_has_its_page_with_pictures(site: Site) -> None:
    index = site.pages[site.folder / "environments" / "index.html"]
    for spec in mmgames.specs.values():
        page = site.pages[site.folder / "environments" / f"{spec.name}.html"]
        assert f"{spec.name}.html" in index.followed
        for heading in re.findall(r"^## (.+)$", spec.doc, re.M):
            assert f"<h2>{heading}" in page.text
        assert spec.id in page.text
        if registry.why_missing(spec):
            continue
        for name, longest in ((f"{spec.name}.png", 512), (f"{spec.name}-small.png", 128)):
            assert f"../_images/{name}" in page.loaded
            with Image.open(site.folder / "_images" / name) as picture:
                assert max(picture.size) == longest


def test_the_snippets_of_every_environment_run(site: Site, tmp_path: Path) -> None:
    snippets = [
        block.code
        for spec in mmgames.specs.values()
        for block in blocks((site.sources / "environments" / f"{spec.name}.md").read_text("utf-8"))
        if block.language == "python"
    ]
    assert snippets
    run("\n".join(snippets), folder=tmp_path)


def test_pages_load_nothing_from_elsewhere_and_point_to_nothing_that_is_not_there(site: Site) -> None:
    for page, links in site.pages.items():
        for link in sorted(links.followed | links.loaded):
            parts = urlsplit(link)
            if parts.scheme in ("http", "https", "mailto", "data"):
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            assert target.is_file(), f"{page.relative_to(site.folder)} points to {link}"
            if parts.fragment and target in site.pages:
                anchors = site.pages[target].anchors
                assert parts.fragment in anchors, f"{page.relative_to(site.folder)} points to {link}"
    for page, links in site.pages.items():
        for link in links.loaded:
            assert urlsplit(link).scheme in ("", "data"), f"{page.relative_to(site.folder)} loads {link}"
    for style in site.folder.rglob("*.css"):
        assert not re.search(r"(@import|url\()\s*['\"]?(https?:)?//", style.read_text("utf-8")), style.name
    nameless = [page for page, links in site.pages.items() if re.search(r"<th\b[^>]*>(?:\s|</?p>)*</th>", links.text)]
    assert nameless == []


def test_the_gallery_the_agents_and_the_leaderboard_are_whole(site: Site) -> None:
    shown = {Path(link).name for link in site.pages[site.folder / "gallery.html"].loaded}
    drawn = {path.name for path in (site.sources / "environments" / "pictures").glob("*.png")}
    assert {name for name in drawn if not name.endswith("-small.png")} <= shown
    for spec in mmgames.specs.values():
        for name in known_agents(spec):
            assert (site.folder / "agents" / f"{name}.html") in site.pages
    assert "Table 1" in site.pages[site.folder / "agents" / "random.html"].text
    page = site.pages[site.folder / "leaderboard" / "index.html"]
    kept = [json.loads(path.read_text("utf-8")) for path in (DOCS / "results" / "runs").glob("*/*.result.json")]
    assert kept and f"{len(kept)} results of {len({one['suite'] for one in kept})} suites" in page.text
    assert "Left out" not in page.text and "not kept" not in page.text
    page = site.pages[site.folder / "reference" / "mmgames.html"]
    functions = {name for name in mmgames.__all__ if getattr(getattr(mmgames, name), "__module__", "") == "mmgames"}
    assert functions and all(f"<h2>{name}" in page.text for name in functions)


# Before a browser is open, whose loop would be in the way of a server's.
LOCAL = re.compile(r"http://localhost:\d+/v1")
NOT_OURS = ("pip", "export", "vllm", "python", "llama-server", "ollama", "OLLAMA_CONTEXT_LENGTH=16384")


def commands(page: str) -> list[str]:
    """The lines of a page's blocks that are typed into a terminal, in their order."""
    typed = [block.code for block in blocks(page) if block.language in ("text", "shell")]
    return [line for code in typed for line in code.replace("\\\n", " ").splitlines() if line.strip()]


def moves(request: dict[str, Any], number: int) -> str:
    text = words(request["messages"][-1])
    legal = text.rpartition("## Legal actions")[2].partition("\n## ")[0].strip().split(", ")
    return json.dumps({"action": legal[number % len(legal)]})


@pytest.mark.parametrize("name", ["evaluate-a-model", "local-servers"])
def test_every_command_of_the_guide_does_what_it_says(name: str, tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    page = (DOCS / "guides" / f"{name}.md").read_text("utf-8")
    monkeypatch.chdir(tmp_path)
    serve = Viewer.run
    monkeypatch.setattr(Viewer, "run", lambda viewer: (viewer.stop(), serve(viewer)))  # nobody is there to interrupt it
    if prices := re.search(r"`prices.json` .*?`(\{.*?\})`", page, re.S):
        Path("prices.json").write_text(prices[1])
    with serving(moves) as server:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-guide")
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        tried = []
        for line in commands(page):
            program, *arguments = shlex.split(LOCAL.sub(server.url, line), comments=True)
            if program in NOT_OURS:
                continue
            assert program == "mmgames", f"{line}: what is this?"
            if any(word.startswith("hf:") for word in arguments):
                continue  # it would download a model; tests/hf has tiny ones
            asked = len(server.requests)
            assert cli.main(arguments) == 0, line
            tried.append((arguments, len(server.requests) - asked, capsys.readouterr().out))
    for arguments, asked, said in tried:
        quiet = not any(word.startswith("chat:") for word in arguments) or "--dry-run" in arguments
        assert (asked == 0) == (quiet or "--replies-from" in arguments), arguments
        if arguments[0] == "match" and asked:
            assert "lost by" not in said and "failed" not in said, said
    if name == "evaluate-a-model":
        whole, again = (
            next(said for words, _, said in tried if flag in words) for flag in ("--max-cost", "--replies-from")
        )
        assert whole.partition("calls,")[0] == again.partition("calls,")[0], "scored again it is the same"
        assert Path("results/report.html").exists() and Path("results/coin.gif").exists()
        for file in (file for file in tmp_path.rglob("*") if file.is_file()):
            assert b"sk-of-the-guide" not in file.read_bytes()


def test_search_finds_a_game_in_a_browser_and_no_page_is_wider_than_a_phone(site: Site, browser: Any) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 800})
    page.goto((site.folder / "search.html").as_uri() + "?q=CoinDilemma")
    page.wait_for_selector("#search-results li a", timeout=60_000)
    assert "CoinDilemma" in page.inner_text("#search-results")
    phone = ("index", "gallery", "agents/random", "reference/mmgames", "guides/plug-ins", "environments/CoinDilemma")
    for name in phone:
        page.goto((site.folder / f"{name}.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, name
    page.close()


NAMED = (
    *("index", "environments/Chess", "results/vs-bench", "guides/play", "agents/chat", "search", "genindex", "gallery"),
    *("leaderboard", "leaderboard/index", "reference/mmgames.core.game_modules"),
)
"""Pages that each have something of their own. Of folders without one the first page is opened."""


def opened(site: Site) -> list[Path]:
    """A page of every kind; with EVERY_PAGE=1, which takes an hour, every page there is."""
    if os.environ.get("EVERY_PAGE"):
        return sorted(site.pages)
    named = [site.folder / f"{name}.html" for name in NAMED]
    named.append(min((site.folder / "leaderboard").glob("episodes-*.html")))
    others = {page.parent for page in site.pages} - {page.parent for page in named}
    return [*named, *(min(page for page in site.pages if page.parent == folder) for folder in sorted(others))]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_wrong_with_pages_of_every_kind(site: Site, browser: Any, scheme: str) -> None:
    width = {"light": 1280, "dark": 390}[scheme]
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    wrong = {}
    for path in opened(site):
        page.goto(path.as_uri())
        if found := [*violations(page), *(["it sticks out"] if sticks_out(page) else [])]:
            wrong[str(path.relative_to(site.folder))] = found
    page.close()
    assert wrong == {}
