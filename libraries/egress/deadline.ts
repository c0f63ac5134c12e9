import { setMaxListeners } from "node:events";
import type { Exchange } from "./exchange.ts";
import type { Result } from "./exchange-result.ts";
import { EgressError, type EgressFailure } from "./failure.ts";
import type { Phases } from "./phases.ts";

/** Node shortens longer timers to one millisecond. */
const maxTimerMilliseconds = 2_147_483_647;

const waitedFor: Record<keyof Phases, string> = {
  blocked: "waiting for a free connection to this host",
  dns: "looking up the host name",
  connect: "connecting",
  tls: "the TLS handshake",
  send: "sending the request",
  wait: "waiting for the first byte of the response",
  receive: "reading the response",
  total: "waiting",
};

/**
 * The single absolute deadline of a request: nothing that the target does, dripping bytes included, extends it. The
 * caller's signal ends the request in the same way.
 */
export class Deadline {
  readonly #timeoutMilliseconds: number;
  readonly #signal: AbortSignal | undefined;
  #timer: NodeJS.Timeout;
  #timerStartedAt = performance.now();
  #leftMilliseconds: number;
  #running: Exchange | undefined;
  #word: ((phase: keyof Phases) => EgressFailure) | undefined;

  constructor({ timeoutMilliseconds, signal }: { timeoutMilliseconds: number; signal?: AbortSignal }) {
    this.#timeoutMilliseconds = timeoutMilliseconds;
    this.#signal = signal;
    this.#leftMilliseconds = Math.min(timeoutMilliseconds, maxTimerMilliseconds);
    this.#timer = setTimeout(this.#expire, this.#leftMilliseconds);
    if (signal === undefined) return;
    // A run shares one signal among hundreds of requests; Node would report the eleventh listener as a leak.
    setMaxListeners(0, signal);
    signal.addEventListener("abort", this.#cancel, { once: true });
    if (signal.aborted) this.#word = cancelled;
  }

  /** Runs an exchange that ends no later than the deadline. */
  run(exchange: Exchange, fresh: boolean): Promise<Result> {
    if (this.#word !== undefined) throw new EgressError(this.#word("blocked"));
    this.#running = exchange;
    return exchange.run(fresh);
  }

  /** Stops the clock while the portal itself does not read. */
  hold(): void {
    clearTimeout(this.#timer);
    this.#leftMilliseconds -= performance.now() - this.#timerStartedAt;
  }

  resume(): void {
    this.#timerStartedAt = performance.now();
    this.#timer = setTimeout(this.#expire, Math.max(0, this.#leftMilliseconds));
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.#cancel);
  }

  #expire = (): void => {
    this.#end((phase) => ({
      code: "timeout",
      detail: `There was no complete response within ${this.#timeoutMilliseconds} ms; the time ran out while ${waitedFor[phase]}.`,
    }));
  };

  #cancel = (): void => this.#end(cancelled);

  #end(word: (phase: keyof Phases) => EgressFailure): void {
    this.#word = word;
    this.#running?.giveUp(word);
  }
}

function cancelled(): EgressFailure {
  return { code: "cancelled", detail: "The request was cancelled." };
}
