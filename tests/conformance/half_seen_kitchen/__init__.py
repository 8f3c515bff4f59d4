"""VikiKitchen with information="partial" as the default, for the conformance kit alone: nobody else lists it."""

from dataclasses import replace

from mmgames.core.registry import find
from mmgames.core.spec import Option
from mmgames.embodied import viki_kitchen

OPTIONS = {
    **viki_kitchen.OPTIONS,
    "information": Option("partial", "what a seat knows", choices=viki_kitchen.INFORMATION),
    "robots": Option(4, "how many seats there are", low=1, high=16),
}
SPEC = replace(
    viki_kitchen.SPEC, name="HalfSeenKitchen", namespace="tests", package=__name__, rules="VikiKitchen",
    options=OPTIONS, seats=("R1", "R2", "R3", "R4"), information="imperfect", doc=find("VikiKitchen").doc,
)  # fmt: skip
