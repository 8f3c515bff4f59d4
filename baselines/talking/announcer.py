"""Who announces what it is about to do in a dilemma, and believes what others announce, or not.

An announcer has a way to play, of two. It says which, and a believer settles with the others what to do: the first seat
that has said something does as it said. Where players should do the same, the others follow it. Where they should
share the work, each does as it said unless enough of the others, seat after seat, do so already.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

from mmgames.agents.base import Agent
from mmgames.agents.finding import make_agent
from mmgames.baselines.talking.quiet import move_like, rules_with_talk
from mmgames.core.game import Game, Seat
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError, unknown
from mmgames.games._talk.rules import SILENCE, TalkView, signal_names

Says = Literal["truth", "lie", "nothing"]


class Way(NamedTuple):
    """A way to play: the agent that plays so without talk, and the sentence that announces it."""

    agent: str
    sentence: str


class Ways(NamedTuple):
    first: Way
    second: Way
    shared: bool = False  # half of the players should go the first way, and not all the same


WAYS = {
    "mmgames/CoinDilemma-v0": Ways(
        Way("common_welfare", "I take only coins of my own colour."), Way("self_interest", "I take the nearest coin.")
    ),
    "mmgames/MonsterHunt-v0": Ways(
        Way("wait_middle", "I wait for the monster in the middle."), Way("self_interest", "I go for the apples.")
    ),
    "mmgames/BattleOfTheColors-v0": Ways(
        Way("biased_red", "I go to the red block."), Way("biased_blue", "I go to the blue block.")
    ),
    "mmgames/Harvest-v0": Ways(
        Way("restrained", "I leave apples where few are left."), Way("greedy", "I eat whatever I see.")
    ),
    "mmgames/Cleanup-v0": Ways(Way("cleaner", "I clean the water."), Way("eater", "I eat apples."), shared=True),
}


def settled(said: Mapping[Seat, int], seat: Seat, players: int, shared: bool) -> int:
    """What a believer does: the number of its way, once it has heard the others; `said` has its own intention too."""
    if not shared:
        return said[min(said)]
    wanted, first = players // 2, 0
    for number, other in enumerate(sorted(said)):
        left = players - number
        way = said[other] if first < wanted < first + left else int(first >= wanted)
        if other == seat:
            return way
        first += way == 0
    raise AssertionError("a seat is among those who have an intention")


class Announcer(Agent):
    """Says which of two ways it is going to play (`says`: truth, lie or nothing), and believes others (`believes`).

    `way` is the name of an agent, or `random`: one of the two is drawn for each episode.
    """

    def __init__(self, says: Says = "truth", believes: bool = True, way: str = "random") -> None:
        if says not in get_args(Says):
            raise unknown("value", says, "says of announcer", get_args(Says))
        if not isinstance(believes, bool):
            raise MmgamesError(f"believes={believes!r} is not possible; it is True or False.")
        self.says, self.believes, self.way = says, believes, way
        self._agents: list[Agent] = []
        self._intends: int | None = None

    def begin(self, game: Game[Any, Any], seat: Seat) -> None:
        inner = rules_with_talk(game, "announcer").inner.spec
        if inner.id not in WAYS:
            raise unknown("game", inner.id, "announcer", WAYS)
        self._ways = WAYS[inner.id]
        names = [way.agent for way in self._ways[:2]]
        if self.way not in ("random", *names):
            raise unknown("way", self.way, inner.id, ("random", *names))
        self._agents = [make_agent(name, inner) for name in names]
        self._intends = None if self.way == "random" else names.index(self.way)

    def act(self, turn: Turn) -> str:
        if not self._agents:
            self.begin(turn.game, turn.seat)
        if self._intends is None:
            self._intends = int(turn.rng.integers(2))
        if turn.view.talking:
            return self._message(turn.view)
        return move_like(self._agents[self._chosen(turn.view)], turn)

    def _message(self, view: TalkView) -> str:
        if self.says == "nothing":
            return SILENCE
        assert self._intends is not None
        way = self._intends if self.says == "truth" else 1 - self._intends
        return _sentences(self._ways, view)[way]

    def _chosen(self, view: TalkView) -> int:
        assert self._intends is not None and view.seat is not None
        if not self.believes:
            return self._intends
        sentences = _sentences(self._ways, view)
        said = {one.sender: sentences.index(one.words) for one in view.heard if one.words in sentences}
        return settled(said | {view.seat: self._intends}, view.seat, len(view.roles), self._ways.shared)


def _sentences(ways: Ways, view: TalkView) -> Sequence[str]:
    """How the two ways are announced."""
    signals = signal_names(view.setting.signals)
    return signals[1:3] if len(signals) > 2 else [way.sentence for way in ways[:2]]
