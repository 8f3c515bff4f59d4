"""Prompts of one's own: a file says where the parts of what a model is shown go."""

import numpy as np
import pytest

import mmgames
from mmgames.agents.finding import find_agent
from mmgames.agents.prompt_template import PLACES, parse_prompt, read_prompt
from mmgames.baselines.models.conversation import Conversation
from mmgames.core import registry
from mmgames.errors import MmgamesError
from mmgames.running.journal import offline
from mmgames.running.matches import match
from mmgames.tasks.env import TaskEnv
from tests.refusing import refused

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
    assert (first["text"], picture["type"]) == ("First.", "image_url")
    assert braces in last["text"]
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
        env = TaskEnv(kind, actions="text", observe=("text",))
        Watching().answer(env.reset(seed=1)[0])
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


def test_a_file_is_part_of_what_a_model_is_and_has_to_be_there(tmp_path):
    one, other = (Model("", prompt=file(tmp_path, text)).describe()["prompt"] for text in ("{{text}}", "{{text}}!"))
    assert one != other
    assert "prompt" not in Model("").describe()
    refused(lambda: Model("", prompt=str(tmp_path / "nowhere.txt")), "cannot be read")
    with pytest.raises(MmgamesError, match="system message of its own"):
        Model("", system="Mine.", prompt=file(tmp_path, "[system]\nIts.\n[user]\n{{text}}"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{{text}} {{rulse}}", "rules"),
        ("Just play.", "no place"),
        ("[system]\nBe good. {{pictures}}\n[user]\n{{text}}", "belong into the user's message"),
        ("{{text}} {{pictures}} {{pictures}}", "pictures once"),
        ("Hello\n[user]\n{{text}}", "text before its first part"),
        ("[user]\n{{text}}\n[user]\n{{text}}", "a part twice"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_in_a_sentence(tmp_path, text, told):
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
    assert system["content"] == "Be brief."
    assert [part["type"] for part in user["content"]] == ["image_url", "text"]
    assert user["content"][1]["text"] == "Q: What is it?"
