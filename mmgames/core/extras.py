"""Games that cannot be played because an extra is not installed, and the message that names them."""

from collections.abc import Iterable, Mapping, Sequence

from mmgames.core import registry
from mmgames.core.spec import GameSpec
from mmgames.errors import MissingExtra, not_to_be_had, options_told


def games_lacking_extras(games: Sequence[GameSpec], strict: bool = False) -> list[GameSpec]:
    """Those games whose extra is not installed. With `strict`, or when no other game is left, that is an error."""
    found = [(spec, why) for spec in games if (why := registry.why_missing(spec))]
    if found and (strict or len(found) == len(games)):
        raise MissingExtra(found[0][1])
    return [spec for spec, _ in found]


def played_instead(names: Iterable[str], options: Mapping[str, object]) -> str:
    """Which games are played with options that do without their extra."""
    return f"{', '.join(names)}: played with {options_told(options)}, as an extra is not installed."


def left_out_message(lacking: Iterable[tuple[str, Sequence[str]]], left_out: str = "not played") -> str:
    """Which games are left out, which extras they need and how to install them; `lacking` has names and extras."""
    games: dict[tuple[str, ...], list[str]] = {}
    for name, extras in lacking:
        games.setdefault(tuple(extras), []).append(name)
    listed = ", ".join(f"{', '.join(dict.fromkeys(names))} (extra {', '.join(of)})" for of, names in games.items())
    wanted = ",".join(dict.fromkeys(extra for of in games if not not_to_be_had(of) for extra in of))
    told = [f"{left_out}: {listed}.", f"Install what they need with pip install 'mmgames[{wanted}]'." if wanted else ""]
    missing = ((names, not_to_be_had(of)) for of, names in games.items())
    told += [f"{', '.join(names)} cannot be had here: {why}." for names, why in missing if why]
    return " ".join(filter(None, told))
