"""Spy: clues in turn, then a vote of the civilians at once, over two pictures that differ a little."""

import zlib
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from mmgames.core.game import Game, Seat
from mmgames.core.spec import GameSpec
from mmgames.errors import MmgamesError, unknown
from mmgames.games.spy import pictures, seat_names
from mmgames.games.spy.pictures.noise import Noisy
from mmgames.games.spy.pictures.pair import Pair, PairSource, PictureScene

Stage = Literal["clue", "vote", "over"]
Role = Literal["civilian", "spy", "observer", "spectator"]
NOBODY = "N/A"
RIGHT, ABSTAINED, WRONG = 1.0, -0.5, -1.0
FORMAT, VOTE, BONUS = 0.3, 1.2, 0.99  # of the released rewards

SMALL_TALK = (
    "There is something to see in the middle.",
    "I like the colours.",
    "It is a tidy picture.",
    "Some of it is on the left, some on the right.",
    "I have seen pictures like this before.",
)
"""What somebody may say who does not look."""


class Clue(NamedTuple):
    """What somebody said when it was their turn; `words` is empty if nothing counts, and `flaw` says why."""

    words: str
    flaw: Literal["", "empty", "too long"] = ""


class Vote(NamedTuple):
    """Whom somebody voted for: a player's seat, or None. `flaw` is why an invalid vote is none, empty for N/A."""

    choice: Seat | None
    flaw: str = ""

    @property
    def valid(self) -> bool:
        return not self.flaw


class SpyState(NamedTuple):
    pair: Pair
    spies: tuple[Seat, ...]
    order: tuple[Seat, ...]
    clues: tuple[Clue, ...] = ()  # in the order in which they were given
    votes: tuple[tuple[Seat, Vote], ...] = ()


class Setting(NamedTuple):
    """What everybody knows beforehand."""

    civilians: int
    spies: int
    rounds: int
    observed: bool
    paid: bool  # by the paper's rewards
    silence_loses: bool
    beta: float
    lam: float


class KnownClue(NamedTuple):
    seat: Seat
    round: int
    words: str


class SpyView(NamedTuple):
    """What a seat may know. Roles, votes and the other picture are told when it is over, and to spectators."""

    seat: Seat | None
    role: Role
    picture: PictureScene | None  # the own one
    setting: Setting
    order: tuple[Seat, ...]
    clues: tuple[KnownClue, ...]
    stage: Stage
    speaker: Seat | None  # whose clue is next
    asked: bool  # whether this seat is to say something now
    pair: Pair | None = None
    spies: tuple[Seat, ...] | None = None
    votes: tuple[tuple[Seat, Vote], ...] = ()

    @property
    def players(self) -> int:
        return self.setting.civilians + self.setting.spies


