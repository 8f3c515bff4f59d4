"""A solver sees a skin lesion and a patient's profile; an expert has a made-up guide to diagnosis and treatment."""

from mmgames.core.spec import Option
from mmgames.puzzles._conversation import puzzle

SPEC = puzzle(
    __name__,
    "TelehealthPuzzle",
    "describe a drawn skin lesion, look up diagnosis and treatment, tell nothing private",
    photos=Option(
        "drawn",
        '"drawn": drawings of lesions; or the path of a local copy of PAD-UFES-20 (metadata.csv and its pictures).',
    ),
)
