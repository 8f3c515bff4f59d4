"""Spy: who may know what, what clues and votes come to, and what happens to strange ones."""

from collections import Counter

import gymnasium as gym
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import mmgames
from mmgames.baselines.planners import spy as spy_agents
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.observation import Observer
from mmgames.games.spy.pictures.pair import Blank, Pair
from mmgames.games.spy.rules import Clue, SpyState, Vote
from mmgames.games.spy.words import CLUE_LIMIT
from mmgames.running.matches import match
from mmgames.testing.playing import begin
from tests.cases import cases
from tests.players import Acts
from tests.refusing import refused

CASES = cases(__file__)

SPY = "mmgames/Spy-v0"
LOADED = registry.load(SPY)
CHARTS = {"pictures": "chart"}  # quickly drawn


def game(**options):
    return LOADED.game(**{**CHARTS, **options})


def live(seed: int = 0, **options) -> LiveGame:
    return begin(LOADED.spec, seed, **{**CHARTS, **options})


def talk(found: LiveGame, clue: str = "It is a chart.") -> LiveGame:
    """All clues given, the vote is next."""
    while found.game.stage(found.state) == "clue":
        seat = found.movers[0]
        found.play({seat: found.check(seat, clue)})
    return found


def voted(rules, spies, votes) -> SpyState:
    clues = (Clue("So."),) * (rules.setting.rounds * rules.players)
    state = SpyState(Pair(Blank(1), Blank(2), ()), tuple(spies), tuple(range(rules.players)), clues)
    return state._replace(votes=tuple(zip(rules.voters(state), votes, strict=True)))


@st.composite
def rounds(draw):
    civilians = draw(st.integers(2, 8))
    spies = draw(st.integers(1, min(3, civilians - 1)))
    judge = draw(st.sampled_from(["civilians", "observer"]))
    rules = game(civilians=civilians, spies=spies, judge=judge, beta=draw(st.floats(0, 2)), lam=draw(st.floats(0, 2)))
    who = draw(st.permutations(range(rules.players)))[:spies]
    voters = rules.voters(SpyState(Pair(Blank(), Blank(), ()), tuple(who), ()))
    choices = st.one_of(st.none(), st.integers(0, rules.players - 1))
    votes = [Vote(draw(choices.filter(lambda choice, seat=seat: choice != seat))) for seat in voters]
    return rules, voted(rules, sorted(who), votes)


@given(rounds())
def test_votes_and_clues_of_every_seat_are_paid_by_the_formulas(found):
    rules, state = found
    rewards = rules.vote_rewards(state)
    for seat, vote in state.votes:
        assert rewards[seat] == (1 if vote.choice in state.spies else -0.5 if vote.choice is None else -1)
    assert all(rewards[seat] == 0 for seat in range(len(rules.seats)) if seat not in dict(state.votes))
    rules, state = found
    counts, paid = rules.tally(state), rules.clue_rewards(state)
    beta, lam = rules.options["beta"], rules.options["lam"]
    spies = list(state.spies)
    civilians = [seat for seat in range(rules.players) if seat not in spies]
    of_spies, of_civilians = counts[spies].mean(), counts[civilians].mean()
    for seat in spies:
        expected = -beta / len(spies) * (of_spies - of_civilians) - lam * (counts[seat] - of_spies)
        assert paid[seat] == pytest.approx(expected, abs=1e-9)
    for seat in civilians:
        expected = beta / len(civilians) * (of_spies - of_civilians) - lam * (counts[seat] - of_civilians)
        assert paid[seat] == pytest.approx(expected, abs=1e-9)


