import type { QuietHours } from "#contracts/test-analyzer/alert-rules.ts";
import { findInstants, wallAt } from "#libraries/time-zone/wall-clock.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

function getMinutes(timeOfDay: string): number {
  const [hours, minutes] = timeOfDay.split(":").map(Number);
  return hours! * 60 + minutes!;
}

/** The end of the quiet hours at this moment; undefined outside of them. Equal times mean the whole day. */
export function quietUntil({ from, to, timeZone }: QuietHours, now: Date): Date | undefined {
  const wall = wallAt(timeZone, now.getTime());
  const midnight = Math.floor(wall / day) * day;
  const [start, end] = [getMinutes(from) * minute, getMinutes(to) * minute];
  const time = wall - midnight;
  const spansMidnight = end <= start;
  const isQuiet = spansMidnight ? time >= start || time < end : time >= start && time < end;
  if (!isQuiet) return undefined;
  const endsTomorrow = spansMidnight && time >= start;
  const { matching, afterGap } = findInstants(timeZone, midnight + end + (endsTomorrow ? day : 0));
  return new Date(Math.max(matching[0] ?? afterGap ?? 0, now.getTime() + minute));
}
