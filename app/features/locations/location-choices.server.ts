import { available } from "~/backend/responses";
import type { Viewer } from "~/session/guards";

export interface LocationChoices {
  locations: readonly { id: string; name: string }[];
  /** Whether there are more. */
  hasMore: boolean;
}

const maxListed = 200;

/** Undefined if they can't be listed: a form then has no choice, and what was chosen stays. */
export async function findLocationChoices(viewer: Viewer): Promise<LocationChoices | undefined> {
  if (!viewer.may("tests:read")) return undefined;
  const page = available(await viewer.backend.testExecutioner.listLocations({ query: { limit: maxListed } }));
  if (!page) return undefined;
  return { locations: page.items.map(({ id, name }) => ({ id, name })), hasMore: page.nextCursor !== null };
}