class Spy(Game[SpyState, SpyView]):
    def __init__(self, spec: GameSpec, **options: Any) -> None:
        super().__init__(spec, **options)
        chosen = self.options
        civilians, spies, rounds = (int(chosen[name]) for name in ("civilians", "spies", "clue_rounds"))
        if spies >= civilians:
            raise MmgamesError(
                f"{spec.id}: spies={spies} is too many for civilians={civilians}; civilians are the majority."
            )
        self.setting = Setting(
            civilians, spies, rounds, chosen["judge"] == "observer", chosen["reward"] == "paper",
            chosen["silence"] == "loses", float(chosen["beta"]), float(chosen["lam"]),
        )  # fmt: skip
        self.players = civilians + spies
        self.settle(seats=seat_names(self.players, self.setting.observed), length=rounds * self.players + 1)
        source = pictures.find(chosen["pictures"])
        self.source: PairSource = Noisy(source, chosen["noise"], chosen["noise_kind"]) if chosen["noise"] else source
        self.first_spy = self._named(chosen["spy"])
        self._pool: dict[int, Pair] = {}

    def _named(self, spy: Any) -> Seat | None:
        players = self.seats[: self.players]
        if spy == "random":
            return None
        if spy not in players:
            raise unknown("spy", spy, self.spec.id, ("random", *players))
        return players.index(spy)

    def start(self, rng: np.random.Generator) -> SpyState:
        # Roles and order are drawn before the pair, so that they do not depend on how many draws a picture takes.
        spies = self._spies(rng, range(self.players), self.first_spy)
        order = rng.permutation(self.players).tolist() if self.options["order"] == "shuffled" else range(self.players)
        return SpyState(self._draw(rng), spies, tuple(order))

    def _spies(self, rng: np.random.Generator, suspects: Any, first: Seat | None) -> tuple[Seat, ...]:
        drawn = [int(suspects[i]) for i in rng.permutation(len(suspects))]
        if first is not None:
            drawn = [first, *(seat for seat in drawn if seat != first)]
        return tuple(sorted(drawn[: self.setting.spies]))

    def _draw(self, rng: np.random.Generator) -> Pair:
        instances = int(self.options["instances"])
        if not instances:
            return self.source.pair(rng)
        number = int(rng.integers(instances))
        if number not in self._pool:
            entropy = [zlib.crc32(self.spec.name.encode()), number]
            self._pool[number] = self.source.pair(np.random.default_rng(entropy))
        return self._pool[number]

    def stage(self, state: SpyState) -> Stage:
        if state.votes:
            return "over"
        return "clue" if len(state.clues) < self.setting.rounds * self.players else "vote"

    def voters(self, state: SpyState) -> tuple[Seat, ...]:
        if self.setting.observed:
            return (self.players,)
        return tuple(seat for seat in range(self.players) if seat not in state.spies)

    def movers(self, state: SpyState) -> tuple[Seat, ...]:
        stage = self.stage(state)
        if stage == "clue":
            return (state.order[len(state.clues) % self.players],)
        return self.voters(state) if stage == "vote" else ()

    def legal(self, state: SpyState, seat: Seat) -> tuple[str, ...]:
        if self.stage(state) != "vote" or seat not in self.voters(state):
            return ()
        return ballot(self.seats[: self.players], seat)

    def sample(self, state: SpyState, seat: Seat, rng: np.random.Generator) -> str:
        if self.stage(state) == "clue":
            return SMALL_TALK[int(rng.integers(len(SMALL_TALK)))]
        return super().sample(state, seat, rng)

    def play(self, state: SpyState, actions: Mapping[Seat, Any], rng: np.random.Generator) -> SpyState:
        if self.stage(state) == "clue":
            ((seat, clue),) = actions.items()
            told = state._replace(clues=(*state.clues, clue))
            if not (clue.flaw and self.setting.silence_loses):
                return told
            # Silence never pays: the round ends as if everybody had voted for whoever keeps it.
            return told._replace(votes=tuple((voter, Vote(seat)) for voter in self.voters(state)))
        return state._replace(votes=tuple(sorted(actions.items())))

    # What a round comes to

    def tally(self, state: SpyState) -> np.ndarray:
        """How many votes every player got."""
        counts = np.zeros(self.players)
        for _, vote in state.votes:
            if vote.choice is not None:
                counts[vote.choice] += 1
        return counts

    def caught(self, state: SpyState) -> bool:
        """Whether a spy alone has the most votes."""
        counts = self.tally(state)
        most = np.flatnonzero(counts == counts.max())
        return counts.max() > 0 and len(most) == 1 and int(most[0]) in state.spies

    def clue_rewards(self, state: SpyState) -> np.ndarray:
        """What their clues earned the players: zero in all."""
        rewards = np.zeros(len(self.seats))
        beta, lam = self.options["beta"], self.options["lam"]
        rewards[: self.players] = clue_rewards(self.tally(state), state.spies, beta, lam)
        return rewards

    def vote_rewards(self, state: SpyState) -> np.ndarray:
        rewards = np.zeros(len(self.seats))
        for seat, vote in state.votes:
            right = vote.choice in state.spies
            worth = RIGHT if right else ABSTAINED if vote.choice is None and vote.valid else WRONG
            if not self.setting.paid:
                worth = FORMAT * (1 if vote.valid else -1) + VOTE * worth + BONUS * right
            rewards[seat] = worth
        return rewards

    def returns(self, state: SpyState) -> tuple[float, ...]:
        if not state.votes:
            return (0.0,) * len(self.seats)
        return tuple((self.clue_rewards(state) + self.vote_rewards(state)).tolist())

    def parts(self, state: SpyState) -> Mapping[str, Sequence[float]]:
        if not state.votes:
            return {}
        return {"clues": self.clue_rewards(state).tolist(), "votes": self.vote_rewards(state).tolist()}

    def events(self, state: SpyState) -> Mapping[str, int]:
        votes = [vote for _, vote in state.votes]
        return {
            "caught": int(bool(votes) and self.caught(state)),
            "votes": len(votes),
            "votes right": sum(vote.choice in state.spies for vote in votes),
            "votes N/A": sum(vote.choice is None and vote.valid for vote in votes),
            "votes invalid": sum(not vote.valid for vote in votes),
            "no clue": sum(bool(clue.flaw) for clue in state.clues),
        }

    def record(self, state: SpyState) -> Mapping[str, Any]:
        """The roles, the changes, the whole dialogue, the votes, and what clues and votes earned."""
        names, over = self.seats, bool(state.votes)
        return {
            "spies": [names[seat] for seat in state.spies],
            "pair": state.pair.name,
            "changes": [change._asdict() for change in state.pair.changes],
            "clues": [
                {"seat": names[said.seat], "round": said.round, "words": clue.words, "flaw": clue.flaw}
                for said, clue in zip(self._said(state), state.clues, strict=True)
            ],
            "votes": [
                {
                    "seat": names[seat],
                    "vote": names[vote.choice] if vote.choice is not None else NOBODY if vote.valid else None,
                    "flaw": vote.flaw,
                }
                for seat, vote in state.votes
            ],
            "clue_rewards": self.clue_rewards(state).tolist() if over else [],
            "vote_rewards": self.vote_rewards(state).tolist() if over else [],
        }

    # What everybody knows

    def role(self, state: SpyState, seat: Seat | None) -> Role:
        if seat is None:
            return "spectator"
        return "observer" if seat >= self.players else "spy" if seat in state.spies else "civilian"

    def _said(self, state: SpyState) -> tuple[KnownClue, ...]:
        return tuple(
            KnownClue(state.order[number % self.players], number // self.players + 1, clue.words)
            for number, clue in enumerate(state.clues)
        )

    def view(self, state: SpyState, seat: Seat | None) -> SpyView:
        stage, movers = self.stage(state), self.movers(state)
        role = self.role(state, seat)
        told = seat is None or stage == "over"
        return SpyView(
            seat=seat,
            role=role,
            picture=None if seat is None else state.pair.changed if role == "spy" else state.pair.original,
            setting=self.setting,
            order=state.order,
            clues=self._said(state),
            stage=stage,
            speaker=movers[0] if stage == "clue" else None,
            asked=seat in movers,
            pair=state.pair if told else None,
            spies=state.spies if told else None,
            votes=state.votes if told else (),
        )

    def imagine(self, state: SpyState, seat: Seat, rng: np.random.Generator) -> SpyState:
        """Other spies, and another picture in place of the one that the seat does not see."""
        if state.votes:
            return state
        spy = seat in state.spies
        if self.first_spy is None:
            suspects = [other for other in range(self.players) if other != seat]
            drawn = [suspects[int(i)] for i in rng.permutation(len(suspects))]
            state = state._replace(spies=tuple(sorted([*[seat] * spy, *drawn][: self.setting.spies])))
        seen = state.pair.changed if spy else state.pair.original
        other = self.source.vary(seen, rng)
        if other is None:
            return state
        pair = Pair(other.changed, seen, other.changes) if spy else other
        return state._replace(pair=pair)


def clue_rewards(votes: np.ndarray, spies: Sequence[Seat], beta: float, lam: float) -> np.ndarray:
    """What clues earn players who got these votes: for less suspicion than the other side, and than one's own."""
    rewards = np.zeros(len(votes))
    civilians = [seat for seat in range(len(votes)) if seat not in spies]
    of_spies, of_civilians = votes[list(spies)].mean(), votes[civilians].mean()
    gap = of_spies - of_civilians
    for seat in spies:
        rewards[seat] = -beta / len(spies) * gap - lam * (votes[seat] - of_spies)
    for seat in civilians:
        rewards[seat] = beta / len(civilians) * gap - lam * (votes[seat] - of_civilians)
    return rewards


def ballot(players: tuple[str, ...], seat: Seat) -> tuple[str, ...]:
    """Whom a seat can vote for."""
    return (*(name for other, name in enumerate(players) if other != seat), NOBODY)
