"""TRL reads what we write and plays our environments: a few steps of its trainers with tiny models.

Needs a virtual environment of its own: `make trl` makes it and runs this.
"""

# ruff: noqa: E402 - TRL may be missing

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
IMAGE = "<|image_pad|>"
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<think>", "</think>", "<tool_call>", "</tool_call>")
SPECIAL += ("<tool_response>", "</tool_response>", "<|vision_start|>", IMAGE, "<|vision_end|>")
LAYERS = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
TEMPLATES = Path(trl.__file__).parent / "chat_templates"


@pytest.fixture(scope="module")
def tokenizer():
    """Bytes as tokens, with the special ones of Qwen and its chat template as TRL ships it."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    base = Tokenizer(models.BPE({letter: number for number, letter in enumerate(letters)}, []))
    base.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    base.decoder = decoders.ByteLevel()
    made = PreTrainedTokenizerFast(tokenizer_object=base, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    made.add_tokens(list(SPECIAL), special_tokens=True)
    made.chat_template = (TEMPLATES / "qwen3.jinja").read_text("utf-8")
    return made


@pytest.fixture
def model(tokenizer):
    torch.manual_seed(0)
    ends = {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id}
    sizes = {"vocab_size": len(tokenizer), "max_position_embeddings": 16384, "num_key_value_heads": 1, "head_dim": 8}
    return Qwen3ForCausalLM(Qwen3Config(**LAYERS, **sizes, **ends))


def settings(**more):
    steps = {"per_device_train_batch_size": 2, "max_steps": 2, "logging_steps": 1}
    return {**steps, "report_to": [], "save_strategy": "no", "use_cpu": True, "bf16": False, **more}


def grpo(tmp_path, tokenizer, model, env_id=SPY, **options):
    chosen = {"others": "consistency", **CHARTS} if env_id == SPY else {}
    seat = {"seat": "player_2"} if env_id == SPY else {}
    prompts = [{"prompt": [{"role": "user", "content": ""}], "seed": seed, **seat} for seed in range(4)]
    how = settings(max_steps=1, learning_rate=1e-3, num_generations=2, max_tool_calling_iterations=4)
    args = trl.GRPOConfig(output_dir=str(tmp_path / "out"), max_completion_length=4096, **how)
    data, factory = Dataset.from_list(prompts), environment_factory(env_id, **{**chosen, **options})
    return trl.GRPOTrainer(
        model, args=args, train_dataset=data, processing_class=tokenizer, environment_factory=factory
    )


def scripted(tokenizer, replies, said):
    """What a model would write that answers with the tool; the next reply for all."""

    def generate(prompt_ids, images, *_, **__):
        reply = replies[len(said)] if len(said) < len(replies) else None
        said.append([len(pictures or ()) for pictures in images] if images else [])
        call = (
            f'<tool_call>\n{{"name": "reply", "arguments": {{"text": "{reply}"}}}}\n</tool_call>' if reply else "Done."
        )
        ids = tokenizer(f"{call}<|im_end|>", add_special_tokens=False)["input_ids"]
        return [list(ids) for _ in prompt_ids], None

    return generate


def test_grpo_runs_on_our_environment(tmp_path, tokenizer, model):
    """A model that knows nothing never calls the tool: the round is unfinished, and that is its reward."""
    trainer = grpo(tmp_path, tokenizer, model)
    trainer.args.max_completion_length = trainer.max_completion_length = 16
    trainer.train()
    assert [entry["reward"] for entry in trainer.state.log_history if "reward" in entry] == [-1.0]


@pytest.fixture
def seeing(tokenizer):
    """A tiny model that sees, and its processor."""
    from transformers import CLIPVisionConfig, LlamaConfig, LlavaConfig, LlavaForConditionalGeneration, LlavaProcessor
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

    class InTensors(CLIPImageProcessorPil):
        """As the processors on torchvision do it, and as GRPOTrainer wants it: tensors without being asked for them."""

        def preprocess(self, images, *args, return_tensors=None, **kwargs):
            return super().preprocess(images, *args, return_tensors="pt", **kwargs)

    torch.manual_seed(0)
    layers = {**LAYERS, "num_hidden_layers": 2}
    config = LlavaConfig(
        vision_config=CLIPVisionConfig(**layers, image_size=32, patch_size=8),
        text_config=LlamaConfig(**layers, vocab_size=len(tokenizer), max_position_embeddings=8192),
        image_token_index=tokenizer.convert_tokens_to_ids(IMAGE),
    )
    small = {"height": 32, "width": 32}
    sight = {"patch_size": 8, "vision_feature_select_strategy": "default", "num_additional_image_tokens": 1}
    template = (TEMPLATES / "qwen3_vl.jinja").read_text("utf-8")
    pictures = InTensors(size=small, crop_size=small)
    processor = LlavaProcessor(pictures, tokenizer, **sight, image_token=IMAGE, chat_template=template)
    return LlavaForConditionalGeneration(config), processor


@pytest.mark.parametrize("form", ["sft", "kto"])
def test_rows_with_pictures_train_a_model_that_sees(tmp_path, seeing, form, monkeypatch):
    model, processor = seeing
    write_rollouts(tmp_path / form, list(rollouts(SPY, "consistency", 1, size=64, **CHARTS)), form)
    data = load_rollouts(tmp_path / form)
    assert all(len(row["images"]) == 1 for row in data)
    shown = watched(model, monkeypatch)
    more = settings()
    if form == "sft":
        args = trl.SFTConfig(output_dir=str(tmp_path / "out"), max_length=None, **more)
        trainer = trl.SFTTrainer(model, args, train_dataset=data, processing_class=processor)
    else:
        args = trl.KTOConfig(output_dir=str(tmp_path / "out"), max_length=None, **more)
        trainer = trl.KTOTrainer(model, copy.deepcopy(model), args=args, train_dataset=data, processing_class=processor)
    trainer.train()
    assert any("loss" in entry for entry in trainer.state.log_history)
    assert sum(shown) >= 4, "two steps of two rows, a picture each"


def watched(model, monkeypatch):
    """How many pictures the model gets to see, call by call."""
    shown = []
    look = model.model.get_image_features

    def seen(*args, **kwargs):
        shown.append(len(kwargs["pixel_values"] if "pixel_values" in kwargs else args[0]))
        return look(*args, **kwargs)

    monkeypatch.setattr(model.model, "get_image_features", seen)
    return shown


def test_grpo_shows_the_pictures_of_our_environment(tmp_path, seeing, monkeypatch):
    model, processor = seeing
    trainer = grpo(tmp_path, processor, model, observe=("rgb", "text"), size=64, spy="player_1")
    said = []
    replies = ["The chart has a title.", "It has labels.", "player_1"]
    monkeypatch.setattr(trainer, "_generate_single_turn", scripted(processor.tokenizer, replies, said))
    shown = watched(model, monkeypatch)
    trainer.train()
    assert said[0] == [1, 1], "every rollout begins with its picture"
    assert sum(shown) >= 2
    assert all(environment._over for environment in trainer.environments)
    assert next(entry["reward"] for entry in trainer.state.log_history if "reward" in entry) > 0.5


def test_grpo_shows_a_new_picture_after_every_move(tmp_path, seeing, monkeypatch):
    model, processor = seeing
    options = {"observe": ("rgb", "text"), "size": 64, "others": "random", "seat": "x"}
    trainer = grpo(tmp_path, processor, model, "mmgames/TicTacToe-v0", **options)
    said = []
    names = trainer._environment_pool[None][0]
    names.reset(seed=0)
    first = next(iter(names._env.unwrapped.live.loaded.words.names(names._env.unwrapped.live.view(0)).values()))
    monkeypatch.setattr(trainer, "_generate_single_turn", scripted(processor.tokenizer, [first], said))
    trainer.train()
    assert said == [[1, 1], [2, 2]]
