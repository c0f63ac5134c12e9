/**
 * Where the time of one request went, in fractional milliseconds. On a reused connection `dns`, `connect` and `tls`
 * are 0. `blocked` is waiting for a free connection; `wait` ends with the first byte of the answer.
 */
export interface Phases {
  blocked: number;
  dns: number;
  connect: number;
  tls: number;
  send: number;
  wait: number;
  receive: number;
  total: number;
}

/** How far the opening of one connection got. A connection is opened for one exchange and may serve many. */
export class ConnectionProgress {
  phase: "dns" | "connect" | "tls" | "open" = "dns";
  dns = 0;
  connect = 0;
  tls = 0;
  /** Requests written to the connection so far. */
  exchanges = 0;
  #phaseStartedAt = performance.now();

  /** Ends the running phase and starts the next. */
  advance(next: "connect" | "tls" | "open"): void {
    this.settle();
    this.phase = next;
  }

  /** Writes the running phase's time down without ending it, for a report made in the middle of it. */
  settle(): void {
    if (this.phase === "open") return;
    const now = performance.now();
    this[this.phase] += now - this.#phaseStartedAt;
    this.#phaseStartedAt = now;
  }
}
