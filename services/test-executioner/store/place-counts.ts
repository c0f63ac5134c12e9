import type { ExecutionCount } from "#contracts/test-executioner/counts.ts";
import type { Executor } from "../../kit/database/database.ts";
import { toPlaceSubject } from "../domain/places/place-subjects.ts";
import { countStepsOf } from "./count-reads.ts";
import type { CountedSteps } from "./counted-steps.ts";
import type { ExecutionTables } from "./tables.ts";

/** Of an organization, by name; more than anybody has. */
const maxLocations = 500;

/** What the portal is called among places. */
export const portalPlaceName = "This portal";

export interface PlaceCount {
  locationId: string | null;
  name: string;
  steps: ExecutionCount[];
  total: ExecutionCount;
}

/**
 * Results of a test or circle from each of several places, those with executions: one look into an index for each
 * location of the organization, and a row for each hour or day.
 */
export async function countPlaces(
  db: Executor<ExecutionTables>,
  { organizationId, subjectId, ...steps }: Omit<CountedSteps, "subjectIds"> & { subjectId: string },
): Promise<PlaceCount[]> {
  const locations = await db
    .selectFrom("locations")
    .select(["id", "name"])
    .where("organization_id", "=", organizationId)
    .orderBy("name")
    .limit(maxLocations)
    .execute();
  // Without a location there is nothing that several places could be.
  if (locations.length === 0) return [];
  const places = [{ id: null, name: portalPlaceName }, ...locations].map(({ id, name }) => ({
    ...{ locationId: id, name, subject: toPlaceSubject(subjectId, id) },
  }));
  const subjectIds = places.map(({ subject }) => subject);
  const counted = await countStepsOf(db, { ...steps, organizationId, subjectIds });
  return places.flatMap(({ subject, ...place }) => {
    const found = counted.get(subject);
    return found && found.total.executions > 0 ? [{ ...place, ...found }] : [];
  });
}
