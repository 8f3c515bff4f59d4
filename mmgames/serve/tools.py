"""What a program can ask for over the Model Context Protocol. A seat belongs to whoever has its key."""

import inspect
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, ImageContent, TextContent
from pydantic import ValidationError

from mmgames.agents.chat_messages import data_url
from mmgames.agents.finding import find_seat
from mmgames.core.registry import find, load
from mmgames.errors import MissingExtra, MmgamesError, unknown
from mmgames.play import gallery
from mmgames.serve.remote_game import GUEST, RemoteGame, RemoteGames

PATIENCE = 30.0  # seconds that a call waits for others to move; longer than that and a client may give it up

_INSTRUCTIONS = f"""\
Games to play by looking and reading. list_games names them, describe_game tells what can be chosen, start_game gives
you a seat and its key. Every answer shows the position as your seat sees it, with a picture; act with a reply as the
prompt asks for it. A seat of another {GUEST} gets a key too, to be handed to whoever plays it."""


def server(games: RemoteGames, patience: float = PATIENCE) -> MCPServer[Any]:
    """The server with its tools, for any transport."""
    from mmgames.version import __version__

    made = _GameServer("mmgames", instructions=_INSTRUCTIONS, version=__version__, log_level="ERROR")
    tools = Tools(games, patience)
    for tool in (
        *(tools.list_games, tools.describe_game, tools.start_game),
        *(tools.observe, tools.act, tools.replay, tools.leave),
    ):
        made.add_tool(tool, structured_output=False)
    return made


