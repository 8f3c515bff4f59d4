"""Writes the pages of the environments: one for each registered game, and the index that shows them by family."""

import importlib
import inspect
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import mmgames
from mmgames.agents.finding import known_agents, listed_agents
from mmgames.core import registry
from mmgames.core.look_names import looks_of
from mmgames.core.observation import Observer, keys_of
from mmgames.core.spec import GameSpec, Option
from mmgames.errors import MissingExtra
from mmgames.running.matches import play

SEED = 5
STEPS = 6  # the pictures show the last position before or at this step in which somebody is to move
LARGE, SMALL = 512, 128
ROOM = "`" * 8  # longer than any fence that a prompt may contain

CHANCE = {
    "none": "none",
    "explicit": "explicit: chance nodes with known probabilities",
    "incidental": "incidental: drawn while a move is played",
}
KEY_MEANINGS = {
    "rgb": "the picture, its longest side `size=` pixels",
    "text": "the prompt",
    "legal_actions": "the names of the legal actions",
    "action_mask": "1 where an action is legal; also in `info`",
    "features": "numbers between -1 and 1",
    "planes": "the board as sheets of numbers between -1 and 1: plane, row, column",
}


@dataclass(frozen=True)
class Position:
    """A position of a seeded episode of the reference agents, as everybody sees it."""

    live: Any
    step: int
    mover: int
    views: dict[int | None, Any]


def reach(spec: GameSpec) -> Position:
    found = None
    for step, live in enumerate(play(spec.id, seed=SEED)):
        if not live.movers or step > STEPS:
            break
        seats = (None, *range(len(live.game.seats)))
        found = Position(live, step, live.movers[0], {seat: live.view(seat) for seat in seats})
    assert found is not None, f"{spec.id} begins with nobody to move"
    return found


def write_all(folder: Path) -> list[str]:
    """Write every page, the index and the pictures; the ids whose pictures need an extra that is not installed."""
    pictures = folder / "pictures"
    pictures.mkdir(parents=True)
    missing = []
    for spec in mmgames.specs.values():
        try:
            page = environment_page(spec, reach(spec), pictures)
        except MissingExtra as error:
            missing.append(spec.id)
            page = bare_page(spec, str(error))
        file = folder / f"{spec.name}.md"
        assert not file.exists(), f"{spec.id} shares its name with another game, so their pages collide"
        file.write_text(page, "utf-8")
    (folder / "index.md").write_text(index_page(set(missing)), "utf-8")
    (folder.parent / "gallery.md").write_text(gallery_page(pictures), "utf-8")
    (folder.parent / "families.inc.md").write_text(families_strip(set(missing)), "utf-8")
    return missing


# One environment


def environment_page(spec: GameSpec, position: Position, pictures: Path) -> str:
    lead, sections = split_docstring(spec.doc)
    additions = {"Observation": spaces_table(spec), "Agents": agents_table(spec, position.live.game.seats)}
    parts = [
        f"# {spec.name}",
        lead,
        picture_row(spec, position, pictures),
        facts_table(spec, position.live.game.seats),
        f"## Use it\n\n{snippets(spec, position.live.game.seats)}",
        *(f"## {title}\n\n{body}\n\n{additions.get(title, '')}" for title, body in sections),
        f"## Options\n\n{options_table(spec)}",
        f"## What a player gets\n\n{prompts(spec, position)}",
    ]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def bare_page(spec: GameSpec, why: str) -> str:
    """A page without anything that has to be played or drawn."""
    lead, sections = split_docstring(spec.doc)
    told = [f"## {title}\n\n{body}" for title, body in sections]
    note = f":::{{note}}\n{why} That is why this page has no pictures.\n:::"
    parts = [f"# {spec.name}", lead, note, facts_table(spec, spec.seats), *told, f"## Options\n\n{options_table(spec)}"]
    return "\n\n".join(parts) + "\n"


