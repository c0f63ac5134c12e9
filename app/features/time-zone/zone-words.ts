import { offsetAt } from "#libraries/time-zone/wall-clock.ts";
import { writeZone, zoneNames } from "#libraries/time-zone/zone-names.ts";

/** A zone as moments are written in it, with its name: `CET (Europe/Berlin)`. */
export function zoneWords(timeZone: string, now = Date.now()): string {
  if (timeZone === "UTC") return timeZone;
  return `${writeZone(offsetAt(timeZone, now) / 60_000, zoneNames(timeZone))} (${timeZone})`;
}
