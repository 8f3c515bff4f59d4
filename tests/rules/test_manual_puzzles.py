"""Every puzzle whose manual can be shuffled: solved by its scripted pair, told to the right seat, imagined rightly."""

import importlib
import itertools
import json
import re
from importlib import resources

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmgames
from mmgames.agents.finding import make_agent
from mmgames.baselines.random import Random
from mmgames.core import registry
from mmgames.core.observation import Observer
from mmgames.core.registry import LoadedGame
from mmgames.core.turn import Turn
from mmgames.puzzles._conversation.rules import EXPERT, SOLVER
from mmgames.testing.playing import begin
from tests.players import Acts
from tests.refusing import refused
from tests.rules.talking import NOISE, answer, episode, say, states

IDS = [spec.id for spec in mmgames.specs.values() if "manual" in spec.options]
MANUALS = ("standard", "shuffled")
TURNS = {"AtmPuzzle": 3, "ColorPuzzle": 9, "LedPuzzle": 6, "MemoryPuzzle": 6, "PasswordPuzzle": 5}
"""How many turns the scripted pair needs at the most; two where nothing is said."""
APART = {"ColorPuzzle": 150, "LedPuzzle": 120, "MazePuzzle": 150, "WirePuzzle": 180}
"""How far apart the colours are that have to be told apart."""


@pytest.fixture(params=IDS, ids=[id.split("/")[1] for id in IDS])
def loaded(request: pytest.FixtureRequest) -> LoadedGame:
    return registry.load(request.param)


def scripted(loaded: LoadedGame, seat: int):
    return make_agent(loaded.spec.reference_for(seat), loaded.spec)


@pytest.mark.parametrize("manual", MANUALS)
@pytest.mark.parametrize("memory", ["full", "last"])
def test_the_scripted_pair_solves_everything_without_a_mistake(loaded, manual, memory):
    for seed in range(30 if memory == "full" else 10):
        live = episode(loaded, scripted(loaded, SOLVER), scripted(loaded, EXPERT), seed, manual=manual, memory=memory)
        events = live.game.events(live.state)
        assert (events["solved"], events["mistakes"]) == (1, 0), live.view(None)
        assert live.totals == pytest.approx([1.0, 1.0])
        assert events["turns"] <= TURNS.get(loaded.spec.name, 2)
        said = "\n".join(entry.message.speech for entry in live.state.dialogue[::2])
        private = " ".join(live.game.private(live.state.device).values())
        assert not any(word in said for word in re.findall(r"\w{3,}", private)), "what is private is not said"


@pytest.mark.parametrize("manual", MANUALS)
def test_the_scripted_pair_also_copes_with_the_released_rules(loaded, manual):
    for seed in range(15):
        live = episode(
            loaded, scripted(loaded, SOLVER), scripted(loaded, EXPERT), seed, manual=manual, rules="released"
        )
        assert live.game.events(live.state)["solved"] == 1, live.view(None)


@pytest.mark.parametrize("noise", NOISE)
def test_a_scripted_solver_asks_somebody_who_talks_nonsense_and_then_tries(loaded, noise):
    for seed, memory in itertools.product(range(4), ("full", "last")):
        live = episode(loaded, scripted(loaded, SOLVER), Acts(noise), seed, memory=memory)
        assert "?" in live.state.dialogue[0].message.speech
        assert live.game.events(live.state)["actions"] > 0


@pytest.mark.parametrize("id", IDS)
@given(text=st.text())
def test_a_scripted_expert_has_an_answer_to_anything(id, text):
    loaded = registry.load(id)
    assert answer(loaded, scripted(loaded, EXPERT), loaded.game().instance(0).device, text)


def test_a_scripted_expert_copes_with_a_random_solver_and_the_other_way_round(loaded):
    for seed in range(5):
        episode(loaded, Random(), scripted(loaded, EXPERT), seed, rules="released")
        episode(loaded, scripted(loaded, SOLVER), Random(), seed, manual="shuffled")


def test_manuals_are_fixed_or_decided_by_the_seed_and_the_number_of_an_instance(loaded):
    for manual, fewest, most in (("standard", 1, 1), ("shuffled", 10, 20)):
        game = loaded.game(manual=manual)
        manuals = {game.view(game.start(np.random.default_rng(seed)), EXPERT).manual for seed in range(20)}
        assert fewest <= len(manuals) <= most
    one, other = loaded.game(manual="shuffled"), loaded.game(manual="shuffled")
    assert one.start(np.random.default_rng(3)) == other.start(np.random.default_rng(3))
    assert one.instance(3) == other.instance(3) != one.instance(4)
    fixed = loaded.game(manual="shuffled", instances=2)
    assert {fixed.start(np.random.default_rng(seed)) for seed in range(20)} == {one.instance(0), one.instance(1)}


def test_seats_know_their_own_half_and_words_beside_a_picture_tell_nothing_of_the_device(loaded):
    for manual in MANUALS:
        game = loaded.game(manual=manual)
        state = game.start(np.random.default_rng(0))
        assert game.view(state, SOLVER).manual is None and game.view(state, SOLVER).device.manual is None
        assert game.view(state, EXPERT).device is None and game.view(state, EXPERT).manual is not None
    told, alone = set(), set()
    for seed in range(8):
        live = begin(loaded.spec, seed)
        view = say(live, "Hello.", "And now?").view(SOLVER)
        text = Observer(loaded, live.game, observe=("rgb", "text")).text(view)
        told.add(text[text.index("## Now") :].partition("## Legal")[0])
        alone.add(loaded.words.describe(view))
    assert len(told) == 1 and len(alone) > 1


