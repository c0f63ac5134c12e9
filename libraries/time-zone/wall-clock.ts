/**
 * Wall times: milliseconds since 1970 as if the clock were in UTC. Zones are those of the IANA database in Node's ICU.
 */
const day = 86_400_000;
const minute = 60_000;

const formats = new Map<string, Intl.DateTimeFormat>();
/** More than there are zones; names are accepted in any case, and so may be many. */
export const maxCachedZones = 1_000;

/** Creating one takes longer than using it a hundred times. */
function getFormat(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
    if (formats.size >= maxCachedZones) formats.clear();
    formats.set(timeZone, format);
  }
  return format;
}

/** Error message of a field. */
export const unknownTimeZoneMessage = "No such time zone. Choose one such as Europe/Berlin.";

/** Names only, such as `Europe/Berlin`: an offset alone has no clock changes. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(text)) return false;
  try {
    getFormat(text);
    return true;
  } catch {
    return false;
  }
}

/** Offset of the zone from UTC, in milliseconds. */
export function offsetAt(timeZone: string, instant: number): number {
  const [, sign, hours, minutes, seconds = "0"] =
    /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(getFormat(timeZone).format(instant)) ?? [];
  if (!sign) return 0;
  const size = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000;
  return sign === "-" ? -size : size;
}

export function wallAt(timeZone: string, instant: number): number {
  return instant + offsetAt(timeZone, instant);
}

export interface Instants {
  /** Instants of the wall time: usually one, two when clocks were set back over it, none when they were set forward. */
  matching: number[];
  /** For a skipped wall time: the first instant after the gap. */
  afterGap?: number;
}

/** Finds the instants of a wall time in the zone. */
export function findInstants(timeZone: string, wall: number): Instants {
  // No offset exceeds 24 hours, so these two enclose any nearby change.
  const before = offsetAt(timeZone, wall - day);
  const after = offsetAt(timeZone, wall + day);
  if (before === after) return { matching: [wall - before] };
  const matching = [before, after]
    .map((offset) => ({ offset, instant: wall - offset }))
    .filter(({ offset, instant }) => offsetAt(timeZone, instant) === offset)
    .map(({ instant }) => instant);
  return matching.length > 0
    ? { matching: matching }
    : { matching: matching, afterGap: changeBetween(timeZone, wall - after, wall - before) };
}

/** The first instant of a wall time, or the first instant after the gap. */
export function findFirstInstant(timeZone: string, wall: number): number {
  const { matching, afterGap } = findInstants(timeZone, wall);
  return matching[0] ?? afterGap!;
}

/** The start of the day in the zone, the given number of days after that of the instant. */
export function startOfDay(timeZone: string, moment: number, days = 0): number {
  const wall = wallAt(timeZone, moment);
  return findFirstInstant(timeZone, wall - (wall % day) + days * day);
}

/** The first instant with the offset of `to`; `from` has a different one. Changes occur on whole minutes. */
function changeBetween(timeZone: string, from: number, to: number): number {
  const offset = offsetAt(timeZone, to);
  let [last, first] = [Math.floor(from / minute), Math.ceil(to / minute)];
  while (first - last > 1) {
    const middle = Math.floor((last + first) / 2);
    if (offsetAt(timeZone, middle * minute) === offset) first = middle;
    else last = middle;
  }
  return first * minute;
}

/** Instants of the zone's clock changes, after `from` until `to`. */
export function listClockChanges(timeZone: string, from: number, to: number): number[] {
  const changes: number[] = [];
  for (let start = from; start < to; start += day) {
    const end = Math.min(start + day, to);
    if (offsetAt(timeZone, start) !== offsetAt(timeZone, end)) changes.push(changeBetween(timeZone, start, end));
  }
  return changes;
}

/** `2026-10-25T02:30:00+02:00` (RFC 3339) */
export function writeLocal(timeZone: string, instant: number): string {
  const offset = offsetAt(timeZone, instant);
  const wall = new Date(instant + offset).toISOString().slice(0, 19);
  const minutes = Math.abs(offset) / minute;
  const part = (number: number) => String(Math.floor(number)).padStart(2, "0");
  return `${wall}${offset < 0 ? "-" : "+"}${part(minutes / 60)}:${part(minutes % 60)}`;
}

/** `2026-10-25`: the day of an instant. */
export function writeDate(timeZone: string, instant: number): string {
  return new Date(wallAt(timeZone, instant)).toISOString().slice(0, "2026-10-25".length);
}

/** `02:30` */
export function writeTimeOfDay(wall: number): string {
  return new Date(wall).toISOString().slice(11, 16);
}

/** `25 October 2026` */
export function writeDay(wall: number): string {
  return new Date(wall).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
}
