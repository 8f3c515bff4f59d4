"""Models of transformers in small files: weights as int8, one scale for each row, and a tokenizer beside them.

    from mmgames.baselines.models import quantised_weights
    quantised_weights.save(model, processor, "small")  # a quarter of the size; then it plays as hf:small,size=128

In memory they are float32 again, the same in every process, so replies depend on the files alone.
"""

from pathlib import Path
from typing import Any

import torch
import transformers
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from mmgames.baselines.models.local_weights import Weights
from mmgames.core.whole_files import replacing
from mmgames.errors import MmgamesError

FILE, SCALE = "int8.safetensors", ".scale"
LARGEST = 127


def save(model: Any, processor: Any, folder: str | Path) -> None:
    """The model's configuration, its weights and what reads for it."""
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    model.config.save_pretrained(path)
    model.generation_config.save_pretrained(path)
    processor.save_pretrained(path)
    with replacing(path / FILE) as partial:
        save_file(quantised(model.state_dict()), partial)


def load(folder: str | Path, device: str) -> Weights:
    """The model and its processor as they were saved, on a device."""
    path = Path(folder)
    config = transformers.AutoConfig.from_pretrained(path)
    with torch.random.fork_rng():  # what it begins with is overwritten
        model = transformers.AutoModelForImageTextToText.from_config(config)
    try:
        model.load_state_dict(restored(load_file(path / FILE)))
    except (SafetensorError, RuntimeError, KeyError) as error:
        raise MmgamesError(f"{path / FILE} does not fit the model beside it, or is damaged ({error}).") from error
    model.generation_config = transformers.GenerationConfig.from_pretrained(path)
    return Weights(model.float().to(device), transformers.AutoProcessor.from_pretrained(path))


def quantised(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Matrices and tables as int8 with a scale for each row; what has one dimension stays as it is."""
    made: dict[str, Tensor] = {}
    for name, weight in weights.items():
        whole = weight.detach().float().cpu()
        if whole.ndim < 2:
            made[name] = whole.clone()
            continue
        rows = whole.flatten(1)
        scale = rows.abs().amax(1, keepdim=True).clamp_min(torch.finfo(torch.float32).tiny) / LARGEST
        made[name] = (rows / scale).round().to(torch.int8).reshape(whole.shape).contiguous()
        made[name + SCALE] = scale[:, 0].clone()
    return made


def restored(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """The float32 weights that `quantised` ones stand for."""
    made: dict[str, Tensor] = {}
    for name, weight in weights.items():
        if name + SCALE in weights:
            scale = weights[name + SCALE].reshape(-1, *[1] * (weight.ndim - 1))
            made[name] = weight.float() * scale
        elif not name.endswith(SCALE):
            made[name] = weight
    return made
