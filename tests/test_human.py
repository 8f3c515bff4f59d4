"""A person at the terminal."""

import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import gymnasium
import pytest

import mmgames
from mmgames import MmgamesError
from mmgames.baselines import human
from mmgames.core.registry import load
from mmgames.running.matches import play
from tests.environments import begun
from tests.players import Acts

SCRIPT = Path(__file__).parent.parent / "examples" / "play_at_the_terminal.py"


@pytest.fixture
def type_in(monkeypatch: pytest.MonkeyPatch):
    return lambda text: monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def test_a_person_plays_a_whole_game_by_name(discrete_spec, type_in, capsys: pytest.CaptureFixture) -> None:
    words = load(discrete_spec.id).words
    recorded: list[str] = []
    rules: set[str] = set()
    agents = ["random"] * len(discrete_spec.seats)

    def type_last(turn):
        action, name = list(turn.names.items())[-1]
        recorded.append(name.lower())
        rules.add(words.rules(turn.view).splitlines()[0])
        return action

    watched = [live.view(None) for live in play(discrete_spec.id, [*agents[:-1], Acts(type_last)], seed=1)]
    type_in("\n".join(recorded) + "\n")
    typed = []
    for live in play(discrete_spec.id, [*agents[:-1], "human"], seed=1):
        typed.append(live.view(None))
    assert typed == watched and len(typed) > 1
    shown = capsys.readouterr().out
    assert shown.endswith(f"\n{words.describe(live.view(len(agents) - 1))}\n"), "the end is shown as well"
    assert shown.count(f"you play {discrete_spec.seats[-1]}") == 1, "the rules come once an episode"
    assert len(rules) == 1 and rules.pop() in shown


def test_illegal_answers_are_explained_and_the_end_is_shown(type_in, capsys: pytest.CaptureFixture) -> None:
    type_in("the middle\nB2\nB2\nA1\n")
    with pytest.raises(MmgamesError):
        for _ in play("TicTacToe", ["human", "random"], seed=0):
            pass
    shown = capsys.readouterr().out
    assert "That is no move: " in shown and "'the middle'" in shown
    assert shown.count("Moves: A1, A2, A3, B1, B2, B3, C1, C2, C3") == 2
    type_in("B1\nB2\n")
    env = begun(gymnasium.make("mmgames/TicTacToe-v0", others="human"))
    for action in (0, 1, 2):
        env.step(action)
    shown = capsys.readouterr().out
    assert shown.count("The game is over: X has won.") == 1 and shown.endswith("The game is over: X has won.\n")
    type_in("")
    with pytest.raises(MmgamesError, match=r"the input ended before x had moved; the episode stays unfinished\.$"):
        list(play("TicTacToe", ["human", "random"], seed=0))


def test_names_of_several_words_are_not_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    names = [f"{verb} {row}{n}" for verb in ("open", "flag") for row in "ABC" for n in range(1, 10)]
    lines = human._listing(dict(enumerate(names))).splitlines()
    assert len(lines) > 5 and all(len(line) <= 30 for line in lines)
    assert [name for line in lines for name in line.removeprefix("Moves: ").rstrip(",").split(", ")] == names


def test_a_message_may_have_several_lines(text_spec, type_in, capsys: pytest.CaptureFixture) -> None:
    type_in("Hello.\nWhat do you see?\n\n")
    result = mmgames.match(text_spec.id, ["human", *["random"] * (len(text_spec.seats) - 1)], episodes=1, max_steps=1)
    assert "Hello.\\nWhat do you see?" in json.dumps(result.episodes[0]["actions"])
    assert "an empty line sends it" in capsys.readouterr().out


def test_a_real_terminal() -> None:
    leader, follower = pty.openpty()
    command = [sys.executable, str(SCRIPT), "TicTacToe", "x"]
    process = subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower)
    os.close(follower)
    typed = iter(["nowhere\n", *(f"{row}{n}\n" for row in "BAC" for n in "213")])
    shown = ""
    asked = 0
    while True:
        try:
            part = os.read(leader, 4096).decode()
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
        if shown.count("x> ") > asked:
            asked += 1
            os.write(leader, next(typed).encode())
    assert process.wait(timeout=60) == 0
    os.close(leader)
    assert "That is no move" in shown and "The end: x" in shown
