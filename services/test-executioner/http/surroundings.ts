import type { RunnableApi } from "#contracts/api-registry/runnable-apis.ts";
import { Problem } from "#contracts/kit/problem.ts";
import type { ApiSurroundings } from "../store/surroundings.ts";

/**
 * The base URLs and variables of an API's requests, from the API, the chosen environment and an override.
 * @param path of the environment's name in the call, for the problem
 */
export function resolveSurroundings(
  { api, environments, variables, secretVariables = [], hasOwnServers, hasSecuritySchemes }: RunnableApi,
  choice: { baseUrl?: string; environment?: string },
  path: string,
): ApiSurroundings {
  const environment = environments.find(({ name }) => name === choice.environment);
  if (choice.environment !== undefined && !environment) {
    throw new Problem("invalid_input", undefined, {
      errors: [{ path, message: "This API has no such environment" }],
    });
  }
  const listNames = (secrets: RunnableApi["secretVariables"] = []) => secrets.map(({ name }) => name);
  const plain = environment?.variables ?? {};
  // An environment's own precede those that all share, whether secret or not.
  const secret = new Set([
    ...listNames(secretVariables).filter((name) => !Object.hasOwn(plain, name)),
    ...listNames(environment?.secretVariables),
  ]);
  const open = Object.entries({ ...variables, ...plain }).filter(([name]) => !secret.has(name));
  return {
    apiId: api.id,
    apiName: api.name,
    documentId: api.documentId,
    ...(hasSecuritySchemes ? { mayRequireAuthentication: true as const } : {}),
    environment: environment?.name ?? null,
    baseUrls: [choice.baseUrl ?? null, environment?.baseUrl ?? null, api.effectiveBaseUrl],
    hasOwnServers,
    variables: Object.fromEntries(open),
    ...(secret.size > 0 ? { secretVariables: [...secret].sort() } : {}),
    ...(environment?.locationId ? { locationId: environment.locationId } : {}),
  };
}