def split_docstring(doc: str) -> tuple[str, list[tuple[str, str]]]:
    """The first paragraph and the sections of a game folder's docstring."""
    lead, *rest = re.split(r"^## +(.+)$", inspect.cleandoc(doc), flags=re.M)
    titles, bodies = rest[0::2], rest[1::2]
    return lead.strip(), [(title.strip(), body.strip()) for title, body in zip(titles, bodies, strict=True)]


def facts_table(spec: GameSpec, seats: Sequence[str]) -> str:
    reference = [spec.reference_for(seat) for seat in range(len(seats))]
    facts = {
        "id": code(spec.id),
        "seats": ", ".join(code(role) for role in seats),
        "dynamics": spec.dynamics,
        "information": spec.information,
        "utility": spec.utility.replace("_", " "),
        "actions": spec.actions,
        "chance": CHANCE[spec.chance],
        "length": f"at most {spec.length} transitions",
        "batched": "yes, compiled rules" if spec.batched else "by its simulator" if spec.simulator.vector else "no",
        "reference agents": ", ".join(code(name) for name in dict.fromkeys(reference)),
        "source": spec.source,
    }
    if spec.extras:
        facts["needs"] = code(f"pip install 'mmgames[{','.join(spec.extras)}]'")
    return table(("fact", "value"), facts.items(), "facts")


def spaces_table(spec: GameSpec) -> str:
    default, keys = keys_of(registry.load(spec.id))
    env: Any = mmgames.aec_env(spec.id, observe=keys)
    rows = []
    for key in keys:
        shown = by_seat({role: repr(env.observation_space(role)[key]) for role in env.possible_agents})
        asked = KEY_MEANINGS[key] + ("" if key in default else "; given when you ask for it in `observe=`")
        rows.append((code(key), shown, asked))
    actions = by_seat({role: repr(env.action_space(role)) for role in env.possible_agents})
    return f"{table(('key', 'space', 'what it is'), rows)}\n\nAction space: {actions}."


def by_seat(values: dict[str, str]) -> str:
    """One value when all seats have the same, otherwise each with its role."""
    if len(set(values.values())) == 1:
        return code(next(iter(values.values())))
    return ", ".join(f"{role} {code(value)}" for role, value in values.items())


def options_table(spec: GameSpec) -> str:
    every = "[Options of every environment](../options.md) lists the keywords that all games share."
    if looks_of(spec)[1:]:
        every += f" Its [looks](../guides/looks.md) are {', '.join(map(code, looks_of(spec)))}."
    if not spec.options:
        return f"The game has none of its own. {every}"
    rows = [(code(name), code(repr(o.default)), values(o), o.doc) for name, o in spec.options.items()]
    return f"{table(('option', 'default', 'values', 'meaning'), rows)}\n\n{every}"


def values(option: Option) -> str:
    if option.choices:
        return ", ".join(code(repr(choice)) for choice in option.choices)
    bounds = [
        f"from {option.low:g}" if option.low is not None else "",
        f"to {option.high:g}" if option.high is not None else "",
    ]
    return " ".join(filter(None, bounds)) or "any"


def agents_table(spec: GameSpec, seats: Sequence[str]) -> str:
    rows = []
    for (name, where), listed in zip(known_agents(spec).items(), listed_agents(spec), strict=True):
        played = [role for seat, role in enumerate(seats) if spec.reference_for(seat) == name]
        reference = "" if not played else "all seats" if len(played) == len(seats) else ", ".join(played)
        rows.append((code(listed), *agent_facts(where), reference))
    head = ("agent", "what it does", "options", "reference for")
    filled = [column for column in range(len(head)) if any(row[column] for row in rows)]
    return table([head[column] for column in filled], [[row[column] for column in filled] for row in rows])


