// The switch between people.

import { el, fill } from "./dom.js";
import { avatar } from "./message.js";
import { world } from "./world.js";

/** Draws who one can be; the arrow keys move along, as in any group of radio buttons. */
export function drawPeople(choose) {
  const group = document.getElementById("people");
  const chips = world.people.map((person) => chip(person, choose));
  fill(group, el("span", { class: "you-are", "aria-hidden": "true" }, "You are"), chips);
  group.onkeydown = (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = world.people.findIndex((person) => person.id === world.me);
    choose(world.people[(at + step + world.people.length) % world.people.length].id, true);
  };
}

function chip(person, choose) {
  const chosen = person.id === world.me;
  const server = world.servers.find((known) => known.id === person.server);
  const elsewhere = person.server !== world.servers[0].id ? ` in ${server.name}` : "";
  return el("button", { type: "button", class: "chip", role: "radio", "aria-checked": String(chosen), tabindex: chosen ? "0" : "-1",
    title: `${person.name}${elsewhere}`, "aria-label": `${person.name}${elsewhere}`, dataset: { person: person.id },
    on: { click: () => choose(person.id) } },
    avatar({ id: person.id, username: person.name }, "small"), el("span", {}, person.name));
}
