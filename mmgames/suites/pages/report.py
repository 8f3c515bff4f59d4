"""One page about a run: the paper's table, plots, and episodes turn by turn. Nothing is loaded from elsewhere, and no
script can run: what models wrote is shown as text."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from mmgames.agents.answering import described_style
from mmgames.agents.chat_messages import data_url
from mmgames.core.observation import Observer
from mmgames.core.registry import load
from mmgames.errors import MmgamesError
from mmgames.running import seals
from mmgames.running.endings import ending_of
from mmgames.running.records import read
from mmgames.running.replays import replay
from mmgames.suites import find
from mmgames.suites.pages import charts, html_tables
from mmgames.suites.pages.tables import COSTS, failures, figure, refusals, row_name
from mmgames.suites.results import unplayed
from mmgames.tasks.replays import asked_again, options_of
from mmgames.text.secrets import without_secrets

SIZE = 224
MOST_TURNS = 60
LONGEST = 5000  # characters of a reply
LABELS = {"agents": "agent", "prompts": "prompts of", "versions": "version of", "options": "options of"}


def page(results: Sequence[dict[str, Any]], folders: Sequence[Path], episodes: int = 2) -> str:
    """The whole page about results of one suite; `folders` hold the episodes, and so many of each file are shown."""
    names = {result["suite"] for result in results}
    if len(names) != 1:
        raise MmgamesError(f"A report is about one suite, not about {', '.join(sorted(names))}.")
    if len(editions := {result.get("edition", 1) for result in results}) != 1:
        raise MmgamesError(f"A report is about one edition of a suite, not about {sorted(editions)}.")
    suite = find(names.pop()).that_made(results[0])
    named: dict[str, Any] = {}
    for result in results:
        own = result.get("header", {}).get("named")
        if named.setdefault(result["agent"], own) != own:
            raise MmgamesError(
                f"Two agents are called {result['agent']!r} in these runs, and no reader could tell them apart; "
                "evaluate one of them with another as=NAME."
            )
    columns = list(
        dict.fromkeys(row_name(row) for result in results for row in (*result["rows"], *result.get("unplayed", ())))
    )
    notes = [f"{result['agent']}, {line}" for result in results for line in (*refusals(result), *failures(result))]
    galleries = "\n".join(_file(path, episodes) for folder in folders for path in sorted(folder.glob("*.jsonl")))
    body = f"""<h1>{escape(suite.title)}</h1>
{_about(results)}
{"".join(f'<p class="missing">{escape(line)}</p>' for line in unplayed.lines(results))}
{html_tables.results_table(results, suite.entries, columns)}
{"".join(f'<p class="note">{escape(line)}</p>' for line in notes)}
<h2>Normalised scores</h2>
{charts.key([result["agent"] for result in results])}
<div class="plots">
{charts.bars(results, columns)}
{charts.radar({result["agent"]: suite.radar(result) for result in results})}
</div>
{html_tables.paper_tables(suite.paper_tables(results))}
<h2>Episodes</h2>
<p class="note">The first {episodes} of each file, turn by turn: what a seat saw, was told, replied and did.
<code>mmgames view {escape(" ".join(map(str, folders)))}</code> shows and searches all calls.</p>
{galleries or "<p>No episodes were kept.</p>"}"""
    return html_tables.closed_page(suite.title, body)


def _about(results: Sequence[Mapping[str, Any]]) -> str:
    """What made the numbers, for each result."""
    parts = []
    for result in results:
        made = result.get("header", {})
        told = {name: made[name] for name in ("named", "agents", "options", "prompts", "versions") if name in made}
        asked = {name: value for name, value in result.get("calls", {}).items() if value}
        facts = dict(_facts({LABELS.get(name, name): value for name, value in {**told, "asked": asked}.items()}))
        rows = "".join(f"<tr><td>{escape(name)}</td><td>{escape(said)}</td></tr>" for name, said in facts.items())
        policies = dict.fromkeys(row["illegal"]["policy"] for row in result["rows"])
        cost = "; ".join(COSTS.get(policy, policy).partition(", {")[0] for policy in policies)
        parts.append(
            f"<details><summary><b>{escape(result['agent'])}</b>: {result['episodes']} episodes, "
            f"seed {result['seed']}{seals.heading(result)}"
            f'; illegal replies: {escape(cost)}</summary><table class="facts">{rows}</table></details>'
        )
    return "\n".join(parts)


def _facts(said: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Nested facts as lines: `agents model: tiny`."""
    if isinstance(said, Mapping):
        for key, value in said.items():
            yield from _facts(value, f"{name} {key}".strip())
    elif isinstance(said, list) and any(isinstance(one, (Mapping, list)) for one in said):
        for number, one in enumerate(said, 1):
            yield from _facts(one, f"{name} {number}" if len(said) > 1 else name)
    elif said not in (None, [], [None]):
        yield name, ", ".join(map(str, said)) if isinstance(said, list) else str(said)