def agent_facts(where: str) -> tuple[str, str]:
    """The first line of an agent's docstring (or of its module's) and its constructor's options."""
    module_name, _, attribute = where.partition(":")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("mmgames"):
            raise
        return f"needs the package `{error.name}`", ""
    agent = getattr(module, attribute)
    doc = inspect.cleandoc(agent.__doc__ or module.__doc__ or "")
    options = inspect.signature(agent).parameters.values() if agent.__init__ is not object.__init__ else ()
    shown = [p.name if p.default is p.empty else f"{p.name}={p.default!r}" for p in options]
    return " ".join(doc.partition("\n\n")[0].split()), ", ".join(map(code, shown))


def snippets(spec: GameSpec, seats: Sequence[str]) -> str:
    others = {role: spec.reference_for(seat) for seat, role in enumerate(seats) if seat}
    names = dict.fromkeys(others.values())
    chosen = f', others="{next(iter(names))}"' if len(names) == 1 else f", others={others!r}" if others else ""
    face = "parallel" if spec.dynamics == "simultaneous" else "aec"
    first = f'env = gym.make("{spec.id}", seat="{seats[0]}"{chosen})\nobservation, info = env.reset(seed=0)'
    blocks = [
        f"```python\nimport gymnasium as gym\n\nimport mmgames\n\n{first}\n```",
        f'```python\nimport pettingzoo\n\nimport mmgames\n\nenv = pettingzoo.make("{face}", "{spec.id}")\n'
        "env.reset(seed=0)\n```",
    ]
    if spec.batched:
        blocks.append(
            f'```python\nimport mmgames\n\nenv = mmgames.vector_env("{spec.id}", num_envs=4096)\n'
            "observation, info = env.reset(seed=0)\n```"
        )
    agents = " ".join(dict.fromkeys(spec.reference_for(seat) for seat in range(len(seats))))
    shell = [f"mmgames show {spec.name} --seed {SEED} --steps {STEPS}", f"mmgames match {spec.name} {agents}"]
    return "\n\n".join([*blocks, "```shell\n" + "\n".join(shell) + "\n```"])


# Pictures and prompts


