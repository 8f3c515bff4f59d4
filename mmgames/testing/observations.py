"""Observations: inside their spaces, of the asked size, freshly made, and only what was asked for."""

import re
from typing import Any

import numpy as np
import pytest

from mmgames.core import prompt, registry
from mmgames.core.observation import SIZES, Observer, keys_of
from mmgames.core.spec import GameSpec
from mmgames.envs.aec import AecEnv
from mmgames.envs.parallel import ParallelEnv
from mmgames.testing.playing import SMALL, all_keys, begin, choose, digest, episodes, few, positions


def everybody(live: Any) -> list[Any]:
    """The views of all seats and of the spectator."""
    return [live.view(seat) for seat in (*range(len(live.game.seats)), None)]


def parallel_steps(env: Any, seed: int, most: int = 20) -> list[dict[str, dict[str, Any]]]:
    """The observations of a random episode."""
    rng = np.random.default_rng(seed)
    seen = [env.reset(seed=seed)[0]]
    while env.agents and len(seen) <= most:
        actions = {env.possible_agents[seat]: choose(env.live, seat, rng) for seat in env.live.movers}
        seen.append(env.step(actions)[0])
    return seen


def test_spaces_hold_every_observation(spec: GameSpec) -> None:
    env = ParallelEnv(spec.id, observe=all_keys(spec), size=SMALL)
    for observations in parallel_steps(env, seed=1, most=few(spec, 60)):
        for role, observation in observations.items():
            assert observation in env.observation_space(role)


@pytest.mark.parametrize("size", [SIZES[0], 128, 512])
def test_the_longest_side_is_the_asked_size(spec: GameSpec, size: int) -> None:
    shapes: dict[Any, set[tuple[int, ...]]] = {}
    for live in positions(spec, seed=2, most=4):
        for view in everybody(live):
            picture = live.loaded.picture.draw(view, size)
            assert picture.dtype == np.uint8 and picture.ndim == 3 and picture.shape[2] == 3
            assert max(picture.shape[:2]) == size
            shapes.setdefault(view.seat, set()).add(picture.shape)
    assert all(len(seen) == 1 for seen in shapes.values()), "a picture changes its shape during an episode"


def test_pictures_show_something_and_change_with_the_game(spec: GameSpec) -> None:
    pictures = [live.loaded.picture.draw(live.view(None), 128) for live in positions(spec, seed=3, most=few(spec, 30))]
    for picture in (pictures[0], pictures[-1]):
        assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 2
    assert len({picture.tobytes() for picture in pictures}) > 1


def test_pictures_and_features_are_fresh_arrays(spec: GameSpec) -> None:
    for live in positions(spec, seed=4, most=3):
        for view in everybody(live):
            for make, arguments in ((live.loaded.picture.draw, (view, SMALL)), (live.loaded.picture.features, (view,))):
                first = make(*arguments)
                kept = first.copy()
                assert first.flags.writeable
                first[...] = 1
                assert np.array_equal(make(*arguments), kept)


def test_views_that_show_the_same_have_the_same_picture(spec: GameSpec) -> None:
    shows = getattr(registry.load(spec.id).picture, "shows", None)
    if shows is None:
        pytest.skip("every seat has a picture of its own")
    drawn: dict[Any, bytes] = {}
    for live in positions(spec, seed=5, most=few(spec, 12)):
        for view in everybody(live):
            picture = live.loaded.picture.draw(view, SMALL).tobytes()
            assert drawn.setdefault(shows(view), picture) == picture


def test_features_stay_within_one_and_keep_their_number(spec: GameSpec) -> None:
    for seed in range(2):
        shapes = set()
        for live in positions(spec, seed, most=episodes(spec, 60)):
            for view in everybody(live):
                features = live.loaded.picture.features(view)
                assert features.dtype == np.float32 and features.ndim == 1
                assert np.isfinite(features).all() and np.abs(features).max() <= 1.0
                shapes.add(features.shape)
        assert len(shapes) == 1


def test_features_that_rules_write_are_those_of_the_view(spec: GameSpec) -> None:
    """Rules see the whole state: where they write features themselves, these may tell no more than the view does."""
    for live in positions(spec, seed=7, most=few(spec, 30)):
        for seat in range(len(live.game.seats)):
            made = live.loaded.picture.features(live.view(seat))
            assert np.array_equal(live.features(seat), made)


