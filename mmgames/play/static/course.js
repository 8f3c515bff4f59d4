// The list of moves: every position so far, with what led to it. One of them is looked at; arrow keys go along.

import { element } from "./parts.js";

const told = (deed) => (deed.name ? `${deed.role} ${deed.name}` : `${deed.role} moved`);

// `jump(step)` is called when another position is to be looked at.
export function course(jump) {
  const deeds = []; // by step
  let at = 0;
  const list = element("ol", { className: "course" });
  const box = element("details", { hidden: true, open: matchMedia("(min-width: 52rem)").matches },
    element("summary", {}, "Moves"),
    element("p", { className: "note" }, "The keys , and . go back and on."), list);

  list.addEventListener("keydown", (event) => {
    const to = { ArrowUp: at - 1, ArrowLeft: at - 1, ArrowDown: at + 1, ArrowRight: at + 1, Home: 0, End: deeds.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    go(to);
    list.children[at].firstChild.focus();
  });

  function go(step) { if (step >= 0 && step < deeds.length && step !== at) jump(step); }

  function item(step) {
    const name = step ? deeds[step].map(told).join(", ") || "a move" : "Start";
    return element("li", {}, element("button", { onclick: () => jump(step), ariaLabel: `Position ${step + 1}: ${name}` }, step ? `${step}. ${name}` : name));
  }

  function mark(step) {
    at = Math.min(step, deeds.length - 1);
    [...list.children].forEach((one, place) => {
      one.firstChild.tabIndex = place === at ? 0 : -1; // one stop for those who go by keys
      if (place === at) one.firstChild.setAttribute("aria-current", "step");
      else one.firstChild.removeAttribute("aria-current");
    });
    const shown = list.children[at];
    if (shown) list.scrollTop = Math.max(0, shown.offsetTop - list.offsetTop - list.clientHeight + shown.offsetHeight);
  }

  // The moves up to a position that is new; those that were taken back go.
  function add(step, found) {
    deeds.length = Math.min(deeds.length, step);
    while (deeds.length < step) deeds.push([]);
    deeds.push(found);
    list.replaceChildren(...[...list.children].slice(0, step));
    for (let one = list.children.length; one <= step; one++) list.append(item(one));
    box.hidden = step < 1;
    mark(step);
  }

  return { box, add, mark, go: (by) => go(at + by) };
}
