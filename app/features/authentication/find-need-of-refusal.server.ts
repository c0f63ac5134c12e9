import type { Attempt, Cause } from "#contracts/test-executioner/attempts.ts";
import { available } from "~/backend/responses";
import type { Viewer } from "~/session/guards";
import type { AuthenticationNeed } from "./authentication-need";
import { findNeed, findNeedOfOperation } from "./find-need.server";

/** Whether a server refused the request for want of authentication, or the request was not sent for want of it. */
export function isRefusal({ statusCode, cause }: { statusCode: number | null; cause?: Cause }): boolean {
  return statusCode === 401 || statusCode === 403 || cause?.code === "no_credential";
}

export interface Refused {
  apiId: string;
  /** The environment of the run; null for none. */
  environment?: string | null;
  /** Of an execution: the operation, and where its request went. */
  method?: string;
  path?: string;
  attempts?: Attempt[];
}

/** The credential whose absence may be the reason of a refusal; undefined if everything asked for is stored. */
export async function findNeedOfRefusal(viewer: Viewer, refused: Refused): Promise<AuthenticationNeed | undefined> {
  const { apiId, environment, method, path, attempts } = refused;
  if (!viewer.may("apis:read")) return undefined;
  const sentTo = attempts?.at(-1)?.request?.url;
  const baseUrl = sentTo ?? (await findBaseUrl(viewer, apiId, environment));
  if (method && path) {
    const body = { operations: [{ method, path }] };
    const found = await viewer.backend.apiRegistry.findOperations({ params: { apiId }, body }).then(available);
    const [described] = found?.items ?? [];
    if (described && described.operation.security.length > 0) {
      return await findNeedOfOperation(viewer, described, baseUrl);
    }
  }
  return await findNeed(viewer, apiId, baseUrl);
}

async function findBaseUrl({ backend }: Viewer, apiId: string, environment?: string | null): Promise<string | null> {
  const params = { apiId };
  const [api, environments] = await Promise.all([
    backend.apiRegistry.summarizeApi({ params }).then(available),
    environment ? backend.apiRegistry.listEnvironments({ params }).then(available) : undefined,
  ]);
  const chosen = environments?.items.find(({ name }) => name === environment);
  return chosen?.baseUrl ?? api?.effectiveBaseUrl ?? null;
}
