// One option of the command being typed: a name, a field, and what can be picked for it.

import { autocomplete } from "./api.js";
import { debounced, el, fill, freshId } from "./dom.js";
import { ATTACHMENT, bounds, fitting, INTEGER, listOf, NUMBER, read } from "./options.js";

const TYPING_PAUSE = 220;

export class Pill {
  constructor(option, line) {
    this.option = option;
    this.line = line;
    this.field = { option, text: "", picked: null, file: null };
    this.asked = 0;
    const id = freshId("option");
    this.control = option.type === ATTACHMENT ? this.fileControl(id) : this.textControl(id);
    this.node = el("div", { class: "pill" },
      el("label", { for: id }, option.name, option.required ? el("span", { class: "sr" }, " (required)") : null), this.control);
    this.complete = debounced(TYPING_PAUSE, () => this.askForCompletions());
  }

  textControl(id) {
    const number = this.option.type === INTEGER || this.option.type === NUMBER;
    this.input = el("input", { id, type: "text", role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", autocomplete: "off",
      autocapitalize: "off", spellcheck: "false", inputmode: number && !this.option.autocomplete ? "decimal" : null });
    this.input.addEventListener("input", () => this.typed());
    this.input.addEventListener("focus", () => this.offer());
    this.input.addEventListener("blur", () => this.blurred());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.size();
    return this.input;
  }

  fileControl(id) {
    const chooser = el("input", { type: "file", class: "sr", tabindex: "-1", "aria-hidden": "true" });
    this.input = el("button", { type: "button", id, class: "choose-file" }, "Choose a file");
    this.input.addEventListener("click", () => chooser.click());
    this.input.addEventListener("focus", () => this.offer());
    this.input.addEventListener("blur", () => this.blurred());
    this.input.addEventListener("keydown", (event) => event.key !== "Enter" && this.key(event));
    chooser.addEventListener("change", () => {
      this.field.file = chooser.files[0] ?? null;
      fill(this.input, this.field.file?.name ?? "Choose a file");
      this.mark("");
      if (this.field.file) this.line.next(this);
    });
    return el("span", {}, this.input, chooser);
  }

  /** Puts text in as if typed; an item picked for it keeps the value behind the text. */
  setText(text, picked = null) {
    this.field.text = String(text);
    this.field.picked = picked;
    if (this.option.type === ATTACHMENT) return;
    this.input.value = this.field.text;
    this.size();
  }

  size() {
    this.input.style.width = `${Math.min(32, Math.max(6, [...this.input.value].length + 2))}ch`;
  }

  typed() {
    this.field.text = this.input.value;
    this.field.picked = null;
    this.size();
    this.mark("");
    this.line.say("");
    this.offer();
  }

  focus() {
    this.input.focus();
    this.offer();
  }

  /** Shows what can be picked here, asking the bot where it completes the option itself. */
  offer() {
    if (this.option.autocomplete) {
      if (this.field.picked) this.showItems([], "");
      else this.complete();
      return;
    }
    const list = listOf(this.option);
    if (!list || this.field.picked) this.showItems([], "");
    else this.showItems(fitting(list, this.field.text), "Nothing matches. Pick one from the list.");
  }

  showItems(items, empty, keepsMark = false) {
    const asks = bounds(this.option);
    this.line.suggestions.show(this.input, {
      title: this.option.name,
      hint: `${this.option.description}${asks ? ` (${asks})` : ""}`,
      items, empty, keepsMark,
      pick: (item) => {
        this.setText(item.label, item);
        this.mark("");
        this.line.say("");
        this.line.next(this);
      },
    });
  }

  async askForCompletions() {
    if (document.activeElement !== this.input || !this.line.command) return;
    this.asked += 1;
    const asked = this.asked;
    const choices = await autocomplete(this.line.command.path, this.option.name, this.field.text, this.line.others(this));
    if (asked !== this.asked || document.activeElement !== this.input || !this.line.command) return;
    const items = (choices ?? []).map((choice) => ({ label: choice.name, value: choice.value }));
    this.showItems(items, choices === null ? "Loading the choices failed." : "No choices match what you typed.", true);
  }

  blurred() {
    this.asked += 1;
    if (this.line.suggestions.input === this.input) this.line.suggestions.hide();
    if (!this.line.command) return;
    const { problem } = read(this.field);
    const typed = this.field.text || this.field.file;
    this.mark(typed && problem ? problem : "");
    if (typed && problem) this.line.say(problem);
  }

  key(event) {
    const { suggestions } = this.line;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      suggestions.move(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (!suggestions.takeActive()) this.line.send();
    } else if (event.key === "Tab" && !event.shiftKey) {
      if (this.mayTakeOnTab() && suggestions.takeActive()) event.preventDefault();
    } else if (event.key === "Escape") {
      event.preventDefault();
      if (suggestions.isOpen && suggestions.items.length) suggestions.hide();
      else this.line.leave("");
    } else if (event.key === "Backspace" && !this.field.text) {
      event.preventDefault();
      this.backspace();
    }
  }

  // Tab through an empty optional field must not fill it.
  mayTakeOnTab() {
    return Boolean(this.field.text) || this.option.required;
  }

  backspace() {
    const at = this.line.pills.indexOf(this);
    if (!this.option.required) this.line.remove(this);
    else if (at > 0) this.line.pills[at - 1].focus();
    else this.line.leave(`/${this.line.command.path}`);
  }

  /** Shows the field as wrong, or as right again. */
  mark(problem) {
    this.node.classList.toggle("invalid", Boolean(problem));
    if (problem) this.input.setAttribute("aria-invalid", "true");
    else this.input.removeAttribute("aria-invalid");
  }
}
