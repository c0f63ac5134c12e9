import type { RunnableApi } from "#contracts/api-registry/runnable-apis.ts";
import { Problem } from "#contracts/kit/problem.ts";
import type { ApiSurroundings } from "../store/surroundings.ts";

/**
 * The base URLs and variables of an API's requests, from the API, the chosen environment and an override.
 * @param path of the environment's name in the call, for the problem
 */
export function resolveSurroundings(
  { api, environments, variables, hasOwnServers, hasSecuritySchemes }: RunnableApi,
  choice: { baseUrl?: string; environment?: string },
  path: string,
): ApiSurroundings {
  const environment = environments.find(({ name }) => name === choice.environment);
  if (choice.environment !== undefined && !environment) {
    throw new Problem("invalid_input", undefined, {
      errors: [{ path, message: "This API has no such environment" }],
    });
  }
  return {
    apiId: api.id,
    apiName: api.name,
    documentId: api.documentId,
    ...(hasSecuritySchemes ? { mayRequireAuthentication: true as const } : {}),
    environment: environment?.name ?? null,
    baseUrls: [choice.baseUrl ?? null, environment?.baseUrl ?? null, api.effectiveBaseUrl],
    hasOwnServers,
    variables: { ...variables, ...environment?.variables },
    ...(environment?.locationId ? { locationId: environment.locationId } : {}),
  };
}
