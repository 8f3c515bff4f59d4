"""Expressions of several words that stand for one thing: places, relations, amounts, denials; each becomes one mark.

They are replaced in this order. A mark is a kind of word and its value: `at_left`, `rel_behind`, `sup_large`.
"""

from __future__ import annotations

import re

from mmgames.games.spy.listening.vocabulary import COLOURS, MATERIALS, NUMBER, ORDINALS, SIZES

_VIEWER = r"(?:the |my |our )?(?:camera|viewer|front|us|me|you|observer|lens|foreground|eyes?|spectator|screen)"
_SIDE = r"(?:hand )?(?:side|part|half|portion|section|area|region|zone|third)?"
_PICTURE = (
    "(?:picture|image|scene|photo|photograph|view|frame|shot|render|rendering|pic|arrangement|composition|version|"
    "floor|line-up|lineup|set|collection|screen)"
)
_NTH = "|".join((*ORDINALS, "last"))
_NOUN = "(?:objects?|things?|items?|ones?|shapes?|elements?|pieces?|position|place|spot|figures?)"
_SHINE = (
    "(?:shine|sheen|gloss|lustre|luster|shininess|reflections?|reflectivity|polish|glint|sparkle|gleam|"
    "(?:reflective|reflecting|shiny|metallic|glossy|metal|polished)(?: (?:finish|surface|look|sheen|shine))?)"
)
_FRACTIONS = {
    "quarter": "1_4", "third": "1_3", "fifth": "1_5", "sixth": "1_6", "thirds": "1_3", "quarters": "1_4",
    "fifths": "1_5",
}  # fmt: skip
_ADJECTIVES = "|".join(" ".join((*COLOURS.values(), *SIZES.values(), *MATERIALS.values())).split())
_COLOUR = "|".join(COLOURS)
_HERE = r"(?:have|see|count|spot|notice|find|got|observe|get)"
_FILLERS = (
    (
        rf"(?<!all )(?<!all that )(?:\b(?:that|which) )?\b(?:i|we|you) (?:can |do )?{_HERE}(?: here)?"
        r"(?= (?:is|are|has|have|looks?|shares?)\b)",
        " ",
    ),
    (r"\bmuch (?=\w+er\b)|\bpretty much\b|\bjust (?=(?:to the )?(?:right|left|behind|beyond|in front)\b)", " "),
    (r"\b(?:there (?:is|are) )?no (\w+)(?: ones?)? (?:among|amongst) (?:them|these|those)\b", r"none of them is \1"),
    (r"\b(?:right|just|directly|immediately) after it\b", "to its right"),
    (r"\b(?:right|just|directly|immediately) before it\b", "to its left"),
    (r"\ban? (?:absolute |total |real )?(?:unit|chonker|beast|whopper|monster)\b", "large"),
    (r"\bis (?:an?|the|one) (?:colou?r|shape|material|size) (?:that|which) (?:is )?(?=absent|missing|not)", "is "),
    (r"\bnot (?:even )?(?:a single|one) (?:one|thing|object|item|piece)(?= (?:is|are|was|has|looks|of)\b)", "none"),
    (rf"\b(?:the )?colou?r (?=(?:{_COLOUR})\b)", " "),
    (rf"\b({_ADJECTIVES}) as (?:an?|the) \w+", r"\1"),
    (r"\bmore than one (?:object|thing|item|shape)(?=[,.]| ?$| and| in)", " "),
    (
        r"\b(?:dominates?|occup(?:y|ies)|fills?|takes? up|anchors?|holds?|claims?)(?= (?:the )?(?:far |very |extreme "
        r"|immediate )?(?:fore|back|front|left|right|middle|cent))",
        " is in ",
    ),
    (
        r"\bmore of (?:my|the|these) (?:objects|things|items|shapes|ones) are (\w+) than (\w+)",
        r"more \1 things than \2 things",
    ),
    (
        rf"\b({_COLOUR}) (?:beats?|leads?|outnumbers?|outweighs) ({_COLOUR}),? (?:by )?({NUMBER}) to ({NUMBER})\b",
        r"\3 \1 things and \4 \2 things",
    ),
    (
        rf"\b(\w+s) (?:beat|lead|outnumber|outweigh) (?:the )?(\w+s),? (?:by )?({NUMBER}) to ({NUMBER})\b",
        r"\3 \1 and \4 \2",
    ),
    (
        rf"\b({_COLOUR}) (?:shows? up|appears?|occurs?|exists|is(?: (?:used|found|seen|present))?) only "
        r"(?:on|in|as|for|with) (?=an?\b|the\b)",
        r"the only \1 thing is ",
    ),
    (
        rf"\b(?:every|each) (colou?r|shape|size|material)(?: (?:appears|occurs|is used|shows up|comes up|exists|is "
        rf"there|is present))?(?: only| exactly| just)? (?:(once|twice|thrice)|({NUMBER}) times)\b",
        lambda m: f" kindsof_{m[2] or m[3]} {m[1]} ",
    ),
    (
        r"\bno (colou?r|shape|size) (?:appears|occurs|is (?:used|repeated)|repeats?|shows up|comes up)"
        r"(?: (?:twice|more than once|again|itself))?",
        r" alldifferent \1 ",
    ),
    (r"\bnothing (?=(?:(?:to|on) the (?:left|right) of|behind|in front of)\b[^,]* (?:is|are)\b)", "no object "),
    (r"\b(?:match|agree|coincide)(?:es|s)? in (?=colou?r|shape|size|material|finish)", "have the same "),
    (r"\bexists?(?=(?: in (?:my|the|this) \w+)? ?,)", " is "),
    (
        r"\b(?:has|have|with) (?:\w+ )?(?:flat|square|curved|round)(?: square)? (?:faces|sides|ends)"
        r"(?: (?:because|since|as|so) (?:it is|they are))?\b",
        " is ",
    ),
    (
        rf"(?:\b(?:in|of|on|within|from|across|inside|throughout|for|at|to) )?(?:\b(?:my|the|this|our|your|own|entire|"
        rf"whole) )*\b{_PICTURE}\b(?! (?:has|have) a\b)",
        " ",
    ),
    (r"\b(?:in|on|for) (?:mine|me|here)\b|\bon (?:the )?(?:one|other) hand\b|\bon the other(?=[,.]| ?$)", " "),
    (
        r"\b(?:i|you|we|they|that|which|it|there|one) can\b|"
        r"\bcan(?= (?:be|see|also|not|spot|find|make|identify|tell|observe|notice|count))",
        " ",
    ),
    (
        r"\b(?:(?:i|we|you|mine) (?:(?:also|only|can|do) )?(?:have|see|count|spot|notice|find|got|observe|get)"
        r"(?: got)?|there (?:is|are|was|were|exists?))\b(?! not)",
        " thereis ",
    ),
    (r"\b(shines|gleams|glistens|sparkles)\b", " is metal "),
    (r"\b(?:is|are|was|were) left(?= to | ?[,.]| ?$| (?:in|here))|\bleft to mention\b|\bthings? left\b", " is "),
    (
        r"\b(?:by|in) contrast\b|\bto be (?:exact|precise)\b|\bin total\b|\b(?:a )?total(?:ling)? of\b|\bof course\b",
        " ",
    ),
    (r"\bone single\b|\ba single\b|\bone \(1\)|\bevery single\b", lambda m: "every" if "every" in m[0] else "one"),
    (r"\b(?:right|all right|ok|okay),? so\b,?", " "),
    (r"\b(?:i )?(?:can|could) see\b|\b(?:see|spot|notice|seen?|look) (?:that )?(?=there)", " "),
    (
        r"\bthe number of (.+?) (?:is|equals) (?:greater|higher|larger|more|bigger) than (?:the number of|that of)\b",
        r"\1 outnumber ",
    ),
    (
        r"\bthe number of (.+?) (?:is|equals) (?:smaller|lower|less|fewer) than (?:the number of|that of)\b",
        r"fewer \1 than ",
    ),
    (
        r"\bthe number of (.+?) (?:equals|is equal to|is the same as|matches) (?:the number of|that of)\b",
        r"as many \1 as ",
    ),
    (r"(?<!same )(?<!twice )(?<!double )(?<!times )\bthe number of\b", " "),
    (
        r"\b(?:on|against|over|above) (?:a |an |the )?(?:\w+ ){0,2}(?:ground|floor|background|surface|plane|"
        r"backdrop|table)\b",
        " ",
    ),
    (r"\b(?:looking|starting|counting|going|reading|seen) from (?:the )?left(?! to),?", " "),
    (r"\bnext to (?:each other|one another)\b", " "),
    (r"\b(left|right|front|back|fore|rear|near|far)[- ]most\b", r"\1most"),
    (r"\bof them all\b|\bof all\b(?! (?:the|my|objects|things))", " "),
    (r"\bem\b", "them"),
    (r"\b(?:once|first|then|and then) (?=(?:as|on|at|near|in)\b)", " "),
    (r"\b(?:the )?(?:sum|total) of (?=\w+s and )|\b(?:together|combined|taken together|jointly)\b", " together "),
    (
        r"\bonly (?:object|thing|one|item) (?:of|with|in) (?:its|that|this|such a) (colou?r|shape|size|material)\b",
        r" unique \1 ",
    ),
    (r"(?<=\bis )both (?=\w+ and )|\bnot only\b(?=.*\bbut also\b)", " "),
    (r"\bbut also\b", " and "),
    (r"\b(?:starts|begins)(?: off)?(?: on the left)? with\b", " far_left : "),
    (r"\bends(?: on the right)? with\b", " far_right : "),
    (r"\bat (?:the )?opposite ends\b", " far_ends "),
    (r"(?<=s )shine\b", "are metal"),
    (r"\band so (?:is|are|does|do)\b", " sois "),
    (r"\bflanked by\b", " rel_between "),
    (rf"\beverything (?=(?:{_ADJECTIVES})\b)", "all things that are "),
    (rf"\b({NUMBER})(?: \w+)? (?:of|in|for) each (?=(?:colou?r|shape|size|material)\b)", r" kindsof_\1 "),
    (r"\bunlike\b|(?<!look )(?<!looks )(?<!looking )\b(?:just |exactly )?like (?=(?:the|a|an|all)\b)", " unlike "),
    (r"\banother(?: one)?(?= (?:is|are|has)\b)", "one"),
    (r"\b(?:outer|outermost) (?=(?:object|one|thing|item)s\b)", " far_ends "),
    (
        r"\b(?:(?:a|one) (quarter|third|fifth|sixth)|(two|three) (thirds|quarters|fifths)) of\b",
        lambda m: (
            f" share_{_FRACTIONS[m[1]] if m[1] else str(3 if m[2] == 'three' else 2) + '_' + _FRACTIONS[m[3]][2:]} of "
        ),
    ),
    (r"\bbowling ball\b", "ball"),
    (r"\b(?:cube|sphere|ball|cylinder|box)[- ]shaped\b", lambda m: re.split("[- ]", m[0])[0]),
    (r"(?<!to )\bround(?:ed)? (?=(?:object|thing|item|shape|one)s?\b)", "sphere "),
    (r"\bround (?=ball|sphere)", ""),
    (r"\b(?:fire[- ]engine|blood|bright|dark|light|deep|pale|vivid|jet)[- ](?=[a-z])", ""),
    (r"\b(?:pocket|pint|hand|palm)[- ]sized\b", "small"),
)
_DENIALS = (
    (r"\bnon[- ](?=reflective|metal|shiny)", "non"),
    (r"\bnon[- ](?=\w)", "not "),
    (rf"\b(?:no|without|zero|lack(?:s|ing)?|not any|minus|free of|devoid of)(?: any| a| much)? {_SHINE}"
     r"(?: (?:at all|whatsoever))?(?! (?:cubes?|spheres?|balls?|cylinders?|objects?|things?|items?|ones?|stuff)\b)",
     " rubber "),
    (rf"\b(?:does|do) not (?:really )?(?:{_SHINE}|reflect|sparkle|glisten|have (?:any |a )?{_SHINE})\b"
     r"(?! (?:cubes?|spheres?|balls?|cylinders?|objects?|things?|items?|ones?|stuff)\b)", " is rubber "),
    (r"\b(?:nothing|none|neither)(?: of them)? (shines|gleams|sparkles|reflects)\b", r"nothing is metal"),
    (r"\bmirror[- ](?:like|finish)\b|\bwith a mirror finish\b", "metal"),
    (
        r"\blike a mirror\b|\bto a mirror\b|\b(?:catch(?:es)?|reflect(?:s|ing)?) (?:the )?light\b|"
        r"\bcatch(?:es)? the eye\b",
        "",
    ),
    (r"\bnothing (?:but|other than|except)\b", " only "),
    (r"\b(?:the )?one and only\b|\bthe (?:sole|single|lone|one)(?= \w)(?! (?:is|that|which|on|at|in|to|with|behind|"
     r"near|nearest|closest|farthest|furthest|i)\b)|\bthe one (?=ball|cube|sphere|cylinder|box)", " the only "),
    (
        r"(?<!the )(?<!\w-)\bonly (?=(?!one\b|a\b|an\b|two\b|three\b|the\b|\d)(?:\w+ ){0,2}(?:thing|object|item|cube|"
        r"sphere|ball|cylinder|box|one)\b)",
        "the only ",
    ),
    (r"\b(?:nothing|no one|none) else(?=[,.;:)]| ?$| (?:here|in|to|is (?:here|there|present|visible))\b)|"
     rf"\b(?:no|without) (?:any )?other(?: {_NOUN}| kinds?| forms?)?(?=[,.;:)]| ?$)|\band that is (?:it|all)\b"
     r"(?= ?$)", " nomore "),
    (r"\bnothing (?=\w+(?: \w+)? (?:here|there|in|to be|at all)\b|\w+$)", "no "),
    (r"\b(?:look(?:ed|ing)?|search(?:ed)?) for (?:any )?(\w+),? but (?:(?:there are|thereis) none|found none|"
     r"no luck)\b", r"no \1"),
    (
        r"\bnot (?:a single|any|one)(?= (?!of))|\bno one (?!of)|\bnot contain(?: any)?\b|"
        r"(?:\b(?:do|does|did|can|will|wo|could|would) ?|\b)not (?:even |actually |really )?(?:see|have|contain|find|"
        r"spot|show|include|feature|notice|count|detect)(?: any| a single| a| an)?(?:thing)?\b",
        " no ",
    ),
    (r"\bthere (?:is|are) (?:not|never) (?:any|a)\b", " no "),
    (r"\b(?:is|are)? ?(?:(?:nowhere|not) (?:to be (?:seen|found)|visible|in sight|present|there)|absent|missing|"
     r"entirely absent|nowhere|lacking)(?: from)?\b", " absent "),
)  # fmt: skip
_AMOUNTS = (
    (r"\b(?:a|one) (pair|couple|trio|duo) of\b", r"\1"),
    (rf"\b({NUMBER}) or more\b", r"atleast \1"),
    (rf"\b({NUMBER}) or (?:fewer|less)\b", r"atmost \1"),
    (r"\b(?:a second|another|a further) (.+?) (?:besides|beside|apart from|next to|than)\b", r"atleast two \1 ,"),
    (rf"^(?:out )?of (?:the |all )?({NUMBER}) (\w+),? ({NUMBER})\b", r"\3 of the \1 \2"),
    (rf"(?<=[:,(]) ?({NUMBER}) (?:out )?of (?:the )?(?:{NUMBER})\b", r" \1 of them"),
    (r"\b(?:at least|no fewer than|no less than|minimum of)\b", " atleast "),
    (r"\b(?:at most|no more than|up to)\b", " atmost "),
    (r"\bmore than\b(?= (?:\d|one|two|three|four|five|once))", " over "),
    (r"\b(?:fewer|less) than\b(?= (?:\d|one|two|three|four|five))", " under "),
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
     r"\bbalance each other(?: out)?\b|\b(?:are|is|come) (?:equal|even|balanced|tied)\b|\bin equal numbers?\b|"
     r"\bthe same number\b", " evenly "),
    (rf"\b({NUMBER})(?: (?:objects|things|items|ones))? (?:of )?each(?: kind| type| sort| one| colou?r| shape)?"
     r"(?=[,.;:)]| ?$)", r" each_\1 "),
    (rf"(?:\bx ?|×)([1-9])\b|\b([1-9])(?:x|×)(?= |$)|\b({NUMBER}) times\b", lambda m:
     f" times_{m[1] or m[2] or m[3]} "),
    (r"\b(once|twice|thrice)\b", r" times_\1 "),
    (r"\b(?:outnumbers?|are more numerous than|exceeds?)\b", " outnumber "),
    (r"\b(?:by far )?(?:the )?(?:most[ -](?:common|frequent|popular|numerous|often)\w*|dominant|commonest|predominant|"
     r"main|prevailing)\b|\b(?:dominates?|prevails?|rules?|predominates?)\b(?! this)", " commonest "),
    (r"\bdominated by\b", " commonest is "),
)  # fmt: skip
_ALIKE = (
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
    (rf"\b({NUMBER}|all(?: the)? three|both|all) (?:of the )?(?:different |distinct |possible )?"
     r"(?:(?:kinds?|types?|sorts?) of )?(?:different )?(?:(?:colou?r|shape|size|material|finishe|texture)s|"
     r"(?<=kinds of )shape)\b(?! (?:\w+ )?(?:cubes?|spheres?|objects?))",
     lambda m: f" kinds_{m[1].split()[-1]} {m[0].split()[-1]} "),
)  # fmt: skip
_RELATIONS = (
    (rf"\b({_NTH}) (?:{_NOUN} )?(?:one )?(?:from|on|at|to|counting from) (?:the )?(left|right)\b"
     r"(?: (?:edge|side|end))?", r" ord_\1_\2 "),
    (rf"\b(first|last) ({NUMBER}) (?:{_NOUN} )?(?:from|on|at) (?:the )?(left|right)\b", r" \2 ord_\1_\3 "),
    (rf"\b(first|last) ({NUMBER}) (?={_NOUN}\b(?! (?:from|on|at) ))",
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
    (r"\b(?:at |on |in )?(?:each|either|both) (?:end|side)s?(?: of the row)?\b|\bat both (?:the )?ends\b",
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
    (r"(?<!on )(?<!at )(?<!to )(?<!from )\bthe (left|right|front|back)(?:[- ]hand)? (?=one\b)", r"the sup_\1 "),
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
    (r"\bone of (?:them|these|those)(?! (?:\w+ )?(?:is|are|has|was|looks|being)\b)(?! being)", "one"),
    (r"\bequally (?=large|small|big)", ""),
    (r"\bodd one out\b", " rest "),
    (r"\bdescribe (.+?) as\b", r"\1 is"),
)  # fmt: skip
PHRASES = tuple(
    (re.compile(pattern), put) for pattern, put in (*_FILLERS, *_DENIALS, *_AMOUNTS, *_ALIKE, *_RELATIONS, *_PLACES)
)
