import type { Socket } from "node:net";
import { type SecureContext, TLSSocket } from "node:tls";
import { Client, type Dispatcher } from "undici";
import { type ConnectorOptions, openConnection } from "./connector.ts";
import { EgressError, type EgressFailure } from "./failure.ts";
import { ConnectionPhases } from "./phases.ts";
import type { Destination } from "./policy.ts";
import { readTlsDetails, type TlsDetails } from "./tls-details.ts";

/** Connections to one origin per pool key. Further requests wait, counted as `blocked`. */
const maxConnectionsPerOrigin = 128;
/** Idle timeout when the server sends no Keep-Alive header; Node servers close after 5 s. */
const idleMilliseconds = 4_000;
/** Upper bound of the idle timeout, whatever the server's Keep-Alive header says. */
const maxIdleMilliseconds = 30_000;
const maxResponseHeaderBytes = 65_536;

export interface Origin {
  /** `https://api.example:8443` */
  origin: string;
  destination: Destination;
  /** Undefined for plain HTTP. */
  secureContext?: SecureContext;
}

/**
 * One undici client with at most one connection and one exchange at a time. Each exchange knows its connection, which
 * makes phases, certificate details and "never reuse after an error" reliable.
 */
export class Lane {
  phases = new ConnectionPhases();
  busy = false;
  readonly #client: Client;
  readonly #onIdleClose: (lane: Lane) => void;
  readonly #abort = new AbortController();
  #socket: Socket | undefined;
  #tlsDetails: TlsDetails | undefined;
  /** undici keeps an HTTP/2 connection open however long it is idle. */
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(origin: Origin, connector: ConnectorOptions, onIdleClose: (lane: Lane) => void) {
    this.#onIdleClose = onIdleClose;
    this.#client = new Client(origin.origin, {
      pipelining: 1,
      // Egress has one deadline per request; undici's idle timers never fire while a server drips bytes anyway.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: idleMilliseconds,
      keepAliveMaxTimeout: maxIdleMilliseconds,
      maxHeaderSize: maxResponseHeaderBytes,
      allowH2: true,
      connect: (_options, callback) => {
        this.phases = new ConnectionPhases();
        this.#tlsDetails = undefined;
        openConnection(connector, { ...origin, phases: this.phases, signal: this.#abort.signal }).then(
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

  /** Of the current connection, as in `InboundResponse`. */
  get httpVersion(): "1.1" | "2" {
    return this.#socket instanceof TLSSocket && this.#socket.alpnProtocol === "h2" ? "2" : "1.1";
  }

  /** Starts to count idle time where undici doesn't. */
  rest(close: () => void): void {
    if (this.httpVersion === "2") this.#idleTimer = setTimeout(close, idleMilliseconds);
  }

  wake(): void {
    clearTimeout(this.#idleTimer);
  }

  /** Certificate details of the current connection, read once per connection. */
  get tlsDetails(): TlsDetails | undefined {
    this.#tlsDetails ??= readTlsDetails(this.#socket);
    return this.#tlsDetails;
  }

  /** Closes the connection now, even while it is still connecting. The failure reaches an exchange not yet written. */
  destroy(failure: EgressFailure): void {
    this.wake();
    const reason = new EgressError(failure);
    this.#abort.abort(reason);
    void this.#client.destroy(reason);
  }
}

const poolClosed: EgressFailure = { code: "cancelled", detail: "The connection was closed because it was not needed." };

/** The lanes to one origin, most recently used first, so that the others become idle and close. */
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
   * Passes a lane to `use`, immediately if one is free or may be created. `fresh` requires a lane without a
   * connection.
   * @returns a function that cancels the request while it is still waiting
   */
  acquire(fresh: boolean, use: (lane: Lane) => void): (() => void) | undefined {
    const idle = fresh ? undefined : this.#idle.pop();
    if (idle !== undefined) {
      this.#occupy(idle, use);
      return undefined;
    }
    if (this.#lanes.size < maxConnectionsPerOrigin || fresh) {
      this.#occupy(this.#addLane(), use);
      return undefined;
    }
    this.#waiting.push(use);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== use);
    };
  }

  /** The exchange completed and the connection may be reused. */
  release(lane: Lane): void {
    lane.busy = false;
    if (!this.#lanes.has(lane)) return;
    this.#idle.push(lane);
    lane.rest(() => this.discard(lane, poolClosed));
    // In a microtask: undici is still processing the last response, and must see the socket idle to notice stray
    // bytes.
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
    lane.wake();
    use(lane);
  }

  #addLane(): Lane {
    const lane = new Lane(this.#origin, this.#connector, (closed) => this.discard(closed, poolClosed));
    this.#lanes.add(lane);
    return lane;
  }

  #serveWaiting(): void {
    while (this.#waiting.length > 0) {
      const lane = this.#idle.pop() ?? (this.#lanes.size < maxConnectionsPerOrigin ? this.#addLane() : undefined);
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
