import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import { type Connect, requireValue } from "../../../kit/client/client.ts";
import type { CodeContext } from "../../../kit/code/code-kind.ts";
import type { IssueServiceToken } from "../../../kit/identity/identity.ts";

/** The members of an organization, by id and by user name. */
export interface KnownMembers {
  nameOf(id: string): string | undefined;
  idOf(username: string): string | undefined;
}

/** Reads members once for each call. */
export function createReadMembers(parts: {
  securityService: Connect<typeof securityServiceContract>;
  serviceToken: IssueServiceToken;
}): (context: CodeContext) => Promise<KnownMembers> {
  const known = new WeakMap<CodeContext, Promise<KnownMembers>>();

  async function read({ organizationId, requestId }: CodeContext): Promise<KnownMembers> {
    const client = parts.securityService({ token: await parts.serviceToken(organizationId), requestId });
    const names = new Map<string, string>();
    for (let cursor: string | undefined; ; ) {
      const page = requireValue(await client.listUsers({ query: { limit: 200, cursor } }), "members");
      for (const { id, username } of page.items) names.set(id, username);
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    const ids = new Map([...names].map(([id, username]) => [username, id]));
    return { nameOf: (id) => names.get(id), idOf: (username) => ids.get(username) };
  }

  return (context) => {
    const reading = known.get(context) ?? read(context);
    known.set(context, reading);
    return reading;
  };
}
