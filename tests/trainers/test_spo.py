"""Iterative-SPO: its pieces against hand-computed cases, and that the small policy learns, stops and goes on."""

from pathlib import Path

import numpy as np
import pytest
import torch

import mmgames
from benchmarks.iterative_spo import answers, page
from benchmarks.iterative_spo import study as spo_study
from mmgames.baselines.learning import checkpoint_files, spo_advantages, spy_eye, spy_policy
from mmgames.baselines.learning import iterative_spo as spo
from mmgames.baselines.learning.spo_agent import shipped
from mmgames.baselines.learning.spy_rounds import SpyRounds, side, start_rounds
from mmgames.cli import main
from mmgames.games.spy.pictures.clevr import Clevr
from tests.cases import cases
from tests.refusing import refused

SMALL = dict(iterations=2, scenes=64, warm_epochs=1, batch=8, pool=8, rounds=8, evaluate=2, held_out=2)


def training(**changes: object) -> spo.SpoTraining:
    return spo.SpoTraining(spo.recipe_for(**{**SMALL, **changes}), seed=0, device="cpu", options={})


def test_role_baselines_and_votes_are_compared_as_written() -> None:
    roles = spo_advantages.RoleBaselines(alpha=0.5)
    assert roles.advantages("spy", np.array([-1.0, -3.0])).tolist() == [0.0, -2.0]  # the mean is 0.5·0 + 0.5·(-2)
    assert roles.advantages("spy", np.array([1.0])).tolist() == [1.0]  # 0.5·(-1) + 0.5·1 = 0
    assert roles.advantages("civilian", np.array([2.0])).tolist() == [1.0]
    assert roles.advantages("civilian", np.array([])).tolist() == []
    assert spo_advantages.RoleBaselines().alpha == 0.95
    assert spo_advantages.normalised([1.0, -1.0]).tolist() == [1.0, -1.0]
    assert spo_advantages.normalised([1.0, 1.0, -0.5, -0.5]).tolist() == [1.0, 1.0, -1.0, -1.0]
    assert spo_advantages.normalised([-0.5] * 4).tolist() == [0.0] * 4  # everybody abstains
    assert spo_advantages.normalised([1.0]).tolist() == [0.0]  # one civilian
    assert spo_advantages.normalised([]).tolist() == []


def test_role_baselines_are_brought_up_to_date_after_every_round_or_after_a_batch() -> None:
    run = training()
    rounds = start_rounds(run.game, 3, np.random.default_rng(0))
    SpyRounds(rounds, {"all": (run.policy, run.cached_eye)}).play(np.random.default_rng(1))
    where = [(number, seat) for number in range(3) for seat in range(5)]
    earned = np.array([run.game.clue_rewards(live.state)[:5] for live in rounds])
    assert earned.any()
    spies = np.array([np.isin(np.arange(5), live.state.spies) for live in rounds])
    by_round, means = [], {True: 0.0, False: 0.0}
    for rewards, spy in zip(earned, spies, strict=True):
        for role in (True, False):
            means[role] = 0.95 * means[role] + 0.05 * rewards[spy == role].mean()
        by_round += [reward - means[bool(role)] for reward, role in zip(rewards, spy, strict=True)]
    found = spo_advantages.clue_advantages(run.game, rounds, where, spo_advantages.RoleBaselines())
    assert found == pytest.approx(by_round)
    by_batch = [
        reward - 0.05 * earned[spies == role].mean() for reward, role in zip(earned.flat, spies.flat, strict=True)
    ]
    roles = spo_advantages.RoleBaselines(each="batch")
    assert spo_advantages.clue_advantages(run.game, rounds, where, roles) == pytest.approx(by_batch)


def test_stages_switch_with_hysteresis_within_bounds_and_tell_why() -> None:
    first = dict(accuracy=None, abstention=None)  # the running means begin with the first value
    switch = spo_advantages.StageSwitch(**first)
    assert switch.stage == "decision"
    assert [switch.update(1.0, 0.0) for _ in range(5)] == ["decision"] * 4 + ["clue"]  # good, but not before the fifth
    stays = [switch.update(0.7, 0.0) for _ in range(19)]  # neither good nor bad
    assert stays == ["clue"] * 19 and switch.update(0.7, 0.0) == "decision"  # twenty are the most
    assert switch.cause == "longest"
    worse = spo_advantages.StageSwitch(stage="clue", accuracy=0.9, abstention=0.0)
    seen = [worse.update(0.0, 1.0) for _ in range(12)]
    expected = 0.9 * 0.95 ** np.arange(1, 13)
    bad = int(np.argmax(1 - expected >= 0.4))
    assert seen[bad] == "decision" and seen[bad - 1] == "clue" and bad >= 4
    assert spo_advantages.StageSwitch(stage="clue", **first).update(0.9, 0.6) == "clue"  # too soon for N/A, too
    switch, causes = spo_advantages.StageSwitch(), []
    for _ in range(20):
        switch.update(1.0, 0.0)
        causes.append(switch.cause)
    # From zero the mean of nothing but right votes is 1 - 0.95^20 = 0.64: the longest stage comes before the threshold.
    assert switch.accuracy == pytest.approx(1 - 0.95**20) and causes == [""] * 19 + ["longest"]
    waiting = spo_advantages.StageSwitch(stage="clue")
    assert [waiting.update(0.0, 0.0) for _ in range(5)][-1] == "decision" and waiting.cause == "shortest"
    quick = spo_advantages.StageSwitch(rho=0.75, good_accuracy=0.8)
    while not quick.cause:
        quick.update(1.0, 0.0)
    assert quick.cause == "thresholds" and quick.stage == "clue" and 1 - 0.75**6 > 0.8 > 1 - 0.75**5


