// The servers, channels, voice, events and people beside the messages.

import * as api from "./api.js";
import { ON_PERSON, openCommands } from "./context.js";
import { el, fill, icon } from "./dom.js";
import { avatar } from "./message.js";
import { timestamp } from "./times.js";
import { me, myServer, personNamed, world } from "./world.js";

const VOICE = 2;

/** Draws the servers and what is in one's own; a server one is not in belongs to somebody else. */
export function drawPlaces({ openChannel, choosePerson, use }, unread) {
  const server = myServer();
  fill(document.getElementById("servers"), world.servers.map((known) => serverButton(known, choosePerson)));
  fill(document.getElementById("server-name"), server.name);
  fill(document.getElementById("channels"), server.channels.map((channel) =>
    el("li", {}, channel.type === VOICE ? voiceChannel(channel, server) : textChannel(channel, openChannel, unread))));
  fill(document.getElementById("events"), server.events.map(eventRow));
  document.getElementById("events-title").hidden = !server.events.length;
  fill(document.getElementById("members"), server.members.map((member) => memberRow(member, use)));
  fill(document.getElementById("channel-name"), server.channels.find((channel) => channel.id === world.channel)?.name ?? "");
}

function textChannel(channel, openChannel, unread) {
  const isUnread = unread.has(channel.id);
  return el("button", { type: "button", class: `channel${isUnread ? " unread" : ""}`,
    "aria-current": channel.id === world.channel ? "true" : null, on: { click: () => openChannel(channel.id) } },
    el("span", { class: "hash", "aria-hidden": "true" }, "#"), el("span", {}, channel.name),
    isUnread ? el("span", { class: "sr" }, " (new messages)") : null);
}

function voiceChannel(channel, server) {
  const inside = server.voice.filter((state) => state.channel === channel.id).map((state) => state.person);
  const mine = inside.includes(world.me);
  return [
    el("button", { type: "button", class: "channel", title: mine ? "Leave" : "Join", on: { click: () => api.voice(mine ? "" : channel.id) } },
      icon("voice"), el("span", {}, channel.name), el("span", { class: "act" }, mine ? "Leave" : "Join")),
    el("ul", { class: "inside" }, inside.map((id) => memberRow(personNamed(id)))),
  ];
}

function eventRow(event) {
  const acts = event.is_active ? [["end", "End"]] : [["start", "Start"], ["cancel", "Cancel"]];
  return el("li", { class: "event" },
    el("span", { class: "event-name" }, event.name),
    el("small", {}, event.is_active ? "On now" : timestamp(event.starts, "R")),
    me().may_run_events
      ? el("span", { class: "acts" }, acts.map(([act, words]) =>
        el("button", { type: "button", class: "plain", "aria-label": `${words}: ${event.name}`, on: { click: () => api.event(event.id, act) } }, words)))
      : null);
}

function memberRow(member, use = null) {
  const open = (event) => {
    event.preventDefault();
    openCommands(event.currentTarget, ON_PERSON, member.name, (kind, name) => use(kind, name, member.id));
  };
  if (use && !member.bot) {
    return el("li", {}, el("button", { type: "button", class: "member", "aria-haspopup": "listbox", on: { click: open, contextmenu: open } },
      memberWords(member), icon("more")));
  }
  return el("li", {}, memberWords(member));
}

function memberWords(member) {
  return [avatar({ id: member.id, username: member.name, bot: member.bot }, "small"), el("span", {}, member.name),
    member.bot ? el("span", { class: "app" }, "App") : null,
    member.title ? el("small", {}, member.title) : null];
}

function serverButton(server, choosePerson) {
  const mine = server.id === me().server;
  const somebody = world.people.find((person) => person.server === server.id);
  const words = mine ? server.name : `${server.name}: open as ${somebody?.name}`;
  return el("button", { type: "button", class: "server", "aria-current": mine ? "true" : null, title: words,
    on: { click: () => !mine && somebody && choosePerson(somebody.id) } },
    el("span", { "aria-hidden": "true" }, server.name.split(/\s+/).map((word) => [...word][0]).join("").slice(0, 2)),
    el("span", { class: "sr" }, words));
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
