// A game in progress: the picture with the places to click, the moves, the field to type in, the talk, the rules.

import { animate, api, chat, element, fail, picture, quiet, told, view } from "./parts.js";

const KEYS = { ArrowUp: ["up"], ArrowDown: ["down"], ArrowLeft: ["left"], ArrowRight: ["right"], " ": ["interact", "fire", "stay", "noop"], s: ["stay", "wait", "noop"] };
const SIGNS = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", " ": "Space", s: "S" };
const PACE = 500; // how long, in ms, each of several positions in a row is shown

export function play(id, key, opened) {
  let compiling = ""; // what the game waits for
  const waiting = []; // messages that are still to be shown
  let intro = null, frame = null, image = null, showing = false, sent = false, path = [], closed = false, ended = false, talked = -1;

  const board = element("div", { className: "board", role: "group" });
  const turn = element("p", { className: "turn", role: "status" }, "Waiting for the game …");
  const status = element("p", { className: "status" });
  const moves = element("div", { className: "moves", role: "group", ariaLabel: "Moves" });
  const field = element("div", { className: "field" });
  const end = element("div");
  const invite = element("div");
  const talk = element("ol", { className: "chat", role: "log" });
  const talkBox = element("section", { hidden: true, className: "talk" }, element("h2", {}, "Talk"), talk);
  const side = element("aside", { className: "side" });
  const words = element("pre", { className: "told" });
  const title = element("h1");
  const leaving = element("button", { onclick: () => leave() }, "Leave the game");
  const left = element("section", {}, title, invite, board, turn, end, status, moves, field, element("p", { className: "row" }, leaving));
  view().replaceChildren(element("div", { className: "play" }, left, side));
  showInvitations();

  const source = new EventSource(`api/game/${encodeURIComponent(id)}/events?key=${encodeURIComponent(key)}`);
  source.onmessage = (event) => { fail(""); waiting.push(JSON.parse(event.data)); next(); };
  source.onerror = async () => {
    if (closed || ended) return;
    if (source.readyState !== EventSource.CLOSED) return fail("The server does not answer. This page goes on as soon as it does.");
    const answer = await fetch(source.url).catch(() => null); // refused: the reason is in the answer
    const reason = answer && !answer.ok ? (await answer.json().catch(() => ({}))).error : "";
    fail(reason || "The game cannot be reached.");
  };
  document.addEventListener("keydown", pressed);

  async function next() {
    if (showing) return;
    showing = true;
    while (waiting.length && !closed) {
      const message = waiting.shift();
      if (message.begin) begin(message.begin);
      if (message.frame && (!frame || message.frame.number > frame.number)) {
        await show(message.frame);
        if (waiting.length && !quiet()) await new Promise((resolve) => setTimeout(resolve, waiting.length > 10 ? PACE / 5 : PACE));
      }
      if (message.compiling) compiling = message.compiling;
      else compiling = "";
      if (message.end) over(message.end);
    }
    showing = false;
    if (!closed) offer();
  }

  function begin(told_) {
    if (intro) return;
    intro = told_;
    document.title = `${intro.game} – mmgames`;
    title.textContent = `${intro.game}: you are ${intro.role}`;
    const wide = matchMedia("(min-width: 52rem)").matches;
    side.replaceChildren(
      talkBox,
      told(intro.rules.includes("\nThe manual:") ? "Rules and manual" : "Rules", [intro.you, intro.rules].join("\n\n"), wide),
      ...(intro.legend ? [told("The picture", intro.legend)] : []),
      element("details", {}, element("summary", {}, "The position in words"), words),
    );
    field.replaceChildren(typed());
  }

  async function show(found) {
    const before = image;
    image = await picture(found.picture, `What ${intro.role} sees; “The position in words” tells the same.`);
    frame = found;
    sent = false;
    path = [];
    board.dataset.number = found.number;
    board.style.aspectRatio = `${found.width} / ${found.height}`;
    board.style.maxWidth = `${Math.round((found.width / found.height) * 72)}vh`;
    board.replaceChildren(image);
    animate(board, before, image);
    status.textContent = found.status;
    words.textContent = found.words;
    talkBox.hidden = !found.talk.length && intro.kind !== "text";
    if (talked !== found.talk.length) {
      talked = found.talk.length;
      talk.replaceChildren(...(found.talk.length ? chat(found.talk, intro.role) : [element("li", { className: "event" }, "Nobody has said anything yet.")]));
      talk.scrollTop = talk.scrollHeight;
    }
  }

  // Show what can be done now.
  function offer() {
    if (compiling) turn.textContent = `Compiling ${compiling} for speed. This takes some seconds, once …`;
    if (!frame || compiling) return;
    const open = frame.yours && !sent && !ended;
    turn.className = open ? "turn yours" : "turn";
    turn.textContent = frame.over || ended ? "The game is over." : open ? `Your turn, ${intro.role}.` : sent ? "Sent. Waiting for the answer …" : "Waiting for the others …";
    const chosen = matching();
    moves.replaceChildren(...(open ? chosen.map(moveButton) : []));
    for (const spot of board.querySelectorAll(".spot")) spot.remove();
    if (open) spots();
    for (const control of field.querySelectorAll("input, textarea, button")) control.disabled = !open;
    leaving.hidden = field.hidden = ended || frame.over;
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
    if (event.key === "Escape" && path.length) { path = []; offer(); return focusFirst(); }
    if (event.key === " " && at && /^(BUTTON|A|SUMMARY)$/.test(at.tagName)) return;
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
    const middle = (one) => [one.offsetLeft + one.offsetWidth / 2, one.offsetTop + one.offsetHeight / 2];
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
      element("label", {}, talks ? "Your message (Enter sends it, Shift+Enter begins a line)" : "Or type a move", entry),
      element("button", { className: "main" }, "Send"));
    form.onsubmit = (event) => { event.preventDefault(); send(entry.value); };
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
    offer();
    try {
      await api(`game/${encodeURIComponent(id)}/move`, { key, number: frame.number, said });
      entry.value = "";
    } catch (error) {
      fail(error);
      sent = false;
      offer();
      if (!name) entry.focus();
    }
  }

  async function leave() {
    try { await api(`game/${encodeURIComponent(id)}/leave`, { key }); } catch (error) { fail(error); }
  }

  function over(found) {
    ended = true;
    source.close();
    const why = found.failed ? `It ended early: ${found.failed}` : found.forfeit ? `${found.forfeit} has lost it by answers that were no moves.` : found.unfinished;
    const asked = JSON.parse(sessionStorage.getItem(`asked-${id}`) ?? "null");
    const again = element("button", { className: "main" }, "Play again");
    again.onclick = async () => { try { location.hash = await opened(asked); } catch (error) { fail(error); } };
    end.replaceChildren(element("div", { className: "end" },
      why ? element("p", {}, why) : null,
      found.returns ? element("table", {}, ...intro.seats.map((role, seat) =>
        element("tr", {}, element("th", {}, role === intro.role ? `${role} (you)` : role), element("td", {}, String(Math.round(1000 * found.returns[seat]) / 1000))))) : null,
      found.unsaved ? element("p", {}, `It could not be kept: ${found.unsaved}`) : null,
      element("p", { className: "row" }, asked ? again : null,
        found.file ? element("a", { href: `#/replay/${encodeURIComponent(found.file)}/${found.episode}` }, "Replay it") : null,
        element("a", { href: "#/" }, "All games"))));
  }

  function showInvitations() {
    for (const seat of JSON.parse(sessionStorage.getItem(`invite-${id}`) ?? "[]")) {
      const address = `${location.href.split("#")[0]}#/game/${id}/${seat.key}`;
      const shown = element("input", { value: address, readOnly: true, className: "address", ariaLabel: `address for ${seat.role}`, onfocus: () => shown.select() });
      const copy = element("button", { onclick: async () => { await navigator.clipboard.writeText(address); copy.textContent = "Copied"; } }, "Copy");
      invite.append(element("p", { className: "row" }, `${seat.role} plays at`, shown, copy));
    }
  }

  return () => { closed = true; source.close(); document.removeEventListener("keydown", pressed); };
}
