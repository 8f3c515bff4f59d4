// The page: a gallery, the choice of who plays, a game in progress, replays. The part of the address after # says
// which, so that a reload goes on where it was. All that comes from the server is set as text, never as markup.

import { api, element, fail, hostKey, note, pictured, rest, view } from "./parts.js";
import { play } from "./game.js";
import { replay, replays } from "./replay.js";
import { tour } from "./tour.js";
import { classDoor, countField, hosting, joined, nameRooms, openedRooms, rooms } from "./room.js";

async function gallery() {
  const { games, begin } = await api("games");
  if (begin && !sessionStorage.getItem(`begun-${location.pathname}`)) {
    sessionStorage.setItem(`begun-${location.pathname}`, "yes");
    location.hash = begin.agents.length ? await opened(begin) : `#/new/${encodeURIComponent(begin.game)}/${encodeURIComponent(begin.clock ?? "")}`;
    return;
  }
  const families = Map.groupBy ? Map.groupBy(games, (game) => game.family) : grouped(games);
  view().replaceChildren(
    element("h1", {}, "Choose a game"),
    note(hostKey() ? "Choose what is played in a room, and invite somebody to each seat." : "Take any seat, against agents or against somebody in another browser on this machine."),
    ...[...families].flatMap(([family, members]) => [
      element("h2", {}, family),
      element("ul", { className: "games" }, ...members.map(card)),
    ]),
  );
}

function grouped(games) {
  const families = new Map();
  for (const game of games) families.set(game.family, [...(families.get(game.family) ?? []), game]);
  return families;
}

function card(game) {
  const inside = [
    element("b", {}, game.title),
    element("span", {}, game.why || `${game.summary}.`),
  ];
  if (game.why) return element("li", {}, element("div", { className: "off" }, ...inside));
  const picture = pictured(`picture?game=${encodeURIComponent(game.id)}`);
  return element("li", {}, element("a", { href: `#/new/${encodeURIComponent(game.id)}` }, picture, ...inside));
}

// Who plays

async function setUp(game, chosen = {}, options = {}, seed = "", clock = "") {
  const found = await api(`set-up?game=${encodeURIComponent(game)}&options=${encodeURIComponent(JSON.stringify(options))}`);
  const seats = found.seats.map((seat) => seatField(seat, found.agents, chosen[seat.role], found.levels));
  const fields = found.options.map(optionField);
  const seedField = element("input", { type: "number", min: 0, value: seed, id: "seed", placeholder: "fresh deals" });
  const clockField = element("input", { value: clock, id: "clock", placeholder: "none", autocomplete: "off" });
  const number = countField();
  const set = () => Object.fromEntries(fields.filter((field) => field.changed()).map((field) => [field.name, field.value()]));
  for (const field of fields) {
    field.input.onchange = () => {
      const agents = Object.fromEntries(seats.map((seat) => [seat.role, seat.agent()]));
      setUp(game, agents, set(), seedField.value, clockField.value).catch(fail);
    };
  }
  const form = element(
    "form",
    { className: "form" },
    element("h1", {}, found.title),
    element("p", {}, `${found.summary}.`),
    tour(found.id),
    element("h2", {}, "Who plays"),
    ...seats.map((seat) => seat.row),
    note(hostKey() ? "Each person gets an address to play at." : `“A person” is you; of several, you are the first, and the others get an address to open in another browser.`),
    hostKey() ? element("div", { className: "option" }, element("label", { htmlFor: number.id }, "rooms"), number) : null,
    element(
      "details",
      { open: Object.keys(options).length > 0 },
      element("summary", {}, "Options"),
      ...fields.map((field) => field.row),
      element("div", { className: "option" }, element("label", { htmlFor: "seed" }, "seed"), seedField,
        element("small", {}, "Empty: deals that nobody has seen. A number deals the same games again, one after the other.")),
      element("div", { className: "option" }, element("label", { htmlFor: "clock" }, "clock"), clockField,
        element("small", {}, "Seconds for every turn, such as 30; or for the whole game and what each turn adds, such as 300+5. Empty: as long as it takes.")),
    ),
    element("p", { className: "row" }, element("button", { className: "main", id: "start" }, "Start")),
  );
  form.onsubmit = async (event) => {
    event.preventDefault();
    const agents = seats.map((seat) => seat.agent());
    try {
      const asked = { game: found.id, agents, options: set(), seed: seedField.value === "" ? null : Number(seedField.value), clock: clockField.value.trim() };
      location.hash = await (hostKey() ? openedRooms(asked, Number(number.value)) : opened(asked));
    } catch (error) {
      fail(error);
    }
  };
  view().replaceChildren(form);
}

export async function opened(asked) {
  const made = await api("game", asked);
  const [own] = made.seats;
  sessionStorage.setItem(`asked-${made.id}`, JSON.stringify(asked));
  sessionStorage.setItem(`invite-${made.id}`, JSON.stringify(made.seats));
  return `#/game/${made.id}/${own.key}`;
}

