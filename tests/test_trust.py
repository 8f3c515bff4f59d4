"""A number that can be trusted: babbling, failing and restarting never raise a score, and pages show no live markup."""

import json
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

import mmgames
from mmgames import cli, suites
from mmgames.agents import retries
from mmgames.errors import Unavailable
from mmgames.suites.pages import tables
from mmgames.text.tables import escape_markdown, markdown_table
from tests.players import Acts, ActsByEpisode, Says, sampled
from tests.refusing import refused

VS_BENCH, COMMA, PLAYGROUND = (suites.find(name) for name in ("vs-bench", "comma", "lvlm-playground"))


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    waits: list[float] = []
    monkeypatch.setattr(retries, "_sleep", waits.append)
    return waits


def babble_when_behind(turn: Any) -> Any:
    behind = turn.game.returns(turn.imagine())[turn.seat] < 0
    return "I would rather not." if behind else turn.sample()


def test_words_are_measured_at_kuhn_poker_like_the_policy_they_name_and_babbling_as_chance(tmp_path: Path) -> None:
    said = VS_BENCH.evaluate(Says('{"action": "<BET>"}'), 1, only="KuhnPoker", out=tmp_path)["rows"][0]
    done = VS_BENCH.evaluate(Acts(1), 1, only="KuhnPoker")["rows"][0]
    assert said["raw"] == done["raw"] and said["illegal"]["rate"] == 0 and said["illegal"]["replies"] == 12 * 25
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert any(path.name.endswith(".calls.jsonl") for path in before), "what was asked is kept"
    assert VS_BENCH.evaluate(Says('{"action": "<BET>"}'), 1, only="KuhnPoker", out=tmp_path)["rows"][0] == said
    assert before == {path: path.read_bytes() for path in tmp_path.iterdir()}, "and not asked again"
    row = VS_BENCH.evaluate(Says("Hm."), 1, only="KuhnPoker")["rows"][0]
    assert row["raw"] == pytest.approx(-11 / 24)
    counted = {"policy": "retry_random", "replies": 900, "illegal": 900, "rate": 1.0, "drawn": 300, "asked_again": 300}
    assert row["illegal"] == {**counted, "kinds": {"not in the asked form": 900}}


def test_every_game_takes_an_agent_that_answers_in_words() -> None:
    left_out = ("mmgames/Pong", "mmgames/Breakthrough")
    games = [entry.id for entry in VS_BENCH.entries if not entry.id.startswith(left_out)]
    result = VS_BENCH.evaluate(Says("Hm."), 1, only=games)
    assert all(row["raw"] is not None and row["illegal"]["rate"] == 1.0 for row in result["rows"])
    assert COMMA.evaluate(Says("Hello."), 1, only="WirePuzzle")["rows"][0]["illegal"]["illegal"] == 0
    tasks = PLAYGROUND.evaluate(Says("Hm."), 2, only=["TicTacToe-Rule", "TicTacToe"])["rows"]
    assert [row["raw"] for row in tasks] == [0.0, 0.0]
    assert [row["illegal"]["policy"] for row in tasks] == ["wrong", "retry"]


def test_babbling_when_behind_does_not_raise_a_score(tmp_path: Path) -> None:
    honest = VS_BENCH.evaluate("random", 20, only="CoinDilemma")["rows"][0]
    row = VS_BENCH.evaluate(Acts(babble_when_behind), 20, only="CoinDilemma", out=tmp_path)["rows"][0]
    assert row["episodes"] == 20 and row["missing"] == row["failed"] == 0, "no episode is dropped"
    assert abs(row["raw"] - honest["raw"]) < 4 * honest["standard_error"]
    counted = row["illegal"]
    assert 0 < counted["illegal"] == 3 * counted["drawn"], "asked again, then a random legal move"
    restarted = VS_BENCH.evaluate(Acts(babble_when_behind), 20, only="CoinDilemma", out=tmp_path)["rows"][0]
    assert restarted["illegal"] == counted, "restarting keeps the count"
    line, again = tables.refusals({"rows": [row]})
    assert "asked again" in again
    assert f"{counted['illegal']} of {counted['replies']} replies" in line and "random legal move" in line


def fails_in(error: Exception, *episodes: int) -> ActsByEpisode:
    return ActsByEpisode(*[error if number in episodes else sampled for number in range(4)], about="fails")


