"""Draw a position or a question and print it in words."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmgames.commands import _arguments

if TYPE_CHECKING:
    from mmgames.core.live import LiveGame
    from mmgames.core.spec import GameSpec
    from mmgames.tasks import TaskSpec


def run(args: argparse.Namespace) -> int:
    from mmgames import tasks
    from mmgames.commands import _pictures
    from mmgames.errors import MmgamesError, nearest

    if args.episode is not None or any(id.endswith(".jsonl") or Path(id).is_file() for id in args.ids):
        return recall(args)
    games: list[GameSpec | TaskSpec] = []
    for id in args.ids:
        task = tasks.named(id)
        try:
            games += available() if id == "all" else _arguments.chosen_games([id]) if task is None else [task]
        except MmgamesError:
            if "-" in id and (meant := nearest(id, [spec.name for spec in tasks.specs.values()])):
                raise MmgamesError(f"There is no task {id!r}.{meant} `mmgames list` shows all of them.") from None
            raise
    if args.answer and not (len(games) == 1 and isinstance(games[0], tasks.TaskSpec)):
        raise MmgamesError("--answer is for one task; a game has none.")
    default = games[0].name if len(games) == 1 else "games"
    out = _pictures.check_name(args.out or Path(f"{default}.png"))
    pictures, captions = [], []
    for spec in games:
        picture, text, caption = ask(spec, args) if isinstance(spec, tasks.TaskSpec) else look(spec, args)
        if len(games) == 1:
            print(text, end="\n\n")
        pictures.append(picture)
        captions.append(caption)
    sheet = pictures[0] if len(games) == 1 else _pictures.contact_sheet(pictures, [spec.name for spec in games])
    _pictures.save(out, sheet)
    print(f"{out}: {', '.join(captions) if len(games) == 1 else f'{len(games)} games'}")
    return 0


def available() -> list[GameSpec]:
    """All games that can be made here; what the others lack is told."""
    from mmgames.core import registry

    for spec in registry.specs.values():
        if why := registry.why_missing(spec):
            print(f"mmgames: {why}", file=sys.stderr)
    return [spec for spec in registry.specs.values() if not registry.why_missing(spec)]


def recall(args: argparse.Namespace) -> int:
    """Show an episode of a results file."""
    from mmgames.commands import _films, _pictures
    from mmgames.commands._transcript import transcribe
    from mmgames.core.observation import check_size
    from mmgames.core.registry import load
    from mmgames.errors import MmgamesError
    from mmgames.running.replays import find_record

    if len(args.ids) > 1 or args.agents or args.set or args.answer or args.seed:
        raise MmgamesError("An episode of one results file is shown with --episode, --steps, --seat, --size and --out.")
    record = find_record(args.ids[0], args.episode)
    transcript = transcribe(record, args.seat)
    name = transcript.spec.name
    check_size(args.size, transcript.spec.id)
    out = args.out or Path(f"{name}-{record['episode']}.png")
    film = out.suffix.lower() in _films.FILMS and args.steps is None
    _films.check(out) if film else _pictures.check_name(out)
    draw = load(transcript.spec.id).picture.draw
    title = f"{name}, episode {record['episode']}, seed {record['seed']}"
    results = zip(transcript.seats, transcript.agents, transcript.returns, strict=True)
    print(f"{title}: " + ", ".join(f"{role} {agent} {value:g}" for role, agent, value in results), end="\n\n")
    print("\n".join(transcript.lines()), end="\n\n")
    if transcript.ending:
        print("\n".join(transcript.ending.lines()), end="\n\n")
    when = f"from the start to step {transcript.steps}"
    if film:
        _films.save(out, _films.frames(transcript, draw, args.size), args.pace)
    elif args.steps is None:
        captions, views = zip(*transcript.moments(), strict=True)
        _pictures.save(out, _pictures.contact_sheet([draw(view, args.size) for view in views], captions))
    else:
        step = min(args.steps, transcript.steps)
        _pictures.save(out, draw(transcript.views[step], args.size))
        when = f"after step {step}" if step else "at the start"
    print(f"{out}: {name} {when}{'' if args.seat is None else f', seen by {args.seat}'}")
    return 0


def look(spec: GameSpec, args: argparse.Namespace) -> tuple[Any, str, str]:
    """The picture, the words and the caption of one game as asked for."""
    from mmgames.agents.finding import find_seat
    from mmgames.core.observation import Observer

    live, played = reach(spec, args)
    game, words = live.game, live.loaded.words
    observer = Observer(live.loaded, game, observe=("text",), size=args.size)
    after = "at the start" if not played else f"after step {played}"
    if args.seat is None:
        view, who = live.view(None), ""
        text = words.describe(view)
    else:
        seat = find_seat(game, int(args.seat) if args.seat.isdecimal() else args.seat)
        view, who = live.view(seat), f", seen by {game.seats[seat]}"
        text = observer.text(view)
    return live.loaded.picture.draw(view, observer.size), text, f"{spec.name} {after}{who}"


def ask(spec: TaskSpec, args: argparse.Namespace) -> tuple[Any, str, str]:
    """The pictures of a task's question side by side, its words and its caption."""
    import numpy as np

    from mmgames.errors import MmgamesError
    from mmgames.tasks.env import TaskEnv

    if args.seat or args.steps or args.agents:
        raise MmgamesError(f"{spec.id} asks one question; --seat, --steps and --agents are for games.")
    options = _arguments.settings(args, "task", "size", "observe", "actions", "render_mode")
    env = TaskEnv(spec.id, size=args.size, **options)
    env.reset(seed=args.seed)
    question = env.question
    assert question is not None
    answer = f"\n\nThe answer: {env.source.truth(question)['answer']}" if args.answer else ""
    return np.hstack(question.pictures), question.text + answer, f"{spec.name}, seed {args.seed}"


def reach(spec: GameSpec, args: argparse.Namespace) -> tuple[LiveGame, int]:
    """The game after the asked number of steps, or at its end, and how many were played."""
    from mmgames.core.registry import load
    from mmgames.running.matches import play

    options = _arguments.settings(args, "id", "agents", "seed")
    agents = args.agents
    if agents and len(agents) == 1:
        agents = agents * len(load(spec.id).game(**options).seats)
    episode = enumerate(play(spec.id, agents, args.seed, **options))
    played, live = next(episode)
    while played < (args.steps or 0) and live.movers:
        played, live = next(episode)
    return live, played
