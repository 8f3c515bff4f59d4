"""Clues that make no statement which can be checked: some say nothing of the picture, others something vague."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from mmgames.games.spy.listening import vocabulary

_KNOWN = "|".join(
    name
    for table in (vocabulary.COLOURS, vocabulary.SHAPES, vocabulary.SIZES, vocabulary.MATERIALS)
    for names in table.values()
    for name in names.split()
)
_PLAIN = rf"(?!(?:be |to be |like )*(?:a |an |made of |two )?(?:\w+ ){{0,2}}(?:{_KNOWN}|twins?|object|item)\b)"
_MOOD = (
    r"(?:(?:sad|happ(?:y|ier)|lonel(?:y|iness)|cute|lovely|beautiful|ugly|dream(?:y|like)|cheerful|tense|"
    r"dangerous|scary|angry|shy|"
    r"proud|sleepy|bored|boring|elegan(?:t|ce)|calm|peaceful|co[sz]y|cool|spooky|serene|playful|dramatic|"
    r"romantic|charm(?:ing)?|"
    r"adorable|funny|weird|mysterious|soothing|relax(?:ed|ing)|exciting|stressful|hectic|modern|minimal(?:ist|"
    r"istic)?|artistic|"
    r"poetic|retro|futuristic|festive|inviting|gloomy|expensive|cheap|worn(?! by)|fragile|squished|crooked|"
    r"tilted|prominent|dominant|"
    r"noticeable|striking|brighter|darker|nicer|prettier|cuter)"
    rf"(?! (?:(?:and )?\w+ ){{0,2}}(?:{_KNOWN})\b)(?! (?:picture|image|chart|board|to be here)\b)|"
    r"imagination|tension|personality|harmon\w+|rhythm|style|simplicity|presence|best friends|bullying)"
)
"""What people feel about a picture, and what nothing in its facts decides."""
_DEGREE = r"(?:a (?:bit|little|tad)|little bit|kinda|rather|quite|pretty|slightly|somewhat|super|very|so|really)"
_MEASURED = (
    r"(?!(?:more|less|fewer|under|over|above|below|higher|lower|smaller|larger|bigger|further|farther|behind|in "
    r"front|to the|left|"
    r"right|closer|nearer|close|near|shorter|taller|deeper|low|high|tall|short|small|big|large)\b)"
)
HEDGED = re.compile(
    rf"\b(?:is|are|looks?|looking|seems?|appears?|appearing|feels?|gives?|has|have|with)(?: "
    rf"(?!(?:{_KNOWN})\b)\w+){{0,3}} {_MOOD}\b|"
    rf"\b(?:looks?|seems?|appears?|feels?) (?:almost |somehow )?{_DEGREE} {_PLAIN}{_MEASURED}|"
    rf"\b(?:kinda|little bit|{_MOOD} between) {_PLAIN}|\b{_MOOD} (?:between|to it|about)\b|"
    rf"\b(?:rather|fairly|somewhat|relatively) (?:close|near|far|nicely|randomly)\b|"
    r"\bsomething about\b|\b(?:almost|nearly|barely) touch\w*|\bnice (?:shine|sheen|touch|contrast)\b|"
    r"\bstands? out (?:the |much |far )?(?:most|more|least)\b|\bglow(?:s|ing)?\b|\b(?:warm|cold|cool) (?:look|"
    r"feel|tone|touch)\b|"
    r"\bwould (?:look|fit|make|suit|go well)\b|\broom for\b|\bseems? almost to\b|\bi (?:really |just )?(?:like|"
    r"love|prefer) (?:the|how)\b|"
    r"\b(?:talk|chat|whisper|bull(?:y|ying)|looking at each|watching)\b|"
    r"\b(?:shadows?|reflections?|lighting|"
    r"(?<!reflect the )(?<!reflects the )(?<!catch the )(?<!catches the )light(?! (?:blue|green|gray|grey|red|brown))|"
    r"may (?:be|have|not|look|also|still|well|seem)|might|maybe|"
    r"perhaps|probably|surround\w*|if|wonder|as if|as though|guess|supposedly|reminds?|"
    r"atmosphere|mood|vibes?|somehow)\b|"
    rf"\b(?:seems? to|(?:look|feel)(?:s|ing)? like|feels?) {_PLAIN}"
)
"""What makes a sentence one that is not held against anybody."""
_MANY = r"(?:objects|things|items|shapes|values|bars|slices|numbers|cells|squares|points|pieces|colou?rs)"
TRIVIAL = re.compile(
    r"^(?:(?:my|the) (?:image|picture|scene|chart|board) )?(?:looks|seems|is) (?:pretty |quite |very |"
    r"all )?(?:normal|fine|good|"
    r"ordinary|typical|ok|okay)(?: to me)?$|^our (?:pictures|images|scenes)\b|"
    rf"\bsome (?:of (?:the|my) )?{_MANY} (?:are|is|have|look|stand|sit|filled)\b(?!.*\bmaybe\b).*\b(?:others?|"
    rf"some|rest)\b|"
    rf"\bsome (?:cells|squares|points) are (?:\w+ )?(?:occupied|filled|empty|taken|free|blank)$|\bsome cells filled\b|"
    rf"\bnot (?:all|every) (?:of )?(?:the |my )?(?:{_MANY}|object|thing|value|bar)\b.* (?:is|are) (?:the same|"
    rf"identical|equal|alike)\b|"
    r"^(?:let's|let us|let me|lets|we (?:should|must|need|have to|all)|please|everyone|everybody|you (?:should|"
    r"all))\b.*"
    r"\b(?:attention|careful(?:ly)?|focus|details|differences?|think|compare|honest|closely|longer)\b|"
    rf"\bmore than one (?:object|thing|item|shape|value)(?: and\b|$)|\bone of (?:the|my) {_MANY} is the "
    rf"(?:highest|lowest)\b|"
    r"^(?:so |well |man |idk )*i (?:just )?see (?:the )?(?:shapes|objects|things|stuff)$"
)
"""What is true of every picture of its kind."""
_LEAVE_OUT = (
    r"(?:ignor(?:e|ed|ing)|disregard(?:ed|ing)?|discount(?:ed|ing)?|remov(?:e|ed|ing)|exclud(?:e|ed)|delet(?:e|ed)|"
    r"(?:take|took|taking) (?:away|out)|(?:leave|left|leaving) (?:out|aside)|(?:set|setting|put|putting) aside|"
    r"forget(?: about)?|forgot|hide|hid|drop|dropped)"
)
LEFT_OUT = re.compile(
    rf"^(?:(?:if|when|once) (?:you|i|we|one|somebody) (?:were to |could |would )?{_LEAVE_OUT}|"
    r"without(?=[^,]+, (?:everything|all|every|there would|i would|you would|it would|only)\b)|"
    r"(?:ignoring|disregarding|discounting|removing|taking (?:away|out)|leaving (?:out|aside)|setting aside|putting "
    r"aside))\b"
)
"""What comes before things that a sentence speaks without: "if you took away", "setting aside"."""
REMAINS = re.compile(
    r"\b(?:all|everything|what)(?: that)? (?:(?:remains|is left|stays|would (?:remain|be left))(?: (?:is|are|would "
    r"be))?)\b|\b(?:i|you|we) (?:am|are|would be|will be|'d be|'re|'ll be) left with\b|"
    r"\b(?:i|you|we)(?: would|'d| will|'ll) (?:have|see|get)(?= (?:only|nothing but|just)\b)"
)
"""What is left without them, which is everything else."""
SURE = re.compile(
    r"^(?:it )?(?:looks|seems|appears) (?:like|that) (?=(?:i|we) (?:have|see|got)\b|there (?:is|are)\b)|"
    r"\b(?:if (?:you(?= (?:go|look|read|count|add|take|sum)\b)|you ask me|i(?:'m| am)? (?:not (?:mistaken|wrong)|"
    r"right|count(?:ed)?(?: right| correctly| properly)?|see (?:it )?right|"
    r"remember right)|"
    r"anyone asks|you know what i mean)|i (?:guess|think|believe|suppose|would say|reckon)|as far as i can "
    r"(?:see|tell)|kind of|sort of|"
    r"honestly|basically|obviously|clearly|literally)\b,?"
)
"""What changes nothing of what somebody says."""
_ABOUT_THE_ROUND = re.compile(
    r"\b(?:clues?|spy|spies|civilians?|players?|turn|hello|hi+|hey|luck|gl|hf|pass|skip|rules?|round|agree\w*|thanks?|"
    r"trust|reveal\w*|hints?|vote|everyone|everybody|somebody|anyone|guys|team|friends?|ready|next|"
    r"first time|no idea|listen\w*|others? (?:say|have|said)|they said|rest of you|play(?:ing)?|commit|lying|lol|brb|"
    r"suspicious|describe|description|specific|confirm|helpful|ok|okay|drill|say|similar|game)\b"
)
_IMPRESSION = re.compile(
    r"\b(?:seems?|looks?|looking|feels?|feeling|suggests?|indicates?|reminds?|evokes?|conveys?|lends?|kinda|kind "
    r"of|sort "
    r"of|a (?:bit|little)|rather|quite|somewhat|slightly|maybe|might|perhaps|probably|relatively|strikes?|impression|"
    r"beautiful|favou?rite|unusual|strange|random\w*|must have|expected|way|manner|sense|energy|vibes?|mood|atmosphere|"
    r"light(?:ing)?|shadows?|reflections?|arrange\w*|composition|spacing|space|distance|gap|balance\w*|weight|gaze|"
    r"palette|harmon\w*|trend|development|story|pattern|angle|depth|spread|scattered|crowded|cluttered|chaotic\w*|busy|"
    r"messy|empty|tilted|close|touch(?:es|ing)?|far apart|stands? out|yum|tasty|hungry|people|colourful, sort)\b"
)
_PARTS = re.compile(
    r"\b(?:the|these|those|some|this) (?:\w+ )?(?:objects?|things?|items|shapes|line|slices?|bars?|pieces|stones|discs|"
    r"marks|position|puzzle|grid|colou?rs|school|bakery|market|year|pie|cooks|chefs|kitchen|numbers|values|curve|"
    r"result|"
    r"floor|background|texture|orchard|library|dairy|shop|garden|cafe|lake|harbour|pupils|visitors|(?<!this )one)\b|"
    r"\bone (?:of (?:them|these|those|the)|object|thing|side)\b"
)
_WHOLE = re.compile(
    r"^(?:\W*\b(?:so|ok|well|just|honestly|it|its|is|this|that|my|the|a|an|i|see|have|here|in|shows?|contains?|"
    r"displays?|"
    r"presents?|depicts?|picture|image|scene|photo|chart|charts|graph|diagram|board|rendering|data|some|"
    r"information|of|and|"
    r"with|nice|good|interesting|ordinary|typical|simple|clear|clean|colou?rful|fancy|neat|fun)\b)+\W*"
)
_LIGHT = re.compile(
    r"\b(?:light(?:ing)?|shadows?|reflections?|arrangement|composition|atmosphere|mood|vibes?|spacing|trend|"
    r"distribution|contrast|palette|winning|losing|either way|advantage)\b"
)


_GENERIC = re.compile(
    r"\b(?:some|several|various|multiple|many|different|simple|geometric|(?:a |the )?(?:bunch|handful|few|number|"
    r"collection|"
    r"group|set|variety) of|objects of) (?:[\w-]+ ){0,2}(?:objects|things|shapes|solids|items|stuff|categories|"
    r"labels|numbers|"
    r"values|data|information|colou?rs|forms)\b"
)


_MYSELF = re.compile(
    r"\bi(?:'m| am)? look(?:ing|ed)?(?: at| closely at)?\b|\bi(?:'d| would) rather\b|\bnothing (?:unusual|"
    r"special|fancy|remarkable)\b"
)
"""What somebody says of their own doing."""
_FEELING = re.compile(
    rf"\b(?:{_MOOD}|looks? like (?:some(?:one|body)|it)|(?:drawn|colou?red|painted) in|symmetr\w+|surroundings|tones?|"
    rf"smell\w*|painting|valuable|compet\w+|business|season|surprisingly|booming|eye|go well|"
    r"could (?:roll|fall|be a|use)|pop|i (?:really |just )?(?:like|love|prefer) (?:the|how)|colou?rful, sort of|"
    r"room for)\b|"
    r"^colou?rful,?$|^i wonder\b"
)


@lru_cache(maxsize=2048)
def states(sentence: str) -> bool:
    """Whether a sentence may be held against somebody: it tells no mood, and not what is true of any picture."""
    return not (HEDGED.search(sentence) or TRIVIAL.search(sentence))


def kind(said: str) -> Literal["empty", "unclear"]:
    """Whether somebody who says this says nothing of the picture, or something that cannot be made out."""
    said = _MYSELF.sub(" ", said).strip()
    if _FEELING.search(said):
        return "unclear"
    if not said or _WHOLE.fullmatch(said) or TRIVIAL.search(said):
        return "empty"
    if _GENERIC.search(said) and not _IMPRESSION.search(_LIGHT.sub("", said)):
        return "empty"
    if _LIGHT.search(said):
        return "unclear"
    if _ABOUT_THE_ROUND.search(said) and not _PARTS.search(said):
        return "empty"
    if _IMPRESSION.search(said) or (_PARTS.search(said) and not re.search(r"\b(?:picture|image|chart|graph)\b", said)):
        return "unclear"
    return "empty"