class _GameServer(MCPServer[Any]):
    """What we refuse reaches the caller as one sentence; anything else is a defect, which the SDK logs."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        tool = getattr(Tools, name, None)
        known = list(inspect.signature(tool).parameters)[1:] if tool is not None else []
        for argument in arguments:
            if tool is not None and argument not in known:
                raise ToolError(str(unknown("argument", argument, name, known)))
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            cause = error.__cause__
            if isinstance(cause, (MmgamesError, MissingExtra)):
                raise ToolError(str(cause)) from cause
            if isinstance(cause, ValidationError):
                wrong = cause.errors()[0]
                raise ToolError(f"The argument {str(wrong['loc'][0])!r} of {name} is wrong: {wrong['msg']}.") from cause
            raise


class Tools:
    def __init__(self, games: RemoteGames, patience: float) -> None:
        self._games, self._patience = games, patience

    def list_games(self) -> CallToolResult:
        """The games that can be played, one per line: name, number of seats, what happens."""
        known = [game for game in gallery.games() if not game["why"]]
        lines = [f"{game['name']} ({game['seats']}): {game['summary']}" for game in known]
        return _result("\n".join(lines), {"games": [{key: game[key] for key in _LISTED} for game in known]})

    def describe_game(self, game: str, options: dict[str, Any] | None = None) -> CallToolResult:
        """What can be chosen for a game: its seats, agents for the others, options with their defaults."""
        found = gallery.set_up(game, options or {})
        about = {
            "id": found["id"],
            "summary": found["summary"],
            "seats": [seat["role"] for seat in found["seats"]],
            "agents": self._games.known(find(game)),
            "options": {option.pop("name"): option for option in found["options"]},
        }
        lines = [f"{name} = {option['value']!r}: {option['doc']}" for name, option in about["options"].items()]
        said = [about["summary"], f"Seats: {', '.join(about['seats'])}.", f"Agents: {', '.join(about['agents'])}."]
        return _result("\n".join([*said, "Options:" if lines else "No options.", *lines]), about)

    def start_game(
        self,
        game: str,
        seat: str | None = None,
        others: str | list[str] | None = None,
        seed: int = 0,
        options: dict[str, Any] | None = None,
    ) -> CallToolResult:
        """Start a game and take a seat (the first, unless you name one). `others` is an agent for all other seats or a
        list of agents in their order, `guest` for a seat that another program takes. Keep the key that you get."""
        rules = load(game).game(**(options or {}))
        own = find_seat(rules, seat)
        roles = [role for number, role in enumerate(rules.seats) if number != own]
        chosen = [others] * len(roles) if isinstance(others, str) else others
        if chosen is None:
            chosen = [rules.spec.reference_for(number) for number in range(len(rules.seats)) if number != own]
        if len(chosen) != len(roles):
            raise MmgamesError(
                f"others= lists {len(chosen)} agents, but {rules.spec.id} has {len(roles)} other seats: "
                f"{', '.join(roles) or 'none'}."
            )
        agents = [*chosen[:own], GUEST, *chosen[own:]]
        self._games.check(rules.spec, agents)
        opened = self._games.open(game, agents, seed, options)
        keys = {opened.seats[number]: f"{opened.id}.{key}" for number, key in opened.keys.items()}
        mine = keys.pop(opened.seats[own])
        lines = [f"Your seat is {opened.seats[own]}, your key {mine}."]
        lines += [f"The key of {role} is {key}; hand it to whoever plays there." for role, key in keys.items()]
        return self._shown(opened, own, {"key": mine, "seat": opened.seats[own], "keys": keys}, lines)

    def observe(self, key: str) -> CallToolResult:
        """The position as your seat sees it, with the whole prompt; waits a while for your turn."""
        return self._shown(*self._find(key))

    def act(self, key: str, reply: str) -> CallToolResult:
        """Reply in the form that the prompt asks for; the answer is the position when it is your turn again. A reply
        that is no move is explained and asked for again; the third in a row loses."""
        game, seat = self._find(key)
        game.reply(seat, reply)
        return self._shown(game, seat, short=True)

    def replay(self, key: str, step: int = 0) -> CallToolResult:
        """A game that is over, step by step from 0: the position as a spectator saw it and what everybody did there."""
        game, _ = self._find(key)
        replayed = game.replayed()
        about, shown = replayed.about(), replayed.step(step, None)
        deeds = [f"{deed['role']}: {deed['action']}" for deed in shown["deeds"] if deed["action"] is not None]
        text = "\n".join([f"Step {step} of {about['steps']}.", shown["words"], *deeds])
        facts = {**about, "step": step, "totals": shown["totals"]}
        return _result(text, facts, [shown["picture"]])

    def leave(self, key: str) -> CallToolResult:
        """End a game before it is over; what was played of it is kept."""
        game, seat = self._find(key)
        game.leave(f"{game.seats[seat]} has left.")
        return _result("The game has ended.", {"over": True})

    def _find(self, key: str) -> tuple[RemoteGame, int]:
        id, _, secret = key.partition(".")
        return self._games.find(id, secret)

    def _shown(
        self,
        game: RemoteGame,
        seat: int,
        facts: dict[str, Any] | None = None,
        lines: list[str] | None = None,
        short: bool = False,
    ) -> CallToolResult:
        """What a seat is asked next, or how the game has ended."""
        asked, record = game.question(seat, self._patience), game.record
        if asked is not None:
            prompt = asked.observation["text"]
            if short:  # the rules were told already
                prompt = prompt[max(0, prompt.find("## Now\n")) :]
            said = {"over": False, "your_turn": True, "total": asked.total, **(facts or {})}
            seen = asked.observation["rgb"]
            pictures = [data_url(pixels) for pixels in (seen if seen.ndim == 4 else [seen])]
            return _result("\n\n".join([*(lines or []), prompt]), said, pictures, refused=bool(asked.refused))
        if record is None:
            wait = "The others are still thinking; observe again."
            return _result("\n\n".join([*(lines or []), wait]), {"over": False, "your_turn": False, **(facts or {})})
        if record["failed"] is not None:
            raise MmgamesError(f"The game has broken off: {record['failed']}")
        replayed = game.replayed()
        last = replayed.step(len(replayed.states) - 1, game.seats[seat])
        returns = dict(zip(game.seats, record["returns"], strict=True))
        end = "unfinished" if record.get("unfinished") else "over"
        why = "" if record.get("unfinished") else f" {replayed.ending.headline}"
        text = f"The game is {end}.{why} Returns: {', '.join(f'{role} {got:g}' for role, got in returns.items())}."
        said = {
            "over": True,
            "your_turn": False,
            "total": returns[game.seats[seat]],
            "returns": returns,
            **(facts or {}),
        }
        return _result("\n\n".join([*(lines or []), text, last["words"]]), said, [last["picture"]])


_LISTED = ("id", "name", "summary", "source", "family", "seats")


def _result(
    text: str, facts: dict[str, Any], pictures: list[str] | None = None, refused: bool = False
) -> CallToolResult:
    """Words, pictures (as `data:` URLs) and the same for programs; one that was refused is marked as an error."""
    content: list[Any] = [TextContent(type="text", text=text)]
    content += [ImageContent(type="image", data=url.partition(",")[2], mime_type="image/png") for url in pictures or ()]
    return CallToolResult(content=content, structured_content=facts, is_error=refused)
