"""Further forms of statements about charts, tried before those of `chart_forms`: two statements in one, and bounds."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from mmgames.games.spy.listening.chart_forms import FORMS, GROUP
from mmgames.games.spy.listening.chart_values import ITEM, NUM, Values

_THEN = r"(?: ,| and| cut| later)*"
_TEST = Callable[[Values, re.Match[str]], Any]
CLAIMS: tuple[tuple[re.Pattern[str], _TEST, bool], ...] = tuple(
    (re.compile(pattern), test, lone)
    for pattern, test, lone in (
        (
            rf"all (?:part )?between ({NUM}) and ({NUM})",
            lambda r, m: r.of(m[1]) <= min(r.values) and max(r.values) <= r.of(m[2]),
            True,
        ),
        (rf"({ITEM}) (?:only )?eq (?:cut |to |as |than )*({ITEM})$", lambda r, m: r.of(m[1]) == r.of(m[2]), False),
        (
            rf"({ITEM})(?: ,| cut)* ({NUM})(?: ,)? (gt|lt) (?:than )?({ITEM})(?: ,| cut)+ ({NUM})",
            lambda r, m: r.each_told(m[0]) and r.more(r.of(m[1]), m[3], r.of(m[4])),
            False,
        ),
        (
            rf"^after max ({ITEM})(?: ,)?(?: it)? (rise|fall)",
            lambda r, m: r.of(m[1]) == max(r.values) and r.follows(m[2], m[1]),
            False,
        ),
        (
            rf"^(?:all )?{GROUP} (?:all )?(rise|fall)(?: from {ITEM} to {ITEM})?$",
            lambda r, m: (
                all(r.goes_on(int(each[1:]), m[2]) for each in re.findall(ITEM, m[1])) if r.items.series else None
            ),
            False,
        ),
        (
            rf"^(?:it )?({NUM}) part(?: and| ,| cut)+(?= (?:max|min) (?:part )?@)",
            lambda r, m: r.of(m[1]) in (len(r.items.names), r.items.bars),
            False,
        ),
        (rf"^(?:any|#1) part ({NUM})$", lambda r, m: r.of(m[1]) in r.values, True),
        (r"^(?:all )+(?:part )?(?:all )?eq", lambda r, m: len(set(r.values)) == 1, True),
        (r"^(?:all )+(?:part )?distinct$", lambda r, m: len(set(r.values)) == len(r.values), True),
        (r"^not #2 (?:part )?eq$", lambda r, m: len(set(r.values)) == len(r.values), True),
        (
            rf"(max|min) (?:part )?({NUM}){_THEN} (max|min) (?:part )?({NUM})",
            lambda r, m: r.extreme(m[1]) == r.of(m[2]) and r.extreme(m[3]) == r.of(m[4]),
            True,
        ),
        (
            rf"(rise|fall) (?:only )?from ({ITEM}) to ({ITEM}){_THEN} (rise|fall)(?: to| until)? ({ITEM})",
            lambda r, m: r.run(m[2], m[3], m[1]) and r.run(m[3], m[5], m[4]),
            False,
        ),
        (
            rf"between ({ITEM}) and ({ITEM})(?: ,)?(?: part| it| max| min| any| only)* (rise|fall)(?! by)",
            lambda r, m: r.run(m[1], m[2], m[3]),
            False,
        ),
        (rf"after ({ITEM})(?: ,)?(?: it)? only (rise|fall)", lambda r, m: r.to_the_end(m[1], m[2]), False),
        (
            rf"(rise|fall)(?: \S+){{0,2}}? until ({ITEM}){_THEN} (rise|fall)(?: later)?$",
            lambda r, m: r.run("@0", m[2], m[1]) and r.to_the_end(m[2], m[3]),
            False,
        ),
        (
            rf"({ITEM}) (?:only )?({NUM}) (gt|lt) (?:part )?than ({ITEM})",
            lambda r, m: r.of(m[1]) - r.of(m[4]) == (1 if m[3] == "gt" else -1) * r.of(m[2]),
            False,
        ),
        (rf"max ({NUM}) (?:part )?(?:, )?{GROUP}$", lambda r, m: r.best(m[1], "max", m[2]), False),
        (rf"min ({NUM}) (?:part )?(?:, )?{GROUP}$", lambda r, m: r.best(m[1], "min", m[2]), False),
        (
            rf"^{GROUP} (max|min)$",
            lambda r, m: r.best(f"#{len(re.findall(ITEM, m[1]))}", m[2], m[1]),
            False,
        ),
        (rf"^sum (?:, )?{GROUP}(?: ,)? (?:to|as) ({NUM})", lambda r, m: r.sum(m[1]) == r.of(m[2]), False),
        (
            rf"^sum (?:, )?{GROUP}(?: ,)? (gt|lt) (?:than )?({ITEM}|{NUM})",
            lambda r, m: r.more(r.sum(m[1]), m[2], r.of(m[3])),
            False,
        ),
        (
            rf"^(gt|lt) (?:than )?({NUM}) (?:to |cut |, )*{GROUP}(?: sum)?$",
            lambda r, m: r.more(r.sum(m[3]), m[1], r.of(m[2])),
            False,
        ),
    )
)
ALL_FORMS = (*CLAIMS, *FORMS)
