"""The viewer over HTTP: all calls of runs, for this machine and whoever has the token alone.

No page runs a script, and all that was asked and replied is untrusted and goes through `escape`.
"""

import contextlib
import re
import secrets
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route

from mmgames.errors import MmgamesError
from mmgames.play.call_index import PAGE, CallIndex, Search
from mmgames.play.local_server import LocalServer
from mmgames.play.page_guard import PageGuard
from mmgames.play.rebuilt_prompts import RebuiltCall, rebuild
from mmgames.suites.pages.html_tables import filled, style
from mmgames.suites.pages.report import image
from mmgames.text.refusals import Illegal
from mmgames.text.secrets import without_secrets

POLICY = (
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


class Viewer(LocalServer):
    """The pages on a port of this machine; `url` is their address, with the token in it."""

    def __init__(self, folders: Sequence[Path], port: int = 0) -> None:
        self.index = CallIndex(folders)
        super().__init__(port)
        self.token = secrets.token_urlsafe(18)
        self.url = f"http://127.0.0.1:{self.port}/{self.token}/calls"
        routes = [
            Route("/", lambda request: RedirectResponse("calls")),
            Route("/calls", self.calls),
            Route("/call", self.call),
            Route("/style.css", lambda request: Response(VIEWER_STYLE, media_type="text/css")),
        ]
        refusals: dict[Any, Any] = {MmgamesError: _refuse}
        served = [Mount(f"/{self.token}", routes=routes)]
        app = Starlette(routes=served, exception_handlers=refusals, lifespan=self._open)
        self.app = PageGuard(app, self.token, self.hosts, POLICY)

    @contextlib.asynccontextmanager
    async def _open(self, app: Starlette) -> AsyncIterator[None]:
        self.index.start()
        try:
            yield
        finally:
            self.index.close()

    def calls(self, request: Request) -> Response:
        page = min(_number(request, "page") or 0, 10**9)
        return HTMLResponse(list_page(self.index, _search(request), page))

    def call(self, request: Request) -> Response:
        call, about, record = self.index.find(_number(request, "id") or 0)
        rebuilt: RebuiltCall | str
        try:
            rebuilt = rebuild(about, record, call["seat"], call["number"])
        except MmgamesError as error:
            rebuilt = str(error)
        except Exception as error:  # a record may hold anything
            rebuilt = f"The prompt cannot be rebuilt from this record: {type(error).__name__}: {error}"
        return HTMLResponse(call_page(call, about, rebuilt, _search(request)))


def _search(request: Request) -> Search:
    words, where, agent, game = (request.query_params.get(name, "") for name in ("words", "where", "agent", "game"))
    refused = bool(request.query_params.get("refused"))
    return Search(words, where, agent, game, refused, _number(request, "file"), _number(request, "episode"))


def _number(request: Request, name: str) -> int | None:
    text = request.query_params.get(name, "")
    if text and not (text.isdecimal() and len(text) < 19):
        raise MmgamesError(f"{name}={text!r} is no number.")
    return int(text) if text else None


async def _refuse(request: Request, error: Exception) -> Response:
    return HTMLResponse(refusal_page(str(error)), 404)


EXCERPT = 120  # characters of a reply in the list
WHERE = {"": "prompts and replies", "reply": "replies", "prompt": "prompts"}
COLUMNS = ("agent", "game", "episode", "seat", "turn", "tokens", "time", "refused", "reply")

VIEWER_STYLE = style("report") + style("calls")


def list_page(index: CallIndex, wanted: Search, page: int) -> str:
    """One page of the calls that are looked for, with the form to look for others."""
    count, calls = index.search(wanted, page)
    last = max(0, (count - 1) // PAGE)
    first = page * PAGE + 1
    shown = f"{count:,} calls" + (f", {first:,} to {first + len(calls) - 1:,}" if len(calls) < count and calls else "")
    rows = "\n".join(_row(call, wanted) for call in calls)
    heads = "".join(f'<th scope="col">{column}</th>' for column in COLUMNS)
    table = f'<table class="calls"><thead><tr>{heads}</tr></thead><tbody>\n{rows}\n</tbody></table>' if calls else ""
    refresh = '<meta http-equiv="refresh" content="2">' if index.state == "reading" else ""
    one = "" if wanted.episode is None else f' of episode {wanted.episode} <a href="calls">all calls</a>'
    body = f"""<h1>Calls</h1>
{_form(index, wanted)}
{_progress(index, wanted)}
<p><b>{shown}</b>{one}</p>
{table}
{_pages(wanted, page, last)}"""
    return _page("Calls", body, refresh)


def _form(index: CallIndex, wanted: Search) -> str:
    choices = index.choices()
    checked = " checked" if wanted.refused else ""
    return f"""<form action="calls" method="get" role="search">
<label class="words">words, or "a phrase"
<input type="search" name="words" value="{escape(wanted.words)}"></label>
<label>in {_select("where", WHERE, wanted.where)}</label>
<label>agent {_select("agent", _all(choices["agent"]), wanted.agent)}</label>
<label>game {_select("game", _all(choices["game"]), wanted.game)}</label>
<label class="check"><input type="checkbox" name="refused" value="1"{checked}> refused or failed only</label>
<button>Search</button>
</form>"""


def _all(names: Iterable[str]) -> dict[str, str]:
    return {"": "all", **{name: name for name in names}}


def _select(name: str, choices: Mapping[str, str], chosen: str) -> str:
    options = "".join(
        f'<option value="{escape(value)}"{" selected" if value == chosen else ""}>{escape(said)}</option>'
        for value, said in choices.items()
    )
    return f'<select name="{name}">{options}</select>'


def _progress(index: CallIndex, wanted: Search) -> str:
    """What is not yet there, and what cannot be."""
    lines = [f'<p class="missing">{escape(line)}</p>' for line in list(index.unread)]
    if index.state == "reading":
        lines.append(f'<p class="note">The run is being read: {index.calls:,} calls so far.</p>')
    elif index.prompts < index.calls and wanted.words and wanted.where != "reply":
        rest = "the others follow; search again" if index.state == "prompts" else "no record is kept of the others"
        told = f"Searched are all replies, and the prompts of {index.prompts:,} of {index.calls:,} calls: {rest}."
        lines.append(f'<p class="note">{told}</p>')
    return "\n".join(lines)


def _row(call: Any, wanted: Search) -> str:
    cells = {
        "agent": escape(call["agent"]),
        "game": escape(_short(call["game"])),
        "episode": str(call["episode"]),
        "seat": escape(call["seat"]),
        "turn": str((call["number"] if call["step"] is None else call["step"]) + 1),
        "tokens": _tokens(call),
        "time": _seconds(call),
        "refused": f'<span class="kind">{escape("failed" if call["failed"] else call["kind"])}</span>',
    }
    named = ("episode", "turn", "tokens")
    made = "".join(
        f"<td{f' data-name={name}' if name in named and cell else ''}>{cell}</td>" for name, cell in cells.items()
    )
    said = _excerpt(call["said"] or call["failed"], wanted.terms())
    return f'<tr>{made}<td class="said"><a href="call?{_query(wanted, id=call["id"])}">{said}</a></td></tr>'


def _excerpt(text: str, terms: Sequence[str]) -> str:
    """The beginning of a text, or what stands around the first hit in it."""
    hits = re.compile("|".join(re.escape(term) for term in sorted(terms, key=len, reverse=True)) or "(?!)", re.I)
    found = hits.search(text)
    start = max(0, found.start() - EXCERPT // 2) if found else 0
    part = text[start : start + EXCERPT]
    marked, at = "", 0
    for hit in hits.finditer(part):
        marked += f"{escape(part[at : hit.start()])}<mark>{escape(hit[0])}</mark>"
        at = hit.end()
    marked += escape(part[at:])
    return f"{'… ' if start else ''}{marked or '(nothing)'}{' …' if len(text) > start + EXCERPT else ''}"


def _short(game: str) -> str:
    return re.sub(r"-v\d+$", "", game.partition("/")[2] or game)


def _tokens(call: Any) -> str:
    both = [call["tokens_in"], call["tokens_out"]]
    return "" if both == [None, None] else " + ".join("?" if one is None else f"{one:,.0f}" for one in both)


def _seconds(call: Any) -> str:
    return "" if call["seconds"] is None else f"{call['seconds']:.2f} s"


def _query(wanted: Search, **more: Any) -> str:
    """The address of the same search with something else."""
    every = {**vars(wanted), "refused": "1" if wanted.refused else "", **more}
    return escape(urlencode({name: value for name, value in every.items() if value not in ("", None)}))


def _pages(wanted: Search, page: int, last: int) -> str:
    links = [f'<a href="calls?{_query(wanted, page=page - 1)}" rel="prev">previous {PAGE}</a>'] if page > 0 else []
    links += [f"page {page + 1:,} of {last + 1:,}"] if last else []
    links += [f'<a href="calls?{_query(wanted, page=page + 1)}" rel="next">next {PAGE}</a>'] if page < last else []
    return f'<p class="pages">{" ".join(links)}</p>'


def call_page(call: Any, about: Mapping[str, Any], rebuilt: RebuiltCall | str, wanted: Search) -> str:
    """One call; `rebuilt` may be a sentence that says why it cannot be rebuilt."""
    turn = (call["number"] if call["step"] is None else call["step"]) + 1
    where = f"{_short(call['game'])}, episode {call['episode']}{', ' * bool(call['seat'])}{call['seat']}, turn {turn}"
    facts = {
        "agent": call["agent"],
        "model": call["model"],
        "file": call["file_name"],
        "record step": "" if call["step"] is None else str(call["step"]),
        "call of this seat": str(call["number"] + 1),
        "tokens in + out": _tokens(call),
        "time": _seconds(call),
        "ended by": call["finish"],
        "failed": call["failed"],
    }
    told = "".join(f"<tr><td>{name}</td><td>{escape(value)}</td></tr>" for name, value in facts.items() if value)
    episode = Search(file=call["file"], episode=call["episode"])
    body = f"""<p><a href="calls?{_query(wanted)}">back to the list</a>, <a href="calls?{_query(episode)}">all calls of
this episode</a>, <a href="call?{_query(wanted, id=call["id"] - 1)}">the call before</a>,
<a href="call?{_query(wanted, id=call["id"] + 1)}">the next one</a></p>
<h1>{escape(where)}</h1>
<table class="facts">{told}</table>
{_asked(call, about, rebuilt)}
<h2>The reply</h2>
<pre class="reply{" refused" if call["kind"] else ""}">{escape(call["said"]) or "(nothing)"}</pre>
{_came_of_it(call, about, rebuilt)}"""
    return _page(where, body)


def _asked(call: Any, about: Mapping[str, Any], rebuilt: RebuiltCall | str) -> str:
    if isinstance(rebuilt, str):
        return f'<h2>What was asked</h2>\n<p class="missing">{escape(rebuilt)}</p>'
    same = rebuilt.fingerprint == call["prompt"]
    note = (
        "Rebuilt from the record; its fingerprint is that of what was sent."
        if same
        else "Rebuilt from the record. Its fingerprint is not that of what was sent: the agent may have been shown it "
        "otherwise, or words and pictures have changed since."
        if call["prompt"]
        else "Rebuilt from the record; no fingerprint was kept to compare it with."
    )
    system = _system(about)
    return f"""<h2>What was asked</h2>
<p class="{"note" if same else "missing"}">{note}</p>
{system}{"".join(map(_message, rebuilt.messages))}"""


def _system(about: Mapping[str, Any]) -> str:
    said = [about.get("description"), *(about.get("descriptions") or ())]
    hashes = dict.fromkeys(str(one["system"]) for one in said if isinstance(one, Mapping) and one.get("system"))
    told = f"There was a system prompt too; of it only a hash is kept: {', '.join(hashes)}."
    return f'<p class="note">{escape(told)}</p>' if hashes else ""


def _message(message: Mapping[str, Any]) -> str:
    content = message["content"]
    parts: list[Any] = [{"type": "text", "text": content}] if isinstance(content, str) else content
    shown = "".join(
        f"<pre>{escape(part['text'])}</pre>"
        if part["type"] == "text"
        else image(part["image_url"]["url"], "a picture of the prompt")
        for part in parts
    )
    role = escape(message["role"])
    return f'<div class="message {role}"><small>{role}</small>{shown}</div>\n'


def _came_of_it(call: Any, about: Mapping[str, Any], rebuilt: RebuiltCall | str) -> str:
    used = about.get("reading", "paragraph")
    rows = {}
    if not isinstance(rebuilt, str) and call["reply"] and not call["failed"]:
        name = "read" if used == "paragraph" else "read by the paragraph"
        read = rebuilt.read
        rows[name] = f"refused, {read.kind}: {read.reason}" if isinstance(read, Illegal) else read
    rows["refused in the run"] = f"{call['kind']}: {call['refused']}" if call["kind"] else ""
    if not isinstance(rebuilt, str):
        rows["played in this step"] = rebuilt.played
        rows["reward"] = "" if rebuilt.reward is None else f"{rebuilt.reward:g}"
        rows["right answer"] = rebuilt.right
        rows["how it ended"] = without_secrets(rebuilt.ending)
    told = "".join(f"<tr><td>{name}</td><td>{escape(value)}</td></tr>" for name, value in rows.items() if value)
    return f'<h2>What was read, and what came of it</h2>\n<table class="facts">{told}</table>'


def refusal_page(why: str) -> str:
    """Why there is no such page."""
    told = f'<h1>Not found</h1>\n<p class="missing">{escape(why)}</p>\n<p><a href="calls">all calls</a></p>'
    return _page("Not found", told)


def _page(title: str, body: str, head: str = "") -> str:
    return filled("served", head=head, title=escape(title), body=body)
