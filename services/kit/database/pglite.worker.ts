import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite, types } from "@electric-sql/pglite";

/**
 * PGlite runs in its own thread: a long statement would otherwise hold up every page the process serves.
 * Protocol: `{ id, sql, parameters }` or `{ id, listen }` in, `{ id, rows, affectedRows }` or `{ id, error }` out,
 * strictly in order; between them `{ channel, payload }` of what is told on a channel listened to.
 */
export type StatementMessage = { id: number } & ({ sql: string; parameters: unknown[] } | { listen: string });

export interface Notification {
  channel: string;
  payload: string;
}

export interface StatementAnswer {
  id: number;
  rows?: unknown[];
  affectedRows?: number;
  error?: { message: string; code?: string; detail?: string; constraint?: string; table?: string };
}

const { dataDirectory } = workerData as { dataDirectory: string | undefined };
const port = parentPort!;

function openDatabase(): Promise<PGlite> {
  return PGlite.create(dataDirectory ?? "memory://", {
    // Counts and versions are numbers in this product; none comes near 2^53.
    parsers: { [types.INT8]: (text) => Number(text), [types.NUMERIC]: (text) => Number(text) },
  });
}

/**
 * A process killed while the folder is first written leaves one that does not open again (measured: between PG_VERSION
 * and pg_control). The mark beside it says that nothing was ever stored in it, so that it can be made anew; a folder
 * without the mark is never removed.
 */
async function createDatabase(directory: string): Promise<PGlite> {
  const mark = `${directory}.unfinished`;
  if (existsSync(mark)) rmSync(directory, { recursive: true, force: true });
  if (!existsSync(directory)) {
    mkdirSync(dirname(mark), { recursive: true, mode: 0o700 });
    writeFileSync(mark, "");
  }
  const opened = await openDatabase();
  rmSync(mark, { force: true });
  return opened;
}

const database = dataDirectory ? await createDatabase(dataDirectory) : await openDatabase();

// Everything is in memory: with the default of 4, meant for disks, a table of thousands of rows is read through for
// the hundred rows that one batch names.
await database.exec("set random_page_cost = 1.1");

async function run({ id, ...message }: StatementMessage): Promise<StatementAnswer> {
  try {
    if ("listen" in message) {
      const channel = message.listen;
      await database.listen(channel, (payload) => port.postMessage({ channel, payload } satisfies Notification));
      return { id };
    }
    const { sql, parameters } = message;
    if (parameters.length === 0) {
      const results = await database.exec(sql);
      const last = results.at(-1);
      return { id, rows: last?.rows ?? [], affectedRows: last?.affectedRows };
    }
    const result = await database.query(sql, parameters);
    return { id, rows: result.rows, affectedRows: result.affectedRows };
  } catch (error) {
    const { message, code, detail, constraint, table } = error as Error & Record<string, string | undefined>;
    return { id, error: { message, code, detail, constraint, table } };
  }
}

let previous: Promise<unknown> = Promise.resolve();
port.on("message", (message: StatementMessage | "close") => {
  previous = previous.then(async () => {
    if (message === "close") {
      await database.close();
      port.postMessage("closed");
      port.close();
      return;
    }
    port.postMessage(await run(message));
  });
});
port.postMessage("ready");