def test_the_likeliest_votes_on_held_out_rounds_decide_the_stage() -> None:
    run = training(held_out=4)
    before = [live.state.pair.original for live in start_rounds(run.game, 16, np.random.default_rng(0))]
    assert run.held_out is not None and not {state.pair.original for state in run.held_out.states} & set(before)
    with torch.no_grad():  # a policy that holds whoever contradicts the picture for the spy
        run.policy.vote.layers[0].weight.zero_()
        run.policy.vote.last.weight.zero_()
        run.policy.vote.last.weight[0, 0] = run.policy.vote.layers[2].weight[0, 0] = 10.0
        run.policy.vote.layers[0].weight[0, 1] = 10.0
    players = {"all": (run.policy, run.cached_eye)}
    told = run.held_out.votes(players, np.random.default_rng(2))
    played = run.held_out.play(players, np.random.default_rng(2)).votes
    right = [np.argmax(options) in run.held_out.states[number].spies
             for (number, _), options in zip(played.where, played.policies, strict=True)]  # fmt: skip
    assert told["held_out_accuracy"] == np.mean(right)
    assert told["held_out_abstention"] == pytest.approx(np.mean([np.exp(options[-1]) for options in played.policies]))
    entry = run.iterate()
    assert run.switch.accuracy == pytest.approx(0.05 * entry["held_out_accuracy"]) == entry["mean_accuracy"]
    sampled = training(held_out=0, from_zero=False)
    assert sampled.iterate()["accuracy"] == sampled.switch.accuracy


def test_the_divergence_is_zero_for_the_same_policy_and_goes_on_in_a_straight_line() -> None:
    likely = torch.log(torch.tensor([0.2, 0.5, 0.8]))
    assert spo_advantages.kl_divergence(likely, likely).abs().max() == 0
    assert (spo_advantages.kl_divergence(likely, likely.flip(0)) >= 0).all()
    ratio = torch.tensor(0.5 / 0.2)
    assert spo_advantages.kl_divergence(likely[0], likely[1]).item() == pytest.approx(
        (ratio - ratio.log() - 1).item(), rel=1e-5
    )
    log_prob = torch.tensor([-1.0, -2.5, -4.0, -21.0], requires_grad=True)
    near, at, beyond, far = spo_advantages.kl_divergence(log_prob, torch.full((4,), -1.0), straight_from=3.0)
    assert near == 0 and at.item() == pytest.approx(np.exp(1.5) - 2.5, rel=1e-5)
    assert beyond.item() == pytest.approx(np.exp(3) - 4, rel=1e-5)
    assert far.item() == pytest.approx(np.exp(3) * 18 - 21, rel=1e-5)  # not exp(20)
    (slopes,) = torch.autograd.grad(near + at + beyond + far, log_prob)
    assert slopes.tolist() == pytest.approx([0, 1 - np.exp(1.5), 1 - np.exp(3), 1 - np.exp(3)], rel=1e-4)


def test_sentences_are_read_as_they_are_written() -> None:
    rng, source = np.random.default_rng(0), Clevr()
    for _ in range(20):
        scene = source.scene(rng)
        labels, count = spy_eye.labels(scene), len(scene.things)
        for slot, fact in zip(range(count), scene.facts(), strict=False):
            claim = spy_policy.understood(fact.sentence, count)
            assert claim is not None and claim.slot == slot
            assert list(claim.kinds) == labels[slot, 2:].tolist()
            assert spy_policy.sentence(claim, count) == fact.sentence
    assert spy_policy.understood("I see several things.", 4) is None
    assert spy_policy.understood("The leftmost object is a huge red metal cube.", 4) is None
    assert spy_policy.understood("The third object from the left is a small red metal cube.", 2) is None


