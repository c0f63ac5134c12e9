import type { WindowTime } from "#contracts/test-registry/maintenance-windows.ts";
import type { Schedule } from "#contracts/test-registry/schedules.ts";
import { findFirstInstant, writeLocal } from "#libraries/time-zone/wall-clock.ts";
import { available } from "~/backend/responses";
import { circleRunAddress, circleRunsAddress } from "~/features/circles/circle-addresses";
import { getStatus } from "~/features/verdict/verdict-words";
import { toSearch } from "~/href";
import type { Viewer } from "~/session/guards";
import { bandsOfDay, type PastDay, repeatWords, type ScheduleDay, timeShare } from "./schedule-day";
import { daysAfter, type Week } from "./week";

/** More of a day's runs are on the page of its runs. */
const maxRuns = 3;

/** The days of a week for a page of schedules: at most three calls, however many there are. Undefined where unknown. */
export async function readScheduleWeek(
  { backend }: Viewer,
  schedules: readonly Schedule[],
  { week, timeZone, now }: { week: Week; timeZone: string; now: number },
): Promise<((schedule: Schedule, index: number) => ScheduleDay) | undefined> {
  if (schedules.length === 0) return () => ({ runs: [], bands: [] });
  const range = { from: week.from, to: week.to };
  const query = { ...range, scheduleIds: schedules.map(({ id }) => id).join(","), timeZone };
  const [planned, counted, windows] = await Promise.all([
    Date.parse(week.to) > now
      ? backend.testRegistry.listScheduledTimes({ query: { ...query, limit: 200 } }).then(available)
      : { items: [] },
    Date.parse(week.from) < now
      ? backend.testExecutioner.countOccurrences({ query: { ...query, runs: maxRuns } }).then(available)
      : { items: [] },
    backend.testRegistry.listMaintenanceWindowTimes({ query: { ...range, every: "true" } }).then(available),
  ]);
  if (!planned || !counted || !windows) return undefined;
  const read = (at: string) => writeLocal(timeZone, Date.parse(at)).slice(11, 19);
  const getTime = ({ at }: { at: string }) => read(at).replace(/:00$/, "");
  type Counted = (typeof counted)["items"][number];
  const toPastDay = (schedule: Schedule, { scheduleId, day, runs, ...counts }: Counted): PastDay => {
    const circle = { id: schedule.testCircleId, apiIds: schedule.apiIds };
    const isDisplayable = schedule.apiIds.length > 0;
    const period = { from: startOfDay(day, timeZone), to: startOfDay(daysAfter(day, 1), timeZone) };
    return {
      counts,
      runs: runs.map((run) => ({
        ...{ id: run.id, time: getTime({ at: run.scheduledFor }), share: timeShare(read(run.scheduledFor)) },
        ...{ status: getStatus(run), address: isDisplayable ? circleRunAddress(circle, run.id) : undefined },
      })),
      runsAddress: isDisplayable ? circleRunsAddress(circle) + toSearch({ ...period, trigger: "schedule" }) : undefined,
    };
  };
  return (schedule, index) => {
    const day = week.days[index]!;
    const past = counted.items.find((one) => one.scheduleId === schedule.id && one.day === day);
    const coming = planned.items.find((one) => one.schedule.id === schedule.id)?.days.find((one) => one.day === day);
    const isToday = writeLocal(timeZone, now).startsWith(day);
    return {
      past: past && toPastDay(schedule, past),
      runs:
        coming?.items?.map((run) => ({
          ...{ at: run.at, time: getTime(run), share: timeShare(read(run.at)), window: run.maintenanceWindow },
        })) ?? [],
      many:
        coming && !coming.items
          ? {
              ...{ times: coming.times, skipped: coming.skipped },
              ...{ first: getTime(coming.first), last: getTime(coming.last) },
              ...{ from: timeShare(read(coming.first.at)), to: timeShare(read(coming.last.at)) },
            }
          : undefined,
      repeats: repeatWords(schedule, coming?.times ?? 0),
      bands: bandsOfDay(
        windows.items.filter((window) => concerns(window, schedule)),
        { day, timeZone },
      ),
      now: isToday ? timeShare(writeLocal(timeZone, now).slice(11, 19)) : undefined,
    };
  };
}

/** Whether a window applies to the circle of a schedule. */
function concerns({ apiId, testCircleId }: WindowTime, schedule: Pick<Schedule, "testCircleId" | "apiIds">): boolean {
  if (testCircleId !== null && testCircleId !== schedule.testCircleId) return false;
  return apiId === null || schedule.apiIds.includes(apiId);
}

/** @param day `2026-11-29` */
function startOfDay(day: string, timeZone: string): string {
  return new Date(findFirstInstant(timeZone, Date.parse(day))).toISOString();
}
