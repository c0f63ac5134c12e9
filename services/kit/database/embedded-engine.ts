import type { Worker } from "node:worker_threads";
import { startWorker } from "#libraries/worker-thread/worker-thread.ts";
import type { EmbeddedEngineOptions, Notification, StatementAnswer } from "./pglite.worker.ts";

/** A statement the database refused; `code` is PostgreSQL's SQLSTATE, as with node-postgres. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  code?: string;
  detail?: string;
  constraint?: string;
  table?: string;
}

/** As PostgreSQL calls a connection that failed. */
const connectionFailure = "08006";

const watchMilliseconds = 500;
/** How long a statement may take while the disk is full. One that is only slow is told what one that is lost is. */
const patienceMilliseconds = 3_000;

export interface EngineSurroundings {
  hear(notification: Notification): void;
  /** Whether there is no room for another piece of the engine's journal. */
  isDiskFull(): Promise<boolean>;
}

/** PGlite in its thread. */
export interface EmbeddedEngine {
  query(sql: string, parameters: readonly unknown[]): Promise<{ rows: unknown[]; affectedRows?: number }>;
  /** Hears what is told on the channel from now on. */
  listen(channel: string): Promise<void>;
  /** Why it answers nothing any more; every statement fails at once, and none waits for ever. */
  readonly failure: Error | undefined;
  close(): Promise<void>;
}

/**
 * Starts the engine. One that finds no room for its journal spins in a lock of its own, be it while it starts or in a
 * statement, and never comes back, also when there is room again; so it is ended when it says nothing on a full disk.
 * What it had answered for is on the disk.
 */
export async function startEngine(
  options: EmbeddedEngineOptions,
  { hear, isDiskFull }: EngineSurroundings,
): Promise<EmbeddedEngine> {
  const worker: Worker = startWorker(new URL("./pglite.worker.ts", import.meta.url), {
    workerData: options,
    // Answers pass through quickly; with the default of 48 MB they fill that before anything is cleared away.
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
  });
  const waiting = new Map<number, { resolve(answer: StatementAnswer): void; reject(error: Error): void }>();
  let lastId = 0;
  let failure: Error | undefined;
  let closed = () => {};
  const closing = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const answerTo = (id: number) =>
    new Promise<StatementAnswer>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
    });

  let heardAt = performance.now();
  let wasFull = false;
  const watch = setInterval(async () => {
    const silence = performance.now() - heardAt;
    if (waiting.size === 0 || silence < watchMilliseconds) wasFull = false;
    else if (silence > patienceMilliseconds && wasFull) end(failed("The embedded database found no room on the disk."));
    else wasFull ||= await isDiskFull().catch(() => false);
  }, watchMilliseconds);
  watch.unref();

  function end(error: Error): void {
    if (failure) return;
    failure = error;
    clearInterval(watch);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    closed();
    void worker.terminate();
  }
  worker.on("error", (error) => end(Object.assign(failed("The embedded database has ended."), { cause: error })));
  worker.on("exit", () => end(failed("The embedded database has ended.")));
  worker.on("message", (message: StatementAnswer | Notification | "closed") => {
    heardAt = performance.now();
    if (message === "closed") return closed();
    if ("channel" in message) return hear(message);
    waiting.get(message.id)?.resolve(message);
    waiting.delete(message.id);
  });
  await answerTo(lastId).catch((error) => {
    throw Object.assign(failed("The embedded database could not be opened."), { cause: error });
  });
  worker.unref();

  async function ask(message: { sql: string; parameters: readonly unknown[] } | { listen: string }) {
    if (failure) throw failure;
    if (waiting.size === 0) heardAt = performance.now();
    const id = ++lastId;
    worker.ref();
    worker.postMessage({ id, ...message });
    const answer = await answerTo(id);
    if (waiting.size === 0) worker.unref();
    if (answer.error) throw Object.assign(new DatabaseError(answer.error.message), answer.error);
    return { rows: answer.rows ?? [], affectedRows: answer.affectedRows };
  }
  return {
    query: (sql, parameters) => ask({ sql, parameters }),
    async listen(channel) {
      await ask({ listen: channel });
    },
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

function failed(message: string): DatabaseError {
  return Object.assign(new DatabaseError(message), { code: connectionFailure });
}
