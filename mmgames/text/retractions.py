"""Whether the words around an answer take it back: a change of mind, a rejection, a refusal, being torn.

The forms are a closed list, and they are looked for where they speak of the answer: at the beginning of a sentence,
about "it", "this" or "that", or in the sentence that the answer itself stands in.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

from mmgames.text.doubts import ANOTHER, asks_back, unsettling
from mmgames.text.move_names import Mention, Moves, apart_from_signs, tokens_of
from mmgames.text.patterns import pattern


def any_of(*phrases: str) -> str:
    return f"(?:{'|'.join(phrases)})"


_APOSTROPHE = str.maketrans("’ʼ", "''")
_NO_WORDS = " \t\r\n`*.$}"
_THIS = (
    r"(?:it|that|this|these|them|both|the above|this (?:one|move|answer|action|option|plan|list|path|matrix|board|vote"
    r"|prediction)|that (?:one|move|answer|action|plan)|(?:these|the|those) (?:paths|points|steps|coordinates))"
)
_START = (
    r"(?:^|[.!?…;:—–\n(*_。！？，]|\.\.\.|--|,| - )[\s\"“*_(.…]{0,6}"
    r"(?:(?:oh|hm{1,4}|but|and|so|well|okay|ok|ah|um|uh|yet|please|sorry|though)\b[,.…! ]{0,4}){0,3}"
)
_CHANGED = pattern(
    _START
    + any_of(
        *(r"wait\b(?! for| until| and see| a (?:turn|step))", r"hold on\b", r"hang on\b", r"on second thoughts?\b"),
        *(r"(?:scratch|scrap|strike|disregard|ignore|forget|discard|cancel)\b", r"never ?mind\b", r"correction\b"),
        *(
            r"on (?:reflection|(?:an? )?(?:closer|second|another|further|third) (?:look|glance|thoughts?|inspection"
            r"|reading))\b",
            r"now that i (?:look|think)\b",
        ),
        *(r"let me (?:re|think|check|look|double|start over|try again)", r"no[,.!…]", r"no wait\b"),
        *(r"nope\b", r"not really\b", r"just kidding\b", r"actually[, ]", r"oops\b", r"my mistake\b", r"sorry,"),
        *(r"i (?:take|took) (?:that|it|this) back\b", r"i withdraw\b", r"(?:i(?: have|'ve)? )?changed? my mind\b"),
        *(r"i need to (?:re|think|look|decide)", r"come to think of it\b", r"thinking about it (?:again|more)"),
        *(r"then again\b", r"rather,", r"instead,? (?:i|let)\b", r"or (?:maybe|perhaps|rather|should|better)\b"),
        *(
            r"or,? (?:wait|[<(*`])",
            r"alternatively\b",
            r"edit:",
            r"i mean(?:t)?\b(?! to say that (?:it|this))",
            r"oh no\b",
        ),
        *(
            r"that said, i\b",
            r"on the other hand,? (?:i|<|it might|maybe)",
            r"h+m{1,4}\b",
            r"ups\b",
            r"oups\b",
            r"nein\b",
        ),
        r"(?:ou |oder |o )?(?:doch|lieber|besser|vielleicht|moment|plutôt|peut-être|mejor|quizás?|meglio|forse)\b",
        *(
            r"halt\b",
            r"en fait\b",
            r"anzi\b",
            r"in realtà\b",
            r"ich nehme (?:das|es|dies) zurück\b",
            r"je (?:me )?retire\b",
        ),
        *(r"(?:lo |la )?ritiro\b", r"(?:lo |la )?retiro\b", r"das (?:feld|ist) (?:ist )?(?:besetzt|falsch)\b"),
        *(
            r"non\b",
            r"attend(?:s|ez)\b",
            r"aunque\b",
            r"pensándolo",
            r"espera\b",
            r"aspetta\b",
            r"нет\b",
            r"(?:по)?стой",
        ),
        *(
            r"подожди",
            r"не,",
            r"不对",
            r"不對",
            r"不，",
            r"等等",
            r"等一下",
            r"やっぱり",
            r"いや",
            r"待って",
            r"아니",
            r"잠깐",
        ),
    ),
    re.I,
)
_REJECTED = pattern(
    any_of(
        r"\bsecond thoughts\b|\bi (?:\w+ ){0,2}(?:misspoke|misread|miscounted|mistook|erred|overlooked)\b",
        r"\b(?:like|want|have|need|going|wish) to (?:reconsider|rethink|recount|re-?check|start over|begin again"
        r"|(?:look|count|think|check|decide) (?:it |this |that )?(?:again|anew|afresh|over|once more))\b",
        r"(?:^|[.!?;,\n])\s*(?:but |oh,? |and |so )*(?:better|perhaps|maybe|rather|or|probably|i think"
        r"|i'd say) not\s*(?:[.!…]|$)",
        r"(?:^|[.!?;\n])\s*wrong[,.!:]|(?:^|[.!?;\n])\s*(?:undo|erase|delete|void|revoke|retract"
        r"|cancel)\b(?=\s*(?:[.!…]|$)| (?:it|this|that|my)\b)",
        rf"(?:^|[.!?;,\n]|\bbut|\band|\boh,?|\bas)\s*(?:{_THIS}|(?:the|that|this) (?:cell|square|point|spot|field"
        rf"|column|one"
        r"|move|answer|action|choice))(?:'s| is| was| seems| has| turns out to be)(?: \w+){0,2}?"
        r" (?:taken|occupied|void|illegal|invalid|a slip|a typo|an error|off|nonsense|been taken)\b",
        r"\b(?:that|this|it)(?:'s| is| was) what (?:\w+ ){1,3}(?:said|says|told|taught|recommends?|suggests?)\b",
        r"\b(?:that|this|it)(?:'s| is| was) (?:what|where) (?!i\b|we\b|is\b|are\b|makes\b|my\b|it\b|the (?:rules?"
        r"|board|question|picture)\b)",
        r"\b(?:won't|will not|can't|cannot|don't|do not) (?:stand|vouch) (?:by|for) (?:it|this|that)\b|\bi distrust\b",
        rf"\b{_THIS}(?: is not| isn't|'s not| was not| wasn't| can't be| cannot be) (?:it(?=\s*[.!,;]|\s*$)|mine\b"
        rf"|(?:my|the) (?:final |real )?(?:answer|move|choice|vote|pick|action)\b)",
        r"\b(?:would like|want|have|need) to (?:change|revise|rethink|undo|take back) (?:it|this|that|my)\b",
        r"\bi (?:withdraw|retract|revoke|cancel) (?:it|this|that|my)\b",
        r"\bi(?:'m| am) (?:not happy|unhappy|not satisfied|not convinced)\b",
        r"\bi regret\b",
        r"\bi should have (?:played|chosen|gone|picked|taken|answered)\b",
        rf"\b(?:reject|rejected|dismiss|dismissed|discarded|abandoned|decided against|ruled out) {_THIS}\b",
        rf"\brul(?:ed|ing) {_THIS} out\b",
        rf"(?:^|[.!?;,\n]|\bbut|\band|\bthink|\bas)\s*(?:{_THIS}|that's|it's)\s*"
        r"(?:is|was|would be|seems|looks|would|walks|leads|loses|gives|runs)?\s*(?:\w+ ){0,2}"
        r"(?:not (?:my|the (?:answer|right|move|action)|an option|legal|allowed|possible|right|good|valid|correct"
        r"|complete|finished|feasible|what i)"
        r"|wrong\b|illegal\b|a mistake\b|a blunder\b|bad\b|"
        r"(?:a|an) (?:bad|terrible|wrong|illegal|poor|weak) |not (?:legal|allowed)|into the|(?:just "
        r"|only )an? (?:example|test))",
        r"\b(?:consider|count|treat|regard|take) (?:it|this|that|my \w+) (?:as )?(?:withdrawn|void|invalid|null"
        r"|retracted"
        r"|cancelled|unsaid|a draft|no answer)\b|\bi resign\b",
        r"(?:^|[.!?;,\n])\s*(?:that|this|it) (?:loses|fails|blunders|hangs|backfires)\b(?! nothing| no\b)",
        r"\(\s*(?:my|the|your) (?:opponent|partner|rival)'s\b",
        rf"\b{_THIS} (?:is|was) (?:just|only|merely) (?:an?|the) (?:example|format|form|template|draft|test"
        rf"|suggestion)\b",
        rf"\b{_THIS} (?:is|was) (?:just |only |merely )?(?:an example|for illustration|a placeholder|a test"
        rf"|testing)\b",
        rf"\b{_THIS} (?:is|was|were|belongs|belonged|comes|came)(?: \w+)? (?:from|for|to|of) (?:an?other"
        r"|(?:a|some) different|the (?:wrong|other|previous|last|earlier))"
        r" (?:board|game|position|puzzle|picture|image|question|turn|round)\b",
        r"\bi was (?:just|only) (?:testing|joking)\b",
        rf"\b(?:do not|don't) (?:count|use|play|take|submit) {_THIS}\b",
        r"\bi(?:'d| would| will|'ll| should|'d better| do|'m)? ?(?:better |rather )?(?:not|n't|never|avoid"
        r"|won't|wouldn't"
        r"|don't|shouldn't|will not|would not)(?: want to| actually| really| be| going to)*"
        rf" ?(?:play|do|doing|playing|choose|pick|take|submit|go with|make|recommend|mean|want)? ?{_THIS}\b(?! to\b)",
    ),
    re.I,
)
_REFUSED = pattern(
    r"\bi(?:'m| am)? ?"
    + any_of(
        *("can't", "cannot", "can not", "could not", "couldn't", "won't", "will not", "unable to", "not able to"),
        *(
            "refuse to",
            "decline to",
            "do not",
            "don't",
            "would rather not",
            "'d rather not",
            "still have to",
            "have yet to",
        ),
    )
    + r"(?: really| actually| yet)? "
    + any_of(
        *("decide", "choose", "answer", "pick", "settle", "commit", "say which", "tell which", "know which"),
        *(r"make (?:a|that|this|the) (?:move|decision|choice)", "play this game", "play games", "help with"),
        r"know what to (?:do|play|choose)",
    )
    + r"\b|\bi (?:leave|keep) it open\b|\bi abstain\b|\bas an ai\b|\bi refuse\b",
    re.I,
)
_BETTER = r"(?:better|safer|stronger|wiser|preferable|best)\b(?! off| than (?:nothing|that|this))"
_TORN = pattern(
    any_of(
        r"^[ \t,(*_`\")]*(?:maybe|perhaps|possibly)\b",
        r"^[^\w<]*(?:or|oder|ou|или)\s",
        r"\b(?:choice|answer|decision) (?:really |then |now )?depends\b",
        r"^[^.!?\n]*\b(?:unless|only if|if you|last resort)\b",
        r"\bi(?:'ll| will)? leave (?:it|the choice|that)\b",
        r"\banother (?:is|would be|could be|option|possibility|candidate)\b",
        r"\b(?:in|of) two minds\b|\bon the fence\b|\b(?:i|still|am|'m) (?:hesitat|waver|dither)\w*\b",
        r"\b(?:this|that|it) would be (?:the|my|an?) (?:usual|normal|standard|textbook|typical|obvious|old)\b",
        *(r"\btorn between\b", r"\bi(?:'m| am) torn\b", r"\bundecided\b", r"\bcoin flip\b", r"\bit depends\b"),
        r"\b(?:not (?:yet )?final|tentative|provisional|pending|subject to|to be (?:confirmed|verified|checked)"
        r"|withdrawn|overruled"
        r"|first (?:draft|guess|idea)|too (?:fast|hasty|quick)|fresh look|still (?:check|verif|look|analy|count"
        r"|work)\w*"
        r"|(?:final|real|actual) (?:answer|move|choice|vote) (?:will|follows?|comes|is (?:still|yet|to))"
        r"|(?:verify|confirm|double-?check|check|think about|look at) (?:this|it|that)?,? ?(?:first|again|before|in a)"
        r"|a (?:second|moment|minute|while) to|wait for my)\b|\(\s*draft\b",
        r"(?:^|[.!?;,\n])\s*(?:but |and |no,? |oh,? )*(?:that|this|it) (?:can't|cannot|can not|doesn't|does not"
        r"|isn't|is not|won't"
        r"|will not) (?:be (?:right|it|true|legal)|work|allowed|possible|legal|fit|count|empty|free|valid)\b",
        r"\bfar from (?:sure|certain|clear|convinced)\b|\b(?:no longer|less than|hardly|anything but) (?:so "
        r"|quite )?(?:sure"
        r"|certain|convinced|confident)\b|\bif i (?:could|had|were|knew)\b|\bno (?:answer|move|prediction|choice"
        r"|decision|vote"
        r"|guess)(?: of mine| yet)? (?:is|was|can be|will be|has been|could be|from me)\b|\bas no (?:answer|move"
        r"|vote)\b"
        r"|\b(?:i have|there is|is) nothing yet\b",
        r"\b(?:not|un|isn't) ?-?(?:determined|decidable|determinable)\b",
        r"\b(?:haven't|have not|not yet|hasn't) (?:yet )?(?:decided|settled|made up my mind)\b",
        r"\bstill (?:weighing|thinking|deciding|undecided|not sure|unsure|considering)\b",
        r"\bi (?:now |really )?doubt (?:it|that|this)\b",
        r"\b(?:either|both) (?:of them |of these |one |move |option |action )?(?:is|are|would|could|will"
        r"|works?|seems?) "
        r"(?:be )?(?:\w+ )?(?:fine|good|okay|ok|playable|possible|equally|do|work|the same"
        r"|right|correct|legal|valid)\b",
        r"\bnot (?:so |quite |really |entirely )?(?:sure|certain|convinced)"
        r"(?=\s*(?:[.!,;]|$)| though| yet| anymore| (?:about|of) (?:it|this|that)\b"
        r"| (?:whether|which|what|if|that) (?:i|it|this|that|to|<|one|move|is)\b)",
        *(r"\bunsure (?:whether|which|what|if|about)\b", r"\bhard to (?:say|choose|decide)\b", r"\bno idea\b"),
        r"\bi could (?:just as well|also|equally|as well) (?:go|be|play|choose|take|pick)\b",
        r"\bit could (?:just as well|also|equally) be\b",
        r"\bi (?:now |would |'d |would now )+prefer\b(?! (?:this|it|that))|\bi'd prefer\b(?! (?:this|it|that))",
        r"\b(?:or|alternatively),? (?:maybe|perhaps|possibly|should|could|i could|one could|just)\b",
        r"\b(?:what do you think|which (?:one )?(?:do|would|should) (?:you|i)|what would you|tell me which"
        r"|should i\b[^.!\n]{0,120}\?)",
        r"\b(?:is (?:that|this|it)(?! not\?)|does (?:that|this|it)|would\b[^.!?\n]{1,40}\bbe better"
        r"|(?:do|would|are|did) you|shall i|may i|tell me if|let me know)\b[^.!\n]{0,120}\?",
    ),
    re.I,
)
_IS_BETTER = pattern(_BETTER, re.I)
_OTHER_IS_BETTER = pattern(
    rf"(?P<subject>[^.!?\n]*?)\b(?:is|are|looks|seems|might be|may be|could be|would be)"
    rf" (?:actually |even |perhaps |also |probably |slightly |much |clearly |the |a )*{_BETTER}",
    re.I,
)
_OWN_SUBJECT = pattern(r"\b(?:this|that|it|which|no|none|nothing|my|neither|what|there|blue|he|they|opponent)\b", re.I)
_GIVES_REASON = pattern(r"\W*(?:because|since|as|where)\b", re.I)
_GOES_ON = pattern(
    r"\b(?:not|never|wrong|mistake|blunder|bad|avoid\w*|reject\w*|dismiss\w*|considered|first (?:idea|thought"
    r"|instinct|choice)"
    r"|at first|initially|opponent|what (?:blue|black|white|red|the|he|she|they|x|o)|expects?|illegal|but|out"
    r"|discarded|abandoned|if|unless|or|could|might|maybe|example)\b|n't\b",
    re.I,
)
"""What denies an answer whose own sentence goes on behind it."""
_AS_ASKED = pattern(
    any_of(
        *(r"\bnot\b", r"n't\b", r"\bnever\b", r"\binstead of\b", r"\brather than\b", r"\bexample\b", r"\be\.g\b"),
        *(r"\bfor instance\b", r"\bformat\b", r"\bavoid\b", r"\breject", r"\bif\b", r"\bwould have\b", r"\bsuch as\b"),
        *(r"\bschema\b", r"\btemplate\b", r"\bunless\b", r"\bnor\b", r"\bneither\b", r"\blooks? like\b", "格式"),
        *(r"\b(?:shape|syntax)\b", r"(?<!\bi )\b(?:answered|replied|sent|chose|submitted|wrote|typed)\b"),
    )
    + r"[^.!?\n;:,]*[:,]?[\s`*_\"'“(]*\Z"
    r"|\b(?:expected|sample|your|told|rules? says?|previous(?:ly)?|should (?:be|look|read)|answers? like|reply like)\b"
    r"[^.!?\n;,]*\Z|\be\.g\.\W*\Z"
    r"|\b(?:was|were|had been|says?|said|would be|could be|might be|between)[:,]?[\s`*_\"'“(]*\Z"
    r"|\b(?:if|unless|had|were|suppose|assuming)\b(?:(?!\b(?:so|therefore|thus|hence|final|finally|my)\b)[^.!?\n])*\Z",
    re.I,
)
_IN_THE_FORMAT = pattern(
    r"\bmy (?:\w+ )?(?:answer|move|action|reply),? in (?:the |this |your )?(?:\w+ )?format\b", re.I
)
CHANGES = pattern(
    r"\b(?:wait|no|actually|instead|change|changing|correction|scrap|scratch|rather|at first|first|final|finally|but|so"
    r"|therefore|hence|thus|still)\b",
    re.I,
)
"""A word that lets a later answer take the place of an earlier one."""
_EITHER = pattern(
    r"^(?:or|oder|ou|o|или|或者?|alternatively|maybe|perhaps|if)\b|\balternatively\b|\b(?:or|maybe|perhaps|oder|ou)$",
    re.I,
)
_SENTENCE_ENDS = pattern(r"[.!](?:\s|$)|\n")  # a question mark ends none here: "This? Or that?"
_RESTATED = pattern(
    r"\b(?:my|the) (?:final |best |real |actual )*(?:answer|move|action|choice|decision|vote) (?:is|will be)[: ]+"
    r"(?:now |therefore |thus |option )?(?P<said>\S+)"
    r"|\b(?<!next turn )(?<!then )i(?:'ll| will) (?:go with|choose|pick|select)[: ]+(?P<chosen>\S+)",
    re.I,
)
_ASKS_ON = pattern(r"[`*_\"')}$ \t]*(?:\?|(?=[a-z])[^.!\n]{0,120}\?)")
_SUBJECT = pattern(
    r"[ \t]*(?:(?:was|would|could|might|may|looks?|seems?|loses|leads?|walks|costs?)\b"
    r"|is (?!my\b|the (?:answer|move|action|best|only|correct|right)|what i))"
)
_SENTENCE = pattern(r"[^.!?\n。！？]+")
_BESIDE_IT = pattern(
    r"\b(?:over|than|would (?:have|be an? (?:mistake|blunder|bad|waste|weak))|illegal|impossible|risky|worse|weaker"
    r"|slower|less|fewer|inferior|instead of|considered|blocked|taken|not|avoid\w*|never|no|next|later|after|then"
    r"|afterwards|follow[\w-]*|second|can wait|opponent|rival|he|she|they|them|their|blue|black|white|red|player_\d"
    r"|partner|chef_\d|R\d"
    r"|loses|threaten\w*|allows?|prevents?|said|named|described|clue|opposite|beside|near|a mine"
    r"|(?:if|when) (?!you\b|i\b|we\b))\b|n't\b|守"
    r"|□ (?:was|were)\b(?! (?:the|my|what|it))|^\W*(?:because|since|as|weil|denn|car|porque|perché)\b",
    re.I,
)
"""What makes another move that is named behind an answer a rejected, a later or another's one."""
_THE_OTHER = pattern(r"\b[XO]\b(?:'s)? [a-z]")  # the own letter is gone already
_UNDONE = pattern(
    r"\b(?:tak(?:e|es|ing)|took) (?:\w+ )?□\W* back|\b(?:drop|scrap|scratch|discard|reject|dismiss|withdraw|retract"
    r"|abandon"
    r"|cancel|undo|avoid|regret|rul(?:e|ing) out|give up|giving up|leave out|cross out|forget|strike|skip)(?:p?ed"
    r"|p?ing|e?s)?"
    r" (?:out |on |about |the |my |move |answer |option |playing |idea of |with )*□"
    r"|\brul(?:e[ds]?|ing) □ out|\bcross(?:es|ed|ing)? □ out|\b(?:leaves?|leaving) □ (?:out|aside)"
    r"|□[\s*_`\"'>)\]]*(?:is|was|would be|seems|looks|turns out(?: to be)?|would|can|could|will|does|did|has"
    r"|had)?\s*(?:\w+ ){0,2}?"
    r"(?:not\b(?! only| just)|n't\b|wrong\b|illegal\b|bad\b|mistake\b|blunder\b|impossible\b|blocked\b|occupied\b"
    r"|taken\b"
    r"|off the table\b|out of the question\b|no (?:good|longer|use)\b|fails?\b|cannot\b|drops? out\b|too risky\b"
    r"|out(?=\s*(?:[,.;!]|$)))"
    r"|\b(?:not|isn't|never) □(?! only)",
    re.I,
)
"""What rejects the answer □ where it is named again behind itself."""
_BROKEN_OFF = pattern(r"(?:[:：]|\b(?:is|be|are|with|to|and|or|but|the|my|either|play|choose))[\s*_`\"]*\Z", re.I)
"""How a text ends that breaks off before it says something."""
_COURTESY = pattern(
    r"\blet me know (?:how|what happens|the (?:next|result|new|outcome|other|opponent)"
    r"|if you(?:'d| would)? (?:like|want|need|have)(?: to know)? (?:more|any|help|further))\w*[^.!?\n]*",
    re.I,
)
_CLAUSE = 160  # how far back before an answer is looked


