import type { Connect } from "../../kit/client/client.ts";
import { type IssueServiceToken, noOrganization } from "../../kit/identity/identity.ts";
import { Problem } from "../../kit/problem/problem.ts";
import type { CirclePhase } from "../../test-registry/contract/circle-members.ts";
import type { OpenedCircle } from "../../test-registry/contract/circles.ts";
import type { testRegistryContract } from "../../test-registry/contract/contract.ts";
import type { Test } from "../../test-registry/contract/tests.ts";
import { membersOf } from "../domain/members.ts";
import { askTogether } from "./asking-together.ts";
import { requireValue } from "./loading-tests.ts";
import type { ResolvedSource } from "./resolved-source.ts";

type OpenCircle = (asked: AskedCircle) => Promise<OpenedCircle>;

interface AskedCircle {
  organizationId: string;
  requestId: string;
  testCircleId: string;
}

export interface CircleParts {
  testRegistry: Connect<typeof testRegistryContract>;
  serviceToken: IssueServiceToken;
  openCircle: OpenCircle;
}

/** By the service's own right: nobody else may read what secret variables of circles hold. */
export function createOpenCircle({ testRegistry, serviceToken }: Omit<CircleParts, "openCircle">): OpenCircle {
  return askTogether(async (asked: AskedCircle[]) => {
    const client = testRegistry({ token: await serviceToken(noOrganization), requestId: asked[0]!.requestId });
    const items = asked.map(({ organizationId, testCircleId }) => ({ organizationId, testCircleId }));
    return await client.openCircles({ body: { items } });
  }, "test circle");
}

const testsAPage = 200;
/** Somebody who saves a circle while its tests are read makes them be read anew. */
const mostTries = 5;

type TestClient = ReturnType<Connect<typeof testRegistryContract>>;

interface CircleTests {
  version: number;
  items: { phase: CirclePhase; test: Test }[];
}

/** Undefined when the circle was changed from one page to the next. */
async function readTests(client: TestClient, testCircleId: string): Promise<CircleTests | undefined> {
  const items: CircleTests["items"] = [];
  let version: number | undefined;
  let cursor: string | undefined;
  do {
    const query = { limit: testsAPage, cursor };
    const page = requireValue(await client.listTestsOfCircle({ params: { testCircleId }, query }));
    if (version !== undefined && page.version !== version) return undefined;
    version = page.version;
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return { version, items };
}

/** A circle as it is to be run: its tests, order, environments and variables, all of one version. */
export async function resolveCircle(
  { testRegistry, serviceToken, openCircle }: CircleParts,
  { organizationId, requestId }: { organizationId: string; requestId: string },
  testCircleId: string,
): Promise<ResolvedSource> {
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const circle = await openCircle({ organizationId, requestId, testCircleId });
    const client = testRegistry({ token: await serviceToken(organizationId), requestId });
    const tests = circle.tests ? { ...circle, items: circle.tests } : await readTests(client, testCircleId);
    if (circle.version !== tests?.version) continue;
    return {
      source: { kind: "circle", testCircleId, testCircleName: circle.name },
      members: tests.items.flatMap(({ phase, test }) => membersOf(test, phase)),
      leftOut: circle.leftOut,
      settled: {
        order: circle.order,
        concurrency: circle.order === "parallel" ? circle.concurrency : null,
        stopOnFailure: circle.stopOnFailure,
        variables: Object.fromEntries(
          circle.variables.flatMap(({ name, value, secret }) => (secret ? [] : [[name, value]])),
        ),
        captures: circle.variables.flatMap(({ name, value, secret }) =>
          secret ? [{ name, value, isSecret: true }] : [],
        ),
        apis: Object.entries(circle.environments).map(([apiId, environment]) => ({
          apiId,
          environment,
          baseUrl: null,
        })),
      },
    };
  }
  throw new Problem("conflict", "Somebody is changing this circle. Start it again in a moment.");
}
