"""How quickly the play page answers: `python benchmarks/play.py [--only FIGURE] [--json]`.

clicks    from a move that is sent to the next picture that is there, median of each discrete game, others random;
sessions  the same in 50 games at once, of people who click every one to two seconds and of programs that click at once,
          beside one game alone
memory    of the server after 100, 500 and 1,000 whole games of TicTacToe
mixed     of the server after 100, 500 and 1,000 games of all kinds, one after the other, each with its first moves or
          all of them, every seventh left open

The server is a process of its own, as `mmgames play` starts it. Beside the wall clock stands what a click cost it
in CPU time, which neighbours on a busy machine do not change.
"""

import contextlib
import json
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

from page_visitors import GAMES, PageServer, Refusal, Visitor, milliseconds, show, started, together

from mmgames.core import registry
from mmgames.text.command_line import read_arguments

MOVES = 15  # of each game
THINKING = (1.0, 2.0)  # seconds before each click
SAID = ("What do you see?", "I see something round.", "Go on.")  # where moves have no names


@contextlib.contextmanager
def serving() -> Iterator[PageServer]:
    with tempfile.TemporaryDirectory() as folder, started("--records", folder) as process:
        assert process.stdout
        yield PageServer(process, process.stdout.readline().split()[-1])


class Player(Visitor):
    """A page without a browser: one game, seen by its first seat."""

    def __init__(self, server: PageServer, game: str) -> None:
        super().__init__(server)
        choices = self.ask(f"set-up?game={game}")
        agents = ["person", *["random"] * (len(choices["seats"]) - 1)]
        made = self.ask("game", {"game": game, "agents": agents})
        self.id, self.key = made["id"], made["seats"][0]["key"]
        self.listen(f"game/{self.id}/events?key={self.key}")

    def ask(self, path: str, body: Any = None) -> Any:
        try:
            return super().ask(path, body)
        except ConnectionError:  # the server hangs up after a while, as while a kernel is compiled; browsers call again
            self.asking.close()
            return super().ask(path, body)

    def turn(self) -> dict[str, Any] | None:
        """The next position in which this seat moves; None: the game is over."""
        while True:
            message = self.hear()
            if "end" in message:
                return None
            if message.get("frame", {}).get("yours"):
                return message["frame"]

    def play(self, rng: random.Random, most: int = 10_000, thinking: tuple[float, float] | None = None) -> list[float]:
        """How long the clicks of a game, or its first ones, took until the next message was there."""
        took: list[float] = []
        frame = self.turn()
        while frame is not None and len(took) < most:
            if thinking:
                time.sleep(rng.uniform(*thinking))
            move = rng.choice(frame["moves"])["action"] if frame["moves"] else rng.choice(SAID)
            begun = time.perf_counter()
            self.ask(f"game/{self.id}/move", {"key": self.key, "number": frame["number"], "said": move})
            message = self.hear()
            took.append(time.perf_counter() - begun)
            if "end" in message:
                break
            frame = message["frame"] if message["frame"]["yours"] else self.turn()
        return took

    def close(self) -> None:
        with contextlib.suppress(Refusal):
            self.ask(f"game/{self.id}/leave", {"key": self.key})
        super().close()


def clicks(server: PageServer) -> dict[str, Any]:
    rows = {}
    for game in (spec.name for spec in registry.specs.values() if spec.actions == "discrete"):
        rng = random.Random(0)
        took: list[float] = []
        Player(server, game).close()  # rules are compiled and pictures prepared once
        with contextlib.closing(Player(server, game)) as player:
            player.play(rng, 1)  # so are agents
        cpu = 0.0
        while len(took) < MOVES:
            player = Player(server, game)
            before = server.cpu()
            took += player.play(rng, MOVES - len(took))
            cpu += server.cpu() - before
            player.close()
        rows[game] = milliseconds(median=statistics.median(took), worst=max(took), cpu=cpu / len(took))
    return rows


def sessions(server: PageServer, count: int = 50, most: int = 10) -> dict[str, Any]:
    def clicked(number: int, player: Player, thinking: tuple[float, float] | None) -> list[float]:
        with contextlib.closing(player):
            return player.play(random.Random(number), most, thinking)

    def crowd(people: int, thinking: tuple[float, float] | None) -> tuple[list[float], float]:
        """The times of all clicks once everybody has a game, and the server's CPU time for each."""
        players = [Player(server, GAMES[number % len(GAMES)]) for number in range(people)]
        begun = server.cpu()
        found = together([partial(clicked, number, player, thinking) for number, player in enumerate(players)])
        times = [time for own in found for time in own]
        return times, (server.cpu() - begun) / len(times)

    crowd(len(GAMES), None)  # what is compiled and prepared once
    alone = [clicked(number, Player(server, game), (0.05, 0.1)) for number, game in enumerate(GAMES)]
    one = statistics.median(time for own in alone for time in own)
    found: dict[str, Any] = {"sessions": count, **milliseconds(alone=one)}
    for name, thinking in (("people", THINKING), ("at_once", None)):
        times, cpu = crowd(count, thinking)
        median = statistics.median(times)
        slow = {"95th": statistics.quantiles(times, n=20)[-1], "cpu": cpu}
        found[name] = {**milliseconds(median=median), "ratio": round(median / one, 2), **milliseconds(**slow)}
    return found


def memory(server: PageServer, games: int = 1000) -> dict[str, Any]:
    rng, found = random.Random(1), {}
    for number in range(1, games + 1):
        with contextlib.closing(Player(server, "TicTacToe")) as player:
            player.play(rng)
        if number in (games // 10, games // 2, games):
            found[f"after_{number}_mb"] = server.memory()[0]
    return found


def mixed(server: PageServer, games: int = 1000, moves: int = 8) -> dict[str, Any]:
    names = [spec.name for spec in registry.specs.values() if spec.actions != "box" and not registry.why_missing(spec)]
    rng, found, left = random.Random(2), {}, []
    for number in range(1, games + 1):
        player = Player(server, names[number % len(names)])
        player.play(rng, moves)
        if number % 7:
            player.close()
        else:  # a tab that somebody has forgotten
            left = [*left, player][-20:]
        if number in (games // 10, games // 2, games):
            found[f"after_{number}_mb"] = server.memory()[0]
    return found


def main() -> None:
    figures: dict[str, Any] = {one.__name__: one for one in (clicks, sessions, memory, mixed)}
    args = read_arguments(__doc__, __file__)
    most = {"memory": {"games": args.games}, "mixed": {"games": args.games}}
    with serving() as server:
        result = {name: figures[name](server, **most.get(name, {})) for name in ([args.only] if args.only else figures)}
    if args.json:
        print(json.dumps(result, indent=1))
        return
    for name, found in result.items():
        print(name)
        show({f"  {key}": value for key, value in found.items()})


if __name__ == "__main__":
    main()
