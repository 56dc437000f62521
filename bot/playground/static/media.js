// Pictures and files of a message. Only files of the local Discord are loaded; other addresses are shown as links.

import { el, icon, link } from "./dom.js";
import { localFile } from "./world.js";

const PICTURE = /\.(png|jpe?g|gif|webp|avif)$/i;

/** Finds the file an embed or a component names, be it an address or `attachment://name`. */
export function resolved(media, message) {
  const address = typeof media === "string" ? media : media?.url;
  if (!address) return null;
  if (address.startsWith("attachment://")) {
    return (message.attachments ?? []).find((file) => file.filename === address.slice(13)) ?? null;
  }
  const attached = (message.attachments ?? []).find((file) => file.url === address || file.proxy_url === address);
  return attached ?? { ...media, url: address };
}

/** Draws a picture with its description as the text alternative; a press on it shows it whole. */
export function picture(media, message, { description = "", spoiler = false, kind = "picture" } = {}) {
  const file = resolved(media, message);
  const source = localFile(file?.url);
  const words = description || file?.description || "";
  if (!source) return file ? el("p", { class: "elsewhere" }, link(file.url, `External picture: ${file.url}`)) : null;
  const image = el("img", { src: source, alt: words, loading: "lazy", width: file.width, height: file.height });
  const frame = el("button", { class: `frame ${kind}${spoiler ? " hidden-picture" : ""}`, type: "button",
    "aria-label": spoiler ? "Spoiler picture: show" : `Picture: ${words || "no description"}. Show it large` }, image);
  image.addEventListener("error", () => frame.replaceWith(el("p", { class: "elsewhere" }, words || "This picture could not be loaded")));
  frame.addEventListener("click", () => {
    if (frame.classList.contains("hidden-picture")) {
      frame.classList.remove("hidden-picture");
      frame.setAttribute("aria-label", `Picture: ${words}. Show it large`);
    } else {
      showLarge(source, words);
    }
  });
  return frame;
}

function showLarge(source, words) {
  const before = document.activeElement;
  const dialog = el("dialog", { class: "lightbox", "aria-label": words || "Picture" },
    el("img", { src: source, alt: words }), words ? el("p", {}, words) : null,
    el("button", { type: "button", class: "round close", "aria-label": "Close", on: { click: () => dialog.close() } }, icon("close")));
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    before?.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
}

/** Draws the files sent with a message, except those already shown inside it. */
export function attachments(message) {
  const shown = new Set(namedWithin(message));
  return (message.attachments ?? [])
    .filter((file) => !shown.has(file.filename) && !shown.has(file.url))
    .map((file) => (isPicture(file) ? picture(file, message) : fileCard(file)));
}

function isPicture(file) {
  return (file.content_type ?? "").startsWith("image/") || PICTURE.test(file.filename ?? "");
}

function namedWithin(message) {
  const names = [];
  const note = (address) => names.push(address.startsWith("attachment://") ? address.slice(13) : address);
  const walk = (value) => {
    if (Array.isArray(value)) value.forEach(walk);
    else if (value && typeof value === "object") {
      if (typeof value.url === "string") note(value.url);
      Object.values(value).forEach(walk);
    }
  };
  walk(message.embeds ?? []);
  walk(message.components ?? []);
  return names;
}

/** A row that names a file and its size and offers it for download. */
export function fileCard(file) {
  const source = localFile(file.url);
  const size = file.size ? el("small", {}, bytes(file.size)) : null;
  const name = file.filename ?? file.name ?? "file";
  const label = [icon("file"), el("span", { class: "file-name" }, name), size];
  return source
    ? el("a", { class: "file", href: source, download: name }, label)
    : el("span", { class: "file" }, label);
}

function bytes(size) {
  if (size < 1024) return `${size} bytes`;
  if (size < 1024 * 1024) return `${(size / 1024).toFixed(1)} kB`;
  return `${(size / 1024 / 1024).toFixed(1)} MB`;
}
