import type { Logger } from "pino";
import { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import { portalServiceContract } from "#contracts/portal-service/contract.ts";
import { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { createEgress } from "#libraries/egress/egress.ts";
import { connectTo } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import type { Consumer } from "../../kit/events/consumer.ts";
import { createQueue, type Queue } from "../../kit/queue/queue.ts";
import { collectEmails } from "../../kit/testing/emails.ts";
import { noLimits } from "../../kit/testing/plans.ts";

export const testPortalOrigin = "https://portal.example.com";

const plans = ["free", "team", "business"].map((id) => ({ id, name: id, description: `The plan ${id}` }));

const noItems = { transport: () => Response.json({ items: [] }) };

/**
 * The environment of security-service in a test: a queue, collected emails, portal-service's plans, and neither tests
 * nor APIs.
 */
export async function createSurroundings(database: Database, log: Logger, queue?: Queue) {
  const ownQueue = queue ?? (await createQueue({ database, log }));
  return {
    queue: ownQueue,
    delivery: collectEmails(),
    work: true,
    consumers: [] as Consumer[],
    portalOrigin: () => testPortalOrigin,
    humanCheckProvider: undefined,
    egress: createEgress({ policy: { allow: [], allowLoopback: true, ownTargets: [] } }),
    apiRegistry: connectTo(apiRegistryContract, noItems),
    testRegistry: connectTo(testRegistryContract, noItems),
    portalService: connectTo(portalServiceContract, {
      transport(request) {
        const { pathname } = new URL(request.url);
        if (pathname === "/api/v1/portal-services") return Response.json({ items: plans, nextCursor: null });
        return pathname === "/internal/v1/plan" ? Response.json(noLimits) : new Response(null, { status: 500 });
      },
    }),
  };
}
