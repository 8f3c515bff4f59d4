// The experimenter's page: how far everybody is. Participants have codes alone.

import { api, element, fail, note, view } from "./parts.js";

const LOOK = 3000; // ms
const watch = location.hash.slice(1);
const NAMES = { instructions: "reads the instructions", before: "answers questions before", lobby: "waits for a partner", between: "before a round",
  waiting: "waits for the others", round: "plays", question: "answers a question", after: "answers questions after", thanks: "is done", gone: "has gone" };
let shown = "";

async function look() {
  try {
    const found = await api("progress", undefined, watch);
    fail("");
    if (JSON.stringify(found) !== shown) { shown = JSON.stringify(found); show(found); }
  } catch (error) { fail(error); }
  setTimeout(look, LOOK);
}

const head = (...names) => element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name))));

function table(label, names, rows, empty) {
  if (!rows.length) return note(empty);
  return element("div", { className: "wide", tabIndex: 0, role: "region", ariaLabel: label }, element("table", { className: "rows" }, head(...names), element("tbody", {}, ...rows)));
}

const row = (...cells) => element("tr", {}, ...cells.map((cell) => element("td", {}, cell)));

function bar(step, steps) {
  const inner = element("i");
  inner.style.width = `${steps ? (100 * step) / steps : 0}%`;
  const made = element("div", { className: "bar", role: "img", ariaLabel: `${step} of ${steps} rounds` }, inner);
  return made;
}

function show(found) {
  document.getElementById("title").textContent = found.title;
  const done = found.people.filter((one) => one.stage === "thanks").length;
  const gone = found.people.filter((one) => one.stage === "gone").length;
  const link = location.href.split("dashboard.html")[0];
  const address = element("input", { value: link, readOnly: true, className: "address", ariaLabel: "link for participants", onfocus: () => address.select() });
  view().replaceChildren(
    element("h1", {}, found.title),
    element("p", {}, `${found.people.length} have come${found.places ? ` (${found.places} places)` : ""}, ${done} are done, ${gone} have gone.`),
    element("p", { className: "row" }, "Participants come by", address),
    ...found.wrong.map((text) => element("p", { className: "reply refused" }, text)),
    element("h2", {}, "Participants"),
    table("Participants", ["code", "group", "now", "rounds", "progress", "here"], found.people.map((one) => row(one.code, one.group === null ? "–" : String(one.group + 1),
      one.why ? `has gone: ${one.why}` : `${NAMES[one.stage]}${one.game ? ` (${one.game})` : ""}`, `${one.step} of ${one.steps}`, bar(one.step, one.steps),
      one.stage === "thanks" || one.stage === "gone" ? "–" : one.here ? "yes" : "no")), "Nobody has come yet."),
    element("h2", {}, "Rounds"),
    table("Rounds", ["game", "over", "in progress"], found.games.map((one) => row(one.game, String(one.over), String(one.now))), ""),
    element("h2", {}, "Groups by order of games and shift of seats"),
    table("Groups", ["order", "shift", "groups"], found.cells.map((one) => row(one.order, String(one.shift), String(one.groups))), ""),
  );
}

look();