def test_rewards_of_one_spy_are_those_of_the_paper_and_it_is_caught_if_it_alone_has_the_most_votes():
    rules = game()
    state = voted(rules, [2], [Vote(2), Vote(2), Vote(None), Vote(0)])  # by players 1, 2, 4 and 5
    assert rules.tally(state).tolist() == [1, 0, 2, 0, 0]
    mean = 0.25
    spy = -0.1 * (2 - mean)
    civilians = [0.1 / 4 * (2 - mean) - 0.1 * (votes - mean) for votes in (1, 0, 0, 0)]
    assert rules.clue_rewards(state).tolist() == pytest.approx([*civilians[:2], spy, *civilians[2:]])
    assert rules.vote_rewards(state).tolist() == [1, 1, 0, -0.5, -1]
    assert rules.returns(state) == pytest.approx(rules.clue_rewards(state) + rules.vote_rewards(state))
    released = game(reward="released")
    assert released.vote_rewards(state).tolist() == pytest.approx([2.49, 2.49, 0, -0.3, -0.9])
    torn = voted(released, [2], [Vote(None, "unreadable."), *[Vote(None)] * 3])
    assert released.vote_rewards(torn)[0] == pytest.approx(-0.3 - 1.2)
    assert rules.caught(voted(rules, [4], [Vote(4), Vote(4), Vote(0), Vote(None)]))
    assert not rules.caught(voted(rules, [4], [Vote(4), Vote(0), Vote(None), Vote(None)]))
    assert not rules.caught(voted(rules, [0], [Vote(0), Vote(3), Vote(None), Vote(None)])), "a tie"
    assert not rules.caught(voted(rules, [4], [Vote(None)] * 4))
    assert not rules.caught(voted(rules, [4], [Vote(1), Vote(0), Vote(0), Vote(4)]))


@pytest.mark.parametrize("options", [{}, {"spies": 2}, {"order": "shuffled"}, {"judge": "observer", "clue_rounds": 1}])
def test_roles_fall_evenly_on_seats_and_places_in_the_order(options):
    rules = game(**options)
    seats, places = Counter(), Counter()
    for seed in range(1500):
        state = rules.start(np.random.default_rng(seed))
        assert len(set(state.spies)) == rules.setting.spies and sorted(state.order) == list(range(rules.players))
        seats.update(state.spies)
        places.update(state.order.index(spy) for spy in state.spies)
    fair = 1500 * rules.setting.spies / rules.players
    for counts in (seats, places):
        assert max(abs(counts[k] - fair) for k in range(rules.players)) < 5 * np.sqrt(fair)


def test_spies_and_pairs_can_be_chosen_and_impossible_options_are_refused():
    for number in (1, 5):
        assert all(live(seed, spy=f"player_{number}").state.spies == (number - 1,) for seed in range(5))
    assert all(0 in live(seed, spy="player_1", spies=2).state.spies for seed in range(5))
    rules = game(instances=3)
    found = {rules.start(np.random.default_rng(seed)).pair for seed in range(40)}
    assert len(found) == 3
    assert found == {game(instances=3).start(np.random.default_rng(seed)).pair for seed in range(100, 140)}
    refused(lambda: game(civilians=3, spies=3), "spies=3")
    refused(lambda: game(spy="player_9"), "'player_9'")
    refused(lambda: game(pictures="clevr:objects=3"), "'objects'")
    refused(lambda: game(noise=2), "noise=2")
    refused(lambda: game(civilians=1), "civilians=1")


def test_all_give_clues_in_order_then_civilians_vote_or_the_observer_who_sees_the_original():
    found = live(3, order="shuffled", clue_rounds=3)
    spoken = []
    while found.game.stage(found.state) == "clue":
        spoken += found.movers
        found.play({found.movers[0]: found.check(found.movers[0], "So.")})
    assert spoken == list(found.state.order) * 3
    assert found.movers == tuple(seat for seat in range(5) if seat not in found.state.spies)
    before = found.totals
    rewards = found.play({seat: found.check(seat, "N/A") for seat in found.movers})
    assert not any(before) and found.movers == () and any(rewards)
    found = talk(live(1, judge="observer"))
    assert found.game.seats[-1] == "observer" and found.movers == (5,)
    view = found.view(5)
    assert view.picture == found.state.pair.original and view.role == "observer"
    assert "player_5" in LOADED.words.names(view)
    rewards = found.play({5: found.check(5, found.game.seats[found.state.spies[0]])})
    assert rewards[5] == 1 and found.game.caught(found.state)


