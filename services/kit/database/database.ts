import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import pg from "pg";
import type { Logger } from "pino";
import { within } from "../clock/within.ts";
import { StartRefused } from "../service/start-refused.ts";
import { refusesToWrite, storageIsFull } from "./database-problem.ts";
import { type DiskOptions, openReserve } from "./disk-reserve.ts";
import { EmbeddedPool, embeddedDialect } from "./embedded.ts";
import { Notifier, type Subscribe } from "./notifications.ts";
import { numberTypes } from "./number-types.ts";
import { currentOrganization, organizationRole } from "./organization-scope.ts";
import { requireOwnSession } from "./pooler.ts";
import { PostgresListener } from "./postgres-listener.ts";
import { PreparingClient } from "./prepared.ts";
import { Presence } from "./presence.ts";
import { combineWithDatabase, type SignalCarrier } from "./signal-carrier.ts";

/** Each service's store declares its own tables; the shared handle knows none of them. */
// biome-ignore lint/suspicious/noExplicitAny: Kysely's own wildcard for "tables not known here".
export type AnyTables = any;

/** A database connection shared by all services of this process; each has its own PostgreSQL schema. */
export interface Database {
  engine: "pglite" | "postgresql";
  kysely: Kysely<AnyTables>;
  /** The service's own view: unqualified tables resolve to its schema. */
  inSchema<Tables>(schema: string): Kysely<Tables>;
  /** Receives notifications sent by `notify`. */
  subscribe: Subscribe;
  checkHealth(): Promise<void>;
  /** Throws while nothing can be stored, for example because a disk is full; reading still works. */
  checkCapacity(): Promise<void>;
  /** Throws while notifications from other processes are not received; polling once a second continues. */
  checkListener(): Promise<void>;
  /** From now on, statements for an organization run as a role that only sees its rows; see `row-security.ts`. */
  separateOrganizations(): void;
  /** Throws if the database does not enforce the separation of organizations; their queries still do. */
  checkSeparation(): Promise<void>;
  /** Connection and statement statistics since the start. */
  figures(): DatabaseFigures;
  close(): Promise<void>;
}

export interface DatabaseFigures {
  statementErrors: number;
  /** Connections lost, in use or idle. */
  connectionErrors: number;
  connections: number;
  idleConnections: number;
  /** Statements and transactions waiting for a free connection. */
  waitingForConnection: number;
  maximumConnections: number;
}

/** The database or one of its transactions, for store functions. */
export type Executor<Tables> = Kysely<Tables> | Transaction<Tables>;

interface Parts {
  kysely: Kysely<AnyTables>;
  listener: { subscribe: Subscribe; isConnected?: boolean; close?(): Promise<void> };
  /** Of an engine with several processes. */
  notifier?: Notifier;
  checkCapacity(): Promise<void>;
  separation: { isOn: boolean };
}

function wrap(engine: Database["engine"], parts: Parts, figures: () => DatabaseFigures): Database {
  const { kysely, listener, notifier, checkCapacity, separation } = parts;
  return {
    engine,
    kysely,
    subscribe: listener.subscribe,
    figures,
    inSchema: <Tables>(schema: string) => kysely.withSchema(schema) as unknown as Kysely<Tables>,
    async checkHealth() {
      await sql`select 1`.execute(kysely);
    },
    checkCapacity,
    async checkListener() {
      if (listener.isConnected === false) throw new Error("not connected");
    },
    separateOrganizations() {
      separation.isOn = true;
    },
    async checkSeparation() {
      if (!separation.isOn) throw new Error(`there is no role ${organizationRole}`);
    },
    async close() {
      await notifier?.stop();
      await listener.close?.();
      await kysely.destroy();
    },
  };
}

export interface EmbeddedOptions extends DiskOptions {
  /** Folder of an empty database, copied at the first start. */
  template?: string;
}

/**
 * Opens PGlite in `<dataDirectory>/database`, or in memory without a directory. The caller must have locked the folder.
 * @throws StartRefused when its disk has too little space
 */
export async function openEmbeddedDatabase(dataDirectory?: string, options: EmbeddedOptions = {}): Promise<Database> {
  if (dataDirectory) await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const { template, ...disk } = options;
  const reserve = await openReserve(dataDirectory, disk);
  const pool = new EmbeddedPool({ dataDirectory: dataDirectory && join(dataDirectory, "database"), template }, reserve);
  let statementErrors = 0;
  const capacity = new WriteCapacity(options.log);
  const kysely = new Kysely<AnyTables>({
    dialect: embeddedDialect(pool),
    log: (event) => {
      if (event.level !== "error") return;
      statementErrors += 1;
      // The reserve reports the writes that it prevents.
      if (!pool.keepsReserve) capacity.note(event.error);
    },
  });
  const checkCapacity = async () => {
    if ((await reserve.look()) || (await reserve.isExhausted())) throw storageIsFull();
    await capacity.check(kysely);
  };
  const separation = { isOn: false };
  const database = wrap("pglite", { kysely, listener: pool, checkCapacity, separation }, () => ({
    statementErrors,
    connectionErrors: 0,
    connections: 1,
    idleConnections: pool.isBusy ? 0 : 1,
    waitingForConnection: pool.waiting,
    maximumConnections: 1,
  }));
  await database.checkHealth();
  return database;
}

