// A chosen command in the composer: its path and one pill for each option, required ones first.

import { announce, el, fill } from "./dom.js";
import { named, read } from "./options.js";
import { Pill } from "./pill.js";

export class CommandLine {
  /** `done` hears the command when it is sent, `left` the text to go back to, `turned` whether a command is being typed. */
  constructor({ suggestions, done, left, turned }) {
    Object.assign(this, { suggestions, done, left, turned });
    this.pillsPart = el("div", { class: "pills" });
    this.path = el("span", { class: "path" });
    this.more = el("button", { type: "button", class: "more" });
    this.problem = el("p", { class: "problem", role: "alert" });
    this.node = el("div", { class: "command-line", hidden: true }, this.path, this.pillsPart, this.more);
    this.more.addEventListener("click", () => this.offerOptional());
    this.more.addEventListener("keydown", (event) => this.moreKey(event));
    this.more.addEventListener("blur", () => this.suggestions.input === this.more && this.suggestions.hide());
    this.command = null;
    this.pills = [];
  }

  /** Starts a command, with texts already typed for some of its options. */
  start(command, texts = {}) {
    this.command = command;
    this.pills = [];
    fill(this.pillsPart);
    fill(this.path, `/${command.path}`);
    this.node.hidden = false;
    this.turned(true);
    this.say("");
    const wanted = command.options.filter((option) => option.required || option.name in texts);
    wanted.sort((one, other) => Number(Boolean(other.required)) - Number(Boolean(one.required)));
    for (const option of wanted) this.add(option).setText(texts[option.name] ?? "");
    this.showMore();
    announce(`Command ${command.path}. ${command.description}`);
    const open = this.pills.find((pill) => !pill.field.text) ?? this.pills.at(-1);
    if (open) open.focus();
    else this.more.focus();
  }

  add(option) {
    const pill = new Pill(option, this);
    this.pills.push(pill);
    this.pillsPart.append(pill.node);
    this.showMore();
    return pill;
  }

  remove(pill) {
    const at = this.pills.indexOf(pill);
    if (pill.option.required) return;
    this.pills.splice(at, 1);
    pill.node.remove();
    this.showMore();
    (this.pills[Math.max(0, at - 1)] ?? { focus: () => this.more.focus() }).focus();
  }

  optional() {
    return this.command.options.filter((option) => !this.pills.some((pill) => pill.option.name === option.name));
  }

  showMore() {
    const left = this.optional().length;
    const nothing = !this.command.options.length;
    this.more.classList.toggle("empty", !left);
    fill(this.more, nothing ? "No options: press Enter to send" : left ? `+${left} optional` : "Enter sends");
  }

  offerOptional() {
    const items = this.optional().map((option) => ({ label: option.name, description: option.description, option }));
    if (!items.length) return;
    this.suggestions.show(this.more, { title: "Optional", hint: "Pick one to add it", items, pick: (item) => this.add(item.option).focus() });
  }

  moreKey(event) {
    const showing = this.suggestions.isOpen && this.suggestions.input === this.more;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (showing) this.suggestions.move(event.key === "ArrowDown" ? 1 : -1);
      else this.offerOptional();
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (!showing || !this.suggestions.takeActive()) this.send();
    } else if (event.key === "Escape" && showing) {
      event.preventDefault();
      this.suggestions.hide();
    } else if (event.key === "Escape" || event.key === "Backspace") {
      event.preventDefault();
      if (event.key === "Backspace" && this.pills.length) this.pills.at(-1).focus();
      else this.leave("");
    }
  }

  /** Moves on after a pill was filled: to the next empty one, then to the optional ones. */
  next(pill) {
    const after = this.pills.slice(this.pills.indexOf(pill) + 1);
    (after.find((other) => !other.field.text && !other.field.file) ?? { focus: () => this.more.focus() }).focus();
  }

  /** The values of the other pills as typed so far, for a completion that depends on them. */
  others(pill) {
    const values = {};
    for (const other of this.pills) {
      if (other === pill || other.field.file) continue;
      const { value } = read(other.field);
      if (value !== undefined) values[other.option.name] = value;
    }
    return values;
  }

  /** Checks every pill and sends the command, or says at the first wrong one what is wrong. */
  send() {
    const results = this.pills.map((pill) => [pill, read(pill.field)]);
    for (const [pill, result] of results) pill.mark(result.problem ?? "");
    const wrong = results.find(([, result]) => result.problem);
    if (wrong) {
      this.say(wrong[1].problem);
      wrong[0].focus();
      return false;
    }
    const filled = results.filter(([, result]) => "value" in result);
    const options = {};
    const files = {};
    const shown = {};
    for (const [pill, { value }] of filled) {
      (value instanceof File ? files : options)[pill.option.name] = value;
      shown[pill.option.name] = pill.field.picked?.label ?? named(pill.option, value);
    }
    const command = this.command;
    this.close();
    this.done({ command, options, files, shown });
    return true;
  }

  say(problem) {
    this.problem.textContent = problem;
  }

  leave(text) {
    this.close();
    this.left(text);
  }

  close() {
    this.suggestions.hide();
    this.node.hidden = true;
    this.say("");
    if (this.command) this.turned(false);
    this.command = null;
    this.pills = [];
    fill(this.pillsPart);
  }
}
