import { createTestDatabase } from "../../services/kit/testing/databases.ts";
import { type PortalProcess, startPortalProcess } from "./portal-process.ts";

/** A portal of other settings than the shared one, on a database that is quicker to start than the embedded one. */
export async function startPortalOnPostgres(environment: Record<string, string>): Promise<PortalProcess> {
  const database = await createTestDatabase();
  const portal = await startPortalProcess({
    environment: { DATABASE_URL: database.url, SECRETS_KEY: "one key for all tests in the browser", ...environment },
  });
  return {
    ...portal,
    async stop() {
      const code = await portal.stop();
      await database.drop();
      return code;
    },
  };
}
