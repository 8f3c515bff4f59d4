"""Play an episode of each game: a table and a page of pictures."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from mmgames.commands import _arguments

if TYPE_CHECKING:
    from mmgames.commands._transcript import Transcript
    from mmgames.core.spec import GameSpec


def run(args: argparse.Namespace) -> int:
    from mmgames.commands import _page
    from mmgames.core import extras, registry
    from mmgames.errors import MissingExtra, MmgamesError
    from mmgames.running.progress import Progress
    from mmgames.text.tables import text_table

    games = _arguments.chosen_games(args.ids)
    args.out.mkdir(parents=True, exist_ok=True)
    transcripts: list[Transcript] = []
    lacking: list[GameSpec] = []
    failed: list[str] = []
    with Progress(len(games), "episodes") as bar:
        for spec in games:
            try:
                transcript = play(spec, args.seed)
                draw(transcript, args.out)
                transcripts.append(transcript)
            except Exception as error:
                if isinstance(error, MissingExtra) and spec.extras:
                    lacking.append(spec)
                    continue
                # One game's fault must not hide the others; it is reported and decides the exit code.
                why = error if isinstance(error, (MmgamesError, MissingExtra)) else f"{type(error).__name__}: {error}"
                failed.append(f"{spec.id} failed: {why}")
            finally:
                bar.advance()
    rows = [
        (
            transcript.spec.name,
            ", ".join(transcript.seats),
            ", ".join(dict.fromkeys(transcript.agents)),
            str(transcript.steps),
            ", ".join(f"{value:g}" for value in transcript.returns),
            f"{transcript.seconds:.2f}",
        )
        for transcript in transcripts
    ]
    print(text_table(("game", "seats", "agents", "steps", "returns", "seconds"), rows, right=(3, 5)))
    notes = [extras.left_out_message((spec.name, spec.extras) for spec in lacking)] if lacking else []
    instead = {spec.name: options for spec in games if (options := registry.options_here(spec))}
    for options in {tuple(chosen.items()): chosen for chosen in instead.values()}.values():
        notes.append(extras.played_instead((name for name, own in instead.items() if own == options), options))
    page = args.out / "index.html"
    page.write_text(_page.page(transcripts, args.seed, " ".join(notes)), "utf-8")
    print(f"\n{len(transcripts)} episodes from seed {args.seed}. Pictures and prompts: {page}")
    for line in (*failed, *notes):
        print(f"mmgames: {line}", file=sys.stderr)
    return 1 if failed or not transcripts else 0


def play(spec: GameSpec, seed: int) -> Transcript:
    """Play one episode, and transcribe it from its record."""
    from mmgames.commands._transcript import transcribe
    from mmgames.core.registry import load, options_here
    from mmgames.errors import MmgamesError
    from mmgames.running.episodes import EpisodePlayer, make_plan

    options = options_here(spec)
    game = load(spec.id).game(**options)
    agents = [game.spec.quick_for(seat) for seat in range(len(game.seats))]
    player = EpisodePlayer(make_plan(spec.id, agents, 0, "fail", options))
    begun = time.perf_counter()
    record = player.record(seed)
    seconds = time.perf_counter() - begun
    player.close()
    if record["failed"]:
        raise MmgamesError(record["failed"])
    transcript = transcribe(record)
    transcript.seconds = seconds
    return transcript


def draw(transcript: Transcript, folder: Path) -> None:
    """Write the episode's pictures beside the page."""
    from mmgames.core.registry import load
    from mmgames.drawing.png import png

    picture = load(transcript.spec.id).picture
    shots = [*transcript.moments(), (f"what {transcript.first_role} sees", transcript.first_view)]
    for number, (caption, view) in enumerate(shots):
        name = f"{transcript.spec.name}-{number}.png"
        (folder / name).write_bytes(png(picture.draw(view, 512)))
        transcript.files.append((caption, name))
