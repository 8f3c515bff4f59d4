// A game in three pictures, made by the server when they are first looked at.

import { api, element, fail } from "./parts.js";

export function tour(game, ask = () => api(`tour?game=${encodeURIComponent(game)}`)) {
  const list = element("ol", { className: "tour" }, element("li", {}, "One moment …"));
  const box = element("details", {}, element("summary", {}, "The game in three pictures"), list);
  let asked = false;
  box.ontoggle = async () => {
    if (!box.open || asked) return;
    asked = true;
    try {
      const { pictures } = await ask();
      list.replaceChildren(...pictures.map((one) => element("li", {}, element("img", { src: one.picture, alt: one.alt }), element("p", {}, one.sentence))));
    } catch (error) {
      list.replaceChildren(element("li", {}, "There are no pictures of it here."));
      fail(error);
    }
  };
  return box;
}
