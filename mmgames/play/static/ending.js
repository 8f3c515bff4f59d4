// How a game ended: what everybody has collected, and what of.

import { element, rounded } from "./parts.js";

export function scores(found, own, people = [], called = (role) => role) {
  if (!found.scores?.length) return null;
  const names = [...new Set(found.scores.flatMap((score) => score.parts.filter(([, value]) => value).map(([name]) => name)))];
  const who = (role) => people.find((one) => one.role === role)?.who;
  const happened = Object.entries(found.events ?? {});
  const part = (score, name) => rounded(score.parts.find(([one]) => one === name)?.[1] ?? 0);
  const head = (text) => element("th", { scope: "col" }, text);
  return element("div", {},
    element("div", { className: "wide", tabIndex: 0, role: "region", ariaLabel: "Scores" }, element("table", {},
      element("thead", {}, element("tr", {}, head("seat"), people.length ? head("who") : null, ...names.map(head), head(names.length ? "in all" : "score"))),
      element("tbody", {}, ...found.scores.map((score) => element("tr", {},
        element("th", { scope: "row" }, score.role === own ? `${called(score.role)} (you)` : called(score.role)),
        people.length ? element("td", {}, who(score.role) ?? "") : null,
        ...names.map((name) => element("td", {}, part(score, name))),
        element("td", {}, element("b", {}, rounded(score.total)))))))),
    happened.length ? element("p", { className: "note" }, happened.map(([name, count]) => `${name}: ${count}`).join(" · ")) : null);
}
