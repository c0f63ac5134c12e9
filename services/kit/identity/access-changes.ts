import type { accessChangesContract } from "#contracts/kit/access-changes.ts";
import { type Connect, requireAnswer } from "../client/client.ts";
import { noOrganization } from "../organization/no-organization.ts";
import type { IssueServiceToken } from "./identity.ts";
import type { ReadAccessChanges } from "./standings.ts";

/** Reads the changes from security-service, wherever it runs. */
export function accessChangesFrom(
  connect: Connect<typeof accessChangesContract>,
  serviceToken: IssueServiceToken,
): ReadAccessChanges {
  return async (since) => {
    // The changes cover all organizations: the token acts for none.
    const token = await serviceToken(noOrganization);
    return requireAnswer(await connect({ token }).listAccessChanges({ query: { since } }), "changes of access");
  };
}