def test_features_tell_positions_apart(spec: GameSpec) -> None:
    episode = [live.loaded.picture.features(live.view(0)).tobytes() for live in positions(spec, seed=6, most=30)]
    assert len(set(episode)) > 1


def test_frames_stack_the_last_pictures_oldest_first(spec: GameSpec) -> None:
    single: Any = ParallelEnv(spec.id, observe="rgb", size=SMALL, frames=1)
    triple: Any = ParallelEnv(spec.id, observe="rgb", size=SMALL, frames=3)
    shown = parallel_steps(single, seed=5, most=6)
    stacked = parallel_steps(triple, seed=5, most=6)
    for role in single.possible_agents:
        assert triple.observation_space(role)["rgb"].shape == (3, *single.observation_space(role)["rgb"].shape)
        pictures = [observations[role]["rgb"] for observations in shown]
        for step, observations in enumerate(stacked):
            wanted = [pictures[max(step - age, 0)] for age in (2, 1, 0)]
            assert np.array_equal(observations[role]["rgb"], np.stack(wanted))
            assert observations[role] in triple.observation_space(role)


def test_observe_chooses_the_keys(spec: GameSpec) -> None:
    env: Any = ParallelEnv(spec.id, size=SMALL)
    assert tuple(env.reset(seed=1)[0][env.possible_agents[0]]) == keys_of(registry.load(spec.id))[0]
    for asked in (*((key,) for key in all_keys(spec)), ("features", "text"), all_keys(spec)):
        env = ParallelEnv(spec.id, observe=asked, size=SMALL)
        for role, observation in env.reset(seed=1)[0].items():
            assert tuple(observation) == asked
            assert set(env.observation_space(role).spaces) == set(asked)


def test_what_is_not_asked_for_is_not_computed(spec: GameSpec, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any) -> Any:
        raise AssertionError("nobody asked for this")

    loaded = registry.load(spec.id)
    monkeypatch.setattr(loaded.picture, "draw", never)
    parallel_steps(ParallelEnv(spec.id, observe=[key for key in all_keys(spec) if key != "rgb"]), seed=1, most=2)
    monkeypatch.setattr(loaded.words, "describe", never)
    monkeypatch.setattr(loaded.words, "history", never)
    parallel_steps(ParallelEnv(spec.id, observe="features"), seed=1, most=2)


def test_mask_and_names_agree(discrete_spec: GameSpec) -> None:
    env = ParallelEnv(discrete_spec.id, observe=("action_mask", "legal_actions"))
    for observations in parallel_steps(env, seed=7, most=30):
        for observation in observations.values():
            assert int(observation["action_mask"].sum()) == len(observation["legal_actions"])
            assert set(np.unique(observation["action_mask"])) <= {0, 1}


def test_words_alone_say_more_than_words_beside_a_picture(spec: GameSpec) -> None:
    for live in positions(spec, seed=8, most=20):
        beside = Observer(live.loaded, live.game, observe=("rgb", "text"))
        alone = Observer(live.loaded, live.game, observe="text")
        views = [live.view(seat) for seat in range(len(live.game.seats))]
        assert all(live.loaded.words.describe(view) in alone.text(view) for view in views)
        assert all(live.loaded.words.history(view) in beside.text(view) for view in views)
        # Some seats have no picture to read from: an expert has a manual and hears the rest.
        assert any(live.loaded.words.describe(view) not in beside.text(view) for view in views)


@pytest.mark.parametrize("reasoning", ["direct", "cot"])
def test_the_unchanging_part_of_the_text_comes_first(spec: GameSpec, reasoning: prompt.Reasoning) -> None:
    for observe, pictures in (("text", 0), (("rgb", "text"), spec.frames)):
        firsts: dict[Any, str] = {}
        texts: dict[Any, list[str]] = {}
        for live in positions(spec, seed=9, most=20):
            observer = Observer(live.loaded, live.game, observe=observe, reasoning=reasoning)
            for seat in range(len(live.game.seats)):
                view = live.view(seat)
                fixed = firsts.setdefault(seat, prompt.fixed_part(live.loaded.words, view, reasoning, pictures))
                assert observer.text(view).startswith(fixed)
                texts.setdefault(seat, []).append(observer.text(view))
        assert any(len(set(seen_texts)) > 1 for seen_texts in texts.values()), "the text never changes"


