"""Agents: one instance a seat, told of every beginning and end, identified by what they are, blind to the deal."""

import threading
from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import pytest

import mmgames
from mmgames.agents.identity import description
from mmgames.core.live import LiveGame
from mmgames.core.registry import load
from mmgames.core.seeding import agent_streams, fresh_rng, row_stream
from mmgames.errors import MmgamesError
from mmgames.running.episodes import forfeited
from mmgames.running.matches import play
from tests.cases import cases
from tests.players import Acts, first_legal, sampled
from tests.refusing import refused

COIN, KUHN, HANABI, PONG = (f"mmgames/{name}-v0" for name in ("CoinDilemma", "KuhnPoker", "TinyHanabi", "PongDuel"))


class Listens:
    """Plays the first legal move and writes down what it is told and asked."""

    def __init__(self, log: list[Any] | None = None) -> None:
        self.log: list[Any] = [] if log is None else log

    def begin(self, game, seat):
        self.log.append(("begin", seat))

    def act(self, turn):
        self.log.append(("act", turn.seat))
        return turn.legal[0]

    def end(self, view):
        self.log.append(("end", view if view is None else view.seat))

    def close(self):
        self.log.append("close")

    def told(self) -> list[Any]:
        return [entry for entry in self.log if entry[0] != "act"]


def test_every_seat_has_an_agent_of_its_own_which_may_share_a_client():
    agent = Listens()
    mmgames.match(COIN, agent, 1, max_steps=3)
    assert agent.log.count(("act", 0)) == 3 and ("act", 1) not in agent.log, "the second seat got a copy"
    env = gymnasium.make("mmgames/Hanabi-v0", players=4, others=agent)
    seated = list(env.unwrapped.agents.values())
    assert len({id(one) for one in seated}) == 3 and seated[0] is agent
    lock = threading.Lock()
    agent = Refreshes(lock)
    env = gymnasium.make("mmgames/Hanabi-v0", players=3, others={"player_1": agent, "player_2": agent})
    one, other = env.unwrapped.agents.values()
    assert one is agent and other is not agent and other.client is lock and other.log is not agent.log
    refused(lambda: mmgames.match(COIN, Chats(lock), 1), r"Chats has several seats and cannot be copied .*fresh\(\)")
    assert mmgames.match(COIN, (Chats(lock), Chats(lock)), 1).summary()["failed"] == 0

    class Lazy(Listens):
        def fresh(self):
            return self

    refused(lambda: mmgames.match(COIN, Lazy(), 1), r"Lazy.fresh\(\) must give another agent")


class Chats(Listens):
    def __init__(self, client: Any) -> None:
        super().__init__()
        self.client = client


class Refreshes(Chats):
    def fresh(self):
        return Refreshes(self.client)


class Model:
    name = "model"

    def __init__(self, model: str, api_key: str = "", temperature: float = 0.0) -> None:
        self.model, self.api_key, self.temperature = model, api_key, temperature

    def act(self, turn):
        return turn.legal[0]


def test_agents_are_told_apart_by_what_they_are_or_say_they_are(tmp_path):
    path = tmp_path / "model.jsonl"
    mmgames.match("TicTacToe", (Model("small", "hush"), "random"), 2, out=path)
    mmgames.match("TicTacToe", (Model("small", "another"), "random"), 3, out=path)
    assert "hush" not in path.read_text() and "another" not in path.read_text(), "no secret is written down"
    before = path.read_bytes()
    with pytest.raises(MmgamesError, match=r"holds other results \(descriptions is .*'small'.* there and .*'large'"):
        mmgames.match("TicTacToe", (Model("large"), "random"), 2, out=path)
    assert path.read_bytes() == before

    class Described(Model):
        def describe(self):
            return {"weights": self.model.upper(), "layers": (1, 2)}

    assert description(Described("a")) == {"weights": "A", "layers": [1, 2]}
    assert description("minimax:depth=3") is None and description(Listens()) is None
    about = mmgames.match("TicTacToe", (Described("a"), "random"), 1).plan.about()
    assert about["descriptions"] == [{"weights": "A", "layers": [1, 2]}, None]

    class Wrong(Model):
        def describe(self):
            return {"client": object()}

    with pytest.raises(MmgamesError, match=r"Wrong.describe\(\) must give what JSON can hold"):
        mmgames.match("TicTacToe", (Wrong("a"), "random"), 1).summary()


class Fails(Listens):
    def act(self, turn):
        raise RuntimeError("lost its way")


class Babbles(Listens):
    def act(self, turn):
        return "well, well"


