import { movableClock } from "../../services/kit/clock/clock.ts";
import { openPostgresDatabase } from "../../services/kit/database/database.ts";
import { createTestDatabase } from "../../services/kit/testing/databases.ts";
import { type RunningSandbox, startSandbox } from "./paypal/running-sandbox.ts";

const webhookId = "WHOURS1";

/**
 * The sandbox in place of PayPal, with its own database, and the environment variables of a portal that uses it.
 * @param origin where the portal receives webhooks, once it is known
 */
export async function openPayPalSandbox(
  origin: () => string | undefined = () => undefined,
): Promise<RunningSandbox & { environment: Record<string, string> }> {
  const own = await createTestDatabase();
  const database = await openPostgresDatabase(own.url, { maximumConnections: 2 });
  const webhooks = () => {
    const listening = origin();
    return listening ? [{ id: webhookId, url: `${listening}/api/portal-service/api/v1/paypal/webhooks` }] : [];
  };
  const sandbox = await startSandbox(database, { clock: movableClock(new Date()), webhooks });
  return {
    ...sandbox,
    environment: {
      PAYPAL_CLIENT_ID: sandbox.clientId,
      PAYPAL_CLIENT_SECRET: sandbox.clientSecret,
      PAYPAL_WEBHOOK_ID: webhookId,
      PAYPAL_API_URL: sandbox.base,
    },
    async stop() {
      await sandbox.stop();
      await database.close();
      await own.drop();
    },
  };
}
