import { Problem } from "#contracts/kit/problem.ts";
import { listUnknownLocations } from "../store/locations.ts";
import type { ExecutionDatabase } from "../store/tables.ts";

/** @throws Problem invalid_input: where a location was deleted, nothing runs elsewhere instead */
export type RequireLocations = (organizationId: string, ids: readonly string[]) => Promise<void>;

export function createRequireLocations(db: ExecutionDatabase): RequireLocations {
  return async (organizationId, ids) => {
    const unknown = await listUnknownLocations(db, organizationId, [...new Set(ids)]);
    if (unknown.size === 0) return;
    const message = "There is no such location. Choose another one for the environment, circle or run.";
    throw new Problem("invalid_input", message, { errors: [{ path: "locationId", message }] });
  };
}
