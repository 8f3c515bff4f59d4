"""Talk before a move: what it is worth to agents that use it, and whether it tells anything that is hidden.

    python -m benchmarks.talk play [GAME…]    # what agents reach; one game after the other, into results/talk
    python -m benchmarks.talk page            # docs/results/talk.md of what was played
    python -m benchmarks.talk leaks [PAIRS]   # 100,000 pairs of worlds that a seat cannot tell apart

A pair is a position of random play with random messages, and another in which everything that a seat cannot know is
drawn anew: cards, what lies out of sight, messages for others. What the seat has heard is the same in both. Its view,
both its prompts, its legal actions, the page's talk and, in every tenth pair, its picture have to be the same too.
"""

import sys
import tomllib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import mmgames
from benchmarks import studies
from benchmarks.studies import mean
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.observation import Observer
from mmgames.text.tables import markdown_table

PAGE, PLAYED = Path("docs/results/talk.md"), Path("results/talk")
SEED = 1
PICTURE_EVERY = 10


class Line(NamedTuple):
    """A group of agents: what it is called, who sits in the first seat, and who in all others."""

    called: str
    first: str
    others: str


class Dilemma(NamedTuple):
    name: str
    players: int
    episodes: int
    good: str  # the way that is better for all if all go it, or the one that is worth proposing
    bad: str


TOLD = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
DILEMMAS = tuple(Dilemma(*one) for one in TOLD["dilemmas"])
POKER = tuple(Line(*one) for one in TOLD["poker"])
WORLDS = tuple(map(tuple, TOLD["worlds"]))
POKER_EPISODES, HANABI_EPISODES = 20_000, 500


def lines(dilemma: Dilemma) -> tuple[Line, ...]:
    return (
        Line("nobody says anything", "announcer:nothing", "announcer:nothing"),
        Line("all tell the truth, nobody believes", "announcer:truth,False", "announcer:truth,False"),
        Line("all tell the truth, all believe", "announcer", "announcer"),
        Line("the first lies, all others believe", "announcer:lie,False", "announcer"),
        Line(f"the first always proposes `{dilemma.good}`", f"announcer:truth,True,{dilemma.good}", "announcer"),
        Line(f"the first says so and is `{dilemma.bad}`", f"announcer:lie,False,{dilemma.bad}", "announcer"),
        Line(f"no talk, all are `{dilemma.good}`", f"quiet:{dilemma.good}", f"quiet:{dilemma.good}"),
    )


def returns(id: str, agents: Sequence[str], episodes: int, **options: Any) -> np.ndarray:
    """What each seat got, episode by episode."""
    played = mmgames.match(id, list(agents), episodes=episodes, seed=SEED, **options)
    assert not any(one["failed"] or any(one["illegal"]) for one in played.episodes)
    return np.array([one["returns"] for one in played.episodes])


def dilemma_section(dilemma: Dilemma) -> str:
    rows = []
    for line in lines(dilemma):
        agents = [line.first, *[line.others] * (dilemma.players - 1)]
        got = returns(f"talk/{dilemma.name}-v0", agents, dilemma.episodes)
        rows.append([line.called, mean(got.sum(1)), mean(got[:, 0]), mean(got[:, 1:].mean(1))])
        print(dilemma.name, *rows[-1], sep=" | ", flush=True)
    head = ["group", "all together", "the first", "each other"]
    title = f"## {dilemma.name}: {dilemma.players} players, {dilemma.episodes:,} episodes a line"
    return f"{title}\n\n{markdown_table(head, rows, markup=True)}"


def poker_section() -> str:
    rows = []
    for line in POKER:
        got = returns("talk/KuhnPoker-v0", (line.first, line.others), POKER_EPISODES)
        rows.append([line.called, mean(got[:, 0], "+", 4)])
        print("KuhnPoker", *rows[-1], sep=" | ", flush=True)
    listed = markdown_table(["players", "player_0 gets"], rows)
    return f"## KuhnPoker: {POKER_EPISODES:,} episodes a line\n\n{listed}"


