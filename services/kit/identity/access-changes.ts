import type { accessChangesContract } from "#contracts/kit/access-changes.ts";
import { type Connect, requireAnswer } from "../client/client.ts";
import { noOrganization } from "../organization/no-organization.ts";
import type { IssueServiceToken } from "./identity.ts";
import type { ReadAccessChanges } from "./standings.ts";

/** The changes, asked from wherever security-service runs. */
export function accessChangesFrom(
  connect: Connect<typeof accessChangesContract>,
  serviceToken: IssueServiceToken,
): ReadAccessChanges {
  return async (since) => {
    // They are everybody's: the token acts for no organization.
    const token = await serviceToken(noOrganization);
    return requireAnswer(await connect({ token }).listAccessChanges({ query: { since } }), "changes of access");
  };
}