def picture_row(spec: GameSpec, position: Position, folder: Path) -> str:
    """The spectator's picture, large and small, and the pictures of the seats that see something else."""
    draw, views = position.live.loaded.picture.draw, position.views
    when = "at the start" if not position.step else f"after step {position.step}"
    shots = [
        (f"{spec.name}.png", draw(views[None], LARGE), f"{when}, {LARGE} pixels"),
        (f"{spec.name}-small.png", draw(views[None], SMALL), f"the same at {SMALL}"),
    ]
    for seat, role in enumerate(position.live.game.seats):
        seen = draw(views[seat], LARGE)
        if not np.array_equal(seen, shots[0][1]):
            shots.append((f"{spec.name}-{role}.png", seen, f"as {role} sees it"))
    figures = []
    for name, picture, caption in shots:
        Image.fromarray(picture).save(folder / name, optimize=True)
        wide = min(picture.shape[1], LARGE * 3 // 4) if len(shots) > 2 and picture.shape[1] > SMALL else None
        width = f":width: {wide}px\n" if wide else ""
        figures.append(f"::::{{figure}} pictures/{name}\n:alt: {spec.name}, {caption}\n{width}\n{caption}\n::::")
    return ":::::{container} pictures\n" + "\n".join(figures) + "\n:::::"


def prompts(spec: GameSpec, position: Position) -> str:
    """The texts of the seat that is to move: beside the picture, and alone."""
    live, view = position.live, position.views[position.mover]
    role = live.game.seats[position.mover]
    parts = [f"The turn of `{role}` in the position at the top of this page."]
    for keys, title in (
        (("rgb", "text"), "The words that go with the picture"),
        (("text",), "The words alone, without a picture"),
    ):
        text = Observer(live.loaded, live.game, observe=keys).text(view)
        parts.append(f"<details{' open' if len(parts) == 1 else ''}>\n<summary>{title}</summary>")
        parts.append(f"{ROOM}text\n{text}\n{ROOM}")
        parts.append("</details>")
    return "\n\n".join(parts)


# All environments


def families() -> dict[str, list[GameSpec]]:
    by_family: dict[str, list[GameSpec]] = {}
    for spec in mmgames.specs.values():
        by_family.setdefault(spec.family, []).append(spec)
    return dict(sorted(by_family.items()))


def card(spec: GameSpec, picture: bool, folder: str = "") -> str:
    image = f"[![{spec.name}]({folder}pictures/{spec.name}.png)]({folder}{spec.name}.md)\n" if picture else ""
    return f"::::{{container}} card\n{image}\n[**{spec.name}**]({folder}{spec.name}.md)\n\n{spec.summary}\n::::"


def index_page(missing: set[str]) -> str:
    parts = [
        "# Environments",
        "Every game has a Gymnasium, an AEC and a parallel face; those marked *batched* also step thousands of "
        "episodes at once. The pages are made from the games themselves: their docstrings, facts, spaces, and an "
        "episode that their reference agents played.",
    ]
    for family, members in families().items():
        cards = "\n".join(card(spec, spec.id not in missing) for spec in members)
        parts.append(f"## {heading(family)}\n\n:::::{{container}} cards\n{cards}\n:::::")
    rows = [
        (
            f"[{spec.name}]({spec.name}.md)",
            ", ".join(spec.seats),
            spec.dynamics,
            spec.information,
            spec.utility.replace("_", " "),
            spec.actions,
            "yes" if spec.batched else "",
            spec.source,
        )
        for members in families().values()
        for spec in members
    ]
    head = ("game", "seats", "dynamics", "information", "utility", "actions", "batched", "source")
    parts.append(f"## All at a glance\n\n{table(head, rows)}")
    names = "\n".join(spec.name for members in families().values() for spec in members)
    parts.append(f"```{{toctree}}\n:hidden:\n\n{names}\n```")
    return "\n\n".join(parts) + "\n"


def families_strip(missing: set[str]) -> str:
    """One game of each family, for the first page."""
    drawn = [[spec for spec in members if spec.id not in missing] for members in families().values()]
    cards = "\n".join(card(members[0], True, "environments/") for members in drawn if members)
    return f":::::{{container}} cards\n{cards}\n:::::\n"


def gallery_page(pictures: Path) -> str:
    """Every picture of the pages: what spectators see, and the seats that see something else."""
    parts = ["# Gallery", "Every picture of the environments' pages. A click leads to the page."]
    for family, members in families().items():
        cards = []
        for spec in members:
            for picture in sorted(pictures.glob(f"{spec.name}*.png")):
                what = picture.stem.removeprefix(spec.name).removeprefix("-")
                if (what == "" or picture.stem.startswith(f"{spec.name}-")) and what != "small":
                    page = f"environments/{spec.name}.md"
                    seen = f", as {what} sees it" if what else ""
                    image = f"[![{spec.name}{seen}](environments/pictures/{picture.name})]({page})"
                    cards.append(f"::::{{container}} card\n{image}\n\n[**{spec.name}**]({page}){seen}\n::::")
        if cards:
            shown = "\n".join(cards)
            parts.append(f"## {heading(family)}\n\n:::::{{container}} cards\n{shown}\n:::::")
    return "\n\n".join(parts) + "\n"


def heading(family: str) -> str:
    return family[:1].upper() + family[1:]


# Markdown


def code(text: str) -> str:
    return f"`{text}`"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], css: str = "") -> str:
    cells = [head, ["---"] * len(head), *rows]
    lines = ["| " + " | ".join(" ".join(str(cell).replace("|", "\\|").split()) for cell in row) + " |" for row in cells]
    body = "\n".join(lines)
    return f":::{{container}} {css}\n{body}\n:::" if css else body
