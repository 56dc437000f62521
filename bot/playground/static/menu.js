// The list a select opens: one or several choices, with a search field where the list is long.

import { el, fill, freshId, icon } from "./dom.js";
import { emoji } from "./emoji.js";

let closeOpen = null;

/** Opens a list beside `anchor`; resolves to the chosen values, or to null when nothing was changed. */
export function openMenu(anchor, given) {
  closeOpen?.();
  return new Promise((resolve) => {
    const menu = new Menu(anchor, given, (values) => {
      closeOpen = null;
      resolve(values);
    });
    closeOpen = () => menu.close(false);
    menu.open();
  });
}

class Menu {
  constructor(anchor, { label, title, items, chosen, minimum, maximum, searchable }, done) {
    Object.assign(this, { anchor, label, items, minimum, maximum, done });
    this.multiple = maximum > 1 || minimum === 0;
    this.before = chosen;
    this.chosen = new Set(chosen);
    this.listId = freshId("list");
    this.list = el("div", { class: "menu-list", role: "listbox", id: this.listId, "aria-label": label, tabindex: "0",
      "aria-multiselectable": this.multiple ? "true" : null });
    this.search = searchable
      ? el("input", { class: "menu-search", type: "text", placeholder: "Search", "aria-label": `Search ${label}`, role: "combobox",
        "aria-expanded": "true", "aria-controls": this.listId, autocomplete: "off" })
      : null;
    this.note = el("span", { class: "menu-note", "aria-live": "polite" });
    this.doneButton = el("button", { type: "button", class: "button primary", on: { click: () => this.close(true) } }, "Done");
    this.panel = el("div", { class: "menu" }, title ? el("p", { class: "menu-title", "aria-hidden": "true" }, title) : null, this.search, this.list,
      this.multiple ? el("div", { class: "menu-foot" }, this.note, this.doneButton) : null);
    this.cover = el("div", { class: "menu-cover", on: { pointerdown: (event) => event.target === this.cover && this.close(true) } }, this.panel);
  }

  open() {
    (this.anchor.closest("dialog") ?? document.body).append(this.cover);
    this.place();
    this.search?.addEventListener("input", () => this.show());
    this.panel.addEventListener("keydown", (event) => this.key(event));
    this.show(true);
    (this.search ?? this.list).focus();
  }

  place() {
    if (window.innerWidth < 640) return;
    const box = this.anchor.getBoundingClientRect();
    const below = window.innerHeight - box.bottom;
    this.panel.style.left = `${Math.min(box.left, window.innerWidth - 340)}px`;
    this.panel.style.width = `${Math.max(280, Math.min(box.width, 420))}px`;
    if (below > 300 || below > box.top) this.panel.style.top = `${box.bottom + 4}px`;
    else this.panel.style.bottom = `${window.innerHeight - box.top + 4}px`;
    this.panel.style.maxHeight = `${Math.max(180, Math.max(below, box.top) - 16)}px`;
  }

  show(first = false) {
    const sought = (this.search?.value ?? "").trim().toLowerCase();
    this.shown = this.items.filter((item) => `${item.label} ${item.description ?? ""}`.toLowerCase().includes(sought));
    const current = this.shown.findIndex((item) => this.chosen.has(item.value));
    this.at = first && current > 0 ? current : 0;
    this.draw();
  }

  draw() {
    fill(this.list, this.shown.length ? this.shown.map((item, index) => this.row(item, index)) : el("p", { class: "nothing" }, "Nothing matches."));
    const active = this.list.children[this.at];
    (this.search ?? this.list).setAttribute("aria-activedescendant", active?.id ?? "");
    active?.scrollIntoView?.({ block: "nearest" });
    const short = this.chosen.size < this.minimum;
    this.note.textContent = short ? `Choose at least ${this.minimum}.` : `${this.chosen.size} chosen, at most ${this.maximum}`;
    this.doneButton.disabled = short;
  }

  row(item, index) {
    const chosen = this.chosen.has(item.value);
    const row = el("div", { class: `menu-item${index === this.at ? " active" : ""}`, role: "option", id: `${this.listId}-${index}`,
      "aria-selected": String(chosen) },
      emoji(item.emoji), el("span", { class: "menu-words" }, el("span", {}, item.label), item.description ? el("small", {}, item.description) : null),
      chosen ? icon("check") : null);
    row.addEventListener("click", () => {
      this.at = index;
      this.toggle();
    });
    return row;
  }

  toggle() {
    const item = this.shown[this.at];
    if (!item) return;
    if (!this.multiple) {
      this.chosen = new Set([item.value]);
      this.close(true, true);
      return;
    }
    if (this.chosen.has(item.value)) this.chosen.delete(item.value);
    else if (this.chosen.size < this.maximum) this.chosen.add(item.value);
    else if (this.maximum === 1) this.chosen = new Set([item.value]);
    this.draw();
  }

  key(event) {
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    if (event.key in moves) {
      event.preventDefault();
      this.at = Math.max(0, Math.min(this.shown.length - 1, this.at + moves[event.key]));
      this.draw();
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      this.close(false);
    } else if (event.target.closest("button")) {
      return;
    } else if (event.key === "Enter" || (event.key === " " && !this.search)) {
      event.preventDefault();
      this.toggle();
    } else if (event.key === "Tab" && !this.multiple) {
      event.preventDefault();
      this.close(false);
    }
  }

  close(keep, sure = false) {
    if (!this.cover.isConnected) return;
    this.cover.remove();
    this.anchor.focus();
    const values = this.items.map((item) => item.value).filter((value) => this.chosen.has(value));
    const changed = sure || values.length !== this.before.length || values.some((value) => !this.before.includes(value));
    this.done(keep && changed && values.length >= this.minimum ? values : null);
  }
}
