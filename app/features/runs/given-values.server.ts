import { required } from "~/backend/responses";
import type { Viewer } from "~/session/guards";
import { findEnvironmentInUse } from "./environment-in-use.server";

/** The values of `{{name}}` in a request to an API: its variables, overridden by those of the environment in use. */
export interface GivenValues {
  variables: Record<string, string>;
  environment?: { name: string; variables: Record<string, string> };
}

export async function findGivenValues(viewer: Viewer, apiId: string): Promise<GivenValues> {
  const { apiRegistry } = viewer.backend;
  const [{ variables }, inUse, environments] = await Promise.all([
    apiRegistry.getVariables({ params: { apiId } }).then(required),
    findEnvironmentInUse(viewer, apiId),
    apiRegistry.listEnvironments({ params: { apiId } }).then(required),
  ]);
  return { variables, environment: environments.items.find(({ name }) => name === inUse?.name) };
}

export function mergeValues({ variables, environment }: GivenValues): Record<string, string> {
  return { ...variables, ...environment?.variables };
}
