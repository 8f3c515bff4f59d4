"""The names of actions: exactly the legal ones, told apart by any reader, understood in every answer form."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from mmgames.core.spec import GameSpec
from mmgames.testing.playing import SPEECH, positions
from mmgames.text.move_names import normalise_name
from mmgames.text.refusals import Illegal
from mmgames.text.replies import parse

FORMS: dict[str, Callable[[str], str]] = {
    "JSON": lambda name: json.dumps({"action": name}),
    "fenced JSON": lambda name: f"I looked around.\n```json\n{json.dumps({'action': name}, indent=1)}\n```\n",
    "answer tag": lambda name: f"Let me see.\n<answer>{name}</answer>",
    "boxed": lambda name: f"So it must be \\boxed{{{name}}}",
    "line": lambda name: f"First I thought of something else.\nAction: {name}",
    "bare": lambda name: name,
}


def test_names_are_exactly_the_legal_actions(spec: GameSpec) -> None:
    for seed in range(2):
        for live in positions(spec, seed, most=40):
            for seat in range(len(live.game.seats)):
                names = live.loaded.words.names(live.view(seat))
                if seat not in live.movers:
                    assert names == {}
                elif spec.actions == "discrete":
                    legal = live.game.legal(live.state, seat)
                    assert len(set(legal)) == len(legal) > 0
                    assert set(names) == set(legal)
                    assert all(0 <= action < live.game.num_actions for action in names)
                else:
                    assert all(name == text for name, text in names.items())
                    assert set(names.values()) == set(live.game.legal(live.state, seat))


def test_names_stay_apart_without_case_and_punctuation(spec: GameSpec) -> None:
    for live in positions(spec, seed=1, most=30):
        for seat in live.movers:
            names = live.loaded.words.names(live.view(seat))
            assert all(name == name.strip() and normalise_name(name) for name in names.values())
            assert len({normalise_name(name) for name in names.values()}) == len(names)


def test_every_name_is_understood_in_every_answer_form(discrete_spec: GameSpec) -> None:
    rng = np.random.default_rng(0)
    for live in positions(discrete_spec, seed=2, most=12):
        for seat in live.movers:
            names = live.loaded.words.names(live.view(seat))
            few = rng.permutation(list(names))[:20].tolist() if len(names) > 20 else list(names)
            for action in few:
                for form, reply in FORMS.items():
                    assert parse(reply(names[action]), names) == action, form


def test_aliases_mean_a_legal_action_and_hide_no_name(discrete_spec: GameSpec) -> None:
    for live in positions(discrete_spec, seed=5, most=12):
        for seat in live.movers:
            view = live.view(seat)
            names = live.loaded.words.names(view)
            aliases: dict[str, Any] = live.loaded.words.aliases(view)
            for action, name in names.items():
                assert parse(name, names, aliases) == action
            for text, action in aliases.items():
                if action in names:
                    assert parse(text, names, aliases) == action


def test_every_executable_name_is_read_as_a_move(text_spec: GameSpec) -> None:
    for live in positions(text_spec, seed=2, most=12):
        for seat in live.movers:
            for name in live.game.legal(live.state, seat):
                move = live.check(seat, name)
                assert not isinstance(move, Illegal), move
                assert move != live.check(seat, SPEECH), "a name is not mere speech"


def test_reading_any_text_gives_a_move_or_a_reason(text_spec: GameSpec) -> None:
    letters = "abcABC 012.,{}[]<>\\\"'\n\t`éß漢🙂"
    rng = np.random.default_rng(1)
    for live in positions(text_spec, seed=3, most=6):
        for seat in live.movers:
            for size in (0, 1, 7, 60, 5000):
                text = "".join(rng.choice(list(letters), size))
                move = live.check(seat, text)
                if isinstance(move, Illegal):
                    assert move.reason and move.raw == text
                else:
                    moves = {other: live.check(other, text) for other in live.movers}
                    if not any(isinstance(move, Illegal) for move in moves.values()):
                        live.game.play(live.state, moves, rng)


def test_regions_of_the_picture_mean_legal_actions_and_lie_in_it(spec: GameSpec) -> None:
    for live in positions(spec, seed=4, most=12):
        picture, words = live.loaded.picture, live.loaded.words
        if not hasattr(picture, "regions"):
            return
        for seat in range(len(live.game.seats)):
            view = live.view(seat)
            names = words.names(view)
            for size in (128, 513):
                found = picture.regions(view, size)
                assert set(found) <= set(names), "only what is legal can be clicked"
                high, wide = picture.draw(view, size).shape[:2]
                for boxes in found.values():
                    assert boxes
                    for left, top, right, bottom in boxes:
                        assert 0 <= left < right <= wide and 0 <= top < bottom <= high


def test_talk_is_said_by_somebody_or_an_event(spec: GameSpec) -> None:
    for live in positions(spec, seed=4, most=8):
        for seat in range(len(live.game.seats)):
            view = live.view(seat)
            assert isinstance(live.loaded.words.status(view), str)
            for role, text in live.loaded.words.talk(view):
                assert role in ("", *live.game.seats) and isinstance(text, str)
