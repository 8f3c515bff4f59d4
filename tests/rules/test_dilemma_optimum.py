"""The optimum of the dilemmas and best answers to agents: modelled as the kernel plays, and worth what they say."""

import functools

import numpy as np
import pytest

import mmgames
from mmgames.agents.finding import seat_agents
from mmgames.baselines.search import best_answer
from mmgames.baselines.search import dilemma_optimum as optimum
from mmgames.baselines.search.dilemma_optimum import MOVED, positions
from mmgames.envs.batch_agents import BatchAgents, play
from mmgames.games._dilemma.rules import CELLS
from mmgames.kernels.kernel import scramble
from mmgames.kernels.threads import Threads
from tests.refusing import refused
from tests.rules.dilemmas import placed


@pytest.mark.parametrize("kind", list(optimum.GAMES), ids=lambda kind: kind.__name__)
def test_what_comes_after_a_move_is_what_the_kernel_does_on_average(kind: type) -> None:
    make_step, places = optimum.GAMES[kind]
    mine, theirs = 1.0, 0.25
    game = mmgames.load_game(kind.__name__)
    # A worth that is a sum over places, so that no table of 25⁵ is needed to look it up.
    shares = np.random.default_rng(3).normal(size=(places, CELLS))
    worth = functools.reduce(np.add.outer, shares.astype(np.float32)).ravel()
    then, threads = np.zeros_like(worth), Threads(1)
    make_step()(functools.partial(threads.run, count=CELLS, threads=1), worth, mine, theirs, then)
    rng = np.random.default_rng(0)
    for trial in range(30):
        state = game.start(rng)
        if trial % 2:  # close together, so that things happen
            state = placed(game, *rng.choice([6, 7, 8, 11, 12, 13, 16, 17], places, replace=False))
        joint = rng.integers(5, size=2)
        r, b = (int(MOVED[state.at[seat], joint[seat]]) for seat in (0, 1))
        expected = then[optimum.numbers(np.array([[r, b, *positions(state.array)[0, 2:]]]))[0]]
        noise = np.uint64(trial)
        states = np.repeat(state.array, 2000)
        for one in states:
            noise = np.uint64(scramble(noise))
            game.kernel.step(one, joint, noise)
        paid = (states["points"] - state.points) @ [mine, theirs]
        got = paid + sum(shares[place][cell] for place, cell in enumerate(positions(states).T))
        error = np.std(got) / len(got) ** 0.5
        assert np.mean(got) == pytest.approx(expected, abs=4.5 * error + 1e-4)


@pytest.mark.parametrize(
    ("game", "worth"), [("CoinDilemma", 14.7145), ("BattleOfTheColors", 29.3423), ("MonsterHunt", 158.047)]
)
def test_the_plan_is_worth_what_it_says(game: str, worth: float) -> None:
    returns = play(game, "optimum", 1000, seed=4).mean(axis=1)
    error = returns.std() / len(returns) ** 0.5
    assert returns.mean() == pytest.approx(worth, abs=4 * error + 0.002 * worth)


def test_turning_the_grid_turns_the_plan() -> None:
    game = mmgames.load_game("MonsterHunt")
    plan = optimum.JointPlan(game)
    rng = np.random.default_rng(1)
    states = np.concatenate([game.start(rng).array for _ in range(50)])
    moves, where = plan.joint(states), positions(states)
    for symmetry in range(8):
        turned = optimum.TURNED[symmetry][where]
        turned_states = states.copy()
        optimum.put_on(turned_states, turned)
        again = plan.joint(turned_states)
        # Both lead to positions that are alike, though not always by the same of several equally good moves.
        for one, other, move, turned_move in zip(where, turned, moves, again, strict=True):
            ends = np.array([MOVED[one[seat], move[seat]] for seat in (0, 1)])
            turned_ends = [MOVED[other[seat], turned_move[seat]] for seat in (0, 1)]
            there = optimum.TURNED[symmetry][ends]
            alike = [np.concatenate((place, other[2:])) for place in (there, turned_ends)]
            first, second = (optimum.firsts(one[None].astype(np.int64))[0][0] for one in alike)
            assert first == second


def test_it_gets_what_it_is_worth_and_at_least_what_the_agent_gets() -> None:
    game, agent = "BattleOfTheColors", "optimum"
    worth, returns = best_answer.answered(game, agent, 1000, 3)
    error = returns.std() / len(returns) ** 0.5
    assert returns.mean() == pytest.approx(worth, abs=4 * error)
    own = play(game, [agent, agent], 1000, seed=4)[:, 0]
    assert worth > own.mean() - 4 * own.std() / len(own) ** 0.5


def test_habits_are_how_often_an_agent_moves_so() -> None:
    """A learned policy's chances against its own draws, and a compiled one's against what it does."""
    game = mmgames.load_game("CoinDilemma")
    env = mmgames.vector_env("CoinDilemma", 400)
    seen, _ = env.reset(seed=5)
    number = best_answer.numbers(best_answer.positions(env.states))
    for agent in ("ippo", "self_interest"):
        made = seat_agents(agent, game, [1])[1]
        chances = best_answer.MoveProbabilities(game, made, Threads(2)).at(0)[number]
        np.testing.assert_allclose(chances.sum(axis=1), 1, rtol=1e-5)
        counts = np.zeros_like(chances)
        crowd = BatchAgents(env, {1: made}, 6)
        for _ in range(100):
            joint = np.zeros((400, 2), np.int64)
            crowd.act(seen, joint, np.zeros(400, bool))
            counts[np.arange(400), joint[:, 1]] += 1 / 100
        assert np.abs(counts - chances).max() < 0.25
        assert np.abs((counts - chances).mean(axis=0)).max() < 0.01


def test_one_plan_plays_many_episodes_or_one_at_a_time_only_for_red_and_says_what_it_cannot_answer() -> None:
    game = mmgames.load_game("CoinDilemma")
    answer = best_answer.BestAnswer(game, seat_agents("self_interest", game, [1])[1])
    refused(lambda: answer.begin(game, 1), "red's")
    together = play("CoinDilemma", [answer, "self_interest"], 1000, seed=3)[:, 0]
    assert together.mean() == pytest.approx(answer.worth, abs=4 * together.std() / len(together) ** 0.5)
    own = play("CoinDilemma", ["self_interest"] * 2, 1000, seed=4)[:, 0]
    assert answer.worth > own.mean() - 4 * own.std() / len(own) ** 0.5
    result = mmgames.match("CoinDilemma", [answer, "self_interest"], episodes=20, processes=1, progress=False)
    alone = result.returns()[:, 0]
    assert alone.mean() == pytest.approx(answer.worth, abs=4 * alone.std() / len(alone) ** 0.5)
    battle = mmgames.load_game("BattleOfTheColors", rules="released")
    refused(lambda: best_answer.BestAnswer(battle, object()), "as it is by default")
    refused(lambda: best_answer.BestAnswer(mmgames.load_game("CoinDilemma"), object()), "no compiled policy")
