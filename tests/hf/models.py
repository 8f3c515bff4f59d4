"""Models of transformers with random weights, made on the spot, so that nothing has to be downloaded."""

from collections.abc import Sequence
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

SPECIAL = ("<pad>", "<s>", "<end>", "<image>", "<begin>", "<over>")
PARTS = "{% for part in message['content'] %}{{ 'IMAGE' if part['type'] == 'image' else part['text'] }}{% endfor %}"
TEXT = "{{ message['content'] }}"
TEMPLATE = (
    "{% for message in messages %}<s>{{ message['role'] }}: CONTENT<end>{% endfor %}"
    "{% if add_generation_prompt %}<s>assistant: {% endif %}"
)


def tokenizer(content: str, image: str = "", known: Sequence[str] = (), words: int = 256, **special: str) -> Any:
    """Bytes as tokens, a few special ones, and the plainest of chat templates, with `image` where a picture is.

    With more than 256 `words` the others are what is frequent in the `known` texts.
    """
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    base = Tokenizer(models.BPE({letter: number for number, letter in enumerate(letters)}, []))
    base.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    base.decoder = decoders.ByteLevel()
    if known:
        base.train_from_iterator(
            known, trainers.BpeTrainer(vocab_size=words, initial_alphabet=letters, show_progress=False)
        )
    made = transformers.PreTrainedTokenizerFast(
        tokenizer_object=base, eos_token="<end>", pad_token="<pad>", extra_special_tokens=special
    )
    made.add_tokens(list(SPECIAL), special_tokens=True)
    made.chat_template = TEMPLATE.replace("CONTENT", content).replace("IMAGE", image)
    return made


SMALL = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 1, "num_attention_heads": 2}


def words_of(reader: Any, **sizes: int) -> dict[str, Any]:
    ends = {"eos_token_id": reader.eos_token_id, "pad_token_id": reader.pad_token_id}
    known = {"vocab_size": len(reader), "max_position_embeddings": 8192, **ends}
    return {**SMALL, "num_key_value_heads": 1, **known, **sizes}


def llava(
    words: dict[str, int] | None = None,
    sight: dict[str, int] | None = None,
    pixels: int = 32,
    patch: int = 16,
    known: Sequence[str] = (),
    vocabulary: int = 256,
) -> tuple[Any, Any]:
    """A model that reads and sees; `words` and `sight` change the sizes of its two halves, `known` are texts."""
    reader = tokenizer(PARTS, "<image>", known, vocabulary, image_token="<image>")
    config = transformers.LlavaConfig(
        vision_config=transformers.CLIPVisionConfig(**SMALL | (sight or {}), image_size=pixels, patch_size=patch),
        text_config=transformers.LlamaConfig(**words_of(reader, **(words or {}))),
        image_token_id=reader.convert_tokens_to_ids("<image>"),
        vision_feature_layer=-1,
    )
    pictures = transformers.CLIPImageProcessorPil(size={"height": pixels, "width": pixels}, do_center_crop=False)
    processor = transformers.LlavaProcessor(
        pictures, reader, patch_size=patch, vision_feature_select_strategy="default", num_additional_image_tokens=1,
        chat_template=reader.chat_template,
    )  # fmt: skip
    return transformers.LlavaForConditionalGeneration(config), processor


def gemma() -> tuple[Any, Any]:
    reader = tokenizer(PARTS, "<begin>", image_token="<image>", boi_token="<begin>", eoi_token="<over>")
    config = transformers.Gemma3Config(
        text_config={**words_of(reader), "head_dim": 16},
        vision_config={**SMALL, "image_size": 32, "patch_size": 8, "vision_use_head": False},
        mm_tokens_per_image=4,
        image_token_index=reader.convert_tokens_to_ids("<image>"),
        boi_token_index=reader.convert_tokens_to_ids("<begin>"),
        eoi_token_index=reader.convert_tokens_to_ids("<over>"),
        eos_token_id=reader.eos_token_id,
    )
    pictures = transformers.Gemma3ImageProcessorPil(size={"height": 32, "width": 32})
    processor = transformers.Gemma3Processor(pictures, reader, image_seq_length=4, chat_template=reader.chat_template)
    return transformers.Gemma3ForConditionalGeneration(config), processor


def text_alone() -> tuple[Any, Any]:
    reader = tokenizer(TEXT)
    return transformers.LlamaForCausalLM(transformers.LlamaConfig(**words_of(reader))), reader


KINDS = {"llava": llava, "gemma": gemma, "text": text_alone}


def drawn(kind: str) -> tuple[Any, Any]:
    """A model of a kind whose weights are all drawn, always the same: what begins with zeros would be blind."""
    torch.manual_seed(1)
    model, processor = KINDS[kind]()
    for part in model.parameters():
        torch.nn.init.normal_(part, std=0.1)
    return model, processor
