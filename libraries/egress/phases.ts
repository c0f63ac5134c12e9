/**
 * Timing of one request, in fractional milliseconds. On a reused connection `dns`, `connect` and `tls` are 0.
 * `blocked` is the time spent waiting for a free connection; `wait` ends with the first byte of the response.
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

/** Timing of one connection's setup. A connection is opened for one exchange and may be reused by many. */
export class ConnectionPhases {
  phase: "dns" | "connect" | "tls" | "open" = "dns";
  dns = 0;
  connect = 0;
  tls = 0;
  /** Requests written to the connection so far. */
  exchanges = 0;
  #phaseStartedAt = performance.now();

  /** Ends the current phase and starts the next. */
  advance(next: "connect" | "tls" | "open"): void {
    this.settle();
    this.phase = next;
  }

  /** Records the elapsed time of the current phase without ending it, for a report in the middle of it. */
  settle(): void {
    if (this.phase === "open") return;
    const now = performance.now();
    this[this.phase] += now - this.#phaseStartedAt;
    this.#phaseStartedAt = now;
  }
}

/** Records the timestamps of one exchange and derives its phases. A phase not reached is 0. */
export class ExchangeClock {
  readonly #startedAt: number;
  #writtenAt = 0;
  #sentAt = 0;
  #firstByteAt = 0;
  #endedAt = 0;
  #heldAt = 0;
  #heldMilliseconds = 0;
  #heldReceiving = 0;
  /** Setup of the connection the request was written to; undefined for a reused connection. */
  #opening: ConnectionPhases | undefined;

  constructor(startedAt: number) {
    this.#startedAt = startedAt;
  }

  get isWritten(): boolean {
    return this.#writtenAt !== 0;
  }

  get isReceiving(): boolean {
    return this.#firstByteAt !== 0;
  }

  get openedItsConnection(): boolean {
    return this.#opening !== undefined;
  }

  noteWriting(connection: ConnectionPhases): void {
    if (connection.exchanges === 0) this.#opening = connection;
    connection.exchanges += 1;
    this.#writtenAt = performance.now();
  }

  noteSent(): void {
    this.#sentAt = performance.now();
  }

  noteFirstByte(): void {
    this.#firstByteAt = performance.now();
  }

  noteEnd(): void {
    if (this.#endedAt === 0) this.#endedAt = performance.now();
  }

  /** The response is not read from now on, for a reason of ours: until `resume` no time counts. */
  hold(): void {
    this.#heldAt = performance.now();
  }

  resume(): void {
    const now = performance.now();
    this.#heldMilliseconds += now - this.#heldAt;
    this.#heldReceiving += this.#countReceiving(now);
    this.#heldAt = 0;
  }

  get heldMilliseconds(): number {
    return this.#heldMilliseconds + (this.#heldAt === 0 ? 0 : performance.now() - this.#heldAt);
  }

  /** Time held before the last byte: a body may be held for decoding when all of it is here. */
  #countReceiving(now: number): number {
    if (this.#heldAt === 0) return 0;
    return Math.max(0, (this.#endedAt === 0 ? now : this.#endedAt) - this.#heldAt);
  }

  /** The current phase. `connection` is the one waited for, as long as nothing is written. */
  phase(connection: ConnectionPhases | undefined): keyof Phases {
    if (this.#firstByteAt !== 0) return "receive";
    if (this.#sentAt !== 0) return "wait";
    if (this.#writtenAt !== 0) return "send";
    return connection === undefined || connection.phase === "open" ? "blocked" : connection.phase;
  }

  /** Timing up to now, or up to the end of the exchange. */
  phases(connection: ConnectionPhases | undefined): Phases {
    const now = this.#endedAt === 0 ? performance.now() : this.#endedAt;
    const awaited = connection?.exchanges === 0 ? connection : undefined;
    const opening = this.isWritten ? this.#opening : awaited;
    opening?.settle();
    const { dns, connect, tls } = opening ?? reused;
    const beforeWriting = (this.isWritten ? this.#writtenAt : now) - this.#startedAt;
    const sentAt = this.#sentAt === 0 ? now : this.#sentAt;
    const firstByteAt = this.#firstByteAt === 0 ? now : this.#firstByteAt;
    const held = this.#heldReceiving + this.#countReceiving(now);
    return {
      blocked: Math.max(0, beforeWriting - dns - connect - tls),
      dns,
      connect,
      tls,
      send: this.isWritten ? Math.max(0, sentAt - this.#writtenAt) : 0,
      wait: this.#sentAt === 0 ? 0 : Math.max(0, firstByteAt - sentAt),
      receive: this.#firstByteAt === 0 ? 0 : Math.max(0, now - firstByteAt - held),
      total: now - this.#startedAt - held,
    };
  }
}

const reused = { dns: 0, connect: 0, tls: 0 };
