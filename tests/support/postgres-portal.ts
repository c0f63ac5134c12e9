import { createTestDatabase, type TestDatabase } from "../../services/kit/testing/databases.ts";
import { type PortalProcess, startPortalProcess } from "./portal-process.ts";

/** Lets invitations be made; their letters wait. */
export const mailToNowhere = { MAIL_URL: "smtp://127.0.0.1:1", MAIL_FROM: "portal@example.com" };

export interface PostgresPortal extends PortalProcess {
  database: TestDatabase;
}

/** A portal on a database that has its tables: a quarter of the start, for tests that the embedded one is nothing to. */
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
