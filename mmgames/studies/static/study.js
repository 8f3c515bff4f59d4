// The page of a participant: consent, instructions, questions, the lobby, rounds, thanks. The server says what comes
// next; a reload goes on where it was. All that comes from the server is set as text, never as markup.

import { api, element, fail, note, rest, sure, view } from "./parts.js";
import { play } from "./game.js";

const LOOK = 1500; // ms between looks at what comes next
const KEPT = `study-${location.pathname}`;
const on = document.getElementById("on");

let shown = "", playing = null, leave = () => {}, timer = 0;

if (location.hash === "#new") { // somebody else begins at the same browser
  localStorage.removeItem(KEPT);
  history.replaceState(null, "", location.pathname);
}

const key = () => localStorage.getItem(KEPT);

async function look() {
  clearTimeout(timer);
  try {
    if (!key()) await welcome();
    else await follow(await api("me", undefined, key()));
  } catch (error) {
    fail(error);
  }
  timer = setTimeout(look, LOOK);
}

async function welcome() {
  if (shown) return;
  const found = await api("study");
  shown = "welcome";
  name(found.title);
  if (found.full) return sheet("Thank you for coming", words("All places in this study are taken."));
  const ticket = location.hash.slice(1), recruit = new URLSearchParams(location.search).get(found.recruit || "-");
  const agree = element("button", { className: "main" }, "I agree and take part");
  agree.onclick = async () => {
    try {
      const made = await api("join", { agree: true, ticket, recruit });
      localStorage.setItem(KEPT, made.key);
      await look();
    } catch (error) { fail(error); }
  };
  const no = element("button", {}, "I do not take part");
  no.onclick = () => { sheet("Thank you", words("You do not take part, and nothing was kept. You can close this page.")); };
  sheet("Before you begin", words(found.consent), note(found.rule), element("p", { className: "row" }, agree, no));
}

function name(title) {
  document.getElementById("title").textContent = title;
  document.title = title;
}

// What the server says comes now. A game that is over stays until its player goes on.
async function follow(now) {
  const stays = playing && playing.step !== now.step && now.stage !== "gone";
  document.getElementById("progress").textContent = [steps(stays ? { ...now, step: playing.step } : now), limit(now)].filter(Boolean).join(" · ");
  const place = JSON.stringify([now.stage, now.step, now.id, now.asked?.call, now.why]);
  if (place === shown) return;
  if (stays) return finished(now, place);
  show(now, place);
}

function finished(now, place) {
  if (on.firstChild) return;
  const more = element("button", { className: "main" }, "Go on");
  more.onclick = () => { playing = null; look(); };
  on.replaceChildren(element("div", { className: "end" }, element("span", {}, "This round is over."), more));
  more.focus();
}

const limit = (now) => (typeof now.left !== "number" ? "" : now.left > 90 ? `${Math.ceil(now.left / 60)} minutes left for this turn` : `${Math.ceil(now.left)} seconds left for this turn`);

const steps = (now) => (now.steps ? `Round ${Math.min(now.step + 1, now.steps)} of ${now.steps}` : "");

function show(now, place) {
  shown = place;
  leave();
  leave = () => {};
  playing = null;
  on.replaceChildren();
  fail("");
  rest();
  name(now.title);
  foot(now);
  const stages = { instructions, before: questions, after: questions, lobby, between, waiting, round, question, thanks, gone };
  stages[now.stage](now);
  view().focus({ preventScroll: true });
  scrollTo(0, 0);
}

function sheet(title, ...inside) {
  view().replaceChildren(element("div", { className: "sheet" }, element("h1", {}, title), ...inside));
}

const words = (text) => element("div", { className: "words" }, text);

const waiting = (now) => sheet("One moment", words("The round begins as soon as everybody is ready. Leave this page open."), dots());

function lobby(now) {
  sheet(now.waits > 1 ? "Waiting for a partner" : "One moment", words(now.waits > 1
    ? `You play with ${now.waits === 2 ? "somebody else" : `${now.waits - 1} others`}. It begins as soon as they are here. Leave this page open.`
    : "It begins at once."), dots());
}

const dots = () => element("p", { className: "note", role: "status" }, element("span", { className: "wait" }, "●"), " waiting …");

async function done(what) {
  try {
    await api("next", { key: key(), ...what });
    await look();
  } catch (error) { fail(error); }
}

function instructions(now) {
  sheet("How it goes", words(now.text), element("p", { className: "row" },
    element("button", { className: "main", onclick: () => done({ stage: "instructions" }) }, "Go on")));
}

function between(now) {
  const which = now.rounds > 1 ? `${now.task ? "Question" : "Round"} ${now.round} of ${now.rounds}.` : "";
  sheet(now.task ? "The next question" : `Next: ${now.game}`, which ? note(which) : "", now.text ? words(now.text) : "", element("p", { className: "row" },
    element("button", { className: "main", onclick: () => done({ stage: "between", step: now.step }) }, "I am ready")));
}

