import type { Api } from "../../api-registry/contract/apis.ts";
import { Problem } from "../../kit/problem/problem.ts";
import type { RunFacts } from "../store/runs.ts";

export interface Overrides {
  baseUrl?: string;
  environment?: string;
  variables?: Record<string, string>;
}

/** Where requests go and what their variables are, from the API, the chosen environment and what the call says itself. */
export function resolveFacts(api: Api, overrides: Overrides): RunFacts {
  const environment = api.environments.find(({ name }) => name === overrides.environment);
  if (overrides.environment !== undefined && !environment) {
    throw new Problem("invalid_input", undefined, {
      errors: [{ path: "environment", message: "This API has no such environment" }],
    });
  }
  return {
    baseUrls: [overrides.baseUrl ?? null, environment?.baseUrl ?? null, api.effectiveBaseUrl],
    variables: { ...environment?.variables, ...overrides.variables },
    documentId: api.document.id,
  };
}
