"""Build fireworks together, holding cards that everybody but you can see."""

from dataclasses import replace

from mmgames.core.spec import spec_in
from mmgames.text.prose import page

Hanabi = spec_in(__name__)
TinyHanabi = replace(
    Hanabi,
    name="TinyHanabi",
    summary="build small fireworks together without seeing your own cards: two colours, three ranks",
    length=22,
    options={"score": Hanabi.options["score"]},
    doc=page(__package__, "tiny_hanabi"),
)
SPECS = (Hanabi, TinyHanabi)
