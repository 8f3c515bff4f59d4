"""Play one episode of each game with its reference agents.

Prints a table and writes a page, index.html, with pictures of every episode and the first prompt. Nothing is
fetched from anywhere; open the page in any browser. Name ids to play only these.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmgames.commands import _arguments

if TYPE_CHECKING:
    from mmgames.core.spec import GameSpec

SUMMARY = "play an episode of each game: a table and a page of pictures"
PICTURES = 4  # of each episode, the first and the last position among them


@dataclass
class Story:
    """One episode as the page tells it."""

    spec: GameSpec
    seats: tuple[str, ...]
    agents: list[str]
    steps: int
    returns: list[float]
    seconds: float
    events: dict[str, int]
    moments: list[tuple[str, Any]]  # caption and spectator's view
    first_role: str = ""
    first_view: Any = None
    prompt: str = ""
    files: list[tuple[str, str]] = field(default_factory=list)  # caption and file name


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", metavar="ID", nargs="*", help="environments to play (default: all)")
    parser.add_argument("--out", type=Path, default=Path("demo"), metavar="FOLDER", help="default: demo")
    parser.add_argument("--seed", type=_arguments.seed, default=0, help="the episodes' seed (default 0)")


def run(args: argparse.Namespace) -> int:
    from mmgames.commands import _page
    from mmgames.core.errors import MissingExtra
    from mmgames.core.progress import Progress
    from mmgames.core.table import plain

    games = _arguments.chosen_games(args.ids)
    args.out.mkdir(parents=True, exist_ok=True)
    stories: list[Story] = []
    missing: list[str] = []
    failed: list[str] = []
    with Progress(len(games), "episodes") as bar:
        for spec in games:
            try:
                story = tell(spec, args.seed)
                draw(story, args.out)
                stories.append(story)
            except MissingExtra as error:
                missing.append(str(error))
            except Exception as error:
                # One game's fault must not hide the others; it is reported and decides the exit code.
                failed.append(f"{spec.id} failed: {type(error).__name__}: {error}")
            bar.advance()
    rows = [
        (
            story.spec.name,
            ", ".join(story.seats),
            ", ".join(dict.fromkeys(story.agents)),
            str(story.steps),
            ", ".join(f"{value:g}" for value in story.returns),
            f"{story.seconds:.2f}",
        )
        for story in stories
    ]
    print(plain(("game", "seats", "agents", "steps", "returns", "seconds"), rows, right=(3, 5)))
    page = args.out / "index.html"
    page.write_text(_page.page(stories, args.seed, missing), "utf-8")
    print(f"\n{len(stories)} episodes from seed {args.seed}. Pictures and prompts: {page}")
    for line in (*missing, *failed):
        print(f"mmgames: {line}", file=sys.stderr)
    return 1 if failed else 0


def tell(spec: GameSpec, seed: int) -> Story:
    """Play one episode and keep what the page needs."""
    from mmgames.core.observation import Observer
    from mmgames.matches import play

    views: list[Any] = []
    first_role, first_view, prompt = "", None, ""
    begun = time.perf_counter()
    for live in play(spec.id, seed=seed):
        views.append(live.view(None))
        if not first_role and live.movers:
            seat = live.movers[0]
            first_role, first_view = live.game.seats[seat], live.view(seat)
            prompt = Observer(live.loaded, live.game, observe=("rgb", "text")).text(first_view)
    seconds = time.perf_counter() - begun
    last = len(views) - 1
    numbers = sorted({round(last * i / (PICTURES - 1)) for i in range(PICTURES)})
    captions = ["start" if i == 0 else f"step {i}, the end" if i == last else f"step {i}" for i in numbers]
    return Story(
        spec=spec,
        seats=live.game.seats,
        agents=[spec.reference_for(seat) for seat in range(len(live.game.seats))],
        steps=last,
        returns=list(live.totals),
        seconds=seconds,
        events=dict(live.game.events(live.state)),
        moments=[(caption, views[i]) for caption, i in zip(captions, numbers, strict=True)],
        first_role=first_role,
        first_view=first_view,
        prompt=prompt,
    )


def draw(story: Story, folder: Path) -> None:
    """Write the episode's pictures beside the page."""
    from mmgames.commands import _pictures
    from mmgames.core.registry import load

    picture = load(story.spec.id).picture
    shots = [*story.moments, (f"what {story.first_role} sees", story.first_view)]
    for number, (caption, view) in enumerate(shots):
        name = f"{story.spec.name}-{number}.png"
        _pictures.save(folder / name, picture.draw(view, 512))
        story.files.append((caption, name))
