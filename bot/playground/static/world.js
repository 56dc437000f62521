// What the page knows: who one is, the server one is in, its channels, people and commands.

const VOICE = 2;

export const world = {
  me: null,
  people: [],
  servers: [],
  commands: [],
  scenes: [],
  bot: { id: "", name: "Tablekeeper" },
  files: "",
  channel: null,
};

/** Takes over what the page server told, keeping the open channel if it is still there. */
export function learn(told) {
  Object.assign(world, told);
  const ids = myServer().channels.filter((channel) => channel.type !== VOICE).map((channel) => channel.id);
  if (!ids.includes(world.channel)) world.channel = ids[0];
}

export function me() {
  return world.people.find((person) => person.id === world.me);
}

export function myServer() {
  return world.servers.find((server) => server.id === me().server);
}

export function channelNamed(id) {
  return myServer().channels.find((channel) => channel.id === id);
}

export function roleNamed(id) {
  return myServer().roles.find((role) => role.id === id);
}

export function personNamed(id) {
  return myServer().members.find((member) => member.id === id);
}

/** Whether the person may see and use this command, by the permissions it asks for. */
export function mayUse(definition) {
  const asked = definition.default_member_permissions;
  if (asked === null || asked === undefined) return true;
  const held = BigInt(me().permissions ?? "0");
  const administrator = (held & 8n) === 8n;
  if (BigInt(asked) === 0n) return administrator || me().owner;
  return administrator || me().owner || (held & BigInt(asked)) === BigInt(asked);
}

/** Turns an address of the local Discord's files into one of this page; null for anything elsewhere. */
export function localFile(address) {
  if (!address) return null;
  if (address.startsWith(`${world.files}/`)) return `/file${address.slice(world.files.length)}`;
  return null;
}

/** The picture of a custom emoji, as the local Discord keeps it. */
export function emojiFile(id) {
  return `/file/emojis/${encodeURIComponent(id)}.png`;
}

const HUES = 8;

/** One of the page's eight avatar colours; the people one can be have different ones. */
export function hueOf(id) {
  const place = world.people.findIndex((person) => person.id === id);
  if (place >= 0) return (place * 3 + 1) % HUES;
  let sum = 0;
  for (const digit of String(id)) sum = (sum * 31 + digit.charCodeAt(0)) % 9973;
  return sum % HUES;
}

/** The people of this server, without the bot. */
export function people() {
  return myServer().members.filter((member) => !member.bot);
}

export function displayName(user) {
  if (user.id === world.bot.id) return world.bot.name;
  return user.global_name || user.username || user.name || "somebody";
}
