"""A study for people whom a service sends: places, links, codes, checks of attention, a table, a rehearsal."""

import os
from pathlib import Path
from typing import Any

from mmgames import cli
from mmgames.play.network_guard import RateLimit
from mmgames.studies.network import JOINS
from tests.study_server import TEXTS, serving_study, study

SMALL = study("recruiting")


def test_places_are_freed_links_work_once_and_codes_tell_what_became_of_people(
    tmp_path: Path, study_clock: Any
) -> None:
    with serving_study(tmp_path, SMALL) as visitor:
        hosted = visitor.client.hosted._study
        tickets = hosted.state.new_tickets(5)

        def come(ticket: str, recruit: str = "p") -> tuple[int, Any]:
            return visitor.client.ask("api/join", {"agree": True, "ticket": ticket, "recruit": recruit})

        assert come("guess", "p0")[0] == 403 and come(tickets[0], "")[0] == 403
        assert come(tickets[0], "p0")[0] == 200 and come(tickets[0], "p9")[0] == 403, "a link works once"
        status, answer = come(tickets[1], "p0")
        assert status == 409 and "already" in answer["error"], "and a person comes once"
        attentive = come(tickets[1], "p1")[1]["key"]
        assert come(tickets[2], "p2")[0] == 409, "both places are taken"
        study_clock.ahead = 61.0  # nobody is heard of
        hosted.tick()
        assert hosted.shown(attentive)["completion"] == "C-AWAY", "so the places are free again"
        third, fourth = (come(tickets[place], f"q{place}")[1]["key"] for place in (2, 3))
        hosted.go_on(third, "before", None, {"check": "red"})
        shown = hosted.shown(third)
        assert shown["stage"] == "gone" and shown["return_to"] == "https://recruit.example/done?cc=C-ATT"
        hosted.withdraw(fourth)
        assert hosted.shown(fourth)["completion"] == "C-LEFT"
    table = (tmp_path / "out" / "table.csv").read_text("utf-8").splitlines()
    assert sorted(line.split(",")[1] for line in table[1:]) == ["attention", "away", "away", "left"]
    private = tmp_path / "out" / "recruits.jsonl"
    assert private.stat().st_mode & 0o077 == 0 and '"q2"' in private.read_text("utf-8")
    assert '"q2"' not in (tmp_path / "out" / "study.jsonl").read_text("utf-8")


def test_a_rehearsal_plays_a_study_through_with_agents(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "study.toml"
    path.write_text(TEXTS + SMALL, "utf-8")
    assert cli.main(["study", str(path), "--out", str(tmp_path / "out"), "--rehearse", "2"]) == 0
    assert "2 came to the end, 0 did not" in capsys.readouterr().out
    lines = (tmp_path / "out" / "table.csv").read_text("utf-8").splitlines()
    assert (
        len(lines) == 3 and lines[0].endswith("given_up,before_check") and all(",done," in line for line in lines[1:])
    )
    assert cli.main(["study", str(path), "--out", str(tmp_path / "out"), "--rehearse", "2"]) != 0, "not among real ones"


def test_a_crowd_at_the_door_keeps_nobody_else_out(tmp_path: Path) -> None:
    """Limits count by address: whoever comes from another one is let in at once, however many were turned away."""
    with serving_study(
        tmp_path, '[[games]]\ngame = "TicTacToe"\nseats = ["person", "random"]\n', elsewhere=True
    ) as visitor:
        guard = visitor.client.app
        guard._joins = RateLimit(*JOINS, clock=lambda: 0.0)  # however long it takes to turn so many away
        crowd = int(os.environ.get("CROWD", "200"))
        asked = [guard._visitor(["join"], {}, "192.0.2.1") is not None for _ in range(crowd)]
        assert sum(asked) < crowd / 3 and not asked[-1]
        assert guard._visitor(["join"], {}, "192.0.2.2") is not None and visitor.join().at("between")
