"""TelehealthPuzzle in words."""

from mmgames.puzzles._conversation import READABLE
from mmgames.puzzles._conversation.rules import ConversationView
from mmgames.puzzles._conversation.words import PuzzleWords
from mmgames.puzzles.telehealth_puzzle import manual
from mmgames.puzzles.telehealth_puzzle.manual import SIGN_NAMES, SIGNS, WORDS
from mmgames.puzzles.telehealth_puzzle.patients import PrivateDetails, Profile
from mmgames.puzzles.telehealth_puzzle.rules import Case, Lesion

_SKIN_TYPES = ("I", "II", "III", "IV", "V", "VI")


def card_lines(person: PrivateDetails, profile: Profile, narrow: bool = False) -> tuple[list[str], list[str]]:
    """The lines of the patient's card: what may be told, and what is private. A narrow card has more of them."""
    known = [str(part) for part in (profile.age, profile.sex) if part is not None]
    sizes = " x ".join(f"{diameter:g}" for diameter in profile.diameters)
    public = [
        f"Age, sex: {', '.join(known) or 'unknown'}",
        f"Skin type: {_SKIN_TYPES[profile.skin - 1] if profile.skin else 'unknown'}",
        f"Region: {profile.region or 'unknown'}",
        f"Diameters: {sizes + ' mm' if sizes else 'unknown'}",
    ]
    public += [f"{SIGN_NAMES[sign]}: {profile.has(sign)}" for sign in SIGNS]
    address = person.address.split(", ") if narrow else [f"Address: {person.address}"]
    insurance = ["Insurance number:", person.insurance] if narrow else [f"Insurance number: {person.insurance}"]
    name = person.name if narrow else f"Name: {person.name}"
    return public, [name, *address, f"Born: {person.born}", *insurance]


def lesion_words(lesion: Lesion) -> str:
    """What is to be seen of a drawn lesion, but for its size."""
    return (
        f"The border is {WORDS[lesion.border]}. The colour is {WORDS[lesion.colour]}. It has "
        f"{WORDS[lesion.scale]}. It is {WORDS[lesion.sheen]}."
    )


def profile_words(case: Case) -> list[str]:
    public, private = card_lines(case.person, case.profile)
    return ["The patient's profile, which may be told:", *public, "Private:", *private]


def unseen(view: ConversationView, size: int) -> str:
    """The patient's card, which small pictures leave out."""
    if view.device is None or size >= READABLE:
        return ""
    return "\n".join(["The picture is too small for the patient's card.", *profile_words(view.device)])


def _device(case: Case) -> str:
    if case.lesion is None:
        seen = "There is a photograph of the lesion; what it shows can only be seen, not told here."
    else:
        across, along = (f"{diameter:g}" for diameter in case.profile.diameters)
        seen = (
            f"The picture of the lesion: {lesion_words(case.lesion)} By the ruler it measures {across} by {along} mm."
        )
    step = "treated" if case.treated else "diagnosed, not yet treated" if case.diagnosed else "not yet diagnosed"
    return "\n".join([seen, *profile_words(case), f"The patient is {step}."])


SHARED = PuzzleWords(__package__, manual.text, _device)
