import {
  type Dialect,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  type PostgresPool,
  type PostgresPoolClient,
  PostgresQueryCompiler,
} from "kysely";
import type { DiskReserve } from "./disk-reserve.ts";
import { type EmbeddedEngine, startEngine } from "./embedded-engine.ts";
import { Channels, Notifier, type Subscribe } from "./notifications.ts";
import type { EmbeddedEngineOptions } from "./pglite.worker.ts";
import { Presence } from "./presence.ts";

const readOnlyTransaction = "25006";
/** An engine that ends at once must not keep the processor busy with restarts. */
const pauseBetweenStarts = 2_000;

function diskIsFull(): Error {
  return Object.assign(new Error("The disk has no room left."), { code: "53100" });
}

/**
 * PGlite has one connection: while a caller has it (for example in a transaction), the others wait for their turn.
 * Without a directory the database is in memory (tests).
 */
export class EmbeddedPool implements PostgresPool {
  #engine: EmbeddedEngine | undefined;
  readonly #channels = new Channels();
  /** No other process uses the engine. */
  readonly #notifier = new Notifier(({ channel, payload }) => this.#channels.notify(channel, payload));
  #turn: Promise<void> = Promise.resolve();
  #asked = 0;
  #isReadOnly = false;
  readonly #presence: Presence;
  #startedAt = Number.NEGATIVE_INFINITY;

  /** @param reserve of the directory's disk */
  constructor(
    private readonly options: EmbeddedEngineOptions,
    private readonly reserve: DiskReserve,
  ) {
    this.#presence = new Presence(reserve.log);
  }

  async #start(): Promise<EmbeddedEngine> {
    this.#startedAt = performance.now();
    const engine = await startEngine(this.options, () => this.reserve.isExhausted());
    engine.client.onCommit = this.#notifier.committed;
    // Of triggers.
    engine.client.on("notification", ({ channel, payload }) => this.#channels.notify(channel, payload ?? ""));
    this.#isReadOnly = false;
    for (const channel of this.#channels.names) await listen(engine, channel);
    return engine;
  }

  /** The engine; if it has ended, a new one that continues with the stored data. */
  async #running(): Promise<EmbeddedEngine> {
    this.#engine ??= await this.#start();
    const { failure } = this.#engine;
    if (!failure) return this.#engine;
    this.#presence.missed(failure);
    // A database in memory is lost with its engine.
    if (!this.options.dataDirectory || performance.now() - this.#startedAt < pauseBetweenStarts) throw failure;
    if (!(await this.reserve.hasCapacityToStart())) throw diskIsFull();
    this.#engine = await this.#start();
    this.#presence.found();
    this.#channels.notifyAll();
    return this.#engine;
  }

  readonly subscribe: Subscribe = async (channel, listener) => {
    if (this.#channels.add(channel, listener)) {
      // Within another caller's transaction it would be rolled back with it.
      const connection = await this.connect();
      try {
        await listen(this.#engine!, channel);
      } finally {
        connection.release();
      }
    }
    return () => this.#channels.remove(channel, listener);
  };

  /** Writes are refused, so that the disk keeps its reserve. */
  get keepsReserve(): boolean {
    return this.#isReadOnly;
  }

  get isBusy(): boolean {
    return this.#asked > 0;
  }

  /** Callers waiting for their turn. */
  get waiting(): number {
    return Math.max(0, this.#asked - 1);
  }

  async connect(): Promise<PostgresPoolClient> {
    this.#asked += 1;
    const before = this.#turn;
    let pass = () => {};
    this.#turn = new Promise((resolve) => {
      pass = resolve;
    });
    const release = () => {
      this.#asked -= 1;
      pass();
    };
    await before;
    try {
      const { client } = await this.#ready();
      const query = (text: string, values: readonly unknown[]) =>
        client.query(text, values).catch((error: unknown) => {
          throw this.#refusalOf(error);
        });
      return { query, release } as PostgresPoolClient;
    } catch (error) {
      release();
      throw error;
    }
  }

  /** The engine itself recognizes writes: while the disk is short of space, it refuses them and continues to read. */
  async #ready(): Promise<EmbeddedEngine> {
    const engine = await this.#running();
    const isShort = await this.reserve.look();
    if (isShort !== this.#isReadOnly) {
      await engine.client.query(`set default_transaction_read_only = ${isShort ? "on" : "off"}`);
      this.#isReadOnly = isShort;
    }
    return engine;
  }

  #refusalOf(error: unknown): unknown {
    return this.#isReadOnly && (error as { code?: string }).code === readOnlyTransaction ? diskIsFull() : error;
  }

  async end(): Promise<void> {
    await this.#turn;
    await this.#engine?.close();
  }
}

async function listen({ client }: EmbeddedEngine, channel: string): Promise<void> {
  await client.query(`listen ${client.escapeIdentifier(channel)}`);
}

/** Kysely on PGlite in a worker thread. */
export function embeddedDialect(pool: EmbeddedPool): Dialect {
  return {
    createDriver: () => new PostgresDriver({ pool }),
    createAdapter: () => new EmbeddedAdapter(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/** One process owns the folder (see lock), so migrations need no lock. */
class EmbeddedAdapter extends PostgresAdapter {
  override async acquireMigrationLock() {}
  override async releaseMigrationLock() {}
}
