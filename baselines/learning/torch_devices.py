"""Which device our trainers use, and how many threads PyTorch has beside our own."""

import contextlib
from collections.abc import Iterator

import torch

from mmgames.errors import MmgamesError, unknown


def device_named(asked: str) -> torch.device:
    """The device for "auto" (a graphics card if there is one), "cpu" or "cuda"."""
    if asked == "auto":
        asked = "cuda" if torch.cuda.is_available() else "cpu"
    if asked not in ("cpu", "cuda"):
        raise unknown("device", asked, "training", ("auto", "cpu", "cuda"))
    if asked == "cuda" and not torch.cuda.is_available():
        raise MmgamesError("device='cuda' asks for a graphics card, and PyTorch finds none here; use device='cpu'.")
    if asked == "cuda":
        torch.set_float32_matmul_precision("high")
    return torch.device(asked)


def set_torch_threads(number: int) -> None:
    if torch.get_num_threads() != number:
        torch.set_num_threads(number)


@contextlib.contextmanager
def torch_threads(number: int) -> Iterator[None]:
    """So many threads of PyTorch in here, in this thread; afterwards as many as before."""
    before = torch.get_num_threads()
    set_torch_threads(number)
    try:
        yield
    finally:
        set_torch_threads(before)
