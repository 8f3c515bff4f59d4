// Rooms over the network: a guest's, behind an invitation, and the host's list of all of them.

import { api, element, fail, hostKey, note, view } from "./parts.js";
import { play } from "./game.js";

const LOOK = 2000; // ms between looks for the next game, or at who is there

// A guest's room: one game after the other, in the seat that the key is for, or as a spectator.
export function joined(key) {
  let stop = () => {}, game = "", left = false, looking = 0;
  document.querySelector("nav").hidden = true;

  const room = {
    again: async () => { await api("room/again", { key, game }); await look(); },
    over: () => { clearInterval(looking); looking = setInterval(() => look().catch(() => {}), LOOK); },
  };

  async function look() {
    const found = await api("room", undefined, key);
    if (left || found.game === game) return;
    clearInterval(looking);
    stop();
    fail("");
    game = found.game;
    stop = play(game, key, null, { ...room, watches: found.role === null });
  }

  look().catch((error) => { fail(error); if (error.lost) room.over(); });
  return () => { left = true; clearInterval(looking); stop(); document.querySelector("nav").hidden = false; };
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
    const found = (await api("rooms")).rooms;
    const now = JSON.stringify(found);
    if (left || now === told || list.contains(document.activeElement)) return;
    told = now;
    list.replaceChildren(...(found.length ? found.map(shown) : [element("p", {}, "No room is open. ", element("a", { href: "#/" }, "Choose a game"), ".")]));
  }

  function shown(one) {
    const taken = async (path, body) => { try { await api(path, body); document.activeElement?.blur(); await look(); } catch (error) { fail(error); } };
    const name = `Room ${one.number}`;
    return element("section", { className: "room" },
      element("h2", {}, `${name}: ${one.game.replace(/^mmgames\/|-v\d+$/g, "")}`),
      note(`Game ${one.games}${one.over ? ", over" : ""}; ${one.spectators.count} looking on.`),
      ...one.seats.map((seat) => seat.key
        ? invitation(`${name}, ${seat.role}`, `${seat.role}, ${seat.here ? "here" : "not here"}`, seat.key, () => taken("rooms/key", { room: one.number, role: seat.role }))
        : element("p", { className: "row" }, `${seat.role}: ${seat.who}`)),
      invitation(`${name}, spectators`, "spectators", one.spectators.key, () => taken("rooms/key", { room: one.number, role: null })),
      element("p", { className: "row" }, element("button", { onclick: () => taken("rooms/close", { room: one.number }) }, `Close room ${one.number}`)));
  }

  function invitation(name, label, key, change) {
    const address = `${location.href.split("#")[0]}#/room/${key}`;
    const field = element("input", { value: address, readOnly: true, className: "address", ariaLabel: `address for ${name}`, onfocus: () => field.select() });
    const copy = element("button", { ariaLabel: `Copy the address for ${name}`, onclick: async () => { await navigator.clipboard.writeText(address); copy.textContent = "Copied"; } }, "Copy");
    return element("p", { className: "row" }, label, field, navigator.clipboard ? copy : null,
      element("button", { ariaLabel: `Another address for ${name}`, onclick: change }, "Another address"));
  }

  const looking = setInterval(() => look().catch(fail), LOOK);
  look().catch(fail);
  return () => { left = true; clearInterval(looking); };
}
