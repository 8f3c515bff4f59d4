// Rooms over the network: a guest's, behind an invitation, and the host's list of all of them.

import { api, element, fail, hostKey, note, sure, view } from "./parts.js";
import { play } from "./game.js";

const LOOK = 2000; // ms between looks for the next game, or at who is there

// A guest's room: one game after the other, in the seat that the key is for, or as a spectator.
export function joined(key) {
  let stop = () => {}, game = "", left = false, looking = 0;
  document.querySelector("nav").hidden = true;

  const room = {
    again: async () => { await api("room/again", { key, game }); await look(); },
    over: () => { clearInterval(looking); looking = setInterval(() => look().catch(() => {}), LOOK); },
    box: () => talking(key, room.watches),
  };

  async function look() {
    const found = await api("room", undefined, key);
    if (left || found.game === game) return;
    clearInterval(looking);
    stop();
    fail("");
    game = found.game;
    room.watches = found.role === null;
    stop = play(game, key, null, room);
  }

  look().catch((error) => { fail(error); if (error.lost) room.over(); });
  return () => { left = true; clearInterval(looking); stop(); document.querySelector("nav").hidden = false; };
}

// What people in a room call themselves and say to each other, beside the game.
function talking(key, watches) {
  const list = element("ol", { className: "chat", tabIndex: 0, ariaLabel: "Said in the room" });
  const shut = note("Players hide something from each other; talk about it when the game is over.");
  const line = (label, most, act) => {
    const entry = element("input", { maxLength: most, autocomplete: "off" });
    const form = element("form", { className: "typed" }, element("label", {}, label, entry), element("button", {}, "Send"));
    form.onsubmit = async (event) => { event.preventDefault(); try { await act(entry.value); entry.value = ""; } catch (error) { fail(error); } };
    return form;
  };
  const say = line("Say something to the room", 500, (text) => api("room/say", { key, text }));
  const box = element("details", {}, element("summary", {}, "The room"), list, ...(watches ? [] : [say, shut, line("Your name", 24, (name) => api("room/name", { key, name }))]));
  return { box, show: (found) => {
    list.replaceChildren(...found.said.map(([who, text]) => element("li", {}, element("b", {}, who), text)));
    list.scrollTop = list.scrollHeight;
    [say.hidden, shut.hidden] = [!found.open, found.open];
    if (found.said.length) box.open = true;
  } };
}

// A class's door: whoever comes gets a seat, in the room of a pair that agreed on a word, or in the next one.
export function classDoor() {
  document.querySelector("nav").hidden = true;
  const name = element("input", { id: "name", maxLength: 24, required: true, autocomplete: "off" });
  const code = element("input", { id: "code", maxLength: 24, autocomplete: "off", placeholder: "whoever comes next" });
  const form = element("form", { className: "form" }, element("h1", {}, "Come in"),
    element("div", { className: "option" }, element("label", { htmlFor: "name" }, "Your name"), name),
    element("div", { className: "option" }, element("label", { htmlFor: "code" }, "A word of your pair"), code,
      element("small", {}, "Who types the same word plays with you. Empty: whoever comes next.")),
    element("p", { className: "row" }, element("button", { className: "main" }, "Play")));
  form.onsubmit = async (event) => {
    event.preventDefault();
    try { location.hash = `#/room/${(await api("class", { name: name.value, code: code.value })).key}`; } catch (error) { fail(error); }
  };
  view().replaceChildren(form);
  name.focus();
}

// The host

export function hosting(key) {
  sessionStorage.setItem(`host-${location.pathname}`, key);
  location.replace("#/rooms");
}

export async function openedRooms(asked, count) {
  await api("rooms", { ...asked, count });
  return "#/rooms";
}

export const countField = () => element("input", { type: "number", min: 1, max: 100, value: 1, id: "count" });

export function nameRooms() {
  const nav = document.querySelector("nav");
  if (hostKey() && !nav.querySelector('[href="#/rooms"]')) nav.append(" ", element("a", { href: "#/rooms" }, "Rooms"));
}

export function rooms() {
  let left = false, told = "";
  const list = element("div");
  view().replaceChildren(element("h1", {}, "Rooms"),
    note("Send everybody the address of one seat: whoever has it plays there. Spectators see positions of games without hidden information, and of others how they ended."),
    list);

  async function look() {
    const answer = await api("rooms"), found = answer.rooms;
    const now = JSON.stringify(found);
    if (left || now === told || list.contains(document.activeElement)) return;
    told = now;
    list.replaceChildren(...(answer.class ? [invitation("the class", "the class", `${location.origin}/`)] : []), ...(found.length ? found.map(shown) : [element("p", {}, "No room is open. ", element("a", { href: "#/" }, "Choose a game"), ".")]));
  }

  function shown(one) {
    const taken = async (path, body) => { try { await api(path, body); document.activeElement?.blur(); await look(); } catch (error) { fail(error); } };
    const name = `Room ${one.number}`;
    return element("section", { className: "room" },
      element("h2", {}, `${name}: ${one.game.replace(/^mmgames\/|-v\d+$/g, "").replace(/(?<=[a-z])(?=[A-Z])/g, " ")}`),
      note(`Game ${one.games}${one.over ? ", over" : ""}; ${one.spectators.count} looking on.`),
      ...one.seats.map((seat) => seat.key
        ? invitation(`${name}, ${seat.called}`, `${seat.called}${seat.name ? ` (${seat.name})` : ""}, ${seat.here ? "here" : "not here"}`, to(seat.key), () => taken("rooms/key", { room: one.number, role: seat.role }))
        : element("p", { className: "row" }, `${seat.called}: ${seat.who}`)),
      invitation(`${name}, spectators`, "spectators", to(one.spectators.key), () => taken("rooms/key", { room: one.number, role: null })),
      element("p", { className: "row" }, element("button", { onclick: async () => { if (await sure("Its addresses work no longer then. Close the room?", "Close it", "Keep it open")) await taken("rooms/close", { room: one.number }); } }, `Close room ${one.number}`)));
  }

  const to = (key) => `${location.href.split("#")[0]}#/room/${key}`;

  function invitation(name, label, address, change = null) {
    const field = element("input", { value: address, readOnly: true, className: "address", ariaLabel: `address for ${name}`, onfocus: () => field.select() });
    const copy = element("button", { ariaLabel: `Copy the address for ${name}`, onclick: async () => { await navigator.clipboard.writeText(address); copy.textContent = "Copied"; } }, "Copy");
    const code = element("button", { ariaLabel: `QR code for ${name}`, onclick: async () => {
      try { code.replaceWith(element("img", { className: "code", src: (await api("rooms/qr", { address })).picture, alt: `QR code of the address for ${name}` })); } catch (error) { fail(error); }
    } }, "QR code");
    const another = async () => { if (await sure("The old address works no longer then. Make another one?", "Make another one", "Keep it")) await change(); };
    return element("p", { className: "row" }, label, field, navigator.clipboard ? copy : null, code,
      change ? element("button", { ariaLabel: `Another address for ${name}`, onclick: another }, "Another address") : null);
  }

  const looking = setInterval(() => look().catch(fail), LOOK);
  look().catch(fail);
  return () => { left = true; clearInterval(looking); };
}