def hanabi_section() -> str:
    rows = []
    for players in (2, 3, 4, 5):
        got = [
            returns("talk/Hanabi-v0", [agent] * players, HANABI_EPISODES, players=players)[:, 0]
            for agent in ("quiet:rule_bot", "teller")
        ]
        full = f"{100 * (got[1] == 25).mean():.0f} %"
        rows.append([str(players), mean(got[0]), mean(got[1]), full])
        print("Hanabi", *rows[-1], sep=" | ", flush=True)
    head = ["players", "`quiet:rule_bot`", "`teller`", "games of `teller` with 25"]
    return f"## Hanabi: {HANABI_EPISODES} episodes a figure\n\n{markdown_table(head, rows, markup=True)}"


def play(names: Sequence[str]) -> None:
    """Play the games and keep the part of the page that each of them makes."""
    sections = {one.name: partial(dilemma_section, one) for one in DILEMMAS}
    sections |= {"KuhnPoker": poker_section, "Hanabi": hanabi_section}
    PLAYED.mkdir(parents=True, exist_ok=True)
    for name in names or sections:
        (PLAYED / f"{name}.md").write_text(sections[name]())


def page() -> None:
    """The page: its words, and what was played."""
    PAGE.write_text(studies.words("talk", **{path.stem: path.read_text() for path in PLAYED.glob("*.md")}))


def chatter(live: LiveGame, seat: int, rng: np.random.Generator) -> str:
    """Any message, to anybody where that can be chosen, or any move."""
    text = str(live.sample(seat, rng))
    roles, view = live.game.seats, live.view(seat)
    if view.talking and view.setting.chosen and rng.random() < 0.6:
        return f"@{roles[(seat + int(rng.integers(1, len(roles)))) % len(roles)]} {text} {rng.integers(1000)}"
    return text


def pairs(name: str, options: dict[str, Any], seed: int) -> Iterator[tuple[LiveGame, int, Any]]:
    """Positions, a seat, and another world that it may be in; pairs of the same world are left out."""
    loaded = registry.load(f"talk/{name}-v0")
    live, rng = LiveGame(loaded, loaded.game(**options)), np.random.default_rng(seed)
    while True:
        live.start(rng)
        while live.movers:
            for seat in range(len(live.game.seats)):
                other = live.game.imagine(live.state, seat, rng)
                if other != live.state:
                    yield live, seat, other
            live.play({seat: live.check(seat, chatter(live, seat, rng)) for seat in live.movers})


def seen(live: LiveGame, view: Any, with_picture: bool) -> tuple[Any, ...]:
    """All that a seat and its page are shown."""
    words, picture = live.loaded.words, live.loaded.picture
    prompts = [Observer(live.loaded, live.game, observe=keys).text(view) for keys in (None, "text")]
    drawn = (picture.draw(view, 96).tobytes(), picture.features(view).tobytes()) if with_picture else ()
    return view, hash(view), prompts, words.names(view), words.talk(view), words.status(view), drawn


def leaks(number: int) -> None:
    each, total, differing = -(-number // len(WORLDS)), 0, 0
    for name, options in WORLDS:
        found = 0
        for count, (live, seat, other) in enumerate(pairs(name, options, SEED), start=1):
            with_picture = count % PICTURE_EVERY == 0
            true, possible = (live.game.view(state, seat) for state in (live.state, other))
            found += seen(live, true, with_picture) != seen(live, possible, with_picture)
            if count == each:
                break
        total, differing = total + each, differing + found
        print(f"{name} {options}: {found} of {each:,} pairs differ", flush=True)
    print(f"together: {differing} of {total:,}")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["play", *names]:
            play(names)
        case ["page"]:
            page()
        case ["leaks", *given]:
            leaks(int(given[0]) if given else 100_000)
        case _:
            sys.exit(__doc__)
