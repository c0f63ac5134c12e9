import { type RunningSandbox, startSandbox } from "../../../sandbox/paypal/testing/running-sandbox.ts";
import { movableClock } from "../../kit/clock/clock.ts";
import type { Database } from "../../kit/database/database.ts";
import { createEgress, parseEgressAllow } from "../../kit/egress/egress.ts";
import { createPayPal } from "../payment/paypal/paypal.ts";
import { createPortalWorld } from "./world.ts";

const webhookId = "WHOURS1";
export const portalOrigin = "https://portal.example";

/** portal-service that sells, with the real adapter and the sandbox it talks to over HTTP; one clock for both. */
export async function createSellingWorld(database: Database) {
  const clock = movableClock(new Date());
  let deliver = async (_headers: Record<string, string>, _body: string): Promise<number> => 503;
  const sandbox: RunningSandbox = await startSandbox(database, {
    clock,
    webhooks: () => [{ id: webhookId, url: "" }],
    post: (_url, headers, body) => deliver(headers, body),
  });
  const egress = createEgress({
    policy: { allow: parseEgressAllow(`127.0.0.1:${sandbox.port}`), allowLoopback: false, ownTargets: [] },
  });
  const provider = createPayPal({
    apiUrl: sandbox.base,
    clientId: sandbox.clientId,
    clientSecret: sandbox.clientSecret,
    webhookId,
    egress,
    clock,
    pause: async () => {},
  });
  const world = await createPortalWorld(database, { clock, provider, portalOrigin: () => portalOrigin });
  /** What PayPal tells, as it comes in. */
  async function tell(headers: Record<string, string>, body: string): Promise<number> {
    const request = new Request("http://service.internal/api/v1/paypal/webhooks", { method: "POST", headers, body });
    return (await world.fetch(request)).status;
  }
  deliver = tell;

  return {
    ...world,
    clock,
    sandbox,
    provider,
    tell,
    /** Whether webhooks arrive. */
    listens(to: boolean) {
      deliver = to ? tell : async () => 503;
    },
    /** What would be delivered, kept instead. */
    collect(): { headers: Record<string, string>; body: string }[] {
      const collected: { headers: Record<string, string>; body: string }[] = [];
      deliver = async (headers, body) => {
        collected.push({ headers, body });
        return 200;
      };
      return collected;
    },
    async stop() {
      await world.stop();
      await sandbox.stop();
      await egress.close();
    },
  };
}

export type SellingWorld = Awaited<ReturnType<typeof createSellingWorld>>;
