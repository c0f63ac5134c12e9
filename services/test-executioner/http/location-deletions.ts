import { notFound } from "#contracts/kit/problem.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import { type AffectedCircle, maxAffectedCircles } from "#contracts/test-executioner/location-deletions.ts";
import { getLeastPlaces, listPlaces } from "#contracts/test-registry/circle-places.ts";
import type { CircleSummary } from "#contracts/test-registry/circles.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { type Connect, requireValue } from "../../kit/client/client.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { findLocation, listUnknownLocations } from "../store/locations.ts";
import type { ExecutionDatabase } from "../store/tables.ts";

interface AskedLocation {
  organizationId: string;
  locationId: string;
  requestId: string;
}

/** Circles that name a location, and what its deletion makes of them. */
export type FindAffectedCircles = (asked: AskedLocation) => Promise<{ circles: AffectedCircle[]; total: number }>;

export function createFindAffectedCircles({
  db,
  testRegistry,
  serviceToken,
}: {
  db: ExecutionDatabase;
  testRegistry: Connect<typeof testRegistryContract>;
  serviceToken: IssueServiceToken;
}): FindAffectedCircles {
  return async ({ organizationId, locationId, requestId }) => {
    const registry = testRegistry({ token: await serviceToken(organizationId), requestId });
    const query = { locationId, limit: maxAffectedCircles };
    const page = requireValue(await registry.listCircles({ query }), "circles");
    const named = new Set(page.items.flatMap(({ places }) => places?.locationIds ?? []));
    const gone = await listUnknownLocations(db, organizationId, [...named]);
    gone.add(locationId);
    return {
      circles: page.items.map((circle) => toAffected(circle, gone)),
      total: page.total ?? page.items.length,
    };
  };
}

function toAffected({ id, name, apiIds, places }: CircleSummary, gone: ReadonlySet<string>): AffectedCircle {
  const placesLeft = places ? listPlaces(places).filter((place) => place === null || !gone.has(place)).length : 0;
  const placesNeeded = places ? getLeastPlaces(places) : 1;
  return { testCircleId: id, name, apiIds, continues: placesLeft >= placesNeeded, placesLeft, placesNeeded };
}

export function createLocationDeletionHandlers({
  db,
  clock,
  findAffected,
}: {
  db: ExecutionDatabase;
  clock: Clock;
  findAffected: FindAffectedCircles;
}): Pick<Handlers<typeof testExecutionerContract>, "describeLocationDeletion"> {
  return {
    async describeLocationDeletion({ caller: { organizationId }, params: { locationId }, requestId }) {
      if (!(await findLocation(db, organizationId, locationId, { now: clock.now() }))) throw notFound("location");
      return await findAffected({ organizationId, locationId, requestId });
    },
  };
}
