"""A commons of apples: they grow back the sooner the more of them are left, and not at all where all are eaten."""

from mmgames.games._commons import commons

SPEC = commons(
    __name__,
    "Harvest",
    "apples that grow back only where some are left",
    ("grove", "orchard"),
    {"greedy": "Greedy", "restrained": "Restrained"},
    "restrained",
)
