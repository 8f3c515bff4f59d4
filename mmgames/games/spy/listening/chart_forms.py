"""Forms of statements about charts that name several items, or none, and when they are true."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from mmgames.games.spy.listening.chart_values import ITEM, NUM, WAY, Values

GROUP = rf"({ITEM}(?:(?: ,| and)+ {ITEM})+)"
TIMES = rf"(x[\d.]+|times {NUM})"
_TEST = Callable[[Values, re.Match[str]], Any]
# What a form is and when it is true; some are read only in sentences that name no item.
FORMS: tuple[tuple[re.Pattern[str], _TEST, bool], ...] = tuple(
    (re.compile(pattern), test, lone)
    for pattern, test, lone in (
        (
            rf"({ITEM}) r(\d+) (max|min)(?: ,)? after ({ITEM})",
            lambda r, m: r.ranked(m[1], m[3]) == int(m[2]) == r.ranked(m[4], m[3]) + 1,
            False,
        ),
        (
            rf"^(only )?({NUM}|any) (?:part )?(gt|lt) (?:than )?({ITEM})$",
            lambda r, m: r.so_many(m[3], m[4], 1 if m[2] == "any" else r.of(m[2]), m[2] == "any" and not m[1]),
            False,
        ),
        (
            rf"^(?:all |other )+(?:part )?(gt|lt) (?:than )?({ITEM})$",
            lambda r, m: r.of(m[2]) == (max if m[1] == "lt" else min)(r.rivals(int(m[2][1:]))),
            False,
        ),
        (
            rf"r(\d) (max|min) (?:part )?({NUM})",
            lambda r, m: sorted(r.values, reverse=m[2] == "max")[: int(m[1])][-1] == r.of(m[3]),
            True,
        ),
        (rf"any (?:part )?(?:only |eq )+({NUM})$", lambda r, m: r.of(m[1]) in r.values, True),
        (rf"start (?:cut|,) ({NUM})", lambda r, m: r.values[0] == r.of(m[1]), True),
        (rf"end cut ({NUM})", lambda r, m: r.values[-1] == r.of(m[1]), True),
        (
            rf"(rise|fall) from ({NUM}) to ({NUM}) (?:between|from) ({ITEM}) (?:and|to) ({ITEM})",
            lambda r, m: (r.of(m[2]), r.of(m[3])) == (r.of(m[4]), r.of(m[5])),
            False,
        ),
        (rf"(rise|fall) ({ITEM}) cmp (?:to |cut )?({ITEM})", lambda r, m: r.more(r.of(m[2]), m[1], r.of(m[3])), False),
        (rf"^({ITEM}) (gt|lt)$", lambda r, m: r.than_other_series(int(m[1][1:]), m[2]), False),
        (rf"(?<!only )({ITEM}) (rise|fall)(?= cut| and|$)", lambda r, m: r.goes_on(int(m[1][1:]), m[2]), False),
        (
            rf"({NUM}) (gt|lt) ({ITEM}) than ({ITEM})",
            lambda r, m: r.of(m[3]) - r.of(m[4]) == (1 if m[2] == "gt" else -1) * r.of(m[1]),
            False,
        ),
        (
            rf"({ITEM}) (gt|lt) ({ITEM}) \2 ({ITEM})",
            lambda r, m: r.more(r.of(m[1]), m[2], r.of(m[3])) and r.more(r.of(m[3]), m[2], r.of(m[4])),
            False,
        ),
        (rf"({ITEM}) (?:eq|as) (?:to )?{GROUP} sum", lambda r, m: r.of(m[1]) == r.sum(m[2]), False),
        (rf"{GROUP} sum (?:eq|as) (?:to )?({ITEM})", lambda r, m: r.of(m[2]) == r.sum(m[1]), False),
        (
            rf"{GROUP} (?:eq )?all (?:eq )?({NUM})",
            lambda r, m: all(r.of(each) == r.of(m[2]) for each in re.findall(ITEM, m[1])),
            False,
        ),
        (
            rf"({NUM}) ({ITEM})(?: ,| and| cmp| cut)+ ({NUM}) ({ITEM})",
            lambda r, m: r.of(m[1]) == r.of(m[2]) and r.of(m[3]) == r.of(m[4]),
            False,
        ),
        (
            rf"({ITEM}) (geq|le) {TIMES} (?:as )*({ITEM})",
            lambda r, m: r.at_least(m[1], m[2], r.factor(m[3]) * r.of(m[4])),
            False,
        ),
        (rf"({ITEM}) (geq|le) ({NUM})", lambda r, m: r.at_least(m[1], m[2], r.of(m[3])), False),
        (rf"only ({ITEM}) (gt|lt) (?:than )?({ITEM})", lambda r, m: r.alone(int(m[1][1:]), m[2], m[3]), False),
        (rf"({ITEM}) not max(?: and| ,)?(?: not)? min", lambda r, m: r.inside(int(m[1][1:])), False),
        (rf"({ITEM}) not (gt|lt) (?:than )?({ITEM})", lambda r, m: not r.more(r.of(m[1]), m[2], r.of(m[3])), False),
        (rf"({ITEM}) not as (?:as )?({ITEM})", lambda r, m: r.of(m[1]) < r.of(m[2]), False),
        (rf"({ITEM}) (?:only )?as as ({ITEM})", lambda r, m: r.of(m[1]) == r.of(m[2]), False),
        (
            rf"(?:(?:max |min )(?:part |pie )*)?({ITEM}) (?:(max|min|start|{NUM}|cut|"
            rf",) )*next by ({ITEM}(?:(?: ,| and| cut| next| "
            rf"by)* {ITEM}| (?:cut |, )?{NUM})*)",
            lambda r, m: r.in_order([m[1], *re.findall(ITEM, m[3])], "min" in m[0]) and r.each_told(m[0]),
            False,
        ),
        (rf"({ITEM}) (gt|lt) (?:than )?avg", lambda r, m: r.more(r.of(m[1]), m[2], r.average(m[1])), False),
        (
            rf"({ITEM}) (gt|lt) (?:than )?(prevone|nextone)",
            lambda r, m: r.beside(int(m[1][1:]), m[2], 1 if m[3] == "nextone" else -1),
            False,
        ),
        (
            rf"(rise|fall) (?:by |only |cut )*({NUM}) (?:from|between) ({ITEM}) (?:to|and) ({ITEM})",
            lambda r, m: r.steps_by(m[3], m[4], m[1], r.of(m[2])),
            False,
        ),
        (
            rf"between ({ITEM}) and ({ITEM})(?: ,)?(?: it)? (rise|fall) (?:only )?by (?:only )?({NUM})",
            lambda r, m: r.steps_by(m[1], m[2], m[3], r.of(m[4])),
            False,
        ),
        (
            rf"from ({ITEM}) to ({ITEM})(?: ,)?(?: it)? {TIMES}(?: ,)?(?: from ({NUM}) to ({NUM}))?",
            lambda r, m: (
                r.times(m[2], m[3], m[1]) and (not m[4] or (r.of(m[4]), r.of(m[5])) == (r.of(m[1]), r.of(m[2])))
            ),
            False,
        ),
        (
            rf"(rise|fall) from ({ITEM}) to ({ITEM})(?: ,| and| cut)* (rise|fall) (?:to|until) ({ITEM})",
            lambda r, m: r.run(m[2], m[3], m[1]) and r.run(m[3], m[5], m[4]),
            False,
        ),
        (
            rf"(rise|fall) to ({NUM}) "
            rf"({ITEM})",
            lambda r, m: r.of(m[2]) == r.of(m[3]) and r.into(m[1], int(m[3][1:])),
            False,
        ),
        (
            r"(rise|fall) start(?: ,| and| cut)* (rise|fall)(?: end)?",
            lambda r, m: r.follows(m[1], "@0") and r.into(m[2], len(r.values) - 1),
            True,
        ),
        (
            rf"({ITEM}|end|start) (gt|lt) (?:than )(?:it )?(end|start)(?: any)?",
            lambda r, m: r.more(r.of(m[1]), m[2], r.of(m[3])),
            False,
        ),
        (
            rf"max (rise|fall) (?:after|since) "
            rf"({ITEM})",
            lambda r, m: r.changes(m[2], m[1], f"@{int(m[2][1:]) + 1}"),
            False,
        ),
        (r"(?:part |it )?not (rise|fall)$", lambda r, m: r.never(m[1]), True),
        (rf"after ({ITEM})(?: ,)?(?: it)? (rise|fall)$", lambda r, m: r.follows(m[2], m[1]), False),
        (rf"until ({ITEM})(?: ,)?(?: it)? (rise|fall)", lambda r, m: r.run("@0", m[1], m[2]), False),
        (r"^later (?:it )?(rise|fall)", lambda r, m: r.to_the_end(f"@{r.subject or 0}", m[1]), True),
        (rf"({ITEM}(?: {ITEM})+) (rise|fall)", lambda r, m: r.run(m[1].split()[0], m[1].split()[-1], m[2]), False),
        (rf"({ITEM}) (rise|fall) from ({ITEM})(?! to)", lambda r, m: r.more(r.of(m[1]), m[2], r.of(m[3])), False),
        (
            rf"({ITEM}) (rise|fall)(?: ,)?(?: from)? ({NUM}) to ({NUM})",
            lambda r, m: r.over_series(int(m[1][1:])) == [r.of(m[3]), r.of(m[4])],
            False,
        ),
        (rf"^({ITEM}) (?:only )?eq$", lambda r, m: r.change(int(m[1][1:])) == 0, False),
        (rf"all (?:it |part )?(gt|lt) ({ITEM}) than ({ITEM})", lambda r, m: r.every_change(m[3], m[2], m[1]), False),
        (
            rf"all (?:it |part )?(rise|fall) from ({ITEM}) to "
            rf"({ITEM})",
            lambda r, m: r.every_change(m[2], m[3], m[1]),
            False,
        ),
        (rf"only ({ITEM}) (rise|fall)$", lambda r, m: r.only_change(int(m[1][1:]), m[2]), False),
        (
            rf"max (?:part )?(?:any )?{TIMES} (?:as )*min",
            lambda r, m: max(r.values) == r.factor(m[1]) * min(r.values),
            True,
        ),
        (
            rf"({NUM}) (max|min) (?:part )?({ITEM}(?:(?: ,| and| cut| {NUM})* {ITEM})+(?: (?:cut )?{NUM})?)",
            lambda r, m: r.best(m[1], m[2], m[3].replace("cut ", "")),
            False,
        ),
        (
            rf"(?:from )?({NUM}) ({ITEM})(?: ,)? to ({NUM}) ({ITEM})",
            lambda r, m: r.of(m[1]) == r.of(m[2]) and r.of(m[3]) == r.of(m[4]),
            False,
        ),
        (
            rf"({ITEM}) (gt|lt) than {TIMES} (?:(?:as|than|,|it) )*({ITEM})",
            lambda r, m: r.more(r.of(m[1]), m[2], r.factor(m[3]) * r.of(m[4])),
            False,
        ),
        (
            rf"(rise|fall) from ({ITEM}) to ({ITEM})(?: ,)?(?: (?:rise|fall))?(?: by)? ({NUM})",
            lambda r, m: abs(r.of(m[2]) - r.of(m[3])) == r.of(m[4]) and r.run(m[2], m[3], m[1]),
            False,
        ),
        (rf"{GROUP} ({NUM}) (max|min)", lambda r, m: r.best(m[2], m[3], m[1]), False),
        (
            rf"{GROUP} diff (?:by )?({NUM})",
            lambda r, m: max(map(r.of, re.findall(ITEM, m[1]))) - min(map(r.of, re.findall(ITEM, m[1]))) == r.of(m[2]),
            False,
        ),
        (
            rf"(?<!than ){GROUP} (?:all )?(gt|lt|geq|le) (?:than )?({NUM})",
            lambda r, m: all(r.passes(each, m[2], m[3]) for each in re.findall(ITEM, m[1])),
            False,
        ),
        (
            rf"(?<!to )(?<!and )({ITEM}) only (?:\S+ )?(rise|"
            rf"fall)$",
            lambda r, m: r.only_change(int(m[1][1:]), m[2]),
            False,
        ),
        (rf"({ITEM}) (rise|fall) max", lambda r, m: r.most_changed(int(m[1][1:]), m[2]), False),
        (
            rf"({ITEM}) (rise|fall) by ({NUM})(?: from {ITEM} to {ITEM})?",
            lambda r, m: r.changed_by(int(m[1][1:]), m[2], r.of(m[3])),
            False,
        ),
        (rf"{GROUP} (?:sum )?mk (gt|lt) (?:than )?({NUM})", lambda r, m: r.more(r.sum(m[1]), m[2], r.of(m[3])), False),
        (rf"{GROUP} mk ({NUM})", lambda r, m: r.sum(m[1]) == r.of(m[2]), False),
        (rf"sum (?:, )?{GROUP}(?: ,)?(?: ge| mk| eq)? ({NUM})", lambda r, m: r.sum(m[1]) == r.of(m[2]), False),
        (rf"({NUM}) between ({ITEM}) and ({ITEM})", lambda r, m: abs(r.of(m[2]) - r.of(m[3])) == r.of(m[1]), False),
        (
            rf"diff between max (?:part )?and min (?:part )?({NUM})",
            lambda r, m: max(r.values) - min(r.values) == r.of(m[1]),
            True,
        ),
        (
            rf"max (?:part )?{TIMES} (?:as )*r2",
            lambda r, m: max(r.values) == r.factor(m[1]) * sorted(r.values)[-2],
            True,
        ),
        (
            rf"({ITEM}) gt (?:than )?(?:all )?other (?:{NUM} )?(?:part )?sum",
            lambda r, m: r.outweighs(int(m[1][1:])),
            False,
        ),
        (
            rf"({ITEM}) (?:\S+ )?after ({ITEM}) (?:\S+ )?ranking",
            lambda r, m: (
                sum(value > r.of(m[1]) for value in r.rivals(int(m[1][1:])))
                == 1 + sum(value > r.of(m[2]) for value in r.rivals(int(m[1][1:])))
            ),
            False,
        ),
        (
            rf"max (rise|fall) (?:from |between )?({ITEM}) (?:to|and) ({ITEM})",
            lambda r, m: r.changes(m[2], m[1], m[3]),
            False,
        ),
        (
            rf"(?:from )?({ITEM}) (?:to|until) ({ITEM})(?: ,)?(?: it)? (rise|fall) by ({NUM})",
            lambda r, m: r.run(m[1], m[2], m[3]) and abs(r.of(m[1]) - r.of(m[2])) == r.of(m[4]),
            False,
        ),
        (
            rf"(rise|fall) by ({NUM}) (?:from|between) ({ITEM}) (?:to|and) ({ITEM})",
            lambda r, m: r.run(m[3], m[4], m[1]) and abs(r.of(m[3]) - r.of(m[4])) == r.of(m[2]),
            False,
        ),
        (rf"{TIMES} (?:from|between) ({ITEM}) (?:to|and) ({ITEM})", lambda r, m: r.times(m[3], m[1], m[2]), False),
        (
            rf"(rise|fall) (?:from |between )?({ITEM}) (?:to|and) ({ITEM})(?: ,)?(?: and| cut)?(?: cut)? (rise|"
            rf"fall) later",
            lambda r, m: r.run(m[2], m[3], m[1]) and r.to_the_end(m[3], m[4]),
            False,
        ),
        (rf"after ({ITEM})(?: ,)? (rise|fall) until ({ITEM})", lambda r, m: r.run(m[1], m[3], m[2]), False),
        (rf"since ({ITEM})(?: ,)?(?: \S+){{0,2}}? (rise|fall)", lambda r, m: r.to_the_end(m[1], m[2]), False),
        (r"(rise|fall)(?: \S+)? all|all(?: \S+)? (rise|fall)", lambda r, m: r.to_the_end("@0", m[1] or m[2]), True),
        (
            r"(end|start) (gt|lt) (?:than )?(?:it )?(end|start)",
            lambda r, m: r.more(r.of(m[1]), m[2], r.of(m[3])),
            True,
        ),
        (rf"{GROUP} ({NUM}) sum", lambda r, m: r.sum(m[1]) == r.of(m[2]), False),
        (
            rf"({ITEM})(?: ,)? next by (max|min)",
            lambda r, m: r.rank(int(m[1][1:]) + 1, m[2]),
            False,
        ),
        (rf"from ({ITEM}) (rise|fall) to ({ITEM})", lambda r, m: r.run(m[1], m[3], m[2]), False),
        (
            rf"({ITEM}) diff ({ITEM}) (?:only )?({NUM})",
            lambda r, m: r.of(m[1]) - r.of(m[2]) == r.of(m[3]),
            False,
        ),
        (
            rf"({ITEM})(?: any)? (gt|lt) (?:than )?{GROUP} sum",
            lambda r, m: r.more(r.of(m[1]), m[2], r.sum(m[3])),
            False,
        ),
        (
            rf"{GROUP} (?:sum|eq) (?:sum |only |to |as |, |rise |ge |mk )*({NUM})",
            lambda r, m: r.sum(m[1]) == r.of(m[2]),
            False,
        ),
        (
            rf"{GROUP} sum (gt|lt) (?:than )?({ITEM}|{NUM})",
            lambda r, m: r.more(r.sum(m[1]), m[2], r.of(m[3])),
            False,
        ),
        (
            rf"diff between ({ITEM}) and ({ITEM}) (?:to )?({NUM})",
            lambda r, m: abs(r.of(m[1]) - r.of(m[2])) == r.of(m[3]),
            False,
        ),
        (
            rf"range (?:from |between )?({NUM}) (?:to|and) ({NUM})",
            lambda r, m: (min(r.values), max(r.values)) == (r.of(m[1]), r.of(m[2])),
            False,
        ),
        (
            rf"all (?:part )?(gt|lt|geq|le|ge) (?:than )?({NUM})",
            lambda r, m: r.beyond(m[1], r.of(m[2])) == set(r.items.pool(0, r.series)),
            False,
        ),
        (
            rf"end ({NUM}) (?:part )?(gt|lt) (?:than )?({NUM})",
            lambda r, m: all(r.more(v, m[2], r.of(m[3])) for v in r.values[-int(r.of(m[1])) :]),
            False,
        ),
        (
            rf"(?<!end )(?<!start )({NUM}) (?:\S+ )?(gt|lt) (?:than )?({NUM})",
            lambda r, m: r.count(m[2], m[3]) == r.of(m[1]),
            True,
        ),
        (r"any (?:\S+ )??gt #50", lambda r, m: max(r.values) > 50, True),
        (
            rf"not (gt|lt) (?:than )?({ITEM})",
            lambda r, m: r.of(m[2]) == (max if m[1] == "gt" else min)(r.values),
            False,
        ),
        (
            rf"cmp (?:and )?(?:cut )?({ITEM}) , ({ITEM}) (gt|lt)",
            lambda r, m: r.more(r.of(m[2]), m[3], r.of(m[1])),
            False,
        ),
        (
            rf"(?<!than )(?<!gt )(?<!lt ){GROUP} (gt|lt) (?:than )?({ITEM})(?! and @| by)",
            lambda r, m: all(r.more(r.of(each), m[2], r.of(m[3])) for each in re.findall(ITEM, m[1])),
            False,
        ),
        (rf"(rise|fall) between ({ITEM}) and ({ITEM})", lambda r, m: r.run(m[2], m[3], m[1]), False),
        (
            rf"({ITEM}) between ({ITEM}) and ({ITEM})",
            lambda r, m: sorted((r.of(m[1]), r.of(m[2]), r.of(m[3])))[1] == r.of(m[1]),
            False,
        ),
        (rf"(rise|fall) after ({ITEM})", lambda r, m: r.follows(m[1], m[2]), False),
        (rf"({ITEM}) (gt|lt) (?:than )?near", lambda r, m: r.turns(int(m[1][1:]), 1 if m[2] == "gt" else -1), False),
        (
            rf"(?:from )?({ITEM}) (?:to|until) ({ITEM})(?: ,)?(?: \S+)?? {WAY}",
            lambda r, m: r.run(m[1], m[2], m[3]),
            False,
        ),
        (rf"{WAY}(?: \S+)?? from ({ITEM}) to ({ITEM})", lambda r, m: r.run(m[2], m[3], m[1]), False),
        (rf"{WAY}(?: \S+){{0,3}}? until ({ITEM})", lambda r, m: r.run("@0", m[2], m[1]), False),
        (
            rf"(rise|fall) from ({NUM}) (?:fall )?to ({NUM})(?: start #[\d.]+ part)?",
            lambda r, m: r.goes(r.of(m[2]), r.of(m[3])),
            False,
        ),
        (r"start (?:\S+ )??(rise|fall)", lambda r, m: r.follows(m[1], "@0"), True),
        (
            rf"(?<!@\d )(?<!@\d\d )(rise|fall) ({ITEM})(?! to| gt| lt| max| min|$ x)",
            lambda r, m: r.into(m[1], int(m[2][1:])),
            False,
        ),
        (rf"dip (?:\S+ )??({ITEM})", lambda r, m: r.turns(int(m[1][1:]), -1), False),
        (rf"bump (?:\S+ )??({ITEM})", lambda r, m: r.turns(int(m[1][1:]), 1), False),
        (
            rf"({ITEM}|end)(?: ,)?(?: #[\d.]+ ,)?(?: eq| only)* {TIMES} (?:(?:as|than|gt|to|,|any|it) )*({ITEM}|"
            rf"start|end)",
            lambda r, m: r.times(m[1], m[2], m[3]),
            False,
        ),
        (rf"{TIMES} (?:as )?({ITEM}) as ({ITEM})", lambda r, m: r.times(m[2], m[1], m[3]), False),
        (
            rf"{GROUP} (?:\S+ )??eq|eq (?:\S+ )??{GROUP}",
            lambda r, m: len({r.of(each) for each in re.findall(ITEM, m[0])}) == 1,
            False,
        ),
        (
            rf"({ITEM}) (gt|lt) (?:than )?({ITEM}) by ({NUM})",
            lambda r, m: r.of(m[1]) - r.of(m[3]) == (1 if m[2] == "gt" else -1) * r.of(m[4]),
            False,
        ),
        (
            rf"(gt|lt)(?: #[\d.]+)? ({ITEM}) than ({ITEM})",
            lambda r, m: r.more(r.of(m[2]), m[1], r.of(m[3])),
            False,
        ),
    )
)
