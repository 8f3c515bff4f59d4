"""A small vision-language model with random weights and a tokenizer of its own, to be trained from nothing.

    from mmgames.baselines.models import small_vision_model
    model, processor = small_vision_model.build(texts, names=("apple", "kitchen work area"))
    small_vision_model.save(model, processor, "small")  # then it plays as hf:small,size=128

The form is LLaVA's: patches of a picture become tokens among the words. It has at most 20 million weights. The
tokenizer is learned from the texts that the model will read and write: names are single tokens, and so is what many
texts have in common between names, so that a long prompt that hardly changes costs few tokens. Any other text is read
in words and bytes.
"""

import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

from mmgames.errors import MmgamesError

MOST_WEIGHTS = 20_000_000
PIXELS, PATCH = 128, 16
SPECIAL = ("<|pad|>", "<|end|>", "<|image|>", "<|system|>", "<|user|>", "<|assistant|>")
COMMON = 0.02  # what this share of the texts has between two names is a token
_ADDING = ("o_proj", "down_proj", "out_proj", "fc2")  # layers whose result is added to what was there
_WORDS = r"[A-Za-z_]+|\d|[^A-Za-z\d\n]+|\n+"
_SENTENCES = re.compile(r"(?<=[.;!?] )|(?<=\n)")
_CONTENT = (
    "{% if message['content'] is string %}{{ message['content'] }}{% else %}{% for part in message['content'] %}"
    "{{ '<|image|>' if part['type'] == 'image' else part['text'] }}{% endfor %}{% endif %}"
)
_TEMPLATE = (
    "{% for message in messages %}{{ '<|' + message['role'] + '|>' }}" + _CONTENT + "{{ '<|end|>' }}{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def build(
    texts: Sequence[str],
    *,
    names: Iterable[str] = (),
    pieces: Iterable[str] = (),
    seed: int = 0,
    width: int = 384,
    layers: int = 6,
    eye_width: int = 192,
    eye_layers: int = 4,
    pixels: int = PIXELS,
    patch: int = PATCH,
) -> tuple[Any, Any]:
    """A model with weights drawn from the seed, and the processor that reads for it."""
    if pixels % patch:
        raise MmgamesError(f"Pictures of {pixels} pixels cannot be cut into patches of {patch}.")
    reader = tokenizer(texts, names, pieces)
    config = transformers.LlavaConfig(
        vision_config=transformers.CLIPVisionConfig(
            **_sizes(eye_width, eye_layers, 4), image_size=pixels, patch_size=patch, projection_dim=eye_width
        ),
        text_config=transformers.LlamaConfig(
            **_sizes(width, layers, 8 / 3), vocab_size=len(reader), max_position_embeddings=4096,
            num_key_value_heads=max(1, width // 64), tie_word_embeddings=False, bos_token_id=None,
            eos_token_id=reader.eos_token_id, pad_token_id=reader.pad_token_id,
        ),
        image_token_id=reader.convert_tokens_to_ids("<|image|>"), vision_feature_layer=-1, tie_word_embeddings=False,
    )  # fmt: skip
    processor = transformers.LlavaProcessor(
        transformers.CLIPImageProcessorPil(size={"height": pixels, "width": pixels}, do_center_crop=False),
        reader, patch_size=patch, vision_feature_select_strategy="default", num_additional_image_tokens=1,
        chat_template=_TEMPLATE,
    )  # fmt: skip
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = transformers.LlavaForConditionalGeneration(config)
        _draw_weights(model)
    if (count := weight_count(model)) > MOST_WEIGHTS:
        raise MmgamesError(f"A small model has at most {MOST_WEIGHTS:,} weights; this one would have {count:,}.")
    model.generation_config = transformers.GenerationConfig(
        eos_token_id=reader.eos_token_id, pad_token_id=reader.pad_token_id
    )
    return model, processor


def _draw_weights(model: Any) -> None:
    """Weights as large as their layers are narrow: those of a large model, 0.02, keep a small one blind for long.

    Words are as large as what is seen, so that layers do not drown them, and what a layer adds is small at first.
    """
    for half in (*model.model.children(), model.lm_head):
        added = (2 * getattr(getattr(half, "config", None), "num_hidden_layers", 1)) ** -0.5
        for name, part in half.named_modules():
            if isinstance(part, torch.nn.Linear | torch.nn.Conv2d):
                small = added if name.endswith(_ADDING) else 1.0
                torch.nn.init.normal_(part.weight, std=small * part.weight[0].numel() ** -0.5)
            elif isinstance(part, torch.nn.Embedding):
                torch.nn.init.normal_(part.weight, std=0.5 if name.endswith("position_embedding") else 1.0)


def _sizes(width: int, layers: int, wider: float) -> dict[str, Any]:
    """The sizes of one half: heads of 64, and a layer between that is wider."""
    inner = round(width * wider / 64) * 64
    heads = max(1, width // 64)
    return {
        "hidden_size": width, "num_hidden_layers": layers, "num_attention_heads": heads, "intermediate_size": inner,
    }  # fmt: skip


def weight_count(model: Any) -> int:
    return sum(weight.numel() for weight in model.parameters())


def save(model: Any, processor: Any, folder: str | os.PathLike[str]) -> None:
    """An ordinary folder of transformers, which `hf:FOLDER` loads."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    model.save_pretrained(folder)
    processor.save_pretrained(folder)


def tokenizer(
    texts: Sequence[str], names: Iterable[str] = (), pieces: Iterable[str] = (), vocabulary: int = 2048
) -> Any:
    """A tokenizer that is learned from texts; see the head of this file. Further `pieces` are tokens, too."""
    known = sorted(set(names))
    base = Tokenizer(models.BPE())
    base.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(_WORDS), "isolated"), pre_tokenizers.ByteLevel(False, use_regex=False)]
    )
    base.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary, initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()), show_progress=False
    )
    base.train_from_iterator(texts, trainer)
    base.add_tokens([AddedToken(name, single_word=True, normalized=False) for name in known])
    base.add_tokens([AddedToken(piece, normalized=False) for piece in [*common_pieces(texts, known), *pieces]])
    base.add_special_tokens([AddedToken(mark, special=True, normalized=False) for mark in SPECIAL])
    pad, end, image = SPECIAL[:3]
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=base, eos_token=end, pad_token=pad, extra_special_tokens={"image_token": image},
        clean_up_tokenization_spaces=False,
    )  # fmt: skip


def common_pieces(texts: Sequence[str], names: Sequence[str], share: float = COMMON) -> list[str]:
    """What stands between names, digits and ends of sentences in this share of the texts, the commonest first."""
    listed = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    between = re.compile(rf"\b(?:{listed})\b|\d" if listed else r"\d")
    counted: Counter[str] = Counter()
    for text in texts:
        sentences = _SENTENCES.split(text)
        counted.update({piece for sentence in sentences for piece in between.split(sentence)})
    most = share * len(texts)
    often = sorted((-count, piece) for piece, count in counted.items())  # the same in every process
    return [piece for count, piece in often if -count >= most and len(piece) > 2]