def test_what_a_seat_sees_is_the_same_whoever_else_is_the_spy():
    observer = Observer(LOADED, game(), observe=("rgb", "text", "legal_actions", "features"), size=64)
    found = live(5)
    while found.game.stage(found.state) != "over":
        for seat in range(5):
            if seat in found.state.spies:
                continue
            seen = observer.observe(found.view(seat))
            for other in range(5):
                if other != seat:
                    possible = observer.observe(found.game.view(found.state._replace(spies=(other,)), seat))
                    assert all(np.array_equal(seen[key], possible[key]) for key in seen)
        found.play({seat: found.check(seat, found.sample(seat, np.random.default_rng(1))) for seat in found.movers})


def test_prompts_name_the_own_role_what_clues_pay_and_what_silence_costs():
    env = gym.make(SPY, seat="player_1", observe="text", **CHARTS)
    roles = Counter()
    for seed in range(40):
        text = env.reset(seed=seed)[0]["text"]
        spy = env.unwrapped.live.state.spies == (0,)
        assert ("and a spy" in text) == spy and ("a civilian." in text) == (not spy)
        roles[spy] += 1
    assert min(roles.values()) >= 3
    assert "no clue loses the round" in LOADED.words.rules(live().view(0))
    assert "no clue loses" not in LOADED.words.rules(live(silence="heard").view(0))
    found = live(spy="player_5")
    found.play({0: found.check(0, "")})
    assert "player_1 gave no clue" in LOADED.words.status(found.view(1)) and not found.movers
    told = LOADED.words.rules(live(beta=0.25, lam=0.5).view(0))
    assert "lose 0.25" in told and "loses 0.5" in told
    assert "Clues pay" not in LOADED.words.rules(live(beta=0, lam=0).view(0))


def test_nothing_beside_a_clue_in_its_form_is_heard():
    for reply, heard, *why in CASES["heard"]:
        found = live()
        found.play({0: found.check(0, reply)})
        assert found.state.clues[0].words == heard, why
        for seat in range(5):
            assert "SECRET" not in LOADED.words.history(found.view(seat))


STRANGE = {**CASES["strange"], "word " * 30_000: "too long", "x" * (CLUE_LIMIT + 1): "too long", "x" * CLUE_LIMIT: ""}


@pytest.mark.parametrize("clue", STRANGE, ids=lambda clue: repr(clue)[:30])
def test_strange_clues_are_recorded_and_shown_on_one_line(clue):
    found = live()
    found.play({0: found.check(0, clue)})
    flaw = STRANGE[clue]
    assert found.state.clues[0].flaw == flaw and bool(found.state.clues[0].words) == (not flaw)
    lines = LOADED.words.history(found.view(1)).split("\n")
    heard = [line for line in lines if line.startswith("> ")]
    assert len(heard) == (not flaw) and ("(no clue)" in lines[0]) == bool(flaw)
    assert found.game.record(found.state)["clues"][0]["flaw"] == flaw
    LOADED.picture.draw(found.view(None), 200)


FOR_2 = ("player_2", "2", "Player 2", '<think>3?</think>{"action": "player_2"}', "It is hard.\nAnswer: player_2")
VOTES = {**dict.fromkeys(FOR_2, 1), **dict.fromkeys(("N/A", "n/a", '{"answer": "N/A"}'))}
INVALID = ("player_1", "1", "player_99", "nobody I know", "player_2 and player_3", "", "<think>player_2", "x" * 150_000)


@pytest.mark.parametrize("text", [*VOTES, *INVALID], ids=lambda text: repr(text)[:30])
def test_votes_are_read_strictly_and_strange_ones_count_for_nobody(text):
    found = talk(live(spy="player_5"))
    assert found.movers == (0, 1, 2, 3)
    vote = found.check(0, text)
    if text in VOTES:
        assert vote == Vote(VOTES[text])
    else:
        assert vote.choice is None and vote.flaw
    found.play({0: vote, **{seat: found.check(seat, "N/A") for seat in (1, 2, 3)}})
    assert found.game.tally(found.state).sum() == (vote.choice is not None)
    assert found.game.vote_rewards(found.state)[0] == (-1 if vote.flaw or vote.choice is not None else -0.5)
    kept = found.game.record(found.state)["votes"][0]
    assert kept["vote"] == ("player_2" if vote.choice == 1 else None if vote.flaw else "N/A")
    assert found.game.events(found.state)["votes invalid"] == bool(vote.flaw)