def test_what_an_episode_was_about_does_not_linger_in_the_next(spec: GameSpec) -> None:
    """An observer that has seen many episodes, and with them all roles, says what a new one says."""
    kept: dict[Any, Observer] = {}
    for seed in range(episodes(spec, 30)):
        live = begin(spec, seed)
        for observe in ("text", ("rgb", "text")):
            known = kept.setdefault(observe, Observer(live.loaded, live.game, observe=observe))
            fresh = Observer(live.loaded, live.game, observe=observe)
            for view in everybody(live):
                assert known.text(view) == fresh.text(view)


@pytest.mark.parametrize("frames", [1, 3])
def test_the_text_tells_of_pictures_exactly_when_there_are_some(spec: GameSpec, frames: int) -> None:
    for live in positions(spec, seed=11, most=6):
        beside = Observer(live.loaded, live.game, observe=("rgb", "text"), frames=frames)
        alone = Observer(live.loaded, live.game, observe="text", frames=frames)
        for seat in range(len(live.game.seats)):
            view = live.view(seat)
            legend = live.loaded.words.legend(view)
            assert len(legend.split()) > 5, "words.legend(view) says what the picture shows and what its signs mean"
            assert legend in beside.text(view) and legend not in alone.text(view)
            heading = "## Picture\nOne picture" if frames == 1 else "## Pictures\n3 pictures"
            assert heading in beside.text(view) and ("oldest to newest" in beside.text(view)) == (frames > 1)
            assert "## Picture" not in alone.text(view)


def test_no_list_of_actions_is_promised_that_is_not_there(spec: GameSpec) -> None:
    for live in positions(spec, seed=12, most=20):
        for seat in range(len(live.game.seats)):
            view = live.view(seat)
            for listed in (True, False):
                text = Observer(live.loaded, live.game, observe="text", legal_in_text=listed).text(view)
                before, found, after = text.rpartition("## Legal actions\n")
                assert not found or (listed and after)
                promised = re.search(r"(?i)\b(actions?|moves?)\b[^.\n]{0,40}\b(listed|below)\b", before or text)
                assert found or not promised, promised


def test_without_a_list_the_text_still_says_how_actions_are_written(spec: GameSpec) -> None:
    answers: dict[int, str] = {}
    named: set[int] = set()
    shown: set[int] = set()
    for seed in range(episodes(spec, 4)):
        for live in positions(spec, seed, most=episodes(spec, 30)):
            observer = Observer(live.loaded, live.game, observe="text", legal_in_text=False)
            for seat in live.movers:
                answers[seat] = observer.text(live.view(seat)).partition("## Now")[0].partition("## Answer")[2]
                for name in live.loaded.words.names(live.view(seat)).values():
                    named.add(seat)
                    if name in answers[seat]:
                        shown.add(seat)
    assert all(len(how.split()) > 5 for how in answers.values())
    assert shown == named, "words.notation(view) or answer_format gives an action as an example"
    if spec.actions == "box":
        assert all("number" in how and " to " in how for how in answers.values())


def test_the_list_of_legal_moves_can_be_left_out_of_the_text(spec: GameSpec) -> None:
    """In a box game the list is one line, with the bounds."""
    for wanted in (True, False):
        env = ParallelEnv(spec.id, observe=[key for key in all_keys(spec) if key != "rgb"], legal_in_text=wanted)
        observation = env.reset(seed=1)[0][env.possible_agents[env.live.movers[0]]]
        assert ("## Legal actions\n" in observation["text"]) == (wanted and bool(observation["legal_actions"]))
        below = observation["text"].rpartition("## Legal actions")[2]
        assert not wanted or all(name in below for name in observation["legal_actions"])


def test_the_spectator_reads_and_sees_every_position(spec: GameSpec) -> None:
    drawn, written = (AecEnv(spec.id, size=SMALL, render_mode="rgb_array"), AecEnv(spec.id, render_mode="ansi"))
    seen = set()
    for env in (drawn, written):
        env.reset(seed=3)
        rng = np.random.default_rng(3)
        # Where all move at once, a position lasts until each of them has.
        for agent in env.agent_iter(few(spec, 40) * (1 if spec.dynamics == "sequential" else env.max_num_agents)):
            seen.add(digest(env.render()))
            over = env.terminations[agent] or env.truncations[agent]
            env.step(None if over else choose(env.live, env.possible_agents.index(agent), rng))
        assert env.render() is not None
    assert len(seen) > 2
