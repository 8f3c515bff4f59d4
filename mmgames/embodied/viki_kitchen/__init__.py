"""Up to seven robots of four kinds share a kitchen and do a job together, one primitive each at a time."""

from mmgames.core.spec import spec_in

SPEC = spec_in(__name__)