def test_an_agent_that_breaks_off_has_no_score_and_takes_the_overall_with_it(
    tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    only = ["CoinDilemma", "MonsterHunt"]
    result = VS_BENCH.evaluate(fails_in(RuntimeError("lost its way"), 1), 3, only=only, out=tmp_path)
    first, second = result["rows"]
    assert (first["raw"], first["failed"], first["missing"], first["broken"]) == (None, 1, 1, 1)
    assert second["raw"] is not None and result["overall_normalised"] is None
    assert "1 of 2 rows have no score" in VS_BENCH.headline(result)[0] and "lost its way" in tables.failures(result)[0]
    again = VS_BENCH.evaluate(fails_in(RuntimeError("no more")), 3, only=only, out=tmp_path)
    assert again["rows"][0]["raw"] is not None and again["rows"][0]["failed_before"] == 1, "it stays known"
    monkeypatch.setattr(type(VS_BENCH), "agents", lambda self, args: [fails_in(RuntimeError("x"), 0)])
    assert cli.main(["eval", "vs-bench", "--episodes", "1", "--only", "CoinDilemma", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["rows"][0]["raw"] is None


def test_a_service_that_is_away_leaves_a_hole_and_is_asked_again(tmp_path: Path, no_waiting: list[float]) -> None:
    away = fails_in(Unavailable("The server timed out."), 0, 2)
    result = VS_BENCH.evaluate(away, 4, only="CoinDilemma", out=tmp_path)
    row = result["rows"][0]
    assert (row["episodes"], row["missing"], row["broken"]) == (2, 2, 0) and row["raw"] is not None
    assert "2 values are missing" in VS_BENCH.headline(result)[0] and tables.rows([result])[0][3] == "2 of 4"
    assert len(no_waiting) >= 2 * (retries.DEFAULT_RETRIES.tries - 1) and no_waiting[0] <= no_waiting[2]
    whole = VS_BENCH.evaluate(fails_in(Unavailable("")), 4, only="CoinDilemma", out=tmp_path)["rows"][0]
    assert (whole["episodes"], whole["missing"], whole["failed_before"]) == (4, 0, 2)


def test_a_question_that_was_never_answered_is_missing_and_not_wrong() -> None:
    away = [Unavailable("The server timed out.")] * retries.DEFAULT_RETRIES.tries
    row = PLAYGROUND.evaluate(Says(*away, ValueError("its own fault"), "A1"), 3, only="TicTacToe-Rule")["rows"][0]
    assert (row["episodes"], row["missing"], row["failed"]) == (2, 1, 2)
    row = COMMA.evaluate((Says("x" * 300_000), "scripted_expert"), 1, only="WirePuzzle")["rows"][0]
    assert row["raw"] == 0 and row["illegal"]["policy"] == "silent"
    assert row["illegal"]["illegal"] == row["illegal"]["drawn"] == 10
    refused(lambda: mmgames.match("TicTacToe", "random", 1, on_illegal="silent"), "is for games of talk")


def test_retries_wait_as_long_as_a_service_asks_for_and_end() -> None:
    kind = retries.RetryPolicy(tries=3, first_wait=1.0, longest_wait=4.0)
    assert kind.wait(1, asked=2.5) == 2.5
    assert all(0.5 <= kind.wait(1) <= 1.0 and 2.0 <= kind.wait(5) <= 4.0 for _ in range(100))
    calls: list[int] = []

    def never() -> None:
        calls.append(1)
        raise Unavailable("gone", can_retry=len(calls) < 2)

    with pytest.raises(Unavailable):
        kind.call(never)
    assert len(calls) == 2, "what asking again cannot mend is not asked again"


NASTY = (
    "</td><script>alert(1)</script>\n\n```{raw} html\n<img src=x onerror=alert(1)>\n```\n[x](javascript:alert(1)) | $x$"
)


def test_what_a_model_says_is_shown_and_never_run() -> None:
    result = VS_BENCH.evaluate(Acts(RuntimeError(NASTY), name=f"model {NASTY}"), 1, only="CoinDilemma")
    page = tables.page("T", "command", [result], VS_BENCH.sections([result]), {"x ](javascript:1)": "a b.png"})
    shown = MarkdownIt("commonmark", {"html": True}).enable("table").render(page)
    for live in ("<script", "<img src=x", 'javascript:alert(1)"', "<code class"):
        assert live not in shown, live
    assert "&lt;script&gt;alert(1)" in shown
    assert markdown_table(("a",), [["<b>|"]]).splitlines()[-1] == "| &lt;b&gt;\\| |"
    assert escape_markdown("a\x1b[31m\nb") == "a \\[31m b"


NOWHERE = ("--markdown nowhere/page.md", "--markdown .", "--radar nowhere/radar.png", "--radar radar.xyz")


@pytest.mark.parametrize("wrong", [*NOWHERE, "--radar radar.png --only CoinDilemma"])
def test_a_file_that_cannot_be_written_is_refused(wrong: str, tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["eval", "vs-bench", "--agent", "random", "--episodes", "1", "--out", "kept", *wrong.split()]) == 2
    assert "cannot be written to" in (error := capsys.readouterr().err) or "axes" in error
    assert not (tmp_path / "kept").exists(), "nothing was played"
    assert cli.main(["eval", "comma", "--episodes", "1", "--turns", "nowhere/turns.png"]) == 2
