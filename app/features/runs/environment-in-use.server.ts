import { required } from "~/backend/responses";
import type { Viewer } from "~/session/guards";

/**
 * The environment in the header of an API; undefined if none is chosen. When it is unknown nothing may be sent, since
 * the request could reach the wrong server.
 */
export async function findEnvironmentInUse({ backend }: Viewer, apiId: string) {
  const result = await backend.apiRegistry.getChosenEnvironment({ params: { apiId } });
  return required(result).environment ?? undefined;
}
