import { available, required } from "~/backend/answers";
import { findRunnable, type Runnable } from "~/features/runs/run-all.server";
import { newRunKey } from "~/features/runs/start-run.server";
import { findStandings, type Standing } from "~/features/verdict/find-standings.server";
import type { Viewer } from "~/session/guards";

/** What the header of an API tells. What nobody could say is undefined. */
export interface ApiContext extends Standing {
  api: { id: string; name: string; version: string; effectiveBaseUrl: string | null };
  circleCount: number | undefined;
  environments: { name: string; baseUrl: string }[];
  /** The one that runs and requests of this viewer go to; null: the API's own base URL. */
  chosen: { name: string; baseUrl: string } | null;
  /** Variables that it gives. */
  chosenVariables: string[];
  mayChange: boolean;
  /** Undefined where this viewer may start nothing. */
  runnable: Runnable | undefined;
  runKey: string;
  mayMakeTests: boolean;
}

/** Costs the same for every API. The API comes first, so that one that is not there is always refused in the same way. */
export async function findApiHeader(viewer: Viewer, apiId: string): Promise<ApiContext> {
  const { backend } = viewer;
  const { id, name, version, effectiveBaseUrl } = required(
    await backend.apiRegistry.summarizeApi({ params: { apiId } }),
  );
  const [standingOf, circles, environments, { environment: chosen }, runnable] = await Promise.all([
    findStandings(backend, [{ id }]),
    backend.testRegistry.listCircles({ query: { apiId, limit: 1 } }).then(available),
    backend.apiRegistry.listEnvironments({ params: { apiId } }).then(required),
    backend.apiRegistry.getChosenEnvironment({ params: { apiId } }).then(required),
    findRunnable(viewer, apiId),
  ]);
  return {
    api: { id, name, version, effectiveBaseUrl },
    ...standingOf({ id }),
    circleCount: circles?.total,
    environments: environments.items.map(({ name, baseUrl }) => ({ name, baseUrl })),
    chosen,
    chosenVariables: Object.keys(environments.items.find(({ name }) => name === chosen?.name)?.variables ?? {}),
    mayChange: viewer.may("apis:write"),
    runnable,
    runKey: newRunKey(),
    mayMakeTests: viewer.may("tests:write"),
  };
}
