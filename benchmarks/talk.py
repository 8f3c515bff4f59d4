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


class Dilemma(NamedTuple):
    name: str
    players: int
    episodes: int
    good: str  # the way that is better for all if all go it, or the one that is worth proposing
    bad: str


TOLD = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
DILEMMAS = tuple(Dilemma(*one) for one in TOLD["dilemmas"])
POKER = tuple(map(tuple, TOLD["poker"]))
WORLDS = tuple(map(tuple, TOLD["worlds"]))
POKER_EPISODES, HANABI_EPISODES = 20_000, 500


def groups(dilemma: Dilemma) -> tuple[tuple[str, str, str], ...]:
    """Groups of agents: what each is called, who sits in the first seat, and who in all others."""
    return (
        ("nobody says anything", "announcer:nothing", "announcer:nothing"),
        ("all tell the truth, nobody believes", "announcer:truth,False", "announcer:truth,False"),
        ("all tell the truth, all believe", "announcer", "announcer"),
        ("the first lies, all others believe", "announcer:lie,False", "announcer"),
        (f"the first always proposes `{dilemma.good}`", f"announcer:truth,True,{dilemma.good}", "announcer"),
        (f"the first says so and is `{dilemma.bad}`", f"announcer:lie,False,{dilemma.bad}", "announcer"),
        (f"no talk, all are `{dilemma.good}`", f"quiet:{dilemma.good}", f"quiet:{dilemma.good}"),
    )


def returns(id: str, agents: Sequence[str], episodes: int, **options: Any) -> np.ndarray:
    """What each seat got, episode by episode."""
    played = mmgames.match(id, list(agents), episodes=episodes, seed=SEED, **options)
    assert not any(one["failed"] or any(one["illegal"]) for one in played.episodes)
    return np.array([one["returns"] for one in played.episodes])


def section(name: str, about: str, head: Sequence[str], rows: Iterator[list[str]], markup: bool = True) -> str:
    """A part of the page; its rows are also told as soon as they are played."""
    told = []
    for row in rows:
        print(name, *row, sep=" | ", flush=True)
        told.append(row)
    return f"## {name}: {about}\n\n{markdown_table(head, told, markup)}"


def dilemma_section(dilemma: Dilemma) -> str:
    def rows() -> Iterator[list[str]]:
        for called, first, other in groups(dilemma):
            agents = [first, *[other] * (dilemma.players - 1)]
            got = returns(f"talk/{dilemma.name}-v0", agents, dilemma.episodes)
            yield [called, mean(got.sum(1)), mean(got[:, 0]), mean(got[:, 1:].mean(1))]

    about = f"{dilemma.players} players, {dilemma.episodes:,} episodes a line"
    return section(dilemma.name, about, ["group", "all together", "the first", "each other"], rows())


def poker_section() -> str:
    played = ((called, returns("talk/KuhnPoker-v0", pair, POKER_EPISODES)) for called, *pair in POKER)
    rows = ([called, mean(got[:, 0], "+", 4)] for called, got in played)
    return section("KuhnPoker", f"{POKER_EPISODES:,} episodes a line", ["players", "player_0 gets"], rows, markup=False)


def hanabi_section() -> str:
    def rows() -> Iterator[list[str]]:
        for players in (2, 3, 4, 5):
            agents = ([agent] * players for agent in ("quiet:rule_bot", "teller"))
            quiet, told = (returns("talk/Hanabi-v0", one, HANABI_EPISODES, players=players)[:, 0] for one in agents)
            yield [str(players), mean(quiet), mean(told), f"{100 * (told == 25).mean():.0f} %"]

    head = ["players", "`quiet:rule_bot`", "`teller`", "games of `teller` with 25"]
    return section("Hanabi", f"{HANABI_EPISODES} episodes a figure", head, rows())


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
