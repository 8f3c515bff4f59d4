"""The words of clues as data, and the scanner that makes tokens of them.

A row of a table is `kind value: pattern`; the first row that fits at a place wins, so expressions of several words stand
above single words. A space in a pattern is one space or hyphen. Words that no row has are passed over.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache
from typing import NamedTuple

NUMBERS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
    "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
NUMBER = rf"(?:\d+|{'|'.join(NUMBERS)})"
_VIEWER = r"(?:(?:the|my|our) )?(?:camera|viewer|front|us|me|you|observer|lens|foreground|screen|spectator|eyes?)"
_SIDE = r"(?: hand)?(?: (?:side|part|half|portion|section|area|region|zone|third))?"
_OF_PICTURE = r"(?: of (?:the|my|our) (?:whole )?(?:picture|image|scene|frame|photo|row|view|floor|group|line ?up|board))?"
_DIMENSION = r"(?:colou?r|shape|size|material|finish|surface|texture|kind|type)"

SHARED = r"""
skip: (?:in|of|from|within|on|for) (?:my|the|this|our|your|mine)(?: (?:whole|entire|own))? (?:picture|image|scene|photo(?:graph)?|pic|view|frame|render(?:ing)?|shot|version|screen|arrangement|composition|set|collection|lineup|line up)|in (?:mine|here|it|there)|(?:visible|present|here|there|shown|seen|displayed|somewhere|around|located|placed|positioned|standing|sitting|lying|situated|found)(?! is| are)
there: there (?:is|are|was|were|exists?)|exists?|(?:i|we|you|one)(?: can| do| could| also| only| just| clearly| would| have to)*(?: see| have got| have| count| spot| notice| find| got| observe| get| say| describe)|(?:my|the|this|our)(?: own)? (?:picture|image|scene|photo|pic|view|frame|version|clue|chart|board|grid|pie|graph|line|one)(?: also| only| just)? (?:shows?|has|contains?|includes?|features?|displays?|depicts?|consists? of|presents?|holds?|got)
quant most: (?:the )?(?:vast |clear |great )?majority(?= of)|most|mostly|more than half|over half|(?:nearly|almost) (?:all|every\w*)
quant few: (?:fewer|less) than half|a minority(?= of)
op >=: at least|no (?:fewer|less) than|a minimum of
op <=: at most|no more than|not more than|up to|a maximum of
op >: (?:more|greater|higher|bigger|larger|better) than(?= (?:NUM|half|once|a (?:half|third|quarter|fifth|tenth))\b)|exceed(?:s|ing)?(?= NUM)|over(?= NUM)|above(?= NUM)
op <: (?:fewer|less|lower|smaller) than(?= (?:NUM|half|a (?:half|third|quarter|fifth|tenth))\b)|under(?= NUM)|below(?= NUM)
op ~<: almost|nearly|just (?:under|below)(?= NUM)|a (?:bit|little) (?:less|under)(?: than)?
op ~: about|around|roughly|approximately|close to(?= NUM)
op even: an even (?:number|amount|count) of
op odd: an odd (?:number|amount|count) of
op ==: exactly|precisely
ratio 2: (?:twice|two times|double)(?= (?:the|that) )(?: the (?:number|size|value|share|amount|count|total|height)(?: of)?)?
ratio 2: (?:twice|double|two times) as(?: (?:many|much|often|high|large|big|tall|long|common|frequent|popular|rainy|numerous))?
ratio 3: (?:three times|triple|thrice)(?: as)?(?: the (?:number|size|value|share|amount|count|total)(?: of)?)?
ratio 0.5: half (?=as\b)|half the (?:number|size|value|share|amount|count|height)(?: of)?
ratio x: NUM times(?= (?:as|the|that|what|more|bigger|larger|higher)\b)(?: as(?: (?:many|much|often|high|large|big|tall|long))?)?(?: the (?:number|size|value|share|amount) of)?
times 1: once
times 2: twice
times x: NUM times|x ?[1-9]|[1-9] ?x(?=\W)
more more: more
more fewer: fewer|less
asmany: as (?:many|much|often|frequently|common|popular|numerous|high|tall|large|big|long)|the same (?:number|amount|share|value) (?:of|as)|an equal number of|equal numbers of|equally many
equal: equal(?:ly)?(?: in number| common| frequent| represented| often)?|(?:in|the same) (?:equal )?numbers?|balanced?|tied?|evenly
outnumber: outnumbers?|(?:are|is) more (?:numerous|common|frequent) than|exceeds? the number of
commonest 1: (?:by far )?(?:the )?(?:most (?:common|frequent|popular|numerous|often)\w*|dominant|commonest|predominant|prevailing|main)|dominates?|predominates?|(?:the|a) (?:clear |vast )?majority|more than any(?: other)?(?: shape| colou?r)?|rules?(?= here)|win(?= here)
commonest -1: (?:the )?(?:rarest|least (?:common|frequent|numerous|popular)|(?:the|a) minority)
except: apart from|aside from|except(?:ing)?(?: for)?|with the (?:sole |only |single )?exception of|other than|excluding|save for|all but|but for|but(?= (?:the|one|a|an|NUM)\b)|bar(?= one)|besides|without counting|not counting
only: nothing but|nothing except|exclusively|entirely|only (?:made|composed) of
quant all: all|every single|every|each|everything|everybody|any|entire|whole|always
quant both: both
quant no: (?:i|we)(?: can| do| could)? ?not (?:see|have|find|spot|notice|got)(?: any| an?| even one| a single)?|there (?:is|are) not any|none|neither|no|nothing|not (?:a single|one|any)(?! other)|zero|lacks?|lacking|without(?: any| an?)?|devoid of|free of|missing|absent|nobody|no one
quant half: half
quant some: some|several|multiple|a few|few|many|lots of|lot|various
other: (?:the )?(?:others?|rest|remaining|remainder)|else
only: only|just|merely|solely|sole|single|lone|nothing more than|no other
pair 2: (?:a |the )?(?:pair|couple|duo)(?: of)?
pair 3: (?:a |the )?trio(?: of)?
same: (?:the |an? )?(?:exact )?(?:same|identical|common|shared)|shares?|sharing|alike|match(?:es|ing)?|identical
different: (?:all )?(?:different|differing|distinct|differs?|varying|var(?:y|ies)|own|unique|opposite)
together: together|combined|in total|altogether|in sum|added up|the sum of|jointly|put together|taken together|plus
both: both
not: not|never|n't|isnt|arent|dont|doesnt
or: or|nor
and: and|&|plus|as well as|along with|together with|n|alongside|besides
but: but|while|whereas|although|though|yet|however|then|followed by
than: than
as: as
that: that|which|who|whose
with: with
by: by
of: of|out of|among|amongst
pron: they|them|these|those|their|it|its|this|that
be: (?:occurs?|appears?|shows? up|(?:is|are) (?:used|found|seen))(?: only)? (?:on|for)|is|are|was|were|be|being|am|has|have|had|having|looks?|seems?|appears?|shows?|contains?|holds?|includes?|gets?|takes?|makes?|happens? to be|belongs? to|comes? in
the: the|my|our
a: an?|another
"""

SCENES = (
    r"""
