// The switch between people, and the list of servers and channels of the one chosen.

import { el, fill, icon } from "./dom.js";
import { avatar } from "./message.js";
import { me, myServer, world } from "./world.js";

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

/** Draws the servers and the channels; a server one is not in belongs to somebody else. */
export function drawPlaces(openChannel, choosePerson, unread) {
  const server = myServer();
  fill(document.getElementById("servers"), world.servers.map((known) => serverButton(known, choosePerson)));
  fill(document.getElementById("server-name"), server.name);
  fill(document.getElementById("channels"), server.channels.map((channel) =>
    el("li", {}, el("button", { type: "button", class: `channel${unread.has(channel.id) ? " unread" : ""}`,
      "aria-current": channel.id === world.channel ? "true" : null, on: { click: () => openChannel(channel.id) } },
      el("span", { class: "hash", "aria-hidden": "true" }, "#"), el("span", {}, channel.name),
      unread.has(channel.id) ? el("span", { class: "sr" }, " (new messages)") : null))));
  fill(document.getElementById("members"), server.members.map((member) =>
    el("li", {}, avatar({ id: member.id, username: member.name, bot: member.bot }, "small"), el("span", {}, member.name),
      member.bot ? el("span", { class: "app" }, "App") : null,
      member.title ? el("small", {}, member.title) : null)));
  fill(document.getElementById("channel-name"), server.channels.find((channel) => channel.id === world.channel)?.name ?? "");
}

function serverButton(server, choosePerson) {
  const mine = server.id === me().server;
  const somebody = world.people.find((person) => person.server === server.id);
  const words = mine ? server.name : `${server.name}: look in as ${somebody?.name}`;
  return el("button", { type: "button", class: "server", "aria-current": mine ? "true" : null, title: words, "aria-label": words,
    on: { click: () => !mine && somebody && choosePerson(somebody.id) } },
    server.name.split(/\s+/).map((word) => [...word][0]).join("").slice(0, 2));
}

/** Opens and closes the drawer that holds servers and channels on a narrow screen. */
export function drawer() {
  const side = document.getElementById("side");
  const button = document.getElementById("open-side");
  fill(button, icon("menu"));
  const set = (open) => {
    side.classList.toggle("open", open);
    document.getElementById("shade").hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    if (open) side.querySelector("[aria-current]")?.focus();
  };
  button.addEventListener("click", () => set(!side.classList.contains("open")));
  document.getElementById("shade").addEventListener("click", () => set(false));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !side.classList.contains("open")) return;
    set(false);
    button.focus();
  });
  return () => set(false);
}
