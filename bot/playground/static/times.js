// Times as people read them; relative ones keep themselves true.

import { el } from "./dom.js";

const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
  s: { dateStyle: "short", timeStyle: "short" },
  S: { dateStyle: "short", timeStyle: "medium" },
};

const UNITS = [
  ["year", 31557600],
  ["month", 2629800],
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

/** Renders Discord's `<t:seconds:style>`. */
export function timestamp(seconds, style) {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return el("span", {}, "Invalid date");
  const node = el("time", { class: "timestamp", datetime: date.toISOString(), title: spoken(date, "F") });
  node.textContent = style === "R" ? relative(seconds) : spoken(date, style);
  if (style === "R") node.dataset.seconds = String(seconds);
  return node;
}

function spoken(date, style) {
  return new Intl.DateTimeFormat(undefined, STYLES[style] ?? STYLES.f).format(date);
}

function relative(seconds) {
  const away = seconds - Date.now() / 1000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(away) >= length) ?? UNITS.at(-1);
  return new Intl.RelativeTimeFormat(undefined, { numeric: "auto" }).format(Math.round(away / size), unit);
}

/** Renders when a message was written, short for today. */
export function writtenAt(text) {
  const date = new Date(text);
  const today = date.toDateString() === new Date().toDateString();
  return el("time", { class: "written", datetime: text, title: spoken(date, "F") }, today ? spoken(date, "t") : spoken(date, "s"));
}

/** Keeps "in 5 minutes" true while the page stays open. */
export function keepTimesTrue() {
  setInterval(() => {
    for (const node of document.querySelectorAll("time[data-seconds]")) node.textContent = relative(Number(node.dataset.seconds));
  }, 15000);
}
