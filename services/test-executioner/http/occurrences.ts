import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { DueOccurrences } from "#contracts/test-executioner/occurrences.ts";
import { readDaySpan } from "#libraries/time-zone/day-span.ts";
import { startOfDay, writeDate } from "#libraries/time-zone/wall-clock.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { countOccurrences, listRunsOfDays } from "../store/occurrence-days.ts";
import { listOccurrences } from "../store/occurrence-list.ts";
import {
  listRecorded,
  type Occurring,
  type PublishSkipped,
  recordedKey,
  recordOccurrences,
} from "../store/occurrences.ts";
import { retryDeadlock } from "../store/retry-deadlock.ts";
import type { ExecutionDatabase } from "../store/tables.ts";
import { readMoment } from "./moments.ts";
import type { PrepareScheduled } from "./scheduled-starts.ts";

type OccurrenceHandlers = Pick<
  Handlers<typeof testExecutionerContract>,
  "listOccurrences" | "countOccurrences" | "recordOccurrences"
>;

/** Per transaction: a few statements store this many as well as one. */
const chunkSize = 50;

export function createOccurrenceHandlers(parts: {
  db: ExecutionDatabase;
  clock: Clock;
  /** For starts that are prepared together. */
  startPreparing(): PrepareScheduled;
  publishSkipped: PublishSkipped;
}): OccurrenceHandlers {
  const { db, clock, startPreparing, publishSkipped } = parts;

  /** Undefined when something it needs is unavailable. */
  async function prepare(
    item: DueOccurrences,
    prepareScheduled: PrepareScheduled,
    requestId: string,
  ): Promise<Occurring | undefined> {
    const { organizationId, scheduleId, scheduleName, version, testCircleId, overlap, start } = item;
    const missed = item.missed.map((moment) => new Date(moment));
    const missedBefore = item.missedBefore && { ...item.missedBefore, since: new Date(item.missedBefore.since) };
    const schedule = { scheduleId, scheduleName, version };
    const occurring = { ...schedule, organizationId, testCircleId, overlap, missed, missedBefore };
    if (!start) return occurring;
    const { skipReason, isLate } = start;
    const prepared = skipReason ? { skipped: skipReason } : await prepareScheduled(item, requestId);
    return prepared && { ...occurring, start: { scheduledFor: new Date(start.scheduledFor), isLate, prepared } };
  }

  async function record(items: DueOccurrences[], prepareScheduled: PrepareScheduled, requestId: string) {
    const times = items.flatMap(({ scheduleId, start }) =>
      start ? [{ scheduleId, scheduledFor: new Date(start.scheduledFor) }] : [],
    );
    const recorded = await listRecorded(db, times);
    const isNew = ({ scheduleId, start }: DueOccurrences) =>
      start === undefined || !recorded.has(recordedKey(scheduleId, new Date(start.scheduledFor)));
    // An agent may have reported the time to start, and not those before it.
    const unrecorded = items.flatMap((item) => {
      if (isNew(item)) return [item];
      return item.missed.length > 0 || item.missedBefore ? [{ ...item, start: undefined }] : [];
    });
    const prepared = await Promise.all(unrecorded.map((item) => prepare(item, prepareScheduled, requestId)));
    const occurring = prepared.filter((one) => one !== undefined);
    const outcomes = await retryDeadlock(() =>
      db.transaction().execute((transaction) => recordOccurrences(transaction, occurring, clock.now(), publishSkipped)),
    );
    return items.map((item) => ({
      scheduleId: item.scheduleId,
      outcome: outcomes.get(item.scheduleId) ?? (isNew(item) ? ("later" as const) : ("recorded" as const)),
    }));
  }

  return {
    async listOccurrences({ caller, query }) {
      const { from, to, ...filter } = query;
      return await listOccurrences(db, caller.organizationId, {
        ...filter,
        from: readMoment("from", from),
        to: readMoment("to", to),
      });
    },

    async countOccurrences({ caller, query }) {
      const { scheduleIds, timeZone } = query;
      const { start, end } = readDaySpan(query);
      const days = [start];
      for (let next = startOfDay(timeZone, start, 1); next < end; next = startOfDay(timeZone, next, 1)) days.push(next);
      const range = {
        organizationId: caller.organizationId,
        days: [...days, end].map((instant) => new Date(instant)),
      };
      const counted = await countOccurrences(db, { ...range, scheduleIds });
      const runs = await listRunsOfDays(db, counted, { ...range, limit: query.runs });
      return {
        items: counted.map(({ schedule_id, day, started, waiting, skipped, missed, failed }, index) => ({
          ...{ started, waiting, skipped, missed, failed },
          scheduleId: schedule_id,
          day: writeDate(timeZone, days[day]!),
          runs: runs[index]!,
        })),
      };
    },

    async recordOccurrences({ body, requestId }) {
      const outcomes: Awaited<ReturnType<typeof record>> = [];
      const prepareScheduled = startPreparing();
      for (let first = 0; first < body.items.length; first += chunkSize) {
        outcomes.push(...(await record(body.items.slice(first, first + chunkSize), prepareScheduled, requestId)));
      }
      return { items: outcomes };
    },
  };
}
