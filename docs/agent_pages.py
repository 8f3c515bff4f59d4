"""Writes a page for every agent that a game names: what it does, its options, where it plays, and what was measured.

The figures are the rows of the pages in `results/` that begin with the agent's name.
"""

import re
from pathlib import Path
from typing import NamedTuple

from environment_pages import agent_facts, code, table

import mmgames
from mmgames.agents.finding import known_agents


class Measured(NamedTuple):
    """Rows of one table about one agent."""

    page: str
    title: str
    lines: list[str]


def write_agents(folder: Path, results: Path) -> None:
    folder.mkdir(parents=True)
    found = agents()
    for name, classes in found.items():
        (folder / f"{name}.md").write_text(agent_page(name, classes, measured(results, name)), "utf-8")
    rows = [
        (
            f"[{name}]({name}.md)",
            agent_facts(next(iter(classes)))[0],
            played_by([game for games in classes.values() for game in games]),
        )
        for name, classes in found.items()
    ]
    intro = "Whoever can take a seat by name, in environments (`others=`), matches, evaluations and on the play page."
    names = "\n".join(found)
    listing = table(("agent", "what it does", "plays"), rows)
    text = f"# Agents\n\n{intro}\n\n{listing}\n\n```{{toctree}}\n:hidden:\n\n{names}\n```\n"
    (folder / "index.md").write_text(text, "utf-8")


def agents() -> dict[str, dict[str, list[str]]]:
    """Name -> where the class is -> the games it plays; the same name may be another class in another game."""
    found: dict[str, dict[str, list[str]]] = {}
    for spec in mmgames.specs.values():
        for name, where in known_agents(spec).items():
            found.setdefault(name, {}).setdefault(where, []).append(spec.name)
    return dict(sorted(found.items()))


def played_by(games: list[str]) -> str:
    """The games, or those that are left out where these are fewer."""
    rest = [spec.name for spec in mmgames.specs.values() if spec.name not in games]
    named = ", ".join(f"[{game}](../environments/{game}.md)" for game in min(games, rest, key=len))
    return named if len(games) <= len(rest) else f"every game but {named}" if rest else "every game"


def agent_page(name: str, classes: dict[str, list[str]], rows: list[Measured]) -> str:
    parts = [f"# {name}"]
    for where, games in classes.items():
        does, options = agent_facts(where)
        facts = {"class": code(where.replace(":", ".")), "options": options or "none", "plays": played_by(games)}
        parts += [does, table(("fact", "value"), facts.items(), "facts")]
    parts.append("## Measured")
    if not rows:
        parts.append("No page of results has a row of it. `mmgames match` measures it in a minute.")
    for one in rows:
        parts.append(f"### {one.title}\n\nFrom [{one.page}](../results/{one.page}.md).\n\n" + "\n".join(one.lines))
    return "\n\n".join(parts) + "\n"


def measured(results: Path, name: str) -> list[Measured]:
    """The rows about an agent, with the head of their table and the heading above it."""
    own = re.compile(rf"\| {re.escape(name)}(, [^|]*)? \|")
    found: list[Measured] = []
    for page in sorted(results.glob("*.md")):
        title, head, rows = "", [], []
        for line in [*page.read_text("utf-8").splitlines(), ""]:
            if line.startswith("#"):
                title = line.lstrip("# ")
            if line.startswith("|"):
                if len(head) < 2:
                    head.append(line)
                elif own.match(line):
                    rows.append(line)
            else:
                if rows:
                    found.append(Measured(page.stem, title, [*head, *rows]))
                head, rows = [], []
    return found
