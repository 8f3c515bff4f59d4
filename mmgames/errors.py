"""Errors are sentences: what is wrong, what was expected, how to mend it."""

import difflib
import os
import platform
import sysconfig
import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path


class MmgamesError(ValueError):
    """Something a caller asked for cannot be had; the message is one sentence that says how to mend it."""


class IllegalAction(MmgamesError):
    """Raised for an illegal action when an environment was made with `illegal="error"`."""


class UnknownOption(MmgamesError, TypeError):
    """A keyword that is no option. Libraries that try one out expect the TypeError that Python itself would raise."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence.partition(" was raised from the environment creator")[0])  # gym.make adds that


class Unavailable(MmgamesError):
    """A service that an agent relies on did not answer: a time-out, a server's error, a lost connection.

    Raised by agents. It is nobody's play: whoever asked asks again, and what comes to nothing is missing, not scored.
    `wait` are the seconds that the service wants to be left alone; `can_retry` says whether asking again may help, and
    `away` that the service is not there for anybody, so that it is waited for longer.
    """

    def __init__(self, sentence: str, wait: float | None = None, can_retry: bool = True, *, away: bool = False) -> None:
        super().__init__(sentence)
        self.wait, self.can_retry, self.away = wait, can_retry, away


class PromptRefused(Unavailable):
    """A service takes no such prompt: its filter objects, or it cannot read a part of it. Asking again does not help.

    It is the service's doing and no play: what would have followed is missing, not scored.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, can_retry=False)


class RunStopped(MmgamesError):
    """Nothing further can be played or asked in this run, which ends at once; what is finished is kept."""


class ServiceRefused(RunStopped):
    """A service refuses whatever it is asked: a wrong key, no permission, no such model or address."""


class MissingHere(MmgamesError):
    """What was asked for exists, but not on this machine: a driver, a device, files that have to be fetched."""


class MissingExtra(ImportError):
    """An environment or agent needs a package that belongs to an optional extra."""


def missing_extra(what: str, extras: Iterable[str], without: Mapping[str, object] | None = None) -> str:
    """The sentence about what is not installed, and how to do `without` it, if there are options for that."""
    wanted = tuple(extras)
    other = f"; with {options_told(without)} it needs none" if without else ""
    if why := not_to_be_had(wanted):
        return f"{what} needs a package that is not installed and cannot be had on this machine: {why}{other}."
    return f"{what} needs a package that is not installed: pip install 'mmgames[{','.join(wanted)}]'{other}."


def options_told(options: Mapping[str, object]) -> str:
    """Options as one writes them."""
    return ", ".join(f'{name}="{value}"' for name, value in options.items())


def not_to_be_had(extras: Iterable[str]) -> str:
    """Why extras would install nothing here; empty where they can be installed."""
    without = "embodied" in extras and platform.system() == "Linux" and platform.machine() == "aarch64"
    return "SAPIEN has no wheel for Linux on aarch64" if without else ""


@contextmanager
def needs_extra(what: str, extra: str) -> Iterator[None]:
    """For imports of what comes with an extra: where it is not installed, the error says how to mend that."""
    try:
        yield
    except ImportError as error:
        if (error.name or "").startswith("mmgames"):  # our own fault
            raise
        raise MissingExtra(missing_extra(what, (extra,))) from error


def what_was_raised(error: BaseException) -> str:
    """An error in words, with the line of the user's own file that led to it, the last of no library."""
    if isinstance(error, MmgamesError):
        return str(error)
    home = Path(__file__).parent
    others = [str(home.parent / name) for name in (home.name, "baselines", "wrappers")]
    others += map(sysconfig.get_path, ("stdlib", "purelib", "platlib"))
    lines = traceback.extract_tb(error.__traceback__)
    known = (*(os.path.join(one, "") for one in others), "<")
    own = [line for line in lines if not line.filename.startswith(known)] or lines
    place = f" ({Path(own[-1].filename).name}, line {own[-1].lineno})" if own else ""
    return f"{type(error).__name__}: {error}{place}"


def nearest(word: object, known: Iterable[str]) -> str:
    """' Did you mean …?' when a known word is close to `word`, otherwise nothing."""
    by_lower = {name.lower(): name for name in known}
    close = difflib.get_close_matches(str(word).lower(), by_lower, n=1, cutoff=0.6)
    return f" Did you mean {by_lower[close[0]]!r}?" if close else ""


def unknown(kind: str, word: object, where: str, known: Iterable[str]) -> MmgamesError:
    """The sentence for a word that is not one of the known ones."""
    known = list(known)
    listing = ", ".join(known) if known else "none"
    return MmgamesError(f"Unknown {kind} {word!r} for {where}. Known: {listing}.{nearest(word, known)}")


def unknown_option(name: str, where: str, known: Iterable[str]) -> UnknownOption:
    """The sentence for a keyword that is no option, with the words that libraries look for in it."""
    known = list(known)
    return UnknownOption(
        f"Unknown option {name!r} for {where} (got an unexpected keyword argument {name!r}). "
        f"Known: {', '.join(known)}.{nearest(name, known)}"
    )
