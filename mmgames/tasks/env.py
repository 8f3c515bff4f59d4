"""TaskEnv: a question source and its scorer as a Gymnasium environment of one step."""

from collections.abc import Callable, Iterable
from typing import Any, get_args

import gymnasium
import numpy as np
from gymnasium import spaces

from mmgames import tasks
from mmgames.core import prompt
from mmgames.core.constants import MAX_MESSAGE
from mmgames.core.look_names import NUMBERED, TURNS, USUAL
from mmgames.core.observation import check_size
from mmgames.core.seeding import fresh_rng
from mmgames.core.spaces import AnyPictures, AnyText, Names
from mmgames.errors import MmgamesError, unknown
from mmgames.readers import READERS
from mmgames.tasks.questions import AnswerKind, Question, Source, Style
from mmgames.text.refusals import ASKED_AGAIN, Illegal
from mmgames.text.replies import Reading, check_reading

OWN_OPTIONS = ("actions", "observe", "size", "frames", "reasoning", "reading", "look", "render_mode")


class TaskEnv(gymnasium.Env):
    """One question an episode: the observation asks it, the action answers it, the reward is from 0 to 1.

    Answers are numbers (`actions="discrete"`, the game's own numbering, with an action mask) or any text
    (`actions="text"`), read as a reply of a model is read. One that is no answer at all earns 0; `info["illegal"]` says
    why, and `info["illegal_kind"]` of which kind that is. After the step `info` has the answer, all answers that count,
    and where the question comes from.

    `released=FILE` asks the questions of a paper's released files, where the task has such; `reset` with
    `options={"number": n}` asks the row n of them.
    """

    metadata = {"render_modes": ["rgb_array", "ansi"], "render_fps": 1}  # noqa: RUF012 - Gymnasium's own convention

    def __init__(
        self,
        task: str,
        *,
        actions: AnswerKind | None = None,
        observe: Iterable[str] | str | None = None,
        size: int = 512,
        frames: int | None = None,
        reasoning: prompt.Reasoning = "direct",
        reading: Reading = "paragraph",
        look: str = USUAL,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        spec = self.task = tasks.find(task)
        released = "released" in options
        source_class = spec.source_class(released)
        if actions is None:
            actions = source_class.answers[0]
        if actions not in source_class.answers:
            raise unknown("kind of actions", actions, spec.id, source_class.answers)
        if reasoning not in get_args(prompt.Reasoning):
            raise unknown("reasoning", reasoning, spec.id, get_args(prompt.Reasoning))
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise unknown("render mode", render_mode, spec.id, self.metadata["render_modes"])
        check_size(size, spec.id)
        if frames is not None and not source_class.remembers:
            raise MmgamesError(f"{spec.id} shows one moment; frames= is for tasks that show what came before.")
        if frames is not None and (not isinstance(frames, (int, np.integer)) or not 1 <= frames <= 64):
            raise MmgamesError(f"{spec.id}: frames={frames!r} is out of range; 1 to 64 pictures are shown.")
        self.keys = self._check_keys(observe, actions, source_class.keys)
        self.actions = actions
        self.render_mode = render_mode
        seen = "rgb" in self.keys
        style = Style(
            drawn=seen or render_mode == "rgb_array",
            words_alone=not seen,
            size=int(size),
            frames=None if frames is None else int(frames),
            reasoning=reasoning,
            reading=_own_reading(reading, spec.id, source_class.paper),
            look=look,
        )
        if look != USUAL:
            _check_look(look, spec.id, source_class, style)
        accepted = spec.options(released)
        for name in options:
            if name not in accepted:
                raise unknown("option", name, spec.id, (*accepted, *OWN_OPTIONS))
        self.source = source_class(spec, style, **options)
        self.asks_again = (
            READERS[source_class.paper].tries - 1 if self.source.as_paper else int(style.reading == "paragraph")
        )
        """So often a question is asked again whose reply was not read."""
        if actions == "discrete":
            self.action_space = spaces.Discrete(self.source.num_answers)
        else:
            self.action_space = AnyText(MAX_MESSAGE)
        # Pictures in released files may have any size, so none is opened for its shape.
        self.observation_space = self._space(None if released or self.source.pictures_vary else self.source.sample())
        self.question: Question | None = None

    def _check_keys(
        self, observe: Iterable[str] | str | None, actions: AnswerKind, known: tuple[str, ...]
    ) -> tuple[str, ...]:
        possible = tuple(key for key in known if key != "action_mask" or actions == "discrete")
        asked = possible if observe is None else (observe,) if isinstance(observe, str) else tuple(observe)
        for key in asked:
            if key not in possible:
                raise unknown("observation", key, self.task.id, possible)
        if not asked:
            raise MmgamesError(f"{self.task.id}: observe= names nothing. Known: {', '.join(possible)}.")
        if "text" in asked and "system" in possible and "system" not in asked:
            return (*asked, "system")  # how the text begins
        return asked

    def _space(self, sample: Question | None) -> spaces.Dict:
        known: dict[str, spaces.Space] = {"text": AnyText(), "system": AnyText(), "legal_actions": Names()}
        if "action_mask" in self.keys:
            known["action_mask"] = spaces.Box(0, 1, (self.source.num_answers,), np.int8)
        if "rgb" in self.keys:
            known["rgb"] = AnyPictures() if sample is None else spaces.Box(0, 255, _stacked(sample).shape, np.uint8)
        return spaces.Dict({key: known[key] for key in self.keys})

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[dict, dict]:
        super().reset(seed=seed)
        if self._np_random is None:
            self._np_random, self._np_random_seed = fresh_rng(seed)
        if seed is not None:
            self.source.forget()
        number = (options or {}).get("number")
        self.question = self.source.ask(self._np_random) if number is None else self.source.numbered(number)
        self._open = True
        return self._observe(), self._info()

    def step(self, action: Any) -> tuple[dict, float, bool, bool, dict]:
        question = self.question
        if question is None or not self._open:
            raise MmgamesError(f"{self.task.id}: the question is answered or was not asked yet; call reset().")
        source = self.source
        answer = self._read(question, action)
        facts = {**self._info(), **question.facts}
        if isinstance(answer, Illegal):
            reward, facts["exact"] = 0.0, False
            facts.update(answer.as_info())
        else:
            reward, facts["exact"] = source.score(question, answer), source.exact(question, answer)
            facts.update(source.remarks(question, answer))
        following = source.again(question, action, answer)
        self._open = following is not None
        if following is not None:
            self.question = following
            return self._observe(), 0.0, False, False, facts
        return self._observe(), reward, True, False, {**facts, **source.truth(question)}

    def ask_again(self, reply: Any) -> dict[str, Any] | None:
        """The question once more, with a line that shows the form, if a reply to it was not read; None: it stands.

        Where replies are read as by a paper's own code, it is asked as that does: in the very same words, or not.
        """
        assert self.question is not None
        read = self.source.read(self.question, reply) if self.asks_again else None
        if not isinstance(read, Illegal) or read.kind not in ASKED_AGAIN:
            return None
        if self.source.as_paper:
            return self._observe()
        said = prompt.section("Refused", f"Your last reply was no answer: {read.reason} {self.source.asked_form}")
        observation = self._observe()
        return {**observation, "text": f"{observation['text']}\n\n{said}" if "text" in observation else said}

    def _read(self, question: Question, action: Any) -> Any | Illegal:
        if self.actions == "text":
            return self.source.read(question, action)
        try:
            if (answer := int(action)) == action and answer in question.names:
                return answer
        except (TypeError, ValueError, OverflowError):
            pass
        listing = ", ".join(f"{number} {name}" for number, name in list(question.names.items())[:12])
        reason = f"{action!r} is not one of the answers: {listing}{', …' * (len(question.names) > 12)}."
        return Illegal("not possible here", reason, "")

    def action_masks(self) -> np.ndarray:
        """The possible answers as booleans, where MaskablePPO looks for them."""
        assert self.question is not None
        if "action_mask" not in self.source.keys:
            raise MmgamesError(f"{self.task.id} has no action mask: it would give the answer away.")
        return self._mask(self.question).astype(bool)

    def _mask(self, question: Question) -> np.ndarray:
        mask = np.zeros(self.source.num_answers, np.int8)
        mask[list(question.names)] = 1
        return mask

    def _info(self) -> dict[str, Any]:
        assert self.question is not None
        masked = self.actions == "discrete" and "action_mask" in self.source.keys
        return {"action_mask": self._mask(self.question)} if masked else {}

    def _observe(self) -> dict[str, Any]:
        question = self.question
        assert question is not None
        makers: dict[str, Callable[[], Any]] = {
            "rgb": lambda: _stacked(question),
            "text": lambda: question.text,
            "system": lambda: question.system,
            "legal_actions": lambda: tuple(question.names.values()),
            "action_mask": lambda: self._mask(question),
        }
        return {key: makers[key]() for key in self.keys}

    def render(self) -> Any:
        """The last picture of the question, or its text."""
        if self.render_mode is None:
            return None
        if self.question is None:
            raise MmgamesError(f"{self.task.id}: call reset() before render().")
        return self.question.text if self.render_mode == "ansi" else self.question.pictures[-1].copy()


def _check_look(look: str, id: str, source_class: type[Source], style: Style) -> None:
    if not source_class.looks or style.reading == source_class.paper:
        raise MmgamesError(f"{id}: these questions have the usual look alone.")
    if parts := [part for part in str(look).split("+") if part in (*TURNS, NUMBERED)]:
        raise MmgamesError(f"{id}: questions take looks of colours, pieces and words, not {' and '.join(parts)}.")


def _own_reading(reading: Reading, id: str, paper: str) -> Reading:
    """How the replies to a task are read, of which this paper's code is known: as that reads them, or as usual."""
    if callable(check_reading(reading, id)):
        return reading
    game = id.partition("/")[2].partition("-")[0]
    known = paper if paper in READERS and game in READERS[paper].games else ""
    if reading == "released" and not known:
        raise MmgamesError(f"{id}: no paper's reader of its replies is known; leave reading='released' out.")
    return known if reading in ("released", known) else "paragraph"  # type: ignore[return-value]


def _stacked(question: Question) -> np.ndarray:
    pictures = question.pictures
    return np.stack(pictures) if len(pictures) > 1 else pictures[0].copy()
