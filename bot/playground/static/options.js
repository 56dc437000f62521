// What each kind of option offers, accepts and refuses, with the sentence for a refusal.

import { channelNamed, myServer, people, personNamed, roleNamed } from "./world.js";

export const STRING = 3;
export const INTEGER = 4;
export const BOOLEAN = 5;
export const USER = 6;
export const CHANNEL = 7;
export const ROLE = 8;
export const MENTIONABLE = 9;
export const NUMBER = 10;
export const ATTACHMENT = 11;

/** The closed list an option is picked from; null where one types freely. */
export function listOf(option) {
  if (option.choices?.length) return option.choices.map((choice) => ({ label: choice.name, value: choice.value }));
  const server = myServer();
  const persons = () => people().map((member) => ({ label: member.name, value: member.id, description: member.title }));
  const roles = () => server.roles.map((role) => ({ label: role.name, value: role.id, description: "Role" }));
  if (option.type === BOOLEAN) return [{ label: "True", value: true }, { label: "False", value: false }];
  if (option.type === USER) return persons();
  if (option.type === ROLE) return roles();
  if (option.type === MENTIONABLE) return [...persons(), ...roles()];
  if (option.type === CHANNEL) {
    return server.channels
      .filter((channel) => !option.channel_types?.length || option.channel_types.includes(channel.type ?? 0))
      .map((channel) => ({ label: `#${channel.name}`, value: channel.id }));
  }
  return null;
}

/** What the option asks for, in a few words, beside its description. */
export function bounds(option) {
  const kind = { [INTEGER]: "a whole number", [NUMBER]: "a number", [ATTACHMENT]: "a file" }[option.type] ?? "";
  const { min_value: low, max_value: high, max_length: longest } = option;
  if (low !== undefined && high !== undefined) return `${kind} from ${low} to ${high}`;
  if (low !== undefined) return `${kind}, ${low} or more`;
  if (high !== undefined) return `${kind}, at most ${high}`;
  if (option.type === STRING && longest && longest < 200) return `up to ${longest} characters`;
  return kind;
}

/** Reads a filled field: `{value}`, `{missing}` or `{problem}`. */
export function read(field) {
  const { option, picked, file } = field;
  const text = field.text.trim();
  if (option.type === ATTACHMENT) return file ? { value: file } : missing(option);
  if (picked && picked.label === field.text) return { value: picked.value };
  if (!text) return missing(option);
  const list = listOf(option);
  if (list) return fromList(list, text, option);
  if (option.type === INTEGER || option.type === NUMBER) return number(option, text);
  return words(option, text);
}

function missing(option) {
  return option.required ? { problem: `${option.name} is required.` } : { missing: true };
}

function fromList(list, text, option) {
  const wanted = text.toLowerCase();
  const found = list.find((item) => item.label.toLowerCase() === wanted || String(item.value).toLowerCase() === wanted)
    ?? list.find((item) => item.label.toLowerCase() === `#${wanted}` || `@${item.label.toLowerCase()}` === wanted);
  return found ? { value: found.value } : { problem: `${option.name}: pick one from the list.` };
}

function number(option, text) {
  const shape = option.type === INTEGER ? /^[-−+]?\d{1,16}$/ : /^[-−+]?\d*\.?\d+$/;
  if (!shape.test(text)) {
    return { problem: `${option.name} takes ${option.type === INTEGER ? "a whole number" : "a number"}, not “${text.slice(0, 40)}”.` };
  }
  const value = Number(text.replace("−", "-"));
  const { min_value: low = -Infinity, max_value: high = Infinity } = option;
  if (value < low) return { problem: `${option.name} must be ${low} or more.` };
  if (value > high) return { problem: `${option.name} must be ${high} or less.` };
  return { value };
}

function words(option, text) {
  const length = [...text].length;
  const { min_length: least = 0, max_length: most = 6000 } = option;
  if (length < least) return { problem: `${option.name} needs at least ${least} characters.` };
  if (length > most) return { problem: `${option.name} takes at most ${most} characters; you typed ${length}.` };
  return { value: text };
}

/** The items of a closed list that fit what was typed, those that begin with it first. */
export function fitting(list, typed) {
  const wanted = typed.trim().toLowerCase().replace(/^[@#]/, "");
  const fits = list.filter((item) => item.label.toLowerCase().includes(wanted));
  return fits.sort((one, other) => starts(other, wanted) - starts(one, wanted)).slice(0, 25);
}

function starts(item, wanted) {
  return Number(item.label.toLowerCase().replace(/^#/, "").startsWith(wanted));
}

/** A value as people read it: the name behind an id. */
export function named(option, value) {
  if (option.type === USER) return personNamed(value)?.name ?? value;
  if (option.type === ROLE) return roleNamed(value)?.name ?? value;
  if (option.type === CHANNEL) return `#${channelNamed(value)?.name ?? value}`;
  return value instanceof File ? value.name : String(value);
}
