"""Environments of PettingZoo and Gymnasium as games here: found by their address, not listed.

`mmgames.from_pettingzoo` and `mmgames.from_gymnasium` register one. Its id holds the address, such as
`pettingzoo/pettingzoo.classic.connect_four_v3-v0`, so another process finds it by its id alone.
"""

import re
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from mmgames.core import registry
from mmgames.core.spec import GameSpec, Option
from mmgames.errors import MmgamesError
from mmgames.games._guests.about import look_at, warn_if_it_does_not_repeat
from mmgames.games._guests.finding import imported, keep
from mmgames.games._guests.rules import Guest
from mmgames.games._guests.words import check_words
from mmgames.text.prose import page

HIDDEN = "-hidden"
"""Behind the namespace of guests whose renderer shows more than a seat may see."""
LONGEST = 100_000
"""Transitions of an episode; who wants fewer says `max_steps=`."""
PAGE = page(__package__, "page")
_GYMNASIUM = re.compile(r"(?P<name>.+?)-v(?P<version>\d+)")


def from_pettingzoo(
    make: str | Callable[..., Any] | ModuleType,
    *,
    words: Mapping[str, Any] | None = None,
    hidden: bool = False,
    check: bool = True,
) -> str:
    """Register an environment of PettingZoo; the id under which it plays in every face, match and page.

    `make` is a function that makes it, a module that has `parallel_env` or `env`, or the address of either. It is
    called with `render_mode="rgb_array"`, if it takes that, and with what the option `arguments` holds. `words` are
    texts in place of the default ones: `rules`, `you`, `legend`, and `actions`, a list of names or one for each seat.
    With `hidden`, a seat never sees what the renderer shows, only its own observation; the id says so too. `check`
    plays it twice and warns if it does not repeat. A worker process finds it where `make` can be imported; words go
    along if this is called in the module of `make`, or if they are given as the game's option `words`.
    """
    address = make if isinstance(make, str) else keep(make)
    return _registered(_spec(f"pettingzoo{HIDDEN}" if hidden else "pettingzoo", address, 0, words), check)


def from_gymnasium(id: str, *, words: Mapping[str, Any] | None = None, check: bool = True) -> str:
    """Register an environment of Gymnasium, one seat, as `from_pettingzoo` does.

    `id` is that of Gymnasium's registry; `module:id` imports the module that registers it, in other processes too.
    """
    named = _GYMNASIUM.fullmatch(id.replace("/", ".").replace(":", ".")) if isinstance(id, str) else None
    if named is None:
        raise MmgamesError(f"from_gymnasium: {id!r} is no id with a version, such as 'CartPole-v1'.")
    return _registered(_spec("gymnasium", named["name"], int(named["version"]), words), check)


def spec_of(namespace: str, name: str, version: int) -> GameSpec:
    """The spec behind an id that nobody has registered in this process."""
    if namespace != "gymnasium":
        if version:
            raise MmgamesError(f"{namespace}/{name}-v{version}: guests of PettingZoo have the version 0 here.")
        imported(name)  # which may register it, with words
        id = f"{namespace}/{name}-v{version}"
        if id in registry.specs:
            return registry.specs[id]
    return _spec(namespace, name, version, None)


def _registered(spec: GameSpec, check: bool) -> str:
    game = Guest(spec)
    if check:
        warn_if_it_does_not_repeat(game)
    game.close()
    registry.replace_guest(spec)
    return spec.id


def _spec(namespace: str, name: str, version: int, words: Mapping[str, Any] | None) -> GameSpec:
    about = look_at(namespace, name, version)
    texts = check_words(words or {}, f"{namespace}/{name}")
    return GameSpec(
        name=name,
        package=__name__,
        rules="Guest",
        summary=f"{name}, a guest from {about.home}",
        seats=about.seats,
        dynamics="simultaneous" if about.together else "sequential",
        information="imperfect" if namespace.endswith(HIDDEN) else "perfect",
        utility="general_sum",
        actions=about.actions,
        length=LONGEST,
        source=about.home,
        family="guests",
        chance=about.chance,
        version=version,
        namespace=namespace,
        searchable=False,
        options={
            "arguments": Option({}, "what the environment is made with, by name"),
            "words": Option(texts, "texts in place of the default ones: rules, you, legend, actions"),
        },
        doc=PAGE.format(name=name, home=about.home, seats=", ".join(about.seats)),
    )
