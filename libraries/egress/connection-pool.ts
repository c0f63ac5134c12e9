import type { Socket } from "node:net";
import type { SecureContext } from "node:tls";
import { Client, type Dispatcher } from "undici";
import { type ConnectorOptions, openConnection } from "./connector.ts";
import { EgressError, type EgressFailure } from "./failure.ts";
import { ConnectionPhases } from "./phases.ts";
import type { Destination } from "./policy.ts";
import { readTlsDetails, type TlsDetails } from "./tls-details.ts";

/** Connections to one origin for one pool key. What is beyond this waits its turn, as `blocked`. */
const mostConnectionsAnOrigin = 128;
/** How long a connection stays idle without the server's word; Node's servers close after 5 s. */
const idleMilliseconds = 4_000;
/** How long it stays idle at most, whatever the server's Keep-Alive header promises. */
const mostIdleMilliseconds = 30_000;
const maxResponseHeaderBytes = 65_536;

export interface Origin {
  /** `https://api.example:8443` */
  origin: string;
  destination: Destination;
  /** Undefined for plain http. */
  secureContext?: SecureContext;
}

/**
 * One undici client with at most one connection and one exchange at a time. That an exchange knows its connection is
 * what makes phases, certificate details and "never reuse after a fault" certain.
 */
export class Lane {
  phases = new ConnectionPhases();
  busy = false;
  readonly #client: Client;
  readonly #onIdleClose: (lane: Lane) => void;
  readonly #givingUp = new AbortController();
  #socket: Socket | undefined;
  #tlsDetails: TlsDetails | undefined;

  constructor(origin: Origin, connector: ConnectorOptions, onIdleClose: (lane: Lane) => void) {
    this.#onIdleClose = onIdleClose;
    this.#client = new Client(origin.origin, {
      pipelining: 1,
      // The door has one deadline for everything; undici's idle timers never fire on a dripping server anyway.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: idleMilliseconds,
      keepAliveMaxTimeout: mostIdleMilliseconds,
      maxHeaderSize: maxResponseHeaderBytes,
      connect: (_options, callback) => {
        this.phases = new ConnectionPhases();
        this.#tlsDetails = undefined;
        openConnection(connector, { ...origin, phases: this.phases, signal: this.#givingUp.signal }).then(
          (socket) => {
            this.#socket = socket;
            callback(null, socket);
          },
          (error: Error) => callback(error, null),
        );
      },
    });
    this.#client.on("disconnect", () => {
      if (!this.busy) this.#onIdleClose(this);
    });
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#client.dispatch(options, handler);
  }

  /** What the present connection's certificate says. Read once a connection. */
  get tlsDetails(): TlsDetails | undefined {
    this.#tlsDetails ??= readTlsDetails(this.#socket);
    return this.#tlsDetails;
  }

  /** Ends the connection now, also one that is still being opened. The failure reaches an exchange not yet written. */
  destroy(failure: EgressFailure): void {
    const reason = new EgressError(failure);
    this.#givingUp.abort(reason);
    void this.#client.destroy(reason);
  }
}

const poolClosed: EgressFailure = { code: "cancelled", detail: "The connection was closed because it was not needed." };

/** The lanes to one origin, most recently used first: the others grow idle and close. */
export class ConnectionPool {
  readonly #origin: Origin;
  readonly #connector: ConnectorOptions;
  readonly #onEmpty: () => void;
  readonly #lanes = new Set<Lane>();
  readonly #idle: Lane[] = [];
  #waiting: ((lane: Lane) => void)[] = [];

  constructor(origin: Origin, connector: ConnectorOptions, onEmpty: () => void) {
    this.#origin = origin;
    this.#connector = connector;
    this.#onEmpty = onEmpty;
  }

  get isIdle(): boolean {
    return this.#idle.length === this.#lanes.size && this.#waiting.length === 0;
  }

  /**
   * Hands a lane to `use`, at once when one is free or may be made. `fresh` asks for one without a connection.
   * @returns a function that takes the wish back while it is still waiting
   */
  acquire(fresh: boolean, use: (lane: Lane) => void): (() => void) | undefined {
    const idle = fresh ? undefined : this.#idle.pop();
    if (idle !== undefined) {
      this.#occupy(idle, use);
      return undefined;
    }
    if (this.#lanes.size < mostConnectionsAnOrigin || fresh) {
      this.#occupy(this.#addLane(), use);
      return undefined;
    }
    this.#waiting.push(use);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== use);
    };
  }

  /** The lane's exchange ended well and its connection may serve the next. */
  release(lane: Lane): void {
    lane.busy = false;
    if (!this.#lanes.has(lane)) return;
    this.#idle.push(lane);
    // A turn later: undici is still inside the last answer, and must see the socket idle to notice stray bytes on it.
    if (this.#waiting.length > 0) queueMicrotask(() => this.#serveWaiting());
  }

  /** The lane's connection must not be used again. */
  discard(lane: Lane, failure: EgressFailure): void {
    this.#remove(lane);
    lane.destroy(failure);
    this.#serveWaiting();
    this.#reportWhenEmpty();
  }

  close(): void {
    for (const lane of [...this.#lanes]) {
      this.#remove(lane);
      lane.destroy(poolClosed);
    }
  }

  #occupy(lane: Lane, use: (lane: Lane) => void): void {
    lane.busy = true;
    use(lane);
  }

  #addLane(): Lane {
    const lane = new Lane(this.#origin, this.#connector, (closed) => this.discard(closed, poolClosed));
    this.#lanes.add(lane);
    return lane;
  }

  #serveWaiting(): void {
    while (this.#waiting.length > 0) {
      const lane = this.#idle.pop() ?? (this.#lanes.size < mostConnectionsAnOrigin ? this.#addLane() : undefined);
      if (lane === undefined) return;
      this.#occupy(lane, this.#waiting.shift()!);
    }
  }

  #remove(lane: Lane): void {
    this.#lanes.delete(lane);
    const index = this.#idle.indexOf(lane);
    if (index !== -1) this.#idle.splice(index, 1);
  }

  #reportWhenEmpty(): void {
    if (this.#lanes.size === 0 && this.#waiting.length === 0) this.#onEmpty();
  }
}
