import { findInstants, isTimeZone, wallAt, writeDay, writeTimeOfDay } from "./wall-clock.ts";
import { zoneNames } from "./zone-names.ts";

/** A typed moment as RFC 3339 in UTC, or a sentence that says why it can't be parsed. */
export type TypedMoment = { moment: string } | { error: string };

const day = 86_400_000;
const example = "2026-11-27 22:00";
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const monthName = "(?<name>jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\\.?";

/** Date formats in use. Dates with slashes are rejected, since the order of day and month is ambiguous. */
const dates = [
  /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})/,
  /^(?<day>\d{1,2})\.\s?(?<month>\d{1,2})\.\s?(?<year>\d{4})/,
  new RegExp(`^(?<day>\\d{1,2})\\.? ${monthName} (?<year>\\d{4})`, "i"),
  new RegExp(`^${monthName} (?<day>\\d{1,2}),? (?<year>\\d{4})`, "i"),
];
const weekday = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i;
const timeOfDay =
  /^(?<hours>\d{1,2})(?:[:.](?<minutes>\d\d)(?::(?<seconds>\d\d)(?:\.\d+)?)?)?\s?(?<half>[ap]\.?m\.?)?/i;
const offset = /^(?:(?:utc|gmt)?\s?(?<sign>[+\-−])(?<hours>\d{1,2})(?::?(?<minutes>\d\d))?|(?<none>utc|gmt|z))$/i;

/**
 * Reads a date and a time of day: `2026-11-27 22:00`, `27 Nov 2026, 22:00`, `Nov 27, 2026 10 pm`, `27.11.2026 22:00`,
 * `tomorrow 09:00`, each alone or with `UTC`, an offset such as `+01:00` or `UTC+1`, a zone such as `Europe/Madrid`, or
 * a short name that the given zone has, such as `CET`.
 * @param timeZone whose clocks show it, where the text says none; of a time that occurs twice it is the first
 * @param now epoch milliseconds, for `today` and `tomorrow`
 */
export function readTypedMoment(text: string, { timeZone, now }: { timeZone: string; now: number }): TypedMoment {
  const typed = text.trim().replace(/\s+/g, " ").replace(weekday, "");
  if (!typed) return { error: `Enter a date and a time, e.g. ${example}` };
  if (/^\d{1,2}\/\d{1,2}\/\d{4}/.test(typed))
    return { error: `Write the date as in ${example}: day and month can be swapped` };
  const date = readDate(typed, wallAt(timeZone, now));
  if (!date) return { error: `This can't be read. Enter a date and a time, e.g. ${example}` };
  if (date.start === undefined) return { error: `${date.written} does not exist. Enter a date, e.g. ${example}` };
  const rest = typed.slice(date.written.length).replace(/^(,? (at )?|T)/i, "");
  const time = timeOfDay.exec(rest);
  if (!time) return { error: `Add a time, e.g. ${date.written} 22:00` };
  const clock = readClock(time.groups!);
  if (clock === undefined) return { error: `${time[0].trim()} is no time of day. Enter one such as 22:00` };
  return resolve(date.start + clock, rest.slice(time[0].length).trim(), timeZone);
}

/** The date at the start of a text; its start is undefined where the calendar has no such day. */
function readDate(typed: string, wallNow: number): { written: string; start: number | undefined } | undefined {
  const [word] = /^(today|tomorrow)\b/i.exec(typed) ?? [];
  if (word) {
    const today = wallNow - (((wallNow % day) + day) % day);
    return { written: word, start: word.toLowerCase() === "today" ? today : today + day };
  }
  for (const pattern of dates) {
    const found = pattern.exec(typed);
    if (!found?.groups) continue;
    const { year, month, name, day: date } = found.groups;
    const index = name ? months.indexOf(name.slice(0, 3).toLowerCase()) : Number(month) - 1;
    const start = Date.UTC(Number(year), index, Number(date));
    const isReal = new Date(start).getUTCMonth() === index && new Date(start).getUTCDate() === Number(date);
    return { written: found[0], start: isReal ? start : undefined };
  }
  return undefined;
}

/** Milliseconds since midnight; undefined for no time of day. */
function readClock({ hours, minutes, seconds = "0", half }: Record<string, string | undefined>): number | undefined {
  // `22` alone is as likely a day or a slip.
  if (minutes === undefined && !half) return undefined;
  const [hour, minute, second] = [Number(hours), Number(minutes ?? 0), Number(seconds)];
  if (minute > 59 || second > 59 || hour > 23 || (half && (hour < 1 || hour > 12))) return undefined;
  const ofDay = half ? (hour % 12) + (/^p/i.test(half) ? 12 : 0) : hour;
  return ((ofDay * 60 + minute) * 60 + second) * 1_000;
}

function resolve(wall: number, zone: string, timeZone: string): TypedMoment {
  const named = Object.entries(zoneNames(timeZone)).find(([, name]) => name === zone.toUpperCase());
  if (named) return { moment: new Date(wall - Number(named[0]) * 60_000).toISOString() };
  const said = offset.exec(zone)?.groups;
  if (said) {
    const size = (Number(said.hours ?? 0) * 60 + Number(said.minutes ?? 0)) * 60_000;
    return { moment: new Date(wall - (said.sign === "+" || said.none ? size : -size)).toISOString() };
  }
  if (zone && !isTimeZone(zone))
    return { error: `“${zone}” is no time zone. Leave it out, or enter one such as Europe/Madrid` };
  const place = zone || timeZone;
  const { matching, afterGap } = findInstants(place, wall);
  if (matching[0] !== undefined) return { moment: new Date(matching[0]).toISOString() };
  const next = writeTimeOfDay(wallAt(place, afterGap!));
  return {
    error: `${writeTimeOfDay(wall)} does not exist on ${writeDay(wall)} in ${place}: clocks are set forward. The next time is ${next}`,
  };
}