# The gallery


def _file(path: Path, episodes: int) -> str:
    """The first episodes or questions of a results file; journals and other files are left out."""
    if path.name.endswith(".calls.jsonl"):
        return ""
    about, rows = read(path)
    last = {row.get("episode", row.get("number")): row for row in rows}
    chosen = [last[number] for number in sorted(number for number in last if number is not None)][:episodes]
    if "match" in about:
        styles = [described_style(said) for said in about.get("descriptions") or [None] * len(about["agents"])]
        inside, what, who = [episode(row, styles) for row in chosen], about["match"], ", ".join(about["agents"])
    elif "task" in about:
        options = [f"{name}={value}" for name, value in options_of(about).items()]
        inside, what, who = (
            [_question(about, row) for row in chosen],
            about["task"],
            " ".join([about["agent"], *options]),
        )
    elif "policy" in about:
        inside, what, who = _views(about, chosen), about["policy"], about["agent"]
    else:
        return ""
    title = f"{escape(row_name({'environment': what}))} <small>{escape(who)}</small>"
    return f'<details class="file"><summary>{title}</summary>\n{"".join(inside)}</details>'


def episode(record: Mapping[str, Any], styles: Sequence[Mapping[str, Any]], title: str = "") -> str:
    """An episode turn by turn, folded under its title; `styles` says what each seat observed."""
    try:
        turns = "\n".join(_turns(record, styles))
    except MmgamesError as error:
        turns = f'<p class="missing">{escape(str(error))}</p>'
    returns = ", ".join(f"{value:g}" for value in record["returns"] or ())
    result = f"failed: {without_secrets(record['failed'])}" if record["failed"] else f"returns {returns}"
    title = title or f"Episode {record['episode']}, {len(record['actions'])} steps, {result}"
    return f"<details><summary>{escape(title)} <small>seed {record['seed']}</small></summary>\n{turns}</details>"


