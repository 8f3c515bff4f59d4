"""Prompts of one's own: files that say where the parts of what a model is shown go."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import mmgames
from mmgames import suites, tasks
from mmgames.agents.finding import find_agent
from mmgames.agents.prompt_template import PLACES, STAGES, Scene, parse_prompt, read_prompt, read_prompts
from mmgames.baselines.models.conversation import Conversation
from mmgames.cli import main
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.core.turn import Turn
from mmgames.errors import MmgamesError, RunStopped
from mmgames.running.journal import offline
from mmgames.running.matches import match
from mmgames.tasks.env import TaskEnv
from mmgames.testing.playing import begin
from tests.cases import cases
from tests.chat_server import serving, words
from tests.refusing import refused

CASES = cases(__file__)

EVERYTHING = "{{rules}}|{{you}}|{{legend}}|{{question}}|{{now}}|{{legal_actions}}|{{answer}}|{{refused}}|{{rest}}"


class Model(Conversation):
    """Stands where a chat model would be: keeps what it was shown, and says what it is told to."""

    name = "model"

    def __init__(self, *replies, **options):
        super().__init__(**options)
        self.shown, self.replies = [], list(replies)

    def fresh(self):
        return self

    def complete(self, messages):
        self.shown.append(messages)
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


def file(tmp_path, text):
    path = tmp_path / "prompt.txt"
    path.write_text(text)
    return str(path)


def test_every_part_has_its_place_and_braces_stay(tmp_path):
    braces = '{"move": {"to": \\boxed{1}}}'
    text = "[system]\nMind this: {{rules}}\n[user]\nFirst.\n{{pictures}}\n{{now}}\nBRACES\n{{answer}}"
    text = text.replace("BRACES", braces)
    model = Model("A1", prompt=file(tmp_path, text), size=64)
    match("TicTacToe", (model, "random"), 1, 1, on_illegal="random")
    system, user = model.shown[0]
    assert system["content"].startswith("Mind this: The board has three by three cells.")
    first, picture, last = user["content"]
    assert (first["text"], picture["type"]) == ("First.", "image_url") and braces in last["text"]
    assert "{{" not in last["text"] and "## " not in last["text"]


@pytest.mark.parametrize("kind", ["WirePuzzle", "Spy", "KuhnPoker", "TicTacToe-Ask", "VikiPlan", "CoinDilemma-Predict"])
def test_nothing_that_is_shown_is_lost_in_games_puzzles_votes_clues_and_tasks(kind, tmp_path):
    plain, filled = parse_prompt("{{text}}"), parse_prompt(EVERYTHING)
    shown, lost = [], []

    class Watching:
        def answer(self, observation):
            alone, places = (template.user_texts(observation)[0] for template in (plain, filled))
            shown.append(alone == observation["text"].strip("\n"))
            lines = (line for line in alone.splitlines() if line.removeprefix("## ") not in PLACED)
            lost.extend(line for line in lines if line not in places)
            return "player_1"

    if "-" in kind or kind == "VikiPlan":
        Watching().answer(TaskEnv(kind, actions="text", observe=("text",)).reset(seed=1)[0])
    else:
        match(kind, Watching(), 1, 1, on_illegal="random", max_steps=12)
    assert shown and all(shown) and not lost


PLACED = {"Rules", "You", "Picture", "Pictures", "Question", "Now", "Legal actions", "Answer", "Refused"}
PLACED |= {f"Legal actions of {role}" for role in ("red", "blue")}


def test_a_refused_reply_and_the_history_have_places_of_their_own(tmp_path):
    model = Model("nonsense", "A1", "B2", "C3", prompt=file(tmp_path, "{{now}}"), observe="text")
    match("TicTacToe", (model, "random"), 1, 1, on_illegal="retry")
    assert "Your last reply was no move" in model.shown[1][-1]["content"], "never lost, whatever the file says"
    text = "{{now}} You said: {{history}}."
    model = Model("A1", "B2", "C3", prompt=file(tmp_path, text), observe="text", history=2)
    match("TicTacToe", (model, "random"), 1, 1, on_illegal="random")
    assert len(model.shown[1]) == 1, "told in the message itself, and not as messages before it"
    assert model.shown[1][0]["content"].endswith("You said: A1.")
    text = "{{game}} {{seat}} {{round}} [{{history}}] {{legal_actions}}"
    model = Model('{"action": "<UP>"}', prompt=file(tmp_path, text), observe="text", history=2)
    match("CoinDilemma", (model, "random"), 2, 1, max_steps=3)
    told = [messages[0]["content"].split("]")[0] for messages in model.shown]
    once = '{"action": "<UP>"}'
    rounds = ["CoinDilemma red 1 [", f"CoinDilemma red 2 [{once}", f"CoinDilemma red 3 [{once}\n\n{once}"]
    assert told == rounds * 2, "an episode begins anew"
    assert all("<STAY>, <RIGHT>" in messages[0]["content"] for messages in model.shown)


def test_a_file_is_part_of_what_a_model_is_and_one_that_cannot_be_used_is_told_in_a_sentence(tmp_path):
    one, other = (Model("", prompt=file(tmp_path, text)).describe()["prompt"] for text in ("{{text}}", "{{text}}!"))
    assert one != other and "prompt" not in Model("").describe()
    refused(lambda: Model("", prompt=str(tmp_path / "nowhere.txt")), "cannot be read")
    with pytest.raises(MmgamesError, match="system message of its own"):
        Model("", system="Mine.", prompt=file(tmp_path, "[system]\nIts.\n[user]\n{{text}}"))
    for text, told in CASES["no files"]:
        with pytest.raises(MmgamesError, match=told) as error:
            read_prompt(file(tmp_path, text))
        assert str(tmp_path) in str(error.value) and "\n" not in str(error.value)


def test_models_of_other_kinds_and_clients_of_ones_own_take_a_file_too(tmp_path):
    with offline():
        agent = find_agent(f"hf:tiny,prompt={file(tmp_path, 'Q: {{text}}')}", registry.find("TicTacToe"))
    assert agent.messages({"text": "Move!"}) == [{"role": "user", "content": "Q: Move!"}]
    template = parse_prompt("{{now}}")
    assert template.user_texts({"text": "## Now\nsay {{rules}}"})[0] == "say {{rules}}"
    assert set(PLACES) >= {"text", "rest", "pictures"}
    shown = {"text": "Be brief.\n\nWhat is it?", "system": "Be brief.", "rgb": np.zeros((16, 16, 3), np.uint8)}
    template = parse_prompt("{{pictures}}\nQ: {{text}}")
    system, user = mmgames.chat_messages(shown, prompt=template)
    assert system["content"] == "Be brief." and [part["type"] for part in user["content"]] == ["image_url", "text"]
    assert user["content"][1]["text"] == "Q: What is it?"


EXAMPLES = Path(__file__).parent.parent / "examples" / "prompts"


def folder(tmp_path, **files):
    for name, text in files.items():
        (tmp_path / f"{name.replace('_', '.')}.txt").write_text(text)
    return str(tmp_path)


def test_the_most_particular_file_counts(tmp_path):
    names = ("default", "vote", "Spy", "Spy_vote", "Spy_spy", "Spy_clue_spy", "expert")
    prompts = read_prompts(folder(tmp_path, **{name: f"{name} {{{{text}}}}" for name in names}))

    def chosen(*scene):
        return prompts.at(Scene(*scene)).user.split()[0]

    assert chosen("Spy", "clue", "spy") == "Spy_clue_spy" and chosen("Spy", "over", "spy") == "Spy_spy"
    assert chosen("Spy", "vote", "civilian") == "Spy_vote" and chosen("Spy", "clue", "civilian") == "Spy"
    assert chosen("WirePuzzle", "play", "expert") == "expert"
    assert chosen("Other", "vote", "x") == "vote" and chosen("Chess") == chosen() == "default"
    assert {spec.kind for spec in tasks.specs.values()} <= set(STAGES)
    rng = np.random.default_rng(0)
    for id, spec in registry.specs.items():
        if not registry.why_missing(spec):
            loaded = registry.load(id)
            live = LiveGame(loaded, loaded.game())
            live.start(rng)
            assert all(Turn(live, seat, rng).standing[0] in STAGES for seat in live.movers), id


@pytest.mark.parametrize(("files", "said"), CASES["no folders"])
def test_what_is_wrong_is_said_in_a_sentence(tmp_path, files, said):
    refused(lambda: Model("x", prompt=folder(tmp_path, **files)), said)


def test_a_folder_is_part_of_what_an_agent_is(tmp_path):
    one, two = (tmp_path / name for name in ("one", "two"))
    for path, text in ((one, "{{text}}"), (two, "{{text}}!")):
        path.mkdir()
        folder(path, default="{{text}}", vote=text)
    described = [Model("x", prompt=str(path)).describe()["prompt"] for path in (one, two, one)]
    assert described[0] == described[2] != described[1]
    with pytest.raises(MmgamesError, match="leave system= out"):
        Model("x", prompt=folder(two, play="[system]\nBe brief.\n[user]\n{{text}}"), system="Hello.")
    with pytest.raises(RunStopped, match=r"has no prompt for TicTacToe.play.x: there is no TicTacToe.play.x.txt"):
        (tmp_path / "three").mkdir()
        prompt = folder(tmp_path / "three", vote="{{text}}")
        match("TicTacToe", (Model("A1", prompt=prompt), "random"), 1, 1)


@pytest.mark.parametrize("name", [path.name for path in sorted(EXAMPLES.iterdir())])
def test_the_example_of_a_suite_shows_all_that_its_entries_show(name):
    """What no file needs to show is how pictures are read and, where a box is asked for, how else one might answer."""
    prompts, suite = read_prompts(EXAMPLES / name), suites.find(name)
    used = set()
    for entry in suite.entries:
        task = None if entry.id in registry.specs else tasks.find(entry.id)
        if registry.why_missing(registry.find(entry.id if task is None else task.game)):
            continue
        if task is not None:
            own = {key: value for key, value in entry.options.items() if key in task.options()}
            shown = [(Scene(task.name.partition("-")[0], task.kind), TaskEnv(entry.id, **own).reset(seed=1)[0]["text"])]
        else:
            loaded = registry.load(entry.id)
            live = begin(loaded.spec, **{k: v for k, v in entry.options.items() if k in loaded.spec.options})
            turns = [Turn(live, seat, np.random.default_rng(0)) for seat in range(len(live.game.seats))]
            shown = [(Scene(loaded.spec.name, *turn.standing, turn.role), turn.words(True)) for turn in turns]
        for scene, text in shown:
            template = prompts.at(scene)
            used.add(repr(template))
            written = f"{template.system_message({'text': text})}\n{''.join(template.user_texts({'text': text}))}"
            assert "{{" not in written
            parts = re.split(r"^## (.+)\n", text, flags=re.M)[1:]
            for title, body in zip(parts[::2], parts[1::2], strict=True):
                if title not in ("Picture", "Pictures") and (title != "Answer" or "\\boxed" not in written):
                    assert body.strip() in written, (scene, title)
    later = {"vision-zero": 1}.get(name, 0)  # votes come after the clues
    assert len(used) == len(prompts.templates) - later, "every file has its use"


def test_clues_and_votes_in_a_box_are_read_and_nothing_beside_them_is_heard():
    thoughts = "My picture has a red ball; I must not say where."
    shown = []

    class Player(Conversation):
        name = "player"

        def complete(self, messages):
            shown.append(messages)
            vote = re.search(r"one of: (player_\d)", "\n".join(words(message) for message in messages))
            return f"{thoughts} \\boxed{{{vote[1] if vote else 'There is a ball.'}}}"

    result = match("Spy", Player(prompt=str(EXAMPLES / "vision-zero"), size=64), 1, 3, civilians=2, clue_rounds=1)
    heard = [said["words"] if isinstance(said, dict) else said for said in result.episodes[0]["clues"]]
    assert "There is a ball." in json.dumps(heard) and thoughts not in json.dumps(heard)
    assert not any("must not say" in words(message) for messages in shown for message in messages)
    assert result.episodes[0]["illegal"] == [0, 0, 0] and "asked_again" not in result.episodes[0]
    seats = {re.search(r"You are (player_\d)", words(messages[0]))[1] for messages in shown}
    assert seats == {"player_1", "player_2", "player_3"}


def test_one_command_runs_a_suite_with_its_folder(tmp_path, capsys):
    def reply(request, number):
        text = "\n".join(words(message) for message in request["messages"])
        return "Answer: B" if "Answer: B" in text else "Movement: B2"

    with serving(reply) as server:
        agent = f"chat:tiny,base_url={server.url},observe=text,prompt={EXAMPLES / 'lvlm-playground'}"
        command = ["eval", "lvlm-playground", "--agent", agent, "--episodes", "2", "--json", "--reading", "released"]
        command += [word for kind in ("Ask", "Rule") for word in ("--only", f"TicTacToe-{kind}")]
        assert main(command) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["missing"] for row in rows] == [0, 0, 0] and all(row["raw"] is not None for row in rows)
