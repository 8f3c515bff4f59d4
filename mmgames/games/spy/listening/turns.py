"""Turns of phrase about simple things, and what they are put as before a sentence is read: first the idle "
"words, then denials."""

from __future__ import annotations

import re

from mmgames.games.spy.listening.plain_forms import ADJECTIVES, COLOUR_NAMES
from mmgames.games.spy.listening.vocabulary import NUMBER

_PICTURE = (
    "(?:picture|image|scene|photo|photograph|view|frame|shot|render|rendering|pic|arrangement|composition|version|"
    "floor|line-up|lineup|set|collection|screen)"
)
NOUN = "(?:objects?|things?|items?|ones?|shapes?|elements?|pieces?|position|place|spot|figures?)"
_SHINE = (
    "(?:shine|sheen|gloss|lustre|luster|shininess|reflections?|reflectivity|polish|glint|sparkle|gleam|"
    "(?:reflective|reflecting|shiny|metallic|glossy|metal|polished)(?: (?:finish|surface|look|sheen|shine))?)"
)
_FRACTIONS = {
    "quarter": "1_4", "third": "1_3", "fifth": "1_5", "sixth": "1_6", "thirds": "1_3", "quarters": "1_4",
    "fifths": "1_5",
}  # fmt: skip
_HERE = r"(?:have|see|count|spot|notice|find|got|observe|get)"
SHAPE = "(?:cube|sphere|ball|cylinder|block|box)"
FILLERS = (
    (r"\b(\w+) ?= ?(\d+)\b", r"\2 \1 ,"),
    (r"^(?:the )?(?:total )?(?:number|count) of (?=[^:]*:)", ""),
    (
        rf",? (?:with|but for)(?: only| just)? ({NUMBER}) exceptions?(?: ?[:,—–-] ?(?:namely )?(?=(?:the|an?) ))?",
        lambda m: " except " + ("" if re.search(r"\W $|namely $", m[0]) else m[1]),
    ),
    (rf"^(?:with|but for)(?: only| just)? ({NUMBER}) exceptions?,? (.+?) (is|are|has|have)\b", r"\2 except \1 \3"),
    (
        r"^besides (.+?),? (?=(?:there (?:is|are)|i (?:see|have)) (?:only|no|nothing|just|\w+ more)\b|"
        r"everything\b|all\b)",
        r"except \1 , ",
    ),
    (
        r"^(.+?) ?[:,—–-] ?(?:those|these|that) (?:are|is) the (?:colou?r|shape|size|material)s? of (.+)$",
        r"\2 are \1",
    ),
    (
        rf"\b({COLOUR_NAMES}) (?:dominates|prevails)?,? ?(?:is|being) (?:shared|worn|used) by (?!\w+ "
        rf"objects)(.+)$",
        r"\2 are \1",
    ),
    (r"\b(?:has|have|having|takes?|with) the (?:shape|form) of (?=an? )", "is "),
    (
        r"\b(?:look|are|is|looks) (?:quite |almost |nearly )?(?:alike|identical|the same),? (?:except|but|only)(?: "
        r"that| for)?\b",
        " exist, ",
    ),
    (r"\b(?:everything|anything|all|whatever) (?:that|which) (?:is|are)\b", "all things that are"),
    (r"(?<=\bis )anything but(?= an? )", "not"),
    (
        r"\b(?:every|each) (shape|size|material) (?:(?:appears|occurs|is|shows up|comes up) )?"
        r"(?:(?:present|represented|there|used|seen) )?at least once\b|"
        r"\b(?:every|each) (shape|size|material) is (?:present|represented|there)\b|"
        r"\bno (shape|size|material) is (?:missing|absent)\b",
        lambda m: f" kinds_all {m[1] or m[2] or m[3]} ",
    ),
    (
        r"\bone (?:of the (?:three|two) )?(shape|size|material)s? (?:is )?(?:missing|absent|not (?:present|there))\b",
        lambda m: f" kinds_{'two' if m[1] == 'shape' else 'one'} {m[1]} ",
    ),
    (rf"^(?:the )?(.+?) outnumbers? (?:the )?(.+?) by ({NUMBER})\b", r"\3 more \1 than \2"),
    (
        rf"\bthe number of (.+?) is ({NUMBER}) (more|less|fewer|higher|lower|greater) than (?:the number of|that of)\b",
        lambda m: f"{m[2]} {'fewer' if m[3] in ('less', 'fewer', 'lower') else 'more'} {m[1]} than",
    ),
    (rf"^(.+? and .+?) together (?:are|make|number|count|total) (?=(?:{NUMBER})\b)", r"together \1 are "),
    (r"(?<=that are )both (?=\w+ and )|,? without (?:any )?exceptions?\b", ""),
    (
        r"^.*?\b(?:split|divided)(?: up)? (?:evenly|equally|half and half|fifty-fifty) (?:between|into) (\w+) "
        r"and (\w+)(?: \w+)?",
        r"as many \1 things as \2 things",
    ),
    (r"^it is (the .+?) (?:that|which) (?=is|are|has)", r"\1 "),
    (r"(?:, )?\b(?:instead of|rather than|as opposed to) (?=an? )", ", not "),
    (r"^, not (an? .+?),? (?=there|i (?:see|have|got|spot))", r"not \1 , "),
    (r"^((?:[\w-]+ ){0,2}[\w-]+)(?: count)?: ?(?:none|zero|nil)\b(?! of)", r"no \1"),
    (rf"\b(?:several|multiple|numerous) (?=(?:{ADJECTIVES}|{SHAPE}s?)\b)", "atleast two "),
    (rf"\bseveral (objects|things|items) (?=are (?:{ADJECTIVES})\b)", r"atleast two \1 "),
    (r"\ban? (even|odd) (?:number|amount|count) of\b", r"\1numbered 0"),
    (r"\b(?:number|count) of (.+?) is (even|odd)\b", r"\2numbered 0 \1"),
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
    (rf"\b(?:the )?colou?r (?=(?:{COLOUR_NAMES})\b)", " "),
    (rf"(?<!\bas )\b({ADJECTIVES}) as (?:an?|the) \w+", r"\1"),
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
        rf"\b({ADJECTIVES}) (?:beats?|leads?|outnumbers?|outweighs?) ({ADJECTIVES}),? (?:by )?({NUMBER}) to "
        rf"({NUMBER})\b",
        r"\3 \1 things and \4 \2 things",
    ),
    (
        rf"\b(\w+s) (?:beat|lead|outnumber|outweigh) (?:the )?(\w+s),? (?:by )?({NUMBER}) to ({NUMBER})\b",
        r"\3 \1 and \4 \2",
    ),
    (
        rf"\b({COLOUR_NAMES}) (?:shows? up|appears?|occurs?|exists|is(?: (?:used|found|seen|present))?) only "
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
    (r"\bnothing (?=(?:(?:to|on) (?:the|its) (?:left|right)|behind|in front of|between)\b)", "no object "),
    (r"\b(?:match|agree|coincide)(?:es|s)? in (?=colou?r|shape|size|material|finish)", "have the same "),
    (r"\bexists?(?=(?: in (?:my|the|this) \w+)? ?,)", " is "),
    (
        r"\b(?:has|have|with) (?:\w+ )?(?:flat|square|curved|round)(?: square)? (?:faces|sides|ends)"
        r"(?: (?:because|since|as|so) (?:it is|they are))?\b",
        " is ",
    ),
    (
        rf"(?:\b(?:in|of|on|within|from|across|inside|throughout|for|at|to) )?(?:\b(?:my|the|this|our|your|own|entire|"
        rf"whole) )*\b{_PICTURE}\b",
        " ",
    ),
    (r"\b(?:in|on|for) (?:mine|me|here)\b|\bon (?:the )?(?:one|other) hand\b|\bon the other(?=[,.]| ?$)", " "),
    (
        r"\b(?:i|you|we|they|that|which|it|there|one) can\b|"
        r"\bcan(?= (?:be|see|also|not|spot|find|make|identify|tell|observe|notice|count))",
        " ",
    ),
    (
        r"\b(?:(?:i|we|you|mine)(?:'ll| will| would|'d| could| may| might)? (?:(?:also|only|can|do) )?(?:have|"
        r"see|count|spot|notice|find|got|observe|get)"
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
    (r"(?<!same )(?<!twice )(?<!double )(?<!times )\bthe (?:total |overall )?(?:number|count) of\b", " "),
    (
        r"\b(?:on|against|over|above) (?:a |an |the )?(?:\w+ ){0,2}(?:ground|floor|background|surface|plane|"
        r"backdrop|table)\b|"
        r"\b(?:with|has|have) (?:an? |the )?(?:\w+ ){0,2}(?:background|backdrop)\b",
        " ",
    ),
    (r"\b(?:looking|starting|counting|going|reading|seen) from (?:the )?left(?! to),?", " "),
    (r"\bnext to (?:each other|one another)\b", " "),
    (r"\b(left|right|front|back|fore|rear|near|far)[- ]most\b", r"\1most"),
    (r"\bof them all\b|(?<!left )(?<!right )(?<!front )\bof all\b(?! (?:the|my|objects|things))", " "),
    (r"\bem\b", "them"),
    (r"\b(?:once|first|then|and then) (?=(?:as|on|at|near|in)\b)", " "),
    (r"\b(?:the )?(?:sum|total) of (?=\w+s and )|\b(?:together|combined|taken together|jointly)\b", " together "),
    (
        r"\bonly (?:object|thing|one|item) (?:of|with|in) (?:its|that|this|such a) (colou?r|shape|size|material)\b",
        r" uniquely \1 ",
    ),
    (r"(?<=\bis )both (?=\w+ and )|\bnot only\b(?=.*\bbut also\b)", " "),
    (r"\bbut also\b", " and "),
    (r"\bthe other half\b", "the others"),
    (r"\b(?:starts|begins)(?: off)?(?: on the left)? with\b", " far_left : "),
    (r"\bends(?: on the right)? with\b", " far_right : "),
    (r"\bat (?:the )?opposite ends\b", " far_ends "),
    (r"(?<=s )shine\b", "are metal"),
    (r"\band so (?:is|are|does|do)\b", " sois "),
    (r"\bflanked by\b", " rel_between "),
    (rf"\beverything (?=(?:{ADJECTIVES})\b)", "all things that are "),
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
DENIALS = (
    (r"\bnon[- ](?=reflective|metal|shiny)", "non"),
    (r"\bnon[- ](?=\w)", "not "),
    (rf"\b(?:no|without|zero|lack(?:s|ing)?|not any|minus|free of|devoid of)(?: any| a| much)? {_SHINE}"
     rf"(?: (?:at all|whatsoever))?(?! (?:(?:{ADJECTIVES}) )*(?:cubes?|spheres?|balls?|cylinders?|objects?|"
     rf"things?|items?|ones?|stuff)\b)",
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
     r"near|nearest|closest|farthest|furthest|i|next|beside|right|just|directly|immediately|left|between|after|"
     r"before)\b)|\bthe one (?=ball|cube|sphere|cylinder|box)", " the only "),
    (
        r"(?<!the )(?<!\w-)\bonly (?=(?!one\b|a\b|an\b|two\b|three\b|the\b|\d)(?:(?!and\b|"
        r"or\b)\w+ ){0,2}(?:thing|object|item|cube|"
        r"sphere|ball|cylinder|box|one)\b)",
        "the only ",
    ),
    (r"\b(?:nothing|no one|none) else(?=[,.;:)]| ?$| (?:here|in|to|is (?:here|there|present|visible))\b)|"
     rf"\b(?:no|without) (?:any )?other(?: {NOUN}| kinds?| forms?)?(?=[,.;:)]| ?$)|\band that is (?:it|all)\b"
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
