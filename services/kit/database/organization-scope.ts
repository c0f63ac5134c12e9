import { AsyncLocalStorage } from "node:async_hooks";

/** Who statements are of while they are of one organization: a role that row-level security holds for. */
export const organizationRole = "portal_organization";
/** The organization, as the session knows it. */
export const organizationSetting = "portal.organization";

interface Scope {
  organizationId: string | undefined;
  isOver: boolean;
}

const scopes = new AsyncLocalStorage<Scope>();

/**
 * Whatever `work` asks PostgreSQL meanwhile sees and changes rows of this organization only (see `row-security.ts`), be
 * its conditions complete or not. A transaction that is open already stays what it was when it began.
 */
export async function withOrganization<Answer>(
  organizationId: string,
  work: () => Answer | Promise<Answer>,
): Promise<Answer> {
  // What `work` left behind to go on by itself (a timer, a connection for everybody) belongs to nobody in particular.
  const scope = { organizationId, isOver: false };
  try {
    return await scopes.run(scope, work);
  } finally {
    scope.isOver = true;
  }
}

/**
 * For what concerns several organizations, or is not known to be anybody's yet: rows are kept apart by conditions alone.
 * Every use is listed in tests/second-wall.test.ts. Not within a transaction of an organization: it would wait for
 * a connection while it holds one, and not see what was just written.
 */
export function acrossOrganizations<Answer>(work: () => Answer): Answer {
  return scopes.run({ organizationId: undefined, isOver: false }, work);
}

export function currentOrganization(): string | undefined {
  const scope = scopes.getStore();
  return scope?.isOver ? undefined : scope?.organizationId;
}
