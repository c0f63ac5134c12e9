import type { SecurityScheme } from "#contracts/api-registry/documents.ts";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { type Alternatives, toAlternatives } from "#libraries/openapi/unanswered-schemes.ts";
import { available } from "~/backend/responses";
import { findEnvironmentInUse } from "~/features/runs/environment-in-use.server";
import type { Viewer } from "~/session/guards";
import { type AuthenticationNeed, toNeed, type UnansweredNeed } from "./authentication-need";
import { findAnswer, findHostCredentials, toHost } from "./host-credentials.server";

/**
 * What an API's operations ask for and no credential of its host answers, or the question whether the host's
 * credentials are sent though the document asks for none.
 * @param baseUrl where requests go; without it, that of the environment in use
 */
export async function findNeed(
  viewer: Viewer,
  apiId: string,
  baseUrl?: string | null,
): Promise<AuthenticationNeed | undefined> {
  if (!viewer.may("apis:read")) return undefined;
  const { apiRegistry } = viewer.backend;
  const [authentication, host] = await Promise.all([
    apiRegistry.getAuthentication({ params: { apiId } }).then(available),
    baseUrl === undefined ? findHostInUse(viewer, apiId) : toHost(baseUrl),
  ]);
  if (!authentication || !host) return undefined;
  const { securitySchemes, requirements, sendsHostCredentials } = authentication;
  if (securitySchemes.length > 0) return await findUnanswered(viewer, host, requirements, securitySchemes);
  if (sendsHostCredentials !== null) return undefined;
  const stored = await findHostCredentials(viewer, host);
  if (!stored || stored.credentials.length === 0) return undefined;
  return { kind: "question", host, credentialNames: stored.credentials.map(({ name }) => name) };
}

/** The same for one operation of a document, without the question. */
export async function findNeedOfOperation(
  viewer: Viewer,
  { operation, securitySchemes }: Pick<OperationWithComponents, "operation" | "securitySchemes">,
  baseUrl: string | null,
): Promise<UnansweredNeed | undefined> {
  const host = toHost(baseUrl);
  return host ? await findUnanswered(viewer, host, [toAlternatives(operation.security)], securitySchemes) : undefined;
}

/** The same for what a document asks for, before it is registered. */
export async function findUnanswered(
  viewer: Viewer,
  host: string,
  requirements: readonly Alternatives[],
  securitySchemes: readonly SecurityScheme[],
): Promise<UnansweredNeed | undefined> {
  if (!toNeed(requirements, securitySchemes, { host, isAnswered: () => false })) return undefined;
  const stored = await findHostCredentials(viewer, host);
  if (!stored) return undefined;
  const isAnswered = (scheme: SecurityScheme) => findAnswer(stored, scheme) !== undefined;
  return toNeed(requirements, securitySchemes, { host, isAnswered });
}

async function findHostInUse(viewer: Viewer, apiId: string): Promise<string | undefined> {
  const [api, chosen] = await Promise.all([
    viewer.backend.apiRegistry.summarizeApi({ params: { apiId } }).then(available),
    findEnvironmentInUse(viewer, apiId),
  ]);
  return toHost(chosen?.baseUrl ?? api?.effectiveBaseUrl);
}
