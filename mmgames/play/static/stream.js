// What happens in a game, message by message. The key goes in a header, which no log keeps. A line that breaks, or that
// is silent for longer than the server ever is, as after a laptop was closed, is taken up again; the server then tells
// all that there is to see.

import { headers } from "./parts.js";

const SILENCE = 25000, FIRST = 500, LONGEST = 8000; // ms: after which nobody is there; between attempts

export class Stream {
  constructor(path, key) {
    this.path = path;
    this.key = key;
    this.closed = false;
    this.onmessage = this.onlost = this.onrefused = () => {};
    this.wake = () => { if (!document.hidden && performance.now() - this.heard > SILENCE / 2) this.again?.(); };
    for (const event of ["online", "visibilitychange", "pageshow"]) addEventListener(event, this.wake, true);
    this.run();
  }

  async run() {
    for (let wait = FIRST; !this.closed; wait = Math.min(2 * wait, LONGEST)) {
      const line = new AbortController();
      this.line = line;
      this.heard = performance.now();
      this.again = () => line.abort();
      const watch = setInterval(() => { if (performance.now() - this.heard > SILENCE) line.abort(); }, 1000);
      try {
        const answer = await fetch(`api/${this.path}`, { headers: headers(this.key), cache: "no-store", signal: line.signal });
        if (answer.ok) {
          wait = FIRST;
          await this.read(answer.body.getReader());
        } else if (answer.status < 500 && answer.status !== 429) {
          const { error } = await answer.json().catch(() => ({}));
          if (!this.closed) this.onrefused(error);
          this.close();
        }
      } catch { /* the line is broken */ }
      clearInterval(watch);
      if (this.closed) return;
      this.onlost();
      await new Promise((resolve) => { this.again = resolve; setTimeout(resolve, wait); });
    }
  }

  async read(reader) {
    const decoder = new TextDecoder();
    for (let rest = ""; ;) {
      const { done, value } = await reader.read();
      if (done || this.closed) return;
      this.heard = performance.now();
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop();
      for (const line of lines) if (line.startsWith("data: ") && !this.closed) this.onmessage(JSON.parse(line.slice(6)));
    }
  }

  close() {
    this.closed = true;
    this.line?.abort();
    for (const event of ["online", "visibilitychange", "pageshow"]) removeEventListener(event, this.wake, true);
  }
}