def test_every_episode_of_a_match_that_begins_ends_and_then_all_is_closed():
    for other, how in (
        (Listens, {}),
        (Fails, {}),
        (Babbles, {}),
        (Babbles, {"on_illegal": "retry"}),
        (Babbles, {"on_illegal": "random"}),
        (Listens, {"max_steps": 2}),
    ):
        agents = Listens(), other()
        mmgames.match("TicTacToe", agents, 2, **how)
        for seat, agent in enumerate(agents):
            assert agent.told() == [("begin", seat), ("end", seat)] * 2 + ["close"]


def test_episodes_end_for_all_whoever_cannot_begin_end_or_close():
    class NoStart(Listens):
        def begin(self, game, seat):
            raise RuntimeError("no line")

    class NoEnd(Listens):
        def end(self, view):
            raise RuntimeError("no goodbye")

    agent = Listens()
    (row,) = mmgames.match("TicTacToe", (agent, NoStart()), 1).episodes
    assert "NoStart in seat 'o': RuntimeError: no line (test_agents.py" in row["failed"] and row["failed_seat"] == "o"
    assert agent.log == [("begin", 0), ("end", None), "close"], "nothing was dealt"
    agent = Listens()
    (row,) = mmgames.match("TicTacToe", (NoEnd(), agent), 1).episodes
    assert "NoEnd in seat 'x': RuntimeError: no goodbye (test_agents.py" in row["failed"]
    assert agent.told() == [("begin", 1), ("end", 1), "close"]
    agent = Listens()
    for step, _ in enumerate(play("TicTacToe", (agent, "random"))):
        if step == 2:
            break
    assert agent.told() == [("begin", 0), ("end", 0), "close"]

    class Hangs(Listens):
        def close(self):
            raise OSError("still busy")

    with pytest.warns(UserWarning, match=r"Hangs.close\(\) raised OSError: still busy"):
        result = mmgames.match("TicTacToe", (Hangs(), "random"), 2)
    assert result.summary()["failed"] == 0


def test_the_gymnasium_environment_tells_of_every_end_also_when_it_breaks_off():
    agent = Listens()
    env = gymnasium.make("mmgames/TicTacToe-v0", others=agent, max_steps=3, disable_env_checker=True)
    told = []

    def goes_on(*more):
        told.extend(more)
        assert agent.told() == told

    env.reset(seed=0)
    goes_on(("begin", 1))
    env.step(8)
    env.step(7)  # the third step is the last
    goes_on(("end", 1))
    env.reset()
    env.reset()
    goes_on(("begin", 1), ("end", 1), ("begin", 1))
    env.step(8)
    *_, terminated, _, info = env.step(8)
    assert terminated and "illegal" in info
    goes_on(("end", 1))
    env.reset()
    env.close()
    goes_on(("begin", 1), ("end", 1), "close")
    watcher, failing = Listens(), Fails()
    env = gymnasium.make("mmgames/Hanabi-v0", players=3, seat=0, others=[watcher, failing], disable_env_checker=True)
    env.reset(seed=0)
    with pytest.raises(RuntimeError, match="lost its way"):
        env.step(int(env.unwrapped.game.legal(env.unwrapped.state_value, 0)[0]))
    assert watcher.told() == [("begin", 1), ("end", 1)] and failing.told() == [("begin", 2), ("end", 2)]


class Meets:
    """Comes to a meeting point in every turn: alone it would wait in vain."""

    concurrent = True

    def __init__(self, meeting: threading.Barrier) -> None:
        self.meeting = meeting

    def fresh(self):
        return Meets(self.meeting)

    def act(self, turn):
        self.meeting.wait(timeout=60)
        return sampled(turn)


def test_simultaneous_movers_are_asked_at_the_same_time_if_they_say_so():
    together = mmgames.match(COIN, Meets(threading.Barrier(2)), 2, max_steps=5).episodes
    apart = mmgames.match(COIN, (Acts(sampled), Acts(sampled)), 2, max_steps=5).episodes
    assert not any(row["failed"] for row in together)
    assert [row["actions"] for row in together] == [row["actions"] for row in apart]
    mixed = mmgames.match(COIN, (Acts(sampled), Meets(threading.Barrier(1))), 2, max_steps=5).episodes
    assert [row["actions"] for row in mixed] == [row["actions"] for row in apart]

    class Both(Fails):
        concurrent = True

    for agents in ((Fails(), Fails()), (Both(), Both()), (Fails(), Both()), (Both(), Fails())):
        (row,) = mmgames.match(COIN, agents, 1).episodes
        assert row["failed_seat"] == "red" and row["illegal"] == [0, 0]
    (row,) = mmgames.match(COIN, (Both(), Babbles()), 1).episodes
    assert row["failed_seat"] == "red" and row["illegal"] == [0, 0]


