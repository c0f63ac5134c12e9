import { required } from "~/backend/answers";
import type { Viewer } from "~/session/guards";

/**
 * The environment that the header of an API shows; undefined where none is chosen. Whoever can't know it sends nothing: it
 * could reach a server that nobody meant.
 */
export async function findEnvironmentInUse({ backend }: Viewer, apiId: string) {
  const answer = await backend.apiRegistry.getChosenEnvironment({ params: { apiId } });
  return required(answer).environment ?? undefined;
}
