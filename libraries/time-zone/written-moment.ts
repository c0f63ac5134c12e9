import { offsetAt } from "./wall-clock.ts";
import { writeZone, type ZoneNames, zoneNames } from "./zone-names.ts";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * A point in time at an offset from UTC in minutes: `21 Nov 2026, 15:03 CET`. The zone is written, since the reader may
 * be in another one, and an hour occurs twice when clocks are set back. Formatted by hand: `Intl.DateTimeFormat` was the
 * slowest part of rendering a list.
 * @param precise with seconds, for events in quick succession
 */
export function formatMoment(value: string, precise = false, minutesAhead = 0, names?: ZoneNames): string {
  const wall = new Date(Date.parse(value) + minutesAhead * 60_000);
  const clock = wall.toISOString().slice(11, precise ? 19 : 16);
  return `${wall.getUTCDate()} ${months[wall.getUTCMonth()]} ${wall.getUTCFullYear()}, ${clock} ${writeZone(minutesAhead, names)}`;
}

/** A point in time by the clocks of a zone, such as Europe/Berlin. */
export function formatMomentIn(timeZone: string, value: string): string {
  return formatMoment(value, false, offsetAt(timeZone, Date.parse(value)) / 60_000, zoneNames(timeZone));
}
