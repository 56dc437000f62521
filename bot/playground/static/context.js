// The commands offered on a person or a message: behind a "…" button, a right click or a long press.

import { el, icon } from "./dom.js";
import { openMenu } from "./menu.js";
import { mayUse, world } from "./world.js";

export const ON_PERSON = 2;
export const ON_MESSAGE = 3;

function offered(kind) {
  return world.commands.filter((command) => command.type === kind && mayUse(command));
}

/** Shows the "…" buttons only where there is something to offer. */
export function markOffers() {
  document.body.classList.toggle("offers-on-person", offered(ON_PERSON).length > 0);
  document.body.classList.toggle("offers-on-message", offered(ON_MESSAGE).length > 0);
}

/** Opens the commands on a person or a message; `use(kind, name)` sends the one that is picked. */
export async function openCommands(anchor, kind, label, use) {
  const items = offered(kind).map((command) => ({ label: command.name, value: command.name }));
  if (!items.length) return;
  const picked = await openMenu(anchor, { label, title: label, items, chosen: [], minimum: 1, maximum: 1, searchable: false });
  if (picked) use(kind, picked[0]);
}

/** The "…" button of a message. */
export function moreButton(label, open) {
  return el("button", { type: "button", class: "round more-commands", "aria-label": label, title: label, "aria-haspopup": "listbox",
    on: { click: (event) => open(event.currentTarget) } }, icon("more"));
}

/** Whether a right click or long press here asks for our commands, and not for the browser's own menu. */
export function asksForCommands(event) {
  if (event.target.closest("a, img, input, textarea, select")) return false;
  return event.pointerType === "touch" || !String(window.getSelection());
}