def unmeant(text: str, start: int, end: int, moves: Moves, found: Collection[Any]) -> str:
    """Why the answer between two places of a text is not meant, by what stands around it; empty if it is."""
    before = text[max(0, start - 400) : start].rstrip(" \t\n`")
    leads = before if before.endswith(":") else text[:start]  # the line above, if it leads here
    if not_meant(text[leads.rfind("\n") + 1 : start]):
        return "the words before its answer deny it"
    if _ASKS_ON.match(text, end):
        return "its answer stands in a question"
    if _SUBJECT.match(text, end):
        return "its answer is only spoken of"
    sentence = re.match(r"[ \t]*(?:[-–—] )?(?=[a-z,])[^.!?\n]*", text[end : end + 200])
    if sentence and _GOES_ON.search(sentence[0].translate(_APOSTROPHE)):
        return "the sentence of its answer denies it"
    return unsettled(text[end:], moves, found)


def taken_back(after: str) -> str:
    """Why what follows an answer takes it back or leaves it in doubt, as a clause; empty if it does not."""
    if why := revoked(after):
        return why
    if unsettling(_COURTESY.sub("", after[:4000].translate(_APOSTROPHE))):
        return "what follows its answer leaves it in doubt"
    return "what follows its answer asks something" if asks_back(_COURTESY.sub("", after)) else ""


