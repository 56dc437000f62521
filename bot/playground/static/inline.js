// The inside of a line of Discord's markdown: emphasis, code, spoilers, links, mentions, times.

import { el, link } from "./dom.js";
import { customEmoji } from "./emoji.js";
import { channelNamed, personNamed, roleNamed } from "./world.js";
import { timestamp } from "./times.js";

const DEEPEST = 12;
const ESCAPABLE = /[!-/:-@[-`{-~]/;

const EMPHASES = [
  ["***", (inside) => el("strong", {}, el("em", {}, inside))],
  ["**", (inside) => el("strong", {}, inside)],
  ["__", (inside) => el("u", {}, inside)],
  ["~~", (inside) => el("s", {}, inside)],
  ["||", spoiler],
  ["*", (inside) => el("em", {}, inside)],
  ["_", (inside) => el("em", {}, inside)],
];

/** Renders one stretch of text; nesting deeper than twelve stays as typed. */
export function inline(source, depth = 0) {
  const out = [];
  let plain = "";
  let at = 0;
  const missing = new Set();
  while (at < source.length) {
    const found = depth < DEEPEST ? piece(source, at, depth, missing) : null;
    if (!found) {
      plain += source[at];
      at += 1;
      continue;
    }
    if (plain) out.push(plain);
    plain = "";
    out.push(found.node);
    at = found.end;
  }
  if (plain) out.push(plain);
  return out;
}

function piece(source, at, depth, missing) {
  const sign = source[at];
  if (sign === "\\" && at + 1 < source.length && ESCAPABLE.test(source[at + 1])) {
    return { node: source[at + 1], end: at + 2 };
  }
  if (sign === "`") return code(source, at);
  if (sign === "<") return angled(source, at);
  if (sign === "[") return maskedLink(source, at, depth);
  if (sign === "h") return bareLink(source, at);
  if (sign === "@") return everyone(source, at);
  if ("*_~|".includes(sign)) return emphasis(source, at, depth, missing);
  return null;
}

function emphasis(source, at, depth, missing) {
  for (const [mark, wrap] of EMPHASES) {
    if (!source.startsWith(mark, at) || missing.has(mark)) continue;
    const from = at + mark.length;
    if (mark === "*" && /\s/.test(source[from] ?? " ")) continue;
    if (mark === "_" && /\w/.test(source[at - 1] ?? " ")) continue;
    const end = closing(source, from, mark);
    if (end === -1) missing.add(mark);
    if (end <= from) continue;
    if (!source.slice(from, end).trim() && mark !== "||") continue;
    return { node: wrap(inline(source.slice(from, end), depth + 1)), end: end + mark.length };
  }
  return null;
}

function closing(source, from, mark) {
  const sign = mark[0];
  for (let at = from; at < source.length; at += 1) {
    if (source[at] === "\\") {
      at += 1;
    } else if (source[at] === "`") {
      const span = code(source, at);
      if (span) at = span.end - 1;
    } else if (source[at] === sign) {
      const run = runLength(source, at, sign);
      const end = closesInRun(source, at, run, mark);
      if (end !== -1) return end;
      at += run - 1;
    }
  }
  return -1;
}

// Where `mark` closes within a run of its sign: at its end, so that what was opened last closes first.
function closesInRun(source, at, run, mark) {
  const single = mark.length === 1;
  if (single && run % 2 === 0) return -1;
  if (run < mark.length) return -1;
  const end = at + run - mark.length;
  if (mark === "*" && /\s/.test(source[end - 1])) return -1;
  if (mark === "_" && /\w/.test(source[end + 1] ?? " ")) return -1;
  return end;
}

function runLength(source, at, sign) {
  let length = 1;
  while (source[at + length] === sign) length += 1;
  return length;
}

function code(source, at) {
  const run = runLength(source, at, "`");
  const mark = "`".repeat(run);
  for (let end = source.indexOf(mark, at + run); end !== -1; end = source.indexOf(mark, end + 1)) {
    if (source[end + run] === "`" || source[end - 1] === "`") continue;
    const inside = source.slice(at + run, end).replace(/^ (.*) $/s, "$1");
    return inside ? { node: el("code", {}, inside), end: end + run } : null;
  }
  return null;
}

const ANGLED = [
  [/^<@!?(\d{1,20})>/, ([, id]) => mention("@", personNamed(id)?.name ?? "unknown person")],
  [/^<@&(\d{1,20})>/, ([, id]) => mention("@", roleNamed(id)?.name ?? "unknown role")],
  [/^<#(\d{1,20})>/, ([, id]) => mention("#", channelNamed(id)?.name ?? "unknown channel")],
  [/^<\/([^<>:]{1,110}):\d{1,20}>/, ([, path]) => mention("/", path)],
  [/^<a?:(\w{1,32}):(\d{1,20})>/, ([, name, id]) => customEmoji(name, id)],
  [/^<t:(-?\d{1,13})(?::([tTdDfFRsS]))?>/, ([, seconds, style]) => timestamp(Number(seconds), style ?? "f")],
  [/^<(https?:\/\/[^\s<>]+)>/, ([, address]) => link(address, address)],
];

function angled(source, at) {
  const rest = source.slice(at, at + 2048);
  for (const [pattern, make] of ANGLED) {
    const match = pattern.exec(rest);
    if (match) return { node: make(match), end: at + match[0].length };
  }
  return null;
}

function maskedLink(source, at, depth) {
  const match = /^\[((?:\\.|[^[\]\\\n]){1,512})\]\(<?(https?:\/\/[^\s<>()]{1,1024})>?\)/.exec(source.slice(at, at + 1600));
  if (!match) return null;
  return { node: link(match[2], inline(match[1], depth + 1)), end: at + match[0].length };
}

function bareLink(source, at) {
  if (/\w/.test(source[at - 1] ?? " ")) return null;
  const match = /^https?:\/\/[^\s<>"]{1,1024}/.exec(source.slice(at, at + 1100));
  if (!match) return null;
  const address = match[0].replace(/[.,:;!?)'\]]+$/, "");
  return { node: link(address, address), end: at + address.length };
}

function everyone(source, at) {
  const match = /^@(everyone|here)\b/.exec(source.slice(at, at + 10));
  return match ? { node: mention("@", match[1]), end: at + match[0].length } : null;
}

function mention(sign, name) {
  return el("span", { class: "mention" }, sign + name);
}

function spoiler(inside) {
  const cover = el("span", { class: "spoiler", role: "button", tabindex: "0", "aria-expanded": "false", "aria-label": "Spoiler: show" },
    el("span", { class: "covered" }, inside));
  const show = () => {
    cover.classList.add("shown");
    for (const name of ["role", "tabindex", "aria-label", "aria-expanded"]) cover.removeAttribute(name);
  };
  cover.addEventListener("click", show);
  cover.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    show();
  });
  return cover;
}
