import { uuidv7 } from "uuidv7";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { AffectedCircle } from "#contracts/test-executioner/location-deletions.ts";
import type { Location } from "#contracts/test-executioner/locations.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { isUniqueViolation } from "../../kit/database/database.ts";
import { entityTag, parseIfMatch } from "../../kit/service/entity-tag.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { LocationReports } from "../jobs/location-reports.ts";
import { revokeAll } from "../store/agents.ts";
import type { PublishFinished } from "../store/finished-runs.ts";
import { findLocation, insertLocation, listLocations, removeLocation, updateLocation } from "../store/locations.ts";
import { retryDeadlock } from "../store/retry-deadlock.ts";
import { endAtLocation } from "../store/silent-locations.ts";
import type { ExecutionDatabase } from "../store/tables.ts";
import type { FindAffectedCircles } from "./location-deletions.ts";

type LocationHandlers = Pick<
  Handlers<typeof testExecutionerContract>,
  "listLocations" | "createLocation" | "getLocation" | "changeLocation" | "deleteLocation"
>;

async function requireFreeName<Result>(name: string, write: Promise<Result>): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    if (!isUniqueViolation(error, "locations_name")) throw error;
    throw new Problem("conflict", `There is already a location named ${name}.`, {
      errors: [{ path: "name", message: "Another location has this name" }],
    });
  }
}

/** What its deletion makes of circles, for those that are affected. */
function auditedCircles({ circles }: Awaited<ReturnType<FindAffectedCircles>>) {
  const continuing = circles.filter(({ continues }) => continues);
  const refused = circles.filter(({ continues }) => !continues);
  return {
    ...(continuing.length > 0 ? { circlesThatContinue: continuing.map(toAudited) } : {}),
    ...(refused.length > 0 ? { circlesThatAreRefused: refused.map(toAudited) } : {}),
  };
}

const toAudited = ({ testCircleId, name, placesLeft }: AffectedCircle) => ({ testCircleId, name, placesLeft });

export function createLocationHandlers({
  db,
  clock,
  publishFinished,
  reports,
  findAffected,
}: {
  db: ExecutionDatabase;
  clock: Clock;
  publishFinished: PublishFinished;
  reports: LocationReports;
  findAffected: FindAffectedCircles;
}): LocationHandlers {
  async function require(organizationId: string, id: string): Promise<Location> {
    const location = await findLocation(db, organizationId, id, { now: clock.now() });
    if (!location) throw notFound("location");
    return location;
  }

  return {
    async listLocations({ caller, query }) {
      return await listLocations(db, caller.organizationId, query, { now: clock.now() });
    },

    async createLocation({ caller, body, answerHeaders, record }) {
      const { organizationId } = caller;
      const id = uuidv7();
      const now = clock.now();
      const row = { organization_id: organizationId, id, ...body, version: 1, created_at: now, updated_at: now };
      const created = db.transaction().execute(async (transaction) => {
        await insertLocation(transaction, row);
        await record(transaction, { id, after: body });
      });
      await requireFreeName(body.name, created);
      answerHeaders.set("etag", entityTag(1));
      return await require(organizationId, id);
    },

    async getLocation({ caller, params, answerHeaders }) {
      const location = await require(caller.organizationId, params.locationId);
      answerHeaders.set("etag", entityTag(location.version));
      return location;
    },

    async changeLocation({ caller, params, body, request, answerHeaders, record }) {
      const { organizationId } = caller;
      const { id, name, description } = await require(organizationId, params.locationId);
      const versions = parseIfMatch(request.headers.get("if-match"));
      const changed = db.transaction().execute(async (transaction) => {
        const row = { organization_id: organizationId, id, ...body, updated_at: clock.now() };
        if (!(await updateLocation(transaction, row, versions)))
          throw new Problem("stale_version", "Someone else changed this location in the meantime. View it again.");
        await record(transaction, { id, before: { name, description }, after: body });
      });
      await requireFreeName(body.name, changed);
      const location = await require(organizationId, id);
      answerHeaders.set("etag", entityTag(location.version));
      return location;
    },

    async deleteLocation({ caller, params, requestId, record }) {
      const { organizationId } = caller;
      const { id, name, description } = await require(organizationId, params.locationId);
      const affected = await findAffected({ organizationId, locationId: id, requestId });
      await reports.forget({ organizationId, locationId: id, name });
      await retryDeadlock(() =>
        db.transaction().execute(async (transaction) => {
          await revokeAll(transaction, organizationId, id);
          await endAtLocation(
            transaction,
            { organizationId, locationId: id, reason: `Not run: the location ${name} was deleted.` },
            clock.now(),
            publishFinished,
          );
          await removeLocation(transaction, organizationId, id);
          await record(transaction, { id, before: { name, description, ...auditedCircles(affected) } });
        }),
      );
      return undefined;
    },
  };
}
