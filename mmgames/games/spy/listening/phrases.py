"""Expressions of several words that stand for one thing: places, relations, amounts; each becomes one mark.

They are replaced in this order, behind the `turns` of phrase. A mark is a kind of word and its value: `at_left`,
`rel_behind`, `sup_large`.
"""

from __future__ import annotations

import re

from mmgames.games.spy.listening.plain_forms import ADJECTIVES, PLAIN_FORMS
from mmgames.games.spy.listening.turns import DENIALS, FILLERS, NOUN, SHAPE
from mmgames.games.spy.listening.vocabulary import NUMBER, ORDINALS

_VIEWER = r"(?:the |my |our )?(?:camera|viewer|front|us|me|you|observer|lens|foreground|eyes?|spectator|screen)"
_SIDE = r"(?:hand )?(?:side|part|half|portion|section|area|region|zone|third)?"
_NTH = "|".join((*ORDINALS, "last"))
_AMOUNTS = (
    (r"\b(?:a|one|the) (pair|couple|trio|duo) of\b", r"\1"),
    (rf"\b({NUMBER}) or more\b", r"atleast \1"),
    (rf"\b({NUMBER}) or (?:fewer|less)\b", r"atmost \1"),
    (r"\b(?:a second|another|a further) (.+?) (?:besides|beside|apart from|next to|than)\b", r"atleast two \1 ,"),
    (rf"^(?:out )?of (?:the |all )?({NUMBER}) (\w+),? ({NUMBER})\b", r"\3 of the \1 \2"),
    (rf"(?<=[:,(]) ?({NUMBER}) (?:out )?of (?:the )?(?:{NUMBER})\b", r" \1 of them"),
    (r"\b(?:at least|no fewer than|no less than|minimum of)\b", " atleast "),
    (r"\b(?:at most|no more than|up to)\b", " atmost "),
    (r"\bmore than\b(?= (?:\d|one|two|three|four|five|once))", " over "),
    (r"\b(?:fewer|less) than\b(?= (?:\d|one|two|three|four|five))", " under "),
    (r"\b(?:less|fewer) than half\b|\ba minority of\b", " few "),
    (r"\bmore than half\b|\b(?:the )?(?:vast |slim |clear )?majority of\b|\b(?:nearly|almost) (?:all|every\w*)\b",
     " most "),
    (r"\b(?:have|has|hold|holds|in|form|forms|make up|are) (?:the|a) (?:\w+ )?majority\b", " majority "),
    (r"\b(?:in|form|forms|are) (?:the|a) (?:\w+ )?minority\b", " minority "),
    (r"\bout of(?: the| all)?\b", " of "),
    (r"\b(?:every|all)(?:thing)? (?:other )?(?:object|thing|item)?s? ?(?:but|except|besides) (?:for )?",
     " all except "),
    (r"\b(?:apart|aside) from\b|\bexcept(?:ing)?(?: for)?\b|\bwith the (?:sole |only )?exception of\b|\bother than\b|"
     r"\bexcluding\b|\bbar(?=ring|\b (?:one|the))\b|\bsave for\b", " except "),
    (r"\bas well as\b|\bin addition to\b|\balong(?:side)?(?: with)?\b|\btogether with\b|\b(?:joined|accompanied) by\b|"
     r"\band also\b|\bagainst\b", " and "),
    (rf"\b(?:(twice|double)|({NUMBER}) times) (?:as many|the number of|as much|"
     r"as (?:frequent|common|numerous|plentiful))\b",
     lambda m: f" ratio_{m[2] or 'two'} "),
    (r"\bhalf as many\b", " halfof "),
    (r"\b(?:the same number of|an? equal (?:number|amount) of|equally many|equal numbers of)\b", " evenly "),
    (r"\b(?:(?:in|of) )?equal(?:ly)? (?:in number|frequent|common|many|numerous|represented|often)\b|"
     r"\bbalance(?: each other)?(?: out)?\b|\b(?:are|is|come) (?:equal|even|balanced|tied)\b|\bin equal numbers?\b|"
     r"\bthe same number\b", " evenly "),
    (rf"\b({NUMBER})(?: (?:objects|things|items|ones))? (?:of )?each(?: kind| type| sort| one| colou?r| shape)?"
     r"(?=[,.;:)]| ?$)", r" each_\1 "),
    (rf"(?:\bx ?|×)([1-9])\b|\b([1-9])(?:x|×)(?= |$)|\b({NUMBER}) times\b", lambda m:
     f" times_{m[1] or m[2] or m[3]} "),
    (r"\b(once|twice|thrice)\b", r" times_\1 "),
    (r"\b(?:outnumbers?|are more numerous than|exceeds?)\b", " outnumber "),
    (r"\b(?:by far )?(?:the )?(?:most[ -](?:common|frequent|popular|numerous|often)\w*|dominant|commonest|predominant|"
     r"main|prevailing|(?:largest|biggest) (?:group|number|share|part|set))\b|\b(?:dominates?|prevails?|rules?|"
     r"predominates?)\b(?! this)", " commonest "),
    (r"\bdominated by\b", " commonest is "),
    (r"\b(?:the )?(?:rarest|scarcest|least[ -](?:common|frequent|numerous)|fewest in number|(?:smallest|"
    r"tiniest) group)\b",
     " rarest "),
)  # fmt: skip
_ALIKE = (
    (r"\bshares? (?:its|their|the|an?)(?: same)? (colou?r|shape|size|material|finish) with\b", r" same \1 as "),
    (r"\bmatch(?:es)? (the .+?) in (colou?r|shape|size|material)\b", r" same \2 as \1 "),
    (
        r"\b(?:at least one|some|one|an?) colou?r (?:is repeated|repeats|(?:appears|occurs|shows up) more than once|"
        r"is (?:used|seen) more than once)\b",
        "atleast two things same colour",
    ),
    (
        r"\b(?:only |just )?(?:one|a single) (colou?r|shape|size|material)(?: (?:is|was) (?:used|present|"
        r"visible|there))?"
        r"(?: here)?(?=[:,.]| ?$)",
        r" kinds_one \1 ",
    ),
    (r"\bno two (?:\w+ ){0,3}?(?:share|have|are|with|of|in)(?: of| in)?(?: a| the)?(?: same)?"
     r"(?= (?:colou?r|shape|size))", " alldifferent "),
    (
        r"\bone (?:is )?(?:bigger|larger|smaller) (?:than the other|and (?:one|the other) "
        r"(?:smaller|larger|bigger))\b",
        "one large, one small",
    ),
    (r"\b(?:identical|indistinguishable|exact copies|look(?:ing)? (?:exactly )?(?:alike|the same)|look like twins)\b",
     " identical "),
    (
        r"\b(?:(?:of|in|have|has|with|share|shares|sharing|shared|are|is|a|an|the|exact|its|their|exactly) )*"
        r"(?:same|common|identical)(?= (?:colou?r|shape|size|material|finish|texture|surface|kind))",
        " same ",
    ),
    (r"\b(?:share|shares|sharing|have|has)(?: the)?(?: same)?(?: colou?r| shape| size)? (?=(?:red|blue|green|gray|grey|"
     r"brown|purple|cyan|yellow)\b)", " are "),
    (r"\b(?:of |in )?(?:the )?same (?!colou?r|shape|size|material|finish|texture|surface|kind)", " "),
    (r"\bshare (?:a|their|one)(?= (?:colou?r|shape|size|material|finish|texture))", " same "),
    (
        r"\b(?:(?:of|in|have|has|with|come in|comes in|are|is|a|an|all|its|their|each) )*"
        r"(?:different|differing|distinct|own|unique)(?= (?:colou?r|shape|size|material|finish|texture))",
        " different ",
    ),
    (r"\b(?:differ|differs|differing|vary|varying)(?: only)? (?:in|by)(?: their)?"
     r"(?= (?:colou?r|shape|size|material|finish|texture))", " different "),
    (r"\b(colou?r|shape|size|material|finish) from (?=(?:the|an?|all|every) (?!left|right))", r"\1 as "),
    (rf"\b({NUMBER}|all(?: the)? three|both|all) (?:of the )?(?:different |distinct |possible )?"
     r"(?:(?:kinds?|types?|sorts?) of )?(?:different )?(?:(?:colou?r|shape|size|material|finishe|texture)s|"
     r"(?<=kinds of )shape)\b(?! (?:\w+ )?(?:cubes?|spheres?|objects?))",
     lambda m: f" kinds_{m[1].split()[-1]} {m[0].split()[-1]} "),
)  # fmt: skip
_RELATIONS = (
    (rf"\b(?:(?:second|next)[- ](?:to[- ])?last|penultimate|last but one)\b(?: {NOUN})?(?: from (?:the )?(left|"
    rf"right))?",
     lambda m: f" ord_second_{'left' if m[1] == 'right' else 'right'} "),
    (r"\b(?:is |are )?not (?:quite |nearly )?as (?:large|big|tall) as\b", " rel_smaller "),
    (r"\b(?:is |are )?not (?:quite |nearly )?as (?:small|tiny) as\b", " rel_larger "),
    (rf"\b({_NTH}),? and (?:the )?({_NTH})\b(?: {NOUN})?(?: (?:from|on) (?:the )?(left|right))?",
     lambda m: f" ord_{m[1]}_{m[3] or 'left'} and the ord_{m[2]}_{m[3] or ('right' if m[2] == 'last' else 'left')} "),
    (r"\bthe (?:middle|central|cent(?:er|re)(?:most)?) (?=(?:one|object|thing|item)\b)", " the ord_middle_left "),
    (r"\b(?:immediately|directly|right next) (?:to |on )?(?:the |its )?(left|right) of(?! (?:it|"
    r"them)\b)", r" rel_next\1 "),
    (rf"\b({_NTH}) (?:{NOUN} )?(?:one )?(?:from|on|at|to|counting from) (?:the )?(left|right)\b"
     r"(?: (?:edge|side|end))?", r" ord_\1_\2 "),
    (rf"\b(first|last) ({NUMBER}) (?:{NOUN} )?(?:from|on|at) (?:the )?(left|right)\b", r" \2 ord_\1_\3 "),
    (rf"\b(first|last) ({NUMBER}) (?={NOUN}\b(?! (?:from|on|at) ))",
     lambda m: f" {m[2]} ord_{m[1]}_{'left' if m[1] == 'first' else 'right'} "),
    (rf"\b(first|last) ({NUMBER}) (\w+) (?:from|on|at) (?:the )?(left|right)\b", r" \2 ord_\1_\4 \3 "),
    (rf"\b(?:from|on|starting (?:from|at)|counting from) (?:the )?(left|right),? (?:the |my |its )?({_NTH})\b",
     r" ord_\2_\1 "),
    (rf"\b(?:in |at )?(?:the )?({_NTH}) (?:position|place|spot)\b(?: from (?:the )?(left|right))?",
     lambda m: f" ord_{m[1]}_{m[2] or ('left' if m[1] != 'last' else 'right')} "),
    (rf"\b(?:meet|see|comes?|stands?) ({_NTH})(?: from (?:the )?(left|right))?\b",
     lambda m: f" ord_{m[1]}_{m[2] or 'left'} "),
    (r"\b(?:from )?left to right\b|^from (?:the )?left(?=:)|\bstarting (?:from|at|on) the left:", " inorder_left : "),
    (r"\b(?:from )?right to left\b|^from (?:the )?right(?=:)|\bstarting (?:from|at|on) the right:",
     " inorder_right : "),
    (rf"\b(?:to|on|at|towards?|from|further|farther|more to)? ?(?:the |its |their )?(?:right |immediate )?(left|right)"
     rf"(?: {_SIDE})? ?(?:of|from|than)(?! (?:the |my |this )?(?:picture|image|scene|frame|photo|row|view|floor|group|"
     r"middle|centre|center))\b", r" rel_\1 "),
    (r"\b(?:to|on) (?:its|their) (?:immediate )?(left|right)(?: side)?\b|\b(left|right) of (?:it|them)\b",
     r" relit_\1\2 "),
    (r"\bin front of (?:it|them)\b", " relit_front "),
    (r"\bbehind (?:it|them)\b", " relit_behind "),
    (r"\b(?:next to|beside|near) (?:it|them)\b", " relit_near "),
    (rf"\b(?:more )?(?:closer|nearer|near|close)(?: to {_VIEWER})? than\b|\b(?:further|farther) "
     rf"(?:to the )?(?:front|forward) than\b", " rel_front "),
    (rf"\b(?:further|farther|deeper)(?: (?:back|away|behind|in|from {_VIEWER}))* "
     r"than\b|\bbehind\b", " rel_behind "),
    (r"\b(?:further|farther|more) (?:to )?(?:the )?(left|right)(?=[,.]| ?$| and)", r" relback_\1 "),
    (rf"\b(?:closer|nearer)(?: to {_VIEWER})?(?=[,.;]| ?$| and\b)", " relback_front "),
    (rf"\b(?:much |a bit |slightly )?(?:further|farther)(?: (?:back|away|behind|from {_VIEWER}))+", " relback_behind "),
    (r"\b(?:right )?in front of(?! all(?![ \w]))(?= )", " rel_front "),
    (r"\bin between\b|\bbetween\b", " rel_between "),
    (r"\bfollowed by\b", " rel_left "),
    (r"\b(?:dwarfs?|towers? over|is larger than|are larger than|is bigger than|are bigger than|larger than|"
     r"bigger than|much larger than)\b", " rel_larger "),
    (r"\b(?:is|are)? ?(?:much |even )?smaller than\b", " rel_smaller "),
    (r"\b(?:just )?as (?:large|big|small|tall|tiny) as\b|\b(?:the )?same size as\b", " rel_alike "),
)  # fmt: skip
_PLACES = (
    (rf"\b(?:(?:right|very|quite|really|up|pretty) )*(?:close|near) (?:up )?to {_VIEWER}\b", " at_front "),
    (rf"\b(?:closest|nearest|foremost|frontmost|most (?:near|close)|nearest of all|closest of all)(?: one)?"
     rf"(?: (?:to|of all|of)(?: {_VIEWER})?)?", " sup_front "),
    (r"\b(?:right )?under the (?:camera|viewer)(?:'s)? nose\b", " sup_front "),
    (r"\b(?:farthest|furthest|most) (?:to |on )?(?:the )?(left|right)\b", r" sup_\1 "),
    (rf"\b(?:farthest|furthest|most distant|rearmost|backmost|farmost|hindmost)(?: (?:from|back|away|of all)"
     rf"(?: {_VIEWER})?)*", " sup_back "),
    (r"\bleftmost\b", " sup_left "),
    (r"\brightmost\b", " sup_right "),
    (r"\b(?:biggest|largest|bigest|bigger of)\b", " sup_large "),
    (r"\b(?:smallest|tiniest|smaller of)\b", " sup_small "),
    (r"\bat (?:one|the other|the opposite) end(?: of the row)?\b|\bat the other(?=[,.]| ?$| an? )", " far_end "),
    (r"\b(?:at |on |in )?(?:the )?(?:each|either|both|two)(?: of the)? (?:end|side)s?(?: of the row)?\b|\bat "
    r"both (?:the )?ends\b",
     " far_ends "),
    (
        r"\b(?:in |at |on |to )?(?:the )?(?:very|right up|right at|all the way(?: at| in)?|way up|way in|far|"
        r"immediate)(?: the)? (front|back|rear|foreground|background)\b",
        r" far_\1 ",
    ),
    (
        rf"\b(?:at |on |to )?(?:the )?(?:far|extreme|very|all the way(?: to| on| over)?(?: the)?|"
        rf"way over on the|way|outer|utmost)[- ](left|right) ?{_SIDE}\b",
        r" far_\1 ",
    ),
    (
        r"\b(?:over )?(?:at |on |by |in )?(?:the )?(left|right)(?:[- ]hand)? (?:edge|end|border|margin|"
        r"extreme)\b|\b(?:edge|end)(?: on)? the (left|right)\b",
        r" far_\1\2 ",
    ),
    (r"\b(first|last) (?=one\b|object\b|thing\b|item\b)",
     lambda m: f" ord_{m[1]}_{'left' if m[1] == 'first' else 'right'} "),
    (rf"(?:(?<!on )(?<!at )(?<!to )(?<!from )\bthe|^) ?(left|right|front|back)(?:[- ]hand)? "
     rf"(?=(?:(?:{ADJECTIVES}) )*(?:one|{SHAPE})\b)", r"the sup_\1 "),
    (r"\bthe last(?=[,.;]| ?$| is\b)", " the ord_last_right "),
    (r"\b(second|third|fourth|fifth|sixth) (?=one\b|object\b|thing\b|item\b)", r" ord_\1_left "),
    (r"\b(front|back|rear|bottom|top|lower|upper)[- ](left|right)\b(?: corner)?", r" at_\1 at_\2 "),
    (r"\b(left|right)[- ](front|back|rear)\b(?: corner)?", r" at_\1 at_\2 "),
    (rf"\b(?:in|at|near|towards?|to|on|close to|into|up)? ?(?:the )?(?:right )?(?:in )?(?:the )?"
     rf"(front|foreground|back|rear|background|lower|bottom|upper|top) ?{_SIDE}(?: edge| row)?", r" at_\1 "),
    (r"\b(left|right) of the (?:middle|centre|center)\b", r" at_\1 "),
    (rf"\b(?:in|at|near|towards?|to|on|close to|around)? ?(?:the )?(?:very |dead |right )?(?:in )?(?:the )?"
     rf"(middle|centre|center|central)(?:-?ish)? ?{_SIDE}", r" at_middle "),
    (rf"\b(?:in|at|near|towards?|to|on|close to|over on|over to)? ?(?:the |my )?(left|right)(?:[- ]hand)? ?{_SIDE}"
     r"(?: corner)?(?= |,|\.|;|:|\)|=|$)", r" at_\1 "),
    (r"\b(?:next (?:to|of)|beside|near|close to|adjacent to)(?! (?:each other|one another))\b", " rel_near "),
    (r"\b((?:sup|ord|far)_\w+) +(?:object |thing |one )?of (?:the |all |all the )?(?:\w+ )?"
     r"(?:objects|things|items|them all|all)\b", r" \1 "),
    (r"\bmade (?:up )?(?:of|from|out of)\b", " made "),
    (r"\b(?:makes? up|accounts? for|constitutes?|forms?|comprises?)\b", " is "),
    (
        r"(?<!only )(?<!just )(?<!exactly )\bone of (?:them|these|those)(?! (?:\w+ )?(?:is|are|has|was|looks|being)\b)"
        r"(?! being)",
        "one",
    ),
    (r"\bequally (?=large|small|big)", ""),
    (r"\bodd one out\b", " rest "),
    (r"\bdescribe (.+?) as\b", r"\1 is"),
)  # fmt: skip
PHRASES = tuple(
    (re.compile(pattern), put)
    for pattern, put in (*PLAIN_FORMS, *FILLERS, *DENIALS, *_AMOUNTS, *_ALIKE, *_RELATIONS, *_PLACES)
)
