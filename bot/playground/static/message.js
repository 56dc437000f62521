// One message: who, what they used, the words, the cards, the buttons, and what only oneself can see.

import { el, icon } from "./dom.js";
import { drawAll } from "./components.js";
import { asksForCommands, moreButton, ON_MESSAGE, ON_PERSON, openCommands } from "./context.js";
import { embeds } from "./embeds.js";
import { markdown, markdownLine } from "./markdown.js";
import { attachments } from "./media.js";
import { writtenAt } from "./times.js";
import { displayName, hueOf, world } from "./world.js";

const EPHEMERAL = 64;
const LOADING = 128;
const BY_COMMAND = 2;
const BY_CONTEXT_MENU = 23;
const GROUPING_MINUTES = 7;
const DISCORD_EPOCH = 1420070400000;

export function isEphemeral(message) {
  return Boolean((message.flags ?? 0) & EPHEMERAL);
}

/** A round picture with the first letter of a name; the bot's own is a die. */
export function avatar(user, size = "") {
  const bot = user.bot ? " bot" : "";
  const letter = user.bot ? "⚄" : [...displayName(user)][0].toUpperCase();
  return el("span", { class: `avatar hue-${hueOf(user.id)}${bot} ${size}`, "aria-hidden": "true" }, letter);
}

/** Whether a message continues the one above it without a head of its own. */
export function continues(message, above) {
  if (!above || above.author.id !== message.author.id || usedLine(message) || isEphemeral(above) || isEphemeral(message)) return false;
  if (message.referenced_message) return false;
  return new Date(message.timestamp) - new Date(above.timestamp) < GROUPING_MINUTES * 60000;
}

/** Draws a message; `act` holds what its buttons, selects, commands and Dismiss do. */
export function messageNode(message, above, act) {
  const node = drawn(message, above, act);
  node.addEventListener("contextmenu", (event) => {
    if (!asksForCommands(event)) return;
    const name = event.target.closest("[data-person]");
    if (!name && isEphemeral(message)) return;
    event.preventDefault();
    if (name) openCommands(name, ON_PERSON, name.textContent, (kind, command) => act.use(kind, command, name.dataset.person));
    else node.querySelector(".more-commands")?.click();
  });
  return node;
}

function drawn(message, above, act) {
  const joined = continues(message, above);
  const classes = ["message", joined ? "joined" : "", isEphemeral(message) ? "ephemeral" : ""].join(" ");
  return el("article", { class: classes, dataset: { id: message.id }, tabindex: "-1", "aria-label": spokenHead(message) },
    usedLine(message) ?? answeredLine(message),
    joined ? null : avatar(message.author),
    el("div", { class: "body" },
      joined ? null : head(message),
      words(message),
      attachments(message),
      embeds(message),
      el("div", { class: "components" }, drawAll(message.components, message, act)),
      el("p", { class: "failure", hidden: !message.failure }, message.failure),
      isEphemeral(message) ? onlyYou(message, act) : null),
    isEphemeral(message) ? null : more(message, act));
}

function more(message, act) {
  return moreButton("Commands for this message", (anchor) =>
    openCommands(anchor, ON_MESSAGE, "Commands for this message", (kind, name) => act.use(kind, name, message.id)));
}

function spokenHead(message) {
  return `${displayName(message.author)}${isEphemeral(message) ? ", only you can see this" : ""}`;
}

function head(message) {
  return el("header", {},
    el("span", { class: `author hue-${hueOf(message.author.id)}${message.author.bot ? " bot" : ""}`, ...person(message.author) }, displayName(message.author)),
    message.author.bot ? el("span", { class: "app" }, "App") : null,
    message.timestamp ? writtenAt(message.timestamp) : null);
}

/** What marks a name as a person's, on whom commands can be used. */
function person(user) {
  return user.bot ? {} : { tabindex: "-1", dataset: { person: user.id } };
}

function words(message) {
  if ((message.flags ?? 0) & LOADING) return thinking(displayName(message.author));
  const edited = message.edited_timestamp ? el("small", { class: "edited" }, "(edited)") : null;
  if (!message.content) return message.components?.length || message.embeds?.length ? null : edited;
  return el("div", { class: "markdown content" }, markdown(message.content), edited);
}

/** The state between a deferred answer and the answer. */
export function thinking(name) {
  return el("p", { class: "thinking" }, el("span", { class: "dots", "aria-hidden": "true" }, el("i"), el("i"), el("i")), `${name} is thinking…`);
}

/** The command a message answers, as it is shown: `/campaign create`, or the name on a context menu; null for others. */
export function usedCommand(message) {
  const meta = message.interaction_metadata;
  const name = meta?.type === BY_COMMAND ? (message.interaction?.name ?? meta.name ?? null) : null;
  return name && message.type !== BY_CONTEXT_MENU ? `/${name}` : name;
}

function usedLine(message) {
  if (message.used) return usedBy(message.used.user, message.used.line);
  const line = usedCommand(message);
  return line ? usedBy(message.interaction_metadata.user, line) : null;
}

function usedBy(user, line) {
  return el("div", { class: "above" }, icon("reply"), avatar(user, "tiny"), el("b", person(user), displayName(user)), " used ", el("span", { class: "mention" }, line));
}

function answeredLine(message) {
  const answered = message.referenced_message;
  if (!answered) return null;
  const line = (answered.content || answered.embeds?.[0]?.title || answered.embeds?.[0]?.description || "a message").split("\n")[0];
  return el("div", { class: "above" }, icon("reply"), avatar(answered.author, "tiny"), el("b", {}, displayName(answered.author)),
    el("span", { class: "quoted" }, markdownLine(line)));
}

function onlyYou(message, act) {
  return el("p", { class: "only-you" }, icon("eye"), "Only you can see this · ",
    el("button", { type: "button", class: "plain", on: { click: () => act.dismiss(message) } }, "Dismiss message"));
}

/** A command on its way, seen by the one who sent it. */
export function pendingNode({ id, user, line }) {
  return el("article", { class: "message pending", dataset: { id }, tabindex: "-1" }, usedBy(user, line), avatar({ ...world.bot, bot: true }),
    el("div", { class: "body" }, head({ author: { ...world.bot, bot: true } }), el("p", { class: "thinking" }, "Sending command…")));
}

/** A command that came to nothing, as a message only this page has; its id says when it happened, as Discord's do. */
export function failedCommand({ user, line }, failure) {
  const id = BigInt(Date.now() - DISCORD_EPOCH) << 22n;
  return { id: String(id), author: { ...world.bot, bot: true }, timestamp: new Date().toISOString(), flags: EPHEMERAL, failure, used: { user, line } };
}

/** What a screen reader is told about a message that just arrived. */
export function spoken(message) {
  if ((message.flags ?? 0) & LOADING) return `${displayName(message.author)} is thinking`;
  const node = el("div", {}, markdown(message.content ?? ""),
    (message.embeds ?? []).map((embed) => [markdown(embed.title ?? ""), " ", markdown(embed.description ?? "")]),
    texts(message.components ?? []));
  if (message.failure) return message.failure;
  return `${displayName(message.author)}: ${node.textContent.replace(/\s+/g, " ").slice(0, 400)}`;
}

function texts(components) {
  return components.flatMap((part) => [part.content ? markdown(part.content) : [], texts(part.components ?? [])]).flat();
}
