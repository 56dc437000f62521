// Builds DOM nodes. Text always becomes a text node: no name, note or message can turn into markup.

const SVG = "http://www.w3.org/2000/svg";

const ICONS = {
  menu: "M3 6h18M3 12h18M3 18h18",
  send: "M4 12l16-8-6 16-3-7z",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  close: "M6 6l12 12M18 6L6 18",
  down: "M6 9l6 6 6-6",
  check: "M5 13l4 4L19 7",
  file: "M7 3h7l4 4v14H7zM14 3v4h4",
  reply: "M5 20v-5a5 5 0 0 1 5-5h9M15 6l4 4-4 4",
  plus: "M12 5v14M5 12h14",
  eye: "M2 12s4-6 10-6 10 6 10 6-4 6-10 6-10-6-10-6zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  out: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  voice: "M4 10v4h4l5 4V6L8 10zM17 9a4 4 0 0 1 0 6",
  play: "M7 4l13 8-13 8z",
  again: "M4 12a8 8 0 1 0 3-6.2M4 4v5h5",
};

/** Makes an element; `on` holds listeners, `style` custom properties, `dataset` data attributes. */
export function el(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else if (name === "dataset") {
      Object.assign(node.dataset, value);
    } else if (name === "style") {
      for (const [property, setting] of Object.entries(value)) node.style.setProperty(property, setting);
    } else {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  node.append(...present(children));
  return node;
}

/** Puts these children in place of whatever the node held. */
export function fill(node, ...children) {
  node.replaceChildren(...present(children));
  return node;
}

function present(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false && child !== "");
}

/** Draws one of the page's own line icons; it says nothing to a screen reader. */
export function icon(name) {
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("class", "icon");
  picture.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  picture.append(path);
  return picture;
}

/** Makes a link only of an http(s) address; any other address stays plain text. */
export function link(address, ...children) {
  if (!/^https?:\/\//i.test(address)) return el("span", {}, ...children);
  return el("a", { href: address, target: "_blank", rel: "noopener noreferrer nofollow" }, ...children);
}

let lastId = 0;

/** Gives an id no other element of this page has. */
export function freshId(stem) {
  lastId += 1;
  return `${stem}-${lastId}`;
}

/** Says a sentence to screen readers without moving the focus. */
export function announce(sentence) {
  const region = document.getElementById("announcer");
  if (region) region.textContent = sentence;
}

/** Runs only the last of several calls that come within `pause` milliseconds. */
export function debounced(pause, action) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...given), pause);
  };
}
