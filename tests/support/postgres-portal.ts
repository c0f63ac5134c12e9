import { createTestDatabase, type TestDatabase } from "../../services/kit/testing/databases.ts";
import { type PortalProcess, startPortalProcess } from "./portal-process.ts";

/** Enables invitations; their emails stay queued. */
export const mailToNowhere = { MAIL_URL: "smtp://127.0.0.1:1", MAIL_FROM: "portal@example.com" };

export interface PostgresPortal extends PortalProcess {
  database: TestDatabase;
}

/** A portal on a database with all tables: a quarter of the start time, for tests that don't need the embedded one. */
export async function startPostgresPortal(environment: Record<string, string> = {}): Promise<PostgresPortal> {
  const database = await createTestDatabase();
  const portal = await startPortalProcess({
    environment: {
      DATABASE_URL: database.url,
      SECRETS_KEY: "one key for the portal of this test",
      EGRESS_ALLOW: "loopback",
      // A test may have one of its services elsewhere.
      INTERNAL_PORT: "0",
      ...environment,
    },
  });
  return {
    ...portal,
    database,
    async stop() {
      const code = await portal.stop();
      await database.drop();
      return code;
    },
  };
}
