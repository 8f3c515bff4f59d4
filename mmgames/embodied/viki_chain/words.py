"""VikiChain in words."""

from __future__ import annotations

import re

from mmgames.core.game_modules import Reasoning, always
from mmgames.embodied._world.names import KINDS, TYPES
from mmgames.embodied._world.paths import HEIGHT, WIDTH
from mmgames.embodied._world.plans import answer_of
from mmgames.embodied.viki_chain.rules import ACTIVATE, OVER, PLAN, STAGES, TRACE, ChainMove, ChainView
from mmgames.embodied.viki_kitchen import words as kitchen

_TAGS = re.compile(r"\s*<think>.*</think>\s*<answer>.*</answer>\s*", re.DOTALL | re.IGNORECASE)
_ASKED = {
    ACTIVATE: "Which types of robots should act, so that the job takes as few steps as possible?",
    PLAN: "Write the whole plan for the robots of the types you have named; the others stay idle.",
    TRACE: (
        "You are now {0} and your partner is {1}. You go for: {2}. Your partner goes for: {3}. Trace both ways on your "
        "picture, from each hand to what it goes for, which rings in the robots' colours mark, around the furniture, "
        "five points at equal distances each, for a picture of {width} by {height} pixels whose top left corner is "
        "(0, 0)."
    ),
    OVER: "All three questions are answered.",
}
rules = always(
    "Three questions about one kitchen, one after the other: which robots act, what they do, which way two of them "
    f"go. {kitchen.rules(None)} A plan counts if it works, uses only robots of the types named first, and no plan "
    "is shorter."
)
_LEGEND = (
    "For the first two questions it shows the kitchen from above, {with_or_without}. For the last one its upper "
    "part shows what you see over your own shoulder, with rings around what you and your partner go for."
)
MOVE_TYPES = (ChainMove,)


def legend(view: ChainView) -> str:
    if view.labels:
        return _LEGEND.format(with_or_without="with names on cards")
    return f"{_LEGEND.format(with_or_without='without a word')} {kitchen.picture_legend(view.scene, labels=False)}"


def names(view: ChainView) -> dict[str, str]:
    return {}


def standing(view: ChainView) -> tuple[str, str]:
    return ("activate", "plan", "trace", "play")[view.stage], ""


def read(view: ChainView, text: str) -> ChainMove:
    return ChainMove(_TAGS.fullmatch(text) is not None, answer_of(text))


def you(view: ChainView) -> str:
    return f"You plan for the robots. The job: {view.task.instruction}"


def answer_format(view: ChainView, reasoning: Reasoning) -> str:
    think = "Think step by step between the first two tags. " if reasoning == "cot" else ""
    return (
        f"{think}Reply as <think>…</think><answer>…</answer>. The answer is JSON: for the first question a list of "
        f"types out of {', '.join(TYPES)}; for the plan a list of steps such as "
        '[{"step": 1, "actions": {"R1": ["Move", "apple"]}}]; for the paths [[[x, y], … five], [[x, y], … five]], your '
        "own first."
    )


def history(view: ChainView) -> str:
    lines = []
    for name, result in zip(STAGES, view.results, strict=False):
        said = f" ({', '.join(view.types) or 'nobody'})" if name == "activation" else ""
        lines.append(f"Your {name}{said} scored {result.score:.2f}. {result.remark}".rstrip())
        if name == "plan" and view.execution is not None:
            lines.append(f"In physics it scored {view.execution.score:.2f}. {view.execution.remark}")
    names = view.asked or ("", "", "", "")
    question = _ASKED[view.stage].format(*names, width=WIDTH, height=HEIGHT)
    lines.append(question if view.stage == OVER else f"Question {view.stage + 1} of 3: {question}")
    if view.stage == PLAN and view.physics:
        lines.append("A plan that counts is also carried out in physics, and scores again if nothing fails there.")
    if view.stage < TRACE:
        for robot in view.task.robots:
            lines.append(f"- {robot.name}: {robot.type}, can {', '.join(KINDS[robot.kind].verbs)}")
        lines.append(f"Things: {', '.join(asset.name for asset in view.task.assets)}.")
    return "\n".join(lines)


def describe(view: ChainView) -> str:
    return f"{kitchen.situation(view.task)}\n{history(view)}"
