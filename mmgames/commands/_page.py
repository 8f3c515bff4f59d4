"""The demo's page: one HTML file with its style inside."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from mmgames.suites.pages.html_tables import filled, style

if TYPE_CHECKING:
    from mmgames.commands._transcript import Deed, Transcript


def page(transcripts: Sequence[Transcript], seed: int, left_out: str = "") -> str:
    """The page; games of one family stand together. `left_out` says what could not be played, if anything."""
    families = list(dict.fromkeys(transcript.spec.family for transcript in transcripts))
    transcripts = sorted(transcripts, key=lambda transcript: families.index(transcript.spec.family))
    links = "\n".join(
        f'<li><a href="#{one.spec.name}"><img src="{one.files[len(one.files) // 2][1]}" alt="" loading="lazy">'
        f"{escape(one.spec.name)}<small>{escape(one.spec.family)}</small></a></li>"
        for one in transcripts
    )
    note = f'<p class="note">{escape(left_out[:1].upper() + left_out[1:])}</p>' if left_out else ""
    body = "\n".join(_section(transcript, opened=transcript is transcripts[0]) for transcript in transcripts)
    return filled("demo", style=style("page"), seed=seed, links=links, note=note, body=body)


def _section(transcript: Transcript, opened: bool) -> str:
    spec = transcript.spec
    *moments, (seen, seen_file) = transcript.files
    strip = "\n".join(_figure(spec.name, caption, file) for caption, file in moments)
    tags = dict.fromkeys(
        (spec.family, spec.source, spec.dynamics, f"{spec.information} information", spec.utility.replace("_", " "))
    )
    facts = "".join(f"<li>{escape(tag)}</li>" for tag in tags)
    events = "".join(f"<li>{escape(name)} <b>{count}×</b></li>" for name, count in transcript.events.items())
    return filled(
        "demo_game",
        name=spec.name,
        title=escape(spec.name),
        id=escape(spec.id),
        summary=escape(spec.summary[:1].upper() + spec.summary[1:]),
        facts=facts,
        strip=strip,
        ended=escape(transcript.ending.headline if transcript.ending else ""),
        scores=_scores(transcript),
        events=events,
        steps=transcript.steps,
        seconds=f"{transcript.seconds:.2f}",
        deeds=_deeds(transcript, opened),
        open=" open" if opened else "",
        role=escape(transcript.first_role),
        seen=_figure(spec.name, seen, seen_file),
        prompt=escape(transcript.prompt),
    )


def _scores(transcript: Transcript) -> str:
    """What everybody has collected, with the parts of it."""
    scores = transcript.ending.scores if transcript.ending else ()
    who = dict(zip(transcript.seats, transcript.agents, strict=True))
    names = list(dict.fromkeys(name for score in scores for name, value in score.parts if value))
    heads = "".join(f'<th scope="col" class="number">{escape(name)}</th>' for name in (*names, "return"))
    rows = []
    for score in scores:
        values = [*(dict(score.parts).get(name, 0.0) for name in names), score.total]
        cells = "".join(f'<td class="number">{round(value, 3):g}</td>' for value in values)
        rows.append(f'<tr><th scope="row">{escape(score.role)}</th><td>{escape(who[score.role])}</td>{cells}</tr>')
    head = f'<tr><th scope="col">seat</th><th scope="col">agent</th>{heads}</tr>'
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(transcript.spec.name)}: returns"><table>'
        f"<thead>{head}</thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _deeds(transcript: Transcript, opened: bool) -> str:
    """The dialogue, or the moves, one item for each step."""
    if transcript.talks:
        said = "\n".join(_said(deed) for deed in transcript.deeds)
        what, body = "The dialogue", f'<div class="dialogue">\n{said}\n</div>'
    else:
        steps: dict[int, list[Deed]] = {}
        for deed in transcript.deeds:
            steps.setdefault(deed.step, []).append(deed)
        items = "\n".join(f"<li>{' '.join(_done(deed) for deed in deeds)}</li>" for deeds in steps.values())
        what, body = f"The moves ({transcript.steps})", f'<ol class="moves">\n{items}\n</ol>'
    label = escape(f"{transcript.spec.name}: {what}", quote=True)
    inside = f'<div class="scroll" tabindex="0" role="region" aria-label="{label}">\n{body}\n</div>'
    return f"<details{' open' if opened else ''}>\n<summary>{what}</summary>\n{inside}\n</details>"


def _done(deed: Deed) -> str:
    return f'<span class="deed"><b class="seat-{deed.seat % 4}">{escape(deed.role)}</b> {escape(deed.did)}</span>'


def _said(deed: Deed) -> str:
    return (
        f'<div class="said seat-{deed.seat % 4}"><b>{escape(deed.role)}</b>'
        f"<p>{escape(deed.did) or '<i>says nothing</i>'}</p></div>"
    )


def _figure(name: str, caption: str, file: str) -> str:
    alt = escape(f"{name}: {caption}", quote=True)
    return f'<figure><img src="{file}" alt="{alt}" loading="lazy"><figcaption>{escape(caption)}</figcaption></figure>'
