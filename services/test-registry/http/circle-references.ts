import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import { maxApisPerRequest, type RunnableApi } from "#contracts/api-registry/runnable-apis.ts";
import { type FieldError, Problem } from "#contracts/kit/problem.ts";
import type { CircleMember } from "#contracts/test-registry/circle-members.ts";
import type { CircleInput } from "#contracts/test-registry/circles.ts";
import { canMake } from "#libraries/running/only-own/made.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import { lockTests } from "../store/circle-tests.ts";
import type { TestTransaction } from "../store/tables.ts";

interface Caller {
  organizationId: string;
  requestId: string;
}

type Located = { member: CircleMember; apiId: string };

/** Creates the functions that check the tests, APIs and environments a circle names. */
export function createCircleReferences(parts: {
  apiRegistry: Connect<typeof apiRegistryContract>;
  serviceToken: IssueServiceToken;
}) {
  /** With the service's own permission: users may be allowed to write tests without being allowed to read APIs. */
  async function findApis({ organizationId, requestId }: Caller, apiIds: string[]): Promise<Map<string, RunnableApi>> {
    const requested = [...new Set(apiIds)].map((apiId) => ({ organizationId, apiId }));
    const client = parts.apiRegistry({ token: await parts.serviceToken(organizationId), requestId });
    const found = new Map<string, RunnableApi>();
    for (let from = 0; from < requested.length; from += maxApisPerRequest) {
      const items = requested.slice(from, from + maxApisPerRequest);
      const response = await client.listRunnableApis({ body: { items } });
      if (!response.ok) throw new Problem(response.problem.code, response.problem.detail);
      for (const known of response.value.items) if (known) found.set(known.api.id, known);
    }
    return found;
  }

  return {
    findApis,

    /** @throws Problem invalid_input if a selection's API or a named environment does not exist */
    async requireApis(caller: Caller, { members, environments }: Pick<CircleInput, "members" | "environments">) {
      const selected = members.flatMap((member) => (member.kind === "selection" ? [member.apiId] : []));
      const apis = await findApis(caller, [...selected, ...Object.keys(environments)]);
      const errors: FieldError[] = [];
      members.forEach((member, index) => {
        if (member.kind !== "selection" || apis.has(member.apiId)) return;
        errors.push({ path: `members[${index}].apiId`, message: "No such API" });
      });
      for (const [apiId, name] of Object.entries(environments)) {
        const api = apis.get(apiId);
        if (!api || api.environments.some((environment) => environment.name === name)) continue;
        errors.push({ path: `environments.${apiId}`, message: "This API has no such environment" });
      }
      if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
    },

    /**
     * Members with their APIs; the tests they name are locked until the transaction ends.
     * @throws Problem invalid_input if a test does not exist, or could not make what it is said to make
     */
    async placeMembers(
      transaction: TestTransaction,
      organizationId: string,
      members: CircleMember[],
    ): Promise<Located[]> {
      const testIds = members.flatMap((member) => (member.kind === "test" ? [member.testId] : []));
      const tests = await lockTests(transaction, organizationId, testIds);
      const errors: FieldError[] = [];
      const membersWithApis = members.map((member, index) => {
        if (member.kind === "selection") return { member, apiId: member.apiId };
        const test = tests.get(member.testId);
        if (!test) errors.push({ path: `members[${index}].testId`, message: "No such test" });
        else if (member.effect === "makes" && !canMake(test.method)) {
          const message = `Only POST and PUT create something new; this test's method is ${test.method.toUpperCase()}`;
          errors.push({ path: `members[${index}].effect`, message });
        }
        return { member, apiId: test?.apiId ?? "" };
      });
      if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
      return membersWithApis;
    },

    /** Only for APIs that have a member. */
    keepEnvironments(environments: Record<string, string>, members: Located[]): Record<string, string> {
      const apiIds = new Set(members.map(({ apiId }) => apiId));
      return Object.fromEntries(Object.entries(environments).filter(([apiId]) => apiIds.has(apiId)));
    },
  };
}

export type CircleReferences = ReturnType<typeof createCircleReferences>;