attr material metal: made (?:up )?(?:of|from|out of) metal|metal(?:l?ic|s)?|shin[ye]s?|shining|gloss[yi]?\w*|polish(?:ed)?|reflect(?:ive|ing|s)|mirror(?:ed|s| like)?(?: finish)?|sheen|chrome|gleam\w*|lustrous|steel|glisten\w*|glints?|sparkl\w*
attr material rubber: made (?:up )?(?:of|from|out of) rubber|(?:non|not|un) ?(?:metallic|shiny|metal|reflective|polished)|rubber\w*|matt?e?s?|dull|unpolished|(?:zero|no|without(?: any)?|not) (?:shine|sheen|gloss|reflections?)|mat finish
"""
    r"""
attr colour gray: gr[ae]y(?:s|ish)?|silver\w*|slate
attr colour red: reds?|crimson|scarlet|reddish|maroon
attr colour blue: blues?|navy|azure|bluish|cobalt
attr colour green: greens?|emerald|greenish|lime
attr colour brown: browns?|chocolate|tan|brownish|bronze|copper
attr colour purple: purples?|violet|lilac|magenta|lavender|purplish
attr colour cyan: cyans?|teals?|turquoise|aqua(?:marine)?|light blue
attr colour yellow: yellows?|gold(?:en)?|yellowish|lemon|mustard
attr shape cube: cub(?:es?|ic|ical|oids?)|box(?:es)?|blocks?|dice|die|bricks?
attr shape sphere: spheres?|spherical|balls?|orbs?|globes?|marbles?
attr shape cylinder: c[yi]l[iy]nd(?:er|r|re)s?|cylindrical|cans|tubes?|drums?|barrels?|cyls?|tins?
rel larger: (?:much |far |way |clearly )?(?:larger|bigger) th[ae]n|dwarfs?|towers? over|outsizes?
rel smaller: (?:much |far |way |clearly )?smaller th[ae]n
sup size -: smallest|tiniest|smaller(?= one| of| (?:cube|sphere|cylinder|ball|object))
sup size +: largest|biggest|bigest|(?:larger|bigger)(?= one| of| (?:cube|sphere|cylinder|ball|object))
attr size small: small(?:er|ish)?|little|lil|smol|tiny|mini(?:ature)?|petite|wee|compact|pocket sized
attr size large: large[rd]?|big(?:ger|gish)?|huge|hefty|chunky|fat|giant|massive|sizea?ble|oversized|enormous|bulky
"""
    rf"""
