// Emoji: characters as they are, custom ones as the pictures the local Discord keeps.

import { el } from "./dom.js";
import { emojiFile } from "./world.js";

/** Draws a custom emoji; its name stands in where the picture is missing. */
export function customEmoji(name, id) {
  const picture = el("img", { class: "emoji", src: emojiFile(id), alt: `:${name}:`, title: `:${name}:`, draggable: "false" });
  picture.addEventListener("error", () => picture.replaceWith(`:${name}:`));
  return picture;
}

/** Draws the little picture before a label: a character, or a custom emoji by its id. */
export function emoji(given) {
  if (!given) return null;
  return given.id ? customEmoji(given.name ?? "emoji", given.id) : el("span", { class: "glyph" }, given.name);
}
