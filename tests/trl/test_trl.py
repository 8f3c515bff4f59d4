"""TRL reads what we write and plays our environments: a few steps of its trainers with tiny models.

Needs a virtual environment of its own: `make trl` makes it and runs this.
"""

# ruff: noqa: E402 - TRL may be missing

from __future__ import annotations

import copy
import os
from pathlib import Path

import pytest

trl = pytest.importorskip("trl")
pytest.importorskip("datasets")
os.environ["TRL_EXPERIMENTAL_SILENCE"] = "1"

import torch
from datasets import Dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

from mmgames.wrappers.trl import environment_factory, load_rollouts, rollouts, write_rollouts

SPY = "mmgames/Spy-v0"
CHARTS = {"pictures": "chart"}
IMAGE = "<image>"
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<think>", "</think>", "<tool_call>", "</tool_call>")
SPECIAL += ("<tool_response>", "</tool_response>", IMAGE)


@pytest.fixture(scope="module")
def tokenizer():
    """Bytes as tokens, with the special ones of Qwen and its chat template as TRL ships it."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    base = Tokenizer(models.BPE({letter: number for number, letter in enumerate(letters)}, []))
    base.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    base.decoder = decoders.ByteLevel()
    made = PreTrainedTokenizerFast(tokenizer_object=base, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    made.add_tokens(list(SPECIAL), special_tokens=True)
    made.chat_template = (Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja").read_text("utf-8")
    return made


@pytest.fixture
def model(tokenizer):
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=8,
        max_position_embeddings=16384,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    return Qwen3ForCausalLM(config)


def settings(**more):
    return {
        "per_device_train_batch_size": 2,
        "max_steps": 2,
        "report_to": [],
        "save_strategy": "no",
        "logging_steps": 1,
        "use_cpu": True,
        "bf16": False,
        **more,
    }


def plain(data):
    """Rows without pictures have text alone; a text model's template wants it as a string."""

    def flat(messages):
        return [{"role": message["role"], "content": message["content"][-1]["text"]} for message in messages]

    columns = [name for name in ("messages", "prompt", "completion") if name in data.column_names]
    kept = [{**row, **{name: flat(row[name]) for name in columns}} for row in data]
    return Dataset.from_list(kept)


def played(**options):
    return list(rollouts(SPY, "consistency", 3, observe=("text",), **CHARTS, **options))


def test_rows_for_sft_train_a_model(tmp_path, tokenizer, model):
    write_rollouts(tmp_path / "sft", played(), "sft")
    data = plain(load_rollouts(tmp_path / "sft"))
    args = trl.SFTConfig(output_dir=str(tmp_path / "out"), max_length=256, **settings())
    trainer = trl.SFTTrainer(model, args, train_dataset=data, processing_class=tokenizer)
    trainer.train()
    assert any("loss" in entry for entry in trainer.state.log_history)


def test_rows_for_kto_train_a_model(tmp_path, tokenizer, model):
    decisions = played()
    write_rollouts(tmp_path / "kto", decisions, "kto")
    data = plain(load_rollouts(tmp_path / "kto"))
    assert [bool(label) for label in data["label"]] == [decision["reward"] > 0 for decision in decisions]
    args = trl.KTOConfig(output_dir=str(tmp_path / "out"), max_length=4096, **settings())
    trainer = trl.KTOTrainer(model, copy.deepcopy(model), args=args, train_dataset=data, processing_class=tokenizer)
    trainer.train()
    assert any("loss" in entry for entry in trainer.state.log_history)


def grpo(tmp_path, tokenizer, model, **options):
    prompts = [{"prompt": [{"role": "user", "content": ""}], "seed": seed, "seat": "player_2"} for seed in range(4)]
    args = trl.GRPOConfig(
        output_dir=str(tmp_path / "out"),
        num_generations=2,
        max_completion_length=4096,
        max_tool_calling_iterations=4,
        **settings(max_steps=1, learning_rate=1e-3),
    )
    return trl.GRPOTrainer(
        model,
        args=args,
        train_dataset=Dataset.from_list(prompts),
        processing_class=tokenizer,
        environment_factory=environment_factory(SPY, others="consistency", **CHARTS, **options),
    )


def test_grpo_runs_on_our_environment(tmp_path, tokenizer, model):
    """A model that knows nothing never calls the tool: the round is unfinished, and that is its reward."""
    trainer = grpo(tmp_path, tokenizer, model)
    trainer.args.max_completion_length = trainer.max_completion_length = 16
    trainer.train()
    rewards = [entry["reward"] for entry in trainer.state.log_history if "reward" in entry]
    assert rewards == [-1.0]


def test_grpo_plays_a_round_to_its_end_through_the_tool(tmp_path, tokenizer, model, monkeypatch):
    trainer = grpo(tmp_path, tokenizer, model, spy="player_1")
    replies = iter(["The chart has a title.", "It has labels.", "player_1"])
    said = {}

    def generate(prompt_ids, *_, **__):
        """What a model would write that answers with the tool; the next reply for all."""
        reply = said.setdefault(len(said), next(replies, None))
        call = (
            f'<tool_call>\n{{"name": "reply", "arguments": {{"text": "{reply}"}}}}\n</tool_call>' if reply else "Done."
        )
        ids = tokenizer(f"{call}<|im_end|>", add_special_tokens=False)["input_ids"]
        return [list(ids) for _ in prompt_ids], None

    monkeypatch.setattr(trainer, "_generate_single_turn", generate)
    trainer.train()
    rewards = [entry["reward"] for entry in trainer.state.log_history if "reward" in entry]
    env = trainer.environments[0]
    assert env._over and len(said) >= 4
    assert rewards == pytest.approx([sum(e.get_reward() for e in trainer.environments) / len(trainer.environments)])
    assert rewards[0] > 0.5  # the vote was right, whatever the clues earned


@pytest.fixture
def seeing(tokenizer):
    """A tiny model that sees, and its processor."""
    from transformers import CLIPVisionConfig, LlamaConfig, LlavaConfig, LlavaForConditionalGeneration, LlavaProcessor
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

    torch.manual_seed(0)
    layers = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = LlavaConfig(
        vision_config=CLIPVisionConfig(**layers, image_size=32, patch_size=8),
        text_config=LlamaConfig(**layers, vocab_size=len(tokenizer), max_position_embeddings=8192),
        image_token_index=tokenizer.convert_tokens_to_ids(IMAGE),
    )
    small = {"height": 32, "width": 32}
    processor = LlavaProcessor(
        CLIPImageProcessorPil(size=small, crop_size=small),
        tokenizer,
        patch_size=8,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        image_token=IMAGE,
        chat_template=(Path(trl.__file__).parent / "chat_templates" / "llava_next.jinja").read_text("utf-8"),
    )
    return LlavaForConditionalGeneration(config), processor


def test_rows_with_pictures_train_a_model_that_sees(tmp_path, seeing):
    model, processor = seeing
    write_rollouts(tmp_path / "sft", list(rollouts(SPY, "consistency", 1, size=64, **CHARTS)), "sft")
    data = load_rollouts(tmp_path / "sft")
    assert all(len(row["images"]) == 1 for row in data)
    args = trl.SFTConfig(output_dir=str(tmp_path / "out"), max_length=None, **settings())
    trainer = trl.SFTTrainer(model, args, train_dataset=data, processing_class=processor)
    trainer.train()
    assert any("loss" in entry for entry in trainer.state.log_history)
