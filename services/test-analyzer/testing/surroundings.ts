import type { Logger } from "pino";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { createEgress } from "#libraries/egress/egress.ts";
import { createJudging } from "#libraries/judging/judging.ts";
import { connectTo } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { createQueue, type Queue } from "../../kit/queue/queue.ts";
import { collectEmails } from "../../kit/testing/emails.ts";

export const testPortalOrigin = "https://portal.example.com";

const noRules = { isVerified: true, ruledBy: null, unsafeMethods: "allowed", authorizationConfigs: [] };

/** Dependencies of test-analyzer in a test: a queue, stored emails, targets on loopback, no members, no credentials. */
export async function createSurroundings(database: Database, log: Logger, queue?: Queue) {
  /** Ids of the existing circles. */
  const circles = new Set<string>();
  return {
    queue: queue ?? (await createQueue({ database, log })),
    delivery: collectEmails(),
    judging: createJudging(),
    egress: createEgress({ policy: { allow: [], allowLoopback: true, ownTargets: [] } }),
    securityService: connectTo(securityServiceContract, {
      transport: ({ url }) => Response.json(url.endsWith("/hosts/rules") ? noRules : { items: [], nextCursor: null }),
    }),
    circles,
    testRegistry: connectTo(testRegistryContract, {
      transport: ({ url }) => {
        const testCircleId = new URL(url).pathname.split("/").at(-1)!;
        if (circles.has(testCircleId))
          return Response.json({ id: testCircleId, name: "Nightly", apiIds: [], members: [] });
        return Response.json({ code: "not_found", detail: "No such circle.", status: 404 }, { status: 404 });
      },
    }),
    secretsKey: "a key for tests",
    portalOrigin: () => testPortalOrigin,
    work: true,
  };
}
