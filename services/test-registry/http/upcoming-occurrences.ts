import { setImmediate } from "node:timers/promises";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { UpcomingSchedule } from "#contracts/test-registry/upcoming-occurrences.ts";
import type { SharedClock } from "../../kit/database/shared-clock.ts";
import { findPlans } from "../../kit/plan/plan-table.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { explainHeldBack } from "../domain/held-back.ts";
import { findWindow } from "../domain/maintenance-window.ts";
import { listMoments } from "../domain/recurrence/recurrence.ts";
import { listWindowsByOrganization, toScope } from "../store/maintenance-windows.ts";
import { recurrenceOfRow } from "../store/schedules.ts";
import { schemaName, type TestDatabase } from "../store/tables.ts";
import { listUpcomingSchedules } from "../store/upcoming-schedules.ts";

/** An hour after an agent has asked last, and no longer than its secrets are of use. */
const aheadMilliseconds = 65 * 60_000;
/** A time that has just come may be one that no scheduler has seen yet. Later, the portal takes it as one that an agent has. */
const behindMilliseconds = 20_000;
const maxMoments = 150;

/** Creates the handler that lists what agents start while the portal is away. */
export function createUpcomingOccurrenceHandlers({
  db,
  readTime,
}: {
  db: TestDatabase;
  readTime: SharedClock;
}): Pick<Handlers<typeof testRegistryContract>, "listUpcomingOccurrences"> {
  return {
    async listUpcomingOccurrences({ caller: { organizationId }, query: { locationId } }) {
      const now = (await readTime()).getTime();
      const until = now + aheadMilliseconds;
      const rows = await listUpcomingSchedules(db, organizationId, { locationId, until: new Date(until) });
      const plan = (await findPlans(db, schemaName, [organizationId])).get(organizationId);
      const windows = rows.length > 0 ? (await listWindowsByOrganization(db, [organizationId])).map(toScope) : [];
      const items: UpcomingSchedule[] = [];
      for (const row of rows) {
        const recurrence = recurrenceOfRow(row);
        if (explainHeldBack(plan, recurrence)) continue;
        const circle = { testCircleId: row.circle_id, apiIds: row.api_ids };
        const moments = listMoments(recurrence, now - behindMilliseconds, { until, atMost: maxMoments });
        items.push({
          ...{ scheduleId: row.id, scheduleName: row.name ?? undefined, version: row.version },
          ...{ testCircleId: row.circle_id, locationId: row.location_id },
          apis: row.api_ids.map((apiId) => ({ apiId, environment: row.environments[apiId] ?? null })),
          moments: moments
            .filter((moment) => !findWindow(windows, circle, moment))
            .map((moment) => new Date(moment).toISOString()),
        });
        // Many schedules take a while; yields to other requests in between.
        await setImmediate();
      }
      return { items };
    },
  };
}
