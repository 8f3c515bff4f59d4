"""A suite as an inspect-ai task: a real evaluation, over a real HTTP endpoint."""

from pathlib import Path
from statistics import fmean

import pytest

pytest.importorskip("inspect_ai")

from inspect_ai import Task, eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from mmgames.suites import find
from tests.chat_server import pictures, serving, words
from tests.players import Says


def counted(output: ModelOutput) -> ModelOutput:
    """A scripted output whose tokens nobody needs to count: that would fetch a vocabulary from elsewhere."""
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output


def run(task: Task, model, folder: Path):
    (log,) = eval(task, model=model, log_dir=str(folder), display="none", fail_on_error=True)
    assert log.status == "success", log.error.traceback
    return log


def test_a_suite_is_scored_as_we_score_it(example, tmp_path: Path) -> None:
    rows = find("lvlm-playground").evaluate(Says('{"answer": "B"}'), episodes=12, seed=3, only="TicTacToe-Ask")["rows"]
    with serving(lambda request, number: '{"answer": "B"}') as server:
        model = get_model("openai/tiny", base_url=server.url, api_key="none", responses_api=False)
        log = run(example("inspect_suite").mmgames_suite(only="TicTacToe-Ask", episodes=12, seed=3), model, tmp_path)
        assert len(server.requests) == 24, "as the paper asks, and balanced"
        assert all(len(pictures(request["messages"][-1])) == 4 for request in server.requests), "three worked examples"
    ours = {name: fmean(row[name] for row in rows) for name in ("normalised", "raw")}
    (sample,) = log.samples
    (score,) = sample.scores.values()
    assert sample.id == "mmgames/TicTacToe-Ask-v0" and score.value == {**ours, "illegal": 0.0}
    metrics = {scores.name: scores.metrics["mean"].value for scores in log.results.scores}
    assert metrics["raw"] == ours["raw"] and 0 < ours["raw"] < 100


def test_games_are_played_to_their_end_and_the_words_of_questions_reach_the_model(example, tmp_path: Path) -> None:
    def reply(messages, tools, choice, config):
        return counted(ModelOutput.from_content("mockllm", '{"action": "<UP>"}'))

    task = example("inspect_suite").mmgames_suite("vs-bench", "CoinDilemma", episodes=1)
    log = run(task, get_model("mockllm/model", custom_outputs=reply), tmp_path)
    (sample,) = log.samples
    assert len(sample.messages) > 20 and sample.metadata["rows"][0]["environment"] == "mmgames/CoinDilemma-v0"
    with serving(lambda request, number: "no answer at all") as server:
        model = get_model("openai/tiny", base_url=server.url, api_key="none", responses_api=False)
        log = run(example("inspect_suite").mmgames_suite(only="TicTacToe-Rule", episodes=2), model, tmp_path)
        assert "##" in words(server.requests[0]["messages"][-1])
    (score,) = log.samples[0].scores.values()
    assert score.value["raw"] == 0 and score.value["illegal"] == 1.0
