// Records: which there are, and one of them step by step.

import { animate, api, chat, element, fail, note, picture, rounded, talkList, told, view } from "./parts.js";
import { scores } from "./ending.js";

const asked = (values) => Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");

export async function replays(file) {
  if (file) return rows(file);
  const files = await api("files");
  view().replaceChildren(
    element("h1", {}, "Replays"),
    note(files.length ? "Everything in the folder of records: what was played here, matches and evaluations." : "Nothing has been played yet."),
    table(["what", "who", "rows", "file"], files.map((one) => [
      one.what.split("/").at(-1) || "?", one.who.join(", "), String(one.rows),
      one.wrong ? element("span", {}, one.wrong) : element("a", { href: `#/replays/${encodeURIComponent(one.file)}` }, one.file),
    ])),
  );
}

function table(heads, lines) {
  return element("div", { className: "wide", tabIndex: 0, role: "region", ariaLabel: "Table" }, element("table", { className: "rows" },
    element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
    element("tbody", {}, ...lines.map((line) => element("tr", {}, ...line.map((cell) => element("td", {}, cell)))))));
}

async function rows(file) {
  const found = await api(`rows?${asked({ file })}`);
  const episodes = found.kind === "episode";
  view().replaceChildren(
    element("h1", {}, found.what),
    note(`${file}: ${found.who.join(", ")}${found.left_out ? `; ${found.left_out} more rows are not listed` : ""}`),
    table([found.kind || "row", episodes ? "returns" : "score", "steps", "remark"], found.rows.map((row) => [
      found.kind ? element("a", { href: `#/replay/${encodeURIComponent(file)}/${row.number}${episodes ? "" : "/question"}` }, `${found.kind} ${row.number}`) : String(row.number),
      episodes ? (row.returns ?? []).map(rounded).join(", ") : rounded(row.score ?? null),
      row.length === null ? "" : String(row.length),
      row.failed ? `failed: ${row.failed}` : row.unfinished ? "unfinished" : "",
    ])),
  );
}

export async function replay(file, episode, kind) {
  if (kind === "question") return question(file, episode);
  const about = await api(`replay?${asked({ file, episode })}`);
  const here = about.seats.filter((role) => !about.absent.includes(role));
  const back = element("a", { href: `#/replays/${encodeURIComponent(file)}` }, "All episodes of this file");
  const board = element("div", { className: "board" });
  const scrub = element("input", { type: "range", min: 0, max: about.steps, value: 0, className: "scrub", ariaLabel: "step" });
  const where = element("span", { role: "status" });
  const seat = element("select", { ariaLabel: "whose view" }, element("option", { value: "" }, "a spectator"), ...here.map((role) => element("option", {}, role)));
  const running = element("button", {}, "▶ Play");
  const deeds = element("section"), words = element("pre", { className: "told" }), talk = talkList();
  const talkBox = element("section", { hidden: true }, element("h2", {}, "Talk"), talk);
  let image = null, latest = 0, timer = null;

  async function show() {
    const mine = ++latest, step = Number(scrub.value);
    try {
      const found = await api(`replay?${asked({ file, episode, step, role: seat.value })}`);
      const drawn = await picture(found.picture, `step ${step}, seen by ${seat.value || "a spectator"}`);
      if (mine !== latest) return;
      const before = image;
      image = drawn;
      board.replaceChildren(drawn);
      board.style.maxWidth = `${Math.round((drawn.naturalWidth / drawn.naturalHeight) * 72)}vh`;
      animate(board, before, drawn);
      where.textContent = `Step ${step} of ${about.steps}; so far ${here.map((role) => `${role} ${rounded(found.totals[about.seats.indexOf(role)])}`).join(", ")}`;
      words.textContent = found.words;
      talkBox.hidden = !found.talk.length;
      talk.replaceChildren(...chat(found.talk, seat.value));
      deeds.replaceChildren(element("h2", {}, "What was done here"), ...(found.deeds.length ? found.deeds.map(deed) : [note("It is over.")]));
    } catch (error) {
      fail(error);
    }
  }

  function stop() { clearInterval(timer); timer = null; running.textContent = "▶ Play"; }
  const go = (by) => { scrub.value = Number(scrub.value) + by; return show(); };
  running.onclick = () => {
    if (timer) return stop();
    if (Number(scrub.value) === about.steps) scrub.value = 0;
    running.textContent = "❚❚ Pause";
    timer = setInterval(() => {
      if (!board.isConnected || Number(scrub.value) === about.steps) return stop();
      go(1);
    }, 700);
  };
  const stepped = (event) => {
    if (!board.isConnected) return document.removeEventListener("keydown", stepped);
    const typing = /^(TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "");
    if (!typing && !event.ctrlKey && !event.altKey && !event.metaKey && (event.key === "," || event.key === ".")) go(event.key === "," ? -1 : 1);
  };
  document.addEventListener("keydown", stepped);
  scrub.oninput = show;
  seat.onchange = show;
  const people = about.seats.map((role, i) => ({ role, who: about.agents[i]?.split(":")[0] ?? "?" }));
  const stood = Object.entries(about.deputies).map(([role, one]) => `${one.agent} made ${one.moves} moves for ${role}`);
  view().replaceChildren(element("div", { className: "replay" },
    element("section", {},
      element("h1", {}, `${about.game}, episode ${episode}`),
      element("p", { className: "turn over" }, about.ending.headline),
      stood.length ? note(`${stood.join(", ")}.`) : null,
      board, element("p", {}, scrub),
      element("p", { className: "row" }, element("button", { onclick: () => go(-1) }, "← Back"), running, element("button", { onclick: () => go(1) }, "On →"), "seen by", seat),
      element("p", {}, where), scores(about.ending, "", people), element("p", {}, back)),
    element("aside", { className: "side" }, deeds, talkBox, element("details", {}, element("summary", {}, "The position in words"), words))));
  await show();
}

function deed(found) {
  return element("div", {},
    element("p", {}, element("b", {}, found.role), found.action === null ? " did nothing more" : ` → ${found.action || "(nothing)"}`,
      found.reward === null ? "" : element("span", { className: "note" }, `  reward ${rounded(found.reward)}`)),
    ...found.replies.flatMap((reply) => [
      element("div", { className: reply.refused ? "reply refused" : "reply" }, reply.text || "(nothing)"),
      reply.refused ? note(`refused: ${reply.refused}`) : null,
    ]),
    told("prompt", found.prompt));
}

async function question(file, number) {
  const found = await api(`question?${asked({ file, number })}`);
  view().replaceChildren(
    element("h1", {}, `${found.task}, question ${number}`),
    ...found.asked.map((one) => element("div", { className: "replay" },
      element("section", {}, ...one.pictures.map((url) => element("img", { src: url, alt: "the question's picture", className: "shown" }))),
      element("section", { className: "side" }, told("prompt", one.prompt, true),
        element("div", { className: one.refused ? "reply refused" : "reply" }, one.reply || "(nothing)"), one.refused ? note(`refused: ${one.refused}`) : null))),
    element("p", {}, `Right: ${found.answer}. Score ${rounded(found.score ?? null)}.`),
    element("p", {}, element("a", { href: `#/replays/${encodeURIComponent(file)}` }, "All questions of this file")));
}
