"""Agents that are drawn for each episode: in one environment, in batches, in matches."""

from collections import Counter
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import mmgames
from mmgames.agents.finding import make_agent
from mmgames.baselines.learning import checkpoint_files, league
from mmgames.baselines.pool import NOT_DRAWN, Pool
from mmgames.core.registry import find
from mmgames.envs.batch_agents import play
from mmgames.errors import MmgamesError
from tests.cases import cases
from tests.environments import begun
from tests.refusing import refused
from tests.test_learned import checkpoint

COIN, TIC = "mmgames/CoinDilemma-v0", "mmgames/TicTacToe-v0"


class Always:
    def __init__(self, action: int) -> None:
        self.action, self.heard = action, []  # type: ignore[var-annotated]

    def begin(self, game: Any, seat: int) -> None:
        self.heard.append("begin")

    def end(self, view: Any) -> None:
        self.heard.append("end")

    def act(self, turn: Any) -> int:
        return self.action


def drawn_in(env: gym.Env, episodes: int, seed: int) -> list[int]:
    found = []
    pool = env.unwrapped.agents[1]  # type: ignore[attr-defined]
    for episode in range(episodes):
        env.reset(seed=seed if episode == 0 else None)
        env.step(0)
        found.append(pool.agents.index(pool.drawn))
    return found


def test_one_member_plays_each_episode_to_its_end_and_the_seed_decides_who() -> None:
    members = [Always(0), Always(1)]
    env = gym.make(COIN, others=Pool(members, weights=[1, 3]), observe=("features",))
    first, again, other = (drawn_in(env, 200, seed) for seed in (3, 3, 4))
    assert first == again != other and 0.65 < sum(first + other) / 400 < 0.85
    heard = Counter(one for member in members for one in member.heard)
    assert heard["begin"] == 600 and 599 <= heard["end"] <= 600, "the last episode has not ended"
    members = [Always(1), Always(2)]
    env = gym.make(COIN, others=Pool(members), observe=("features",))
    pool = env.unwrapped.agents[1]  # type: ignore[attr-defined]
    drawn = set()
    env.reset(seed=0)
    for _ in range(50):
        env.step(0)
        drawn.add(id(pool.drawn))
    assert len(drawn) == 1 and sum(len(member.heard) for member in members) == 2


def test_a_name_makes_a_pool_with_weights_that_fit_its_members() -> None:
    pool = make_agent("pool:0.5*self_interest|2*random|[ippo:,greedy=True]", find("CoinDilemma"))
    assert isinstance(pool, Pool)
    assert [type(agent).__name__ for agent in pool.agents] == ["SelfInterest", "Random", "Learned"]
    assert pool.agents[2].greedy is True  # type: ignore[attr-defined]
    assert pool.chances().tolist() == [0.5 / 3.5, 2 / 3.5, 1 / 3.5]
    result = mmgames.match("CoinDilemma", ["pool:self_interest|random", "random"], 3, processes=1, progress=False)
    assert result.summary()["failed"] == 0
    refused(lambda: Pool(["random", "optimum"], weights=[1]), "1 weights for 2 members")
    refused(lambda: Pool("random|optimum", weights=[1, 2]), "stands before its name")
    refused(lambda: gym.make_vec(TIC, num_envs=2, others="pool:random|minimax"), "Minimax plays one episode at a time")


@pytest.mark.parametrize(("others", "sentence"), cases(__file__)["no pools"])
@pytest.mark.parametrize("make", [gym.make, gym.make_vec])
def test_what_is_no_pool_is_one_sentence(make: Any, others: Any, sentence: str) -> None:
    with pytest.raises(MmgamesError, match=sentence) as refused:
        make(COIN, others=others).reset(seed=0)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("others", ["pool:self_interest|3*random", "pool:ippo|[pool:random|self_interest]"])
def test_batches_draw_for_every_episode(others: str) -> None:
    """Rows draw for themselves: the same seeds, the same episodes, however many rows there are."""
    returns = []
    for rows in (6, 9):
        env = begun(gym.make_vec(COIN, num_envs=rows, seat="red", others=others), 5)
        total = np.zeros(rows)
        for step in range(120):
            _, rewards, *_ = env.step(np.full(rows, step % 5))
            total += rewards
        player = env.unwrapped._other_seats.agents.players[1]
        assert set(player.drawn.tolist()) <= set(range(len(player.pool.agents))) | {NOT_DRAWN}
        returns.append(total[:6].tolist())
        env.close()
    assert returns[0] == returns[1]


def test_a_batch_gives_each_member_its_share() -> None:
    alone = [play("CoinDilemma", ["random", other], 2000, seed=1)[:, 1].mean() for other in ("self_interest", "random")]
    mixed = play("CoinDilemma", ["random", "pool:3*self_interest|random"], 2000, seed=2)[:, 1].mean()
    assert mixed == pytest.approx(0.75 * alone[0] + 0.25 * alone[1], abs=0.8)


def test_a_batch_of_a_pool_is_saved_and_goes_on() -> None:
    def env() -> Any:
        return gym.make_vec(COIN, num_envs=8, others="pool:self_interest|random|ippo").unwrapped

    one, two = env(), env()
    one.reset(seed=1)
    for _ in range(30):
        one.step(np.ones(8, np.int64))
    saved = one.save()
    two.restore(saved)
    for _ in range(60):
        left, right = (each.step(np.full(8, 2))[:2] for each in (one, two))
        assert np.array_equal(left[0]["features"], right[0]["features"]) and np.array_equal(left[1], right[1])
    assert np.array_equal(*(each._other_seats.agents.players[1].drawn for each in (one, two)))
    with pytest.raises(MmgamesError, match="does not tell 'others"):
        two.restore({name: array for name, array in saved.items() if not name.startswith("others.")})


def test_snapshots_of_a_run_are_drawn_with_a_weight_for_the_newest(tmp_path: Path) -> None:
    about, arrays = checkpoint_files.read(checkpoint(tmp_path / "policy.npz"))
    kept: dict[str, np.ndarray] = {}
    for number in range(12):
        kept |= league.snapshot_arrays(number, arrays)
    checkpoint_files.write(tmp_path / "training.npz", about, kept)
    agent = make_agent(f"past:{tmp_path / 'training.npz'},recent=0.5", find(COIN))
    assert isinstance(agent, league.Past) and len(agent.agents) == 12
    assert agent.chances()[-1] == pytest.approx(0.5 + 0.5 / 12) and agent.chances().sum() == pytest.approx(1)
    assert len(play(COIN, [f"past:{tmp_path / 'training.npz'}", "random"], 20, seed=0)) == 20
    env = begun(gym.make(COIN, others=f"pool:past:{tmp_path / 'training.npz'}|random", observe=("features",)))
    env.step(0)
    env.close()
    refused(lambda: make_agent(f"past:{tmp_path / 'policy.npz'}", find(COIN)), "keeps no snapshots")
