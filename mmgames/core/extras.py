"""Games that cannot be played because an extra is not installed, and the message that names them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mmgames.core import registry
from mmgames.core.spec import GameSpec
from mmgames.errors import MissingExtra


def games_lacking_extras(games: Sequence[GameSpec], strict: bool = False) -> list[GameSpec]:
    """Those games whose extra is not installed. With `strict`, or when no other game is left, that is an error."""
    found = [(spec, why) for spec in games if (why := registry.why_missing(spec))]
    if found and (strict or len(found) == len(games)):
        raise MissingExtra(found[0][1])
    return [spec for spec, _ in found]


def left_out_message(lacking: Iterable[tuple[str, Sequence[str]]], left_out: str = "not played") -> str:
    """Which games are left out, which extras they need and how to install them; `lacking` has names and extras."""
    games: dict[tuple[str, ...], list[str]] = {}
    for name, extras in lacking:
        games.setdefault(tuple(extras), []).append(name)
    listed = ", ".join(f"{', '.join(dict.fromkeys(names))} (extra {', '.join(of)})" for of, names in games.items())
    wanted = ",".join(dict.fromkeys(extra for of in games for extra in of))
    return f"{left_out}: {listed}. Install what they need with pip install 'mmgames[{wanted}]'."