function seatField(seat, agents, chosen, levels) {
  const [name, ...rest] = (chosen ?? seat.agent).split(":");
  const id = `seat-${seat.role}`;
  const option = (value, text) => element("option", { value, selected: value === name }, text);
  const select = element("select", { id }, ...agents.map((agent) => option(agent.name, agent.called)),
    levels.length ? element("optgroup", { label: "By strength, as measured" }, ...levels.map((one) => element("option", { value: one.agent === one.agent.split(":")[0] ? `${one.agent}:` : one.agent }, one.called))) : "");
  const does = element("p", { className: "note", id: `${id}-does` });
  const form = element("div", { className: "agent" });
  let fields = [];
  select.setAttribute("aria-describedby", does.id);
  const shown = (given) => {
    const agent = agents.find((one) => one.name === base()) ?? agents[0];
    does.textContent = agent.does;
    fields = agent.options.map((option) => agentField(option, seat.role, given));
    const needed = fields.filter((field) => field.option.required), more = fields.filter((field) => !field.option.required);
    form.replaceChildren(...needed.map((field) => field.row),
      more.length ? element("details", { open: more.some((field) => field.text()) }, element("summary", {}, `Options of ${agent.called}`), ...more.map((field) => field.row)) : "");
  };
  const base = () => select.value.split(":")[0];
  select.onchange = () => shown(written(select.value.split(":").slice(1).join(":"), agents.find((one) => one.name === base())));
  shown(written(rest.join(":"), agents.find((one) => one.name === name)));
  return {
    role: seat.role,
    row: element("div", { className: "seat" }, element("label", { htmlFor: id }, seat.called), element("div", {}, select, does, form)),
    agent: () => [base(), fields.map((field) => field.text()).filter(Boolean).join(",")].filter(Boolean).join(":"),
  };
}

// The options that were written behind a name: depth=3, or the first ones without their names.
function written(rest, agent) {
  const given = {};
  rest.split(",").filter(Boolean).forEach((part, place) => {
    const [, name, value] = part.match(/^(\w+)=(.*)$/) ?? [null, agent?.options[place]?.name, part];
    if (name) given[name] = value;
  });
  return given;
}

function agentField(option, role, given) {
  const id = `${role}-${option.name}`;
  const choices = typeof option.default === "boolean" ? ["", "True", "False"] : null;
  const usual = option.default === null || option.default === "" ? "" : typeof option.default === "boolean" ? (option.default ? "True" : "False") : String(option.default);
  const input = choices
    ? element("select", { id }, ...choices.map((choice) => element("option", { value: choice, selected: choice === (given[option.name] ?? "") }, choice || `as usual (${usual})`)))
    : element("input", { id, value: given[option.name] ?? "", placeholder: usual, required: option.required, autocomplete: "off" });
  return {
    option,
    text: () => (input.value.trim() ? `${option.name}=${input.value.trim()}` : ""),
    row: element("div", { className: "option" }, element("label", { htmlFor: id }, option.name), input, option.doc ? element("small", {}, option.doc) : ""),
  };
}

function optionField(option) {
  const id = `option-${option.name}`;
  const texts = option.choices.map((choice) => JSON.stringify(choice));
  const numeric = typeof option.default === "number";
  const input = texts.length
    ? element("select", { id }, ...texts.map((text, i) => element("option", { value: text, selected: text === JSON.stringify(option.value) }, String(option.choices[i]))))
    : element("input", { id, value: option.value ?? "", type: numeric ? "number" : "text", step: "any",
        ...(option.low === null ? {} : { min: option.low }), ...(option.high === null ? {} : { max: option.high }) });
  const value = () => {
    if (texts.length) return JSON.parse(input.value);
    if (numeric) return Number(input.value);
    try { return JSON.parse(input.value); } catch { return input.value; }
  };
  return {
    name: option.name,
    input,
    value,
    changed: () => input.value !== "" && JSON.stringify(value()) !== JSON.stringify(option.default),
    row: element("div", { className: "option" }, element("label", { htmlFor: id }, option.name), input, element("small", {}, option.doc)),
  };
}

// Where in the page

let leave = () => {}, routing = Promise.resolve(), asked = 0;

// One after the other: a page that takes long must not come over the one that was asked for after it.
function route(event) {
  const own = ++asked;
  routing = routing.then(() => (own === asked ? show(event) : null));
}

async function show(event) {
  leave();
  leave = () => {};
  fail("");
  rest();
  const [place, ...more] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  document.title = "mmgames";
  if (place === "view") return;
  nameRooms();
  if (event) view().focus({ preventScroll: true });
  scrollTo(0, 0);
  view().replaceChildren();
  try {
    if (place === "new") await setUp(more[0], {}, {}, "", more[1]);
    else if (place === "game") leave = play(more[0], more[1], opened);
    else if (place === "room") leave = joined(more[0]);
    else if (place === "class") classDoor();
    else if (place === "host") hosting(more[0]);
    else if (place === "rooms") leave = rooms();
    else if (place === "replays") await replays(more[0]);
    else if (place === "replay") await replay(more[0], Number(more[1]), more[2]);
    else await gallery();
  } catch (error) {
    fail(error);
  }
}

window.addEventListener("hashchange", route);
route();
