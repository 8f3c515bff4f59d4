"""Endpoints that are away, quotas that are used up, keys that are revoked, and prices that nobody knows."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from mmgames import cli
from mmgames.agents import retries
from mmgames.baselines.models.chat import Chat
from mmgames.errors import ServiceRefused
from mmgames.running import clocks
from mmgames.running.journal import Budget
from mmgames.running.matches import match
from tests.chat_server import ChatServer, Fault, completion, serving

MOVES = '{"action": "<STAY>"}'


class Waits:
    """The clock of a test: it goes on when somebody waits, and tells `then` of every wait."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.then: Any = lambda: None

    def sleep(self, seconds: float) -> None:
        self.seconds.append(seconds)
        self.then()

    def now(self) -> float:
        return sum(self.seconds)


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> Iterator[Waits]:
    made = Waits()
    monkeypatch.setattr(retries, "_sleep", made.sleep)
    monkeypatch.setattr(clocks, "now", made.now)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-secret")
    return made


def play(server: ChatServer, episodes: int = 2, out: Path | None = None, clock: Any = None, **settings: Any) -> Any:
    agent = Chat("tiny", server.url, observe="text", tries=3, **settings)
    how: dict[str, Any] = {"on_illegal": "random", "max_steps": 2, "out": out, "clock": clock}
    return match("CoinDilemma", [agent, "random"], episodes, **how)


@pytest.mark.parametrize("status", [429, 502, 503, 504, 529])
def test_a_run_waits_while_its_endpoint_is_away_and_goes_on(status: int, waits: Waits) -> None:
    with serving(lambda request, number: Fault(status) if 1 <= number < 60 else MOVES) as server:
        with pytest.warns(UserWarning, match="the run waits up to 30 minutes"):
            result = play(server)
        assert len(server.requests) == 59 + 4
    assert len(result.finished) == 2 and 300 < sum(waits.seconds) < 1800


def test_it_waits_for_a_server_that_cannot_even_be_connected_to(waits: Waits) -> None:
    with ExitStack() as back:

        def dies(request: Any, number: int) -> Any:
            if number < 2:
                return MOVES
            server.shutdown()  # nobody listens any more, and this connection is hung up on
            server.server_close()
            return None

        def comes_back() -> None:
            if len(waits.seconds) == 8:
                again.append(back.enter_context(serving(lambda request, number: MOVES, port=port)))

        again: list[ChatServer] = []
        waits.then = comes_back
        with serving(dies) as server, pytest.warns(UserWarning, match="the run waits"):
            port = server.server_address[1]
            result = play(server)
        assert len(result.finished) == 2 and len(again[0].requests) == 2 and len(server.requests) == 3


def test_a_long_wait_that_a_service_asks_for_is_a_pause(tmp_path: Path, waits: Waits) -> None:
    with serving(lambda request, number: Fault(429, wait="600") if number == 2 else MOVES) as server:
        with pytest.warns(UserWarning, match="the run waits up to 30 minutes"):
            assert len(play(server).finished) == 2 and waits.seconds == [600.0]
        server.script = lambda request, number: Fault(503, wait="7200")
        with pytest.raises(ServiceRefused, match=r"longer than the 1800 s allowed.*What is finished is kept"):
            play(server, 3)


def test_after_the_limit_the_run_ends_with_a_sentence_and_keeps_its_rows(tmp_path: Path, waits: Waits) -> None:
    with serving(lambda request, number: MOVES if number < 2 else Fault(503, wait="0")) as server:
        with pytest.warns(UserWarning, match="up to 2 minutes"), pytest.raises(ServiceRefused, match="for 2 minutes"):
            play(server, 3, tmp_path / "a.jsonl", away=120)
        assert 120 <= sum(waits.seconds) < 150 and len((tmp_path / "a.jsonl").read_text().splitlines()) == 2
        asked = len(server.requests)
        assert play(server, 1, tmp_path / "b.jsonl", away=0).episodes[0]["unavailable"], "no pause: it is missing"
        assert len(server.requests) == asked + 3
        server.script = lambda request, number: MOVES
        assert len(play(server, 3, tmp_path / "a.jsonl").finished) == 3 and len(server.requests) == asked + 3 + 4


