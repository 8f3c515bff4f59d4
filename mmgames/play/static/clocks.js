// Everybody's clock. The server says what is left now and then; in between they are counted down here.

import { element } from "./parts.js";

const LOW = 10; // seconds from which a clock warns

export function clocks() {
  const shown = new Map(); // role -> what shows its clock
  let told = {}, since = 0;
  const timer = setInterval(tick, 200);

  function tick() {
    for (const [role, place] of shown) {
      const found = told[role];
      if (!found) continue;
      const left = Math.max(0, found.left - (found.runs ? (performance.now() - since) / 1000 : 0));
      const whole = Math.ceil(left - 0.001);
      place.textContent = left < LOW && found.left < LOW ? left.toFixed(1) : `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
      place.classList.toggle("runs", found.runs);
      place.classList.toggle("low", left < LOW);
    }
  }

  return {
    of(role, name) {
      if (!told[role]) return null;
      if (!shown.has(role)) shown.set(role, element("span", { className: "clock", role: "timer", ariaLabel: `time left of ${name}` }));
      tick();
      return shown.get(role);
    },
    tell(found) { told = found; since = performance.now(); tick(); },
    stop() { for (const one of Object.values(told)) one.runs = false; tick(); clearInterval(timer); },
  };
}
