import { type CirclePlaces, listPlaces } from "#contracts/test-registry/circle-places.ts";
import type { OpenedCircle } from "#contracts/test-registry/circles.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { generateOnce } from "#libraries/running/generated-once.ts";
import type { OpenCapture } from "#libraries/running/test-to-run.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import { noOrganization } from "../../kit/organization/no-organization.ts";
import { emptyCookieJar } from "../domain/cookie-jar.ts";
import { toMembers } from "../domain/members.ts";
import { askTogether } from "./asking-together.ts";
import { loadNamedTests } from "./loading-tests.ts";
import type { ResolvedSource } from "./resolved-source.ts";

type OpenCircle = (requested: AskedCircle) => Promise<OpenedCircle>;

interface AskedCircle {
  organizationId: string;
  requestId: string;
  testCircleId: string;
}

export interface CircleParts {
  clock: Clock;
  testRegistry: Connect<typeof testRegistryContract>;
  serviceToken: IssueServiceToken;
  openCircle: OpenCircle;
}

/** With the service's own permission: no user may read the values of circles' secret variables. */
export function createOpenCircle({
  testRegistry,
  serviceToken,
}: Omit<CircleParts, "openCircle" | "clock">): OpenCircle {
  return askTogether(async (requested: AskedCircle[]) => {
    const client = testRegistry({ token: await serviceToken(noOrganization), requestId: requested[0]!.requestId });
    const items = requested.map(({ organizationId, testCircleId }) => ({ organizationId, testCircleId }));
    return await client.openCircles({ body: { items } });
  }, "test circle");
}

export interface CircleToResolve {
  testCircleId: string;
  /** If the starting call contains it. */
  carried?: OpenedCircle | undefined;
  /** Values of its generated variables, if they were generated elsewhere. */
  generated?: ReadonlyMap<string, string> | undefined;
}

/** A circle to run: its tests, order, environments and variables. Tests deleted meanwhile are omitted. */
export async function resolveCircle(
  { clock, testRegistry, serviceToken, openCircle }: CircleParts,
  { organizationId, requestId }: { organizationId: string; requestId: string },
  { testCircleId, carried, generated }: CircleToResolve,
): Promise<ResolvedSource & { maintenance: string | null }> {
  const circle = carried ?? (await openCircle({ organizationId, requestId, testCircleId }));
  const client = testRegistry({ token: await serviceToken(organizationId), requestId });
  const ids = circle.runs.map(({ testId }) => testId);
  const tests = circle.tests ? new Map(circle.tests.map((test) => [test.id, test])) : await loadNamedTests(client, ids);
  const { order, stopOnFailure, variables } = circle;
  const places = circle.places ? toPlaces(circle.places) : undefined;
  return {
    source: { kind: "circle", testCircleId, testCircleName: circle.name },
    members: circle.runs.flatMap(({ phase, testId, effect }) => {
      const test = tests.get(testId);
      return test ? toMembers(test, phase, effect) : [];
    }),
    leftOut: circle.leftOut,
    maintenance: circle.maintenance,
    settled: {
      order,
      concurrency: order === "parallel" ? circle.concurrency : null,
      stopOnFailure,
      onlyOwn: circle.onlyOwn,
      locationId: circle.locationId ?? undefined,
      places,
      variables: Object.fromEntries(variables.flatMap(({ name, value, secret }) => (secret ? [] : [[name, value]]))),
      secretReferences: Object.fromEntries(
        variables.flatMap(({ name, reference }) => (reference ? [[name, reference]] : [])),
      ),
      // Each place has its own generated values: what one of them made is not another's.
      captures: (places?.ids ?? [null]).map(() => [
        ...variables.flatMap((variable) => toCapture(variable, clock, generated) ?? []),
        ...(circle.cookies ? [emptyCookieJar] : []),
      ]),
      apis: Object.entries(circle.environments).map(([apiId, environment]) => ({ apiId, environment, baseUrl: null })),
    },
  };
}

/**
 * A variable that is known as a capture: a secret, which is sealed like one, and one whose value is generated once a run.
 * The text of the latter stays among the variables: what it generates is no change of the run's configuration.
 */
function toCapture(
  { name, value, secret, reference }: OpenedCircle["variables"][number],
  clock: Clock,
  given?: ReadonlyMap<string, string>,
): OpenCapture | undefined {
  if (reference) return undefined;
  const generated = generateOnce(value, clock);
  if (!secret && !generated) return undefined;
  const known = secret ? undefined : given?.get(name);
  return { name, value: known ?? generated?.value ?? value, isSecret: secret, isUnique: generated?.isUnique };
}

function toPlaces({ rule, minimum, ...chosen }: CirclePlaces) {
  return { rule, ...(minimum === undefined ? {} : { minimum }), ids: listPlaces(chosen) };
}
