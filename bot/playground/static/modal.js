// A form the bot opened, as a dialog: the browser traps the focus, Escape closes it.

import { el, freshId, icon } from "./dom.js";
import { chosenAtFirst, selectBox } from "./components.js";
import { markdown } from "./markdown.js";

const INPUT = 4;
const TEXT = 10;
const LABEL = 18;
const UPLOAD = 19;
const RADIO = 21;
const CHECKS = 22;
const CHECK = 23;
const LARGEST_FILE = 10 * 1024 * 1024;
const SELECTS = [3, 5, 6, 7, 8];

/** Opens the form; `send(values)` returns what went wrong, or nothing once it was taken. */
export function openModal(modal, send, closed) {
  const before = document.activeElement;
  const fields = [];
  const problem = el("p", { class: "problem", role: "alert" });
  const titleId = freshId("modal");
  const submit = el("button", { type: "submit", class: "button primary" }, "Submit");
  const form = el("form", { method: "dialog", novalidate: true },
    el("div", { class: "modal-parts" }, (modal.components ?? []).map((part) => drawPart(part, fields)), problem),
    el("footer", {}, el("button", { type: "button", class: "button secondary", on: { click: () => dialog.close() } }, "Cancel"), submit));
  const dialog = el("dialog", { class: "modal", "aria-labelledby": titleId },
    el("header", {}, el("h2", { id: titleId }, modal.title),
      el("button", { type: "button", class: "round", "aria-label": "Close", on: { click: () => dialog.close() } }, icon("close"))),
    form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!fields.map((field) => field.check()).every(Boolean)) {
      fields.find((field) => !field.check())?.focus();
      return;
    }
    submit.setAttribute("aria-busy", "true");
    problem.textContent = (await send(Object.fromEntries(fields.map((field) => [field.customId, field.value()])))) ?? "";
    submit.removeAttribute("aria-busy");
    if (!problem.textContent) dialog.close();
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (before?.isConnected) before.focus();
    closed();
  });
  document.body.append(dialog);
  dialog.showModal();
  fields[0]?.focus();
  return dialog;
}

function drawPart(part, fields) {
  if (part.type === TEXT) return el("div", { class: "markdown" }, markdown(part.content));
  if (part.type === LABEL) return labelled(part.component, part.label, part.description, fields);
  return (part.components ?? []).map((inner) =>
    inner.type === TEXT ? drawPart(inner, fields) : labelled(inner, inner.label ?? inner.placeholder ?? "", "", fields));
}

function labelled(given, label, description, fields) {
  const id = freshId("field");
  const error = el("p", { class: "problem", id: `${id}-error`, role: "alert" });
  const field = drawField(given, id, label);
  field.customId = given.custom_id;
  field.check = () => {
    const sentence = field.problem();
    error.textContent = sentence;
    field.node.classList.toggle("invalid", Boolean(sentence));
    return !sentence;
  };
  fields.push(field);
  return el("div", { class: "modal-field" },
    el(field.isGroup ? "span" : "label", { class: "field-label", for: field.isGroup ? null : id }, label, field.required ? el("span", { class: "star", title: "required" }, " *") : null),
    description ? el("p", { class: "hint" }, description) : null,
    field.node, error);
}

function drawField(given, id, label) {
  if (given.type === INPUT) return textField(given, id);
  if (SELECTS.includes(given.type)) return selectField(given, id, label);
  if (given.type === UPLOAD) return uploadField(given, id);
  if (given.type === CHECK) return checkField(given, id);
  if (given.type === RADIO || given.type === CHECKS) return optionsField(given, id, label);
  return { node: el("p", { class: "elsewhere" }, `This page can't show this field (type ${given.type})`), required: false, value: () => "", problem: () => "", focus() {} };
}

function textField(given, id) {
  const required = given.required ?? true;
  const most = given.max_length ?? 4000;
  const least = given.min_length ?? 0;
  const shared = { id, placeholder: given.placeholder, "aria-describedby": `${id}-error ${id}-count`, "aria-required": String(required), autocomplete: "off" };
  const input = given.style === 2 ? el("textarea", { ...shared, rows: 4 }) : el("input", { ...shared, type: "text" });
  input.value = given.value ?? "";
  const count = el("span", { class: "count", id: `${id}-count` });
  const show = () => {
    count.textContent = `${[...input.value].length} of ${most}`;
    count.classList.toggle("over", [...input.value].length > most);
  };
  input.addEventListener("input", show);
  show();
  return {
    node: el("div", { class: "text-field" }, input, given.max_length ? count : null),
    required,
    value: () => input.value,
    focus: () => input.focus(),
    problem: () => {
      const length = [...input.value].length;
      if (required && !input.value.trim()) return "Fill this in.";
      if (length && length < least) return `At least ${least} characters, please.`;
      return length > most ? `At most ${most} characters, please: ${length - most} too many.` : "";
    },
  };
}

function selectField(given, id, label) {
  const required = given.required ?? true;
  let values = chosenAtFirst(given);
  const node = selectBox(given, values, (chosen) => (values = chosen), label);
  node.id = id;
  const least = given.min_values ?? 1;
  return {
    node, required, value: () => values, focus: () => node.focus(),
    problem: () => (required || values.length) && values.length < Math.max(least, required ? 1 : 0) ? `Choose at least ${Math.max(least, 1)}.` : "",
  };
}

function uploadField(given, id) {
  const required = given.required ?? true;
  const least = given.min_values ?? 1;
  const most = given.max_values ?? 1;
  const input = el("input", { id, type: "file", multiple: most > 1, "aria-describedby": `${id}-error` });
  return {
    node: input, required, value: () => [...input.files], focus: () => input.focus(),
    problem: () => {
      const files = [...input.files];
      if (!files.length && !required) return "";
      if (files.length < Math.max(least, 1)) return least > 1 ? `Choose at least ${least} files.` : "Choose a file.";
      if (files.length > most) return most > 1 ? `Choose at most ${most} files.` : "Choose one file.";
      const large = files.find((file) => file.size > LARGEST_FILE);
      return large ? `${large.name} is too large: a file has at most 10 MB.` : "";
    },
  };
}

function checkField(given, id) {
  const input = el("input", { id, type: "checkbox" });
  input.checked = Boolean(given.default);
  return { node: el("div", { class: "options" }, input), required: false, value: () => input.checked, focus: () => input.focus(), problem: () => "" };
}

function optionsField(given, id, label) {
  const required = given.required ?? true;
  const single = given.type === RADIO;
  const inputs = given.options.map((option, index) => {
    const input = el("input", { type: single ? "radio" : "checkbox", name: id, id: index ? null : id, value: option.value });
    input.checked = Boolean(option.default);
    return input;
  });
  const node = el("div", { class: "options", role: single ? "radiogroup" : "group", "aria-label": label }, given.options.map((option, index) =>
    el("label", {}, inputs[index], el("span", {}, option.label, option.description ? el("small", {}, option.description) : null))));
  const chosen = () => inputs.filter((input) => input.checked).map((input) => input.value);
  return {
    node, required, isGroup: true, value: () => (single ? chosen()[0] ?? null : chosen()),
    focus: () => (inputs.find((input) => input.checked) ?? inputs[0]).focus(),
    problem: () => {
      const count = chosen().length;
      if (!count && !required) return "";
      if (single) return count ? "" : "Choose one.";
      const least = Math.max(given.min_values ?? 1, 1);
      if (count < least) return `Choose at least ${least}.`;
      return count > (given.max_values ?? inputs.length) ? `Choose at most ${given.max_values}.` : "";
    },
  };
}

