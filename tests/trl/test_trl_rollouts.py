"""TRL's GRPOTrainer over our rollout function: real steps of a tiny model in both seats of a game."""

# ruff: noqa: E402 - TRL may be missing

import os
from dataclasses import replace
from typing import Any

import pytest

trl = pytest.importorskip("trl")
pytest.importorskip("datasets")
os.environ["TRL_EXPERIMENTAL_SILENCE"] = "1"

import torch
import transformers
from datasets import Dataset

from mmgames.agents.token_replies import TokenPrompt, TokenReply
from mmgames.baselines.learning.trl_rollouts import completion, returns_of_games, rollout_func, start_rows
from mmgames.running.rollouts import Decision
from tests.hf.models import TEXT, tokenizer, words_of
from tests.refusing import refused
from tests.trainers.test_examples import example

GAME = "KuhnPoker"
MOVES = ("<PASS>", "<BET>")
LOSING = {"on_illegal": "lose", "learned_marks": ("refused", "cut off"), "max_tokens": 2}
"""What is no move loses at once, and that is learned too."""


@pytest.fixture
def player() -> tuple[Any, Any]:
    """A model that writes little but the moves of the game and its end, and its tokenizer, which has them whole.

    Every token has a one at the first place of its vector, by which the last layer tells likely tokens from others.
    """
    reader = tokenizer(TEXT)
    reader.add_tokens(list(MOVES))
    torch.manual_seed(0)
    sizes = words_of(reader, hidden_size=16, intermediate_size=16)
    model = transformers.LlamaForCausalLM(transformers.LlamaConfig(**sizes))
    likely = [*reader.convert_tokens_to_ids(list(MOVES)), reader.eos_token_id]
    with torch.no_grad():
        model.model.embed_tokens.weight[:, 0] = 1.0
        model.lm_head.weight[:, 0] = -3.0
        model.lm_head.weight[likely, 0] = 0.0
    return model, reader


def trainer(
    tmp_path: Any, player: tuple[Any, Any], roll: Any, rows: list[Any], reward: Any = returns_of_games, **settings: Any
) -> Any:
    model, reader = player
    args = trl.GRPOConfig(
        output_dir=str(tmp_path), num_generations=4, per_device_train_batch_size=8, max_completion_length=2,
        learning_rate=0.03, report_to=[], save_strategy="no", logging_steps=1, use_cpu=True, bf16=False,
        shuffle_dataset=False, seed=1, **settings,
    )  # fmt: skip
    data = Dataset.from_list(rows or start_rows(GAME, 1))
    return trl.GRPOTrainer(model, reward, args=args, train_dataset=data, processing_class=reader, rollout_func=roll)


def likelihood_of_moves(model: Any, reader: Any, prompt: list[int]) -> float:
    """How likely a reply is that is a move and ends there."""
    model.eval()
    moves = reader.convert_tokens_to_ids(list(MOVES))
    with torch.no_grad():
        likely = model(torch.tensor([[*prompt, move] for move in moves])).logits[:, -2:].softmax(-1)
    return sum(float(row[0, move] * row[1, reader.eos_token_id]) for row, move in zip(likely, moves, strict=True))


def test_grpo_learns_in_both_seats_to_make_moves(tmp_path: Any, player: Any) -> None:
    seen: list[dict[str, list[Any]]] = []
    plain = rollout_func(GAME, **LOSING)

    def roll(prompts: list[Any], trained: Any) -> dict[str, list[Any]]:
        seen.append(plain(prompts, trained))
        assert trained.model.training, "it learns on as before"
        return seen[-1]

    def moves_alone(*, replies: list[int], refused: list[int], **columns: Any) -> list[float | None]:
        return [-float(number) if asked else None for asked, number in zip(replies, refused, strict=True)]

    made = trainer(tmp_path, player, roll, start_rows(GAME, 1), moves_alone, max_steps=8)
    prompt = plain([row["prompt"] for row in start_rows(GAME, 1)], made)["prompt_ids"][0]
    before = likelihood_of_moves(*player, prompt)
    made.train()
    assert likelihood_of_moves(*player, prompt) > 1.2 * before > 0.1
    assert [len(found["completion_ids"]) for found in seen] == [8] * 8
    assert len({str(found["completion_ids"]) for found in seen}) > 3, "each step has draws of its own"
    for found in seen:  # both seats of an episode are rows of the batch, and what one wins the other loses
        for first, second in zip(found["game_return"][:4], found["game_return"][4:], strict=True):
            assert second is None or first + second == 0
    told = [entry["reward"] for entry in made.state.log_history if "reward" in entry]
    counted = [value for value in moves_alone(**seen[0]) if value is not None]
    assert told[0] == pytest.approx(sum(counted) / len(counted))