def _turns(record: Mapping[str, Any], styles: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What every mover of every step saw, was told, replied, did and got; at the end, what came to no move."""
    told: set[str] = set()
    waiting: list[_Turn] = []
    before: list[float] = []
    shown = 0
    replies = list(record.get("replies", ()))
    for step, live in enumerate(replay(record)):
        for turn in waiting:
            yield turn.written(f"reward {live.totals[turn.seat] - before[turn.seat]:g}")
        before, waiting = list(live.totals), []
        over = step >= len(record["actions"])
        for seat in live.movers:
            role = live.game.seats[seat]
            own = [one for one in replies if one["step"] == step and one["seat"] == role]
            if over and not own:
                continue
            shown += 1
            if shown > MOST_TURNS:
                yield f'<p class="note">… and {len(record["actions"]) - step} more steps.</p>'
                return
            view, style = live.view(seat), styles[seat]
            text = Observer(live.loaded, live.game, **style).text(view)
            fixed, mark, now = text.partition("## Now")
            prompt = text if fixed not in told else mark + now
            told.add(fixed)
            action = None if over else record["actions"][step][seat]
            name = live.loaded.words.names(view).get(action, action) if isinstance(action, int) else action
            picture = data_url(live.loaded.picture.draw(view, SIZE))
            did = "no move" if action is None else str(name)
            waiting.append(_Turn(step, seat, role, picture, "rgb" in style["observe"], prompt, did, own))
    for turn in waiting:
        yield turn.written("")
    ended = ending_of(live, record).lines()
    yield f'<p class="ended"><b>{escape(without_secrets(ended[0]))}</b> {escape("; ".join(ended[1:]))}</p>'


@dataclass(frozen=True)
class _Turn:
    step: int
    seat: int
    role: str
    picture: str
    was_shown: bool
    prompt: str
    did: str
    replies: Sequence[Mapping[str, Any]]

    def written(self, reward: str) -> str:
        note = "" if self.was_shown else "<br><small>it did not get the picture</small>"
        return (
            f'<div class="turn"><div>{image(self.picture, f"what {self.role} sees")}{note}'
            f"</div><div><b>{self.step + 1}. {escape(self.role)}</b> → {escape(self.did[:300])} "
            f"<small>{reward}</small>{_replies(self.replies)}"
            f"<details><summary>prompt</summary><pre>{escape(self.prompt)}</pre></details></div></div>"
        )


def image(url: str, what: str) -> str:
    """A picture that the browser decodes only when it comes into sight."""
    return f'<img loading="lazy" src="{escape(url)}" alt="{escape(what)}">'


def _replies(replies: Iterable[Mapping[str, Any]]) -> str:
    """What was replied, and why it was refused if it was."""
    return "".join(
        f'<pre class="reply{" refused" if "refused" in one else ""}">{escape(_cut(one["reply"])) or "(nothing)"}</pre>'
        + (f"<small>refused: {escape(one['refused'])}</small>" if "refused" in one else "")
        for one in replies
    )


def _cut(reply: str) -> str:
    return reply if len(reply) <= LONGEST else f"{reply[:LONGEST]}… ({len(reply):,} characters)"


def _views(about: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The views at which an agent was asked for its policy."""
    from mmgames.baselines.search.exploitability import information_sets

    loaded = load(about["policy"])
    game = loaded.game(**about["options"])
    loaded = loaded.shown(game)
    views = list(information_sets(game).items())
    parts = []
    for row in rows:
        view, (seat, _) = views[row["number"]]
        prompt = Observer(loaded, game, observe=("rgb", "text")).text(view)
        names = loaded.words.names(view)
        policy = ", ".join(f"{names.get(action, action)} {100 * share:.0f} %" for action, share in row["shares"])
        parts.append(
            f"<details><summary>View {row['number']}, {escape(game.seats[seat])}: {escape(policy)}</summary>"
            f'<div class="turn">{image(data_url(loaded.picture.draw(view, SIZE)), "the view")}<div>'
            f"<details><summary>prompt</summary><pre>{escape(prompt)}</pre></details>{_replies(row['replies'])}"
            "</div></div></details>"
        )
    return parts


def _question(about: Mapping[str, Any], row: Mapping[str, Any]) -> str:
    """A question with its pictures, what was replied each time it was asked, and what would have been right."""
    asked, answer = asked_again(about, row, SIZE)
    turns, seen = [], None
    for one in asked:
        again = one["pictures"] == seen  # the same question once more
        images = "" if again else "".join(image(url, "the question's picture") for url in one["pictures"])
        seen = one["pictures"]
        said = f"<pre>{escape(one['prompt'])}</pre>{_replies([one])}"
        turns.append(f'<div class="turn"><div>{images}</div><div>{said}</div></div>')
    right = f"<p>Right: {escape(answer[:500])}</p>"
    score = figure(row["score"])
    return f"<details><summary>Question {row['number']}: {score}</summary>{''.join(turns)}{right}</details>"