function round(now) {
  playing = { step: now.step };
  leave = play(now.id, now.key, () => Promise.resolve("#/"));
}

function questions(now) {
  const fields = now.questions.map(field);
  const form = element("form", { noValidate: true }, ...fields.map((one) => one.row),
    element("p", { className: "row" }, element("button", { className: "main" }, "Send and go on")));
  form.onsubmit = (event) => {
    event.preventDefault();
    fail("");
    done({ stage: now.stage, answers: Object.fromEntries(fields.map((one) => [one.id, one.value()])) });
  };
  sheet(now.stage === "before" ? "A few questions first" : "A few questions at the end", form);
}

function field(question) {
  const { id, ask, kind, optional } = question;
  const asked = optional ? `${ask} (you may leave it out)` : ask;
  if (kind === "choice" || kind === "scale") {
    const all = kind === "choice" ? question.choices : Array.from({ length: question.high - question.low + 1 }, (_, i) => String(question.low + i));
    const picks = all.map((text) => element("label", { className: "pick" }, element("input", { type: "radio", name: id, value: text }), text));
    const [low, high] = question.labels.length ? question.labels : ["", ""];
    const inside = kind === "choice" ? picks : [element("div", { className: "scale" }, low ? element("span", {}, low) : "", ...picks, high ? element("span", {}, high) : "")];
    const row = element("fieldset", {}, element("legend", {}, asked), ...inside);
    return { id, row, value: () => row.querySelector("input:checked")?.value ?? null };
  }
  const entry = kind === "number" ? element("input", { id: `q-${id}`, type: "number", step: "any" }) : element("textarea", { id: `q-${id}` });
  return { id, row: element("fieldset", {}, element("label", { className: "ask", htmlFor: `q-${id}` }, asked), entry), value: () => entry.value };
}

// A question about a game: what a model would be shown, and a field for the answer.
function question(now) {
  if (!now.asked) return sheet("One moment", dots());
  const entry = element("textarea", { id: "reply" });
  const form = element("form", {}, element("label", { className: "ask", htmlFor: "reply" }, now.asked.answers.length ? "Or type your answer" : "Your answer"), entry,
    element("p", { className: "row" }, element("button", { className: "main" }, "Send")));
  const send = async (said) => {
    try {
      await api("answer", { key: key(), call: now.asked.call, said });
      sheet("One moment", dots());
      await look();
    } catch (error) { fail(error); }
  };
  form.onsubmit = (event) => { event.preventDefault(); send(entry.value); };
  const buttons = now.asked.answers.length ? element("div", { className: "moves", role: "group", ariaLabel: "Answers" },
    ...now.asked.answers.map((name) => element("button", { onclick: () => send(name) }, name))) : "";
  const all = now.asked.pictures.length;
  const pictures = now.asked.pictures.map((url, place) => element("figure", {}, element("img", { src: url, alt: `Picture ${place + 1} of ${all}` }),
    all > 1 ? element("figcaption", {}, `Picture ${place + 1} of ${all}`) : ""));
  view().replaceChildren(element("div", { className: "asked" },
    element("div", { className: "shots", tabIndex: 0, role: "region", ariaLabel: "Pictures" }, ...pictures.reverse()),
    element("div", { className: "sheet" }, element("h1", {}, "Question"), words(now.asked.text), buttons, form)));
}

// What a recruiting service wants to hear.
function completion(now) {
  if (!now.completion) return "";
  return element("p", {}, "Your completion code: ", element("b", {}, now.completion), now.return_to ? element("span", {}, ". ", element("a", { href: now.return_to, rel: "noreferrer" }, "Go back to where you came from")) : "");
}

function thanks(now) {
  sheet("Thank you", words(now.text || "That was all. You can close this page."), completion(now), note(`Your code is ${now.code}. Keep it if you may want to ask for your data or have them removed.`));
}

function gone(now) {
  sheet("You no longer take part", words(`It ended because you ${now.why}. Thank you for coming; you can close this page.`), completion(now), note(`Your code is ${now.code}. Keep it if you may want to ask for your data or have them removed.`));
}

function foot(now) {
  const out = ["thanks", "gone"].includes(now.stage);
  const giving = now.stage === "round" ? asking("Give this round up", "Who gives a round up has lost it. Give it up?", () => api(`game/${encodeURIComponent(now.id)}/leave`, { key: now.key })) : "";
  const leaving = asking("Leave the study", "You cannot come back. Leave the study?", () => api("withdraw", { key: key() }));
  document.getElementById("foot").replaceChildren(...(out ? [] : [element("span", {}, `Your code: ${now.code}`), giving, leaving]));
}

function asking(name, question, act) {
  return element("button", { onclick: async () => {
    if (!(await sure(question, name, "Go on"))) return;
    try { await act(); await look(); } catch (error) { fail(error); }
  } }, name);
}

look();
