// Where one types: ordinary talk, or a command once it begins with a slash.

import * as api from "./api.js";
import { CommandLine } from "./commandline.js";
import { flatten, matching, readLine } from "./commands.js";
import { el, fill, icon } from "./dom.js";
import { Suggestions } from "./suggest.js";
import { mayUse, world } from "./world.js";

const MOST_CHARACTERS = 2000;

export class Composer {
  /** `sent` hears a finished command, `failed` a sentence about talk that could not be sent. */
  constructor({ sent, failed }) {
    this.sent = sent;
    this.failed = failed;
    this.form = document.getElementById("composer");
    this.text = document.getElementById("say");
    this.suggestions = new Suggestions();
    this.slash = document.getElementById("slash");
    this.line = new CommandLine({
      suggestions: this.suggestions,
      done: (finished) => this.finish(finished),
      left: (text) => this.backToText(text),
      turned: (isCommand) => this.drawSlash(isCommand),
    });
    this.drawSlash(false);
    document.getElementById("command-place").append(this.line.node);
    document.getElementById("problem-place").append(this.line.problem);
    document.getElementById("send").append(icon("send"));
    this.slash.addEventListener("click", () => (this.line.command ? this.line.leave("") : this.backToText("/")));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.line.command) this.line.send();
      else this.send();
    });
    this.text.addEventListener("input", () => this.typed());
    this.text.addEventListener("keydown", (event) => this.key(event));
    this.text.addEventListener("blur", () => this.suggestions.input === this.text && this.suggestions.hide());
    this.text.addEventListener("focus", () => this.typed());
  }

  commands() {
    return flatten(world.commands, mayUse);
  }

  /** Shows the field for the open channel. */
  open(channelName) {
    this.text.placeholder = `Message #${channelName}`;
    this.text.setAttribute("aria-label", `Message #${channelName}, or / for a command`);
  }

  // One button: it begins a command, and leaves the one being typed.
  drawSlash(isCommand) {
    const words = isCommand ? "Leave the command" : "Commands";
    fill(this.slash, isCommand ? icon("close") : "/");
    this.slash.title = words;
    this.slash.setAttribute("aria-label", words);
  }

  typed() {
    this.text.style.height = "auto";
    this.text.style.height = `${Math.min(this.text.scrollHeight, 160)}px`;
    this.line.say("");
    if (!this.text.value.startsWith("/")) {
      if (this.suggestions.input === this.text) this.suggestions.hide();
      return;
    }
    const typed = this.text.value.slice(1);
    const found = matching(this.commands(), typed.split(/\s+[\p{L}\p{N}_-]+:/u)[0]);
    this.suggestions.show(this.text, {
      title: typed.trim() ? `Commands that match “${typed.trim().slice(0, 30)}”` : "Commands",
      hint: world.commands.length ? `${found.length} of ${world.bot.name}` : "The bot has not registered its commands yet.",
      items: found.map((command) => ({ label: `/${command.path}`, description: command.description, command,
        tags: command.options.filter((option) => option.required).map((option) => option.name) })),
      empty: "No command has this name.",
      pick: (item) => this.startCommand(item.command),
    });
  }

  startCommand(command, values) {
    const given = values ?? readLine([command], this.text.value)?.values ?? {};
    this.text.value = "";
    this.text.hidden = true;
    this.line.start(command, given);
  }

  key(event) {
    if (event.isComposing) return;
    const choosing = this.suggestions.isOpen && this.suggestions.input === this.text;
    if (choosing && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      this.suggestions.move(event.key === "ArrowDown" ? 1 : -1);
    } else if (choosing && event.key === "Escape") {
      event.preventDefault();
      this.suggestions.hide();
    } else if (choosing && event.key === "Tab" && !event.shiftKey) {
      if (this.suggestions.takeActive()) event.preventDefault();
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      this.enter(choosing);
    } else if (event.key === " " && choosing && this.wholeCommand()) {
      event.preventDefault();
      this.startCommand(this.wholeCommand());
    }
  }

  // A path typed out in full that no longer path begins with: a space goes on to its options.
  wholeCommand() {
    const typed = this.text.value.slice(1).trim().toLowerCase();
    const commands = this.commands();
    const whole = commands.find((command) => command.path === typed);
    return whole && !commands.some((command) => command.path.startsWith(`${typed} `)) ? whole : null;
  }

  enter(choosing) {
    const whole = this.text.value.startsWith("/") ? readLine(this.commands(), this.text.value.trim()) : null;
    if (whole && Object.keys(whole.values).length) {
      this.startCommand(whole.command, whole.values);
      this.line.send();
    } else if (!choosing || !this.suggestions.takeActive()) {
      this.send();
    }
  }

  async send() {
    const text = this.text.value.trim();
    if (!text) return;
    if (text.startsWith("/")) {
      this.line.say("There is no such command. Pick one from the list, or leave out the slash to talk.");
      return;
    }
    if ([...text].length > MOST_CHARACTERS) {
      this.line.say(`A message has at most ${MOST_CHARACTERS} characters; this one has ${[...text].length}.`);
      return;
    }
    this.text.value = "";
    this.typed();
    const { failed } = await api.say(text);
    if (!failed) return;
    this.text.value = text;
    this.failed(failed);
  }

  finish(finished) {
    this.backToText("");
    this.sent(finished);
  }

  backToText(text) {
    this.text.hidden = false;
    this.text.value = text;
    this.text.focus();
    this.typed();
  }

  /** Leaves whatever was being typed. */
  clear() {
    this.line.close();
    this.text.hidden = false;
    this.text.value = "";
    this.suggestions.hide();
  }

  /** Says under the composer what went wrong. */
  say(problem) {
    this.line.say(problem);
  }
}

/** A short bar above the composer about the bot itself: starting, gone, back. */
export function drawBotState(state) {
  const bar = document.getElementById("bot-state");
  bar.hidden = !state || state.online;
  bar.replaceChildren(el("span", { class: "dots", "aria-hidden": "true" }, el("i"), el("i"), el("i")), state?.sentence ?? "");
}
