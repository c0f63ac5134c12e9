import { Duplex } from "node:stream";
import type { Worker } from "node:worker_threads";
import { startWorker } from "#libraries/worker-thread/worker-thread.ts";
import { numberTypes } from "./number-types.ts";
import type { EmbeddedEngineOptions, Packet } from "./pglite.worker.ts";
import { PreparingClient } from "./prepared.ts";

/** As PostgreSQL calls a connection that failed. */
const connectionFailure = "08006";

const watchMilliseconds = 500;
/** How long a packet may take while the disk is full. One that is only slow gets the same answer as one that is lost. */
const patienceMilliseconds = 3_000;

/** A server's answer to a start: let in without a password, and ready. */
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

/** What node-postgres takes for the socket to its server: what is written in one turn leaves as one packet. */
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
    // The first packet says who comes, which is nobody's concern here.
    else this.push(welcome);
    this.#isWelcome = true;
    written();
  }
}

/** Memory of its own, which can be handed to another thread. */
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
  /** Why it answers nothing any more; every statement fails at once, and none waits for ever. */
  readonly failure: Error | undefined;
  close(): Promise<void>;
}

/**
 * Starts the engine. One that finds no room for its journal spins in a lock of its own, be it while it starts or in a
 * statement, and never comes back, also when there is room again; so it is ended when it says nothing on a full disk.
 * What it had answered for is on the disk.
 * @param isDiskFull whether there is no room for another piece of the engine's journal
 */
export async function startEngine(
  options: EmbeddedEngineOptions,
  isDiskFull: () => Promise<boolean>,
): Promise<EmbeddedEngine> {
  const worker: Worker = startWorker(new URL("./pglite.worker.ts", import.meta.url), {
    workerData: options,
    // Answers pass through quickly; with the default of 48 MB they fill that before anything is cleared away.
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

  // Its start is a packet to wait for, too.
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
