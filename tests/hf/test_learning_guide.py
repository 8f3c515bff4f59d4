"""The guide to language models that learn, typed in as it stands, with a tiny model and few of everything."""

from pathlib import Path
from typing import Any

import pytest
import torch
import transformers

from mmgames.baselines.learning.training_log import read_log
from tests.docs.test_pages import DOCS, blocks
from tests.hf.models import llava

SMALLER = {
    "= 500, 200, 100, 64, 128\n": "= 1, 1, 1, 2, 2\n",
    'TABLE = {"pictures": "chart"}': 'TABLE = {"pictures": "chart", "civilians": 2, "clue_rounds": 1}',
    "accumulation=4": "accumulation=1",
    "bfloat16": "float32",  # which a processor that has no such numbers takes minutes for
}


def test_the_code_of_the_guide_runs_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def tiny(name: str, dtype: str) -> Any:
        torch.manual_seed(0)
        return llava()[0].to(getattr(torch, dtype))

    monkeypatch.setattr(transformers.AutoModelForImageTextToText, "from_pretrained", tiny)
    monkeypatch.setattr(transformers.AutoProcessor, "from_pretrained", lambda name: llava()[1])
    monkeypatch.chdir(tmp_path)
    page = (DOCS / "guides" / "language-models-learn.md").read_text("utf-8")
    for many, few in SMALLER.items():
        assert many in page
        page = page.replace(many, few)
    code = [block.code for block in blocks(page) if block.attribute == "needs=hf"]
    assert len(code) == 4
    known: dict[str, Any] = {}
    for number, one in enumerate(code):
        exec(compile(one, f"block {number}", "exec"), known)
    assert known["trainer"].updates == {"sft": 1, "improve": 1}
    assert known["spy"].updates == {"sft": 1, "decision": 1}
    assert "spo/win_rate" in read_log(tmp_path / "runs" / "spy" / "log.csv")[-1]
    assert (tmp_path / "runs" / "tictactoe" / "model" / "adapter_model.safetensors").exists()
    exec(compile(code[0], "again", "exec"), known)
    assert known["trainer"].updates == {"sft": 1, "improve": 1}, "a second start has nothing left to do"