order across -: (?:going |reading |looking |seen |counting |ordered |moving )?(?:from )?(?:the )?left(?: side)? to (?:the )?right
order across +: (?:going |reading |looking |seen |counting |ordered |moving )?(?:from )?(?:the )?right(?: side)? to (?:the )?left
order depth -: (?:going |reading )?(?:from )?(?:the )?(?:front|near(?:est)?) to (?:the )?(?:back|far(?:thest)?)
order depth +: (?:going |reading )?(?:from )?(?:the )?(?:back|far(?:thest)?) to (?:the )?(?:front|near(?:est)?)
from across -: from (?:the )?left(?: edge| side)?
from across +: from (?:the )?right(?: edge| side)?
from depth -: from (?:the )?(?:front|{_VIEWER})
from depth +: from (?:the )?(?:back|rear)
relit left: (?:to |on )?(?:the )?left of (?:it|them)|(?:to|on) (?:its|their) (?:immediate )?left(?: side)?
relit right: (?:to |on )?(?:the )?right of (?:it|them)|(?:to|on) (?:its|their) (?:immediate )?right(?: side)?
relit front: in front of (?:it|them)
relit behind: behind (?:it|them)
relit near: (?:next to|beside|near) (?:it|them)
rel just left: (?:immediately|directly|right next|right) (?:to |on )?(?:the )?left of
rel just right: (?:immediately|directly|right next|right) (?:to |on )?(?:the )?right of
rel left: (?:(?:to|on|at|farther|further) )?(?:the )?left{_SIDE} of(?! (?:the|my|our) (?:whole )?(?:picture|image|scene|frame|photo|row|view|floor|group|middle|cent))|(?:further|farther|more) (?:to the )?left than
rel right: (?:(?:to|on|at|farther|further) )?(?:the )?right{_SIDE} of(?! (?:the|my|our) (?:whole )?(?:picture|image|scene|frame|photo|row|view|floor|group|middle|cent))|(?:further|farther|more) (?:to the )?right than
rel front: (?:closer|nearer)(?: to {_VIEWER})? than|in front of
rel behind: (?:further|farther|deeper)(?: (?:back|away|behind|from {_VIEWER}))* than|behind
rel between: in between|between
rel near: next to(?! (?:each|one))|beside(?! each)|near(?= (?:the|a|an) (?!front|back|left|right|middle|cent|camera|viewer|bottom|top|edge|corner))|close to(?= (?:the|a|an) (?!front|back|left|right|middle|cent|camera|viewer|edge))|adjacent to|by the side of
sup across -: (?:farthest|furthest|most)(?: to)?(?: the)? left|left ?most
sup across +: (?:farthest|furthest|most)(?: to)?(?: the)? right|right ?most
sup across -: left(?= (?:one|cube|sphere|ball|cylinder|block|object))
sup across +: right(?= (?:one|cube|sphere|ball|cylinder|block|object))
sup depth -: (?:front|close)(?= (?:one|cube|sphere|ball|cylinder|block|object))
sup depth +: (?:back|rear)(?= (?:one|cube|sphere|ball|cylinder|block|object))
sup depth -: (?:closest|nearest|front ?most|foremost|most near|closer|nearer)(?: (?:to|of all)(?: {_VIEWER})?)?
sup depth +: (?:farthest|furthest|farther|further|rear ?most|back ?most|hind ?most|most distant)(?: (?:from|back|away|of all)(?: {_VIEWER})?)*
place far left: (?:(?:at|on|to|in) )?(?:the )?(?:very|far|extreme|way over on the|all the way (?:to|on|over) the|way|outer) left{_SIDE}{_OF_PICTURE}|(?:at |on |by )?(?:the )?left(?: hand)? (?:edge|end|border|margin){_OF_PICTURE}
place far right: (?:(?:at|on|to|in) )?(?:the )?(?:very|far|extreme|way over on the|all the way (?:to|on|over) the|way|outer) right{_SIDE}{_OF_PICTURE}|(?:at |on |by )?(?:the )?right(?: hand)? (?:edge|end|border|margin){_OF_PICTURE}
place far front: (?:in|at) the (?:very|far|immediate) (?:front|foreground)|(?:very|all the way(?: at| in)?) (?:the )?front
place far back: (?:in|at) the (?:very|far) (?:back|rear|background)|(?:all the way|far|way)(?: at| in)?(?: the)? back
place back: (?:much |far )?(?:further|farther) (?:back|away|behind)
place ends: (?:at |on )?(?:the )?(?:two |both |opposite |either )(?:ends?|sides?)(?: of the row)?
place left/front: (?:in |at |on |to |toward |near )?(?:the )?(?:(?:front|bottom|lower|near) left|left (?:front|foreground))(?: corner)?
place right/front: (?:in |at |on |to |toward |near )?(?:the )?(?:(?:front|bottom|lower|near) right|right (?:front|foreground))(?: corner)?
place left/back: (?:in |at |on |to |toward |near )?(?:the )?(?:(?:back|top|upper|rear|far) left|left (?:back|rear))(?: corner)?
place right/back: (?:in |at |on |to |toward |near )?(?:the )?(?:(?:back|top|upper|rear|far) right|right (?:back|rear))(?: corner)?
place front: (?!the (?:front|lower) (?:one|cube|sphere|ball|cylinder|block|object))(?:(?:(?:in|at|near|towards?|to|on|close to|up) )?(?:the )?(?:very |right )?(?:front|foreground|bottom|lower)(?: (?:part|half|row|edge|area|side))?{_OF_PICTURE}|(?:close|near) to (?:the )?(?:camera|viewer))
place back: (?!the (?:back|rear) (?:one|cube|sphere|ball|cylinder|block|object))(?:(?:(?:in|at|near|towards?|to|on|close to) )?(?:the )?(?:very |right )?(?:back|rear|background|top|upper)(?: (?:part|half|row|edge|area|side))?{_OF_PICTURE})
place left: (?!the left (?:one|cube|sphere|ball|cylinder|block|object))(?:left of (?:the )?(?:middle|cent(?:er|re))|(?:over )?(?:(?:in|at|near|towards?|to|on|close to) )?(?:the |my )?left{_SIDE}{_OF_PICTURE})
place right: (?!the right (?:one|cube|sphere|ball|cylinder|block|object))(?:right of (?:the )?(?:middle|cent(?:er|re))|(?:over )?(?:(?:in|at|near|towards?|to|on|close to) )?(?:the |my )?right{_SIDE}{_OF_PICTURE})
place middle: (?:smack |right )?(?:(?:in|at|near|towards?|to|on|close to|around) )?(?:the )?(?:very |dead |exact )?(?:middle|cent(?:er|re)|central)(?:ish)?(?: (?:part|area|region))?{_OF_PICTURE}
dim colour: colou?r(?:s|ed|ing)?|hues?|shades?
dim shape: shapes?(?= (?:as|of|is|are|differ|but|and|in|too)\b|[,.:;]| ?$)
dim size: sizes?d?
dim material: materials?|finish(?:es)?|surfaces?|textures?
noun: objects?|things?|items?|elements?|figures?|solids?|pieces?|stuff|guys?|bodies|shapes?|ones|something|anything|forms?
""",
    SHARED,
)


CHARTS = r"""
attr @item: @i\d+(?:'s)?(?: (?:trees?|pupils|birds|books?))?
attr @series: @s\d(?:'s)?
unit: @u(?: @u)*|points|of (?:them|those)
ratio 2: (?:twice|double)(?: as (?:many|much|often|high|large|big|tall|long|common|frequent|popular|rainy|numerous)| as)?(?: the (?:number|size|value|share|amount|count|height)(?: of)?)?
ratio x: NUM times(?: as (?:many|much|often|high|large|big))?
quant most: (?:more than|over) half(?= of)
quant few: (?:less|fewer) than half(?= of)
op >: (?:more|greater|higher|larger|bigger) than(?= (?:a |one )?(?:half|third|quarter|fifth|tenth|NUM)\b)
op <: (?:less|fewer|lower|smaller) than(?= (?:a |one )?(?:half|third|quarter|fifth|tenth|NUM)\b)
trend >: (?:keeps? )?(?:rises?|rising|rose|risen|climb(?:s|ed|ing)?|gr[oe]ws?|growing|grown|increas(?:es?|ed|ing)|go(?:es|ing)? up(?:wards?)?|went up|gain(?:s|ed)?|jump(?:s|ed)?(?: up)?|shoots? up|soar(?:s|ed)?|recovers?|improve[sd]?|up(?= (?:from|to|again|by)))
trend <: (?:keeps? )?(?:falls?|falling|fell|fallen|drop(?:s|ped|ping)?|declin(?:es?|ed|ing)|decreas(?:es?|ed|ing)|go(?:es|ing)? down(?:wards?)?|went down|dip(?:s|ped)?|sinks?|sank|plung(?:es?|ed)|nosedive[sd]?|plummet(?:s|ed)?|shr[ia]nks?|los(?:es|t)|slump(?:s|ed)?|crash(?:es|ed)?|slides?|tumble[sd]?|collapse[sd]?|down(?= (?:from|to|by)))
trend 2: (?:more than )?(?:doubles?|doubled|doubling)(?= (?:from|between|in|its)|[,.]| ?$)
trend 3: tripled?s?(?= (?:from|between)|[,.]| ?$)
start: (?:starts?|begins?|starting|opens?)(?: out| off)?(?: from| at| with| on)?|at the (?:start|beginning)|first (?:bar|value|point|day|month|year|item|slice|one)
finish: (?:ends?|finish(?:es)?|closes?)(?: up)?(?: at| with| on)?|at the (?:very )?end|last (?:bar|value|point|day|month|year|item|slice|one)
order value +: (?:ranked |sorted |ordered |going |in order |in )?(?:from )?(?:the )?(?:largest|highest|biggest|most|tallest|high) to (?:the )?(?:smallest|lowest|least|shortest|low)|(?:in )?(?:descending|decreasing)(?: order)?|(?:ranked|sorted) by (?:size|value)|(?:the )?(?:ranking|order)(?= (?:is|begins|goes|by|:)|:)
order value -: (?:ranked |sorted |ordered |going |in order |in )?(?:from )?(?:the )?(?:smallest|lowest|least|shortest|low) to (?:the )?(?:largest|highest|biggest|most|tallest|high)|(?:in )?(?:ascending|increasing)(?: order)?
order across -: (?:from )?(?:the )?left to (?:the )?right
steady: every (?:single )?(?:day|year|month|hour|step|time)|steadily|all (?:week|year|day|the way|the time)|throughout|continuously|constantly|without (?:a break|exception)|from (?:start to (?:finish|end)|beginning to end)
part 0.25: (?:a|one|exactly a|exactly one) (?:quarter|fourth)(?: of (?:the|all)(?: \w+)?)?(?! of \w)
part 0.5: (?:one |a )?half of (?:the (?:pie|total|whole|chart|circle|birds|books|trees|orders|votes)|all(?: the)? \w+|everything|it)|(?:one |a )half(?! of| as| the)|half(?= the (?:pie|whole|chart|circle))
part 0.2: (?:a|one) fifth(?: of (?:the|all)(?: \w+)?)?(?! of \w)
part 0.1: (?:a|one) tenth(?: of (?:the|all)(?: \w+)?)?(?! of \w)
part 0.333: (?:a|one) third(?: of (?:the|all)(?: \w+)?)?(?! of \w)
part 0.75: three quarters
ratio 0.5: half (?:of|that of|what|as (?:much|many|high|big|large|tall|long|often)(?: as)?|the (?:size|value|number|share|height|amount|count|length)(?: of)?)
ratio 0.25: (?:a|one) quarter (?:of|as much as|that of)
ratio 0.333: (?:a|one) third (?:of|as much as|that of)
ratio 0.2: (?:a|one) fifth (?:of|as much as|that of)
tie: (?:exactly )?(?:the )?same (?:value|share|size|number|amount|height|length|as)?s?|equal(?:ly)?(?: shares?| values?| (?:high|tall|large|big))?|tied?(?: with)?|as (?:many|much|high|tall|large|big|long|often|popular|common)(?= as)|identical|level with
rank 2: second(?! bar| slice| value| item| point| month| day| year| from)|runner up|2nd
rank 3: third(?! bar| slice| value| item| point| month| day| year| from| of)|3rd
rank 4: fourth(?! bar| slice| value| item| point| of)|4th
rank -2: (?:second|next) to last|penultimate|last but one
cmp >: (?:(?:far|much|even|way|slightly|clearly|a bit) )?(?:higher|larger|bigger|taller|longer|greater|better|stronger|busier|wider|more(?: (?:popular|common|frequent|numerous|often|expensive|important|successful|rainy|than))?|rainier|wetter|thicker|fatter)(?<! than)
cmp <: (?:(?:far|much|even|way|slightly|clearly|a bit) )?(?:lower|smaller|shorter|fewer|less(?: (?:popular|common|frequent|often))?|weaker|quieter|slower|worse|thinner|narrower|drier)
be: accounts? for|makes? up|comes? to|adds? up to|amounts? to|total(?:s|ed)?(?= (?:to )?NUM)|sums?(?: up)? to|equals?|=|consists? of|belongs? to
over >: >|above|beats?|exceed(?:s|ed)?|ahead of|outperforms?|tops(?! the (?:chart|list|rank))|surpass(?:es|ed)?|overtakes?|outsells?|outranks?|outnumbers?|over
over <: <|below|behind|trails?|under(?:neath)?|lags? behind|beneath|after(?= (?:the |@i))
sup value +: (?:by far )?(?:highest|largest|biggest|tallest|longest|greatest|best(?: (?:day|year|month))?|widest|most(?: (?:popular|common|frequent(?:ly)?|numerous|often|successful|visited|sold|lent|planted|borrowed|important|dominant|favou?rite|abundant|prevalent))?|maximum|max|peaks?(?: point)?|strongest|busiest|wettest|rainiest|champion|high(?:est)? point|top(?: (?:spot|position|one|item|seller|value|day|of the (?:ranking|chart|list)))?|leads?|leader|leading|wins?|winner|dominates?|number one|(?:in |the )?first place|clearly in front|(?:comes? )?in first|favou?rite|rules?|record|tops (?:the )?(?:chart|list|ranking|everything|all)|ahead of (?:all|every\w*)(?: (?:the )?others?| else)?(?: \w+)?|at the top|on top|comes first|number 1|no 1|(?<=\w )first(?= ?$|,))
sup value -: (?:by far )?(?:lowest|smallest|shortest|fewest|least(?: (?:popular|common|frequent(?:ly)?|numerous|often|successful|visited|sold|lent|planted|borrowed))?|minimum|min|worst(?: (?:day|year|month))?|weakest|quietest|slowest|thinnest|tiniest|narrowest|slimmest|driest|low(?:est)? point|bottom(?: (?:spot|position|one|of the (?:ranking|chart|list)))?|last place|rarest|at the bottom|crumbs|comes last|(?:in |is )last|loser|(?<=\w )last(?= ?$|,| with))
noun stack: stacks?(?: overall)?|piles?|totals?|overall|in total|altogether|sums? of both|both (?:years|seasons|together)
noun bar: bars?|slices?|segments?|wedges?|values?|numbers?|items?|categor(?:y|ies)|columns?|days?|months?|years?|points?|entries|shares?|ones|figures?|parts?|pieces?|counts?|amounts?|labels?|anything|something
from: from|between
to: to|until|til+|through|towards
span: between(?= NUM)
by: by
skip: in|on|at|for|during|of (?:the|my) (?:chart|pie|graph|line|whole|week|year|day)|(?:the|my) (?:chart|pie chart|pie|graph|line chart|line|curve|diagram|bar chart)|with|stands?|comes?|reach(?:es|ed)?|hits?|accounts?|represents?|takes? up|is used|was|were|there (?:is|are|was|were)|i (?:see|have)|it
both: both
"""


_EDGE = "(?:top|upper|topmost|bottom|lower|bottommost|left|right|leftmost|rightmost)"
_ORDER = r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|last|\d(?:st|nd|rd|th))"
_CENTRE = "(?:middle|cent(?:re|er)|central)"
BOARDS = rf"""
skip: (?:in|of|from|on|for) (?:my|the|this|our) (?:whole )?(?:board|grid|game|picture|image|puzzle|kitchen|position|diagram|field)|still|already|now|so far|currently|yet|in (?:it|mine|here)|visible|present|shown|displayed|completely|entirely|all the way|deep|camp|right now|starting|from top to bottom|in a row|lying|home
place @: [a-o]\d\d?|\(\d, ?\d\)
place @: (?:(?:in|on|at|along|of) )?(?:the )?(?:row|rank|column|file|col) (?:[a-o]|NUM)|(?:(?:in|on|at|along) )?(?:the )?[a-o] (?:row|column|file)
place @: (?:(?:in|on|at|along|of) )?(?:the )?{_ORDER} (?:row|rank|column|file)(?: from (?:the )?(?:top|bottom|left|right))?
place @: (?:(?:in|on|at|along|of) )?(?:the )?(?:{_EDGE}|{_CENTRE}) (?:hand )?(?:row|rank|column|file)
place @: (?:(?:in|on|at|of) )?(?:the )?(?:very )?(?:{_CENTRE} of the {_EDGE} (?:edge|row|side|column)|{_EDGE} (?:edge |row |side )?{_CENTRE})
place @: (?:(?:in|on|at|of|near) )?(?:the )?(?:top|upper|bottom|lower) (?:left|right)(?: hand)?(?: most)?(?: corner)?|(?:(?:in|on|at|of) )?(?:the )?{_CENTRE} (?:left|right)
place @: (?:(?:in|on|at|of) )?(?:the )?{_EDGE} (?:edge|side|border|half|corners?)
place @: (?:(?:in|on|at|of) )?(?:the |all |both )?(?:four )?corners?|(?:(?:on|at|along) )?the edges?|(?:(?:on|in|along) )?the (?:main )?diagonal
place @: (?:(?:in|on|at|of) )?(?:the )?(?:very |dead )?(?:middle|cent(?:re|er)|central)(?:'s)?
rel just above: (?:directly|right|just|immediately) above
rel just below: (?:directly|right|just|immediately) (?:below|under|beneath)
rel just left: (?:directly|right|just|immediately) (?:to the )?left of
rel just right: (?:directly|right|just|immediately) (?:to the )?right of
rel above: above
rel below: below|under|beneath
rel left: (?:to the |on the )?left of
rel right: (?:to the |on the )?right of
mutual near: (?:right |directly )?(?:next to|beside) (?:each other|one another)|adjacent(?! to)|side by side|neighbou?rs
rel near: (?:right |directly )?next to|beside|adjacent to|near
dim row: (?<=same )(?:row|rank)
dim column: (?<=same )(?:column|file)
quant no: (?:has |have )?(?:already )?lost|(?:is|are|has been|been) (?:gone|captured|missing)|gone|captured|not occupied by|unoccupied by|nobody|no one|not
be: takes?|took|taken|sits?|stands?|lies|owns?|controls?|carr(?:y|ies)|starts?(?: with)?|begins?(?: with)?|moved|pushed|advanced|placed|put|reads|goes|kept|keeps
commonest 1: (?:in )?(?:the|a) (?:clear )?majority|leading|ahead|dominates?|winning
attr colour black: blacks?(?:'s)?
attr colour white: whites?(?:'s)?
attr colour red: red
attr colour blue: blue
attr colour green: green
attr kind x: x(?:'?s)?|cross(?:es)?
attr kind o: o(?:'?s)?|noughts?|circles?|zeros?
attr kind empty: empty|blanks?|free|vacant|unoccupied|unfilled|open(?= (?:squares?|points?)\b)|nothing
attr kind closed: closed|hidden|covered|unopened|unrevealed
attr kind open: open(?:ed)?(?: cells?)?(?: with no (?:adjacent |neighbou?ring )?mines?(?: beside it| next to it)?)?|revealed|uncovered
attr kind mine: mines?|bombs?
attr filled yes: filled(?: in)?|occupied|taken|full
attr kind pawn: pawns?
attr kind knight: knights?
attr kind bishop: bishops?
attr kind rook: rooks?
attr kind queen: queens?
attr kind king: kings?(?:'s)?
attr kind chef: chefs?|cooks?
attr kind pot: pots?
attr kind counter: counters?
attr kind onion: onions?
attr kind crate: crates?(?: of onions)?
attr kind dishes: stack of dishes|dish stack|dish rack|dishes
attr kind dish: dish|plates?
attr kind hatch: (?:serving )?hatch(?:es)?|serving (?:window|counter)
attr kind soup: soups?
attr kind coin: coins?
attr kind player: players?
noun: (?:playing )?pieces?|stones?|discs?|disks?|marks?|tokens?|symbols?|digits?|numbers?|clues?|men|figures?|cells?|squares?|points?|tiles?|fields?|spots?|spaces?|intersections?|hats?
"""


class Token(NamedTuple):
    kind: str
    value: str = ""
    text: str = ""
    start: int = 0
    gap: int = 0  # words before it that no row has

    @property
    def plural(self) -> bool:
        return self.text.endswith("s")


_WORD = r"[\w'%]+|[,:;()=<>+/—–]"
_ROW = re.compile(r"(\w+)(?: ([^:]*))?: (.*)")


class Scanner:
    """Makes tokens of a sentence by the rows of some tables."""

    def __init__(self, tables: tuple[str, ...], misspelt: bool = False) -> None:
        self.misspelt = misspelt
        rows = [_ROW.fullmatch(line) for table in tables for line in table.strip().splitlines()]
        self.rows = [(row[1], row[2] or "", row[3].replace("NUM", NUMBER).replace(" ", "[ -]")) for row in rows if row]
        numbers = "|".join(sorted(NUMBERS, key=len, reverse=True))
        alternatives = [rf"(?P<r{i}>(?:{pattern})(?![\w]))" for i, (_, _, pattern) in enumerate(self.rows)]
        number = rf"(?P<number>(?:\d+(?:[.,]\d+)?|(?:{numbers})(?:[ -](?:{numbers}))?(?: hundred| thousand)?)(?![\w]))"
        ordinal = r"(?P<nth>(?:\d(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|last|penultimate)\b)"
        self.pattern = re.compile(
            rf"(?<![\w@])(?:{'|'.join((*alternatives, ordinal, number))})|(?P<word>@?[\w'-]+)|(?P<mark>[,:;()=<>+—–])"
        )

    def tokens(self, sentence: str) -> list[Token]:
        found: list[Token] = []
        gap = 0
        for match in self.pattern.finditer(sentence):
            name, text = match.lastgroup or "", match[0]
            if name == "word" and self.misspelt and (known := _respelt(text)):
                found += [token._replace(start=match.start(), gap=gap) for token in self.tokens(known)]
                gap = 0
                continue
            if name == "word":
                gap += 1
                continue
            if name[0] == "r" and self.rows[int(name[1:])][0] == "skip":
                continue
            if name == "mark":
                token = Token(text, text, text)
            elif name == "number":
                token = Token("num", _number(text), text)
            elif name == "nth":
                token = Token("nth", _ORDINALS.get(text[:3], text[0]), text)
            else:
                kind, value, _ = self.rows[int(name[1:])]
                if value == "@":
                    value = _PREPOSITION.sub("", text)
                elif value[:1] == "@":
                    value = f"{value[1:]} {re.split('[^a-z0-9]', text[1:])[0]}"
                token = Token(kind, value if value != "x" else _number(re.search(NUMBER, text)[0]), text)  # type: ignore[index]
            found.append(token._replace(start=match.start(), gap=gap))
            gap = 0
        return found


_PREPOSITION = re.compile(r"^(?:in|on|at|of|along|near) |\bthe |'s$")
_MISSPELT = (
    "yellow purple green brown cube cubes sphere spheres cylinder cylinders small large little metal metallic rubber "
    "matte shiny balls block blocks turquoise cylindrical spherical reflective"
).split()  # fmt: skip
_RIGHT = frozenset("smaller larger black shall smell medal petal matter latte grown crown greed greet clock".split())


@cache
def _respelt(word: str) -> str:
    """The word that somebody meant who wrote almost it."""
    if len(word) < 5 or word in _RIGHT:
        return ""
    return "".join(get_close_matches(word, _MISSPELT, 1, 0.83))


_ORDINALS = {"fir": "1", "sec": "2", "thi": "3", "fou": "4", "fif": "5", "six": "6", "sev": "7", "las": "-1", "pen": "-2"}


def _number(text: str) -> str:
    """A number in digits."""
    if text[0].isdigit():
        return text.replace(",", "" if re.search(r",\d{3}$", text) else ".")
    total = 0
    for word in re.split("[ -]", text):
        total = total * {"hundred": 100, "thousand": 1000}[word] if word in ("hundred", "thousand") else total + NUMBERS[word]
    return str(total)
