import { available, required } from "~/backend/responses";
import { findLocationChoices, type LocationChoices } from "~/features/locations/location-choices.server";
import { findRunnable, type Runnable } from "~/features/runs/run-all.server";
import { newRunKey } from "~/features/runs/start-run.server";
import { type ApiCounts, findApiCounts } from "~/features/verdict/find-api-counts.server";
import type { Viewer } from "~/session/guards";

/** The content of an API's header. Unknown values are undefined. */
export interface ApiContext extends ApiCounts {
  api: { id: string; name: string; version: string; effectiveBaseUrl: string | null };
  circleCount: number | undefined;
  environments: { name: string; baseUrl: string }[];
  /** The environment of this viewer's runs and requests; null: the API's own base URL. */
  chosen: { name: string; baseUrl: string } | null;
  mayChange: boolean;
  /** Undefined for a viewer who may not start runs. */
  runnable: Runnable | undefined;
  /** That a run can be sent from; undefined where none can be started. */
  locations: LocationChoices | undefined;
  runKey: string;
  mayMakeTests: boolean;
  now: string;
}

/** Costs the same for every API. The API is loaded first, so that a missing one is always refused in the same way. */
export async function findApiHeader(viewer: Viewer, apiId: string): Promise<ApiContext> {
  const { backend } = viewer;
  const { id, name, version, effectiveBaseUrl } = required(
    await backend.apiRegistry.summarizeApi({ params: { apiId } }),
  );
  const [getCounts, circles, environments, { environment: chosen }, runnable, locations] = await Promise.all([
    findApiCounts(backend, [{ id }]),
    backend.testRegistry.listCircles({ query: { apiId, limit: 1 } }).then(available),
    backend.apiRegistry.listEnvironments({ params: { apiId } }).then(required),
    backend.apiRegistry.getChosenEnvironment({ params: { apiId } }).then(required),
    findRunnable(viewer, apiId),
    viewer.may("tests:run") ? findLocationChoices(viewer) : undefined,
  ]);
  return {
    api: { id, name, version, effectiveBaseUrl },
    ...getCounts({ id }),
    circleCount: circles?.total,
    environments: environments.items.map(({ name, baseUrl }) => ({ name, baseUrl })),
    chosen,
    mayChange: viewer.may("apis:write"),
    ...{ runnable, locations },
    runKey: newRunKey(),
    mayMakeTests: viewer.may("tests:write"),
    now: new Date().toISOString(),
  };
}