export interface PoolOptions {
  /** Maximum connections of this process. Default 10. */
  maximumConnections?: number;
  /** How long a statement waits for a connection, and a new connection for its server. Default 10. */
  connectSeconds?: number;
  /** The server cancels statements that run longer; migrations are not limited. Default: no limit. */
  statementSeconds?: number;
  /** Idle connections are closed after this time. Default 10. */
  idleSeconds?: number;
  /** How long `close` waits for the server to end the connections. Default 10. */
  closeSeconds?: number;
  /** Carries notifications instead of the database. */
  carrier?: SignalCarrier | undefined;
  log?: Pick<Logger, "warn">;
}

/** Opens PostgreSQL; fails at once when it does not respond, so that a wrong address shows at start. */
export async function openPostgresDatabase(connectionString: string, options: PoolOptions = {}): Promise<Database> {
  const { maximumConnections = 10, connectSeconds = 10, statementSeconds = 0, idleSeconds = 10 } = options;
  const { closeSeconds = 10, log } = options;
  const figures = { statementErrors: 0, connectionErrors: 0 };
  const presence = new Presence(log);
  const pool = new pg.Pool({
    Client: PreparingClient,
    pipeline: true,
    connectionString,
    max: maximumConnections,
    connectionTimeoutMillis: connectSeconds * 1_000,
    idleTimeoutMillis: idleSeconds * 1_000,
    statement_timeout: statementSeconds * 1_000,
    types: numberTypes,
    application_name: "api-assurance-portal",
  });
  // An unhandled error event would end the process. The pool only listens to idle connections; a broken one in use is
  // removed when it is released, after its next statement has failed.
  pool.on("error", () => {});
  const ownListener = new PostgresListener(connectionString);
  const listener = options.carrier ? combineWithDatabase(options.carrier, ownListener) : ownListener;
  const notifier = new Notifier(listener.deliver, listener.send);
  pool.on("connect", (client) => {
    (client as unknown as PreparingClient).onCommit = notifier.committed;
    client.once("error", (error: Error) => {
      figures.connectionErrors += 1;
      presence.lost(error);
    });
    client.on("error", () => {});
  });
  const separation = { isOn: false };
  const watched = {
    async connect() {
      try {
        const client = await pool.connect();
        presence.found();
        if (separation.isOn) (client as unknown as PreparingClient).actFor(currentOrganization());
        return client;
      } catch (error) {
        presence.missed(error as Error);
        throw error;
      }
    },
    end: () => pool.end(),
  };
  const capacity = new WriteCapacity(log);
  const kysely = new Kysely<AnyTables>({
    dialect: new PostgresDialect({ pool: watched }),
    log: (event) => {
      if (event.level !== "error") return;
      figures.statementErrors += 1;
      capacity.note(event.error);
    },
  });
  const checkCapacity = () => capacity.check(kysely);
  const database = wrap("postgresql", { kysely, listener, notifier, checkCapacity, separation }, () => ({
    ...figures,
    connections: pool.totalCount,
    idleConnections: pool.idleCount,
    waitingForConnection: pool.waitingCount,
    maximumConnections,
  }));
  try {
    await database.checkHealth();
    await requireOwnSession(connectionString, connectSeconds);
  } catch (error) {
    await database.close().catch(() => {});
    if (error instanceof StartRefused) throw error;
    // When both ::1 and 127.0.0.1 refuse, the messages are in `errors`.
    const { message, errors } = error as AggregateError;
    const words = [message, ...(errors ?? []).map((part: Error) => part.message)].filter(Boolean)[0];
    throw new StartRefused(`DATABASE_URL leads to no PostgreSQL that lets us in: ${words}.`, { cause: error });
  }
  // A server that no longer responds does not end statements or connections either.
  const tooLate = `the database does not respond: its connections have not ended in ${closeSeconds} s`;
  return { ...database, close: () => within(closeSeconds * 1_000, database.close(), tooLate) };
}

/**
 * Whether the database accepts writes. Known from refused writes, and tested only after one, since a test costs a
 * table.
 */
class WriteCapacity {
  #isRefused = false;

  constructor(private readonly log: Pick<Logger, "warn"> | undefined) {}

  note(error: unknown): void {
    if (this.#isRefused || !refusesToWrite(error)) return;
    this.#isRefused = true;
    this.log?.warn({ reason: (error as Error).message }, "the database stores nothing");
  }

  async check(kysely: Kysely<AnyTables>): Promise<void> {
    if (!this.#isRefused) return;
    await takeCapacity(kysely);
    this.#isRefused = false;
    this.log?.warn("the database stores again");
  }
}

/** Stores 100 kB, discarded at the end of the transaction. */
async function takeCapacity(kysely: Kysely<AnyTables>): Promise<void> {
  await kysely.transaction().execute(async (transaction) => {
    await sql`create temporary table room_to_write on commit drop as select generate_series(1, 3000) as number`.execute(
      transaction,
    );
  });
}

/** True for PostgreSQL's unique violation, on both engines. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const { code, constraint: violated } = error as { code?: string; constraint?: string };
  return code === "23505" && (constraint === undefined || violated === constraint);
}

/** A JSON value as a jsonb parameter, on both engines. */
export function json<Value>(value: Value) {
  return sql<Value>`cast(${JSON.stringify(value)} as jsonb)`;
}
