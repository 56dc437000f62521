// Embeds: the framed cards of a message.

import { el, link } from "./dom.js";
import { markdown, markdownLine } from "./markdown.js";
import { picture } from "./media.js";
import { writtenAt } from "./times.js";

const SUPPRESSED = 4;

/** Draws every embed of a message. */
export function embeds(message) {
  if ((message.flags ?? 0) & SUPPRESSED) return [];
  return (message.embeds ?? []).map((embed) => card(embed, message));
}

function card(embed, message) {
  const style = typeof embed.color === "number" ? { "--accent": colour(embed.color) } : {};
  return el("div", { class: "embed", style },
    el("div", { class: "embed-words" },
      embed.author ? el("div", { class: "embed-author" }, titled(embed.author.name ?? "", embed.author.url)) : null,
      embed.title ? el("div", { class: "embed-title", role: "heading", "aria-level": 3 }, titled(embed.title, embed.url)) : null,
      embed.description ? el("div", { class: "markdown" }, markdown(embed.description)) : null,
      fields(embed.fields ?? []),
      embed.image ? picture(embed.image, message) : null,
      footer(embed)),
    embed.thumbnail ? picture(embed.thumbnail, message, { kind: "thumbnail" }) : null);
}

function titled(text, address) {
  return address ? link(address, markdownLine(text)) : markdownLine(text);
}

function fields(all) {
  if (!all.length) return null;
  return el("dl", { class: "fields" }, all.map((field) =>
    el("div", { class: field.inline ? "field inline" : "field" },
      el("dt", {}, markdownLine(field.name)),
      el("dd", { class: "markdown" }, markdown(field.value)))));
}

function footer(embed) {
  const words = embed.footer?.text;
  if (!words && !embed.timestamp) return null;
  return el("div", { class: "embed-footer" }, words, words && embed.timestamp ? " · " : null,
    embed.timestamp ? writtenAt(embed.timestamp) : null);
}

/** A colour number as CSS writes it. */
export function colour(number) {
  return `#${(number & 0xffffff).toString(16).padStart(6, "0")}`;
}