def test_before_the_first_update_everything_is_equally_likely_and_partners_sit_in_every_other_seat() -> None:
    run = training()
    played = SpyRounds(start_rounds(run.game, 4, np.random.default_rng(0)), {"all": (run.policy, run.cached_eye)})
    played.play(np.random.default_rng(1))
    assert len(played.clues.taken) == 4 * 10 and len(played.votes.taken) == 4 * 4
    for masks, log_prob in zip(played.votes.masks, played.votes.log_probs, strict=True):
        assert masks.sum() == 5 and log_prob == pytest.approx(-np.log(5))
    for masks, log_prob in zip(played.clues.masks, played.clues.log_probs, strict=True):
        assert log_prob == pytest.approx(-np.log(masks.sum()))
    run = training()
    live = start_rounds(run.game, 1, np.random.default_rng(0))[0]
    sides = [side(live.view(seat), ("spy", "civilian", "partner")) for seat in range(5)]
    spy = live.state.spies[0]
    assert sides == ["spy" if seat == spy else ("civilian", "partner")[seat % 2] for seat in range(5)]
    assert {side(live.view(seat), ("all",)) for seat in range(5)} == {"all"}


@pytest.mark.parametrize("stages", ["alternating", "clue", "decision"])
def test_a_stage_changes_its_own_scorer_alone(stages: str) -> None:
    run = training(stages=stages)
    before = {name: value.clone() for name, value in run.policy.state_dict().items()}
    run.iterate()
    moved = {name.partition(".")[0] for name, value in run.policy.state_dict().items() if not value.equal(before[name])}
    assert moved == {"clue" if stages == "clue" else "vote"}


def test_a_run_that_is_taken_up_again_goes_on_bit_by_bit(tmp_path: Path) -> None:
    whole = training(stages="alternating")
    whole.switch.updates = 19  # so that both stages come
    for _ in range(2):
        whole.iterate()
    whole.save(tmp_path)
    again = training()
    again.restore(tmp_path / "training.npz")
    for _ in range(2):
        assert whole.iterate() == again.iterate()
    assert all(value.equal(again.policy.state_dict()[name]) for name, value in whole.policy.state_dict().items())


def test_a_run_from_before_the_forms_could_be_set_goes_on_as_it_was(tmp_path: Path) -> None:
    training(**spo.EARLIER).save(tmp_path)
    path = tmp_path / "training.npz"
    about, arrays = checkpoint_files.read(path)
    for name in ("baselines", "held_out", "from_zero", "rho", *spo.THRESHOLDS, "shortest", "longest", "snapshots"):
        del about["settings"][name]
    checkpoint_files.write(path, about, arrays)
    training(**spo.EARLIER).restore(path)
    refused(lambda: training().restore(path), "made with settings")


def test_the_command_trains_a_player_that_sits_at_any_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = [f"--recipe={name}={value}" for name, value in SMALL.items()]
    assert main(["train", "spo", "Spy", "--out", str(tmp_path / "run"), "--device", "cpu", *settings]) == 0
    assert "Spy" in capsys.readouterr().out
    found = {path.name for path in (tmp_path / "run").iterdir()}
    assert {"policy.npz", "untrained.npz", "training.npz", "log.csv", "curve.png"} <= found
    agent = f"spo:{tmp_path / 'run' / 'policy.npz'}"
    result = mmgames.match("mmgames/Spy-v0", [agent, "truthful", agent, "random", agent], episodes=2, instances=4)
    assert len(result.episodes) == 2
    table = ["spo", "random", "random", "random", "random"]
    result = mmgames.match("mmgames/Spy-v0", table, episodes=4, instances=4, spy="player_2")
    assert len(result.episodes) == 4 and result.summary()["failed"] == 0


def test_identical_pictures_and_one_sided_votes_are_no_trouble() -> None:
    run = spo.SpoTraining(
        spo.recipe_for(**SMALL), seed=0, device="cpu", options={"noise": 1.0, "noise_kind": "identical", "civilians": 2}
    )
    for stage in ("decision", "clue"):
        run.switch.stage = stage
        assert all(np.isfinite(value) for value in run.iterate().values())


