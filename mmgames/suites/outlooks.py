"""Whom somebody in a talk takes themselves for, by what they say that they and the other have, see and do.

An expert has a book and sees no device; a solver sees a device, acts on it, and has no book. So each clause is looked
at for who has or lacks which of the two, who is asked to describe or to look something up, who acts, and who is led.
What is supposed, wished for or reported tells nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

Part = Literal["solver", "expert"]
OTHER: dict[str, Part] = {"solver": "expert", "expert": "solver"}

_LONG = tuple(
    (re.compile(short), long)
    for short, long in (
        (r"\bcan(?:'t|not)\b", "can not"),
        (r"\bwon't\b", "will not"),
        (r"n't\b", " not"),
        (r"'m gonna\b", " will"),
        (r"'m\b", " am"),
        (r"'ve\b", " have"),
        (r"'re\b", " are"),
        (r"'ll\b", " will"),
        (r"\b(what|that|it|there|here|who)'s\b", r"\1 is"),
        (r"\b(?:please|kindly|just|now|already|also|actually|really|still|currently|then|even|simply|right)\b", ""),
        (r"[*_`\"“”]+", ""),
        (r"\s+", " "),
    )
)
"""Short forms written out, and words without which a clause says the same."""
_CLAUSE = re.compile(r"[^,;:.!?()—–]+")
_JOINED = re.compile(
    r"\b(?:and|but|so|because|since|while|as)\b(?= (?:i|you|we|it|the|my|your|please|let|tell|describe)\b)"
)
_SUPPOSED = re.compile(
    r"\b(?:if|whether|unless|wish|imagine|suppose|supposing|pretend|were|had i|would have|as though|hope)\b"
    r"|\b(?:you|they|he|she|somebody) (?:said|wrote|asked|told|claimed|think|thought)\b"
)
_DENIED = re.compile(r"\b(?:not|no|never|nor|without|neither|none|nobody)\b")
_ECHO = re.compile(r"(?:my|the|your) (?:\w+ ){0,2}\w+ ?\?")  # what the other one asked about, taken up

_BOOK = (
    r"(?:manuals?|hand ?books?|guide ?books?|rule ?books?|books?|booklet|documentation|instruction (?:sheet|set|page)s?"
    r"|reference (?:sheet|guide|pages?)|cheat ?sheet|lookup table|(?:defusal|repair) guide|playbook)"
)
_RULES = rf"(?:{_BOOK}|instructions|rules|guide|pages|documents?|tables?|charts?|guidelines|solutions?)"
_SCENE = (
    r"(?:device|pictures?|image|photo|screen|panel|display|module|machine|gadget|console|interface|apparatus|equipment"
    r"|bomb|contraption|control (?:panel|box|board))"
)
_PARTS = (
    r"(?:buttons?|lights?|lamps?|wires?|squares?|letters|keys|wheels?|symbols?|leds?|levers?|switch(?:es)?|dials?"
    r"|knobs?|keypad|labels?|spheres?|torus|cables?|tiles?|indicators?|bulbs?)"
)
_SEEN = rf"(?:{_SCENE}|{_PARTS})"
_SOME = (
    r"(?:some|several|many|multiple|various|a (?:row|set|number|couple|bunch|grid|series) of|\d+|two|three|four|five"
    r"|six)"
)
_ACT = (
    r"(?:press|push|cut|click|tap|hit|flip|toggle|snip|turn|enter|connect|diagnose|treat|rotate|twist|pull|switch|slide"
    r"|operate|touch|try|act|move)"
)
_ACTED = (
    r"(?:pressed|pushed|cut|clicked|tapped|hit|flipped|toggled|snipped|turned|entered|connected|diagnosed|treated"
    r"|pulled)"
)
_ACTS = rf"(?:{_ACT}|(?:press|cutt?|push|act|hold|click|turn)(?:ing|es|s)|sees?|seeing|looking at)"
_DO = rf"(?:{_ACT}|do|choose|pick|select|go|proceed|start|begin|use)"
_LOOK = (
    r"(?:look(?:ing|ed)? (?:at|through|into|in|over)|look(?:ing|ed)?(?: \w+)? up|read(?:ing)?|check(?:ing|ed)?"
    r"|consult(?:ing|ed)?|search(?:ing|ed)?|stud(?:y|ied|ying)|scan(?:ned|ning)?|open(?:ed)?|f(?:i|ou)nd|quote"
    r"|flip(?:ped|ping)?|go(?:ing)? through|went through|brows(?:e|ed|ing)|skim(?:med)?|refer(?:red|ring)?"
    r"|turn(?:ed)? to|see|seeing|ask(?:ed)?)"
)
_SEE = (
    r"(?:see|seeing|notice|noticing|spot|observe|observing|view|viewing|watch|watching|look(?:ing)? at|facing|face"
    r"|make out|staring at|examin(?:e|ing)|inspect(?:ing)?|describ(?:e|ing))"
)
_HAVE = r"(?:have|hold|holding|has|having|got|own|given|possess|keep|access|one with|person with|player with)"
_OWN = r"(?:the|a|an|any|my|this|that|our|all|only|of|to|copy|full|entire|whole|complete|open|access|such)"
_GAP = r"(?:(?!\byour?\b).)*?"
_I = r"\b(?:i|we|let me|allow me|let us)\b"
_THEIRS = r"(?:it|the|that|this|an?|both|them)\b"
_NEAR = rf"(?: (?!{_BOOK}|no|rules?|cases?|about|for|from|why|your?|problem|point|pattern)[\w'-]+){{0,5}}?"

# Each form with whom it makes the speaker, and whom it does where it is denied; denials count up to the group, if any.
_SIGNS: tuple[tuple[str, Part | None, Part | None], ...] = (
    # Who has the book, and looks into it.
    (rf"{_I}{_GAP}\b({_HAVE}|{_LOOK})\b{_GAP}(?<!\bno )(?<!\bno \w\w\w )\b{_BOOK}\b", "expert", "solver"),
    (rf"{_I}(?: \w+){{0,2}} ({_HAVE})(?: {_OWN}){{0,4}} {_RULES}\b(?! (?:from|of) you)", "expert", "solver"),
    (rf"{_I}(?: \w+){{0,3}} {_HAVE} no (?:\w+ )?{_BOOK}\b|\bno {_BOOK} (?:here|with me|on my (?:side|end))\b",
     None, "solver"),
    (rf"\b(?:my|our) (?:\w+ ){{0,3}}(?:{_BOOK}|instructions)\b", "expert", None),
    (rf"\bthe {_BOOK} (?:is )?(?:here|in front of me|in my hands?|on my (?:side|end|desk))\b", "expert", "solver"),
    (rf"\b{_RULES} (?:that |which )?i (?:am|have|hold|was given)\b|\bi am the {_BOOK} \w+er\b", "expert", "solver"),
    (r"\b(?:i|let me)(?: \w+){0,3} look(?:ed|ing)?(?: \w+){0,2} up\b", "expert", "solver"),
    (rf"\byour (?:\w+ ){{0,2}}(?:{_BOOK}|instructions)\b|\b{_RULES} on your (?:side|end)\b", "solver", None),
    (rf"\byou(?: \w+){{0,3}} (?:{_HAVE}|{_LOOK})\b(?:(?!\b(?:i|my|me)\b).)*?\b{_BOOK}\b", "solver", "expert"),
    (rf"(?:^(?!\w+ing\b)|\b(?:can|could|would|will) you ){_LOOK}\b(?:(?!\b(?:i|my)\b).)*?\b{_BOOK}\b", "solver", None),
    (r"(?:^|\b(?:can|could|would|will) you )(?:\w+ )?look (?:\w+ ){1,2}up\b", "solver", None),
    (rf"\b(?:what (?:do|does)|tell me (?:\w+ )?what|let me know what) the {_RULES}(?: \w+){{0,3}} (?:says?|tells?"
     rf"|mentions?)\b",
     "solver", None),
    (rf"\bhaving no (?:\w+ )?{_BOOK}\b", None, "solver"),
    (rf"\bmy (?:job|task|role|part|duty) is to(?: \w+)? (?:explain|interpret|read|look up|consult)\b.*\b{_RULES}\b",
     "expert", None),
    (r"\byour (?:\w+ )?expert (?:here|speaking|has|is|needs|knows|at)\b", "expert", None),
    (r"\byour (?:\w+ )?solver (?:here|speaking|has|is|needs|knows|at)\b|^(?:my |dear |hey |hello |hi |okay )*expert$",
     "solver", None),
    (rf"\b{_BOOK} is (?:with you|yours|on your (?:side|end))\b", "solver", None),
    # Who sees the device.
    (rf"{_I}(?: (?!your?\b)\w+){{0,3}} {_SEE}(?: (?:the|an?|this|that|my|these|those|{_SOME}|on|at|of|in|following))*"
     rf"{_NEAR} {_SEEN}\b(?! (?:about|rules?|pages?))", "solver", None),
    (rf"{_I}(?: can)? (?:see|notice|spot) {_SOME} (?!rules|cases|pages|options|ways|possib|things? you|tables|entr)\w+",
     "solver", None),
    (r"\bi(?: can)? (?:see|notice|spot) an? (?!problem|pattern|rule|point|reason|mistake|way|case|page|table|chance"
     r"|possib"
     r"|list|entry|section|match)\w+", "solver", None),
    (rf"{_I} {_HAVE}(?: (?:the|a|an|this|my|{_SOME}|only|of)){{0,3}} {_SEEN}\b", "solver", "expert"),
    (rf"\b(?:my|our) (?:\w+ )?{_SEEN}\b", "solver", None),
    (rf"\b{_SEEN}(?: \w+)? (?:in front of me|before me|on my (?:side|end)|(?:that )?i am (?:looking at|seeing))\b",
     "solver", "expert"),
    (r"(?<!\bhave )\bin front of me (?:i|there|is|are)\b", "solver", None),
    (rf"{_I}(?: \w+){{0,2}} not(?: \w+){{0,2}} (?:see|have|view|access|look at)(?: (?:the|any|your|a|to|it"
     rf"|actual)){{0,3}}"
     rf" {_SCENE}\b(?! (?:clear|well|very|proper|in detail|any ?more|you|which|that))", None, "expert"),
    (rf"{_I} have no (?:{_SCENE}|view|way (?:of|to) see\w*|eyes)\b", None, "expert"),
    (r"\bi(?: \w+){0,2} not(?: \w+)? (?:see|know) (?:what|anything) (?:is )?(?:on )?you", None, "expert"),
    (rf"\byour (?:\w+ ){{0,2}}{_SEEN}\b|\bin front of you\b", "expert", None),
    (rf"\b{_SEEN}\b.*\bon your (?:side|end)\b", "expert", None),
    (rf"\b(?:what|which)(?: \w+){{0,2}} (?:(?:do|can|are) )?you (?:can )?{_SEE}\b|\bwhat you have there\b",
     "expert", None),
    (rf"\b(?:how many|which|what) (?:\w+ )?{_PARTS} (?:do|can) you\b(?! (?:want|think|mean|suggest|recommend))",
     "expert", None),
    (rf"\b(?:do|can) you {_SEE}(?! (?:what|how|why|the (?:point|problem)|it in))\b", "expert", None),
    (rf"\byou(?: \w+){{0,2}} (?:{_SEE}|{_HAVE})(?: (?:the|an?|this|that|{_SOME}|of))* {_SEEN}\b", "expert", "solver"),
    (r"\byou(?: \w+){0,2} not(?: \w+)? see (?:what i|it|any of|my)\b", None, "solver"),
    # Who describes, and who leads.
    (r"(?:^|\b(?:can|could|would|will|must) you (?:try to )?|\bonce you )describe\b(?!.*\bto you\b)"
     r"(?! (?:the (?:procedure|steps?|rules?)|what i|how (?:to|i)))", "expert", None),
    (r"\bgive me (?:an? )?(?:\w+ )?description\b|\bread (?:out|me) (?:the|what)\b(?! rules?)"
     r"|\bdescribe (?:it|them|everything|this|that) to me\b", "expert", None),
    (r"\b(?:i|let me|shall i|me to)(?: \w+)? describe\b|\bdescribe (?:it|them|everything|this) (?:to|for) you\b",
     "solver", None),
    (r"\b(?:i|let me)(?: \w+){0,3} (?:guide|walk|lead|talk|direct|instruct|coach|steer|take) you\b", "expert", None),
    (r"\bi(?: \w+){0,3} tell you (?:what|which|how|where|when|exactly)\b(?! i\b| is on)", "expert", None),
    (rf"\byou (?:will )?(?:should|must|need to|have to|can|ought to|want to) {_ACT}\b(?! me)", "expert", None),
    (r"\b(?:guide|walk|lead|talk|direct|instruct|coach) me\b", "solver", None),
    (rf"\btell me (?:what|which|where|how)\b.{{0,20}} (?:to|i (?:should|must|have to|need to)) {_DO}\b",
     "solver", None),
    (r"\b(?:wait|waiting|ready|await|awaiting|follow|following|need|needing) (?:for )?your"
     r" (?:instructions?|orders?|guidance|advice|lead)\b", "solver", None),
    # Who acts.
    (rf"\b(?:should|shall|do|must|can|may|am|would|could) i"
     rf" (?:(?:need|supposed|have|going|want|to|go|ahead|and|best) ){{0,4}}{_DO}\b(?! (?:you|for you))",
     "solver", None),
    (rf"\bwant me to {_DO}\b|\bi (?:should|must|have to|need to|am (?:going|about|ready|supposed) to) {_ACT}\b",
     "solver", None),
    (rf"\bi (?:have )?{_ACTED} {_THEIRS}|\bi have {_ACTED}\b|\bi (?:will |am going to |am about to )?{_ACT} {_THEIRS}",
     "solver", None),
    (rf"\bi (?:can|could) not {_ACT} anything\b", None, "expert"),
    (rf"\bonly you can (?:{_ACT}|see)\b", "expert", None),
    (rf"\bi am the (?:one|person)(?: (?:who|that))?(?: (?:has to|must|can|is|gets to))? {_ACTS}\b", "solver", None),
    (rf"\byou are the (?:one|person)(?: (?:who|that))?(?: (?:has to|must|can|is|gets to))? {_ACTS}\b", "expert", None),
)  # fmt: skip
_FORMS = tuple((re.compile(form), said, denied) for form, said, denied in _SIGNS)


def taken_for(sentence: str) -> Iterator[set[Part]]:
    """Whom each clause of a sentence makes the speaker."""
    text = sentence.casefold().replace("’", "'")
    for short, long in _LONG:
        text = short.sub(long, text)
    for clause in (
        () if _SUPPOSED.search(text) or _ECHO.fullmatch(text.strip()) else _CLAUSE.findall(_JOINED.sub(",", text))
    ):
        yield set(_told(clause.strip()))


def _told(clause: str) -> Iterator[Part]:
    for form, said, denied in _FORMS:
        for found in form.finditer(clause):
            no = _DENIED.search(clause[: found.end(1) if form.groups else found.end()])
            part = denied if no else said
            if part is not None:
                yield part


def speaks_as(sentence: str, part: Part) -> bool:
    """Whether a clause of a sentence is one of a part, and not of the other one."""
    return any(part in told and OTHER[part] not in told for told in taken_for(sentence))
