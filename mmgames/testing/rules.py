"""What a game says of itself in its spec and on its page is true in play."""

import json
import math
import re
from typing import Any

import numpy as np
import pytest

from mmgames.agents.finding import known_agents, make_agent
from mmgames.core import registry
from mmgames.core.game import CHANCE
from mmgames.core.spec import GameSpec
from mmgames.errors import MissingExtra, MissingHere
from mmgames.running.endings import ending_of
from mmgames.running.episodes import EpisodePlayer, make_plan
from mmgames.running.replays import replay
from mmgames.testing.playing import advance, begin, episodes, moves, positions

HEADINGS = ("Description", "Rules", "Actions", "Observation", "Rewards", "Episode end", "Agents", "Source")


def option_values(spec: GameSpec) -> list[dict[str, Any]]:
    """Each option at each of its choices or at its bounds, the others at their defaults.

    A setting that needs a package, a driver or files which this machine does not have is left out.
    """
    settings: list[dict[str, Any]] = [{}]
    for name, option in spec.options.items():
        bounds = [kind for kind in (option.low, option.high) if kind is not None]
        values = option.choices or [type(option.default)(bound) for bound in bounds]
        settings += [{name: value} for value in values]
    return [setting for setting in settings if _can_be_had(spec, setting)]


def _can_be_had(spec: GameSpec, setting: dict[str, Any]) -> bool:
    try:
        registry.load(spec.id).game(**setting)
    except (MissingExtra, MissingHere):
        return False
    return True


def test_the_page_has_all_its_headings_in_order(spec: GameSpec) -> None:
    assert tuple(re.findall(r"^## (.+)$", spec.doc, re.M)) == HEADINGS
    summary, *sections = re.split(r"^## .+$", spec.doc, flags=re.M)
    assert summary.strip()
    assert all(section.strip() for section in sections), "a heading stands above nothing"


def test_the_seats_have_names_of_their_own(spec: GameSpec) -> None:
    for options in option_values(spec):
        seats = begin(spec, **options).game.seats
        assert seats and len(set(seats)) == len(seats)
        assert all(re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", seat) for seat in seats)


def test_an_episode_is_never_longer_than_the_spec_says(spec: GameSpec) -> None:
    for seed in range(episodes(spec, 4)):
        *_, live = positions(spec, seed, most=spec.length)
        assert live.movers == ()


def test_every_setting_of_every_option_plays(spec: GameSpec) -> None:
    for options in option_values(spec):
        for live in positions(spec, seed=1, most=6, **options):
            assert len(live.totals) == len(live.game.seats)


def test_movers_are_one_or_several_seats_as_the_dynamics_say(spec: GameSpec) -> None:
    counts = {len(live.movers) for live in positions(spec, seed=2, most=30) if live.movers}
    if spec.dynamics == "sequential":
        assert counts == {1}
    elif spec.dynamics == "mixed":
        assert min(counts) == 1 < max(counts)
    else:
        assert max(counts) > 1


def test_the_end_is_told_in_a_sentence_and_scores_are_the_sum_of_their_parts(spec: GameSpec) -> None:
    for seed in range(episodes(spec, 2)):
        *_, live = positions(spec, seed, most=spec.length)
        ending = ending_of(live, {})
        assert re.fullmatch(r"[A-Za-z0-9].+\.", ending.headline), ending.headline
        for seat, parts in enumerate(zip(*live.game.parts(live.state).values(), strict=True)):
            assert math.isclose(sum(parts), live.totals[seat], abs_tol=1e-9)
        absent = live.game.absent(live.state)
        here = [role for seat, role in enumerate(live.game.seats) if seat not in absent]
        assert [score.role for score in ending.scores] == here and here, "somebody plays"


def test_only_two_against_each_other_can_agree_on_a_draw(spec: GameSpec) -> None:
    assert not spec.outcome.can_be_drawn or (len(spec.seats), spec.utility) == (2, "zero_sum")


def test_rewards_add_up_to_returns_and_keep_the_utility(spec: GameSpec) -> None:
    for seed in range(episodes(spec, 3)):
        live, rng = begin(spec, seed), np.random.default_rng(seed)
        sums = [float(total) for total in live.totals]
        for _ in range(400):
            if not live.movers:
                break
            _, rewards = advance(live, rng)
            assert len(rewards) == len(live.game.seats) and all(math.isfinite(reward) for reward in rewards)
            sums = [total + reward for total, reward in zip(sums, rewards, strict=True)]
            if spec.utility == "identical":
                assert len(set(rewards)) == 1
        returns = list(live.game.returns(live.state))
        assert sums == pytest.approx(returns)
        if spec.utility == "identical" or live.game.spec.outcome.lowest < 0:
            assert min(returns) >= live.game.spec.outcome.lowest - 1e-6, "a forfeit costs no less than playing on"
        if spec.utility == "zero_sum" and not live.movers:
            assert sum(returns) == pytest.approx(0.0)


def test_chance_nodes_list_distinct_outcomes_whose_probabilities_sum_to_one(spec: GameSpec) -> None:
    live = begin(spec, 3)
    game, rng = live.game, np.random.default_rng(3)
    state, nodes = game.start(rng), 0
    for _ in range(40):
        movers = game.movers(state)
        if not movers:
            break
        if movers == (CHANCE,):
            nodes += 1
            outcomes, probabilities = zip(*game.chance(state), strict=True)
            assert len(set(outcomes)) == len(outcomes)
            assert all(probability > 0 for probability in probabilities)
            assert sum(probabilities) == pytest.approx(1.0)
            state = game.play(state, {CHANCE: outcomes[int(rng.integers(len(outcomes)))]}, rng)
        else:
            assert not game.chance(state)
            live.go_on_from(state, rng)
            chosen = {seat: live.sample(seat, rng) for seat in movers}
            state = game.play(state, moves(live, chosen), rng)
    assert (nodes > 0) == (spec.chance == "explicit")


def test_the_agents_a_game_names_can_be_made(spec: GameSpec) -> None:
    known = known_agents(spec)
    for name in spec.agents.known:
        agent = make_agent(name, spec)
        assert callable(agent.act)
    for description in (*spec.agents.reference, *spec.agents.quick):
        assert description.partition(":")[0] in known


def test_rules_picture_and_words_are_where_the_spec_says(spec: GameSpec) -> None:
    loaded = registry.load(spec.id)
    assert loaded.rules.__name__ == spec.rules_class
    assert loaded.words.module.__name__ == f"{spec.package}.words"
    loaded.words.check(loaded.game())


MOST_STEPS = 60


def test_a_record_brings_back_every_state(spec: GameSpec) -> None:
    talkers = [spec.reference_for(seat) for seat in range(len(spec.seats))]  # what they say means something
    agents = talkers if spec.actions == "text" else "random"
    player = EpisodePlayer(make_plan(spec.id, agents, 0, "fail", {}, MOST_STEPS))
    record = player.record(seed=8)
    assert record["failed"] is None and len(record["actions"]) == record["length"]
    states = []
    for step, live in enumerate(player.steps(seed=8)):
        states.append((live.state, live.movers, list(live.totals)))
        if step == record["length"]:
            break
    player.close()
    kept = json.loads(json.dumps(record))
    assert [(live.state, live.movers, list(live.totals)) for live in replay(kept)] == states
