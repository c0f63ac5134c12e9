import { maxCachedZones, offsetAt } from "./wall-clock.ts";

/** The short names of a zone by its offset from UTC in minutes: `{ 60: "CET", 120: "CEST" }`. */
export type ZoneNames = Readonly<Record<number, string>>;

/** CLDR has a short name only in the locales of countries that use it: `en` for EST, `en-GB` for CET, `en-AU` for AEST. */
const locales = ["en-GB", "en-US", "en-AU", "en-IN", "en-ZA"];

const known = new Map<string, ZoneNames>();

/** The short names that a zone has this year; none for a zone that is written by its offset everywhere, such as Asia/Tokyo. */
export function zoneNames(timeZone: string): ZoneNames {
  let names = known.get(timeZone);
  if (!names) {
    names = readNames(timeZone, new Date().getUTCFullYear());
    if (known.size >= maxCachedZones) known.clear();
    known.set(timeZone, names);
  }
  return names;
}

function readNames(timeZone: string, year: number): ZoneNames {
  const names: Record<number, string> = {};
  const formats = locales.map((locale) => new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: "short" }));
  for (let month = 0; month < 12; month += 1) {
    const instant = Date.UTC(year, month, 1);
    const minutesAhead = offsetAt(timeZone, instant) / 60_000;
    if (names[minutesAhead]) continue;
    const written = formats.map((format) => nameIn(format.formatToParts(instant)));
    const name = written.find((candidate) => /^[A-Z]{2,5}$/.test(candidate));
    if (name) names[minutesAhead] = name;
  }
  return names;
}

const nameIn = (parts: Intl.DateTimeFormatPart[]) => parts.find(({ type }) => type === "timeZoneName")?.value ?? "";

/** `CET`, or `UTC+9` for an offset without a name. */
export function writeZone(minutesAhead: number, names: ZoneNames = {}): string {
  const name = names[minutesAhead];
  if (name) return name;
  if (minutesAhead === 0) return "UTC";
  const [hours, minutes] = [Math.floor(Math.abs(minutesAhead) / 60), Math.abs(minutesAhead) % 60];
  const part = minutes === 0 ? "" : `:${String(minutes).padStart(2, "0")}`;
  return `UTC${minutesAhead < 0 ? "−" : "+"}${hours}${part}`;
}
