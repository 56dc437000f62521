// Puts the page together: the world as told by the server, and what each press does.

import * as api from "./api.js";
import { spelled } from "./commands.js";
import { Composer, drawBotState } from "./composer.js";
import { markOffers } from "./context.js";
import { announce } from "./dom.js";
import { Live } from "./live.js";
import { usedCommand } from "./message.js";
import { MessageList } from "./messages.js";
import { openModal } from "./modal.js";
import { drawPeople } from "./people.js";
import { drawer, drawPlaces } from "./places.js";
import { SceneRow } from "./scene.js";
import { keepTimesTrue } from "./times.js";
import { channelNamed, learn, me, world } from "./world.js";

const WHO = "tablekeeper-person";
const LOST = "The playground does not answer. Trying again…";

class Page {
  constructor() {
    this.unread = new Set();
    this.held = null;
    this.reading = null;
    this.switched = null;
    this.kept = null;
    this.modal = null;
    this.list = new MessageList({
      press: (message, customId) => this.answered(message, api.press(message, customId)),
      select: (message, customId, values) => this.answered(message, api.choose(message, customId, values)),
      dismiss: (message) => this.dismiss(message),
      use: (kind, name, target) => this.use(kind, name, target),
    });
    this.composer = new Composer({ sent: (finished) => this.slash(finished), failed: (sentence) => this.composer.say(sentence) });
    this.scene = new SceneRow({
      become: (person) => this.become(person),
      open: (channel) => this.openChannel(channel),
      play: (command, picked) => this.playStep(command, picked),
      press: (label) => this.pressNewest(label),
      problem: (sentence) => this.composer.say(sentence),
    });
    this.closeDrawer = drawer();
    this.live = new Live((event) => this.hear(event), (state) => this.connection(state));
  }

  start() {
    keepTimesTrue();
    this.live.connect(sessionStorage.getItem(WHO));
  }

  connection(state) {
    if (state === "closed") drawBotState({ online: false, sentence: LOST });
  }

  /** Takes one event from the server; while a channel is being read, messages wait for it. */
  hear(event) {
    const taken = {
      hello: () => this.hello(event),
      places: () => this.places(event),
      commands: () => this.commands(event),
      bot: () => this.bot(event.bot),
      message: () => this.message(event),
      deleted: () => event.channel === world.channel && this.list.remove(event.message),
      modal: () => this.openModal(event),
      failed: () => announce(event.sentence),
    };
    if (this.held && (event.type === "message" || event.type === "deleted")) this.held.push(event);
    else taken[event.type]?.();
  }

  async hello(event) {
    const { switched } = this;
    this.switched = null;
    world.channel ??= this.kept;
    learn(event.world);
    markOffers();
    sessionStorage.setItem(WHO, world.me);
    drawPeople((person, keepFocus) => this.become(person, keepFocus));
    drawBotState(world.bot.state);
    await this.openChannel(world.channel);
    this.scene.draw();
    switched?.();
  }

  places({ servers }) {
    const channel = world.channel;
    learn({ servers });
    if (world.channel === channel) this.drawPlaces();
    else this.openChannel(world.channel);
  }

  commands(event) {
    world.commands = event.commands;
    markOffers();
    this.scene.draw();
    if (document.activeElement === this.composer.text) this.composer.typed();
  }

  bot(state) {
    world.bot.state = state;
    drawBotState(state);
  }

  message({ channel, message }) {
    const used = usedCommand(message);
    if (used && message.interaction_metadata.user.id === world.me) this.list.acknowledged(used);
    if (channel === world.channel) this.list.put(message);
    else {
      this.unread.add(channel);
      this.drawPlaces();
    }
  }

  drawPlaces() {
    const acts = {
      openChannel: (channel) => this.openChannel(channel).then(this.closeDrawer),
      choosePerson: (person) => this.become(person),
      use: (kind, name, target) => this.use(kind, name, target),
    };
    drawPlaces(acts, this.unread);
  }

  async openChannel(channel) {
    world.channel = channel;
    this.unread.delete(channel);
    this.held ??= [];
    const reading = (this.reading = {});
    this.list.isBeingRead(true);
    const messages = await api.messagesOf(channel);
    if (this.reading !== reading) return;
    const waiting = this.held;
    this.held = null;
    this.list.open(messages, channelNamed(channel).name);
    this.composer.open(channelNamed(channel).name);
    this.drawPlaces();
    waiting.forEach((event) => this.hear(event));
    this.list.isBeingRead(false);
  }

  /** Becomes another person; done once their own view is on the screen. */
  become(person, keepFocus = false) {
    if (person === world.me) return Promise.resolve();
    return new Promise((resolve) => {
      this.switched = () => {
        announce(`You are now ${me().name}.`);
        this.closeDrawer();
        if (keepFocus) document.querySelector(".chip[aria-checked=true]")?.focus();
        resolve();
      };
      this.composer.clear();
      this.unread.clear();
      this.kept = world.channel;
      world.channel = null;
      this.reading = null;
      this.held = null;
      this.live.connect(person);
    });
  }

  /** Sends a command and shows it as on its way until it is answered. */
  async slash(finished) {
    return (await this.sent(finished)).failed ?? "";
  }

  sent({ command, options, files, shown }) {
    return this.awaited(spelled(command.path, shown), api.slash(command.path, options, files));
  }

  /** Uses a command on a person or a message. */
  async use(kind, name, target) {
    this.closeDrawer();
    await this.awaited(name, api.use(kind, name, target));
  }

  async awaited(line, answer) {
    const pending = { id: `pending-${Date.now()}`, user: { id: me().id, username: me().name }, line };
    this.list.await(pending);
    const told = await answer;
    this.list.settle(pending, told.failed ?? "");
    return told;
  }

  async playStep(command, picked) {
    const entries = Object.entries(picked);
    const options = Object.fromEntries(entries.map(([name, item]) => [name, item.value]));
    const shown = Object.fromEntries(entries.map(([name, item]) => [name, item.label]));
    return this.sent({ command, options, files: {}, shown });
  }

  async pressNewest(label) {
    const found = await this.list.withButton(label);
    if (!found) return `The answer has no button “${label}”.`;
    return this.answered(found.message, api.press(found.message, found.customId));
  }

  async answered(message, answer) {
    const { failed } = await answer;
    if (failed) this.list.fail(message.id, failed);
    return failed ?? "";
  }

  async dismiss(message) {
    this.list.remove(message.id);
    if (!message.failure) await api.dismiss(message);
    this.composer.text.focus();
  }

  openModal({ modal }) {
    if (this.modal?.isConnected) this.modal.close();
    this.modal = openModal(modal, async (values) => (await api.submit(modal.token, values)).failed, () => (this.modal = null));
  }
}

new Page().start();
