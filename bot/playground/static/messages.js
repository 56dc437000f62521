// The list of messages of the open channel, kept in order and scrolled as a reader expects.

import { announce, el, fill } from "./dom.js";
import { continues, failedCommand, messageNode, pendingNode, spoken } from "./message.js";

const NEAR_BOTTOM = 120;
const BUTTON_LOOK = 100;
const BUTTON_WAIT = 15000;

export class MessageList {
  constructor(act) {
    this.act = act;
    this.messages = [];
    this.pending = [];
    this.scroller = document.getElementById("messages");
    this.list = el("div", { class: "message-list" });
    this.empty = el("div", { class: "empty" });
    this.pendingPart = el("div", { class: "message-list" });
    this.jump = document.getElementById("jump");
    this.jump.addEventListener("click", () => this.toBottom());
    this.scroller.addEventListener("scroll", () => this.isNearBottom() && this.seen());
    this.scroller.append(this.empty, this.list, this.pendingPart);
    new ResizeObserver(() => this.sticky && this.toBottom()).observe(this.list);
    this.scroller.addEventListener("scroll", () => (this.sticky = this.isNearBottom()));
    this.sticky = true;
  }

  /** Marks the list while its channel is being read. */
  isBeingRead(is) {
    this.scroller.setAttribute("aria-busy", String(is));
  }

  /** Shows a channel from its beginning. */
  open(messages, channelName) {
    this.messages = [...messages].sort(byId);
    this.pending = [];
    fill(this.empty, el("h2", {}, `# ${channelName}`), el("p", {}, "This is the start of the channel. Type / to see what the bot can do."));
    fill(this.pendingPart);
    fill(this.list, this.messages.map((message, index) => messageNode(message, this.messages[index - 1], this.act)));
    this.toBottom();
  }

  /** Adds a message or puts its new version in its place. */
  put(message) {
    const at = this.messages.findIndex((known) => known.id === message.id);
    if (at === -1) this.add(message);
    else this.replace(at, message);
  }

  add(message) {
    const stick = this.isNearBottom();
    this.messages.push(message);
    this.messages.sort(byId);
    const at = this.messages.indexOf(message);
    const node = messageNode(message, this.messages[at - 1], this.act);
    node.classList.add("new");
    this.list.insertBefore(node, this.list.children[at] ?? null);
    this.redrawAfter(at);
    announce(spoken(message));
    if (stick) this.toBottom();
    else this.jump.hidden = false;
  }

  replace(at, message) {
    const stick = this.isNearBottom();
    const old = this.list.children[at];
    const held = old.contains(document.activeElement) ? document.activeElement.dataset.customId ?? "" : null;
    this.messages[at] = message;
    const node = messageNode(message, this.messages[at - 1], this.act);
    old.replaceWith(node);
    if (held !== null) this.refocus(node, held);
    announce(`Changed: ${spoken(message)}`);
    if (stick) this.toBottom();
  }

  // A press replaces its message: the focus stays on the same button, or on the message if that is gone.
  refocus(node, customId) {
    const same = [...node.querySelectorAll("[data-custom-id]")].find((part) => customId && part.dataset.customId === customId && !part.disabled);
    (same ?? node).focus({ preventScroll: true });
  }

  redrawAfter(at) {
    const next = this.messages[at + 1];
    const node = this.list.children[at + 1];
    if (next && node && node.classList.contains("joined") !== continues(next, this.messages[at])) {
      node.replaceWith(messageNode(next, this.messages[at], this.act));
    }
  }

  remove(id) {
    const at = this.messages.findIndex((known) => known.id === id);
    if (at === -1) return;
    this.messages.splice(at, 1);
    this.list.children[at].remove();
    if (at < this.messages.length) this.redrawAfter(at - 1);
  }

  /** Writes a red sentence under a message: what was pressed there came to nothing. */
  fail(id, sentence) {
    const line = [...this.list.children].find((node) => node.dataset.id === id)?.querySelector(":scope > .body > .failure");
    if (!line) return;
    line.textContent = sentence;
    line.hidden = false;
    announce(sentence);
    if (this.sticky) this.toBottom();
  }

  /** Shows a command that was sent and has no answer yet. */
  await(pending) {
    this.pending.push(pending);
    this.drawPending();
    this.toBottom();
  }

  /** The bot has answered a command of this line: it is not on its way any more. */
  acknowledged(line) {
    const waiting = this.pending.find((pending) => pending.line === line || pending.line.startsWith(`${line} `));
    if (waiting) this.settle(waiting);
  }

  /** The newest message with a button of this label, waited for a little; null if none comes. */
  async withButton(label) {
    for (let waited = 0; waited < BUTTON_WAIT; waited += BUTTON_LOOK) {
      const found = [...this.messages].reverse().slice(0, 4).find((message) => buttonOf(message, label));
      if (found) return { message: found, customId: buttonOf(found, label).custom_id };
      await new Promise((resolve) => setTimeout(resolve, BUTTON_LOOK));
    }
    return null;
  }

  /** Takes the waiting command away; a failed one becomes a message that only this page has. */
  settle(pending, failure = "") {
    this.pending = this.pending.filter((other) => other !== pending);
    this.drawPending();
    if (failure) this.add(failedCommand(pending, failure));
    if (this.sticky) this.toBottom();
  }

  drawPending() {
    fill(this.pendingPart, this.pending.map(pendingNode));
  }

  isNearBottom() {
    return this.scroller.scrollHeight - this.scroller.scrollTop - this.scroller.clientHeight < NEAR_BOTTOM;
  }

  toBottom() {
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.sticky = true;
    this.seen();
  }

  seen() {
    this.jump.hidden = true;
  }
}

function byId(one, other) {
  const difference = BigInt(one.id) - BigInt(other.id);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function buttonOf(message, label) {
  const within = (parts) => parts.flatMap((part) => [part, ...within(part.components ?? []), ...(part.accessory ? [part.accessory] : [])]);
  return within(message.components ?? []).find((part) => part.label === label && part.custom_id && !part.disabled);
}
