// "Try this": a scene told in a few clicks, each one a command of one of the people. The steps are data.

import { autocomplete } from "./api.js";
import { flatten } from "./commands.js";
import { el, fill, icon } from "./dom.js";
import { listOf } from "./options.js";
import { channelNamed, world } from "./world.js";

const SIGN = "tablekeeper-scene";
const CHOSEN = "tablekeeper-scene-title";
const CHANNEL = "tablekeeper-scene-channel";
const FOLDED = "tablekeeper-scene-folded";
const MOST_NUMBERS = 999;
const COMMAND_LOOK = 100;
const COMMAND_WAIT = 15000;

export class SceneRow {
  /**
   * `become` switches to a person, `open` to a channel, `play` sends a command, `press` presses a button of what it shows;
   * all are awaited.
   */
  constructor({ become, open, play, press, problem }) {
    Object.assign(this, { become, open, play, press, problem });
    this.row = document.getElementById("scene");
    this.at = Number(sessionStorage.getItem(SIGN) ?? 0);
    this.playing = false;
  }

  draw() {
    const scene = this.scene();
    this.row.hidden = !scene;
    if (!scene) return;
    const done = this.at >= scene.steps.length;
    const folded = sessionStorage.getItem(FOLDED) === "yes";
    this.row.classList.toggle("folded", folded);
    fill(this.row,
      this.fold(folded),
      folded || world.scenes.length < 2 ? null : this.chooser(scene),
      folded || !(done || this.at) ? null : this.again(),
      folded ? null : this.list(scene, done));
    const next = this.row.querySelector(".step.next");
    if (next) this.row.querySelector(".steps").scrollLeft = next.offsetLeft - 4;
  }

  /** Puts the scene away, so that the messages have its room, and gets it back. */
  fold(folded) {
    const click = () => {
      sessionStorage.setItem(FOLDED, folded ? "no" : "yes");
      this.draw();
      this.row.querySelector(".scene-title").focus();
    };
    return el("button", { type: "button", class: "scene-title", "aria-expanded": String(!folded), title: folded ? "Show the scene" : "Hide the scene",
      on: { click } }, "Try this", icon("down"));
  }

  list(scene, done) {
    return el("ol", { class: "steps" }, done ? el("li", { class: "played" }, "The scene is over.") : null,
      scene.steps.map((step, index) => this.step(step, index)));
  }

  again() {
    return el("button", { type: "button", class: "plain again", "aria-label": "From the start", title: "From the start", on: { click: () => this.restart() } },
      icon("again"), el("span", {}, "From the start"));
  }

  /** The scene chosen, else the first. */
  scene() {
    const title = sessionStorage.getItem(CHOSEN);
    return world.scenes.find((one) => one.title === title) ?? world.scenes[0];
  }

  chooser(scene) {
    const change = (event) => {
      sessionStorage.setItem(CHOSEN, event.target.value);
      this.restart();
    };
    const choice = (one) => el("option", { value: one.title, selected: one === scene ? "selected" : null }, one.title);
    return el("select", { class: "scenes", "aria-label": "Which scene", on: { change } }, world.scenes.map(choice));
  }

  step(step, index) {
    const state = index < this.at ? "done" : index === this.at ? "next" : "later";
    const button = el("button", { type: "button", class: `step ${state}`, "aria-busy": this.playing && state === "next" ? "true" : null,
      title: `${step.person}: /${step.command}`, on: { click: () => this.run(index) } },
      el("span", { class: "number", "aria-hidden": "true" }, state === "done" ? icon("check") : String(index + 1)),
      el("span", { class: "step-words" }, el("span", {}, step.caption), el("small", {}, `${step.person} · /${step.command}`)),
      state === "done" ? el("span", { class: "sr" }, " (done)") : null);
    if (state === "next") button.setAttribute("aria-current", "step");
    return el("li", {}, button);
  }

  /** Plays one step as its person: the command is filled in and sent as if typed. */
  async run(index) {
    if (this.playing) return;
    this.playing = true;
    this.at = index;
    this.draw();
    const failure = await this.attempt(this.scene().steps[index]);
    this.playing = false;
    if (failure) this.problem(failure);
    else this.keep(index + 1);
    this.draw();
    this.row.querySelector(".step.next")?.focus();
  }

  async attempt(step) {
    const person = world.people.find((one) => one.name === step.person);
    if (!person) return `The scene needs ${step.person}, who is not on this server.`;
    await this.become(person.id);
    await this.goThere();
    const command = await this.known(step.command);
    if (!command) return `The bot has no command /${step.command} yet.`;
    const picked = {};
    for (const [name, text] of Object.entries(step.options)) {
      const meant = step.fresh[name] ? await this.unused(step.fresh[name], String(text)) : text;
      picked[name] = await this.resolve(command, name, meant, picked);
    }
    const told = await this.play(command, picked);
    if (told.failed) return told.failed;
    for (const label of step.press) {
      const failure = await this.press(label);
      if (failure) return failure;
    }
    return told.private && !step.press.length && !step.is_private ? `The scene stops here. ${told.private}` : "";
  }

  /** The command of a step, waited for a little: a game's own commands come with its first campaign. */
  async known(path) {
    for (let waited = 0; waited <= COMMAND_WAIT; waited += COMMAND_LOOK) {
      const found = flatten(world.commands).find((command) => command.path === path);
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, COMMAND_LOOK));
    }
    return null;
  }

  /** Keeps to the channel in which the first step was played, whoever plays the others. */
  async goThere() {
    if (this.at === 0) sessionStorage.setItem(CHANNEL, world.channel);
    const channel = sessionStorage.getItem(CHANNEL);
    if (channel && channel !== world.channel && channelNamed(channel)) await this.open(channel);
  }

  /** The name, or the same with the lowest number that makes it another one than those which are taken. */
  async unused(where, name) {
    const [path, option] = where.split(":");
    for (let number = 1; number <= MOST_NUMBERS; number += 1) {
      const wanted = number === 1 ? name : `${name} ${number}`;
      const taken = (await autocomplete(path, option, wanted, {})) ?? [];
      if (!taken.some((one) => one.name.toLowerCase() === wanted.toLowerCase())) return wanted;
    }
    return name;
  }

  // A text stands for the first thing the bot completes it to, as a person would pick it.
  async resolve(command, name, text, picked) {
    const option = command.options.find((known) => known.name === name);
    if (!option) return { label: String(text), value: text };
    if (option.autocomplete) {
      const others = Object.fromEntries(Object.entries(picked).map(([other, item]) => [other, item.value]));
      const [first] = (await autocomplete(command.path, name, String(text), others)) ?? [];
      if (first) return { label: first.name, value: first.value };
    }
    const wanted = String(text).toLowerCase();
    const listed = listOf(option)?.find((item) => item.label.toLowerCase() === wanted || String(item.value).toLowerCase() === wanted);
    return listed ?? { label: String(text), value: text };
  }

  keep(at) {
    this.at = at;
    sessionStorage.setItem(SIGN, String(at));
  }

  restart() {
    this.keep(0);
    this.draw();
  }
}
