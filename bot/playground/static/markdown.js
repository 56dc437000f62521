// Turns Discord's markdown into DOM nodes: blocks here, the inside of a line in inline.js.

import { el } from "./dom.js";
import { inline } from "./inline.js";

const FENCE = /```(?:([a-zA-Z0-9_+.-]*)\n)?([\s\S]+?)```/g;
const HEADING = /^(#{1,3})\s+(\S.*)$/;
const SUBTEXT = /^-#\s+(\S.*)$/;
const ITEM = /^(\s*)([-*]|\d{1,4}\.)\s+(\S.*)$/;
const QUOTE = /^>\s(.*)$/;

/** Renders a whole message's text. */
export function markdown(source) {
  const out = [];
  let from = 0;
  for (const fence of source.matchAll(FENCE)) {
    out.push(...blocks(trimEnd(source.slice(from, fence.index))));
    out.push(el("pre", { class: "code", tabindex: "0" }, el("code", {}, fence[2].replace(/^\n|\n$/g, ""))));
    from = fence.index + fence[0].length;
    if (source[from] === "\n") from += 1;
  }
  out.push(...blocks(source.slice(from)));
  return out;
}

/** Renders text that has no blocks: names of fields, titles, labels. */
export function markdownLine(source) {
  return inline(source);
}

function trimEnd(text) {
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}

function blocks(source) {
  if (!source) return [];
  const out = [];
  const lines = source.split("\n");
  let paragraph = [];
  const flush = () => {
    if (paragraph.some((line) => line.trim())) out.push(el("p", {}, inline(paragraph.join("\n"))));
    paragraph = [];
  };
  for (let at = 0; at < lines.length; ) {
    const [block, used] = blockAt(lines, at);
    if (block) {
      flush();
      out.push(block);
      at += used;
    } else {
      paragraph.push(lines[at]);
      at += 1;
    }
  }
  flush();
  return out;
}

function blockAt(lines, at) {
  const line = lines[at];
  if (line.startsWith(">>> ")) {
    const rest = [line.slice(4), ...lines.slice(at + 1)].join("\n");
    return [el("blockquote", {}, blocks(rest)), lines.length - at];
  }
  if (QUOTE.test(line)) return quoteAt(lines, at);
  const heading = HEADING.exec(line);
  if (heading) {
    const level = heading[1].length;
    return [el("div", { class: `heading h${level}`, role: "heading", "aria-level": 3 }, inline(heading[2])), 1];
  }
  const subtext = SUBTEXT.exec(line);
  if (subtext) return [el("small", { class: "subtext" }, inline(subtext[1])), 1];
  if (ITEM.test(line)) return listAt(lines, at);
  return [null, 0];
}

function quoteAt(lines, at) {
  const quoted = [];
  while (at + quoted.length < lines.length) {
    const match = QUOTE.exec(lines[at + quoted.length]);
    if (!match) break;
    quoted.push(match[1]);
  }
  return [el("blockquote", {}, blocks(quoted.join("\n"))), quoted.length];
}

function listAt(lines, at) {
  const first = ITEM.exec(lines[at]);
  const depth = first[1].length;
  const ordered = /\d/.test(first[2]);
  const list = el(ordered ? "ol" : "ul", ordered ? { start: parseInt(first[2], 10) } : {});
  let used = 0;
  while (at + used < lines.length) {
    const match = ITEM.exec(lines[at + used]);
    if (!match || match[1].length < depth) break;
    if (match[1].length === depth && /\d/.test(match[2]) !== ordered) break;
    if (match[1].length > depth && list.lastChild) {
      const [inner, innerUsed] = listAt(lines, at + used);
      list.lastChild.append(inner);
      used += innerUsed;
    } else {
      list.append(el("li", {}, inline(match[3])));
      used += 1;
    }
  }
  return [list, used];
}