@pytest.mark.parametrize(("name", "apart"), APART.items())
def test_colours_are_far_apart(name, apart):
    for one, other in itertools.combinations(registry.load(name).picture.PAINTS.values(), 2):
        assert np.abs(np.subtract(one, other)).sum() > apart


def seen(loaded: LoadedGame, game, view) -> tuple[bytes, str, str, bytes]:
    picture = loaded.picture.draw(view, 96).tobytes()
    texts = [Observer(loaded, game, observe=keys).text(view) for keys in (("rgb", "text"), "text")]
    return (picture, *texts, loaded.picture.features(view).tobytes())


@pytest.mark.parametrize("rules", ["paper", "released"])
@pytest.mark.parametrize("manual", MANUALS)
def test_what_a_seat_imagines_looks_the_same_to_it(loaded, rules, manual):
    options = {"rules": rules, "manual": manual}
    game, rng = loaded.game(**options), np.random.default_rng(5)
    others = 0
    for seed in range(3):
        for state in states(loaded, seed, **options):
            for seat in (SOLVER, EXPERT):
                imagined = game.imagine(state, seat, rng)
                view, other = game.view(state, seat), game.view(imagined, seat)
                assert view == other and hash(view) == hash(other)
                assert seen(loaded, game, view) == seen(loaded, game, other)
                assert game.movers(imagined) == game.movers(state)
                assert seat == SOLVER or imagined == state or imagined.device.manual == state.device.manual
                others += seat == SOLVER and imagined != state
    assert others > 5 or manual == "standard"


def test_every_manual_is_told_to_the_expert_and_many_are_possible_to_the_solver(loaded):
    game, rng = loaded.game(manual="shuffled"), np.random.default_rng(6)
    state = game.start(rng)
    assert len({game.imagine(state, SOLVER, rng).device.manual for _ in range(20)}) > 3
    game = loaded.game(manual="shuffled")
    views = [game.view(game.start(np.random.default_rng(seed)), EXPERT) for seed in range(2)]
    assert len({Observer(loaded, game, observe="text").text(view) for view in views}) == 2
    assert len({loaded.picture.draw(view, 512).tobytes() for view in views}) == 2


@pytest.mark.parametrize("size", [64, 128, 512])
def test_mistakes_and_the_end_show_in_the_solvers_picture(loaded, size):
    game = loaded.game()
    state = game.start(np.random.default_rng(0))
    pictures = [loaded.picture.draw(game.view(state._replace(mistakes=n), SOLVER), size) for n in range(4)]
    assert len({picture.tobytes() for picture in pictures}) == 4


def test_a_manual_is_data(loaded, tmp_path):
    book = importlib.import_module(f"{loaded.spec.package}.manual")
    path = tmp_path / "manual.json"
    own = resources.files(loaded.spec.package).joinpath("manual.json").read_text("utf-8")
    drawn = book.shuffled(np.random.default_rng(3))
    for text, manual in ((own, book.STANDARD), (json.dumps(book.STANDARD), book.STANDARD), (json.dumps(drawn), drawn)):
        path.write_text(text)
        game = loaded.game(manual=str(path))
        assert game.own == manual and type(game.own) is type(book.STANDARD)
        live = episode(loaded, scripted(loaded, SOLVER), scripted(loaded, EXPERT), 5, manual=str(path))
        assert live.game.events(live.state)["solved"] == 1
    path.write_text(json.dumps({"no": "manual"}))
    refused(lambda: loaded.game(manual=str(path)), r"the manual .* has another form: .* stands in place of")
    refused(lambda: loaded.game(manual="nowhere.json"), r"the manual .nowhere\.json.")
    path.write_text(own)
    starts = tmp_path / "starts.json"
    game = loaded.game()
    starts.write_text(json.dumps([game.start_facts(game.start(np.random.default_rng(0)))]))
    for option in ({"manual": str(path)}, {"manual": "shuffled"}, {"difficulty": "hard"}):
        refused(lambda option=option: loaded.game(instances=str(starts), **option), "has devices of its own")


@pytest.mark.parametrize(("puzzle", "old", "new"), [("Wire", "none", "never"), ("Keypad", "koppa", "kopa")])
def test_a_manual_that_names_what_there_is_not_is_refused(puzzle, old, new, tmp_path):
    loaded = registry.load(f"{puzzle}Puzzle")
    own = resources.files(loaded.spec.package).joinpath("manual.json").read_text("utf-8")
    (tmp_path / "manual.json").write_text(own.replace(f'"{old}"', f'"{new}"'))
    refused(lambda: loaded.game(manual=str(tmp_path / "manual.json")), f"the manual .*{new}")


def test_difficulty_chooses_devices_that_ask_less_or_more_and_the_scripted_pair_solves_them_all(loaded):
    """Memory's effort shows in its later stages, so that it is counted where each right press leads."""
    asked = {}
    for difficulty in ("easy", "standard", "hard"):
        efforts = []
        for seed in range(20):
            live = begin(loaded.spec, seed, difficulty=difficulty, instances=seed % 2 * 100)
            pair = scripted(loaded, SOLVER), scripted(loaded, EXPERT)
            efforts.append(live.game.effort(live.state.device))
            while live.movers:
                (seat,) = live.movers
                say(live, pair[seat].act(Turn(live, seat, np.random.default_rng(seed))))
                if live.movers and loaded.spec.name == "MemoryPuzzle":
                    efforts.append(live.game.effort(live.state.device))
            assert live.game.events(live.state)["solved"] == 1
        asked[difficulty] = np.mean(efforts)
    assert asked["easy"] < asked["standard"] < asked["hard"]
