"""VikiChain in words."""

from mmgames.core.game_modules import Reasoning, always
from mmgames.embodied._questions.kitchen import TAGS
from mmgames.embodied._world.names import KINDS, TYPES
from mmgames.embodied._world.plans import answer_of
from mmgames.embodied.viki_chain.rules import ACTIVATE, OVER, PLAN, STAGES, STYLE, TRACE, ChainMove, ChainView
from mmgames.embodied.viki_kitchen import words as kitchen
from mmgames.text.prose import paragraphs

_SAID = paragraphs(__package__, "words")
_ASKED = {ACTIVATE: "who acts", PLAN: "plan", TRACE: "paths", OVER: "over"}
_WHERE = {"physics": "In physics", "kinematic": "By robots in the kitchen"}
rules = always(_SAID["rules"].format(kitchen=kitchen.rules(None)))
MOVE_TYPES = (ChainMove,)


def legend(view: ChainView) -> str:
    if view.labels:
        return _SAID["legend"].format(with_or_without="with names on cards")
    told = kitchen.picture_legend(view.state.scene, False, "above", "shoulder")
    return f"{_SAID['legend'].format(with_or_without='without a word')} {told}"


def unseen(view: ChainView, size: int) -> str:
    if view.sight is None or size == STYLE.size:
        return ""
    return f"The picture is {size} pixels wide here; give points as they would be on one of {STYLE.size}."


def names(view: ChainView) -> dict[str, str]:
    return {}


def standing(view: ChainView) -> tuple[str, str]:
    return ("activate", "plan", "trace", "play")[view.state.stage], ""


def read(view: ChainView, text: str) -> ChainMove:
    return ChainMove(TAGS.fullmatch(text) is not None, answer_of(text))


def you(view: ChainView) -> str:
    return f"You plan for the robots. The job: {view.state.task.instruction}"


def answer_format(view: ChainView, reasoning: Reasoning) -> str:
    told = _SAID["answer"].format(types=", ".join(TYPES))
    return f"{_SAID['think']} {told}" if reasoning == "cot" else told


def history(view: ChainView) -> str:
    state, lines = view.state, []
    for name, result in zip(STAGES, state.results, strict=False):
        said = f" ({', '.join(state.types) or 'nobody'})" if name == "activation" else ""
        lines.append(f"Your {name}{said} scored {result.score:.2f}. {result.remark}".rstrip())
        if name == "plan" and state.execution is not None:
            lines.append(f"{_WHERE[view.engine]} it scored {state.execution.score:.2f}. {state.execution.remark}")
    question = _SAID[_ASKED[state.stage]].format(asked=view.asked)
    lines.append(question if state.stage == OVER else f"Question {state.stage + 1} of 3: {question}")
    if state.stage == PLAN and view.engine != "none":
        where = _WHERE[view.engine].lower()
        lines.append(f"A plan that counts is also carried out {where}, and scores again if nothing fails there.")
    if state.stage < TRACE:
        for robot in state.task.robots:
            lines.append(f"- {robot.name}: {robot.type}, can {', '.join(KINDS[robot.kind].verbs)}")
        lines.append(f"Things: {', '.join(asset.name for asset in state.task.assets)}.")
    return "\n".join(lines)


def describe(view: ChainView) -> str:
    return f"{kitchen.situation(view.state.task)}\n{history(view)}"