def test_a_fault_of_one_prompt_is_not_waited_for_and_an_outage_is_nobodys_time_to_move(waits: Waits) -> None:
    for fault in (Fault(500), Fault(200, "half"), None):
        with serving(lambda request, number, fault=fault: MOVES if number < 2 else fault) as server:
            result = play(server)
            assert [bool(row["failed"]) for row in result.episodes] == [False, True] and len(server.requests) == 5
    assert max(waits.seconds) <= 2
    with (
        serving(lambda request, number: Fault(503) if 1 <= number < 30 else MOVES) as server,
        pytest.warns(UserWarning, match="the run waits"),
    ):
        result = play(server, clock="5+5")
    assert result.episodes[0]["late"] == [0, 0] and sum(waits.seconds) > 60


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault(429, {"error": {"code": "insufficient_quota", "message": "You paid less."}}), "quota is used up"),
        (Fault(400, {"error": {"message": "Your credit balance is too low to ask."}}), "quota is used up"),
        (Fault(401, {"error": {"message": "Incorrect API key provided: sk-test-secret"}}), "rejects the key"),
    ],
)
def test_used_up_quotas_and_revoked_keys_end(
    fault: Fault, said: str, tmp_path: Path, waits: Waits, capsys: Any
) -> None:
    with serving(lambda request, number: MOVES if number < 2 else fault) as server:
        words = ["match", "CoinDilemma", f"chat:tiny,base_url={server.url},observe=text", "random", "--episodes", "5"]
        words += ["--max-steps", "2", "--on-illegal", "random", "--out", str(tmp_path / "a.jsonl")]
        assert cli.main(words) == 2 and len(server.requests) == 3 and not waits.seconds
    error = [line for line in capsys.readouterr().err.splitlines() if line.startswith("mmgames: ")]
    assert len(error) == 1 and said in error[0] and "sk-test" not in error[0]
    assert len((tmp_path / "a.jsonl").read_text().splitlines()) == 2, "what was finished is kept"


def test_money_is_not_spent_or_guessed_without_a_price(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "prices.json").write_text(json.dumps({"large": [1, 2]}))
    with serving(lambda request, number: MOVES) as server:
        words = ["match", "CoinDilemma", f"chat:tiny,base_url={server.url},observe=text", "random", "--episodes", "2"]
        words += ["--max-steps", "2", "--on-illegal", "random", "--prices", str(tmp_path / "prices.json")]
        assert cli.main([*words, "--max-cost", "0.00001"]) == 2 and not server.requests
        assert "the price of tiny is unknown; there are prices of large" in capsys.readouterr().err
        assert cli.main(words) == 0 and ", price unknown" in capsys.readouterr().err
        words[2] = f"chat:large-2025-01-01,base_url={server.url},observe=text"
        assert cli.main([*words, "--max-cost", "1"]) == 0 and "in money" in capsys.readouterr().err
    silent = {**completion(MOVES), "usage": None}
    with serving(lambda request, number: silent) as server:
        words[2] = f"chat:large,base_url={server.url},observe=text"
        assert cli.main([*words, "--max-cost", "1"]) == 2 and len(server.requests) == 1
        assert "does not say how many tokens" in capsys.readouterr().err
    budget = Budget(prices={"gpt": (1, 2), "claude-20250101": (3, 4), "old-0314": (5, 6), "old-0613": (7, 8)})
    for name in ("gpt", "gpt-2025-04-14", "gpt-latest", "gpt@20250414"):
        assert budget.price(name) == (1, 2)
    assert budget.price("claude") == budget.price("claude-20250101") == (3, 4) and budget.price("old-0613") == (7, 8)
    for name in ("gpt-mini", "old", "claude-20240101", "gtp", ""):
        assert budget.price(name) is None, "another model, or one of several prices"
    words = ["eval", "vs-bench", "--only", "KuhnPoker", "--agent", "chat:tiny", "--episodes", "1", "--dry-run"]
    words += ["--prices", str(tmp_path / "prices.json")]
    assert cli.main(words) == 0 and "price unknown" in capsys.readouterr().out
    assert cli.main([*words, "--json"]) == 0 and json.loads(capsys.readouterr().out)["money"] is None
    assert cli.main([*words, "--max-cost", "1"]) == 2 and "price of tiny is unknown" in capsys.readouterr().err
