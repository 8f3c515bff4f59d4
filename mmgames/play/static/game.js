// A game in progress: the picture with the places to click, the moves, the field to type in, the talk, the rules.

import { animate, api, AWAY, chat, delivered, element, fail, picture, quiet, rest, rounded, sure, talkList, told, view } from "./parts.js";
import { Stream } from "./stream.js";
import { scores } from "./ending.js";
import { clocks } from "./clocks.js";
import { course } from "./course.js";
import { sound, soundButton } from "./sounds.js";
import { tour } from "./tour.js";

const KEYS = { ArrowUp: ["up"], ArrowDown: ["down"], ArrowLeft: ["left"], ArrowRight: ["right"], " ": ["interact", "fire", "stay", "noop"], s: ["stay", "wait", "noop"] };
const SIGNS = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", " ": "Space", s: "S" };
const RELOAD = 2000; // ms that somebody may be away to load the page again
const FEW = 14; // so many moves are all in sight; of more a part, and all of them on the board
const PACE = 500; // how long, in ms, each of several positions in a row is shown

// `room` is there for games in rooms: `again` begins the next one, `over` waits for it, `watches` is a spectator.
export function play(id, key, opened, room = null) {
  let compiling = ""; // what the game waits for
  const past = []; // by step: what was seen, as far as it was
  const timed = clocks();
  const made = course((step) => { earlier.value = step + 1; lookBack(); });
  const waiting = []; // messages that are still to be shown
  let intro = null, frame = null, image = null, showing = false, sent = false, path = [], closed = false, ended = false, talked = -1;
  let table = { people: [], waiting: [], draw: { by: "", said: "" } }, away = 0, seatedAt = 0, headline = "", held = null;

  const board = element("div", { className: "board", role: "group" });
  const turn = element("p", { className: "turn", role: "status", tabIndex: -1 }, "Waiting for the game …");
  const seats = element("ul", { className: "seats", ariaLabel: "Who plays" });
  const stand = element("div", { className: "stand", ariaLive: "polite" });
  const status = element("p", { className: "status" });
  const moves = element("div", { className: "moves", role: "group", ariaLabel: "Moves" });
  const field = element("div", { className: "field" });
  const end = element("div");
  const invite = element("div");
  const talk = talkList();
  const talkBox = element("section", { hidden: true, className: "talk" }, element("h2", {}, "Talk"), element("div", { role: "log", ariaLabel: "Talk" }, talk));
  const side = element("aside", { className: "side" });
  const words = element("pre", { className: "told" });
  const title = element("h1", {}, "One moment");
  const goal = element("p", { className: "goal" });
  const leaving = element("button", { className: "leave", hidden: true, onclick: () => ask("leave", {}, `${intro.leaving} Leave it?`, "Leave the game") }, "Leave the game");
  const resigning = element("button", { hidden: true, onclick: () => ask("resign", {}, "Who resigns has lost. Resign?", "Resign") }, "Resign");
  const drawing = element("button", { hidden: true, onclick: () => ask("draw", {}, "If the other agrees, nobody has won. Offer a draw?", "Offer a draw") }, "Offer a draw");
  const undoing = element("button", { hidden: true, onclick: () => ask("take-back") }, "Take back");
  const standing = element("button", { hidden: true, onclick: () => (mine()?.deputy ? ask("return")
    : ask("deputy", { role: intro.role }, "An agent plays on in your place until you come back. Let it?", "Let it play")) });
  const rule = element("p", { className: "note", hidden: true });
  const earlier = element("input", { type: "range", min: 1, max: 1, value: 1, className: "scrub", ariaLabel: "look back", oninput: () => lookBack() });
  const looking = element("div", { hidden: true, className: "look" }, element("label", {}, "Look back ", earlier));
  // What ends the game stands above the board, where no move ever stands.
  const head = element("div", { className: "head" }, element("div", { className: "row" }, title, resigning, standing, leaving), goal, seats, invite);
  const hands = element("div", { className: "hands" }, turn, stand, end, status, moves, field, element("p", { className: "row" }, undoing, drawing), rule);
  const all = element("div", { className: "play" }, element("div", { className: "first" }, head, element("div", { className: "stage" }, board), talkBox, hands), side);
  view().replaceChildren(all);

  const source = new Stream(`game/${encodeURIComponent(id)}/events`, key);
  source.onmessage = (message) => { fail(""); waiting.push(message); next(); };
  source.onlost = () => { if (!ended) fail(AWAY); };
  source.onrefused = (reason) => { if (!ended) fail(reason || "The game cannot be reached."); room?.over(); };
  document.addEventListener("keydown", pressed);

  const spoken = room?.box();
  const called = (role) => intro?.called?.[role] ?? role;
  const alone = () => Object.keys(intro.called).length === 1; // who has no name but the player

  async function next() {
    if (showing) return;
    showing = true;
    while (waiting.length && !closed) {
      const message = waiting.shift();
      if (message.begin) begin(message.begin);
      if (message.course) message.course.forEach((deeds, step) => made.add(step, deeds));
      if (message.clocks) { timed.tell(message.clocks); showTable(); }
      if (message.frame && (!frame || message.frame.number > frame.number)) {
        await show(message.frame);
        if (waiting.length && !quiet()) await new Promise((resolve) => setTimeout(resolve, waiting.length > 10 ? PACE / 5 : PACE));
      }
      if (message.table) seated(message.table);
      if (message.chat) spoken?.show(message.chat);
      if (message.compiling) compiling = message.compiling;
      else compiling = "";
      if (message.elsewhere) { source.close(); fail(message.elsewhere); }
      if (message.end) over(message.end);
    }
    showing = false;
    if (!closed) showTable();
  }

  function begin(told_) {
    if (intro) return;
    intro = told_;
    document.title = `${intro.game} – mmgames`;
    title.textContent = room?.watches ? `${intro.game}: you look on` : alone() ? intro.game : `${intro.game}: you are ${called(intro.role)}`;
    if (intro.hidden) turn.textContent = "Players hide something from each other. You will be shown what it was when the game is over.";
    goal.textContent = intro.goal;
    showInvitations();
    const wide = matchMedia("(min-width: 52rem)").matches;
    side.replaceChildren(
      ...(spoken ? [spoken.box] : []),
      looking,
      made.box,
      told(intro.rules.includes("\nThe manual:") ? "Rules and manual" : "Rules", [intro.you, intro.rules].filter(Boolean).join("\n\n") || intro.goal, wide),
      ...(intro.legend ? [told("The picture", intro.legend)] : []),
      element("details", {}, element("summary", {}, "The position in words"), words),
      tour(intro.id, () => api(`game/${encodeURIComponent(id)}/tour`, undefined, key)),
      soundButton(),
    );
    const late = intro.resigns ? "Who runs out of time has lost." : "For who is late a random move is made.";
    rule.textContent = [intro.draws ? intro.draw_rule : "", intro.clock ? `Clock: ${intro.clock} seconds. ${late}` : ""].filter(Boolean).join(" ");
    rule.hidden = !rule.textContent;
    if (!room?.watches) field.replaceChildren(typed());
  }

  async function show(found) {
    const before = image;
    image = await picture(found.picture, `What ${called(intro.role) ?? "a spectator"} sees; “The position in words” tells the same.`);
    frame = found;
    sent = false;
    path = [];
    board.dataset.number = found.number;
    board.style.aspectRatio = `${found.width} / ${found.height}`;
    board.style.setProperty("--ratio", found.width / found.height);
    board.replaceChildren(image);
    animate(board, before, image);
    const step = found.step ?? past.length; // spectators have a list of what they have seen
    past.length = Math.min(past.length, step); // moves may have been taken back
    past[step] = { picture: found.picture, words: found.words };
    if (found.deeds) made.add(step, found.deeds);
    sound(found.yours ? "yours" : "move");
    earlier.max = past.length;
    earlier.value = past.length;
    looking.hidden = past.length < 2;
    status.textContent = found.status;
    words.textContent = found.words;
    talkBox.hidden = !found.talk.length && intro.kind !== "text";
    all.classList.toggle("talks", !talkBox.hidden);
    if (talked !== found.talk.length) {
      talked = found.talk.length;
      talk.replaceChildren(...(found.talk.length ? chat(found.talk, called(intro.role)) : [element("li", { className: "event" }, "Nobody has said anything yet.")]));
      talk.scrollTop = talk.scrollHeight;
    }
  }

  // Who sits where, and who of them is here. Who has just gone may only be loading the page again.
  function seated(found) {
    table = found;
    seatedAt = performance.now();
    clearTimeout(away);
    away = setTimeout(() => { if (!closed) showTable(); }, found.people.every((one) => one.here) || invited().length ? 0 : RELOAD);
  }

  const mine = () => table.people.find((one) => one.role === intro?.role);

  // The server says how long somebody may stay away before an agent may play on.
  function standIn(one) {
    if (room?.watches || one.grace === null) return null;
    const left = one.grace - (performance.now() - seatedAt) / 1000;
    if (left <= 0) return element("button", { onclick: () => ask("deputy", { role: one.role }) }, `Let an agent play on for ${called(one.role)}`);
    clearTimeout(away);
    away = setTimeout(() => { if (!closed) showTable(); }, 1000);
    return element("span", {}, `An agent may play on in ${Math.ceil(left)} seconds.`);
  }

  function showTable() {
    seats.replaceChildren(...table.people.map((one) => element("li", { className: one.here || one.deputy ? "" : "gone" },
      element("b", {}, called(one.role)), ` ${whois(one)} `, scored(one.role), timed.of(one.role, called(one.role)))), ...(table.watching ? [element("li", {}, `${table.watching} looking on`)] : []));
    const gone = ended ? [] : table.people.filter((one) => one.person && !one.here && !one.deputy);
    stand.replaceChildren(...gone.map((one) => element("p", { className: "row" }, `${called(one.role)} is not here.`,
      handOver(one.role), standIn(one))), ...(ended || room?.watches ? [] : drawNews()));
    if (frame) offer();
  }

  // What there is to be said about a draw: one that is offered is to be answered.
  function drawNews() {
    const { by, said } = table.draw;
    if (!by) return said ? [element("p", { className: "note" }, said)] : [];
    if (by === intro?.role) return [element("p", { className: "note" }, "You have offered a draw.")];
    return [element("p", { className: "row" }, element("b", {}, `${called(by)} offers a draw.`),
      element("button", { onclick: () => ask("draw", { taken: true }, "The game ends at once, and nobody has won. Agree?", "Agree") }, "Agree"),
      element("button", { onclick: () => ask("draw", { taken: false }) }, "Decline"))];
  }

  // What gives something away comes with a question.
  async function ask(what, more = {}, question = "", yes = "") {
    if (question && !(await sure(question, yes))) return;
    try { fail(""); await api(`game/${encodeURIComponent(id)}/${what}`, { key, ...more }); turn.focus(); } catch (error) { fail(error); }
  }

  // What everybody has so far, as far as one may know it.
  const scored = (role) => (frame?.scores?.[role] === undefined ? null : element("span", { className: "score", ariaLabel: `score of ${called(role)}` }, rounded(frame.scores[role])));

  const whois = (one) => one.deputy ? `${one.deputy}, for ${one.role === intro?.role ? "you" : "a person who is away"}` : one.role === intro?.role ? "you" : !one.person ? one.who : `${one.name || "a person"}${one.here ? "" : ", not here"}`;

  function waitingText() {
    if (sent && !table.waiting.length) return "Sent. Waiting for the answer …";
    const others = table.people.filter((one) => table.waiting.includes(one.role) && one.role !== intro.role);
    if (!others.length) return "Waiting for the others …";
    return `${sent ? "Sent. " : ""}Waiting for ${others.map((one) => `${called(one.role)} (${whois(one)})`).join(", ")} …`;
  }

  // Where one browser has the keys of several seats, it can go from hand to hand.
  function handOver(role) {
    const seat = invited().find((one) => one.role === role);
    return seat ? element("button", { onclick: () => { location.hash = `#/game/${id}/${seat.key}`; } }, `Play ${called(role)} here`) : null;
  }

  function invited() { return JSON.parse(sessionStorage.getItem(`invite-${id}`) ?? "[]").filter((seat) => seat.key !== key); }

  // The controls of one position give way to those of the next; the focus stays where it was, or near.
  function hold() {
    const at = document.activeElement;
    if (board.contains(at) || moves.contains(at)) held = { where: board.contains(at) ? board : moves, name: at.ariaLabel, box: middle(at) };
    else if (field.contains(at)) held = null;
  }

  function settle(open) {
    if (!held || (document.activeElement && document.activeElement !== document.body && document.activeElement !== turn)) return;
    if (!open) return turn.focus();
    const left = [...held.where.querySelectorAll("button")];
    const far = (one) => { const [x, y] = middle(one); return (x - held.box[0]) ** 2 + (y - held.box[1]) ** 2; };
    const nearest = left.find((one) => one.ariaLabel === held.name) ?? left.sort((a, b) => far(a) - far(b))[0];
    (nearest ?? moves.querySelector("button") ?? document.getElementById("said") ?? turn).focus({ preventScroll: true });
  }

  const middle = (one) => [one.offsetLeft + one.offsetWidth / 2, one.offsetTop + one.offsetHeight / 2];

  // An earlier position as it was seen; nothing can be done in it.
  async function lookBack() {
    const place = Number(earlier.value), now = place === past.length;
    made.mark(place - 1);
    try {
      const seen = past[place - 1] ??= await api(`game/${encodeURIComponent(id)}/position?step=${place - 1}`, undefined, key);
      const shown = now ? image : await picture(seen.picture, `Position ${place} of ${past.length}, as ${called(intro.role)} saw it`);
      if (place !== Number(earlier.value)) return;
      board.replaceChildren(shown);
      words.textContent = seen.words;
      if (now) offer();
    } catch (error) {
      fail(error);
    }
  }

  // Show what can be done now.
  function offer() {
    if (compiling) turn.textContent = "The game is being made ready. This takes some seconds, the first time only …";
    if (!frame || compiling) return;
    const open = frame.yours && !sent && !ended && !mine()?.deputy;
    hold();
    turn.className = ended ? "turn over" : open ? "turn yours" : "turn";
    turn.textContent = ended ? headline : frame.over ? "The game is over." : open ? (alone() ? "Your turn." : `Your turn, ${called(intro.role)}.`) : waitingText();
    const chosen = matching();
    moves.replaceChildren(...(open ? chosen.map(moveButton) : []));
    moves.classList.toggle("few", chosen.length <= FEW);
    for (const spot of board.querySelectorAll(".spot")) spot.remove();
    if (open && Number(earlier.value) === past.length) spots();
    for (const control of field.querySelectorAll("input, textarea")) control.readOnly = !open; // a field that is disabled would lose the focus
    for (const control of field.querySelectorAll("button")) control.disabled = !open;
    leaving.hidden = field.hidden = ended || frame.over || Boolean(room?.watches);
    standing.hidden = leaving.hidden || Boolean(intro.clock) || table.people.filter((one) => one.person).length < 2;
    standing.textContent = mine()?.deputy ? "Play on myself" : "Let an agent play";
    resigning.hidden = !open || !intro.resigns;
    drawing.hidden = !open || !intro.draws || table.draw.by !== "";
    undoing.hidden = !open || !frame.back;
    settle(open);
  }

  const keyOf = (box) => box.join(",");
  const matching = () => frame.moves.filter((move) => path.every((box, i) => move.boxes[i] && keyOf(move.boxes[i]) === keyOf(box)));

  function spots() {
    const places = new Map();
    for (const move of matching()) {
      const box = move.boxes[path.length];
      if (box) places.set(keyOf(box), [...(places.get(keyOf(box)) ?? []), move]);
    }
    const chosen = path.at(-1);
    board.classList.toggle("many", places.size > 40);
    if (chosen) board.append(spot(chosen, "Choose another one", () => { path = []; offer(); focusFirst(); }, "spot chosen"));
    for (const found of [...places.values()].sort((a, b) => order(a[0].boxes[path.length], b[0].boxes[path.length]))) {
      const box = found[0].boxes[path.length];
      const names = found.map((move) => move.name).join(", ");
      board.append(spot(box, names, () => point(box, found)));
    }
  }

  const order = (a, b) => a[1] - b[1] || a[0] - b[0];

  function spot(box, name, onclick, className = "spot") {
    const made = element("button", { className, onclick, ariaLabel: name, title: name });
    const [x, y] = [(value) => `${(100 * value) / frame.width}%`, (value) => `${(100 * value) / frame.height}%`];
    Object.assign(made.style, { left: x(box[0]), top: y(box[1]), width: x(box[2] - box[0]), height: y(box[3] - box[1]) });
    return made;
  }

  function point(box, found) {
    const done = found.filter((move) => move.boxes.length === path.length + 1);
    if (found.length === 1 && done.length === 1) return send(found[0].action, found[0].name);
    path = [...path, box];
    offer();
    if (done.length) turn.textContent = "Which of these? Choose a move below the picture.";
    (done.length ? moves.querySelector("button") : board.querySelector(".spot:not(.chosen)"))?.focus();
  }

  function focusFirst() { board.querySelector(".spot")?.focus(); }

  function moveButton(move) {
    const key = Object.keys(KEYS).find((one) => meant(one) === move);
    return element("button", { onclick: () => send(move.action, move.name), ariaLabel: move.name }, key ? element("kbd", {}, SIGNS[key]) : "", key ? " " : "", move.name);
  }

  const plain = (name) => name.toLowerCase().replace(/[^a-z]/g, "");
  const meant = (key) => {
    for (const name of KEYS[key] ?? []) {
      const move = frame.moves.find((one) => plain(one.name) === name);
      if (move) return move;
    }
    return null;
  };

  function pressed(event) {
    if (!frame || event.ctrlKey || event.altKey || event.metaKey) return;
    const at = document.activeElement;
    if (at && /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName)) return;
    if (at === talk) return; // keys scroll it
    if (event.key === "Escape" && path.length) { path = []; offer(); return focusFirst(); }
    if (event.key === " " && at && /^(BUTTON|A|SUMMARY)$/.test(at.tagName)) return;
    if (event.key === "," || event.key === ".") return made.go(event.key === "," ? -1 : 1);
    const move = meant(event.key);
    if (move) {
      event.preventDefault();
      if (frame.yours && !sent && !event.repeat) send(move.action, move.name);
    } else if (event.key.startsWith("Arrow") && board.querySelector(".spot")) {
      event.preventDefault();
      steer(event.key, at);
    }
  }

  // From one place in the picture to the nearest one in a direction.
  function steer(key, at) {
    if (!at?.classList.contains("spot")) return focusFirst();
    const [x, y] = middle(at);
    const [dx, dy] = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[key];
    let best = null, least = Infinity;
    for (const one of board.querySelectorAll(".spot")) {
      const [a, b] = middle(one);
      const along = (a - x) * dx + (b - y) * dy, aside = Math.abs((a - x) * dy) + Math.abs((b - y) * dx);
      if (along > 1 && along + 2 * aside < least) [best, least] = [one, along + 2 * aside];
    }
    best?.focus();
  }

  function typed() {
    const talks = intro.kind === "text";
    const entry = talks ? element("textarea", { id: "said", maxLength: 200000 }) : element("input", { id: "said", autocomplete: "off", maxLength: 200000 });
    const form = element("form", { className: "typed" },
      element("label", {}, talks ? "Your message (Shift+Enter: a new line)" : "Or type a move", entry),
      element("button", { className: "main" }, "Send"));
    form.onsubmit = (event) => {
      event.preventDefault();
      const meant = talks ? null : frame.moves.find((one) => one.name.toLowerCase() === entry.value.trim().toLowerCase());
      send(meant ? meant.action : entry.value);
    };
    entry.onkeydown = (event) => {
      if (talks && event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); form.requestSubmit(); }
    };
    return element("div", {}, form, intro.notation ? told("How to answer", intro.notation) : null);
  }

  // A move that is clicked in a game of talk goes below what is typed.
  async function send(said, name) {
    if (!frame.yours || sent) return;
    const entry = document.getElementById("said");
    if (intro.kind === "text" && name && entry.value.trim()) said = `${entry.value}\n${said}`;
    sent = true;
    fail("");
    rest();
    offer();
    try {
      await delivered(`game/${encodeURIComponent(id)}/move`, { key, number: frame.number, said });
      entry.value = "";
    } catch (error) {
      fail(error);
      sent = false;
      offer();
      if (!name) entry.focus();
    }
  }

  function over(found) {
    const mine = view().contains(document.activeElement) || document.activeElement === document.body;
    ended = true;
    source.close();
    timed.stop();
    sound("end");
    headline = found.headline;
    showTable();
    const asked = JSON.parse(sessionStorage.getItem(`asked-${id}`) ?? "null");
    const again = element("button", { className: "main" }, "Play again");
    again.onclick = async () => { try { await (room ? room.again() : opened(asked).then((hash) => { location.hash = hash; })); } catch (error) { fail(error); } };
    room?.over();
    end.replaceChildren(element("div", { className: "end" },
      found.won.length && intro.role ? element("p", {}, element("b", {}, found.won.includes(intro.role) ? "You have won." : "You have lost.")) : null,
      scores(found, intro.role, table.people, called),
      found.unsaved ? element("p", {}, `It could not be kept: ${found.unsaved}`) : null,
      found.revealed ? revealing(found.revealed) : null,
      element("p", { className: "row" }, asked || (room && !room.watches) ? again : null,
        found.file ? element("a", { href: `#/replay/${encodeURIComponent(found.file)}/${found.episode}` }, "Replay it") : null,
        room ? null : element("a", { href: "#/" }, "All games"))));
    if (!frame) Object.assign(turn, { className: "turn over", textContent: headline });
    if (mine) { offer(); turn.focus(); }
  }

  // Nothing is hidden any more: the picture is a spectator's, and one's own can be looked at again.
  function revealing(found) {
    const own = frame && { picture: image.src, width: frame.width, height: frame.height, words: frame.words };
    const change = element("button", { ariaPressed: "true", hidden: !own }, "Show everything");
    const show = async (shown, alt) => {
      image = await picture(shown.picture, alt);
      board.style.aspectRatio = `${shown.width} / ${shown.height}`;
      board.style.setProperty("--ratio", shown.width / shown.height);
      board.replaceChildren(image);
      words.textContent = shown.words;
    };
    const all = () => show(found, "All that was hidden; “The position in words” tells the same.");
    change.onclick = () => {
      const open = change.ariaPressed !== "true";
      change.ariaPressed = String(open);
      return open ? all() : show(own, `What ${called(intro.role)} saw`);
    };
    all();
    return element("p", { className: "row" }, change);
  }

  function showInvitations() {
    for (const seat of invited()) {
      const address = `${location.href.split("#")[0]}#/game/${id}/${seat.key}`;
      const shown = element("input", { value: address, readOnly: true, className: "address", ariaLabel: `address for ${called(seat.role)}`, onfocus: () => shown.select() });
      const copy = element("button", { onclick: async () => { await navigator.clipboard.writeText(address); copy.textContent = "Copied"; } }, "Copy");
      invite.append(element("p", { className: "row" }, `${called(seat.role)} plays at`, shown, copy));
    }
  }

  return () => { closed = true; clearTimeout(away); timed.stop(); source.close(); document.removeEventListener("keydown", pressed); };
}