@pytest.mark.parametrize("stage", ["decision", "clue"])
def test_a_batch_in_which_everybody_answers_na_teaches_nothing_and_breaks_nothing(stage: spo_advantages.Stage) -> None:
    run = training()
    rounds = start_rounds(run.game, 4, run.rng)
    for live in rounds:
        while live.movers:
            said = "N/A" if live.view(live.movers[0]).stage == "vote" else "It is a picture."
            live.play({seat: live.check(seat, said) for seat in live.movers})
    where = [(number, seat) for number in range(4) for seat in range(5)]
    votes = [place for place in where if place[1] not in rounds[place[0]].state.spies]
    assert spo_advantages.votes_of(run.game, rounds) == {"accuracy": 0.0, "abstention": 1.0, "caught": 0.0}
    assert not spo_advantages.vote_advantages(run.game, rounds, votes).any()
    assert np.isfinite(spo_advantages.clue_advantages(run.game, rounds, where, run.baselines)).all()
    with torch.no_grad():  # a policy that abstains whatever it hears
        run.policy.vote.layers[0].weight.zero_()
        run.policy.vote.layers[0].weight[:, 0] = 100.0
        run.policy.vote.layers[0].bias.fill_(-50.0)
        run.policy.vote.layers[2].weight.fill_(1.0)
        run.policy.vote.last.weight.fill_(10.0)
    run.switch.stage = stage
    told = run.iterate()
    assert told["abstention"] == 1.0 and all(np.isfinite(value) for value in told.values())
    assert all(torch.isfinite(value).all() for value in run.policy.state_dict().values())


def test_what_does_not_fit_is_refused_in_a_sentence(tmp_path: Path) -> None:
    for settings, said in cases(__file__)["does not fit"]:
        refused(lambda settings=settings: spo.recipe_for(**settings), said)
    for options, said in (({"judge": "observer"}, "judge"), ({"civilians": 1}, "civilians=1")):
        refused(lambda options=options: spo.SpoTraining(spo.recipe_for(), seed=0, device="cpu", options=options), said)
    refused(lambda: spo.train("mmgames/CoinDilemma-v0", tmp_path), "trains players of")
    refused(lambda: spo.train("mmgames/Spy-v0", tmp_path, resume=True), "nothing to go on from")
    training().save(tmp_path)
    refused(lambda: training(batch=16).restore(tmp_path / "training.npz"), "made with settings")
    other = tmp_path / "other.npz"
    checkpoint_files.write(other, {"recipe": "something else"}, {})
    refused(lambda: spy_policy.load(other), "no checkpoint of a player of Spy")


def test_wins_are_counted_for_both_roles_and_a_vote_tells_what_differs() -> None:
    policy = spy_policy.load(shipped())
    mine = spy_eye.Detections(4, *_seen([(0, 0, 0, 0)] * 4))
    told = spy_eye.Detections(4, *_seen([(0, 0, 0, 0), (0, 3, 0, 1), (0, 0, 0, 0), (0, 0, 0, 0)]))
    assert answers.difference(policy, (mine, told), "") == answers.other_words(policy, (mine, told), "") == [2]
    assert answers.numbers_of(told, "How many gray objects are there?") == [3]
    assert answers.compare(policy, [told], "Compare the number of spheres with the number of cubes.") == "fewer"
    blank = spy_policy.SpyPolicy()
    assert {answers.suspicion(blank, mine, told, slot) for slot in range(4)} == {0.0}
    wins = {
        "a": {"a": 0.5, "b": 0.8, "c": 0.6},
        "b": {"a": 0.4, "b": 0.5, "c": 1.0},
        "c": {"a": 0.2, "b": 0.0, "c": 0.5},
    }
    assert page.versus(wins, "a", "b") == pytest.approx((0.8 + 0.6) / 2)
    assert page.versus(wins, "a", "b") + page.versus(wins, "b", "a") == pytest.approx(1)
    assert page.means(wins, "a") == pytest.approx((0.7, 0.7, 0.7))
    assert page.per_cent([0.5, 0.7]) == "60.0 ± 10.0" and page.per_cent([0.5]) == "50.0" and page.per_cent([]) == "–"


def _seen(kinds: list[tuple[int, ...]]) -> tuple[tuple[list[list[float]], ...], tuple[spy_eye.Statement, ...]]:
    """What an eye sees that is sure of the kinds of these objects."""
    log_probs = tuple(
        [[0.0 if number == one[kind] else -9.0 for number in range(len(names))] for one in kinds]
        for kind, names in enumerate(spy_eye.KINDS)
    )
    return log_probs, tuple(spy_eye.Statement(slot, one) for slot, one in enumerate(kinds))


def test_the_study_goes_on_where_it_was_and_writes_its_page_from_the_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spy_eye, "HELD_OUT", 2)
    changes = {**SMALL, "iterations": 1, "batch": 2, "rounds": 2, "scenes": 2, "snapshots": 1, "evaluate": 9}
    study = spo_study.Study(str(tmp_path), 1, 1, 1, 1, changes)
    for job in (("eye", "eye"), ("train", "alternating"), ("league", "alternating"), ("tasks", page.UNTRAINED)):
        done = spo_study.do(study, *job, 0)
        assert done is not None and done == spo_study.do(study, *job, 0)
    assert spo_study.do(study._replace(until=0.0), "train", "clue only", 0) is None
    page.write(tmp_path / "results", tmp_path / "page.md")
    assert "# Iterative-SPO" in (tmp_path / "page.md").read_text()
    refused(lambda: page.read(tmp_path), "no results")
