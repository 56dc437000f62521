// The panel above the composer: commands, choices and completions, walked with the arrow keys.

import { el, fill } from "./dom.js";

export class Suggestions {
  constructor() {
    this.panel = document.getElementById("suggestions");
    this.head = el("div", { class: "suggest-head" });
    this.list = el("div", { class: "suggest-list", role: "listbox", id: "suggest-list", "aria-label": "Suggestions" });
    this.panel.append(this.head, this.list);
    this.panel.addEventListener("pointerdown", (event) => event.preventDefault());
    this.hide();
  }

  get isOpen() {
    return !this.panel.hidden;
  }

  /**
   * Shows items for `input`; `pick` hears the item taken. Without items only the head is shown. The mark goes to the
   * first, unless the arrow keys have moved it and newer items come by themselves (`keepsMark`).
   */
  show(input, { title, hint, items, empty, pick, keepsMark = false }) {
    const marked = keepsMark && this.hasMoved && this.input === input ? this.items[this.at]?.label : null;
    const at = items.findIndex((item) => item.label === marked);
    this.release();
    Object.assign(this, { input, items, pick });
    this.hasMoved = at >= 0;
    this.at = Math.max(at, items.length ? 0 : -1);
    fill(this.head, title ? el("b", {}, title) : null, hint ? el("span", {}, hint) : null);
    fill(this.list, items.map((item, index) => this.row(item, index)), !items.length && empty ? el("p", { class: "nothing" }, empty) : null);
    this.panel.hidden = false;
    input.setAttribute("aria-controls", "suggest-list");
    if (input.getAttribute("role") === "combobox") input.setAttribute("aria-expanded", "true");
    this.mark();
  }

  row(item, index) {
    const row = el("div", { class: "suggest-item", role: "option", id: `suggest-${index}`, "aria-selected": "false" },
      el("span", { class: "suggest-words" },
        el("span", { class: "suggest-label" }, item.label, (item.tags ?? []).map((tag) => el("span", { class: "tag" }, tag))),
        item.description ? el("small", {}, item.description) : null),
      item.side ? el("span", { class: "suggest-side" }, item.side) : null);
    row.addEventListener("click", () => this.take(index));
    return row;
  }

  move(step) {
    if (!this.items.length) return;
    this.at = (this.at + step + this.items.length) % this.items.length;
    this.hasMoved = true;
    this.mark();
  }

  mark() {
    [...this.list.children].forEach((row, index) => {
      if (!row.classList.contains("suggest-item")) return;
      row.classList.toggle("active", index === this.at);
      row.setAttribute("aria-selected", String(index === this.at));
    });
    const active = this.at >= 0 ? this.list.children[this.at] : null;
    this.input.setAttribute("aria-activedescendant", active?.id ?? "");
    active?.scrollIntoView({ block: "nearest" });
  }

  /** Takes the marked item; false if there is none to take. */
  takeActive() {
    if (!this.isOpen || this.at < 0) return false;
    this.take(this.at);
    return true;
  }

  take(index) {
    const item = this.items[index];
    const pick = this.pick;
    this.hide();
    pick(item);
  }

  hide() {
    this.release();
    this.panel.hidden = true;
    this.items = [];
    this.at = -1;
  }

  release() {
    if (this.input?.getAttribute("role") === "combobox") this.input.setAttribute("aria-expanded", "false");
    this.input?.removeAttribute("aria-activedescendant");
  }
}