def test_a_row_is_all_that_a_seat_was_told_and_said_and_questions_are_rows_too(tmp_path: Any, player: Any) -> None:
    model, reader = player
    how = {"max_tokens": 3, "learned_marks": ("refused", "cut off", "replaced"), "max_steps": 3}
    made = trainer(tmp_path, player, roll := rollout_func("TicTacToe", {"o": "random"}, **how), [], max_steps=1)
    rows = roll([row["prompt"] for row in start_rows("TicTacToe", 2, seats=["x"])], made)
    assert [*map(len, rows["env_mask"])] == [*map(len, rows["completion_ids"])] == [*map(len, rows["logprobs"])]
    for number in range(2):
        prompt, reply = rows["prompt_ids"][number], rows["completion_ids"][number]
        words = reader.decode([*prompt, *reply])
        assert rows["replies"][number] >= 3 and words.count("assistant: ") >= rows["replies"][number]
        with torch.no_grad():
            scores = model(torch.tensor([[*prompt, *reply]])).logits[0, len(prompt) - 1 : -1].log_softmax(-1)
        for place, (token, mine, told) in enumerate(
            zip(reply, rows["env_mask"][number], rows["logprobs"][number], strict=True)
        ):
            assert told == (pytest.approx(float(scores[place, token]), abs=1e-4) if mine else 0.0)
        assert 0 < sum(rows["env_mask"][number]) <= 3 * rows["replies"][number] < len(reply)
    plain = rollout_func("TicTacToe", {"o": "random"}, max_tokens=3, max_steps=3)
    masked = plain([row["prompt"] for row in start_rows("TicTacToe", 1, seats=["x"])], made)
    assert masked["refused"][0] and not any(masked["env_mask"][0]), "what was no move is not learned from"
    made = trainer(tmp_path, player, roll := rollout_func("TicTacToe-Ask", max_tokens=2), [], max_steps=1)
    rows = roll([row["prompt"] for row in start_rows("TicTacToe-Ask", 2)], made)
    assert rows["game_return"] == [0.0, 0.0] and rows["refused"] == rows["replies"]


def test_what_cannot_be_rolled_out_is_said_in_a_sentence(tmp_path: Any, player: Any) -> None:
    made = trainer(tmp_path, player, roll := rollout_func(GAME, {"player_1": "random"}), [], max_steps=1)
    for prompts, words in (
        ([[{"role": "user", "content": "Play!"}]], "start_rows"),
        ([row["prompt"] for row in start_rows(GAME, 1)], "player_1"),
    ):
        refused(lambda prompts=prompts: roll(prompts, made), words)
    refused(lambda: start_rows(GAME, 1, seats=["x"]), "'x'")
    refused(lambda: rollout_func(GAME, {"x": "random"}), "'x'")
    made.use_vllm = True
    refused(lambda: roll([start_rows(GAME, 1)[0]["prompt"]], made), "use_vllm=False")
    asked, said = TokenPrompt([], (), (), 0), TokenReply("", (1, 2), (3,), (-1.0,), "stop")
    one = Decision(GAME, 0, 0, 0, "player_0", 0, 0, asked, said, None)
    refused(lambda: completion([one, replace(one, written=replace(said, prompt_ids=(1, 9, 3, 4)))], 0), "chat template")


def test_the_example_trains(tmp_path: Any, player: Any) -> None:
    rewards = example("trl_grpo_rollouts").main(*player, str(tmp_path), steps=2, starts=1, tokens=2)
    assert len(rewards) == 2 and all(-1 <= reward <= 1 for reward in rewards)
