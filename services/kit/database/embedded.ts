import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import { startWorker } from "../worker/worker.ts";
import type { DiskReserve } from "./disk-reserve.ts";
import { Channels, type Subscribe } from "./notifications.ts";
import type { EmbeddedServerOptions, Notification, StatementAnswer } from "./pglite.worker.ts";

const readOnlyTransaction = "25006";
const diskFull = "53100";

/** A statement the database refused; `code` is PostgreSQL's SQLSTATE, as with node-postgres. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  code?: string;
  detail?: string;
  constraint?: string;
  table?: string;
}

interface EmbeddedServer {
  query(sql: string, parameters: readonly unknown[]): Promise<{ rows: unknown[]; affectedRows?: number }>;
  /** Sends what is told on the channel to `onNotification` from now on. */
  listen(channel: string): Promise<void>;
  close(): Promise<void>;
}

async function startEmbeddedServer(
  options: EmbeddedServerOptions,
  onNotification: (notification: Notification) => void,
): Promise<EmbeddedServer> {
  const worker: Worker = startWorker(new URL("./pglite.worker.ts", import.meta.url), {
    workerData: options,
    // Answers pass through quickly; with the default of 48 MB they fill that before anything is cleared away.
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
  });
  await Promise.race([
    once(worker, "message"),
    once(worker, "error").then(([error]) => {
      throw new Error("The embedded database could not be opened.", { cause: error });
    }),
  ]);
  const waiting = new Map<number, { resolve(answer: StatementAnswer): void; reject(error: Error): void }>();
  let lastId = 0;
  let closed: () => void = () => {};
  const closing = new Promise<void>((resolve) => {
    closed = resolve;
  });
  worker.on("message", (answer: StatementAnswer | Notification | "closed") => {
    if (answer === "closed") return closed();
    if ("channel" in answer) return onNotification(answer);
    waiting.get(answer.id)?.resolve(answer);
    waiting.delete(answer.id);
  });
  // Without an engine every statement fails at once, and with it the health check; none waits for ever.
  let ended: Error | undefined;
  const end = (error: Error) => {
    ended ??= error;
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
    closed();
  };
  worker.on("error", (error) => end(error as Error));
  // As PostgreSQL calls a connection that failed.
  worker.on("exit", () => end(Object.assign(new DatabaseError("The embedded database has ended."), { code: "08006" })));
  worker.unref();
  async function ask(message: { sql: string; parameters: readonly unknown[] } | { listen: string }) {
    if (ended) throw ended;
    const id = ++lastId;
    const answer = await new Promise<StatementAnswer>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ id, ...message });
    });
    if (waiting.size === 0) worker.unref();
    if (answer.error) throw Object.assign(new DatabaseError(answer.error.message), answer.error);
    return { rows: answer.rows ?? [], affectedRows: answer.affectedRows };
  }
  return {
    query: (sql, parameters) => ask({ sql, parameters }),
    async listen(channel) {
      await ask({ listen: channel });
    },
    async close() {
      if (ended) return;
      worker.ref();
      worker.postMessage("close");
      await closing;
      await worker.terminate();
    },
  };
}

/**
 * PGlite has one connection: whoever holds it (a transaction, say) makes the others wait their turn.
 * Without a directory the database lives in memory (tests).
 */
export class EmbeddedDriver implements Driver {
  #server: EmbeddedServer | undefined;
  readonly #channels = new Channels();
  #turn: Promise<void> = Promise.resolve();
  #release = new WeakMap<DatabaseConnection, () => void>();
  #asked = 0;
  #isReadOnly = false;

  /** @param reserve of the disk the directory is on */
  constructor(
    private readonly options: EmbeddedServerOptions,
    private readonly reserve: DiskReserve,
  ) {}

  async init() {
    this.#server = await startEmbeddedServer(this.options, ({ channel, payload }) =>
      this.#channels.tell(channel, payload),
    );
  }

  readonly subscribe: Subscribe = async (channel, listener) => {
    if (this.#channels.add(channel, listener)) {
      // Within somebody else's transaction it would be undone with it.
      const connection = await this.acquireConnection();
      try {
        await this.#server!.listen(channel);
      } finally {
        await this.releaseConnection(connection);
      }
    }
    return () => this.#channels.remove(channel, listener);
  };

  get isBusy(): boolean {
    return this.#asked > 0;
  }

  /** Those whose turn has not come. */
  get waiting(): number {
    return Math.max(0, this.#asked - 1);
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#asked += 1;
    const before = this.#turn;
    let release = () => {};
    this.#turn = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    const server = this.#server!;
    await this.#keepReserve(server).catch((error) => {
      this.#asked -= 1;
      release();
      throw error;
    });
    const refusal = (error: unknown) => this.#refusalOf(error);
    const connection: DatabaseConnection = {
      async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
        const { rows, affectedRows } = await server.query(sql, parameters).catch((error) => {
          throw refusal(error);
        });
        return {
          rows: rows as Row[],
          numAffectedRows: affectedRows === undefined ? undefined : BigInt(affectedRows),
        };
      },
      // biome-ignore lint/correctness/useYield: the embedded database cannot stream; nothing asks it to.
      async *streamQuery() {
        throw new Error("The embedded database does not stream.");
      },
    };
    this.#release.set(connection, release);
    return connection;
  }

  /** The engine itself knows what writes: it refuses that, and goes on reading, while the disk is short of room. */
  async #keepReserve(server: EmbeddedServer): Promise<void> {
    const isShort = await this.reserve.look();
    if (isShort === this.#isReadOnly) return;
    await server.query(`set default_transaction_read_only = ${isShort ? "on" : "off"}`, []);
    this.#isReadOnly = isShort;
  }

  #refusalOf(error: unknown): unknown {
    const isOfReserve = this.#isReadOnly && (error as DatabaseError).code === readOnlyTransaction;
    return isOfReserve
      ? Object.assign(new DatabaseError("The disk has no room left but its reserve."), { code: diskFull })
      : error;
  }

  async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw("begin"));
  }

  async commitTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw("commit"));
  }

  async rollbackTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw("rollback"));
  }

  async releaseConnection(connection: DatabaseConnection) {
    this.#asked -= 1;
    this.#release.get(connection)?.();
  }

  async destroy() {
    await this.#turn;
    await this.#server?.close();
  }
}

/** Kysely on PGlite in a worker thread. */
export function embeddedDialect(driver: EmbeddedDriver): Dialect {
  return {
    createDriver: () => driver,
    createAdapter: () => new EmbeddedAdapter(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/** One process owns the folder (see lock), so migrations need no lock of their own. */
class EmbeddedAdapter extends PostgresAdapter {
  override async acquireMigrationLock() {}
  override async releaseMigrationLock() {}
}
