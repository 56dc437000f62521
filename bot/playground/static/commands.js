// The registered commands as one types them: each subcommand a line of its own, found by any part of its name.

const SUBCOMMAND = 1;
const GROUP = 2;
const CHAT_INPUT = 1;

/** Lists every command and subcommand with its path, description and options. */
export function flatten(definitions, mayUse = () => true) {
  const out = [];
  const walk = (node, path, top) => {
    const inner = (node.options ?? []).filter((option) => option.type === SUBCOMMAND || option.type === GROUP);
    if (inner.length) inner.forEach((option) => walk(option, [...path, option.name], top));
    else out.push({ path: path.join(" "), description: node.description ?? "", options: node.options ?? [], id: top.id });
  };
  definitions
    .filter((definition) => (definition.type ?? CHAT_INPUT) === CHAT_INPUT && mayUse(definition))
    .forEach((definition) => walk(definition, [definition.name], definition));
  return out.sort((one, other) => one.path.localeCompare(other.path));
}

/** Finds the commands that fit what was typed after the slash, the best first. */
export function matching(commands, typed) {
  const words = typed.toLowerCase().trim().split(/\s+/).filter(Boolean);
  if (!words.length) return commands;
  return commands
    .map((command) => [score(command, words), command])
    .filter(([points]) => points > 0)
    .sort(([one, a], [other, b]) => other - one || a.path.localeCompare(b.path))
    .map(([, command]) => command);
}

function score(command, words) {
  const path = command.path.toLowerCase();
  const typed = words.join(" ");
  if (path === typed) return 5;
  if (path.startsWith(typed)) return 4;
  const parts = path.split(" ");
  if (words.every((word, at) => parts[at]?.startsWith(word))) return 3;
  if (words.every((word) => path.includes(word))) return 2;
  return words.every((word) => `${path} ${command.description.toLowerCase()}`.includes(word)) ? 1 : 0;
}

/** Reads a whole typed line, `/roll expression:2d6`; null unless it names a command exactly. */
export function readLine(commands, line) {
  const text = line.replace(/^\//, "");
  const command = [...commands]
    .sort((one, other) => other.path.length - one.path.length)
    .find((candidate) => text === candidate.path || text.startsWith(`${candidate.path} `));
  if (!command) return null;
  return { command, values: readValues(command, text.slice(command.path.length)) };
}

function readValues(command, rest) {
  const names = command.options.map((option) => option.name);
  const starts = [];
  for (const match of rest.matchAll(/(?:^|\s)([\p{L}\p{N}_-]+):/gu)) {
    if (names.includes(match[1])) starts.push({ name: match[1], from: match.index, value: match.index + match[0].length });
  }
  const values = {};
  starts.forEach((start, at) => {
    values[start.name] = rest.slice(start.value, starts[at + 1]?.from).trim();
  });
  return values;
}

/** A command and its filled options as one would type them. */
export function spelled(path, options) {
  return [`/${path}`, ...Object.entries(options).map(([name, value]) => `${name}:${value}`)].join(" ");
}
