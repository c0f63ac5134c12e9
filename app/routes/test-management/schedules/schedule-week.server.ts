import type { OccurrenceCounts } from "#contracts/test-executioner/occurrences.ts";
import { writeLocal } from "#libraries/time-zone/wall-clock.ts";
import { available } from "~/backend/responses";
import type { Viewer } from "~/session/guards";
import type { Week } from "./week";

/** One day of a schedule, in the viewer's local time. */
export interface ScheduleDay {
  /** The occurrences in the past. */
  past?: OccurrenceCounts;
  /** Future occurrences: each, or for many their number with the first and the last time. */
  runs: { at: string; time: string; window?: string }[];
  many?: { times: number; skipped: number | null; first: string; last: string };
}

/** The days of a week for a page of schedules: at most two calls, however many there are. Undefined where unknown. */
export async function readScheduleWeek(
  { backend }: Viewer,
  schedules: readonly { id: string }[],
  { week, timeZone, now }: { week: Week; timeZone: string; now: number },
): Promise<((scheduleId: string, day: string) => ScheduleDay | undefined) | undefined> {
  if (schedules.length === 0) return () => undefined;
  const query = { scheduleIds: schedules.map(({ id }) => id).join(","), from: week.from, to: week.to, timeZone };
  const [planned, counted] = await Promise.all([
    Date.parse(week.to) > now
      ? backend.testRegistry.listScheduledTimes({ query: { ...query, limit: 200 } }).then(available)
      : { items: [] },
    Date.parse(week.from) < now ? backend.testExecutioner.countOccurrences({ query }).then(available) : { items: [] },
  ]);
  if (!planned || !counted) return undefined;
  const getTime = ({ at }: { at: string }) => writeLocal(timeZone, Date.parse(at)).slice(11, 19).replace(/:00$/, "");
  return (scheduleId, day) => {
    const past = counted.items.find((one) => one.scheduleId === scheduleId && one.day === day);
    const coming = planned.items
      .find(({ schedule }) => schedule.id === scheduleId)
      ?.days.find((one) => one.day === day);
    if (!past && !coming) return undefined;
    return {
      past,
      runs: coming?.items?.map((run) => ({ at: run.at, time: getTime(run), window: run.maintenanceWindow })) ?? [],
      many:
        coming && !coming.items
          ? {
              ...{ times: coming.times, skipped: coming.skipped },
              ...{ first: getTime(coming.first), last: getTime(coming.last) },
            }
          : undefined,
    };
  };
}
