import type { CredentialReference } from "#contracts/code/references.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import { type Connect, requireValue } from "../../../kit/client/client.ts";
import type { CodeContext } from "../../../kit/code/code-kind.ts";
import type { IssueServiceToken } from "../../../kit/identity/identity.ts";

/** The credentials of an organization, by id and by name and domain. */
export interface KnownCredentials {
  toReference(id: string): CredentialReference;
  idOf(reference: CredentialReference): string | undefined;
}

const keyOf = ({ name, domain }: CredentialReference) => JSON.stringify([name, domain]);

/** Reads credentials once for each call; without their secrets, which nothing returns. */
export function createReadCredentials(parts: {
  securityService: Connect<typeof securityServiceContract>;
  serviceToken: IssueServiceToken;
}): (context: CodeContext) => Promise<KnownCredentials> {
  const known = new WeakMap<CodeContext, Promise<KnownCredentials>>();

  async function read({ organizationId, requestId }: CodeContext): Promise<KnownCredentials> {
    const client = parts.securityService({ token: await parts.serviceToken(organizationId), requestId });
    const byId = new Map<string, CredentialReference>();
    const byKey = new Map<string, string>();
    for (let cursor: string | undefined; ; ) {
      const page = requireValue(await client.listCredentials({ query: { limit: 200, cursor } }), "credentials");
      for (const { id, name, domain } of page.items) {
        byId.set(id, { name, domain });
        byKey.set(keyOf({ name, domain }), id);
      }
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    return {
      // One that was deleted is still named by its test, which ends errored: the file says so, too.
      toReference: (id) => byId.get(id) ?? { name: id, domain: "deleted" },
      idOf: (reference) => byKey.get(keyOf(reference)),
    };
  }

  return (context) => {
    const reading = known.get(context) ?? read(context);
    known.set(context, reading);
    return reading;
  };
}
