import { Duplex } from "node:stream";
import type { Worker } from "node:worker_threads";
import { startWorker } from "#libraries/worker-thread/worker-thread.ts";
import { numberTypes } from "./number-types.ts";
import type { EmbeddedEngineOptions, Packet } from "./pglite.worker.ts";
import { PreparingClient } from "./prepared.ts";

/** PostgreSQL's code for a failed connection. */
const connectionFailure = "08006";

const watchMilliseconds = 500;
/** How long a packet may take while the disk is full. A slow one gets the same response as a lost one. */
const patienceMilliseconds = 3_000;

/** A server's response to a startup message: authenticated without a password, and ready. */
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

/** Acts as node-postgres' socket to its server: data written in one turn is sent as one packet. */
class EngineStream extends Duplex {
  #isWelcome = false;

  constructor(private readonly send: (packet: Packet) => void) {
    super();
  }

  connect(): void {
    process.nextTick(() => this.emit("connect"));
  }

  setNoDelay(): void {}

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, written: () => void): void {
    this.#pass([chunk], written);
  }

  override _writev(chunks: { chunk: Buffer }[], written: () => void): void {
    this.#pass(
      chunks.map(({ chunk }) => chunk),
      written,
    );
  }

  #pass(chunks: Buffer[], written: () => void): void {
    if (this.#isWelcome) this.send(concatenate(chunks));
    // The first packet identifies the client, which does not matter here.
    else this.push(welcome);
    this.#isWelcome = true;
    written();
  }
}

/** Copies into a separate buffer, which can be transferred to another thread. */
function concatenate(chunks: Buffer[]): Packet {
  const packet = new Uint8Array(chunks.reduce((size, { length }) => size + length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    packet.set(chunk, offset);
    offset += chunk.length;
  }
  return packet;
}

/** PGlite in its thread, and the one connection to it. */
export interface EmbeddedEngine {
  readonly client: PreparingClient;
  /** Why it no longer responds; every statement fails at once, and none waits forever. */
  readonly failure: Error | undefined;
  close(): Promise<void>;
}

/**
 * Starts the engine. Without space for its journal it spins in an internal lock, whether during its start or in a
 * statement, and never returns, even when there is space again; so it is terminated when it does not respond on a full
 * disk. Everything that it had confirmed is on the disk.
 * @param isDiskFull whether there is no space for another segment of the engine's journal
 */
export async function startEngine(
  options: EmbeddedEngineOptions,
  isDiskFull: () => Promise<boolean>,
): Promise<EmbeddedEngine> {
  const worker: Worker = startWorker(new URL("./pglite.worker.ts", import.meta.url), {
    workerData: options,
    // Responses are short-lived; with the default of 48 MB they fill that before anything is collected.
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
  });
  let failure: Error | undefined;
  let opened = () => {};
  let failed = (_: Error) => {};
  const opening = new Promise<void>((resolve, reject) => {
    opened = resolve;
    failed = reject;
  });
  let closed = () => {};
  const closing = new Promise<void>((resolve) => {
    closed = resolve;
  });

  // Its start counts as a pending packet, too.
  let unanswered = 1;
  let heardAt = performance.now();
  let wasFull = false;
  const watch = setInterval(async () => {
    const silence = performance.now() - heardAt;
    if (unanswered === 0 || silence < watchMilliseconds) wasFull = false;
    else if (silence > patienceMilliseconds && wasFull) end("The embedded database found no room on the disk.");
    else wasFull ||= await isDiskFull().catch(() => false);
  }, watchMilliseconds);
  watch.unref();

  const stream = new EngineStream((packet) => {
    if (unanswered === 0) {
      heardAt = performance.now();
      worker.ref();
    }
    unanswered += 1;
    worker.postMessage(packet, [packet.buffer]);
  });
  const client = new PreparingClient({ stream: () => stream, ssl: false, pipeline: true, types: numberTypes });
  client.on("error", () => {});

  function end(words: string, cause?: Error): void {
    if (failure) return;
    failure = Object.assign(new Error(words), { code: connectionFailure, cause });
    clearInterval(watch);
    failed(failure);
    stream.destroy(failure);
    closed();
    void worker.terminate();
  }
  worker.on("error", (error) => end("The embedded database has ended.", error));
  worker.on("exit", () => end("The embedded database has ended."));
  worker.on("message", (message: Packet | "closed") => {
    if (message === "closed") return closed();
    heardAt = performance.now();
    unanswered -= 1;
    if (unanswered === 0) worker.unref();
    opened();
    if (message.length > 0) stream.push(Buffer.from(message.buffer));
  });
  await opening.catch((error: Error) => {
    throw Object.assign(new Error("The embedded database could not be opened."), {
      code: connectionFailure,
      cause: error.cause ?? error,
    });
  });
  await client.connect();

  return {
    client,
    get failure() {
      return failure;
    },
    async close() {
      if (failure) return;
      worker.ref();
      worker.postMessage("close");
      await closing;
      clearInterval(watch);
      await worker.terminate();
    },
  };
}