class Peeks:
    """Tries to deal its own game again from whatever its generator shows."""

    def __init__(self) -> None:
        self.found: list[Any] = []

    def act(self, turn):
        bits = turn.rng.bit_generator
        entropy = bits.seed_seq.entropy
        tries = [fresh_rng(int(entropy) >> shift)[0] for shift in (0, 1)]
        tries.append(np.random.Generator(np.random.PCG64(np.random.SeedSequence(entropy))))
        tries.append(np.random.Generator(np.random.PCG64(np.random.SeedSequence(entropy, spawn_key=()))))
        copied = np.random.PCG64()
        copied.state = bits.state
        tries.append(np.random.Generator(copied))
        self.found.append([self._deal(turn, rng) for rng in tries])
        return turn.legal[0]

    @staticmethod
    def _deal(turn, rng):
        live = LiveGame(load(turn.game.spec.id), turn.game)
        live.start(rng)
        return live.state


@pytest.mark.parametrize("how", ["match", "gymnasium"])
def test_an_agents_generator_does_not_lead_back_to_the_deal(how):
    rebuilt = [0] * 5
    for seed in range(40):
        agent = Peeks()
        if how == "match":
            start = next(states := (live.state for live in play("mmgames/Hanabi-v0", (agent, "random"), seed)))
            next(states)
        else:
            env = gymnasium.make("mmgames/Hanabi-v0", seat=1, others=agent, disable_env_checker=True).unwrapped
            env.reset(seed=seed)
            live = LiveGame(load("mmgames/Hanabi-v0"), env.game)
            live.start(fresh_rng(seed)[0])
            start = live.state
        for way, state in enumerate(agent.found[0]):
            rebuilt[way] += state == start
    assert rebuilt == [0] * 5, "how often each way has dealt the hidden cards again"


def test_streams_depend_on_the_seed_and_the_seat_and_do_not_move_the_game():
    draws = {}
    for seed in range(20):
        rng, _ = fresh_rng(seed)
        before = rng.bit_generator.state
        for seat, stream in enumerate(agent_streams(rng, 3)):
            draws[seed, seat] = tuple(stream.integers(2**60, size=2))
        assert rng.bit_generator.state == before
    assert len(set(draws.values())) == 60
    again = [tuple(stream.integers(2**60, size=2)) for stream in agent_streams(fresh_rng(7)[0], 3)]
    assert again == [draws[7, seat] for seat in range(3)]
    rows = {row_stream(seed, user) for seed in range(1000) for user in ("game", "agents")}
    assert len(rows) == 2000 and all(0 <= stream < 2**64 for stream in rows)


def test_an_agent_in_a_match_sees_as_many_pictures_as_an_environment_gives():
    def looks(turn):
        pictures.append(turn.observe("rgb", size=64, frames=4)["rgb"])
        return turn.legal[len(pictures) % len(turn.legal)]

    pictures: list[np.ndarray] = []
    row = mmgames.match(PONG, (Acts(looks), "random"), 1, seed=4, max_steps=12).episodes[0]
    seen = np.stack(pictures)
    assert seen.shape[:2] == (12, 4)
    assert (seen[0] == seen[0][-1]).all(), "the first picture fills the places before it"
    assert (seen[1:, :-1] == seen[:-1, 1:]).all(), "each turn adds one picture"
    assert any((stack[-1] != stack[0]).any() for stack in seen), "the ball moves"
    env = mmgames.parallel_env(PONG, observe="rgb", size=64, frames=4)
    observations, _ = env.reset(seed=row["seed"])
    for step, actions in enumerate(row["actions"]):
        assert (observations[env.possible_agents[0]]["rgb"] == seen[step]).all()
        observations, *_ = env.step(dict(zip(env.possible_agents, actions, strict=True)))


def test_a_forfeit_loses():
    for utility, seats, totals, offender, expected in cases(__file__)["forfeits"]:
        game = mmgames.load_game(COIN)
        game.spec = replace(game.spec, utility=utility, seats=("a",) * seats)
        assert forfeited(game, totals, offender) == expected


@pytest.mark.parametrize("scenario", ["spread", "adversary", "tag", "push", "reference", "crypto", "world_comm"])
@pytest.mark.parametrize("moves", [0, 20])
def test_nobody_gains_by_a_forfeit_where_every_step_costs_something(scenario, moves):
    played = mmgames.match("Particles", "random", 8, scenario=scenario).returns()
    seats = played.shape[1]
    for seat in range(seats):
        agents = ["random"] * seat + [Acts(*[first_legal] * moves, "hm")] + ["random"] * (seats - 1 - seat)
        (row,) = mmgames.match("Particles", agents, 1, on_illegal="retry", scenario=scenario).episodes
        others = [total for other, total in enumerate(row["returns"]) if other != seat]
        assert row["forfeit"] and row["returns"][seat] < min(*others, *played[:, seat])
