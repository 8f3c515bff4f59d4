// What all parts of the page use.

export const view = () => document.getElementById("view");

export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("data-")) made.setAttribute(name, value);
    else made[name] = value;
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export const rounded = (value) => (value === null ? "–" : String(Math.round(1000 * value) / 1000));

export const note = (text) => element("p", { className: "note" }, text);

export function fail(error) {
  document.getElementById("alert").textContent = error?.message ?? error ?? "";
}

export const AWAY = "The server does not answer. This page goes on as soon as it does.";

// For a moment nothing can be pressed: whatever has just come under the pointer was not meant.
const REST = 500; // ms
let resting = 0;
export function rest() {
  document.body.classList.add("resting");
  clearTimeout(resting);
  resting = setTimeout(() => document.body.classList.remove("resting"), REST);
}

// What cannot be taken back is asked for once more, and a double click does not answer it.
export function sure(question, yes, no = "Go on playing") {
  return new Promise((resolve) => {
    const box = element("dialog", { ariaLabel: "Are you sure?" }, element("p", {}, question), element("p", { className: "row" },
      element("button", { className: "main", onclick: () => box.close() }, no), element("button", { onclick: () => box.close("yes") }, yes)));
    box.onclose = () => { box.remove(); resolve(box.returnValue === "yes"); };
    document.body.append(box);
    box.showModal();
    rest();
  });
}

// Over the network requests carry a key: the host's, which a tab keeps, or that of a seat.
export const hostKey = () => sessionStorage.getItem(`host-${location.pathname}`);
export const headers = (key) => (key ? { Authorization: `Bearer ${key}` } : {});

// The answer to a question, or to something that is to be done; what is refused is raised with the server's sentence.
export async function api(path, body, key = body?.key ?? hostKey(), signal = undefined) {
  let answer;
  try {
    answer = await fetch(`api/${path}`, { headers: headers(key), signal, ...(body && { method: "POST", body: JSON.stringify(body) }) });
  } catch {
    throw Object.assign(new Error(AWAY), { lost: true });
  }
  if (document.getElementById("alert").textContent === AWAY) fail(""); // it is back
  const found = await answer.json().catch(() => ({ error: `The server could not answer (${answer.status}).` }));
  if (!answer.ok) throw Object.assign(new Error(found.error), { status: answer.status });
  return found;
}

// The same for what must arrive once: a broken line is tried again, and what had arrived before it broke is not refused.
export async function delivered(path, body) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await api(path, body, body.key, AbortSignal.timeout(10000));
    } catch (error) {
      if (attempt > 1 && error.status === 409) return null;
      if (!error.lost || attempt === 60) throw error;
      fail(error);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

// A picture of the server's, asked for with the host's key where there is one.
export function pictured(path) {
  const image = element("img", { alt: "", loading: "lazy" });
  const reader = new FileReader();
  reader.onload = () => { image.src = reader.result; };
  if (!hostKey()) image.src = `api/${path}`;
  else fetch(`api/${path}`, { headers: headers(hostKey()) }).then((answer) => answer.blob()).then((blob) => reader.readAsDataURL(blob), () => {});
  return image;
}

export function told(title, text, open = false, tag = "div") {
  return element("details", { open }, element("summary", {}, title), element(tag, { className: "told" }, text));
}

// A list that keys can reach and scroll, as a long talk does not fit.
export const talkList = () => element("ol", { className: "chat", tabIndex: 0, ariaLabel: "What was said" });

// Who said what, each with a name; events are nobody's.
export function chat(talk, own) {
  return talk.map(([role, text]) =>
    element("li", { className: role === own ? "own" : role ? "" : "event" },
      role ? element("b", {}, role === own ? `${role} (you)` : role) : null, text || "(said nothing)"));
}

export const quiet = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Outlines what differs between two pictures, whatever they show, and fades the old one out.
export function animate(board, before, now) {
  if (!before || quiet()) return;
  for (const box of differences(before, now)) {
    const flash = element("div", { className: "flash" });
    Object.assign(flash.style, { left: `${box[0]}%`, top: `${box[1]}%`, width: `${box[2] - box[0]}%`, height: `${box[3] - box[1]}%` });
    flash.onanimationend = () => flash.remove();
    board.append(flash);
  }
  const old = element("img", { className: "old", src: before.src, alt: "" });
  old.onanimationend = () => old.remove();
  board.append(old);
}

const GRID = 48;

function differences(before, now) {
  const [one, two] = [before, now].map(pixels);
  const changed = new Set();
  for (let cell = 0; cell < GRID * GRID; cell++) {
    let apart = 0;
    for (let i = 0; i < 3; i++) apart += Math.abs(one[4 * cell + i] - two[4 * cell + i]);
    if (apart > 24) changed.add(cell);
  }
  const boxes = [];
  for (const first of changed) {
    const waiting = [first];
    changed.delete(first);
    let [left, top, right, bottom] = [GRID, GRID, 0, 0];
    while (waiting.length) {
      const cell = waiting.pop();
      const [x, y] = [cell % GRID, Math.floor(cell / GRID)];
      [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x + 1), Math.max(bottom, y + 1)];
      for (let dy = -2; dy <= 2; dy++)
        for (let dx = -2; dx <= 2; dx++)
          if (x + dx >= 0 && x + dx < GRID && changed.delete(cell + dy * GRID + dx)) waiting.push(cell + dy * GRID + dx);
    }
    boxes.push([left, top, right, bottom].map((edge) => (100 * edge) / GRID));
  }
  return boxes.length > 6 ? [] : boxes; // all of it has changed: there is nothing to point at
}

function pixels(image) {
  const canvas = element("canvas", { width: GRID, height: GRID });
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.drawImage(image, 0, 0, GRID, GRID);
  return pen.getImageData(0, 0, GRID, GRID).data;
}

export function picture(url, alt) {
  return new Promise((resolve) => {
    const image = element("img", { alt });
    image.onload = image.onerror = () => resolve(image);
    image.src = url;
  });
}
