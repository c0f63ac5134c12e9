import type { Logger } from "pino";
import { connectTo } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { createEgress } from "../../kit/egress/egress.ts";
import type { Consumer } from "../../kit/events/consumer.ts";
import { createQueue, type Queue } from "../../kit/queue/queue.ts";
import { collectLetters } from "../../kit/testing/letters.ts";
import { portalServiceContract } from "../../portal-service/contract/contract.ts";

export const testPortalOrigin = "https://portal.example.com";

const plans = ["free", "team", "business"].map((id) => ({ id, name: id, description: `The plan ${id}` }));

/** What security-service finds around it in a test: a queue, letters that are kept, and portal-service's plans. */
export async function createSurroundings(database: Database, log: Logger, queue?: Queue) {
  const ownQueue = queue ?? (await createQueue({ database, log }));
  return {
    queue: ownQueue,
    delivery: collectLetters(),
    work: true,
    consumers: [] as Consumer[],
    portalOrigin: () => testPortalOrigin,
    humanCheckProvider: undefined,
    egress: createEgress({ policy: { allow: [], allowLoopback: true, ownTargets: [] } }),
    portalService: connectTo(portalServiceContract, {
      transport: (request) =>
        new URL(request.url).pathname === "/api/v1/portal-services"
          ? Response.json({ items: plans, nextCursor: null })
          : new Response(null, { status: 500 }),
    }),
  };
}
