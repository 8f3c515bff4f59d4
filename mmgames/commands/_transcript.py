"""An episode as pages and terminals tell it: what everybody did and said, and a few of its positions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mmgames.core.spec import GameSpec
    from mmgames.running.endings import Ending

PICTURES = 4  # of each episode, the first and the last position among them


@dataclass
class Deed:
    """What one seat did in one step: the name of its move or its message, and the replies that led to it."""

    step: int
    seat: int
    role: str
    did: str  # "" when no move came of it
    replies: list[str] = field(default_factory=list)  # the accepted one last; none when it is all in `did`
    refusals: list[str] = field(default_factory=list)  # why, for each reply that was refused


@dataclass
class Transcript:
    """One episode from its record."""

    spec: GameSpec
    seats: tuple[str, ...]
    agents: list[str]
    steps: int
    returns: list[float]
    events: dict[str, int]
    deeds: list[Deed]
    views: list[Any]  # of the spectator or the asked seat, one for each position
    first_role: str = ""
    first_view: Any = None
    prompt: str = ""
    ending: Ending | None = None  # who has won it, and the scores
    seconds: float = 0.0
    files: list[tuple[str, str]] = field(default_factory=list)  # caption and file name

    @property
    def talks(self) -> bool:
        return self.spec.actions == "text"

    def moments(self) -> list[tuple[str, Any]]:
        """A few positions, the first and the last among them, with captions."""
        last = len(self.views) - 1
        numbers = sorted({round(last * i / (PICTURES - 1)) for i in range(PICTURES)})
        return [(self.caption(i), self.views[i]) for i in numbers]

    def caption(self, step: int) -> str:
        last = len(self.views) - 1
        return "start" if step == 0 else f"step {step}, the end" if step == last else f"step {step}"

    def lines(self) -> list[str]:
        """The episode in plain text, a line or more for each deed."""
        wide = max(map(len, self.seats))
        lines = []
        for deed in self.deeds:
            head = f"{deed.step + 1:>4}  {deed.role:<{wide}}  "
            said = [f"(refused: {why}) {text}" for text, why in zip(deed.replies, deed.refusals, strict=False)]
            said += deed.replies[len(deed.refusals) :]
            said += [deed.did] if deed.did and deed.did not in said else []
            for number, text in enumerate(said):
                first = head if not number else " " * len(head)
                lines.append(first + text.strip().replace("\n", "\n" + " " * len(head)))
        return lines


def transcribe(record: Mapping[str, Any], seat: str | None = None) -> Transcript:
    """Replay an episode and keep what there is to tell; `seat` is whose views are kept, None for the spectator's."""
    from mmgames.agents.finding import find_seat
    from mmgames.core.observation import Observer
    from mmgames.running.endings import ending_of
    from mmgames.running.replays import replay

    transcript: Transcript | None = None
    replies = list(record.get("replies", ()))
    names: dict[int, Mapping[Any, str]] = {}
    whose: int | None = None
    for step, live in enumerate(replay(record)):
        game, words = live.game, live.loaded.words
        if transcript is None:
            agents = list(record.get("agents", ["?"] * len(game.seats)))
            transcript = Transcript(game.spec, game.seats, agents, 0, [], {}, [], [])
            whose = None if seat is None else find_seat(game, int(seat) if seat.isdecimal() else seat)
            if live.movers:
                transcript.first_role = game.seats[live.movers[0]]
                transcript.first_view = live.view(live.movers[0])
                transcript.prompt = Observer(live.loaded, game, observe=("rgb", "text")).text(transcript.first_view)
        else:
            _note(transcript, step - 1, record["actions"][step - 1], names, replies)
        transcript.views.append(live.view(whose))
        names = {mover: {} if transcript.talks else words.names(live.view(mover)) for mover in live.movers}
    assert transcript is not None
    transcript.steps = len(transcript.views) - 1
    _note(transcript, transcript.steps, [None] * len(transcript.seats), names, replies)
    transcript.returns = list(record.get("returns") or live.totals)
    transcript.events = dict(live.game.events(live.state))
    transcript.ending = ending_of(live, record)
    return transcript


def _note(transcript: Transcript, step: int, actions: list[Any], names: Mapping[int, Any], replies: list[Any]) -> None:
    for seat, role in enumerate(transcript.seats):
        said = [reply for reply in replies if reply["step"] == step and reply["seat"] == role]
        action = actions[seat]
        if action is None and not said:
            continue
        refusals = [reply["refused"] for reply in said if "refused" in reply]
        texts = [reply["reply"] for reply in said]
        did = "" if action is None else _name(action, names.get(seat, {}))
        transcript.deeds.append(Deed(step, seat, role, did, [] if texts == [did] else texts, refusals))


def _name(action: Any, names: Mapping[Any, str]) -> str:
    if isinstance(action, list):
        return ", ".join(f"{value:.3g}" if isinstance(value, float) else str(value) for value in action)
    return names.get(action, str(action))
