import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import { requireValue } from "./loading-tests.ts";

interface Call {
  caller: { organizationId: string };
  requestId: string;
}

export interface RequireOwners {
  /** @throws Problem not_found unless the test exists */
  requireTest(call: Call, testId: string): Promise<Test>;
  /** @throws Problem not_found unless the circle exists */
  requireCircle(call: Call, testCircleId: string): Promise<void>;
}

/** For lists without items: those of a test that never ran are empty, those of an unknown one do not exist. */
export function createRequireOwners(parts: {
  testRegistry: Connect<typeof testRegistryContract>;
  serviceToken: IssueServiceToken;
}): RequireOwners {
  const connect = async ({ caller, requestId }: Call) =>
    parts.testRegistry({ token: await parts.serviceToken(caller.organizationId), requestId });
  return {
    async requireTest(call, testId) {
      return requireValue(await (await connect(call)).getTest({ params: { testId } }));
    },
    async requireCircle(call, testCircleId) {
      requireValue(await (await connect(call)).getCircle({ params: { testCircleId } }));
    },
  };
}