def test_rounds_of_photographs_and_of_noise_are_played(tmp_path):
    for part, shade in (("original", 60), ("modified", 180)):
        Image.fromarray(np.full((30, 40, 3), shade, np.uint8)).save(tmp_path / f"one_{part}.png")
    result = mmgames.match(SPY, "consistency", 3, 0, pictures=f"folder:{tmp_path}")
    assert all(row["events"]["votes N/A"] == 4 for row in result.finished)
    for noise in ["blank", "identical"]:
        result = mmgames.match(SPY, "truthful", 6, 0, noise=1.0, noise_kind=noise, **CHARTS)
        assert len(result.finished) == 6
        assert noise == "blank" or all(row["events"]["caught"] == 0 for row in result.finished)


def test_agents_read_their_own_picture_and_who_listens_speaks_of_the_others():
    for name in ("truthful", "oracle"):
        for row in mmgames.match(SPY, name, 12, 0, **CHARTS).finished:
            pair = live(row["seed"]).state.pair
            original, changed = ({fact.sentence for fact in scene.facts()} for scene in (pair.original, pair.changed))
            for clue in row["clues"]:
                assert clue["words"] in (changed if clue["seat"] in row["spies"] else original)
                if name == "oracle":
                    assert clue["words"] in original & changed
    own = {"kind": "bar", "table": {"Cod": 10, "Eel": 20, "Trout": 5}}
    guess = spy_agents.theirs(own, ["The value of Cod is 20.", "eel is half of cod"])
    assert guess["table"] == {"Cod": 20, "Eel": 10, "Trout": 5}
    assert spy_agents.theirs(own, ["trout is the lowest", "hello"]) == own


def rate(civilians: str, spy: str, episodes: int = 40) -> float:
    rows = mmgames.match(SPY, [spy, *[civilians] * 4], episodes, 1, spy="player_1", **CHARTS).finished
    return float(np.mean([row["events"]["caught"] for row in rows]))


def test_the_agents_are_as_strong_as_their_names_say():
    assert rate("consistency", "vague") > 0.9  # saying nothing gives it away
    assert rate("truthful", "vague") == 0  # unless only contradictions count
    assert rate("consistency", "truthful") > 0.5
    assert rate("oracle", "truthful") > rate("random", "truthful") + 0.3
    assert rate("consistency", "oracle") < 0.1


@pytest.mark.parametrize(("silent", "caught"), [("player_5", True), ("player_2", False)])
def test_who_gives_no_clue_loses_the_round(silent, caught):
    player = Acts(lambda turn: "" if turn.role == silent else turn.sample())
    record = match("mmgames/Spy-v0", player, 1, spy="player_5", pictures="chart").episodes[0]
    assert record["events"]["caught"] == caught and record["length"] == int(silent[-1])
    by = dict(zip(live().game.seats, record["returns"], strict=True))
    assert by[silent] == min(by.values()) and (by["player_5"] < 0) == caught
    went_on = match("mmgames/Spy-v0", player, 1, spy="player_5", pictures="chart", silence="heard").episodes[0]
    assert went_on["length"] == 11


def test_free_english_is_heard_and_copies_are_known_in_any_form():
    def free(said: str) -> Acts:
        return Acts(lambda turn: said or turn.view.clues[-1].words.rstrip(".") + "!")

    def caught(said: str, civilians: str) -> float:
        agents = [*[civilians] * 4, free(said)]
        rows = mmgames.match(SPY, agents, 8, 1, spy="player_5", clue_rounds=1, **CHARTS).finished
        return float(np.mean([row["events"]["caught"] for row in rows]))

    assert caught("", "consistency") == 1.0
    assert caught("hello", "consistency") == 1.0 and caught("hello", "truthful") == 0
    assert caught("There are 99 categories.", "truthful") == 1.0
    assert caught("Every value is above 0 in mine.", "consistency") == 0
