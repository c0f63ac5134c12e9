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
import type { DiskReserve } from "./disk-reserve.ts";
import { DatabaseError, type EmbeddedEngine, startEngine } from "./embedded-engine.ts";
import { Channels, type Subscribe } from "./notifications.ts";
import type { EmbeddedEngineOptions } from "./pglite.worker.ts";
import { Presence } from "./presence.ts";

const readOnlyTransaction = "25006";
/** An engine that ends at once is not to keep the processor busy with its starts. */
const pauseBetweenStarts = 2_000;

function diskIsFull(): DatabaseError {
  return Object.assign(new DatabaseError("The disk has no room left."), { code: "53100" });
}

/**
 * PGlite has one connection: whoever holds it (a transaction, say) makes the others wait their turn.
 * Without a directory the database lives in memory (tests).
 */
export class EmbeddedDriver implements Driver {
  #engine: EmbeddedEngine | undefined;
  readonly #channels = new Channels();
  #turn: Promise<void> = Promise.resolve();
  #release = new WeakMap<DatabaseConnection, () => void>();
  #asked = 0;
  #isReadOnly = false;
  readonly #presence: Presence;
  #startedAt = Number.NEGATIVE_INFINITY;

  /** @param reserve of the disk the directory is on */
  constructor(
    private readonly options: EmbeddedEngineOptions,
    private readonly reserve: DiskReserve,
  ) {
    this.#presence = new Presence(reserve.log);
  }

  async init() {
    this.#engine = await this.#start();
  }

  async #start(): Promise<EmbeddedEngine> {
    this.#startedAt = performance.now();
    const engine = await startEngine(this.options, {
      hear: ({ channel, payload }) => this.#channels.tell(channel, payload),
      isDiskFull: () => this.reserve.isExhausted(),
    });
    this.#isReadOnly = false;
    for (const channel of this.#channels.names) await engine.listen(channel);
    return engine;
  }

  /** The engine; when it has ended, another that goes on with what it stored. */
  async #running(): Promise<EmbeddedEngine> {
    const { failure } = this.#engine!;
    if (!failure) return this.#engine!;
    this.#presence.missed(failure);
    // What was in memory is gone with it.
    if (!this.options.dataDirectory || performance.now() - this.#startedAt < pauseBetweenStarts) throw failure;
    if (!(await this.reserve.hasRoomToStart())) throw diskIsFull();
    this.#engine = await this.#start();
    this.#presence.found();
    this.#channels.tellAllToLook();
    return this.#engine;
  }

  readonly subscribe: Subscribe = async (channel, listener) => {
    if (this.#channels.add(channel, listener)) {
      // Within somebody else's transaction it would be undone with it.
      const connection = await this.acquireConnection();
      try {
        await this.#engine!.listen(channel);
      } finally {
        await this.releaseConnection(connection);
      }
    }
    return () => this.#channels.remove(channel, listener);
  };

  /** Nothing is written, so that the disk keeps its reserve. */
  get keepsReserve(): boolean {
    return this.#isReadOnly;
  }

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
    const engine = await this.#ready().catch((error) => {
      this.#asked -= 1;
      release();
      throw error;
    });
    const refusal = (error: unknown) => this.#refusalOf(error);
    const connection: DatabaseConnection = {
      async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
        const { rows, affectedRows } = await engine.query(sql, parameters).catch((error) => {
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
  async #ready(): Promise<EmbeddedEngine> {
    const engine = await this.#running();
    const isShort = await this.reserve.look();
    if (isShort !== this.#isReadOnly) {
      await engine.query(`set default_transaction_read_only = ${isShort ? "on" : "off"}`, []);
      this.#isReadOnly = isShort;
    }
    return engine;
  }

  #refusalOf(error: unknown): unknown {
    return this.#isReadOnly && (error as DatabaseError).code === readOnlyTransaction ? diskIsFull() : error;
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
    await this.#engine?.close();
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
