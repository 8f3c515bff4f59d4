"""The guides for whoever evaluates a model, typed in as they stand, with a scripted server where a model would be."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from mmgames import cli
from mmgames.play.viewer import Viewer
from tests.chat_server import serving, words
from tests.docs.test_pages import DOCS, blocks

LOCAL = re.compile(r"http://localhost:\d+/v1")
NOT_OURS = ("pip", "export", "vllm", "python", "llama-server", "ollama", "OLLAMA_CONTEXT_LENGTH=16384")


def commands(page: str) -> list[str]:
    """The lines of a page's blocks that are typed into a terminal, in their order."""
    typed = [block.code for block in blocks(page) if block.language in ("text", "shell")]
    return [line for code in typed for line in code.replace("\\\n", " ").splitlines() if line.strip()]


def moves(request: dict[str, Any], number: int) -> str:
    text = words(request["messages"][-1])
    legal = text.rpartition("## Legal actions")[2].partition("\n## ")[0].strip().split(", ")
    return json.dumps({"action": legal[number % len(legal)]})


@pytest.mark.parametrize("name", ["evaluate-a-model", "local-servers"])
def test_every_command_of_the_guide_does_what_it_says(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    page = (DOCS / "guides" / f"{name}.md").read_text("utf-8")
    monkeypatch.chdir(tmp_path)
    serve = Viewer.run
    monkeypatch.setattr(Viewer, "run", lambda viewer: (viewer.stop(), serve(viewer)))  # nobody is there to interrupt it
    if prices := re.search(r"`prices.json` .*?`(\{.*?\})`", page, re.S):
        Path("prices.json").write_text(prices[1])
    with serving(moves) as server:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-guide")
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        tried = []
        for line in commands(page):
            program, *arguments = shlex.split(LOCAL.sub(server.url, line), comments=True)
            if program in NOT_OURS:
                continue
            assert program == "mmgames", f"{line}: what is this?"
            if any(word.startswith("hf:") for word in arguments):
                continue  # it would download a model; tests/hf has tiny ones
            asked = len(server.requests)
            assert cli.main(arguments) == 0, line
            tried.append((arguments, len(server.requests) - asked, capsys.readouterr().out))
    for arguments, asked, said in tried:
        quiet = not any(word.startswith("chat:") for word in arguments) or "--dry-run" in arguments
        assert (asked == 0) == (quiet or "--replies-from" in arguments), arguments
        if arguments[0] == "match" and asked:
            assert "lost by" not in said and "failed" not in said, said
    if name == "evaluate-a-model":
        whole, again = (
            next(said for words, _, said in tried if flag in words) for flag in ("--max-cost", "--replies-from")
        )
        assert whole.partition("calls,")[0] == again.partition("calls,")[0], "scored again it is the same"
        assert Path("results/report.html").exists() and Path("results/coin.gif").exists()
        for file in (file for file in tmp_path.rglob("*") if file.is_file()):
            assert b"sk-of-the-guide" not in file.read_bytes()
