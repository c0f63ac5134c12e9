import type { Viewer } from "~/session/guards";
import type { Runnable } from "./lines";

/**
 * Something of the viewer's that a pipeline can run: a circle, of one API if asked for, or that API; undefined if there
 * is nothing yet, or it can't be read now.
 */
export async function findRunnable({ backend, may }: Viewer, apiId: string | undefined): Promise<Runnable | undefined> {
  if (may("tests:read")) {
    const circles = await backend.testRegistry.listCircles({ query: { limit: 1, apiId } });
    const [circle] = circles.ok ? circles.value.items : [];
    if (circle) return { kind: "circle", name: circle.name };
  }
  if (!may("apis:read")) return undefined;
  if (apiId) {
    const api = await backend.apiRegistry.getApi({ params: { apiId } });
    return api.ok ? { kind: "api", name: api.value.name } : undefined;
  }
  const apis = await backend.apiRegistry.listApis({ query: { limit: 1 } });
  const [api] = apis.ok ? apis.value.items : [];
  return api && { kind: "api", name: api.name };
}
