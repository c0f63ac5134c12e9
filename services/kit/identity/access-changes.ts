import type { accessChangesContract } from "#contracts/kit/access-changes.ts";
import { type Connect, requireValue } from "../client/client.ts";
import { noOrganization } from "../organization/no-organization.ts";
import type { ReadAccessChanges } from "./access-state.ts";
import type { IssueServiceToken } from "./identity.ts";

/** Reads the changes from security-service, wherever it runs. */
export function accessChangesFrom(
  connect: Connect<typeof accessChangesContract>,
  serviceToken: IssueServiceToken,
): ReadAccessChanges {
  return async (since) => {
    // The changes cover all organizations: the token acts for none.
    const token = await serviceToken(noOrganization);
    return requireValue(await connect({ token }).listAccessChanges({ query: { since } }), "changes of access");
  };
}
