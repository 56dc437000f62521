// Live updates over one WebSocket that comes back by itself.

import { world } from "./world.js";

const LONGEST_WAIT = 5000;

export class Live {
  /** `hear` gets every event; `state` is told "open" and "closed". */
  constructor(hear, state) {
    this.hear = hear;
    this.state = state;
    this.wait = 300;
    this.socket = null;
  }

  /** Connects, as another person if one is named; an older connection is dropped. */
  connect(person = world.me) {
    clearTimeout(this.timer);
    this.socket?.close();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/live${person ? `?person=${encodeURIComponent(person)}` : ""}`);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.wait = 300;
      this.state("open");
    });
    socket.addEventListener("message", (event) => socket === this.socket && this.hear(JSON.parse(event.data)));
    socket.addEventListener("close", () => {
      if (socket !== this.socket) return;
      this.state("closed");
      this.timer = setTimeout(() => this.connect(person), this.wait);
      this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
    });
  }
}