def revoked(after: str) -> str:
    """Why what follows an answer takes it back in so many words, as a clause; empty if it does not."""
    if len(after) < 4 or not after.strip(_NO_WORDS):
        return ""
    after = after.translate(_APOSTROPHE)
    for form, why in (
        (_CHANGED, "the reply changes its mind after its answer"),
        (_REJECTED, "the reply rejects its answer"),
        (_REFUSED, "the reply refuses to answer"),
        (_TORN, "the reply is torn after its answer"),
    ):
        if form.search(after):
            return why
    if any(
        not _OWN_SUBJECT.search(other["subject"].rpartition(",")[2][-80:])
        and not _GIVES_REASON.match(other["subject"].rpartition(",")[2])
        and other["subject"].strip(_NO_WORDS + '"<>)]_')
        for other in _better(after)
    ):
        return "the reply prefers something else after its answer"
    return ""


def unsettled(after: str, moves: Moves, found: Collection[Any]) -> str:
    """Why what follows an answer leaves it open: it is taken back, or something else is set against it."""
    if why := taken_back(after):
        return why
    if _BROKEN_OFF.search(after.rstrip(_NO_WORDS) if after.rstrip().endswith("`") else after):
        return "the reply breaks off after its answer"
    after = apart_from_signs(after[:4000])
    if role := moves.asked.role:
        after = re.sub(rf"\b{re.escape(role)}\b", "", after, flags=re.I)
    in_question = set(tokens_of(moves.asked.text))  # "The box holds one 3." speaks of the 3 that was asked about
    for sentence in _SENTENCE.findall(after):
        named = [one for one in moves.mentions(sentence) if not one.a_word or is_letter(sentence, one)]
        named = [one for one in named if sentence[one.start : one.end].casefold() not in in_question]
        again = any(one.actions & set(found) for one in named)
        for one in reversed(named):
            if not again or one.actions & set(found):
                sentence = f"{sentence[: one.start]}□{sentence[one.end :]}"
        if again and _UNDONE.search(re.sub(r"[<(\[]□[>)\]]", "□", sentence)):
            return "the reply rejects its answer"
        if not named or again:
            continue
        if not is_beside(sentence) and not (role.upper() in ("X", "O") and _THE_OTHER.search(sentence)):
            return "the reply names another move after its answer"
    return ""


