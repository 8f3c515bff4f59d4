"""Talk before a move, over the rules of any other game: `talk/CoinDilemma-v0` is CoinDilemma in which everybody may
send a message before each move.

The id holds the game's name (`talk/acme.MyGame-v0` for one of another namespace), so every process finds it.
"""

from dataclasses import replace

from mmgames.core import registry
from mmgames.core.spec import Agents, Dynamics, GameSpec, options_in
from mmgames.errors import MmgamesError
from mmgames.text.prose import page

OPTIONS = options_in(__name__)["talk"]
PAGE = page(__package__, "page")


def takes_talk(spec: GameSpec) -> bool:
    """Whether there can be talk in a game: several play, and their moves have names."""
    return spec.namespace != registry.TALK and len(spec.seats) > 1 and spec.actions != "box"


def spec_of(namespace: str, address: str, version: int) -> GameSpec:
    """The spec of the game with talk; its address is the game's name, or NAMESPACE.NAME."""
    inner = registry.find(without_talk(address, version))
    if not takes_talk(inner):
        why = "its actions are arrays" if inner.actions == "box" else "nobody else is there"
        why = "there is talk already" if inner.namespace == registry.TALK else why
        raise MmgamesError(f"{inner.id} has no talk before its moves: {why}.")
    taken = next((option for option in OPTIONS if option in inner.options), None)
    if taken is not None:
        raise MmgamesError(f"{inner.id} has no talk before its moves: it has an option {taken!r} of its own.")
    talkers = ", ".join(f"`{name}`" for name in inner.agents.talkers)
    return replace(
        inner,
        name=address,
        namespace=namespace,
        package=__name__,
        rules="Talk",
        summary=f"{inner.summary}; with talk before a move",
        actions="text",
        dynamics=dynamics_with_talk(inner.dynamics, in_turn=False),
        length=length_with_talk(inner.length, 1, 1),
        options={**inner.options, **OPTIONS},
        agents=Agents(
            {"quiet": "mmgames.baselines.talking.quiet:Quiet", **inner.agents.talkers},
            reference=tuple(f"quiet:{agent}" for agent in inner.agents.reference),
            quick=tuple(f"quiet:{agent}" for agent in inner.agents.quick),
        ),
        looks=(),
        batched=False,
        outcome=replace(inner.outcome, signals=""),
        simulator=replace(inner.simulator, vector=""),
        doc=PAGE.format(name=inner.name, source=inner.source, talkers=f"Those who talk: {talkers}." if talkers else ""),
    )


def without_talk(address: str, version: int) -> str:
    """The id of the game itself; records of old have a colon in place of the dot."""
    home, dot, name = address.replace(":", ".", 1).partition(".")
    return f"{home}/{name}-v{version}" if dot else f"mmgames/{home}-v{version}"


def dynamics_with_talk(moves: Dynamics, in_turn: bool) -> Dynamics:
    """How seats move where messages and moves alternate."""
    return moves if moves == ("sequential" if in_turn else "simultaneous") else "mixed"


def length_with_talk(moves: int, every: int, rounds: int) -> int:
    """The most transitions of an episode: its moves, and the talk before them, which takes so many transitions each."""
    return moves + -(-moves // every) * rounds
