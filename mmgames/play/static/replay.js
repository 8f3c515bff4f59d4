// Records: which there are, and one of them step by step.

import { view, element, note } from "./parts.js";

export async function replays() {
  view().replaceChildren(element("h1", {}, "Replays"), note("Not yet."));
}

export async function replay() {}
