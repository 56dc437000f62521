// Buttons, selects and the laid-out parts (containers, sections, galleries) of a message.

import { el, freshId, icon, link } from "./dom.js";
import { colour } from "./embeds.js";
import { emoji } from "./emoji.js";
import { markdown } from "./markdown.js";
import { fileCard, picture, resolved } from "./media.js";
import { openMenu } from "./menu.js";
import { channelNamed, myServer, people } from "./world.js";

const KINDS = { ROW: 1, BUTTON: 2, STRING: 3, USER: 5, ROLE: 6, MENTIONABLE: 7, CHANNEL: 8 };
const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link", 6: "premium" };

const DRAWN = {
  1: (row, message, act) => el("div", { class: "row" }, drawAll(row.components, message, act)),
  2: button,
  3: select,
  5: select,
  6: select,
  7: select,
  8: select,
  9: section,
  10: (text) => el("div", { class: "markdown" }, markdown(text.content)),
  11: (thumbnail, message) => picture(thumbnail.media, message, { ...thumbnail, kind: "thumbnail" }),
  12: gallery,
  13: (file, message) => fileCard({ ...resolved(file.file, message), ...(file.name ? { filename: file.name } : {}) }),
  14: (line) => el("hr", { class: `${line.divider === false ? "blank" : "line"} ${line.spacing === 2 ? "wide" : ""}` }),
  17: container,
};

/** Draws a message's components; `act` says what a press and a choice do. */
export function drawAll(components, message, act) {
  return (components ?? []).map((component) => DRAWN[component.type]?.(component, message, act) ?? unknown(component));
}

function unknown(component) {
  return el("p", { class: "elsewhere" }, `This page can't show this component (type ${component.type})`);
}

function container(box, message, act) {
  const style = typeof box.accent_color === "number" ? { "--accent": colour(box.accent_color) } : {};
  const marked = typeof box.accent_color === "number" ? " accented" : "";
  return el("div", { class: `container${marked}`, style }, drawAll(box.components, message, act));
}

function section(part, message, act) {
  return el("div", { class: "section" },
    el("div", { class: "section-words" }, drawAll(part.components, message, act)),
    part.accessory ? el("div", { class: "accessory" }, drawAll([part.accessory], message, act)) : null);
}

function gallery(part, message) {
  return el("div", { class: "gallery", dataset: { count: Math.min(part.items.length, 4) } },
    part.items.map((item) => picture(item.media, message, item)));
}

function button(given, message, act) {
  const style = STYLES[given.style] ?? "secondary";
  const label = [emoji(given.emoji), given.label ? el("span", {}, given.label) : null];
  if (given.url) {
    const node = link(given.url, label, icon("out"));
    node.className = "button link";
    return node;
  }
  const node = el("button", { type: "button", class: `button ${style}`, disabled: given.disabled,
    "aria-label": given.label ? null : given.emoji?.name, dataset: { customId: given.custom_id ?? "" } }, label);
  node.addEventListener("click", () => busy(node, () => act.press(message, given.custom_id)));
  return node;
}

async function busy(node, work) {
  if (node.getAttribute("aria-busy") === "true") return;
  node.setAttribute("aria-busy", "true");
  try {
    await work();
  } finally {
    node.removeAttribute("aria-busy");
  }
}

function select(given, message, act) {
  const chosen = chosenAtFirst(given);
  return selectBox(given, chosen, (values) => act.select(message, given.custom_id, values));
}

/** The values a select starts with. */
export function chosenAtFirst(given) {
  const preset = (given.options ?? []).filter((option) => option.default).map((option) => option.value);
  return preset.length ? preset : (given.default_values ?? []).map((value) => value.id);
}

/** A select as a button that opens its list; `whenChosen` hears the values, also in a modal. */
export function selectBox(given, chosen, whenChosen, label = "") {
  let values = chosen;
  const words = el("span", { class: "chosen" });
  const node = el("button", { type: "button", class: "select", id: freshId("select"), disabled: given.disabled, "aria-haspopup": "listbox",
    "aria-expanded": "false", dataset: { customId: given.custom_id } }, words, icon("down"));
  const items = itemsOf(given);
  const show = () => {
    const names = values.map((value) => items.find((item) => item.value === value)?.label ?? value);
    words.textContent = names.length ? names.join(", ") : given.placeholder || "Make a selection";
    words.classList.toggle("placeholder", names.length === 0);
    node.setAttribute("aria-label", [label || (names.length ? given.placeholder : ""), words.textContent].filter(Boolean).join(": "));
  };
  show();
  node.addEventListener("click", async () => {
    if (node.getAttribute("aria-busy") === "true") return;
    node.setAttribute("aria-expanded", "true");
    const picked = await openMenu(node, {
      label: label || given.placeholder || "Choices", items, chosen: values, searchable: given.type !== KINDS.STRING || items.length > 9,
      minimum: given.min_values ?? 1, maximum: given.max_values ?? 1,
    });
    node.setAttribute("aria-expanded", "false");
    if (picked === null) return;
    values = picked;
    show();
    await busy(node, async () => whenChosen(values));
  });
  return node;
}

function itemsOf(given) {
  const server = myServer();
  const persons = () => people().map((member) => ({ value: member.id, label: member.name, description: member.title }));
  const roles = () => server.roles.map((role) => ({ value: role.id, label: role.name, description: "Role" }));
  if (given.type === KINDS.STRING) return given.options.map((option) => ({ ...option }));
  if (given.type === KINDS.USER) return persons();
  if (given.type === KINDS.ROLE) return roles();
  if (given.type === KINDS.MENTIONABLE) return [...persons(), ...roles()];
  return server.channels
    .filter((channel) => !given.channel_types?.length || given.channel_types.includes(channel.type ?? 0))
    .map((channel) => ({ value: channel.id, label: `#${channelNamed(channel.id).name}` }));
}
