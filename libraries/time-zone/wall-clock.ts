/**
 * What clocks on walls show. A wall time is a number: milliseconds since 1970 as if the clock stood in UTC. Zones are of
 * the IANA database as Node's ICU knows it.
 */
const day = 86_400_000;
const minute = 60_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making one takes longer than a hundred uses. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
    formats.set(timeZone, format);
  }
  return format;
}

/** Said at a field. */
export const noSuchTimeZone = "There is no such time zone. Choose one such as Europe/Berlin.";

/** Names only, as in `Europe/Berlin`: an offset alone would know nothing of clock changes. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(text)) return false;
  try {
    formatOf(text);
    return true;
  } catch {
    return false;
  }
}

/** How far the zone's clocks are ahead of UTC, in milliseconds. */
export function offsetAt(timeZone: string, instant: number): number {
  const [, sign, hours, minutes, seconds = "0"] =
    /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(formatOf(timeZone).format(instant)) ?? [];
  if (!sign) return 0;
  const size = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000;
  return sign === "-" ? -size : size;
}

export function wallAt(timeZone: string, instant: number): number {
  return instant + offsetAt(timeZone, instant);
}

export interface Instants {
  /** When clocks show it: mostly once, twice when they were set back over it, never when they were set forward over it. */
  shown: number[];
  /** Where it is never shown: the first instant after the gap. */
  afterGap?: number;
}

/** When the zone's clocks show a wall time. */
export function instantsOf(timeZone: string, wall: number): Instants {
  // No clock is 24 hours off, so the two enclose whatever change is near.
  const before = offsetAt(timeZone, wall - day);
  const after = offsetAt(timeZone, wall + day);
  if (before === after) return { shown: [wall - before] };
  const shown = [before, after]
    .map((offset) => ({ offset, instant: wall - offset }))
    .filter(({ offset, instant }) => offsetAt(timeZone, instant) === offset)
    .map(({ instant }) => instant);
  return shown.length > 0 ? { shown } : { shown, afterGap: changeBetween(timeZone, wall - after, wall - before) };
}

/** When clocks show a wall time first, or else the first instant after the gap. */
export function firstInstantOf(timeZone: string, wall: number): number {
  const { shown, afterGap } = instantsOf(timeZone, wall);
  return shown[0] ?? afterGap!;
}

/** The first instant of the day, by the zone's clocks, that is so many days after the one of a moment. */
export function startOfDay(timeZone: string, moment: number, days = 0): number {
  const wall = wallAt(timeZone, moment);
  return firstInstantOf(timeZone, wall - (wall % day) + days * day);
}

/** The first instant with the offset of `to`; `from` has another. Changes fall on whole minutes. */
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

/** Instants at which the zone's clocks are set, after `from` until `to`. */
export function listClockChanges(timeZone: string, from: number, to: number): number[] {
  const changes: number[] = [];
  for (let start = from; start < to; start += day) {
    const end = Math.min(start + day, to);
    if (offsetAt(timeZone, start) !== offsetAt(timeZone, end)) changes.push(changeBetween(timeZone, start, end));
  }
  return changes;
}

/** As in `2026-10-25T02:30:00+02:00` (RFC 3339). */
export function writeLocal(timeZone: string, instant: number): string {
  const offset = offsetAt(timeZone, instant);
  const wall = new Date(instant + offset).toISOString().slice(0, 19);
  const minutes = Math.abs(offset) / minute;
  const part = (number: number) => String(Math.floor(number)).padStart(2, "0");
  return `${wall}${offset < 0 ? "-" : "+"}${part(minutes / 60)}:${part(minutes % 60)}`;
}

/** As in `2026-10-25`: the day at an instant. */
export function writeDate(timeZone: string, instant: number): string {
  return new Date(wallAt(timeZone, instant)).toISOString().slice(0, "2026-10-25".length);
}

/** As in `02:30`. */
export function writeTimeOfDay(wall: number): string {
  return new Date(wall).toISOString().slice(11, 16);
}

/** As in `25 October 2026`. */
export function writeDay(wall: number): string {
  return new Date(wall).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
}
