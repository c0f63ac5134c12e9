import { findFirstInstant, wallAt } from "#libraries/time-zone/wall-clock.ts";

const day = 86_400_000;

export interface Week {
  /** Monday to Sunday, e.g. `2026-11-23`. */
  days: string[];
  /** Its first instant, and that of the next week. */
  from: string;
  to: string;
}

const toDate = (wall: number) => new Date(wall).toISOString().slice(0, "2026-11-23".length);

/** The week of a date in a zone's local time; the current one for an invalid date or another century. */
export function getWeek(date: string | null, timeZone: string, now: number): Week {
  const given = date && /^20\d\d-\d\d-\d\d$/.test(date) ? Date.parse(date) : Number.NaN;
  const wall = Number.isNaN(given) ? wallAt(timeZone, now) : given;
  const daysAfterMonday = (new Date(wall).getUTCDay() + 6) % 7;
  const monday = wall - (wall % day) - daysAfterMonday * day;
  const getInstant = (days: number) => new Date(findFirstInstant(timeZone, monday + days * day)).toISOString();
  return {
    days: Array.from({ length: 7 }, (_, index) => toDate(monday + index * day)),
    from: getInstant(0),
    to: getInstant(7),
  };
}

/** The date this many days later. */
export function daysAfter(date: string, days: number): string {
  return toDate(Date.parse(date) + days * day);
}

const months = "January February March April May June July August September October November December".split(" ");

/** For example `23 to 29 November 2026`; the first month and year only where they differ. */
export function weekWords({ days }: Week): string {
  const [first, last] = [days[0]!, days[6]!];
  const words = (date: string) => [Number(date.slice(8)), months[Number(date.slice(5, 7)) - 1], date.slice(0, 4)];
  const same = first.slice(0, 7) === last.slice(0, 7) ? 1 : first.slice(0, 4) === last.slice(0, 4) ? 2 : 3;
  return `${words(first).slice(0, same).join(" ")} to ${words(last).join(" ")}`;
}

/** For example `Mon 23`. */
export function dayWords(date: string, index: number): string {
  return `${["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][index]} ${Number(date.slice(8))}`;
}
