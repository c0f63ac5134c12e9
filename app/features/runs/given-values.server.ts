import type { Environment } from "#contracts/api-registry/environments.ts";
import type { SecretVariable } from "#contracts/api-registry/secret-variables.ts";
import { required } from "~/backend/responses";
import type { Viewer } from "~/session/guards";
import { findEnvironmentInUse } from "./environment-in-use.server";

/** The values of `{{name}}` in a request to an API: its variables, overridden by those of the environment in use. */
export interface GivenValues {
  variables: Record<string, string>;
  secretVariables: SecretVariable[];
  environment?: Pick<Environment, "name" | "variables" | "secretVariables">;
}

export async function findGivenValues(viewer: Viewer, apiId: string): Promise<GivenValues> {
  const { apiRegistry } = viewer.backend;
  const [{ variables, secretVariables }, inUse, environments] = await Promise.all([
    apiRegistry.getVariables({ params: { apiId } }).then(required),
    findEnvironmentInUse(viewer, apiId),
    apiRegistry.listEnvironments({ params: { apiId } }).then(required),
  ]);
  return { variables, secretVariables, environment: environments.items.find(({ name }) => name === inUse?.name) };
}

/** Names of the variables that a run starts with. */
export function listNames({ variables, secretVariables, environment }: GivenValues): Set<string> {
  const secrets = [...secretVariables, ...(environment?.secretVariables ?? [])];
  return new Set([...Object.keys({ ...variables, ...environment?.variables }), ...secrets.map(({ name }) => name)]);
}
