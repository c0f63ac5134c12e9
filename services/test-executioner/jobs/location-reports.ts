import { Problem } from "#contracts/kit/problem.ts";
import type { ExecutionEvent } from "#contracts/test-executioner/events.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { ScheduledPlace } from "#contracts/test-registry/scheduled-places.ts";
import { type Connect, requireValue } from "../../kit/client/client.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Publisher } from "../../kit/events/publisher.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import type { RequireApi } from "../http/apis.ts";
import {
  type HeardLocation,
  listHeardAgain,
  listUnheard,
  markReported,
  type UnheardLocation,
} from "../store/reported-silence.ts";
import type { ExecutionDatabase } from "../store/tables.ts";

/** Between two looks at what schedules send from a location that nothing waits at. */
const askedMilliseconds = 60_000;
const maxNamed = 50;

export interface LocationReportParts {
  db: ExecutionDatabase;
  clock: Clock;
  publisher: Pick<Publisher<ExecutionEvent>, "publish">;
  testRegistry: Connect<typeof testRegistryContract>;
  serviceToken: IssueServiceToken;
  requireApi: RequireApi;
}

function noneIfDeleted(error: unknown): undefined {
  if (!(error instanceof Problem) || error.code !== "not_found") throw error;
}

type Used = Pick<UnheardLocation, "apiIds" | "testCircleIds">;

export type LocationReports = ReturnType<typeof createLocationReports>;

/**
 * Reports locations whose agents have fallen silent while something waits there, or a schedule sends from there; and that
 * they call again.
 */
export function createLocationReports(parts: LocationReportParts) {
  const { db, clock, publisher } = parts;
  const asked = new Map<string, number>();

  async function publish(
    { organizationId, locationId, name }: HeardLocation,
    state: { silent: UnheardLocation | null; ending: string },
  ): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      if (!(await markReported(transaction, { organizationId, locationId }, state.silent ? clock.now() : null))) return;
      const silent = state.silent && {
        since: state.silent.since.toISOString(),
        ...{ hasCalled: state.silent.hasCalled, apiIds: state.silent.apiIds },
        testCircleIds: state.silent.testCircleIds,
      };
      await publisher.publish(transaction, [
        {
          ...{ type: "location.watched", organizationId, resource: `location/${locationId}` },
          payload: { locationId, locationName: name, silent, ending: state.ending },
        },
      ]);
    });
  }

  /** What schedules send from there; undefined if nothing. */
  async function findScheduled({ organizationId, locationId }: UnheardLocation): Promise<Used | undefined> {
    const registry = parts.testRegistry({ token: await parts.serviceToken(organizationId) });
    const { items } = requireValue(await registry.listScheduledPlaces(), "scheduled places");
    const using: ScheduledPlace[] = [];
    for (const place of items) {
      if (place.locationIds.includes(locationId) || (await followsTo(place, organizationId, locationId)))
        using.push(place);
    }
    if (using.length === 0) return undefined;
    return {
      apiIds: [...new Set(using.flatMap(({ apis }) => apis.map(({ apiId }) => apiId)))].slice(0, maxNamed),
      testCircleIds: using.map(({ testCircleId }) => testCircleId).slice(0, maxNamed),
    };
  }

  async function followsTo({ followsEnvironments, apis }: ScheduledPlace, organizationId: string, locationId: string) {
    if (!followsEnvironments) return false;
    for (const { apiId, environment } of apis) {
      if (environment === null) continue;
      const api = await parts.requireApi({ organizationId, requestId: locationId }, apiId).catch(noneIfDeleted);
      if (api?.environments.some((one) => one.name === environment && one.locationId === locationId)) return true;
    }
    return false;
  }

  return {
    /** @param since locations whose agents have called since then are not silent */
    async report(since: Date): Promise<void> {
      const now = performance.now();
      for (const [id, at] of asked) if (now - at > askedMilliseconds) asked.delete(id);
      for (const location of await listUnheard(db, since, [...asked.keys()])) {
        const scheduled = location.apiIds.length > 0 ? location : await findScheduled(location);
        if (scheduled && scheduled.apiIds.length > 0) {
          const { apiIds, testCircleIds } = scheduled;
          await publish(location, { silent: { ...location, apiIds, testCircleIds }, ending: "" });
        } else asked.set(location.locationId, now);
      }
      for (const location of await listHeardAgain(db, since)) {
        await publish(location, { silent: null, ending: `An agent of ${location.name} calls again.` });
      }
    },

    /** Of a location that is being deleted. */
    async forget(location: HeardLocation): Promise<void> {
      await publish(location, { silent: null, ending: "The location was deleted." });
    },
  };
}