def is_beside(sentence: str) -> bool:
    """Whether a sentence speaks of another move as a rejected, a later or another's one."""
    return _BESIDE_IT.search(sentence) is not None


def is_letter(text: str, one: Mention) -> bool:
    """Whether a mention is the capital letter of an option, which is no word of the language."""
    return text[one.start : one.end] in ("B", "C", "D", "E", "F", "G", "H")


def _better(after: str) -> Iterator[re.Match[str]]:
    """Sentences that say that something is better; most texts have none, and looking closely takes time."""
    return _OTHER_IS_BETTER.finditer(after[:1500]) if _IS_BETTER.search(after) else iter(())


def not_meant(before: str) -> bool:
    """Whether the clause that leads to an answer denies it, or only says what an answer would look like."""
    before = _IN_THE_FORMAT.sub("", before[-_CLAUSE:].translate(_APOSTROPHE))
    return bool(before) and _AS_ASKED.search(before) is not None


def refused(text: str) -> bool:
    """Whether somebody says that they do not answer."""
    return _REFUSED.search(text.translate(_APOSTROPHE)) is not None


def chooses(gap: str, one_sentence: bool = True) -> bool:
    """Whether the words between two answers let the later one stand: they are some, and do not offer both."""
    words = gap.strip(" \t\r\n,;`\\()[]$.:*_#")
    if not words or _EITHER.search(words) or ANOTHER.search(words):
        return False
    return not one_sentence or _SENTENCE_ENDS.search(gap) is not None or CHANGES.search(gap) is not None


def restated(after: str) -> Iterator[str]:
    """What is called the answer once more behind an answer."""
    for again in _RESTATED.finditer(after.translate(_APOSTROPHE)):
        yield again["said"] or again["chosen"]
