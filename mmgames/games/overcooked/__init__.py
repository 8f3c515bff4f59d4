"""Two chefs in a cramped kitchen cook onion soup together and must not get in each other's way."""

from mmgames.core.spec import spec_in

SPEC = spec_in(__name__)
