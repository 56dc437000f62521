// Speaks to the page's own server. Every answer is JSON; a refusal carries a sentence for the person.

import { world } from "./world.js";

async function post(path, body) {
  const form = body instanceof FormData;
  const answer = await fetch(path, {
    method: "POST",
    headers: form ? {} : { "Content-Type": "application/json" },
    body: form ? body : JSON.stringify(body),
  });
  const told = await answer.json().catch(() => ({}));
  return answer.ok ? told : { failed: told.failed ?? "The playground did not answer. Is it still running?" };
}

async function tried(path, body) {
  try {
    return await post(path, body);
  } catch {
    return { failed: "Can't reach the playground. Is it still running?" };
  }
}

const here = () => ({ person: world.me, channel: world.channel });

export async function messagesOf(channel) {
  const answer = await fetch(`/api/messages?person=${world.me}&channel=${channel}`);
  return answer.ok ? (await answer.json()).messages : [];
}

export const say = (text) => tried("/api/say", { ...here(), text });

/** Sends a slash command; files go along under their option's name. */
export function slash(path, options, files) {
  const form = new FormData();
  form.append("asked", JSON.stringify({ ...here(), path, options }));
  for (const [name, file] of Object.entries(files)) form.append(name, file, file.name);
  return tried("/api/slash", form);
}

export async function autocomplete(path, option, text, others) {
  const answer = await tried("/api/autocomplete", { ...here(), path, option, text, others });
  return answer.choices ?? null;
}

export const press = (message, customId) => tried("/api/press", { ...here(), message: message.id, custom_id: customId });

export const choose = (message, customId, values) =>
  tried("/api/select", { ...here(), message: message.id, custom_id: customId, values });

/** Uses a command on a person or a message. */
export const use = (kind, name, target) => tried("/api/use", { ...here(), kind, name, target });

/** Sends a filled form; files go along under their field's name. */
export function submit(modal, filled) {
  const form = new FormData();
  const values = {};
  for (const [name, value] of Object.entries(filled)) {
    const files = Array.isArray(value) ? value.filter((one) => one instanceof File) : [];
    if (files.length) files.forEach((file) => form.append(name, file, file.name));
    else values[name] = value;
  }
  form.append("asked", JSON.stringify({ ...here(), modal, values }));
  return tried("/api/submit", form);
}

export const dismiss = (message) => tried("/api/dismiss", { ...here(), message: message.id });

export const voice = (channel) => tried("/api/voice", { ...here(), voice: channel });

export const event = (id, act) => tried("/api/event", { ...here(), event: id, act });
