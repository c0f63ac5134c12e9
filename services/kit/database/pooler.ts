import pg from "pg";
import { StartRefused } from "../service/start-refused.ts";

/** With other users of the pooler, one try may hold another's connection to the server. */
const maxTries = 5;

/**
 * Refuses a pooler that gives a session's next statement to another connection, as PgBouncer does in transaction mode:
 * a session's role and settings (the organization of its statements), what it listens to and its prepared statements
 * would reach other callers. A direct connection costs one statement, a pooler two sessions.
 * @throws StartRefused with the reason
 */
export async function requireOwnSession(connectionString: string, connectSeconds: number): Promise<void> {
  const connect = async () => {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: connectSeconds * 1_000 });
    client.on("error", () => {});
    await client.connect();
    return client;
  };
  const client = await connect();
  try {
    if ((await getBackend(client)) === getAnnouncedBackend(client)) return;
    const other = await connect();
    try {
      for (let tries = 0; tries < maxTries; tries += 1) {
        const before = await getBackend(client);
        // It occupies the connection to the server that is idle now.
        await other.query("begin");
        await getBackend(other);
        const after = await getBackend(client);
        await other.query("rollback");
        if (before !== after) throw new StartRefused(reason);
      }
    } finally {
      await other.end();
    }
  } finally {
    await client.end();
  }
}

const reason =
  "DATABASE_URL leads to a pooler that shares connections between transactions, such as PgBouncer with pool_mode=transaction. The rows of one organization would be visible to another. Set its pool_mode to session, or connect to PostgreSQL directly.";

async function getBackend(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]!.pid;
}

/** A pooler announces a process of its own invention. */
const getAnnouncedBackend = (client: pg.Client) => (client as unknown as { processID: number | null }).processID;
