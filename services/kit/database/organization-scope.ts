import { AsyncLocalStorage } from "node:async_hooks";

/** Database role of statements on behalf of one organization, subject to row-level security. */
export const organizationRole = "portal_organization";
/** Session setting with the organization. */
export const organizationSetting = "portal.organization";

interface Scope {
  organizationId: string | undefined;
  isOver: boolean;
}

const scopes = new AsyncLocalStorage<Scope>();

/**
 * Statements within `work` see and change rows of this organization only (see `row-security.ts`), whether or not their
 * conditions are complete. An already open transaction keeps its scope.
 */
export async function withOrganization<Result>(
  organizationId: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  // Work that outlives `work` (a timer, a shared connection) belongs to no particular organization.
  const scope = { organizationId, isOver: false };
  try {
    return await scopes.run(scope, work);
  } finally {
    scope.isOver = true;
  }
}

/**
 * For work that concerns several organizations, or none that is known yet: rows are separated by conditions only.
 * Every use is listed in tests/second-wall.test.ts. Not within a transaction of an organization: it would wait for a
 * connection while using one, and not see the transaction's own writes.
 */
export function acrossOrganizations<Result>(work: () => Result): Result {
  return scopes.run({ organizationId: undefined, isOver: false }, work);
}

export function currentOrganization(): string | undefined {
  const scope = scopes.getStore();
  return scope?.isOver ? undefined : scope?.organizationId;
}
